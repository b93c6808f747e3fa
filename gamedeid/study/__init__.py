"""One question answered: inputs compiled once, the best strategies found, and the release written."""
