"""What a release is worth to an adversary who knows the mechanism that made it."""
