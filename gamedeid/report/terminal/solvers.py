"""Solvers side by side on a terminal, or along a grid of stakes."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from gamedeid.amounts import dollars, percent
from gamedeid.analysis.solver_results import SolverComparison
from gamedeid.report.data_words import data_words
from gamedeid.report.terminal.console import fits, new_table, print_table
from gamedeid.scenario.grid import STAKES
from gamedeid.study.facts import data_of

ROWS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "publisher_payoff": ("publisher's payoff per record", dollars),
    "adversary_payoff": ("adversary's payoff per record", dollars),
    "publisher_difference": ("publisher's payoff differs by", dollars),
    "adversary_difference": ("adversary's payoff differs by", dollars),
    "optimal": ("found the optimum", percent),
    "searched": ("strategies searched per record", lambda value: f"{value:,.2f}"),
    "milliseconds_per_record": ("milliseconds per record", lambda value: f"{value:.2g}"),
    "seconds": ("seconds for all records", lambda value: f"{value:.2g}"),
}
"""How people read each measure of a solver: its words and its format."""

ALONG = {
    "publisher_payoff": "publisher",
    "publisher_difference": "differs",
    "adversary_payoff": "adversary",
    "adversary_difference": "differs",
    "optimal": "optimal",
    "searched": "searched",
}
"""The measures shown along a grid, and their shorter words."""


def print_solvers(comparisons: Sequence[SolverComparison], to: Console) -> None:
    """Print a column for each solver; along a grid, a row for each point and solver."""
    first = comparisons[0]
    title = first.study.scenario.title or "Solvers"
    to.print(f"{title}: {first.game} game")
    to.print(data_words(data_of(first.study)))
    rows = [row for one in comparisons for row in one.timed_rows()]
    side_by_side = _side_by_side(rows)
    if len(comparisons) > 1:
        print_table(_along(rows), to)
    elif fits(side_by_side, to):
        print_table(side_by_side, to)
    else:
        for row in rows:
            print_table(_side_by_side([row]), to)
    to.print(f"Differences are mean absolute ones per record from {first.reference}; times are from this machine.")


def _side_by_side(rows: Sequence[dict[str, Any]]) -> Table:
    table = new_table("measure", *(row["solver"] for row in rows))
    for key, (words, form) in ROWS.items():
        table.add_row(words, *(form(row[key]) for row in rows))
    return table


def _along(rows: Sequence[dict[str, Any]]) -> Table:
    """Return the stakes that move, the solver, and its measures short of the times."""
    moving = [name for name in STAKES if len({row[name] for row in rows}) > 1]
    if all(row["gain"] == row["loss"] for row in rows):
        moving = [name for name in moving if name != "gain"]  # it only follows
    table = Table()
    for name in moving:
        table.add_column(name, justify="right")
    table.add_column("solver")
    for words in ALONG.values():
        table.add_column(words, justify="right")
    for row in rows:
        stakes = (f"{row[name]:.10g}" for name in moving)
        table.add_row(*stakes, row["solver"], *(ROWS[key][1](row[key]) for key in ALONG))
    return table
