"""Which scenario and which hierarchies a file could be released by, to be read and changed by a person."""
