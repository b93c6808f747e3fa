"""The compiled loops, and the values that they share."""
