"""The catalogue: each sentence about a result once, in the TOML file of its subject, with its condition."""
