"""Drafts of scenario and hierarchies for a file, to be read and changed by a person."""
