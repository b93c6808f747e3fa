"""How much is looked at together, where all at once would take much memory: rows, and bytes of files."""

ARRAY_ROWS = 2**20
"""Rows of arrays of numbers; a row may be a pair of profile and strategy, or a sum at one point of a grid."""

TABLE_ROWS = 2**19
"""Rows of tables that are read or written: their values are texts, and take more."""

OBJECT_ROWS = 2**16
"""Rows whose values are made Python objects one by one, which take most."""

FILE_BYTES = 2**20
"""Bytes of a file that are read at a time."""
