"""Solvers side by side on a terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from gamedeid.amounts import dollars, percent
from gamedeid.analysis.solver_results import SolverComparison
from gamedeid.report.data_words import data_words
from gamedeid.report.terminal.console import fits, new_table, print_table
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


def print_solvers(comparison: SolverComparison, to: Console) -> None:
    """Print a column for each solver."""
    title = comparison.study.scenario.title or "Solvers"
    to.print(f"{title}: {comparison.game} game")
    to.print(data_words(data_of(comparison.study)))
    rows = comparison.timed_rows()
    side_by_side = _side_by_side(rows)
    if fits(side_by_side, to):
        print_table(side_by_side, to)
    else:
        for row in rows:
            print_table(_side_by_side([row]), to)
    to.print(f"Differences are mean absolute ones per record from {comparison.reference}; times are from this machine.")


def _side_by_side(rows: Sequence[dict[str, Any]]) -> Table:
    table = new_table("measure", *(row["solver"] for row in rows))
    for key, (words, form) in ROWS.items():
        table.add_row(words, *(form(row[key]) for row in rows))
    return table
