"""The expected results of the group games: every mechanism of a tiny world is tried.

A *mechanism* gives every distinct person a strategy, or withholds all people with these values. A *released group* is
a strategy, the values at it, and all people whom the mechanism puts there. This file does not use the package.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import log
from typing import Any, Literal

from oracles import Strategy, Values, World, information_loss, seen, strategy_graph, walk_order

AwareGame = Literal["aware-basic", "aware-no-attack"]
Weights = Literal["population", "records"]
Person = tuple[str | None, ...]
Group = tuple[object, ...]
Mechanism = dict[Person, Strategy | None]

# Sums of shares round: a rule that is missed by this much is met.
EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """A recipient who may get the release, knows how it was made, and knows every person's attributes."""

    probability: float
    gain: float
    cost: float
    loss: float

    def attacks(self, n: int) -> bool:
        """Return whether an attack on a group of n people pays."""
        return self.gain > self.cost * n


@dataclass(frozen=True, kw_only=True)
class GroupWorld:
    """One small question about groups.

    Parameters
    ----------
    world : the people and the stakes; every record matches a person of the population, and no value is missing.
    game : "aware-basic" or "aware-no-attack".
    planned_for : whose sum of payoffs is maximized.
    least : fewest released records of a group with any record (k); 1 is no rule.
    kept : column -> its value in each record.
    rules : column -> its rules, in the words of ``groups.kept`` of a scenario.
    recipients : they replace the one adversary of the world (default: none).
    """

    world: World
    game: AwareGame
    planned_for: Weights = "population"
    least: int = 1
    kept: dict[str, list[str]]
    rules: dict[str, dict[str, Any]]
    recipients: tuple[Recipient, ...] = ()

    def attackers(self, n: int) -> list[Recipient]:
        """Return the recipients who attack a group of n people."""
        world = self.world
        alone = Recipient(probability=1.0, gain=world.gain, cost=world.cost, loss=world.loss)
        return [one for one in self.recipients or (alone,) if one.attacks(n)]

    @cached_property
    def people(self) -> dict[Person, int]:
        """Values -> number of people with them; without a population, the records are the people."""
        found: Counter[Person] = Counter()
        for values, times in self.world.population or [(values, 1) for values in self.world.records]:
            found[tuple(values.values())] += times
        return {person: times for person, times in found.items() if times}

    @cached_property
    def rows(self) -> dict[Person, list[int]]:
        """Values of each person of the population -> numbers of the records with them."""
        found: dict[Person, list[int]] = {person: [] for person in self.people}
        for number, values in enumerate(self.world.records):
            found[tuple(values.values())].append(number)
        return found

    @cached_property
    def walk(self) -> list[Strategy]:
        """The strategies in walk order."""
        return walk_order(strategy_graph(self.world.heights))

    @cached_property
    def values(self) -> dict[tuple[Person, Strategy], float]:
        """v(g) of each person at each strategy, dollars."""
        return {
            (person, g): self.world.benefit * (1 - information_loss(replace(self.world, records=[named]), 0, g))
            for person in self.people
            for named in [self.named(person)]
            for g in self.walk
        }

    @cached_property
    def groups(self) -> dict[tuple[Person, Strategy], Group]:
        """The group that each person is in at each strategy."""
        return {(person, g): (g, *seen(self.world, self.named(person), g)) for person in self.people for g in self.walk}

    def named(self, person: Person) -> Values:
        """Return a person's values by attribute."""
        return dict(zip(self.world.ladders, person, strict=True))

    def weights(self, of: Weights) -> dict[Person, int]:
        """Return how often each person counts in the maximized sum."""
        return self.people if of == "population" else {person: len(rows) for person, rows in self.rows.items()}


