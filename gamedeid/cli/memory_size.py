"""The words for a size of memory, such as ``2GB`` or ``512MiB``."""

import re

from gamedeid.errors import InvalidScenarioError, quoted

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*", re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Return the bytes that a text such as "2GB", "512MiB" or "1.5 g" means.

    Raises
    ------
    InvalidScenarioError : it means none.

    Examples
    --------
    >>> parse_memory("2GB"), parse_memory("512 MiB")
    (2000000000, 536870912)
    """
    from gamedeid.data.engines.options import MOST_MEMORY

    found = _SIZE.fullmatch(text)
    if found is None:
        raise InvalidScenarioError(f"memory: expected a size such as 2GB or 512MiB, not {quoted(text)}")
    bytes_ = float(found[1]) * _UNITS[(found[2] or "").lower()]
    return int(min(bytes_, 2.0 * MOST_MEMORY))  # so much is refused, and may be more than a whole number can say
