"""The draft of an expert determination: what the results say of it, and what is left to fill in."""
