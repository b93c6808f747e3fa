"""Does a question solved region by region have the same answer as one solved at once?"""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle_worlds import cells_of, floors_of, game_of, hierarchies_of, instance_of, profiles_of
from oracles import World
from worlds import worlds

from gamedeid.choices import GAMES
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.file_identity import Inputs
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import strategy_totals
from gamedeid.game.solvers import exact
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.population import cubes as regional_counts
from gamedeid.progress import Progress, no_progress
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.regional import SOLVING, Region, RegionalStudy, add_totals

DIVIDED = "d"  # every world has it


def complete(world: World) -> World:
    """Give all people and records a value of the attribute that defines regions."""
    some = world.ladders[DIVIDED][0][0]
    people = world.population and [({**who, DIVIDED: who[DIVIDED] or some}, times) for who, times in world.population]
    return replace(
        world,
        records=[{**record, DIVIDED: record[DIVIDED] or some} for record in world.records],
        population=people,
        unmatched="safe" if world.unmatched == "error" else world.unmatched,
    )


def solve_regions(study: RegionalStudy, *, progress: Progress | None = None, **how: Any) -> Mapping[str, Totals]:
    """Return the totals of each game over all regions."""

    def phases(name: str) -> Progress:
        return progress if progress is not None and name == SOLVING else no_progress(name)

    return add_totals(study.solve(parts=None, progress=phases, **how).values()).totals


def study_of(
    regions: Mapping[str, Region],
    hierarchies: Mapping[str, Hierarchy],
    attribute: str,
    level: int,
    *,
    levels_of: Any = None,
    workers: int = 2,
    **changes: Any,
) -> RegionalStudy:
    """Return the question about regions in memory; the policy releases profiles at their ``levels_of``."""
    scenario = {
        "attributes": {name: {"hierarchy": hierarchy} for name, hierarchy in hierarchies.items()},
        "game": "basic",
        "payoffs": {"benefit": 10, "loss": 5, "cost": 1},
        "regions": {"attribute": attribute, "level": level},
    }
    levels_of = levels_of or (lambda profiles: np.zeros_like(profiles.codes))
    policy = SimpleNamespace(name="policy", apply=lambda profiles: SimpleNamespace(levels=levels_of(profiles)))
    return RegionalStudy(
        scenario=Scenario.parse(scenario | changes),
        hierarchies=hierarchies,
        regions=regions,
        policy=policy,
        repeated_keys=(),
        inputs=Inputs(files={}),
        workers=workers,
    )


def divided(world: World, level: int, parts: int, workers: int = 2) -> tuple[RegionalStudy, dict[str, np.ndarray]]:
    """Return the question, at most ``most`` regions, and the profiles in each."""
    hierarchies, whole, cells = hierarchies_of(world), profiles_of(world), cells_of(world)
    place, ladders = list(hierarchies).index(DIVIDED), list(hierarchies.values())
    groups = hierarchies[DIVIDED].groups[level]
    region_of_cell, region_of_profile = (groups[codes[:, place]] % parts for codes in (cells.codes, whole.codes))
    floors = floors_of(world, instance_of(world))
    regions, members = {}, {}
    for part in range(parts):
        people, own = region_of_cell == part, np.flatnonzero(region_of_profile == part)
        if len(own) and people.any():
            some = Profiles.of(np.repeat(whole.codes[own], whole.records[own], axis=0), ladders)
            people = PopulationCells.of(cells.codes[people], cells.people[people], ladders)
            regions[f"part {part}"] = lambda some=some, people=people: (some, people)
            members[f"part {part}"] = own

    def floors_of_profiles(profiles: Profiles) -> np.ndarray:
        return floors[[np.flatnonzero((whole.codes == row).all(axis=1))[0] for row in profiles.codes]]

    study = study_of(
        regions,
        hierarchies,
        DIVIDED,
        level,
        levels_of=floors_of_profiles,
        workers=workers,
        attributes={name: {"hierarchy": one, "weight": world.weights[name]} for name, one in hierarchies.items()},
        records={"missing": "suppress"},
        population={"path": "people.csv", "unmatched": world.unmatched},
    )
    stakes = {"benefit": world.benefit, "loss": world.loss, "cost": world.cost, "gain": world.gain}  # some are 0
    payoffs = study.scenario.payoffs.model_copy(update=stakes)
    return replace(study, scenario=study.scenario.model_copy(update={"payoffs": payoffs})), members


