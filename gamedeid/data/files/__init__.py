"""A table on disk, read strictly: what is odd is refused, never guessed."""
