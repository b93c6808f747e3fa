"""The expected results within limits on the whole dataset: all combinations of all profiles' strategies."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from oracle_recipients import PlainRecipient, attack, matching, outcome_at, permitted_outcomes
from oracles import (
    SAME,
    Game,
    Outcome,
    Strategy,
    World,
    at_top_where_missing,
    information_loss,
    permitted,
    release,
    seen,
    strategy_graph,
    walk_order,
    withhold,
)

Combinations = dict[str, NDArray[np.float64]]

SUMMED = ("total", "reidentifications", "attacks", "lost")


def limited_world(seed: int, *, most: int = 5) -> World:
    """Draw a world of at most ``most`` profiles without missing values, in which some attacks pay."""
    draw = random.Random(seed)  # noqa: S311  (the same worlds in every run)
    ladders = {
        "a": [["p", "pq", "*"], ["q", "pq", "*"], ["r", "rs", "*"], ["s", "rs", "*"]],
        "b": [["x", "*"], ["y", "*"], ["z", "*"]],
    }
    values = [{"a": a, "b": b} for a, b in product("pqrs", "xyz")]
    people = [(one, draw.choice([1, 1, 2, 3, 5, 9])) for one in values]
    kinds = draw.sample(values, draw.randint(1, most))
    records = [dict(one) for one in kinds for _ in range(draw.choice([1, 1, 1, 2, 4]))]
    floor = {"a": draw.randint(0, 1), "b": draw.randint(0, 1)}
    return World(
        ladders=ladders,
        weights={"a": draw.choice([1.0, 0.5, 2.0]), "b": 1.0},
        records=records,
        population=people,
        benefit=draw.choice([100.0, 90.0]),
        loss=draw.choice([40.0, 90.0, 300.0]),
        gain=draw.choice([40.0, 90.0]),
        cost=draw.choice([4.0, 9.5, 20.0]),
        floors=[floor for _ in records],
    )


def options(world: World, record: int, game: Game) -> list[Outcome]:
    """Return the possible outcomes of a record: each permitted strategy, and withholding."""
    strategies = walk_order(strategy_graph(world.heights))
    open_to_it = [one for one in strategies if permitted(world, record, game, one)]
    return [release(world, record, one, searched=0) for one in open_to_it] + [withhold(searched=0)]


def kinds_of(world: World) -> list[list[int]]:
    """Return the records of each kind: those with the same values."""
    kinds: dict[tuple[tuple[str, str | None], ...], list[int]] = {}
    for record, values in enumerate(world.records):
        kinds.setdefault(tuple(values.items()), []).append(record)
    return list(kinds.values())


def combinations(world: World, game: Game) -> Combinations:
    """Return the totals of all combinations, (c,) each: one option for all records with the same values.

    The highest risk is over all released records, attacked or not.
    """
    sums = {name: np.zeros(1) for name in ("total", "reidentifications", "attacks", "gained", "lost", "risk")}
    for records in kinds_of(world):
        times = len(records)
        rows = {
            (
                times * one.publisher_payoff,
                times * one.success_probability * one.attacked,
                times * float(one.attacked),
                times * one.adversary_payoff,
                times * one.information_loss,
                one.success_probability,
            )
            for one in options(world, records[0], game)
        }
        table = np.array(sorted(rows))
        for place, name in enumerate(sums):
            how = np.maximum if name == "risk" else np.add
            sums[name] = how.outer(sums[name], table[:, place]).ravel()
    return sums


def drawn_recipients(draw: random.Random) -> list[PlainRecipient]:
    """Draw two or three recipients; sometimes one may learn something, and one attacks at no cost."""
    known = draw.sample([{"a": 0, "b": 0}, {"a": 1, "b": 0}, {"b": 0}, {"a": 0}], draw.choice([2, 2, 3]))
    recipients = [
        PlainRecipient(
            probability=draw.choice([1.0, 0.5, 0.1]),
            gain=draw.choice([40.0, 90.0]),
            cost=draw.choice([4.0, 9.5, 20.0]),
            loss=draw.choice([40.0, 90.0, 300.0]),
            covers=draw.choice([1.0, 1.0, 0.5]),
            known=one,
        )
        for one in known
    ]
    if draw.random() < 0.3:
        recipients[0] = replace(recipients[0], cost=0.0, probability=0.01)
    if draw.random() < 0.3:
        recipients[1] = replace(recipients[1], learns=0.25, further={"a": 0, "b": 0})
    return recipients


def gain_of_recipient(world: World, recipient: PlainRecipient, record: int, strategy: Strategy) -> float:
    """Return a recipient's expected payoff from a record, if the recipient exists."""
    return sum(
        chance * attack(recipient, matching(world, recipient, record, strategy, known))[2]
        for chance, known in recipient.knowledge()
    )


