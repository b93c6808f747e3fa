"""Which values are well known as codes for a missing one, and what to write in the scenario about them."""

import json
import re
from collections.abc import Iterable

from gamedeid.errors import quoted

_CODE = re.compile(
    r"#?n/?a|#?n\.a\.|#?nan|nil|null|none|unk|unknown|missing|not (?:available|applicable|known|stated|reported)"
    r"|[-.?]+|x{2,}"
    r"|-[1-9]|-?9{2,}|0{2,}",
    re.IGNORECASE,
)
_LONGEST = 20  # characters of a code
SHOWN = 5
"""How many codes a hint lists. They are known words, not values of somebody."""


def is_missing_code(value: object) -> bool:
    """Return whether a value is well known as a code for a missing one: `NA`, `..`, `-9`, `999`, `00000` and more."""
    text = as_text(value)
    return len(text) <= _LONGEST and _CODE.fullmatch(text) is not None


def as_text(value: object) -> str:
    """Return a value as text: 999.0, which a column with gaps makes of 999, is "999"; without spaces around it."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def missing_values_hint(values: Iterable[object]) -> str:
    """Return what to write about those of some values that are codes for missing ones; nothing where none are."""
    codes = sorted({as_text(value) for value in values if is_missing_code(value)})[:SHOWN]
    if not codes:
        return ""
    named = " or ".join(quoted(code) for code in codes)
    return f"; if {named} stands for a missing value, write [records] missing_values = {json.dumps(codes)}"
