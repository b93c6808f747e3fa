"""Pictures along one stake: payoffs under the policy and the games, and the deviation of lattice search."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import NO_DOLLARS, dollars
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import SolverName
from gamedeid.pictures.picture import Layer, Line, MarkedPlace, Panel, Picture
from gamedeid.pictures.scales import Scale, padded_scale
from gamedeid.pictures.styles import NOT_ATTACKED, STAKES, style_of
from gamedeid.pictures.words import (
    STAKE_WORDS,
    capitalized,
    change_words,
    legend_name,
    policy_name,
    policy_words,
    stakes,
    table_along,
)
from gamedeid.scenario.grid import StakeName

PLAYERS = {"publisher_payoff": "publisher's payoff", "adversary_payoff": "adversary's payoff"}
"""Measures of the two players -> their names."""

SOLVER: SolverName = "lattice-search"
"""The solver whose payoffs are compared with the best payoffs."""

SHARE_OF_BENEFIT = "per cent of the benefit V"
"""The unit of the publisher's payoff if the benefit is varied, which hides other effects in dollars."""


def lines_picture(along: Mapping[StakeName, Mapping[str, Sequence[Any]]], chosen: Mapping[str, float]) -> Picture:
    """Draw the mean payoffs of both players along each stake, a line for each policy.

    Parameters
    ----------
    along : stake -> columns of a sweep that varies it alone: the stake's own, ``policy``, ``publisher_payoff`` and
        ``adversary_payoff``, at least. The games are compared with the first policy.
    chosen : the scenario's own stakes by name, dollars; marked in each panel.
    """
    series = {name: {player: _series(columns, name, player) for player in PLAYERS} for name, columns in along.items()}
    shown, left_out = table_along([_rows(name, one) for name, one in series.items()], chosen)
    varied = ", ".join(STAKE_WORDS[name] for name in along)
    return Picture(
        kind="lines",
        title="Payoffs as the stakes move",
        caption=(
            "Mean payoff per record of the publisher (left) and the adversary (right) in dollars, "
            + (f"the publisher's in {SHARE_OF_BENEFIT} where that is varied, " if "benefit" in along else "")
            + f"as one stake at a time is varied ({varied}); the dashed upright lines mark the chosen stakes: "
            f"{stakes(chosen)}." + left_out
        ),
        finding=" ".join(_finding({name: one["publisher_payoff"] for name, one in series.items()}, chosen)),
        table=shown,
        panels=tuple(
            _panel(name, words, one[player], chosen)
            for name, one in series.items()
            for player, words in PLAYERS.items()
        ),
        across=2,
    )


def _series(columns: Mapping[str, Sequence[Any]], name: str, measure: str) -> dict[str, dict[float, float]]:
    """Return policy -> value of the stake -> measure, with rising values."""
    series: dict[str, dict[float, float]] = {policy: {} for policy in columns["policy"]}
    rows = zip(columns["policy"], columns[name], columns[measure], strict=True)
    for policy, value, payoff in sorted(rows, key=lambda row: float(row[1])):
        series[policy][float(value)] = float(payoff)
    return series


def _panel(name: str, words: str, series: Mapping[str, Mapping[float, float]], chosen: Mapping[str, float]) -> Panel:
    values = list(next(iter(series.values())))
    of_benefit = name == "benefit" and words == PLAYERS["publisher_payoff"]
    first = next(iter(series))
    layers: list[Layer] = [MarkedPlace(name="chosen stakes", style=STAKES, x=chosen[name])]
    shown: list[float | None] = []
    for policy, line in series.items():
        y = [share_of(payoff, value) if of_benefit else payoff for value, payoff in line.items()]
        shown += y
        legend, said = legend_name(policy, first), policy_name(policy)
        layers.append(Line(name=legend, style=style_of(policy), x=list(line), y=y, marked=True, said=said))
    return Panel(
        title=f"{capitalized(words)} along the {name}",
        x=stake_scale(name, values),
        y=padded_scale(shown, SHARE_OF_BENEFIT, "percent")
        if of_benefit
        else padded_scale(shown, f"{words} (dollars)", "dollars"),
        layers=tuple(layers),
    )


def share_of(payoff: float, benefit: float) -> float | None:
    """Return a payoff as a share of the benefit; None if the benefit is 0."""
    return payoff / benefit if benefit else None


def stake_scale(name: str, values: Sequence[float]) -> Scale:
    """Return the axis along a stake's rising values: logarithmic if they are above 0 and span a decade."""
    low, high = values[0], values[-1]
    label = f"{STAKE_WORDS[name]} (dollars)"
    if low == high:
        return padded_scale([low], label, "dollars")
    log = low > 0 and high / low >= 10  # noqa: PLR2004  (a decade)
    return Scale(label=label, log=log, limits=(low, high), unit="dollars")


def _rows(name: str, series: Mapping[str, Mapping[str, Mapping[float, float]]]) -> dict[str, list[Any]]:
    values = list(next(iter(next(iter(series.values())).values())))
    table: dict[str, list[Any]] = {"stake": [name] * len(values), "value (dollars)": values}
    for player, words in PLAYERS.items():
        for policy, line in series[player].items():
            table[f"{policy_name(policy)}: {words} (dollars)"] = list(line.values())
    return table


