"""One strategy for each profile, within limits on the whole dataset."""
