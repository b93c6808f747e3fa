"""What share of a population is unique: estimated from a sample, and how good the estimates are."""
