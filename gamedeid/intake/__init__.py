"""Intake of a file before a scenario exists: its columns, its identifiers, and a draft of its release."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
