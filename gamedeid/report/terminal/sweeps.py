"""The rows of a sweep as a table on a terminal: varied stakes, policies, and as many measures as fit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from gamedeid.amounts import four_decimals, money
from gamedeid.catalogue import sentences
from gamedeid.report.terminal.console import fits_width, print_lines, print_table
from gamedeid.report.words.measures import MEASURES
from gamedeid.scenario.grid import RECIPIENT_PREFIX, RECIPIENT_SHARES, STAKES, StakeName, is_of_recipient

MOST_ROWS = 400
"""Most rows that a terminal shows: longer tables are for files."""

HEADINGS = {
    "expected_reidentifications": "re-identified",
    "publisher_payoff": "publisher",
    "attacked": "attacked",
    "adversary_payoff": "adversary",
    "unmodified": "unmodified",
    "withheld": "withheld",
    "success_probability": "success",
    "information_loss": "information loss",
    "generalization_intensity": "generalization",
    "suppressed": "suppressed",
    "unmatched": "unmatched",
    "reidentification_probability": "probability",
    "reidentification_probability_attacked": "... over attacked",
}
"""Measure or outcome -> its short words, in order of priority if there is no room for all."""

_CENTS = 1000
"""Dollars from which cents are enough to distinguish breakpoints."""


def exact_money(value: float) -> str:
    """Return the text of a breakpoint in dollars, with four decimals if these add to the cents.

    Examples
    --------
    >>> exact_money(3.4693877), exact_money(400.0), exact_money(48876.043)
    ('$3.4694', '$400', '$48,876.04')
    """
    rounded = round(value, 4)
    return money(value) if value >= _CENTS or rounded == round(rounded, 2) else f"${rounded:,.4f}"


_FORMS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(STAKES, money),
    **dict.fromkeys(("value", "low", "high"), exact_money),
    **{key: measure.form for key, measure in MEASURES.items()},
    "information_loss": four_decimals,
    "success_probability": four_decimals,
}


def print_sweep(columns: Mapping[str, Sequence[Any]], to: Console, *, followed: StakeName | None) -> list[str]:
    """Print columns as a table, and return those without room in it."""
    headings = {**HEADINGS, "value": str(followed), "low": f"{followed} from", "high": "to"}
    rows = len(next(iter(columns.values()), ()))
    stakes = {name: values for name, values in columns.items() if name in STAKES}
    fixed = [name for name, values in stakes.items() if len(set(values)) == 1]
    follows = ["gain"] if "gain" not in fixed and stakes.get("gain") == stakes.get("loss") else []
    same = ", ".join(f"{name} {money(stakes[name][0])}" for name in fixed if name != "gain")
    print_lines(sentences("sweep.throughout", {"fixed": same}), to)
    names = [name for name in columns if name not in {*fixed, *follows}]
    measures = [name for name in HEADINGS if name in names]
    shown = [name for name in names if name not in measures]
    left_out = []
    for name in measures:
        if fits_width(_table({column: columns[column][:MOST_ROWS] for column in (*shown, name)}, headings), to):
            shown.append(name)
        else:
            left_out.append(name)
    print_table(_table({name: columns[name][:MOST_ROWS] for name in shown}, headings), to)
    print_lines(sentences("sweep.recipient", {}), to)
    print_lines(sentences("sweep.more", {"nothing": not rows, "left": max(0, rows - MOST_ROWS)}), to)
    return left_out


def _table(columns: Mapping[str, Sequence[Any]], headings: Mapping[str, str]) -> Table:
    """Return the table of columns, with a line between the points of a grid."""
    table = Table()
    for name in columns:
        words = name == "policy"
        heading = name.removeprefix(RECIPIENT_PREFIX) if is_of_recipient(name) else headings.get(name, name)
        table.add_column(heading, justify="left" if words else "right")
    stakes = [name for name in columns if name in STAKES or is_of_recipient(name)]
    rows = list(zip(*columns.values(), strict=True))
    points = list(zip(*(columns[name] for name in stakes), strict=True)) if stakes else [()] * len(rows)
    for place, row in enumerate(rows):
        last = place + 1 == len(rows) or points[place] != points[place + 1]
        cells = (_text(name, value) for name, value in zip(columns, row, strict=True))
        table.add_row(*cells, end_section=last and "policy" in columns)
    return table


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_of_recipient(name):
        return f"{value:g}" if name.endswith(RECIPIENT_SHARES) else money(value)
    return _FORMS[name](value) if name in _FORMS and isinstance(value, float) else str(value)
