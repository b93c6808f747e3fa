"""Results on the disk: written whole or not at all, readable by their owner only. Its public names are the results."""

from gamedeid.lazy_imports import public_names

__getattr__, __dir__ = public_names(__name__)
