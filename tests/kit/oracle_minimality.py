"""What a recipient who knows how the release was made infers about kept values, by trying all kept values.

The recipient knows each person's attributes, the method and all its parameters, and sees the release: the kept values
of each group, in no order. The prior of each person's kept value is uniform and independent of the others.

``python tests/kit/oracle_minimality.py [WORLDS]`` prints, for each rule and method, how often the recipient infers
more than the groups show.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from group_worlds import LADDERS
from oracle_groups import Group, GroupWorld, Mechanism, best_by_groups, meets, members
from oracles import World

COLUMN = "illness"
Release = tuple[Any, ...]
Method = Callable[[GroupWorld], Mechanism]


def look(asked: GroupWorld) -> Mechanism:
    """Return the best mechanism whose groups meet the rules: it uses kept values."""
    return best_by_groups(asked, "records")[1]


def by_size(asked: GroupWorld) -> Mechanism:
    """Return the best mechanism whose groups are large enough: it uses no kept values."""
    return best_by_groups(replace(asked, rules={}), "records")[1]


def withhold_failing(asked: GroupWorld) -> Mechanism:
    """Return the groups by size, without those that break a rule."""
    own = by_size(asked)
    return own | dict.fromkeys(failing(asked, own))


def coarsen_failing(asked: GroupWorld) -> Mechanism:
    """Return the groups by size; those that break a rule become one most general group, or are withheld."""
    own = by_size(asked)
    own |= dict.fromkeys(failing(asked, own), asked.walk[-1])
    return own | dict.fromkeys(failing(asked, own))


def refuse(asked: GroupWorld) -> Mechanism:
    """Return the groups by size, or withhold everything if one of them breaks a rule."""
    own = by_size(asked)
    return dict.fromkeys(own) if failing(asked, own) else own


def raise_size(asked: GroupWorld) -> Mechanism:
    """Return the groups of the least size at which all meet the rules, or withhold everything without such a size."""
    for least in range(asked.least, len(asked.world.records) + 1):
        own = by_size(replace(asked, least=least))
        if not failing(asked, own):
            return own
    return dict.fromkeys(asked.people)


METHODS: dict[str, Method] = {
    "the best that keeps the rule": look,
    "by size, rule ignored": by_size,
    "by size, refused as a whole": refuse,
    "by size, failing groups withheld": withhold_failing,
    "by size, failing groups coarsened": coarsen_failing,
    "the least size that keeps the rule": raise_size,
}

RULES: dict[str, dict[str, Any]] = {
    "distinct 2": {"distinct": 2},
    "entropy 1.8": {"entropy": 1.8},
    "recursive (2, 2)": {"recursive": [2, 2]},
    "t 0.25": {"t": 0.25, "distance": "equal"},
}


def failing(asked: GroupWorld, own: Mechanism) -> list[tuple[str | None, ...]]:
    """Return the people in groups that break a rule; t is measured from all records, released or not."""
    found = []
    for inside in members(asked, own).values():
        rows = [asked.kept[COLUMN][row] for person in inside for row in asked.rows[person]]
        if not meets(asked.rules[COLUMN], rows, asked.kept[COLUMN]):
            found += inside
    return found


def shown(asked: GroupWorld, own: Mechanism) -> Release:
    """Return what the recipient sees: the groups, and the counts of the kept values in each."""
    groups = []
    for group, inside in members(asked, own).items():
        counts = Counter(asked.kept[COLUMN][row] for person in inside for row in asked.rows[person])
        groups.append((group, tuple(sorted(counts.items()))))
    return tuple(sorted(groups))


@dataclass(frozen=True, kw_only=True)
class Inferred:
    """What the recipient infers about one person, for one table of kept values.

    Parameters
    ----------
    posterior : chance of the person's likeliest value over all tables with the same release.
    frequency : share of the most frequent value of the person's group; 0 if withheld.
    different : number of different values in the group.
    named : chance of the likeliest owner of the person's row; 0 if withheld.
    people : number of people in the group; 0 if withheld.
    """

    posterior: float
    frequency: float
    different: int
    named: float
    people: int

    @property
    def released(self) -> bool:
        """Whether the person's row is released."""
        return self.people > 0


@dataclass(frozen=True)
class Played:
    """A method's release for one table of kept values: the group of each released row, and the rows in it."""

    table: tuple[str, ...]
    release: Release
    group: dict[int, Group]
    with_whom: dict[int, list[int]]

    def counts(self, row: int) -> Counter[str]:
        """Count the kept values in the group of a row; empty if it is withheld."""
        return Counter(self.table[other] for other in self.with_whom.get(row, []))


def inferences(asked: GroupWorld, method: Method, values: str) -> dict[tuple[str, ...], list[Inferred]]:
    """Return every table of kept values -> what the recipient infers about each person if it is the true one."""
    found = {}
    alike: dict[Release, list[Played]] = {}
    for one in every_table(asked, method, values):
        alike.setdefault(one.release, []).append(one)
    for same in alike.values():
        persons = range(len(asked.world.records))
        likeliest = [max(Counter(one.table[row] for one in same).values()) / len(same) for row in persons]
        # The recipient sees a row's group and kept value; its owner may be any person with both.
        owners: dict[object, list[float]] = {}
        for one in same:
            for row, group in one.group.items():
                of_all = owners.setdefault((group, one.table[row]), [0.0] * len(persons))
                of_all[row] += 1 / one.counts(row)[one.table[row]] / len(same)
        for one in same:
            found[one.table] = [
                Inferred(
                    posterior=likeliest[row],
                    frequency=max(counts.values()) / counts.total() if counts else 0.0,
                    different=len(counts),
                    named=max(owners[one.group[row], one.table[row]]) if counts else 0.0,
                    people=counts.total(),
                )
                for row in persons
                for counts in [one.counts(row)]
            ]
    return found


