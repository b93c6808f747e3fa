"""The people whom sex, place and birth single out, by counts of a census."""

OPEN_YEARS = 12
"""Assumed years of an open group such as 65+ (sweeney2000, Figure 12)."""

LIFETIME = 76
"""Years over which ages are spread if they are assumed uniform (sweeney2000, section 4.3)."""
