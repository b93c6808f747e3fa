"""What a file holds, and how it can be released, before a scenario exists."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
