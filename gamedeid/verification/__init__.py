"""Whether a folder of results is what it claims, by a path that shares no code with those who made it."""
