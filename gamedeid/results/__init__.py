"""Results on disk: written whole or not at all, and readable by their owner only. The public names are results."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
