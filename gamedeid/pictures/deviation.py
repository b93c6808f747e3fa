"""How far a solver stays from the best payoffs as the stakes move (wan2015, Figure 12)."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import dollars, money
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.pictures.lines import stake_scale
from gamedeid.pictures.picture import Line, Mark, Panel, Picture
from gamedeid.pictures.scales import roomy
from gamedeid.pictures.styles import SPARED, STAKES
from gamedeid.pictures.words import STAKE_WORDS, percent, stakes, table_along
from gamedeid.scenario.grid import StakeName

_TABLE = {
    "publisher_difference": "difference of the publisher's payoffs, D_p (dollars per record)",
    "adversary_difference": "difference of the adversary's payoffs, D_a (dollars per record)",
    "optimal": "best payoff found (per cent of records)",
}


def deviation_picture(
    along: Mapping[StakeName, Mapping[str, Sequence[Any]]], chosen: Mapping[str, float], solver: str = "lattice-search"
) -> Picture:
    """Draw the mean absolute difference of the publisher's payoffs from the best ones, D_p, along each stake.

    Parameters
    ----------
    along : stake -> columns of a comparison of solvers in which it alone is varied: its own, ``solver``,
        ``publisher_difference``, ``adversary_difference`` and ``optimal``, at least.
    chosen : the scenario's own stakes by name, dollars; marked in each panel.
    solver : which of the solvers in the columns.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.

    Raises
    ------
    InvalidScenarioError : no such solver in the columns.
    """
    tables = [_rows(name, columns, solver) for name, columns in along.items()]
    shown, left_out = table_along(tables, chosen)
    return Picture(
        kind="deviation",
        title=f"How far {solver} stays from the best",
        caption=(
            f"Mean absolute difference of payoffs (D_p): the publisher's that {solver} finds against the best, in "
            f"dollars per record, as one stake at a time is varied ({', '.join(STAKE_WORDS[name] for name in along)}); "
            f"the dashed upright lines mark the chosen stakes: {stakes(chosen)}." + left_out
        ),
        finding=_finding(tables, chosen, solver),
        table=shown,
        panels=tuple(_panel(table, chosen, solver) for table in tables),
        across=min(2, len(tables)),
        panel_height=320,
    )


def _rows(name: str, columns: Mapping[str, Sequence[Any]], solver: str) -> dict[str, list[Any]]:
    known = list(dict.fromkeys(columns["solver"]))
    if solver not in known:
        raise InvalidScenarioError(f"there is no solver {quoted(solver)} in this comparison{nearest(solver, known)}")
    rows = [row for row, one in enumerate(columns["solver"]) if one == solver]
    rows.sort(key=lambda row: float(columns[name][row]))
    table: dict[str, list[Any]] = {
        "stake": [name] * len(rows),
        "value (dollars)": [float(columns[name][row]) for row in rows],
    }
    return table | {
        words: [float(columns[measure][row]) * (100 if measure == "optimal" else 1) for row in rows]
        for measure, words in _TABLE.items()
    }


def _panel(table: Mapping[str, list[Any]], chosen: Mapping[str, float], solver: str) -> Panel:
    name, values = table["stake"][0], table["value (dollars)"]
    away = table[_TABLE["publisher_difference"]]
    return Panel(
        title=f"Difference of payoffs along the {name}",
        x=stake_scale(name, values),
        y=roomy(away, "D_p (dollars per record)", "dollars", at_least=0.0),
        layers=(
            Mark(name="chosen stakes", style=STAKES, x=chosen[name]),
            Line(name=solver, style=SPARED, x=values, y=away, marked=True),
        ),
    )


def _finding(tables: Sequence[Mapping[str, list[Any]]], chosen: Mapping[str, float], solver: str) -> str:
    sentences: list[str] = []
    for table in tables:
        name, values = table["stake"][0], table["value (dollars)"]
        away, optimal = table[_TABLE["publisher_difference"]], table[_TABLE["optimal"]]
        if not sentences and chosen[name] in values:
            here = values.index(chosen[name])
            sentences.append(
                f"At the chosen stakes {solver} finds the best payoff for {percent(optimal[here] / 100)} of records "
                f"and is {dollars(away[here])} per record away from it on average."
            )
        most = away.index(max(away))
        sentences.append(
            f"As the {name} goes from {money(values[0])} to {money(values[-1])}, the difference of payoffs is "
            f"{dollars(max(away))} at most, at {money(values[most])}, where "
            f"{percent(optimal[most] / 100)} of records have their best payoff."
        )
    return " ".join(sentences)
