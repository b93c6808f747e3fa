"""Extracts of people who come, go and change, their releases, and a plain count of who matches all rows of a person."""

import random
from pathlib import Path

import pandas as pd

import gamedeid
from gamedeid import Hierarchy, Scenario

AGE = Hierarchy.intervals(0, 11, [2, 4, 12], name="age", role="age")  # the group of all ages is not yet the top
SEX = Hierarchy.from_rows([["F", "*"], ["M", "*"]], name="sex", role="other")
ZIP = Hierarchy.prefixes(["00", "01", "10", "11"], length=2, name="zip", role="other")
HIERARCHIES = {"age": AGE, "sex": SEX, "zip": ZIP}

Person = dict[str, str | None]
Row = tuple[dict[str, str], dict[str, int]]
"""Text and level of each attribute in a release."""

AFTER = {"releases": ["release 0"], "key": "id"}
"""Section of a scenario: the recipient has the first release."""


def drawn_person(draw: random.Random, *, missing: float) -> Person:
    return {name: None if draw.random() < missing else draw.choice(one.leaves) for name, one in HIERARCHIES.items()}


class World:
    """Extracts of people who come, go and change, with or without a population."""

    def __init__(self, seed: int, folder: Path, *, own: bool) -> None:
        self.draw, self.folder, self.own = random.Random(seed), folder, own  # noqa: S311  (a world, not a secret)
        self.missing = self.draw.choice([0.0, 0.15])
        self.gaps = random.Random(seed).choices(["*", "missing"] if own else ["*"], k=3)  # noqa: S311
        """How a missing value is released, by the number of the extract."""
        everybody = [drawn_person(self.draw, missing=0) for _ in range(self.draw.randint(12, 60))]
        self.people = [*everybody, *self.draw.choices(everybody, k=20)]
        self.rise = self.draw.choice([0, 0, 1, 2])
        self.extracts: list[dict[str, Person]] = []
        present = {f"p{number}": dict(person) for number, person in enumerate(self.draw.sample(self.people, 12))}
        for _ in range(self.draw.choice([2, 2, 3])):
            self.extracts.append({key: self.seen(person) for key, person in present.items()})
            present = {key: person for key, person in present.items() if self.draw.random() < 0.85}
            for one in self.draw.sample(self.people, 3):
                present[f"p{len(present)}-{self.draw.random()}"] = dict(one)
            for person in present.values():
                if self.draw.random() < 0.1:
                    person["zip"] = self.draw.choice(ZIP.leaves)
        if not own:  # the population has everybody in the records; some people lack a value of an attribute
            self.people += [self.seen(person) for person in everybody]
            self.people += [
                person for extract in self.extracts for person in extract.values() if None not in person.values()
            ]

    def seen(self, person: Person) -> Person:
        return {name: None if self.draw.random() < self.missing else value for name, value in person.items()}

    def scenario(self, number: int, earlier: dict[str, object] | None = None) -> Scenario:
        rows = [{"id": key, **person} for key, person in self.extracts[number].items()]
        self.draw.shuffle(rows)
        pd.DataFrame(rows, columns=["id", *HIERARCHIES]).to_csv(self.folder / f"{number}.csv", index=False)
        how = {"*": "suppress", "missing": "show"}[self.gaps[number]]
        content = {
            "records": {"path": f"{number}.csv", "drop": ["id"], "missing": how},
            "attributes": {name: {"hierarchy": one} for name, one in HIERARCHIES.items()},
            "game": "basic",
            "payoffs": {"benefit": 100, "loss": self.draw.choice([20, 60, 200]), "cost": self.draw.choice([5, 20, 40])},
        }
        if not self.own:
            pd.DataFrame(self.people).to_csv(self.folder / "people.csv", index=False)
            content["population"] = {"path": "people.csv", "unmatched": "safe"}
        if earlier is not None:
            content["earlier"] = earlier
        return Scenario.parse(content, folder=self.folder)

    def release(self, number: int, earlier: dict[str, object] | None = None, **how: object) -> gamedeid.Solution:
        """Write the release of an extract into a folder with its number, and return it."""
        solution = gamedeid.solve(self.scenario(number, earlier), **how)
        solution.write(self.folder / f"release {number}", report=False)
        return solution


def texts_of(person: Person, levels: dict[str, int], gap: str) -> dict[str, str]:
    """Return the published row of a person at a strategy; a missing value is ``gap``."""
    return {
        name: gap
        if person[name] is None
        else HIERARCHIES[name].label(level, HIERARCHIES[name].leaves.index(person[name]))
        for name, level in levels.items()
    }


def published(world: World, number: int, solution: gamedeid.Solution) -> dict[str, Row]:
    """Return key -> text and level of each attribute in a release, withheld people left out."""
    keys = pd.read_csv(world.folder / f"{number}.csv", dtype=str)["id"]
    rows = solution.strategies
    found = {}
    for key, row in zip(keys, rows.to_dict("records"), strict=True):
        if not row["withheld"]:
            levels = {name: row[name] for name in HIERARCHIES}
            found[key] = (texts_of(world.extracts[number][key], levels, world.gaps[number]), levels)
    return found


def possible(name: str, row: Row, by: int) -> set[str | None]:
    """Return the values, None for a missing one, that a person with an earlier row can have now."""
    text, level = row[0][name], row[1][name]
    hierarchy = HIERARCHIES[name]
    if text in {"*", "missing"}:
        return {None, *hierarchy.leaves}
    then = [leaf for number, leaf in enumerate(hierarchy.leaves) if hierarchy.label(level, number) == text]
    return {str(int(leaf) + by) for leaf in then} if name == "age" else set(then)


def possible_values(now: Person, rows: list[Row], rises: list[int]) -> dict[str, set[str | None]]:
    """Return the values of each attribute that all earlier rows of a person leave possible."""
    found = {}
    for name, hierarchy in HIERARCHIES.items():
        sets = [possible(name, row, by) for row, by in zip(rows, rises, strict=True)]
        sets = [one for one in sets if now[name] is None or now[name] in one]
        both = {None, *hierarchy.leaves}.intersection(*sets)
        found[name] = both if both.intersection(hierarchy.leaves) else {None, *hierarchy.leaves}
    return found


def can_be_released(person: Person, levels: dict[str, int]) -> bool:
    """Return whether a strategy has every missing value at the top level."""
    return all(person[name] is not None or level == HIERARCHIES[name].levels - 1 for name, level in levels.items())


def matching_people(
    world: World, rows: list[dict[str, Row]], rises: list[int], key: str, levels: dict[str, int]
) -> int:
    """Count the people who match a person's row at a strategy and all earlier rows of that person."""
    now = world.extracts[-1]
    gap = world.gaps[len(world.extracts) - 1]
    texts = texts_of(now[key], levels, gap)

    def is_alike(one: Person) -> bool:
        return can_be_released(one, levels) and texts_of(one, levels, gap) == texts

    if world.own:
        seen = [row.get(key, (None,))[0] for row in rows]
        return sum(is_alike(one) and [row.get(name, (None,))[0] for row in rows] == seen for name, one in now.items())
    of_person = [(row[key], by) for row, by in zip(rows, rises, strict=True) if key in row]
    both = possible_values(now[key], [row for row, _ in of_person], [by for _, by in of_person])
    return sum(is_alike(one) and all(one[name] in both[name] for name in HIERARCHIES) for one in world.people)