def meets(rule: Mapping[str, Any], group: Sequence[str], everybody: Sequence[str]) -> bool:
    """Return whether the kept values of a group meet all rules of a column.

    Parameters
    ----------
    rule : the column's rules: distinct, entropy, recursive, and t with its distance and order.
    group, everybody : the column's values in the group's released records, and in all released records.
    """
    counts = sorted(Counter(group).values(), reverse=True)
    shares = [count / len(group) for count in counts]
    if "distinct" in rule and len(counts) < rule["distinct"]:
        return False
    if "entropy" in rule and -sum(p * log(p) for p in shares) < log(rule["entropy"]) - EQUAL:
        return False
    if "recursive" in rule:
        c, different = rule["recursive"]
        if not counts[0] < c * sum(counts[different - 1 :]):
            return False
    return "t" not in rule or distance(rule, group, everybody) <= rule["t"] + EQUAL


def distance(rule: Mapping[str, Any], group: Sequence[str], everybody: Sequence[str]) -> float:
    """Return the distance of the distribution in a group from that in all released records, 0 to 1.

    All values are equally far apart, or the released values are one step apart each, in the rule's order.
    """
    here, there = Counter(group), Counter(everybody)
    gaps = {one: here[one] / len(group) - there[one] / len(everybody) for one in there}
    if rule.get("distance", "equal") == "equal":
        return sum(map(abs, gaps.values())) / 2
    reached = total = 0.0
    for one in sorted(gaps, key=list(rule["order"]).index):
        reached += gaps[one]
        total += abs(reached)
    return total / max(len(gaps) - 1, 1)


def members(asked: GroupWorld, own: Mechanism) -> dict[Group, list[Person]]:
    """Return released group -> the people in it."""
    found: dict[Group, list[Person]] = {}
    for person in asked.people:
        if (strategy := own[person]) is not None:
            found.setdefault(asked.groups[person, strategy], []).append(person)
    return found


def faults(asked: GroupWorld, own: Mechanism) -> list[str]:
    """Return the reasons why a mechanism is not permitted; empty if it is."""
    found = members(asked, own)
    released = [row for inside in found.values() for person in inside for row in asked.rows[person]]
    wrong = []
    for group, inside in found.items():
        wrong += [f"{group}: {one}" for one in faults_of_group(asked, inside, released)]
    return wrong


def faults_of_group(asked: GroupWorld, inside: Sequence[Person], released: Sequence[int]) -> list[str]:
    """Return the rules that the people of one group break if these are all released records."""
    wrong = []
    n = sum(asked.people[person] for person in inside)
    if asked.game == "aware-no-attack" and asked.attackers(n):
        wrong.append(f"worth attacking among {n} people")
    rows = [row for person in inside for row in asked.rows[person]]
    if not rows:
        return wrong  # the group has no released record
    if len(rows) < asked.least:
        wrong.append(f"{len(rows)} records")
    for column, rule in asked.rules.items():
        values = asked.kept[column]
        if not meets(rule, [values[row] for row in rows], [values[row] for row in released]):
            wrong.append(f"{column} {rule}")
    return wrong


def worth(asked: GroupWorld, inside: Sequence[Person], strategy: Strategy, of: Weights) -> float:
    """Return a group's part of the sum: v of each person who counts, less their share of the loss by attacks."""
    weights = asked.weights(of)
    n = sum(asked.people[person] for person in inside)
    total = sum(weights[person] * asked.values[person, strategy] for person in inside)
    lost = sum(one.probability * one.loss for one in asked.attackers(n))
    return total - lost * sum(weights[person] for person in inside) / n


def mean_payoff(asked: GroupWorld, own: Mechanism, of: Weights) -> float:
    """Return the mean payoff of a mechanism against recipients who know it, dollars."""
    total = 0.0
    for inside in members(asked, own).values():
        strategy = own[inside[0]]
        assert strategy is not None
        total += worth(asked, inside, strategy, of)
    return total / sum(asked.weights(of).values())


def every_mechanism(asked: GroupWorld) -> Iterator[Mechanism]:
    """Return all mechanisms: withholding first, then the strategies in walk order."""
    for chosen in product([None, *asked.walk], repeat=len(asked.people)):
        yield dict(zip(asked.people, chosen, strict=True))


