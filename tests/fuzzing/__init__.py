"""The fuzz run: inputs drawn at random, mostly wrong, and what must hold whatever comes of them."""
