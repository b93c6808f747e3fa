"""Results as tables on a terminal, or as plain text in a pipe."""

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from gamedeid.comparison import Comparison
from gamedeid.report.summary import chosen_strategies
from gamedeid.solution import Solution

PIPE_WIDTH = 100
"""Width of a table where there is no terminal to fit."""


def dollars(value: float) -> str:
    """Return an amount of money to the cent."""
    return f"${value:,.2f}" if value >= 0 else f"-${-value:,.2f}"


def percent(value: float) -> str:
    """Return a share with two decimals of a percent."""
    return f"{value:.2%}"


def four(value: float) -> str:
    """Return a number with four decimals."""
    return f"{value:.4f}"


MEASURES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "publisher_payoff": ("publisher's payoff per record", dollars),
    "adversary_payoff": ("adversary's payoff per record", dollars),
    "unmodified": ("released unmodified", percent),
    "suppressed": ("suppressed entirely", percent),
    "withheld": ("withheld", percent),
    "generalization_intensity": ("generalization intensity", four),
    "attacked": ("attacked", percent),
    "reidentification_probability": ("re-identification probability", four),
    "reidentification_probability_attacked": ("... over attacked records", four),
    "expected_reidentifications": ("expected re-identifications", lambda value: f"{value:,.1f}"),
}
"""How people read each measure: its words and its format."""


def console() -> Console:
    """Return the console for results: as wide as the terminal, in a pipe at least of a fixed width.

    Text is printed as it is: ``[b]`` in a title is no markup, ``:x:`` no picture.
    """
    width = None if Console().is_terminal else PIPE_WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def print_run(solution: Solution, to: Console) -> None:
    """Print the measures of a run, and what it does to most records."""
    study = solution.study
    title = f"{study.scenario.title or 'Records'}: {solution.name}{' game' if solution.solver else ''}"
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("records", f"{solution.measures['records']:,}")
    for key, (words, form) in MEASURES.items():
        table.add_row(words, form(solution.measures[key]))
    _print_table(table, to)
    search = solution.search
    if solution.solver is not None:
        proved = "proved optimal" if search["proved"] else "not proved optimal"
        strategies = f"{search['searched']:.2f} of {study.setting.lattice.size:,} strategies searched per record"
        to.print(f"{search['solver']}: {proved}; {strategies}", soft_wrap=True)
    chosen = chosen_strategies(solution, 5)
    if chosen:
        levels = Table(title="Most chosen strategies (levels)", title_justify="left")
        for attribute in study.setting.hierarchies:
            levels.add_column(attribute, justify="right")
        levels.add_column("records", justify="right")
        levels.add_column("share", justify="right")
        for row in chosen:
            levels.add_row(
                *(str(level) for level in row["levels"].values()), f"{row['records']:,}", percent(row["share"])
            )
        _print_table(levels, to)


def print_comparison(comparison: Comparison, to: Console) -> None:
    """Print the policy and the games side by side, a row for each measure."""
    title = comparison.study.scenario.title or "Comparison"
    table = Table(title=title, title_justify="left")
    table.add_column("measure")
    for row in comparison.rows:
        table.add_column(row["policy"], justify="right")
    for key, (words, form) in MEASURES.items():
        table.add_row(words, *(form(row[key]) for row in comparison.rows))
    table.add_row("strategies searched", *_optional(comparison, "searched", lambda value: f"{value:.2f}"))
    table.add_row("found the optimum", *_optional(comparison, "optimal", percent))
    _print_table(table, to)
    floor = comparison.study.floor
    does = "; ".join(f"{attribute}: {words}" for attribute, words in floor.says.items())
    to.print(f"{floor.name} releases {does}.", soft_wrap=True)


def _print_table(table: Table, to: Console) -> None:
    """Print a table; where no terminal sets the width, it is as wide as its longest row, so that nothing is cut."""
    if not to.is_terminal:
        everything = to.options.update(width=1_000_000)
        to.width = max(to.width, to.measure(table, options=everything).maximum)
    to.print(table)


def _optional(comparison: Comparison, key: str, form: Callable[[Any], str]) -> list[str]:
    return ["" if row[key] is None else form(row[key]) for row in comparison.rows]
