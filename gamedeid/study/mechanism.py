"""The mechanism of a solution applied to the whole population, and n_a against an aware adversary."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GameName
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import (
    AwareAttacks,
    aware_attacks,
    groups_in_common,
    population_instance,
)
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.lazy_imports import LazyModule
from gamedeid.progress import Progress
from gamedeid.reprs import brief, frozen
from gamedeid.scenario.limits import Limits
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve_again
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.game.limits import uniform
    from gamedeid.game.mechanism import plan as planning
else:  # few releases have one strategy for all records, or a plan
    uniform = LazyModule("gamedeid.game.limits.uniform")
    planning = LazyModule("gamedeid.game.mechanism.plan")

SOLVED_TOGETHER = 2**19
"""Profiles of the population that are solved together: counts of sparse domains take memory for each."""


@frozen(eq=False)
class AwareKnowledge:
    """The knowledge of a recipient who knows the mechanism of a solution.

    Parameters
    ----------
    people : (q,) int64, n_a of every profile; 0 where it is withheld, or no one is released like it.
    attacks : those of each recipient who knows it, by its other knowledge; empty for the paper's one adversary, whose
        attacks follow from n_a.
    """

    people: IntArray
    attacks: tuple[AwareAttacks, ...] = ()


@brief
class _Part(NamedTuple):
    """The profiles with the same missing values, and the strategies of the population with those values missing.

    ``people`` is the population as recipients know it; ``lacking`` is the profile in ``population`` of each of these.
    """

    profiles: IntArray
    population: Instance
    chosen: IntArray
    people: Instance
    lacking: IntArray


def aware_knowledge(solution: Solution, *, progress: Progress) -> AwareKnowledge:
    """Return n_a and the attacks of each recipient who knows the mechanism, for every profile of a solution.

    The mechanism is the scenario, game and solver of the solution, or its policy: they give every person of the
    population a strategy as if the person were a record. n_a are the people who match the released values and whose own
    strategy is the released one. For records with missing values, the population's values are treated as missing in
    the same attributes: a recipient is assumed to know which they are.
    """
    study = solution.study
    refuse_unsupported(Operation.METHOD, solution.features)
    instance, nodes = study.instance, solution.choice.nodes
    if (plan := solution.mechanism) is not None:
        return AwareKnowledge(people=planning.people_of_plan(plan)[plan.population.of_record_profile])
    people = np.zeros(len(nodes), np.int64)
    parts: list[tuple[IntArray, tuple[AwareAttacks, ...]]] = []
    for members, population, chosen, known, lacking in _parts(solution, progress):
        some = replace(instance, data=replace(instance.data, profiles=_repeat_profiles(instance.profiles, members)))
        groups = groups_in_common(population, chosen, some, nodes[members])
        people[members] = groups.people_of_profile
        groups = replace(groups, of_population=groups.of_population[lacking])
        found = aware_attacks(known, groups, some, unmatched_as_one=study.population.unmatched == "unique")
        parts.append((members, found))
    by_recipient = zip(*([(members, one) for one in found] for members, found in parts), strict=True)
    attacks = tuple(AwareAttacks.joined(some, len(nodes)) for some in by_recipient)
    return AwareKnowledge(people=people, attacks=attacks)


def _parts(solution: Solution, progress: Progress) -> Iterator[_Part]:
    """Yield the mechanism for each set of attributes that are missing in some record."""
    study = solution.study
    instance = study.instance
    if study.is_own_population and not study.person:  # all people are records: nothing is solved
        yield _Part(instance.all_profiles, instance, solution.choice.nodes, instance, instance.all_profiles)
        return
    missing = instance.profiles.missing
    if study.is_own_population:
        missing = np.zeros_like(missing)  # the same values are missing in the population
    patterns, of_profile, _ = distinct_rows(missing.astype(np.int8))
    people = _population_without(study, np.zeros(missing.shape[1], np.bool_))
    for number, pattern in enumerate(missing[patterns]):
        members = np.flatnonzero(of_profile == number)
        population = _population_without(study, pattern)
        lacking = np.empty(people.profiles.count, np.int64)
        lacking[people.profiles.of_record] = population.profiles.of_record
        yield _Part(members, population, _mechanism(solution, population, members, progress), people, lacking)


def _population_without(study: Study, pattern: BoolArray) -> Instance:
    """Return the question for the whole population, without some attributes, (a,) bool; it is stored with the data."""
    instance = study.instance

    def compiled() -> CompiledData:
        return population_instance(instance, _with_missing(study.population.cells, pattern, instance)).data

    return replace(instance, data=instance.data.memoized(("whole population", pattern.tobytes()), compiled))


def _mechanism(solution: Solution, population: Instance, members: IntArray, progress: Progress) -> IntArray:
    """Return the strategy of every profile of the population, (p,), by the solution's game and solver, or policy.

    With limits, it is the one strategy of the records ``members``, or withholding.
    """
    profiles = population.profiles
    chosen = np.empty(profiles.count, np.int64)
    for start in range(0, profiles.count, SOLVED_TOGETHER):
        some = np.arange(start, min(start + SOLVED_TOGETHER, profiles.count))
        instance = (
            population if len(some) == profiles.count else population.for_profiles(_repeat_profiles(profiles, some))
        )
        study = replace(solution.study, instance=instance, persons=None, unmatched_records=0)
        if solution.limits is None:
            chosen[some] = solve_again(study, solution.name, solution.solver).choice.nodes
        else:
            chosen[some] = _at_one_strategy(study, cast("GameName", solution.name), solution.choice.nodes[members])
        progress(int(some[-1]) + 1, profiles.count)
    return chosen


def _at_one_strategy(study: Study, game: GameName, of_records: IntArray) -> IntArray:
    """Return the strategy of each profile of a study, (p,): that of the released records, or -1 if withheld.

    ``of_records``, (k,), are the one strategy of records in which the same values are missing, or -1. All people who
    match a released record are in its cell, which is large enough.
    """
    released = of_records[of_records != WITHHELD]
    if not len(released):
        return np.full(study.instance.profiles.count, WITHHELD, np.int64)
    limits = (study.scenario.limits or Limits()).model_copy(update={"smallest_cell": None})
    release = uniform.UniformRelease(instance=study.instance, game=study.game(game), limits=limits)
    return release.nodes(int(released[0]))


def _with_missing(cells: PopulationCells, pattern: BoolArray, instance: Instance) -> PopulationCells:
    """Return the population with the values of some attributes, (a,) bool, missing."""
    if not pattern.any():
        return cells
    codes = cells.codes.copy()
    for place, hierarchy in enumerate(instance.hierarchies.values()):
        if pattern[place]:
            codes[:, place] = len(hierarchy.leaves)
    return replace(cells, codes=codes, missing=cells.missing | pattern)


def _repeat_profiles(profiles: Profiles, chosen: IntArray) -> Profiles:
    """Return some profiles, (k,), each with its number of records."""
    return replace(
        profiles,
        codes=profiles.codes[chosen],
        of_record=np.arange(len(chosen)),
        records=profiles.records[chosen],
        missing=profiles.missing[chosen],
        floors=None if profiles.floors is None else profiles.floors[chosen],
    )