def _finding(along: Mapping[StakeName, Mapping[str, Mapping[float, float]]], chosen: Mapping[str, float]) -> list[str]:
    said: list[str] = []
    for name, series in along.items():
        policy, *games = series
        if not said:
            here = {who: line.get(chosen[name]) for who, line in series.items()}
            paid = ", ".join(f"{policy_name(who)} {dollars(paid)}" for who, paid in here.items() if paid is not None)
            said += sentences("pictures.lines_chosen", {"paid": paid})
        best = max(games, key=lambda game: max(_leads(series, game, policy).values()))
        leads = _leads(series, best, policy)
        most, least = max(leads, key=leads.__getitem__), min(leads, key=leads.__getitem__)
        facts = {
            "single": len(leads) == 1,
            "level": change_words(leads[most]) == change_words(leads[least]),
            "stake": name,
            "low": min(leads),
            "high": max(leads),
            "game": policy_words(best),
            "policy": policy_words(policy),
            "most_change": change_words(leads[most]),
            "most_at": most,
            "least_change": change_words(leads[least]),
            "least_at": least,
        }
        said += sentences("pictures.lines", facts)
    return said


def _leads(series: Mapping[str, Mapping[float, float]], game: str, policy: str) -> dict[float, float]:
    return {value: payoff - series[policy][value] for value, payoff in series[game].items()}


_TABLE = {
    "publisher_difference": "difference of the publisher's payoffs (dollars per record)",
    "adversary_difference": "difference of the adversary's payoffs (dollars per record)",
    "optimal": "best payoff found (per cent of records)",
}


def deviation_picture(along: Mapping[StakeName, Mapping[str, Sequence[Any]]], chosen: Mapping[str, float]) -> Picture:
    """Draw the mean absolute difference between payoffs by lattice search and the best ones along each stake.

    Parameters
    ----------
    along : stake -> columns of a comparison of solvers that varies it alone: the stake's own, ``solver``,
        ``publisher_difference``, ``adversary_difference`` and ``optimal``, at least.
    chosen : the scenario's own stakes by name, dollars; marked in each panel.
    """
    tables = [_deviation_rows(name, columns) for name, columns in along.items()]
    shown, left_out = table_along(tables, chosen)
    return Picture(
        kind="deviation",
        title=f"How far {SOLVER} stays from the best",
        caption=(
            f"Mean absolute difference of the publisher's payoff that {SOLVER} finds from the best one (D_p in Wan et "
            "al., 2015), in dollars per record, as one stake at a time is varied "
            f"({', '.join(STAKE_WORDS[name] for name in along)}); the dashed upright lines mark the chosen stakes: "
            f"{stakes(chosen)}." + left_out
        ),
        finding=_deviation_finding(tables, chosen),
        table=shown,
        panels=tuple(_deviation_panel(table, chosen) for table in tables),
        across=min(2, len(tables)),
        panel_height=320,
    )


def _deviation_rows(name: str, columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    rows = [row for row, one in enumerate(columns["solver"]) if one == SOLVER]
    rows.sort(key=lambda row: float(columns[name][row]))
    table: dict[str, list[Any]] = {
        "stake": [name] * len(rows),
        "value (dollars)": [float(columns[name][row]) for row in rows],
    }
    return table | {
        words: [float(columns[measure][row]) * (100 if measure == "optimal" else 1) for row in rows]
        for measure, words in _TABLE.items()
    }


def _deviation_panel(table: Mapping[str, list[Any]], chosen: Mapping[str, float]) -> Panel:
    name, values = table["stake"][0], table["value (dollars)"]
    away = table[_TABLE["publisher_difference"]]
    return Panel(
        title=f"Difference from the best along the {name}",
        x=stake_scale(name, values),
        y=padded_scale(away, "mean difference (dollars per record)", "dollars", at_least=0.0),
        layers=(
            MarkedPlace(name="chosen stakes", style=STAKES, x=chosen[name]),
            Line(name=SOLVER, style=NOT_ATTACKED, x=values, y=away, marked=True),
        ),
    )


def _deviation_finding(tables: Sequence[Mapping[str, list[Any]]], chosen: Mapping[str, float]) -> str:
    said: list[str] = []
    for table in tables:
        name, values = table["stake"][0], table["value (dollars)"]
        away, optimal = table[_TABLE["publisher_difference"]], table[_TABLE["optimal"]]
        if not said and chosen[name] in values:
            here = values.index(chosen[name])
            facts = {"solver": SOLVER, "optimal": optimal[here] / 100, "difference": away[here]}
            said.append(sentence("pictures.deviation_chosen", facts))
        most = away.index(max(away))
        range_facts = {"stake": name, "low": values[0], "high": values[-1]}
        exact = max(away) <= NO_DOLLARS and min(optimal) == 100  # noqa: PLR2004  (per cent)
        most_facts = {"exact": exact, "most": max(away), "most_at": values[most], "optimal": optimal[most] / 100}
        said.append(sentence("pictures.deviation", {**range_facts, **most_facts}))
    return " ".join(said)
