"""Results to pictures: first a description that any library can draw, then the drawings."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
