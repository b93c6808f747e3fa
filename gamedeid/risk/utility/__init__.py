"""What an analyst finds in a release, next to what the original data say."""
