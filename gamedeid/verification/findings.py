"""What a verification says: what it found, what it compared, and what it could not look at and why."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, TypeAlias

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray
from gamedeid.errors import one_line, shown
from gamedeid.reprs import frozen, html_table, repr_of
from gamedeid.schema_names import KEY, schema_id

InputState: TypeAlias = Literal["equal", "changed", "absent"]
"""Whether an input file is there with the digest that the manifest has."""


@frozen
class Finding:
    """One thing in which a folder is not what it claims.

    Parameters
    ----------
    file : of the folder, or what messages call an input.
    says : what was expected and what came; without any value of the data.
    row : number of the first row concerned, from 1 after the header; None where it is about no row.
    column : name of the column; None where it is about no column.
    rows : how many rows are concerned; 0 where it is about none.
    expected, found : values of the data in that row, shown on request only.
    """

    file: str
    says: str
    row: int | None = None
    column: str | None = None
    rows: int = 0
    expected: str | None = field(default=None, repr=False)
    found: str | None = field(default=None, repr=False)

    def in_words(self, *, with_values: bool = False) -> str:
        """Return the finding in one line.

        Parameters
        ----------
        with_values : whether values of the data may stand in it.
        """
        place = self.file
        place += "" if self.row is None else f", row {self.row:,}"
        place += "" if self.column is None else f", column `{shown(self.column)}`"
        more = f" (and so in {number_of(self.rows, 'row')} in all)" if self.rows > 1 else ""
        values = ""
        if with_values and self.expected is not None:
            values = f"; expected `{shown(self.expected)}`, found `{shown(self.found)}`"
        return one_line(f"{place}: {self.says}{more}{values}")


@frozen
class Unchecked:
    """Something that was not looked at.

    Parameters
    ----------
    what : of the folder.
    why : the reason.
    """

    what: str
    why: str


@frozen(eq=False)
class Verification:
    """What came of verifying a folder of results.

    Parameters
    ----------
    folder : as it was named.
    findings : in which ways the folder is not what it claims; none where it is.
    checked : what was recomputed or compared, a line each.
    unchecked : what was not, with the reason.
    inputs : name of an input -> whether it is there with the manifest's digest.
    """

    folder: str
    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    unchecked: tuple[Unchecked, ...]
    inputs: Mapping[str, InputState]

    @property
    def holds(self) -> bool:
        """Whether nothing was found: all that was checked is what the folder claims."""
        return not self.findings

    def __repr__(self) -> str:
        return repr_of(self, holds=self.holds, findings=len(self.findings), unchecked=len(self.unchecked))

    def _repr_html_(self) -> str:
        rows = [("found", one.in_words()) for one in self.findings]
        rows += [("checked", line) for line in self.checked]
        rows += [("not checked", f"{one.what}: {one.why}") for one in self.unchecked]
        return html_table("Verification: " + ("it holds" if self.holds else "it does not hold"), ["", "what"], rows)

    def as_dict(self, *, with_values: bool = False) -> dict[str, Any]:
        """Return the same as plain values.

        Parameters
        ----------
        with_values : whether findings tell values of the data.

        Returns
        -------
        ``schema``, ``holds``, ``findings`` (``file``, ``row``, ``column``, ``rows``, ``says``), ``checked``,
        ``unchecked`` (``what``, ``why``) and ``inputs``.
        """
        return {
            KEY: schema_id("verification"),
            "holds": self.holds,
            "findings": [_plain(one, with_values=with_values) for one in self.findings],
            "checked": list(self.checked),
            "unchecked": [{"what": one.what, "why": one.why} for one in self.unchecked],
            "inputs": dict(self.inputs),
        }


class CheckLog:
    """Where the checks write what they find, one after the other."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.checked: list[str] = []
        self.unchecked: list[Unchecked] = []

    def find(self, file: str, says: str, *, column: str | None = None) -> None:
        """Note something that is not as it should be, and concerns no single row."""
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
        file, column : where.
        wrong : (n,) whether each row is.
        says : what is the matter.
        numbers : expected and found, (n,) each; they are no values of the data, and are told.
        values : expected and found, (n,) each, that are values of the data.
        """
        if not wrong.any():
            return False
        first = int(np.argmax(wrong))
        told = ""
        if numbers is not None:
            expected, found = numbers
            told = f": expected {_number(expected[first])}, found {_number(found[first])}"
        self.findings.append(
            Finding(
                file=file,
                column=column,
                row=first + 1,
                rows=int(wrong.sum()),
                says=says + told,
                expected=None if values is None else str(values[0][first]),
                found=None if values is None else str(values[1][first]),
            )
        )
        return True

    def did(self, what: str) -> None:
        """Note what was compared."""
        self.checked.append(what)

    def skip(self, what: str, why: str) -> None:
        """Note what was not, and the reason; the same is noted once."""
        one = Unchecked(what=what, why=why)
        if one not in self.unchecked:
            self.unchecked.append(one)


def _number(value: Any) -> str:
    plain = value.item() if isinstance(value, np.generic) else value
    return str(plain).lower() if isinstance(plain, bool) else repr(plain)


def _plain(one: Finding, *, with_values: bool) -> dict[str, Any]:
    plain = {"file": one.file, "row": one.row, "column": one.column, "rows": one.rows, "says": one.says}
    return {**plain, "expected": one.expected, "found": one.found} if with_values else plain