def risk_of_all(world: World, recipients: list[PlainRecipient], record: int, strategy: Strategy) -> float:
    """Return the expected re-identifications of a record if all recipients attack it at any cost."""
    eager = [replace(recipient, cost=0.0, gain=1.0) for recipient in recipients]
    return outcome_at(world, eager, record, strategy)[0].reidentifications


def combinations_for(world: World, recipients: list[PlainRecipient], game: Game) -> Combinations:
    """Return the totals of all combinations against recipients, (c,) each; ``gained`` is the most that one gains."""
    buyers = [recipient for recipient in recipients if recipient.cost > 0]
    sums, risk = np.zeros((1, len(SUMMED) + len(buyers))), np.zeros(1)
    for records in kinds_of(world):
        first, times = records[0], len(records)
        rows = [[0.0, 0.0, 0.0, 1.0, *[0.0] * len(buyers), 0.0]]
        for one in permitted_outcomes(world, recipients, first, game):
            assert one.strategy is not None
            gains = [gain_of_recipient(world, recipient, first, one.strategy) for recipient in buyers]
            lost = information_loss(world, first, one.strategy)
            own = risk_of_all(world, recipients, first, one.strategy)
            rows.append([one.publisher_payoff, one.reidentifications, float(one.attacked), lost, *gains, own])
        table = np.unique(np.array(rows), axis=0)
        sums = (sums[:, None] + times * table[None, :, :-1]).reshape(-1, sums.shape[1])
        risk = np.maximum(risk[:, None], table[None, :, -1]).ravel()
    found = dict(zip(SUMMED, sums.T, strict=False))
    gained = sums[:, len(SUMMED) :].max(axis=1) if buyers else np.zeros(len(sums))
    return found | {"gained": gained, "risk": risk}


def best_within(world: World, found: Combinations, limits: dict[str, float]) -> float | None:
    """Return the greatest total payoff of the combinations within limits; None without any."""
    records, near = len(world.records), 1e-9
    within = np.ones(len(found["total"]), bool)
    reached = {
        "expected_reidentifications": found["reidentifications"],
        "attacked": found["attacks"] / records,
        "list_price": found["gained"],
        "information_loss": found["lost"] / records,
        "record_risk": found["risk"],
    }
    for name, limit in limits.items():
        if name == "publisher_payoff":
            within &= found["total"] / records >= limit - near * world.benefit
        else:
            within &= reached[name] <= limit + near * max(limit, 1.0)
    return float(found["total"][within].max()) if within.any() else None


def best_in_cells(world: World, game: Game, limits: dict[str, float], least: int) -> float | None:
    """Return the greatest total payoff of all combinations within limits in which every cell has enough records.

    A cell is a strategy and the values released at it. None if no combination is within the limits.
    """
    best, kinds = None, kinds_of(world)
    for chosen in product(*(options(world, records[0], game) for records in kinds)):
        held: Counter[tuple[object, ...]] = Counter()
        for one, records in zip(chosen, kinds, strict=True):
            if not one.withheld:
                held[one.strategy, shown(world, records[0], one.strategy)] += len(records)
        times = [len(records) for records in kinds]
        total = sum(count * one.publisher_payoff for count, one in zip(times, chosen, strict=True))
        if (best is None or total > best) and min(held.values(), default=least) >= least:
            sums = {
                "total": total,
                "reidentifications": sum(
                    n * one.success_probability * one.attacked for n, one in zip(times, chosen, strict=True)
                ),
                "attacks": sum(n * one.attacked for n, one in zip(times, chosen, strict=True)),
                "gained": sum(n * one.adversary_payoff for n, one in zip(times, chosen, strict=True)),
                "lost": sum(n * one.information_loss for n, one in zip(times, chosen, strict=True)),
                "risk": max(one.success_probability for one in chosen),
            }
            if best_within(world, {name: np.array([float(value)]) for name, value in sums.items()}, limits) is not None:
                best = total
    return best


def efficient(options: list[Outcome]) -> list[Outcome]:
    """Return the attacked options that are not dominated, the unattacked ones that lose the least, and withholding."""
    released = [one for one in options if not one.withheld]

    def is_dominated(one: Outcome) -> bool:
        mine = (one.information_loss, one.success_probability)
        others = [(other.information_loss, other.success_probability) for other in released]
        return any(other[0] <= mine[0] and other[1] <= mine[1] and other != mine for other in others)

    least = min((one.information_loss for one in released if not one.attacked), default=0.0)
    return [
        one
        for one in options
        if one.withheld or (not is_dominated(one) if one.attacked else one.information_loss <= least + SAME)
    ]


