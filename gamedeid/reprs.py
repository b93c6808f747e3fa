"""Representations of values in a console and in a notebook: their sizes, and never values of the data."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, is_dataclass
from html import escape
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform, overload

import numpy as np

from gamedeid.lazy_imports import registered_function

Class = TypeVar("Class")

_SHOWN = 60  # most characters of a text
_LISTED = 6  # most items of a list
_ROWS = 20  # most rows of a table in a notebook
_EXACT, _READ = 9, 4  # digits of a number in the folded table, and in the first one


@overload
def frozen(of: type[Class], /) -> type[Class]: ...
@overload
def frozen(*, eq: bool = True, slots: bool = True) -> Callable[[type[Class]], type[Class]]: ...
@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen(of: type | None = None, /, *, eq: bool = True, slots: bool = True) -> Any:
    """Make a class a frozen keyword-only dataclass with :func:`short_repr` as its repr, unless it defines one.

    Parameters
    ----------
    slots : whether the class has slots; false lets it store more, such as a property that is computed once.
    """

    def made(plain: Any) -> Any:
        if "__repr__" not in vars(plain):
            plain.__repr__ = short_repr
        return dataclass(frozen=True, kw_only=True, eq=eq, slots=slots, repr=False)(plain)

    return made if of is None else made(of)


def brief(of: type[Class]) -> type[Class]:
    """Make :func:`short_repr` the repr of a named tuple."""
    of.__repr__ = short_repr  # type: ignore[method-assign]
    return of


def short_repr(self: Any) -> str:
    """Return a dataclass or named tuple in one line: numbers and words themselves, other values by size or type.

    Use it as ``__repr__`` of a class. ``field(repr=False)`` leaves out texts that may be values of the data, or names
    of dropped columns.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> @brief
    ... class Rows(NamedTuple):
    ...     name: str
    ...     codes: np.ndarray
    ...     values: list[str]
    >>> Rows("zip", np.zeros((2, 3)), ["37201", "37212"])
    Rows(name='zip', codes=float64[2, 3], values=list[2])
    """
    if isinstance(self, Shown) and self.shown:
        return repr_of(self, **self._facts)
    if is_dataclass(self):
        names: Iterable[str] = (field.name for field in fields(self) if field.repr)
    else:
        names = self._fields
    return _line(type(self).__name__, {name: _size_of(getattr(self, name)) for name in names})


class Shown:
    """A class whose instances show facts in a console, and a table in a notebook.

    Its subclasses name both, and neither may hold a value of the data. If a table has a card or folded columns, a
    notebook shows the card or the other columns, and the whole table at a click.

    Attributes
    ----------
    shown : fields and properties that a console shows in full, such as "records" or "study.records"; for a mapping,
        its names; without ``shown``, the sizes of all fields.
    table_of : the field that a notebook shows as a table, "" for the same facts: columns by name, rows, or values by
        name.
    card : key of the registered function that returns the HTML of the value, shown before the table; "" for none.
    folded : columns that only the whole table shows.
    """

    __slots__ = ()

    shown: ClassVar[tuple[str, ...]] = ()
    table_of: ClassVar[str] = ""
    card: ClassVar[str] = ""
    folded: ClassVar[tuple[str, ...]] = ()

    @property
    def _facts(self) -> dict[str, Any]:
        """The shown facts: the last word of each name, and its value."""
        return {path.rpartition(".")[2]: attrgetter(path)(self) for path in self.shown}

    def _repr_html_(self) -> str:
        facts = {
            name: value if np.isscalar(value) or value is None else _plain(value) for name, value in self._facts.items()
        }
        held = getattr(self, self.table_of) if self.table_of else facts
        rows = list(_rows(held))
        head = list(dict.fromkeys(name for row in rows for name in row))
        title, front = type(self).__name__, [name for name in head if name not in self.folded]

        def table(names: Sequence[str], digits: int) -> str:
            cells = ([row.get(name) for name in names] for row in rows[:_ROWS])
            return html_table(title, names, cells, more=max(len(rows) - _ROWS, 0), digits=digits)

        whole = table(head, _EXACT)
        if not self.card and len(front) == len(head):
            return whole
        first = registered_function(self.card)(self) if self.card else table(front, _READ)
        scrolled = f'<div style="overflow-x: auto">{whole}</div>'
        return f"{first}<details><summary>All columns and digits</summary>{scrolled}</details>"


def _rows(held: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table given as columns, as values or rows by name, or as rows."""
    if not isinstance(held, Mapping):
        yield from map(_row, held)
    elif held and all(isinstance(column, list | tuple | np.ndarray) for column in held.values()):
        yield from (dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True))
    else:
        yield from ({"": name, **_row(value)} for name, value in held.items())


def _row(value: Any) -> dict[str, Any]:
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value) if one.repr}
    return dict(value) if isinstance(value, Mapping) else {"value": value}


def repr_of(self: object, **facts: object) -> str:
    """Return the repr of a public value: its class and some facts in one line.

    Examples
    --------
    >>> repr_of(object(), name="zip", attributes=["age", "sex"])
    "object(name='zip', attributes=['age', 'sex'])"
    """
    return _line(type(self).__name__, {name: _plain(value) for name, value in facts.items()})


def html_table(title: str, head: Collection[str], rows: Iterable[Iterable[object]], more: int, digits: int) -> str:
    """Return the HTML of a table for a notebook: every text escaped, long names with places to break.

    Parameters
    ----------
    rows : rows with one cell for each name in ``head``; None is an empty cell.
    more : number of rows that are left out.
    digits : significant digits of fractional numbers; digits before the point are never left out.

    Examples
    --------
    >>> html_table("a < b", ["x"], [[1200.0], [None]], more=0, digits=9)
    '<table><caption>a &lt; b</caption><tr><th>x</th></tr><tr><td>1,200</td></tr><tr><td></td></tr></table>'
    """
    lines = ["".join(f"<th>{escape(name).replace('_', '_<wbr>')}</th>" for name in head)]
    lines += ["".join(f"<td>{escape(_cell(value, digits))}</td>" for value in row) for row in rows]
    if more:
        lines.append(f'<td colspan="{len(head)}">... {more:,} more</td>')
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><caption>{escape(title)}</caption>{body}</table>"


def _line(name: str, facts: Mapping[str, str]) -> str:
    return f"{name}({', '.join(f'{fact}={value}' for fact, value in facts.items())})"


def _size_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return _plain(value)
    kind = type(value).__name__
    counted = isinstance(value, Mapping | Sequence | AbstractSet) and not hasattr(
        value, "_fields"
    )  # data frames are not shown: one may be lazy
    return f"{kind}[{len(value)}]" if counted else kind


def _plain(value: object) -> str:
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}...")
    if isinstance(value, list | tuple | Mapping):
        listed = [_plain(one) for one in list(value)[:_LISTED]]
        return f"[{', '.join([*listed, '...'] if len(value) > _LISTED else listed)}]"
    return repr(value)


def _cell(value: Any, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, float | np.floating):
        is_long = 10.0 ** (digits - 1) <= abs(float(value)) < 10.0**15
        return f"{value:,.0f}" if is_long else f"{value:,.{digits}g}"
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value) if isinstance(value, str | bool | tuple | list) else _size_of(value)