def where_all_live_with_others(world: World, level: int, parts: int) -> bool:
    """Return whether each record's region has people, so that the regions hold every record and every person."""
    study, members = divided(world, level, parts)
    lost = sum(map(len, members.values())) < profiles_of(world).count
    people = sum(int(region()[1].people.sum()) for region in study.regions.values())
    return not lost and people == cells_of(world).people.sum()


def no_record_is_where_nobody_lives(world: World, level: int) -> bool:
    """Return whether the group of each record has people, as a region asks."""
    place = list(world.ladders).index(DIVIDED)
    groups = hierarchies_of(world)[DIVIDED].groups[level]
    homes, records = (groups[codes[:, place]] for codes in (cells_of(world).codes, profiles_of(world).codes))
    return bool(np.isin(records, homes).all())


@given(world=worlds().map(complete), data=st.data())
def test_the_strategies_and_the_totals_are_those_of_all_profiles_together(world, data):
    level = data.draw(st.integers(0, len(world.ladders[DIVIDED][0]) - 2))
    parts = data.draw(st.integers(1, 3))
    assume(no_record_is_where_nobody_lives(world, level))
    if not where_all_live_with_others(world, level, parts):
        parts = 1
    study, members = divided(world, level, parts, workers=data.draw(st.integers(1, 3)))
    solved: dict[str, Mapping[str, np.ndarray]] = {}
    steps: list[tuple[int, int]] = []

    totals = solve_regions(study, on_solved=solved.__setitem__, progress=lambda *step: steps.append(step))
    instance = instance_of(world)
    for game in GAMES:
        nodes = exact(instance, game_of(world, instance, game)).nodes
        assert {region: nodes[own].tolist() for region, own in members.items()} == {
            region: found[game].tolist() for region, found in solved.items()
        }
        assert list(strategy_totals(instance, nodes)) == pytest.approx(list(totals[game]))
    assert [(place, len(members)) for place in range(1, len(members) + 1)] == steps


AGES = Hierarchy.intervals(0, 7, [2, 4], name="age")
SEX = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="sex")
LADDERS = {"age": AGES, "sex": SEX}


def country(people_by_region: Mapping[str, tuple[list[list[int]], list[int]]]) -> dict[str, Region]:
    def region(codes: list[list[int]], people: list[int]) -> Region:
        rows = np.array(codes, np.int32)
        return lambda: (Profiles.of(rows, [AGES, SEX]), PopulationCells.of(rows, np.array(people), [AGES, SEX]))

    return {name: region(*people) for name, people in people_by_region.items()}


def asked(regions: Mapping[str, Region], *, level: int = 1, **changes: Any) -> RegionalStudy:
    return study_of(regions, LADDERS, "age", level, **changes)


NORTH = ([[0, 0], [0, 1], [1, 0]], [3, 1, 2])


def test_people_beyond_32_bits_are_counted_together():
    many = country({"north": ([[0, 0]], [2**31 - 1]), "south": ([[4, 0]], [5])})
    totals = solve_regions(asked(many, payoffs={"benefit": 10, "loss": 2.0**32, "cost": 1}))

    assert (0, 2) == (totals["no-attack"].attacks, totals["no-attack"].records)
    assert 2 == totals["no-attack"].withheld


def test_records_that_are_not_where_the_people_are_are_refused():
    stray, people = Profiles.of(np.array([[7, 0]]), [AGES, SEX]), country({"north": NORTH})["north"]()[1]
    with pytest.raises(InvalidDataError, match="value of `age` that no person there has at level 1; take a higher"):
        solve_regions(asked({"north": lambda: (stray, people)}))


def test_regions_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(regional_counts, "MOST_PLACES", 3)
    with pytest.raises(InvalidScenarioError, match="take regions by a finer level"):
        solve_regions(asked(country({"north": NORTH})))
