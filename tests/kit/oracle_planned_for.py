"""What a recipient who knows the population and how the release was made infers about who has a record.

A priori, all sets of this many people are equally likely to be the records. The recipient sees the number of rows in
each group, and finds the sets that lead to this release.

``python tests/kit/oracle_planned_for.py [WORLDS]`` prints how often rows of the game aware-no-attack are worth an
attack.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from group_worlds import LADDERS
from oracle_groups import Group, GroupWorld, Mechanism, best_by_groups, members
from oracles import Values, World

PLANS: dict[str, dict[str, Any]] = {
    "the population": {"planned_for": "population"},
    "the records": {"planned_for": "records"},
    "the population, k = 2": {"planned_for": "population", "least": 2},
}


@dataclass(frozen=True, kw_only=True)
class Named:
    """A released row: the chance of the likeliest person, the people in its group, and whether an attack pays."""

    chance: float
    people: int
    worth_attacking: bool


def rows_named(asked: GroupWorld, everybody: list[Values], records: int) -> Iterator[Named]:
    """Return what the recipient infers about each released row, for each set of ``records`` people."""
    known: dict[object, Mechanism] = {}
    alike: dict[object, list[dict[int, Group]]] = {}
    sizes: dict[object, dict[Group, int]] = {}
    for chosen in combinations(range(len(everybody)), records):
        question = replace(asked, world=replace(asked.world, records=[everybody[one] for one in chosen]))
        key = tuple(len(rows) for rows in question.rows.values())
        if key not in known:
            known[key] = best_by_groups(question, question.planned_for)[1]
        inside = members(question, known[key])
        group_of = {person: group for group, persons in inside.items() for person in persons}
        found = {one: group_of[values] for one in chosen if (values := tuple(everybody[one].values())) in group_of}
        release = tuple(sorted(Counter(found.values()).items()))
        alike.setdefault(release, []).append(found)
        # Several mechanisms may lead to the same release: the largest of their groups is the most that may be claimed.
        people = {group: sum(question.people[person] for person in persons) for group, persons in inside.items()}
        most = sizes.setdefault(release, {})
        most |= {group: max(people[group], most.get(group, 0)) for group in people}
    for release, same in alike.items():
        rows = Counter(same[0].values())
        for group, times in rows.items():
            owners = Counter(one for found in same for one in found if found[one] == group)
            chance = max(owners.values()) / times / len(same)
            world = asked.world
            worth = world.gain * chance > world.cost + 1e-9
            one = Named(chance=chance, people=sizes[release][group], worth_attacking=worth)
            for _ in range(times * len(same)):
                yield one


def random_village(seed: int) -> tuple[GroupWorld, list[Values], int]:
    """Return four to eight people of two to four kinds, and how many of them have records, one to three."""
    draw = random.Random(seed)  # noqa: S311
    ladders = {name: draw.choice(LADDERS[draw.choice([2, 3])]) for name in "ab"}
    kinds = draw.sample([{"a": a[0], "b": b[0]} for a in ladders["a"] for b in ladders["b"]], draw.randint(2, 4))
    everybody: list[Values] = [*kinds, *draw.choices(kinds, k=draw.randint(4, 8) - len(kinds))]
    return village(ladders, everybody, cost=draw.choice([15.0, 20.0])), everybody, draw.randint(1, 3)


def village(ladders: dict[str, list[list[str]]], everybody: list[Values], *, cost: float = 20.0) -> GroupWorld:
    """Return a question about these people, without records yet."""
    counts = Counter(tuple(values.values()) for values in everybody)
    return GroupWorld(
        world=World(
            ladders=ladders,
            weights=dict.fromkeys(ladders, 1.0),
            records=[],
            population=[(dict(zip(ladders, person, strict=True)), times) for person, times in counts.items()],
            benefit=100.0,
            loss=40.0,
            gain=40.0,
            cost=cost,
        ),
        game="aware-no-attack",
        kept={},
        rules={},
    )


def main(worlds: int = 200) -> None:
    """Print the table of the page on groups."""
    for title, plan in PLANS.items():
        rows: list[Named] = []
        attacked = 0
        for seed in range(worlds):
            asked, everybody, records = random_village(seed)
            found = list(rows_named(replace(asked, **plan), everybody, records))
            attacked += any(one.worth_attacking for one in found)
            rows += found
        better = sum(one.chance > 1 / one.people + 1e-9 for one in rows) / len(rows)
        worth = sum(one.worth_attacking for one in rows) / len(rows)
        sys.stdout.write(f"{title:24}{attacked / worlds:9.1%}{better:9.1%}{worth:9.1%}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
