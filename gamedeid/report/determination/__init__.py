"""The draft of an expert determination: its content from the results, and the facts left to fill in."""
