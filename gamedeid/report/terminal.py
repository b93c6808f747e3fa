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
    """Return the console for results: as wide as the terminal, of a fixed width in a pipe."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def print_run(solution: Solution, to: Console) -> None:
    """Print the measures of a run, and what it does to most records."""
    study = solution.study
    title = f"{study.scenario.title or 'Records'}: {solution.name} game"
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("records", f"{solution.measures['records']:,}")
    for key, (words, form) in MEASURES.items():
        table.add_row(words, form(solution.measures[key]))
    to.print(table)
    search = solution.search
    proved = "proved optimal" if search["proved"] else "not proved optimal"
    to.print(
        f"{search['solver']}: {proved}; {search['searched']:.2f} of {study.setting.lattice.size} strategies "
        f"searched per record"
    )
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
        to.print(levels)


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
    to.print(table)
    floor = comparison.study.floor
    does = "; ".join(f"{attribute}: {words}" for attribute, words in floor.says.items())
    to.print(f"{floor.name} releases {does}.", soft_wrap=True)


def _optional(comparison: Comparison, key: str, form: Callable[[Any], str]) -> list[str]:
    return ["" if row[key] is None else form(row[key]) for row in comparison.rows]
