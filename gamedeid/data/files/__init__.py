"""A table on disk, read strictly: doubtful input is refused, never guessed."""
