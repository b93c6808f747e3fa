"""Results as files and tables for people and machines."""
