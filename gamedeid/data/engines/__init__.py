"""Engines: where the rows are, how they are counted, and how the released columns are joined to them."""
