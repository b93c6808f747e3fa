"""Names of policies and of an attacker that every scenario has, and of columns that no data may have."""

SAFE_HARBOR = "safe-harbor"
LIMITED_DATA_SET = "limited-data-set"
RAW = "raw"
GENERAL = "general"
OWN = "__gamedeid_"
"""Begins the names of columns that engines add to the data for a while."""
