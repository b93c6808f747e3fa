"""Small random worlds for simulated attacks, and each recipient's expected successes, counted person by person."""

from dataclasses import dataclass
from itertools import product
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from gamedeid import simulate_attacks, solve
from gamedeid.attacks.result import AttackSimulation

LADDERS = {
    "steps": [
        [str(one), f"[{one // 2 * 2}-{one // 2 * 2 + 1}]", "low" if one < 4 else "high", "*"] for one in range(8)
    ],
    "shop": [[f"{letter}{digit}", letter, "*"] for letter in "pq" for digit in range(3)],
    "kind": [["x", "*"], ["y", "*"]],
}
"""Labels of each value, level by level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackWorld:
    """A question and its people.

    Parameters
    ----------
    people : distinct values -> how many people have them.
    records : values of each record.
    benefit, loss, gain, cost : the stakes.
    """

    people: dict[tuple[str, ...], int]
    records: list[tuple[str, ...]]
    benefit: float
    loss: float
    gain: float
    cost: float


def draw_world(seed: int) -> AttackWorld:
    """Draw a world in which some groups are worth an attack and others are not."""
    random = np.random.default_rng(seed)
    everybody = list(product(*([row[0] for row in ladder] for ladder in LADDERS.values())))
    share = random.dirichlet(np.full(len(everybody), 0.4))
    counts = random.multinomial(int(random.integers(60, 900)), share)
    people = {values: int(count) for values, count in zip(everybody, counts, strict=True) if count}
    persons = [values for values, count in people.items() for _ in range(count)]
    sampled = random.choice(len(persons), size=min(len(persons), int(random.integers(20, 120))), replace=False)
    cost = float(random.choice([1, 2, 5]))
    gain = cost * float(random.integers(3, 40))
    loss = gain * float(random.choice([1, 2]))
    return AttackWorld(
        people=people,
        records=[persons[number] for number in sampled],
        benefit=float(random.choice([50, 100, 400])),
        loss=loss,
        gain=gain,
        cost=cost,
    )


def write_world(world: AttackWorld, folder: Path) -> Path:
    """Write a world's files, and return its scenario."""
    folder.mkdir(exist_ok=True)
    names = list(LADDERS)
    for name, ladder in LADDERS.items():
        (folder / f"{name}.csv").write_text("".join(";".join(row) + "\n" for row in ladder))
    people = [",".join([*values, str(count)]) for values, count in world.people.items()]
    (folder / "people.csv").write_text("\n".join([",".join([*names, "count"]), *people]) + "\n")
    rows = [",".join(values) for values in world.records]
    (folder / "records.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    attributes = "".join(f'[attributes.{name}]\nhierarchy = "{name}.csv"\n' for name in names)
    stakes = f"benefit = {world.benefit}\nloss = {world.loss}\ngain = {world.gain}\ncost = {world.cost}\n"
    (folder / "scenario.toml").write_text(
        'game = "basic"\n[records]\npath = "records.csv"\n[population]\npath = "people.csv"\ncount = "count"\n'
        f"{attributes}[payoffs]\n{stakes}"
    )
    return folder / "scenario.toml"


def released(values: tuple[str, ...], levels: tuple[int, ...]) -> tuple[str, ...]:
    """Return the published row of a person."""
    places = zip(values, levels, LADDERS.values(), strict=True)
    return tuple(next(row[level] for row in ladder if row[0] == value) for value, level, ladder in places)


class Oracle:
    """The outcome of a world by the definitions, one person at a time."""

    def __init__(self, world: AttackWorld, game: str = "basic") -> None:
        self.world, self.game = world, game
        tops = [len(ladder[0]) - 1 for ladder in LADDERS.values()]
        self._walk = sorted(product(*(range(top + 1) for top in tops)), key=lambda one: (sum(one), one))
        self._alike: dict[tuple[int, ...], dict[tuple[str, ...], int]] = {}
        for levels in self._walk:
            groups = self._alike.setdefault(levels, {})
            for values, count in world.people.items():
                look = released(values, levels)
                groups[look] = groups.get(look, 0) + count
        self.own = {values: self._strategy(values) for values in world.people}

    def people_like(self, values: tuple[str, ...], levels: tuple[int, ...]) -> int:
        """Return n_p."""
        return self._alike[levels][released(values, levels)]

    def worth_attacking(self, people: int) -> bool:
        return self.world.gain > self.world.cost * people * (1 + 1e-12)

    def _strategy(self, values: tuple[str, ...]) -> tuple[int, ...] | None:
        """Return the best strategy for a person with these values; None if the record is withheld."""
        world = self.world
        most = sum(log(len(ladder)) for ladder in LADDERS.values())
        payoffs: list[tuple[float, tuple[int, ...]]] = []
        for levels in self._walk:
            lost = 0.0
            for place, ladder in enumerate(LADDERS.values()):
                label = released(values, levels)[place]
                lost += log(sum(row[levels[place]] == label for row in ladder))
            people = self.people_like(values, levels)
            payoff = world.benefit * (1 - lost / most)
            if self.worth_attacking(people):
                if self.game == "no-attack":
                    continue
                payoff -= world.loss / people
            payoffs.append((payoff, levels))
        best = max((payoff for payoff, _ in payoffs), default=-1.0)
        if best <= -1e-9 * world.benefit:
            return None
        return next(levels for payoff, levels in payoffs if payoff > best - 1e-9 * world.benefit)

    def expected(self, recipient: str) -> tuple[int, float]:
        """Return how many records a recipient attacks, and the expected number of successes."""
        looks: dict[tuple[str, ...], int] = {}
        for values, count in self.world.people.items():
            levels = self.own[values]
            if levels is not None:
                look = released(values, levels)
                looks[look] = looks.get(look, 0) + count
        strategies = [(values, self.own[values]) for values in self.world.records]
        published = [released(values, levels) for values, levels in strategies if levels is not None]
        attacks, successes = 0, 0.0
        for values, levels in strategies:
            if levels is None:
                continue
            candidates = {
                "naive": lambda values=values, levels=levels: self.people_like(values, levels),
                "aware": lambda values=values, levels=levels: looks[released(values, levels)],
                "in-release": lambda values=values: sum(covers(row, values) for row in published),
            }[recipient]()
            if self.worth_attacking(candidates):
                attacks += 1
                successes += 1 / candidates
        return attacks, successes


def covers(row: tuple[str, ...], values: tuple[str, ...]) -> bool:
    """Return whether a released row covers a person's values."""
    places = zip(row, values, LADDERS.values(), strict=True)
    return all(any(text in line for line in ladder if line[0] == value) for text, value, ladder in places)


def attacked(folder: Path, scenario: Any, solution: Any = None, **how: Any) -> AttackSimulation:
    """Write the release of a solution (default: that of the scenario), and let the recipients attack it."""
    (solution or solve(scenario)).write(folder / "out", report=False)
    return simulate_attacks(folder / "out", scenario, **how)


def totals(found: Any, name: str) -> Any:
    """Return the totals of one recipient over all worlds."""
    return next(one for one in found.recipients if one.recipient == name)