def best_of_all(asked: GroupWorld, of: Weights) -> float:
    """Return the greatest mean payoff of all permitted mechanisms, by trying each."""
    return max(mean_payoff(asked, own, of) for own in every_mechanism(asked) if not faults(asked, own))


def partitions(people: Sequence[Person]) -> Iterator[list[list[Person]]]:
    """Return all ways to divide people into sets."""
    if not people:
        yield []
        return
    first, *others = people
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            rest = [person for person in others if person not in chosen]
            for further in partitions(rest):
                yield [[first, *chosen], *further]


def best_by_groups(asked: GroupWorld, of: Weights) -> tuple[float, Mechanism]:
    """Return the same as :func:`best_of_all`, and the first mechanism that pays it, by dividing people into groups.

    Two sets of a division may form one group. The joined group meets every rule that each set meets, and loses no
    more, so no payoff is overestimated.
    """
    best, first = 0.0, dict.fromkeys(asked.people)
    weights = sum(asked.weights(of).values())
    everybody = list(asked.people)
    tie = EQUAL * asked.world.benefit
    for size in range(1, len(everybody) + 1):
        for chosen in combinations(everybody, size):
            released = [row for person in chosen for row in asked.rows[person]]
            known: dict[tuple[Person, ...], tuple[float, Strategy] | None] = {}
            for division in partitions(chosen):
                found = []
                for inside in map(tuple, division):
                    if inside not in known:
                        known[inside] = best_strategy(asked, inside, released, of)
                    if (one := known[inside]) is None:
                        break
                    found.append((inside, one))
                else:
                    total = sum(value for _, (value, _) in found) / weights
                    if total > best + tie:
                        best = total
                        first = dict.fromkeys(everybody)
                        first |= {person: strategy for inside, (_, strategy) in found for person in inside}
    return best, first


def best_strategy(
    asked: GroupWorld, inside: tuple[Person, ...], released: Sequence[int], of: Weights
) -> tuple[float, Strategy] | None:
    """Return the best strategy at which people form one group, and its worth; None if no group is permitted."""
    if faults_of_group(asked, inside, released):
        return None
    found = [
        (worth(asked, inside, g, of), g) for g in asked.walk if len({asked.groups[person, g] for person in inside}) == 1
    ]
    best = max((value for value, _ in found), default=None)
    if best is None:
        return None
    return best, next(g for value, g in found if value > best - EQUAL * asked.world.benefit)


def profits(asked: GroupWorld, prices: Mapping[Person, float], of: Weights) -> dict[Group, float]:
    """Return every group's profit: the greatest worth of its people, less their prices.

    Prices are dollars for each person, or record, that counts. All sets of people that the rules of size permit are
    tried; rules of kept values would only exclude some of them.
    """
    weights = asked.weights(of)
    by_size = replace(asked, rules={})
    found: dict[Group, float] = {}
    for strategy in asked.walk:
        inside: dict[Group, list[Person]] = {}
        for person in asked.people:
            inside.setdefault(asked.groups[person, strategy], []).append(person)
        for group, everybody in inside.items():
            sets = [some for size in range(1, len(everybody) + 1) for some in combinations(everybody, size)]
            found[group] = max(
                (
                    worth(asked, some, strategy, of) - sum(weights[person] * prices[person] for person in some)
                    for some in sets
                    if not faults_of_group(by_size, some, [])
                ),
                default=float("-inf"),
            )
    return found


def price_bound(asked: GroupWorld, prices: Mapping[Person, float], of: Weights) -> float:
    """Return D(u): an upper bound of every permitted mechanism's mean payoff, dollars, for any prices of 0 or more."""
    weights = asked.weights(of)
    paid = sum(weights[person] * prices[person] for person in asked.people)
    return (paid + sum(max(0.0, profit) for profit in profits(asked, prices, of).values())) / sum(weights.values())
