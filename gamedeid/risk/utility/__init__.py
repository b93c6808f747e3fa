"""The results of an analysis of a release, compared with those of the original data."""
