"""The oracle: the games played slowly, one record, one strategy and one person at a time."""

from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import log
from typing import Literal

import networkx as nx

Game = Literal["basic", "no-attack", "sh-friendly"]
Strategy = tuple[int, ...]
Values = dict[str, str | None]
GAMES: tuple[Game, ...] = ("basic", "no-attack", "sh-friendly")

# Payoffs that differ by less than this share of the benefit are equal: sums of logarithms round.
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One small question: the records, the population around them, and the stakes."""

    ladders: dict[str, list[list[str]]]  # attribute -> a row of labels for each leaf, level 0 first, `*` last
    weights: dict[str, float]
    records: list[Values]  # None: the value is missing
    population: list[tuple[Values, int]] | None = None  # None: the records are the population
    benefit: float
    loss: float
    gain: float
    cost: float
    unmatched: Literal["error", "unique", "safe"] = "error"
    floors: list[dict[str, int]] = field(default_factory=list)  # of each record: attribute -> least level, else 0

    def __post_init__(self) -> None:
        """Set empty floors if none are given."""
        if not self.floors:
            object.__setattr__(self, "floors", [{} for _ in self.records])

    @property
    def heights(self) -> Strategy:
        """Number of levels of each attribute."""
        return tuple(len(rows[0]) for rows in self.ladders.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What happens to one record."""

    strategy: Strategy | None  # None: withheld
    withheld: bool
    attacked: bool
    publisher_payoff: float
    adversary_payoff: float
    information_loss: float
    generalization_intensity: float
    success_probability: float
    searched: int


@cache  # used for every record, never changed
def strategy_graph(heights: Strategy) -> nx.DiGraph:
    """Return all strategies, each with an edge to those that generalize one attribute by one level."""
    graph = nx.DiGraph()
    for strategy in product(*(range(height) for height in heights)):
        graph.add_node(strategy)
        for attribute, height in enumerate(heights):
            if strategy[attribute] + 1 < height:
                child = (*strategy[:attribute], strategy[attribute] + 1, *strategy[attribute + 1 :])
                graph.add_edge(strategy, child)
    return graph


def walk_order(graph: nx.DiGraph) -> list[Strategy]:
    """Return the strategies in the order in which they are tried: by sum of levels, then by the levels."""
    return sorted(graph.nodes, key=lambda strategy: (sum(strategy), strategy))


def label(rows: list[list[str]], value: str | None, level: int) -> str | None:
    """Return the label of a value at a level; None for a missing value, except at the top, where all are `*`."""
    if level == len(rows[0]) - 1:
        return rows[0][level]
    for row in rows:
        if row[0] == value:
            return row[level]
    return None


def seen(world: World, values: Values, strategy: Strategy) -> list[str | None]:
    """Return the labels of a person's values at a strategy, attribute by attribute."""
    ladders = zip(world.ladders.items(), strategy, strict=True)
    return [label(rows, values[attribute], level) for (attribute, rows), level in ladders]


def people(world: World, record: int, strategy: Strategy) -> int:
    """Count the people who could be the released record (n_p)."""
    population = [(values, 1) for values in world.records] if world.population is None else world.population
    released = seen(world, world.records[record], strategy)
    if None in released:
        raise ValueError(f"record {record} at {strategy}: a missing value can only be released as *")
    matching = sum(times for person, times in population if seen(world, person, strategy) == released)
    if matching == 0 and world.unmatched == "error":
        raise ValueError(f"record {record} at {strategy} matches nobody")
    if matching == 0 and world.unmatched == "unique":
        return 1
    return matching


def information_loss(world: World, record: int, strategy: Strategy) -> float:
    """Return IL: weighted log sizes of the released groups, as a share of those of the whole domains."""
    lost = most = 0.0
    for (attribute, rows), level in zip(world.ladders.items(), strategy, strict=True):
        released = label(rows, world.records[record][attribute], level)
        size = sum(1 for row in rows if row[level] == released)
        lost += world.weights[attribute] * log(size)
        most += world.weights[attribute] * log(len(rows))
    return lost / most


def generalization_intensity(world: World, strategy: Strategy) -> float:
    """Return GI: the levels above 0, as a share of those of the most general strategy."""
    return sum(strategy) / (sum(world.heights) - len(world.heights))


def adversary_attacks(world: World, matching: int) -> bool:
    """Return whether an attack pays; an indifferent adversary, or one without a match, does not attack."""
    return matching > 0 and world.gain > world.cost * matching


def success_probability(matching: int) -> float:
    """Return pi: the chance that the adversary picks the right person."""
    return 1 / matching if matching > 0 else 0.0


def payoff_if_attacked(world: World, record: int, strategy: Strategy) -> float:
    """Return v - L pi, the payoff if the record is attacked."""
    value = world.benefit * (1 - information_loss(world, record, strategy))
    return value - world.loss * success_probability(people(world, record, strategy))


def publisher_payoff(world: World, record: int, strategy: Strategy) -> float:
    """Return the publisher's payoff if the adversary plays a best reply."""
    return release(world, record, strategy, searched=1).publisher_payoff


