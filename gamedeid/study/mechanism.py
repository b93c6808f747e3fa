"""What a solution's mechanism makes of everybody in the population, and whom it leaves to an aware adversary."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import aware_people, population_instance
from gamedeid.grouping import distinct_rows
from gamedeid.progress import Progress
from gamedeid.study.solution import Solution, policy_solution, solve_study
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.choices import GameName, SolverName

SOLVED_TOGETHER = 2**19
"""Profiles of the population that are solved at a time: counts of sparse domains take memory for each."""


def aware_people_of(solution: Solution, *, progress: Progress | None = None) -> IntArray:
    """Return n_a of every profile of a solution, (q,) int64; 0 where it is withheld, or nobody is released like it.

    The mechanism is the scenario, game and solver of the solution, or its policy: they give every person of the
    population a strategy as if she were a record. n_a are the people who match the released values and whose own
    strategy is the released one. For records with missing values, the population's values are taken to be missing in
    the same attributes: whoever looks them up is taken to know which were.

    Parameters
    ----------
    solution : of a game or policy, of the whole dataset or of one person.
    progress : called with (profiles of the population solved, in all).

    Raises
    ------
    InvalidScenarioError : the population is estimated, or its people are unlike the records', so that nobody can tell
        what would become of each; see :func:`refuse_unknown_mechanism`.
    """
    study = solution.study
    refuse_unknown_mechanism(study)
    if (plan := solution.mechanism) is not None:
        return aware_people(plan.everybody.instance, plan.nodes, study.instance, solution.choice.nodes)
    instance, nodes = study.instance, solution.choice.nodes
    found = np.zeros(len(nodes), np.int64)
    missing = instance.profiles.missing
    if study.is_own_population:
        missing = np.zeros_like(missing)  # the same values are missing in the population
    patterns, of_profile, _ = distinct_rows(missing.astype(np.int8), [2] * missing.shape[1])
    for number, pattern in enumerate(missing[patterns]):
        here = np.flatnonzero(of_profile == number)
        everybody = population_instance(instance, _without(study.cells, pattern, instance))
        chosen = _mechanism(solution, everybody, progress)
        some = replace(instance, profiles=_some(instance.profiles, here))
        found[here] = aware_people(everybody, chosen, some, nodes[here])
    return found


def refuse_unknown_mechanism(study: Study) -> None:
    """Refuse a question in which nobody can tell what would become of each person of the population.

    Raises
    ------
    InvalidScenarioError : the population is estimated, several records are one person's and they differ, there are
        recipients, or limits on the whole dataset.
    """
    study.scenario.refuse_limits("an adversary who knows the mechanism")
    study.instance.refuse_recipients("audits and games of an adversary who knows the mechanism")
    if study.sampling_fraction is not None or study.known:
        key = "population.levels" if study.known else "population.sampling_fraction"
        raise InvalidScenarioError(
            f"{key}: the population is estimated, so nobody can tell how each person of it would have been released; "
            "an adversary who knows the mechanism needs a population with every attribute as it is"
        )
    if study.instance.profiles.floors is not None and not study.is_own_population:
        raise InvalidScenarioError(
            "records.person: records of a person differ, and the population does not tell whose would; an adversary "
            "who knows the mechanism needs one row for each person"
        )


def _mechanism(solution: Solution, everybody: Instance, progress: Progress | None) -> IntArray:
    """Return the strategy of every profile of the population, (p,), by the solution's game and solver, or policy."""
    profiles = everybody.profiles
    chosen = np.empty(profiles.count, np.int64)
    for start in range(0, profiles.count, SOLVED_TOGETHER):
        some = np.arange(start, min(start + SOLVED_TOGETHER, profiles.count))
        instance = everybody if len(some) == profiles.count else everybody.of(_some(profiles, some), "safe")
        study = replace(solution.study, instance=instance, persons=None, unmatched_records=0)
        if solution.solver is None:
            solved = policy_solution(study, study.policy(solution.name))
        else:
            solved = solve_study(study, cast("GameName", solution.name), cast("SolverName", solution.solver))
        chosen[some] = solved.choice.nodes
        if progress is not None:
            progress(int(some[-1]) + 1, profiles.count)
    return chosen


def _without(cells: Cells, pattern: BoolArray, instance: Instance) -> Cells:
    """Return the population with the values of some attributes, (a,) bool, missing."""
    if not pattern.any():
        return cells
    codes = cells.codes.copy()
    for place, hierarchy in enumerate(instance.hierarchies.values()):
        if pattern[place]:
            codes[:, place] = len(hierarchy.leaves)
    return replace(cells, codes=codes, missing=cells.missing | pattern)


def _some(profiles: Profiles, chosen: IntArray) -> Profiles:
    """Return some profiles, (k,), each as often as it stands for records."""
    return replace(
        profiles,
        codes=profiles.codes[chosen],
        of_record=np.arange(len(chosen)),
        records=profiles.records[chosen],
        missing=profiles.missing[chosen],
        floors=None if profiles.floors is None else profiles.floors[chosen],
    )
