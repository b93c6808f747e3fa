"""Re-identification risk by the measures of the literature, one question to a file."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