def start(world: World, record: int, game: Game) -> Strategy:
    """Return the least general strategy to try: missing values as `*`, in sh-friendly the floor."""
    levels = []
    for attribute, rows in world.ladders.items():
        if world.records[record][attribute] is None:
            levels.append(len(rows[0]) - 1)
        elif game == "sh-friendly":
            levels.append(world.floors[record].get(attribute, 0))
        else:
            levels.append(0)
    return tuple(levels)


def at_top_where_missing(world: World, record: int, strategy: Strategy) -> Strategy:
    """Return a strategy with the top level for each value that the record lacks."""
    values = world.records[record].values()
    levels = zip(strategy, world.heights, values, strict=True)
    return tuple(height - 1 if value is None else level for level, height, value in levels)


def permitted(world: World, record: int, game: Game, strategy: Strategy) -> bool:
    """Return whether the game permits the strategy."""
    if any(level < least for level, least in zip(strategy, start(world, record, game), strict=True)):
        return False
    return game != "no-attack" or not adversary_attacks(world, people(world, record, strategy))


def release(world: World, record: int, strategy: Strategy, *, searched: int) -> Outcome:
    """Return what happens when the record is released at the strategy."""
    return release_among(world, record, strategy, people(world, record, strategy), searched=searched)


def release_among(world: World, record: int, strategy: Strategy, matching: int, *, searched: int) -> Outcome:
    """Return what happens when the record is released at the strategy and ``matching`` people match it."""
    attacked, lost = adversary_attacks(world, matching), information_loss(world, record, strategy)
    value, success = world.benefit * (1 - lost), success_probability(matching)
    return Outcome(
        strategy=strategy,
        withheld=False,
        attacked=attacked,
        publisher_payoff=value - world.loss * success if attacked else value,
        adversary_payoff=world.gain * success - world.cost if attacked else 0.0,
        information_loss=lost,
        generalization_intensity=generalization_intensity(world, strategy),
        success_probability=success,
        searched=searched,
    )


def withhold(*, searched: int) -> Outcome:
    """Return what happens when the record is not released."""
    return Outcome(
        strategy=None,
        withheld=True,
        attacked=False,
        publisher_payoff=0.0,
        adversary_payoff=0.0,
        information_loss=1.0,
        generalization_intensity=1.0,
        success_probability=0.0,
        searched=searched,
    )


def algorithm_1(world: World, record: int, game: Game) -> Outcome:
    """Try every strategy at or above the start and take the best permitted, the first of equals (wan2015, Table 4)."""
    least = start(world, record, game)
    tried = [s for s in walk_order(strategy_graph(world.heights)) if all(a >= b for a, b in zip(s, least, strict=True))]
    payoffs = {s: publisher_payoff(world, record, s) for s in tried if permitted(world, record, game, s)}
    tie = SAME * world.benefit
    if not payoffs or max(payoffs.values()) < -tie:
        return withhold(searched=len(tried))
    best = max(payoffs.values())
    first = next(s for s, payoff in payoffs.items() if payoff > best - tie)
    return release(world, record, first, searched=len(tried))


def algorithm_2(world: World, record: int, game: Game) -> Outcome:
    """Climb to the best child, the last of equals, while it is as good and attacks go on (wan2015, Table 5)."""
    graph = strategy_graph(world.heights)
    tie = SAME * world.benefit
    here = start(world, record, game)
    searched = 1
    while adversary_attacks(world, people(world, record, here)):
        children = {child: payoff_if_attacked(world, record, child) for child in graph.successors(here)}
        searched += len(children)
        best = max([payoff_if_attacked(world, record, here), *children.values()])
        as_good = [child for child, payoff in children.items() if payoff > best - tie]
        if not as_good and game == "no-attack" and children:
            best_child = max(children.values())
            as_good = [child for child, payoff in children.items() if payoff > best_child - tie]
        if not as_good:
            break
        here = as_good[-1]
    outcome = release(world, record, here, searched=searched)
    if not permitted(world, record, game, here) or outcome.publisher_payoff < -tie:
        return withhold(searched=searched)
    return outcome


def policy_outcome(world: World, record: int) -> Outcome:
    """Release the record at its floor: no choice, no withholding."""
    return release(world, record, start(world, record, "sh-friendly"), searched=1)


def measures(outcomes: list[Outcome]) -> dict[str, float]:
    """Return the measures of a whole release, one name each, over all its records."""
    records = len(outcomes)
    found = [outcome.success_probability for outcome in outcomes if outcome.attacked]
    unmatched = sum(not outcome.withheld and outcome.success_probability == 0 for outcome in outcomes)
    return {
        "publisher_payoff": sum(outcome.publisher_payoff for outcome in outcomes) / records,
        "adversary_payoff": sum(outcome.adversary_payoff for outcome in outcomes) / records,
        "suppressed": sum(outcome.generalization_intensity == 1 for outcome in outcomes) / records,
        "unmodified": sum(outcome.generalization_intensity == 0 for outcome in outcomes) / records,
        "withheld": sum(outcome.withheld for outcome in outcomes) / records,
        "generalization_intensity": sum(outcome.generalization_intensity for outcome in outcomes) / records,
        "attacked": len(found) / records,
        "reidentification_probability": sum(found) / records,
        "reidentification_probability_attacked": sum(found) / len(found) if found else 0.0,
        "expected_reidentifications": sum(found),
        "unmatched": unmatched / records,
        "unmatched_records": unmatched,
        "records": records,
    }