def every_table(asked: GroupWorld, method: Method, values: str) -> Iterator[Played]:
    """Yield the method's release for every table of kept values."""
    known: dict[object, Mechanism] = {}
    for table in product(values, repeat=len(asked.world.records)):
        question = replace(asked, kept={COLUMN: list(table)})
        # The method treats records with the same attributes alike, so their order does not matter.
        key = tuple(tuple(sorted(table[row] for row in rows)) for rows in question.rows.values())
        if key not in known:
            known[key] = method(question)
        group: dict[int, Group] = {}
        with_whom: dict[int, list[int]] = {}
        for name, inside in members(question, known[key]).items():
            rows = [row for person in inside for row in question.rows[person]]
            group |= dict.fromkeys(rows, name)
            with_whom |= dict.fromkeys(rows, rows)
        yield Played(table, shown(question, known[key]), group, with_whom)


def random_private_world(seed: int, rule: dict[str, Any], most: int = 6) -> GroupWorld:
    """Return a world of ``most`` - 2 to ``most`` persons of two to four kinds, who are their own population."""
    draw = random.Random(seed)  # noqa: S311
    ladders = {name: draw.choice(LADDERS[draw.choice([2, 3])]) for name in "ab"}
    kinds = draw.sample([{"a": a[0], "b": b[0]} for a in ladders["a"] for b in ladders["b"]], draw.randint(2, 4))
    persons = kinds + draw.choices(kinds, k=draw.randint(most - 2, most) - len(kinds))
    return private_world(ladders, persons, rule, weights={"a": 1.0, "b": draw.choice([1.0, 2.0, 0.5])}, least=2)


def private_world(
    ladders: dict[str, list[list[str]]],
    persons: list[Any],
    rule: dict[str, Any],
    *,
    weights: Any = None,
    least: int = 1,
) -> GroupWorld:
    """Return a question whose groups have rules of size and kept values only."""
    return GroupWorld(
        world=World(
            ladders=ladders,
            weights=weights or dict.fromkeys(ladders, 1.0),
            records=persons,
            benefit=100.0,
            loss=1.0,
            gain=1.0,
            cost=2.0,
        ),
        game="aware-basic",
        least=least,
        kept={COLUMN: []},
        rules={COLUMN: rule},
    )


@dataclass(kw_only=True)
class Tally:
    """Counts of inferences beyond what the groups show: worlds, and persons over all tables of kept values."""

    worlds: int = 0
    leaking: int = 0
    persons: int = 0
    released: int = 0
    more: int = 0
    certain: int = 0
    named: int = 0
    withheld_more: int = 0

    def add(self, found: list[Inferred], values: int) -> None:
        """Count the inferences of one world."""
        seen = [one for one in found if one.released]
        more = [one for one in seen if one.posterior > one.frequency + 1e-9]
        self.worlds += 1
        self.leaking += bool(more)
        self.persons += len(found)
        self.released += len(seen)
        self.more += len(more)
        self.certain += sum(one.posterior > 1 - 1e-9 and one.different > 1 for one in seen)
        self.named += sum(one.named > 1 / one.people + 1e-9 for one in seen)
        self.withheld_more += sum(one.posterior > 1 / values + 1e-9 for one in found if not one.released)

    def line(self) -> str:
        """Return shares: leaking worlds; released; of the released: more, certain, named; of the withheld: more."""
        released, withheld = max(self.released, 1), max(self.persons - self.released, 1)
        return (
            f"{self.leaking / self.worlds:9.1%}{self.released / self.persons:9.1%}{self.more / released:9.2%}"
            f"{self.certain / released:9.2%}{self.named / released:9.2%}{self.withheld_more / withheld:9.1%}\n"
        )


def tallied(rule: dict[str, Any], method: Method, worlds: int, most: int = 6) -> Tally:
    """Return the counts over random worlds of at most ``most`` persons."""
    tally = Tally()
    for seed in range(worlds):
        everything = inferences(random_private_world(seed, rule, most), method, "hf")
        tally.add([one for persons in everything.values() for one in persons], 2)
    return tally


def main(worlds: int = 200) -> None:
    """Print the tables of the page on groups."""
    show = sys.stdout.write
    show(f"{'':54}{'leaking':>9}{'released':>9}{'more':>9}{'certain':>9}{'named':>9}{'withheld':>9}\n")
    for name, rule in RULES.items():
        for title, method in METHODS.items():
            show(f"{name:18}{title:36}{tallied(rule, method, worlds).line()}")
    for most in (4, 6, 8, 10):
        show(f"{'distinct 2':18}{f'the best, {most} persons at most':36}")
        show(tallied(RULES["distinct 2"], look, worlds, most).line())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
