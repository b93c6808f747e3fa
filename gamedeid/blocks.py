"""How many rows are looked at together, where all of them at once would take much memory."""

ARRAY_ROWS = 2**20
"""Rows of arrays of numbers."""

TABLE_ROWS = 2**19
"""Rows of tables that are read or written: their values are texts, and take more."""
