"""Tiny worlds for the group games, and the package's solutions of them."""

import random
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pandas as pd
from oracle_groups import AwareGame, GroupWorld, Recipient, Weights
from oracles import Values, World

import gamedeid

LOW_TO_HIGH = ["low", "mid", "high"]

RULES: dict[str, list[dict[str, Any]]] = {
    "none": [{}],
    "k": [{}],
    "distinct": [{"distinct": 2}, {"distinct": 3}],
    "entropy": [{"entropy": 1.5}, {"entropy": 1.8}, {"entropy": 2}],
    "recursive": [{"recursive": [2, 2]}, {"recursive": [3, 2]}, {"recursive": [1.5, 2]}, {"recursive": [4, 3]}],
    "t equal": [{"t": 0.2, "distance": "equal"}, {"t": 0.35, "distance": "equal"}],
    "t ordered": [{"t": t, "distance": "ordered", "order": LOW_TO_HIGH} for t in (0.15, 0.3)],
    "several": [
        {"distinct": 2, "t": 0.4, "distance": "equal"},
        {"entropy": 1.5, "recursive": [3, 2]},
        {"recursive": [3, 2], "t": 0.3, "distance": "ordered", "order": LOW_TO_HIGH},
    ],
}
"""Kind of rule -> rules of the kept column that are drawn for it."""

KINDS = tuple(RULES)

LADDERS = {
    2: [[["p", "*"], ["q", "*"]], [["p", "*"], ["q", "*"], ["r", "*"]]],
    3: [
        [["p", "P", "*"], ["q", "P", "*"], ["r", "R", "*"]],
        [["p", "P", "*"], ["q", "P", "*"], ["r", "R", "*"], ["s", "R", "*"]],
    ],
}
"""Number of levels -> ladders."""


def random_group_world(seed: int, kind: str, *, most: int = 6) -> GroupWorld:
    """Return a world of at most ``most`` distinct people, with one kind of rule."""
    draw = random.Random(f"{kind} {seed}")  # noqa: S311
    ladders = {name: draw.choice(LADDERS[draw.choice([2, 3])]) for name in "ab"}
    everyone = [{"a": a[0], "b": b[0]} for a in ladders["a"] for b in ladders["b"]]
    chosen = draw.sample(everyone, draw.randint(2, min(most, len(everyone))))
    records: list[Values] = []
    for person in chosen:
        records += [dict(person)] * draw.choice([0, 1, 1, 1, 2, 3])
    records = records or [dict(chosen[0])]
    draw.shuffle(records)
    own = draw.random() < 0.5
    population = None
    if not own:
        population = [(person, records.count(person) + draw.choice([0, 0, 1, 2, 5])) for person in chosen]
        population = [(person, times) for person, times in population if times]
    loss = draw.choice([30.0, 60.0, 90.0, 150.0])
    gain, cost = draw.choice([(loss, loss / 3), (loss, loss / 2), (40.0, 10.0), (loss, 2 * loss)])
    game: AwareGame = draw.choice(["aware-basic", "aware-no-attack"])
    planned_for: Weights = draw.choice(["population", "records"])
    if game == "aware-basic" and not own:
        planned_for = "population"  # this game is always planned for the population
    return GroupWorld(
        world=World(
            ladders=ladders,
            weights={"a": 1.0, "b": draw.choice([1.0, 1.0, 2.0, 0.5])},
            records=records,
            population=population,
            benefit=100.0,
            loss=loss,
            gain=gain,
            cost=cost,
        ),
        game=game,
        planned_for=planned_for,
        least=draw.choice([2, 3, 4]) if kind == "k" else draw.choice([1, 1, 2]) if RULES[kind] != [{}] else 1,
        kept={"income": [draw.choice(LOW_TO_HIGH) for _ in records]},
        rules={"income": rule} if (rule := draw.choice(RULES[kind])) else {},
        recipients=tuple(random_recipients(draw)) if kind == "recipients" else (),
    )


def random_recipients(draw: random.Random) -> Iterator[Recipient]:
    """Yield two or three recipients, each with its own stakes."""
    for _ in range(draw.randint(2, 3)):
        probability, gain = draw.choice([0.5, 1.0]), draw.choice([20.0, 40.0])
        cost, loss = draw.choice([5.0, 10.0, 15.0]), draw.choice([20.0, 40.0, 80.0])
        yield Recipient(probability=probability, gain=gain, cost=cost, loss=loss)


def one_record_world() -> GroupWorld:
    """Return a world whose only record needs people without a record: a0 and a1 are both released as L."""
    return GroupWorld(
        world=World(
            ladders={"a": [["a0", "L", "*"], ["a1", "L", "*"], ["b", "M", "*"], ["c", "N", "*"]]},
            weights={"a": 1.0},
            records=[{"a": "a0"}],
            population=[({"a": "a0"}, 1), ({"a": "a1"}, 8)],
            benefit=100.0,
            loss=40.0,
            gain=40.0,
            cost=10.0,
        ),
        game="aware-no-attack",
        planned_for="records",
        kept={},
        rules={},
    )


def frames_of(asked: GroupWorld) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return records and population as frames."""
    world = asked.world
    records = pd.DataFrame(world.records, columns=list(world.ladders)).assign(**asked.kept)
    if world.population is None:
        return records, None
    people = pd.DataFrame([{**values, "count": times} for values, times in world.population])
    return records, people


def scenario_of(asked: GroupWorld, **groups: Any) -> dict[str, Any]:
    """Return the scenario of a world; further keys of its section ``groups`` may be given."""
    world = asked.world
    section: dict[str, Any] = {"planned_for": asked.planned_for, **groups}
    if asked.least > 1:
        section["k"] = asked.least
    if asked.rules:
        section["kept"] = asked.rules
    recipients = {f"r{number}": asdict(one) for number, one in enumerate(asked.recipients)}
    return {
        "records": {"keep": list(asked.kept)},
        **({} if world.population is None else {"population": {"count": "count"}}),
        "attributes": {
            name: {"hierarchy": gamedeid.Hierarchy.from_rows(rows, name=name), "weight": world.weights[name]}
            for name, rows in world.ladders.items()
        },
        "game": "basic",
        "payoffs": {"benefit": world.benefit, "loss": world.loss, "gain": world.gain, "cost": world.cost},
        "groups": section,
        **({"recipients": recipients} if recipients else {}),
    }


def solved(asked: GroupWorld, **groups: Any) -> Any:
    """Return the package's solution of a world."""
    records, people = frames_of(asked)
    return gamedeid.solve(scenario_of(asked, **groups), records, people, game=asked.game)
