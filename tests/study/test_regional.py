"""Is a question that is solved region by region answered as one that is solved at once?"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
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
from gamedeid.errors import InvalidDataError, InvalidScenarioError, OutputError, UnmatchedRecordError
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import total_of
from gamedeid.game.solvers import exact
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables
from gamedeid.population import regional as regional_counts
from gamedeid.population.regional import RegionalCounts
from gamedeid.progress import Progress, no_progress
from gamedeid.results.resume import FinishedParts
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.regional import SOLVING, Region, RegionalQuestion, add_up, solve_each_region

DIVIDED = "d"  # every world has it


def complete(world: World) -> World:
    """Give everybody a value of the attribute that regions differ in."""
    some = world.ladders[DIVIDED][0][0]
    people = world.population and [({**who, DIVIDED: who[DIVIDED] or some}, times) for who, times in world.population]
    return replace(
        world,
        records=[{**record, DIVIDED: record[DIVIDED] or some} for record in world.records],
        population=people,
        unmatched="safe" if world.unmatched == "error" else world.unmatched,
    )


def solve_regions(
    question: RegionalQuestion,
    regions: Mapping[str, Region],
    *,
    folder: Path | None = None,
    made_of: str = "",
    progress: Progress | None = None,
    **how: Any,
) -> Mapping[str, Totals]:
    """Return the totals of each game over all regions; finished ones are kept in a folder."""
    parts = None if folder is None else FinishedParts(folder, f"{made_of}\n{'|'.join(regions)}")

    def phases(name: str) -> Progress:
        return progress if progress is not None and name == SOLVING else no_progress(name)

    return add_up(solve_each_region(question, regions, parts=parts, progress=phases, **how).values()).totals


def divided(world: World, level: int, parts: int) -> tuple[RegionalQuestion, dict[str, Region], dict[str, np.ndarray]]:
    """Return the question, at most so many regions, and which profiles are in each."""
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

    def policy(instance):
        rows = [np.flatnonzero((whole.codes == row).all(axis=1))[0] for row in instance.profiles.codes]
        return floors[rows]

    question = RegionalQuestion(
        hierarchies=hierarchies,
        weights=world.weights,
        payoffs=Payoffs(benefit=world.benefit, loss=world.loss, cost=world.cost, gain=world.gain),
        attribute=DIVIDED,
        level=level,
        policy=policy,
        missing=[name for name, gone in zip(hierarchies, cells.missing, strict=True) if gone],
        unmatched=world.unmatched,
    )
    return question, regions, members


def where_all_live_with_others(world: World, level: int, parts: int) -> bool:
    """Return whether each record's region has people, so that the regions hold every record and every person."""
    _, regions, members = divided(world, level, parts)
    lost = sum(map(len, members.values())) < profiles_of(world).count
    people = sum(int(region()[1].people.sum()) for region in regions.values())
    return not lost and people == cells_of(world).people.sum()


def no_record_is_where_nobody_lives(world: World, level: int) -> bool:
    """Return whether the group of each record has people, as a region asks."""
    place = list(world.ladders).index(DIVIDED)
    groups = hierarchies_of(world)[DIVIDED].groups[level]
    homes, records = (groups[codes[:, place]] for codes in (cells_of(world).codes, profiles_of(world).codes))
    return bool(np.isin(records, homes).all())


@given(world=worlds().map(complete), data=st.data())
def test_the_strategies_and_the_totals_are_those_of_all_profiles_together(world: World, data: st.DataObject) -> None:
    level = data.draw(st.integers(0, len(world.ladders[DIVIDED][0]) - 2))
    parts = data.draw(st.integers(1, 3))
    assume(no_record_is_where_nobody_lives(world, level))
    if not where_all_live_with_others(world, level, parts):
        parts = 1
    question, regions, members = divided(world, level, parts)
    solved: dict[tuple[str, str], list[int]] = {}
    steps: list[tuple[int, int]] = []

    totals = solve_regions(
        question,
        regions,
        on_solved=lambda region, game, nodes: solved.update({(region, game): nodes.tolist()}),
        progress=lambda *step: steps.append(step),
        workers=data.draw(st.integers(1, 3)),
    )
    instance = instance_of(world)
    for game in GAMES:
        nodes = exact(instance, game_of(world, instance, game)).nodes
        assert {(region, game): nodes[own].tolist() for region, own in members.items()} == {
            key: value for key, value in solved.items() if key[1] == game
        }
        assert list(total_of(instance, nodes)) == pytest.approx(list(totals[game]))
    assert [(place, len(regions)) for place in range(1, len(regions) + 1)] == steps


AGES = Hierarchy.intervals(0, 7, [2, 4], name="age")
SEX = Hierarchy.from_rows([["m", "*"], ["f", "*"]], name="sex")
LADDERS = {"age": AGES, "sex": SEX}


def country(people_by_region: Mapping[str, tuple[list[list[int]], list[int]]]) -> dict[str, Region]:
    def region(codes: list[list[int]], people: list[int]) -> Region:
        rows = np.array(codes, np.int32)
        return lambda: (Profiles.of(rows, [AGES, SEX]), PopulationCells.of(rows, np.array(people), [AGES, SEX]))

    return {name: region(*people) for name, people in people_by_region.items()}


def asked(**changes: object) -> RegionalQuestion:
    words = {
        "hierarchies": LADDERS,
        "weights": {"age": 1.0, "sex": 1.0},
        "payoffs": Payoffs(benefit=10, loss=5, cost=1),
        "attribute": "age",
        "level": 1,
        "games": ("basic", "no-attack"),
    }
    return RegionalQuestion(**(words | changes))


