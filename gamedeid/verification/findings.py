"""The result of a verification: its findings, the checks that were made, and those that were not, with reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray
from gamedeid.errors import one_line, shown
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, OneOrMore, Result, Text

InputState: TypeAlias = Literal["equal", "changed", "absent"]
"""Whether an input file exists, and has the manifest's digest."""


OneValue: TypeAlias = Annotated[Text | None, Field(description="A value of the data or of the results.")]


@frozen
class Finding(Result):
    """One difference between a folder and its claims.

    Parameters
    ----------
    file : a file of the folder, or the name of an input in messages.
    says : the expected and the found; without any value of the data.
    row : number of the first row concerned, from 1 after the header; None for no row.
    column : name of the column; None for no column.
    rows : number of rows concerned; 0 for none.
    expected, found : values of the data in that row, shown on request only.
    """

    shown = ("file", "row", "column", "rows", "says")
    table_of = ""
    keys: ClassVar = ("file", "row", "column", "rows", "says", "expected?", "found?")

    file: Text
    says: Text
    row: OneOrMore | None = None
    column: Text | None = None
    rows: Count | None = 0
    expected: OneValue = field(default=None, repr=False)
    found: OneValue = field(default=None, repr=False)

    def in_words(self, *, with_values: bool = False) -> str:
        """Return the finding in one line.

        Parameters
        ----------
        with_values : whether values of the data may be in it.
        """
        place = self.file
        place += "" if self.row is None else f", row {self.row:,}"
        place += "" if self.column is None else f", column `{shown(self.column)}`"
        more = f" (and so in {number_of(self.rows or 0, 'row')} in all)" if (self.rows or 0) > 1 else ""
        values = ""
        if with_values and self.expected is not None:
            values = f"; expected `{shown(self.expected)}`, found `{shown(self.found)}`"
        return one_line(f"{place}: {self.says}{more}{values}")


@frozen
class Unchecked(Result):
    """A check that was not made.

    Parameters
    ----------
    what : a part of the folder.
    why : the reason.
    """

    what: Text
    why: Text


@frozen(eq=False)
class Verification(Result):
    """The result of the verification of a folder of results.

    Parameters
    ----------
    folder : as it was named.
    findings : the differences between the folder and its claims; empty if there are none.
    checked : the recomputations and comparisons, a line each.
    unchecked : the checks that were not made, with reasons.
    inputs : name of an input -> whether it exists with the manifest's digest.
    """

    document = "verification"
    keys: ClassVar = ("holds", "findings", "checked", "unchecked", "inputs")
    shown = ("holds",)
    table_of = "lines"

    folder: str
    findings: tuple[Finding, ...]
    checked: tuple[Text, ...]
    unchecked: tuple[Unchecked, ...]
    inputs: Mapping[str, InputState]

    @property
    def holds(self) -> Flag:
        """Whether nothing was found: all checks agree with the folder's claims."""
        return not self.findings

    @property
    def lines(self) -> list[dict[str, str]]:
        """The findings, the checks made and those not made, one line each."""
        rows = [("found", one.in_words()) for one in self.findings]
        rows += [("checked", line) for line in self.checked]
        rows += [("not checked", f"{one.what}: {one.why}") for one in self.unchecked]
        return [{"": kind, "line": line} for kind, line in rows]

    def as_dict(self, *, with_values: bool = False) -> dict[str, Any]:
        """Return the same as plain values.

        Parameters
        ----------
        with_values : whether findings include values of the data.

        Returns
        -------
        ``schema``, ``holds``, ``findings`` (``file``, ``row``, ``column``, ``rows``, ``says``), ``checked``,
        ``unchecked`` (``what``, ``why``) and ``inputs``.
        """
        found = Result.as_dict(self)  # super() does not find a class that slots have replaced
        values = ("expected", "found")
        for content, one in zip(found["findings"], self.findings, strict=True):
            for name in values:
                content.pop(name, None)
            if with_values:
                content |= {name: getattr(one, name) for name in values}
        return found


class CheckLog:
    """The log in which the checks note their findings."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.checked: list[str] = []
        self.unchecked: list[Unchecked] = []

    def find(self, file: str, says: str, *, column: str | None = None) -> None:
        """Note a finding that concerns no single row."""
        self.findings.append(Finding(file=file, says=says, column=column))

    def find_rows(
        self,
        file: str,
        column: str,
        wrong: BoolArray,
        says: str,
        *,
        numbers: Sequence[Any] | Any | None = None,
        values: tuple[Any, Any] | None = None,
    ) -> bool:
        """Note which rows, (n,), are wrong in a column; return whether any is.

        Parameters
        ----------
        wrong : (n,) whether each row is wrong.
        numbers : expected and found, (n,) each, which are shown: they are not values of the data.
        values : expected and found, (n,) each, which are values of the data.
        """
        if not wrong.any():
            return False
        first = int(np.argmax(wrong))
        values_words = ""
        if numbers is not None:
            expected, found = numbers
            values_words = f": expected {_number(expected[first])}, found {_number(found[first])}"
        self.findings.append(
            Finding(
                file=file,
                column=column,
                row=first + 1,
                rows=int(wrong.sum()),
                says=says + values_words,
                expected=None if values is None else str(values[0][first]),
                found=None if values is None else str(values[1][first]),
            )
        )
        return True

    def did(self, what: str) -> None:
        """Note a comparison that was made."""
        self.checked.append(what)

    def skip(self, what: str, why: str, *, first: bool = False) -> None:
        """Note a check that was not made, and the reason, once; before all others if asked."""
        one = Unchecked(what=what, why=why)
        if one not in self.unchecked:
            self.unchecked.insert(0 if first else len(self.unchecked), one)


def _number(value: Any) -> str:
    plain = value.item() if isinstance(value, np.generic) else value
    return str(plain).lower() if isinstance(plain, bool) else repr(plain)
