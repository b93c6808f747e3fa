"""Columns that may hold one of the 18 kinds of identifiers of 45 CFR 164.514(b)(2)(i)."""