NORTH = ([[0, 0], [0, 1], [1, 0]], [3, 1, 2])
SOUTH = ([[4, 0], [6, 1]], [1, 9])


def test_a_finished_region_is_found_again_and_a_broken_one_is_solved_anew(tmp_path) -> None:
    regions, folder = country({"north": NORTH, "south": SOUTH}), tmp_path / "kept"
    expected = solve_regions(asked(), regions, folder=folder)
    files = sorted(folder.glob("*.json"))
    assert 2 == len(files)
    assert 0o600 == files[0].stat().st_mode & 0o777

    again: list[str] = []
    tell: Callable[..., None] = lambda region, game, nodes: again.append(region)  # noqa: E731, ARG005
    assert expected == solve_regions(asked(), regions, folder=folder, on_solved=tell)
    assert [] == again
    files[0].write_text("[]")
    assert expected == solve_regions(asked(), regions, folder=folder, on_solved=tell)
    assert 1 == len(set(again))
    again.clear()
    solve_regions(asked(), regions, folder=folder, on_solved=tell, made_of="other people")
    assert {"north", "south"} == set(again)
    assert 4 == len(list(folder.glob("*.json")))
    assert {"basic", "no-attack"} == set(json.loads(files[1].read_text())["totals"])


def test_a_run_that_was_stopped_goes_on_from_the_last_finished_region(tmp_path) -> None:
    regions, folder = country({"north": NORTH, "south": SOUTH}), tmp_path / "kept"

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_regions(asked(), regions, folder=folder, progress=stop)
    solved: list[str] = []
    solve_regions(asked(), regions, folder=folder, on_solved=lambda region, game, nodes: solved.append(region))  # noqa: ARG005

    assert {"south"} == set(solved)


def test_more_people_than_a_small_number_holds_are_counted_among_everybody() -> None:
    many = country({"north": ([[0, 0]], [2**31 - 1]), "south": ([[4, 0]], [5])})
    totals = solve_regions(asked(payoffs=Payoffs(benefit=10, loss=2.0**32, cost=1)), many)

    assert (0, 2) == (totals["no-attack"].attacks, totals["no-attack"].records)
    assert 2 == totals["no-attack"].withheld


def test_regions_that_cannot_be_told_apart_are_refused() -> None:
    crossing = country({"north": NORTH, "south": ([[1, 1]], [1])})
    with pytest.raises(InvalidDataError, match="`north` and `south` share a group of `age` at level 1"):
        solve_regions(asked(), crossing)


def test_records_that_are_not_where_the_people_are_are_refused() -> None:
    stray, people = Profiles.of(np.array([[7, 0]]), [AGES, SEX]), country({"north": NORTH})["north"]()[1]
    with pytest.raises(InvalidDataError, match="records whose `age` at level 1 is that of nobody there"):
        solve_regions(asked(), {"north": lambda: (stray, people)})


def test_missing_values_are_announced() -> None:
    gaps = country({"north": ([[0, 2], [0, 0]], [1, 4])})
    with pytest.raises(InvalidDataError, match="not announced as missing"):
        solve_regions(asked(), gaps)
    assert 2 == solve_regions(asked(missing=["sex"]), gaps)["basic"].records


def test_records_that_nobody_matches_are_refused() -> None:
    alone, people = Profiles.of(np.array([[1, 1]]), [AGES, SEX]), country({"north": ([[0, 0]], [4])})["north"]()[1]
    with pytest.raises(UnmatchedRecordError):
        solve_regions(asked(), {"north": lambda: (alone, people)})
    assert 1 == solve_regions(asked(unmatched="safe"), {"north": lambda: (alone, people)})["basic"].records


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"attribute": "aeg"}, "no attribute `aeg`"),
        ({"missing": ["sx"]}, "no attribute `sx`"),
        ({"level": 3}, "expected a level from 0 to 2"),
        ({"missing": ["age"]}, "no missing values"),
        ({"games": GAMES}, "needs a policy"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(changes, words) -> None:
    with pytest.raises(InvalidScenarioError, match=words):
        asked(**changes)


def test_the_counts_of_a_region_answer_for_all_its_profiles() -> None:
    rows = np.array(NORTH[0], np.int32)
    ladders = list(LADDERS.values())
    lattice = Lattice.of(ladders)
    tables, missing = compile_hierarchy_tables(lattice, ladders, [1.0, 1.0]), np.zeros(2, np.bool_)
    counts = RegionalCounts(LADDERS, lattice, tables, attribute=0, level=1, missing=missing)
    cells, profiles = PopulationCells.of(rows, np.array(NORTH[1]), ladders), Profiles.in_order(rows, ladders)
    counts.add_region(cells)
    region = counts.region(cells)

    for same in (region, region.of(profiles)):
        everyone, nodes = np.arange(3), np.array([lattice.node(levels) for levels in ((0, 0), (1, 0), (3, 1))])
        assert [3, 1, 6] == same.people(profiles, everyone, nodes).tolist()


def test_regions_that_are_too_large_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(regional_counts, "MOST_PLACES", 3)
    with pytest.raises(InvalidScenarioError, match="take regions by a finer level"):
        solve_regions(asked(), country({"north": NORTH}))


def test_a_folder_that_cannot_be_made_is_named(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot keep what is finished there"):
        solve_regions(asked(), country({"north": NORTH}), folder=tmp_path / "file" / "kept")
