"""Pictures of results: descriptions that any library can draw, and the drawings."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
