"""How groups of numbers, years and ordered categories are published: one form of label for all of them.

`34` is one value, `[30-34]` has both ends, `[18.5-<25]` has all but the upper edge, `<18.5` and `90+` are open.
"""


def closed(low: object, high: object) -> str:
    """Return the label of the values from low to high, both included; of one value it is the value."""
    return f"{low}" if low == high else f"[{low}-{high}]"


def half_open(low: object, high: object) -> str:
    """Return the label of the numbers from low up to high, which is not included."""
    return f"[{low}-<{high}]"


def below(high: object) -> str:
    """Return the label of all values below one."""
    return f"<{high}"


def at_least(low: object) -> str:
    """Return the label of a value and all above it."""
    return f"{low}+"