def differences(outcomes: Sequence[Outcome], groups: Sequence[int]) -> dict[str, float]:
    """Return the greatest mean of a group of records less the smallest, under the names of the limits on groups."""
    lost, attacked = [], []
    for group in set(groups):
        inside = [one for one, own in zip(outcomes, groups, strict=True) if own == group]
        lost.append(sum(one.information_loss for one in inside) / len(inside))
        attacked.append(sum(one.attacked for one in inside) / len(inside))
    return {"groups.information_loss": max(lost) - min(lost), "groups.attacked": max(attacked) - min(attacked)}


def best_between_groups(
    world: World,
    game: Game,
    groups: Sequence[int],
    limits: dict[str, float],
    open_to: Callable[[list[Outcome]], list[Outcome]],
) -> float | None:
    """Return the greatest total payoff of all combinations within limits of groups, and on the mean payoff.

    Parameters
    ----------
    groups : the group of each record.
    limits : as `differences` names them, and ``publisher_payoff``.
    open_to : selects the options that are tried.
    """
    kinds, best = kinds_of(world), None
    for chosen in product(*(open_to(options(world, records[0], game)) for records in kinds)):
        outcomes = [withhold(searched=0)] * len(world.records)
        for one, records in zip(chosen, kinds, strict=True):
            for record in records:
                outcomes[record] = one
        total = sum(one.publisher_payoff for one in outcomes)
        reached = differences(outcomes, groups)
        enough = total / len(outcomes) >= limits.get("publisher_payoff", 0.0) - SAME * world.benefit
        if enough and all(reached[name] <= limits.get(name, 1.0) + SAME for name in reached):
            best = total if best is None else max(best, total)
    return best


def shown(world: World, record: int, strategy: tuple[int, ...]) -> tuple[str | None, ...]:
    """Return the published labels of a record at a strategy."""
    return tuple(seen(world, world.records[record], strategy))


def uniform_outcomes(
    world: World, game: Game, strategy: Strategy, records: list[int], *, risk: float = 1.0, cell: int = 1
) -> list[Outcome]:
    """Return the outcomes of records that all get one strategy; records that may not be released at it are withheld."""
    near, found = 1e-9, dict.fromkeys(records, withhold(searched=0))
    for record in records:
        own = at_top_where_missing(world, record, strategy)
        if permitted(world, record, game, own):
            one = release(world, record, own, searched=0)
            if one.publisher_payoff > -near * world.benefit and one.success_probability <= risk + near:
                found[record] = one
    cells = {
        record: (one.strategy, shown(world, record, one.strategy)) for record, one in found.items() if one.strategy
    }
    sizes = Counter(cells.values())
    return [
        withhold(searched=0) if record in cells and sizes[cells[record]] < cell else one
        for record, one in found.items()
    ]


def first_uniform(world: World, game: Game, records: list[int], *, risk: float = 1.0, cell: int = 1) -> list[Outcome]:
    """Return the outcomes of records at the first of the best strategies for all of them, by trying every strategy.

    Sums are equal if they differ by no more than the tie of one record, times the records of the world.
    """
    tried = [
        uniform_outcomes(world, game, strategy, records, risk=risk, cell=cell)
        for strategy in walk_order(strategy_graph(world.heights))
    ]
    totals = [sum(one.publisher_payoff for one in outcomes) for outcomes in tried]
    equal = SAME * world.benefit * len(world.records)
    return next(one for one, total in zip(tried, totals, strict=True) if total >= max(totals) - equal)


def best_uniform(
    world: World,
    game: Game,
    groups: list[list[int]],
    *,
    most: float,
    risk: float = 1.0,
    cell: int = 1,
    fits: Callable[[list[Outcome]], bool] = bool,
) -> float:
    """Return the greatest total payoff of one strategy, or withholding, for each group of records.

    At most so many re-identifications may be expected, and the outcomes of those that have a strategy must fit.
    """
    best = [0.0]
    strategies = walk_order(strategy_graph(world.heights))
    for chosen in product([*strategies, None], repeat=len(groups)):
        outcomes: list[Outcome] = []
        for strategy, records in zip(chosen, groups, strict=True):
            if strategy is not None:
                outcomes += uniform_outcomes(world, game, strategy, records, risk=risk, cell=cell)
        few = sum(one.success_probability for one in outcomes if one.attacked) <= most + 1e-9
        if few and (not outcomes or fits(outcomes)):
            best.append(sum(one.publisher_payoff for one in outcomes))
    return max(best)
