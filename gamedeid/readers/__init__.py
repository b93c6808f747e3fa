"""From files to values: every room that opens a file to read it."""

from gamedeid.readers.hierarchy_files import find_hierarchy, read_hierarchy
from gamedeid.readers.shipped import shipped_names
from gamedeid.readers.zip3 import restricted_prefixes

__all__ = ["find_hierarchy", "read_hierarchy", "restricted_prefixes", "shipped_names"]
