"""Escaping of texts that a spreadsheet would take for formulas.

Anyone who can put text into a released column can put a formula there: a spreadsheet runs it when it opens the CSV
file, and the formula may send other cells away or start a program. The rule is OWASP's for CSV injection: an
apostrophe before every sign with which a formula can begin, wherever a cell can begin.
"""

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from gamedeid.errors import InvalidDataError, quoted
from gamedeid.lazy_imports import LazyModule

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = LazyModule("narwhals")

_BEGINS = re.compile(r"""((?:^|[,;|\t\r\n"])\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])""")
"""Places where a formula can begin: the start of a cell, also for a program with another separator or quote."""

_NUMBER = re.compile(r"\s*[+-]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?\s*")
"""A whole cell that is a number in some country's notation; it cannot hide a formula."""


def defused(text: str) -> str:
    r"""Return a text with an apostrophe before each sign with which a formula can begin.

    The signs are ``= + - @``, their full-width forms, and at the very beginning a tab or a line break. They count at
    the beginning, after a separator (``, ; |``, tab, line break) and after a quotation mark, also with spaces in
    between. A text that is a number as a whole is unchanged.

    Examples
    --------
    >>> defused("=1+1"), defused("a;@b"), defused("-5"), defused("x-ray")
    ("'=1+1", "a;'@b", '-5', 'x-ray')
    """
    if _NUMBER.fullmatch(text):
        return text
    made = _BEGINS.sub(r"\1'", text)
    return f"'{made}" if made[:1] in {"\t", "\r", "\n"} else made


def defused_names(names: list[str]) -> list[str]:
    """Return names of columns, each defused."""
    made = [defused(name) for name in names]
    for place, name in enumerate(made):
        if name in made[:place]:
            raise InvalidDataError(
                f"columns {quoted(names[made.index(name)])} and {quoted(names[place])} would both be called "
                f"{quoted(name)}; rename one of them"
            )
    return made


def holds_texts(kind: pa.DataType) -> bool:
    """Return whether values of a type are texts in a CSV file: neither numbers nor true and false."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    of_kind = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean, pa.types.is_null)
    return not any(has_kind(kind) for has_kind in of_kind)


def defused_frame(frame: Any) -> Any:
    """Return an eager frame with all texts and names of columns defused, except texts within nested values."""
    rows, texts = nw.from_native(frame, eager_only=True), (nw.String, nw.Categorical, nw.Enum, nw.Object)
    new = [_defused_column(rows[name]) for name, kind in rows.schema.items() if kind in texts]
    names = defused_names(rows.columns)
    return nw.to_native(rows.with_columns(*new).rename(dict(zip(rows.columns, names, strict=True))))


def _defused_column(column: Any) -> Any:
    values = [defused(value) if isinstance(value, str) else value for value in column.to_list()]
    kind = nw.Object if column.dtype == nw.Object else nw.String
    return nw.new_series(column.name, values, kind, backend=column.implementation)
