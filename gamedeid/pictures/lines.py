"""How both players fare under each policy as one of the stakes moves (wan2015, Figure 11)."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import dollars, money
from gamedeid.pictures.picture import Layer, Line, Mark, Panel, Picture
from gamedeid.pictures.scales import Scale, roomy
from gamedeid.pictures.styles import STAKES, style_of
from gamedeid.pictures.words import STAKE_WORDS, capital, legend_name, policy_name, stakes, table_along
from gamedeid.scenario.grid import StakeName

PLAYERS = {"publisher_payoff": "publisher's payoff", "adversary_payoff": "adversary's payoff"}
"""Measures of the two players, and their words."""

OF_BENEFIT = "per cent of the benefit V"
"""The unit of the publisher's payoff where the benefit itself is varied, and hides all else in dollars."""


def lines_picture(along: Mapping[StakeName, Mapping[str, Sequence[Any]]], chosen: Mapping[str, float]) -> Picture:
    """Draw the mean payoffs of both players along each stake, a line for each policy.

    Parameters
    ----------
    along : stake -> columns of a sweep in which it alone is varied: its own, ``policy``, ``publisher_payoff`` and
        ``adversary_payoff``, at least. The first policy is the one that the games are compared with.
    chosen : the scenario's own stakes by name, dollars; marked in each panel.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.
    """
    panels, tables = [], []
    for name, columns in along.items():
        series = {player: _series(columns, name, player) for player in PLAYERS}
        for player, words in PLAYERS.items():
            panels.append(_panel(name, words, series[player], chosen))
        tables.append(_rows(name, series))
    shown, left_out = table_along(tables, chosen)
    varied = ", ".join(STAKE_WORDS[name] for name in along)
    return Picture(
        kind="lines",
        title="Payoffs as the stakes move",
        caption=(
            "Mean payoff per record of the publisher (left) and the adversary (right) in dollars, "
            + (f"the publisher's in {OF_BENEFIT} where that is varied, " if "benefit" in along else "")
            + f"as one stake at a time is varied ({varied}); the dashed upright lines mark the chosen stakes: "
            f"{stakes(chosen)}." + left_out
        ),
        finding=" ".join(_finding(along, chosen)),
        table=shown,
        panels=tuple(panels),
        across=2,
    )


def _series(columns: Mapping[str, Sequence[Any]], name: str, measure: str) -> dict[str, dict[float, float]]:
    """Return policy -> value of the stake -> measure, the values rising."""
    series: dict[str, dict[float, float]] = {}
    rows = zip(columns["policy"], columns[name], columns[measure], strict=True)
    for policy, value, payoff in sorted(rows, key=lambda row: float(row[1])):
        series.setdefault(policy, {})[float(value)] = float(payoff)
    order = dict.fromkeys(columns["policy"])
    return {policy: series[policy] for policy in order}


def _panel(name: str, words: str, series: Mapping[str, Mapping[float, float]], chosen: Mapping[str, float]) -> Panel:
    values = list(next(iter(series.values())))
    of_benefit = name == "benefit" and words == PLAYERS["publisher_payoff"]
    first = next(iter(series))
    layers: list[Layer] = [Mark(name="chosen stakes", style=STAKES, x=chosen[name])]
    shown: list[float | None] = []
    for policy, line in series.items():
        y = [share_of(payoff, value) if of_benefit else payoff for value, payoff in line.items()]
        shown += y
        legend, said = legend_name(policy, first), policy_name(policy)
        layers.append(Line(name=legend, style=style_of(policy), x=list(line), y=y, marked=True, said=said))
    return Panel(
        title=f"{capital(words)} along the {name}",
        x=stake_scale(name, values),
        y=roomy(shown, OF_BENEFIT, "percent") if of_benefit else roomy(shown, f"{words} (dollars)", "dollars"),
        layers=tuple(layers),
    )


def share_of(payoff: float, benefit: float) -> float | None:
    """Return a payoff as a share of the benefit; None where there is no benefit."""
    return payoff / benefit if benefit else None


def stake_scale(name: str, values: Sequence[float]) -> Scale:
    """Return the axis along a stake's rising values: logarithmic where they are above 0 and their ratio is large."""
    low, high = values[0], values[-1]
    log = low > 0 and high / low >= 10  # noqa: PLR2004  (a decade)
    return Scale(
        label=f"{STAKE_WORDS[name]} (dollars)", log=log, limits=(low, high) if low < high else None, unit="dollars"
    )


def _rows(name: str, series: Mapping[str, Mapping[str, Mapping[float, float]]]) -> dict[str, list[Any]]:
    values = list(next(iter(next(iter(series.values())).values())))
    table: dict[str, list[Any]] = {"stake": [name] * len(values), "value (dollars)": values}
    for player, words in PLAYERS.items():
        for policy, line in series[player].items():
            table[f"{policy_name(policy)}: {words} (dollars)"] = list(line.values())
    return table


def _finding(along: Mapping[StakeName, Mapping[str, Sequence[Any]]], chosen: Mapping[str, float]) -> list[str]:
    sentences: list[str] = []
    for name, columns in along.items():
        series = _series(columns, name, "publisher_payoff")
        policy, *games = series
        if not sentences:
            here = {who: line.get(chosen[name]) for who, line in series.items()}
            known = {who: payoff for who, payoff in here.items() if payoff is not None}
            if known:
                paid = ", ".join(f"{policy_name(who)} {dollars(payoff)}" for who, payoff in known.items())
                sentences.append(f"At the chosen stakes the publisher's mean payoff per record is: {paid}.")
        best = max(games, key=lambda game: max(_leads(series, game, policy).values())) if games else None
        if best is None:
            continue
        leads = _leads(series, best, policy)
        most, least = max(leads, key=leads.__getitem__), min(leads, key=leads.__getitem__)
        if dollars(leads[most]) == dollars(leads[least]):
            sentences.append(
                f"As the {name} goes from {money(min(leads))} to {money(max(leads))}, {best} pays the publisher "
                f"{_difference(leads[most])} than {policy_name(policy)} at each of these values."
            )
            continue
        sentences.append(
            f"As the {name} goes from {money(min(leads))} to {money(max(leads))}, {best} pays the publisher "
            f"{_difference(leads[most])} than {policy_name(policy)} at the best of these values ({money(most)}) and "
            f"{_difference(leads[least])} at the worst ({money(least)})."
        )
    return sentences


def _leads(series: Mapping[str, Mapping[float, float]], game: str, policy: str) -> dict[float, float]:
    return {value: payoff - series[policy][value] for value, payoff in series[game].items()}


def _difference(amount: float) -> str:
    return f"{dollars(abs(amount))} {'more' if amount >= 0 else 'less'}"
