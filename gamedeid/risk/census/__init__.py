"""How many people sex, place and birth single out, by counts of a census."""

OPEN_YEARS = 12
"""Years that an open group such as 65+ is taken to have (sweeney2000, Figure 12)."""

LIFETIME = 76
"""Years that ages are spread over where they are taken as uniform (sweeney2000, section 4.3)."""
