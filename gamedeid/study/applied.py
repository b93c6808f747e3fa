"""Find a finished solution again, or apply it to new rows: profiles get the same strategies."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np

from gamedeid.arrays import BoolArray, dot
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import PLAN
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.data.persons import profiles_of_people
from gamedeid.data.profiles import Profiles
from gamedeid.data.tables import read_records
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.game.mechanism.aware_people import PopulationAndRecords, aware_people
from gamedeid.game.mechanism.plan import AppliedGroups, Plan, PlanFacts, join_groups
from gamedeid.game.replies import Replies
from gamedeid.game.solvers import Choice
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Result
from gamedeid.scenario.inputs import read_inputs
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.study.column_groups import records_of_profiles
from gamedeid.study.finished import FinishedRun
from gamedeid.study.prepare import same_hierarchy
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve, solve_again
from gamedeid.study.study import Study

Rules: TypeAlias = Mapping[str, Hierarchy | OpenHierarchy]
"""Attribute -> its hierarchy, which may still be open to the values in the data."""


@frozen(eq=False)
class Applied(Result):
    """New rows, with the strategies of a finished solution.

    Parameters
    ----------
    solution : the outcomes of the new rows.
    rows : number of rows.
    profiles : number of distinct profiles.
    seen_rows : rows whose profile the finished solution had; None if its records are missing.
    seen_profiles : profiles that the finished solution had; None if its records are missing.
    """

    keys: ClassVar = ("rows", "profiles", "seen_rows", "seen_profiles", "new_rows", "new_profiles")

    solution: Solution
    rows: Count
    profiles: Count
    seen_rows: Count | None
    seen_profiles: Count | None

    @property
    def new_rows(self) -> Count | None:
        """Rows whose profile the finished solution did not have; None if its records are missing."""
        return None if self.seen_rows is None else self.rows - self.seen_rows

    @property
    def new_profiles(self) -> Count | None:
        """Profiles that the finished solution did not have; None if its records are missing."""
        return None if self.seen_profiles is None else self.profiles - self.seen_profiles


def apply(
    folder: str | PathLike[str],
    records: Any,
    scenario: ScenarioLike | None = None,
    *,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> Applied:
    """Release new rows by a finished solution: a profile that was released gets the same strategy again.

    In most games a strategy depends on the record's own values, the population, the hierarchies and the scenario, and
    on no other record. So the new rows are solved alone, after a check that none of these has changed. In a game of the
    whole population, a profile of the finished run keeps its strategy, and others join groups that it released;
    profiles without such a group are withheld. If the records are their own population, so are the new rows: these must
    then be all rows, with the earlier ones.

    Parameters
    ----------
    folder : folder of the finished solution, which ``gamedeid run -o`` or ``Solution.write`` has written.
    records : path of the new rows, or a data frame of them; their columns are those of the scenario.
    scenario : the question, which gives the paths of the files; without it, they are searched for from the current
        folder, by their names in the manifest.
    read_options : how files are read (default: as suits their size).
    progress : opens a phase by name, and returns its callback for (done, total).

    Returns
    -------
    the outcomes of the new rows, and how many of them are new. ``Applied.solution.write`` writes them.

    Raises
    ------
    OutputError : the folder holds no results of a run, or those of another version.
    InvalidScenarioError : the scenario has changed; the records were their own population (except in a game of the
        whole population), a sample of an unknown population, or a data frame; a hierarchy was no file; several rows
        belong to one person or missing values are shown (except in a game of the whole population that the records
        are); or there were limits on the whole dataset, earlier releases, or a recipient who knows kept columns.
    InvalidDataError : population or hierarchies have changed; a hierarchy takes its values from the data, and the new
        rows change them; or the new rows do not fit the scenario.
    InvalidHierarchyError : a hierarchy is missing or invalid.
    MissingExtraError : DuckDB, which is to read the rows, is not installed.
    """
    finished = FinishedRun.read(folder)
    refuse_unsupported(Operation.OTHER_ROWS, finished.features, finished.folder)
    given = finished.question(scenario)
    finished.refuse_changes(given)
    question, frame = given, records
    if isinstance(records, str | PathLike):
        changed = given.records.model_copy(update={"path": Path(records).absolute()})
        overridden = tuple(dict.fromkeys([*finished.stored.overridden, "records.path"]))
        question, frame = given.model_copy(update={"records": changed, "overridden": overridden}), None
    before, rules = read_inputs(given, records=False)
    finished.refuse_other_inputs(before.digests, records=False)
    study = Study.prepare(question, frame, read_options=read_options, progress=progress)
    finished.refuse_other_inputs(study.inputs.digests, records=False)
    known = _known_profiles(finished, given, rules, study, read_options)
    _refuse_other_domains(finished, given, rules, study, known)
    if finished.stored.knows_mechanism:
        solution = _apply_plan(finished, given, study, read_options)
    else:
        solution = solve_again(study, finished.game, finished.stored.solver, progress(f"{finished.game} game"))
    profiles = study.instance.profiles
    seen = None if known is None else _are_known(profiles, known)
    return Applied(
        solution=replace(solution, applies=finished.stored.digest),
        rows=study.records,
        profiles=profiles.count,
        seen_rows=None if seen is None else int(records_of_profiles(study)[seen].sum()),
        seen_profiles=None if seen is None else int(seen.sum()),
    )


def finished_solution(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None,
    *,
    operation: Operation | None = None,
    read_options: ReadOptions,
    progress: Phases,
) -> Solution:
    """Return a finished solution again.

    A game of the whole population has written the strategies of all people, which are read. Otherwise the question is
    solved again, after a check that scenario and inputs are those of the folder, and that its files match its manifest:
    the same question gives the same strategies.
    """
    finished, study = finished_study(
        folder, scenario, operation=operation, read_options=read_options, progress=progress
    )
    if PLAN in finished.stored.outputs:
        return finished.planned_solution(study)
    solution = solve_again(study, finished.game, finished.stored.solver, progress(f"{finished.game} release"))
    finished.refuse_other_results(solution)
    return solution


def finished_study(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None,
    *,
    operation: Operation | None,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases,
) -> tuple[FinishedRun, Study]:
    """Return a finished run, and its question with the data of the run; nothing is solved."""
    finished = FinishedRun.read(folder)
    if operation is not None:
        refuse_unsupported(operation, finished.features, finished.folder)
    question = finished.same_question(scenario)
    study = Study.prepare(question, read_options=read_options, progress=progress)
    finished.refuse_other_inputs(study.inputs.digests, records=True)
    return finished, study


def _apply_plan(finished: FinishedRun, given: Scenario, study: Study, read_options: ReadOptions) -> Solution:
    """Apply the plan of a game of the whole population to rows: none of them opens a group."""
    if not finished.original_records(given):
        raise InvalidDataError(
            f"{finished.folder}: {PLAN} has no values, and the records of the finished run, which show whose its "
            "levels are, are not where the scenario says; put them there, or run again with all rows"
        )
    finished.refuse_changed_files()
    before = finished.planned_solution(Study.prepare(given, read_options=read_options))
    for name, hierarchy in study.instance.hierarchies.items():
        if not same_hierarchy(hierarchy, before.study.instance.hierarchies[name]):
            raise _other_domain(finished, f"those of {quoted(name)} are others")
    now, instance = PopulationAndRecords.of(study.instance, study.population.cells), study.instance
    joined = join_groups(cast("Plan", before.mechanism), now)
    of_record, records = now.of_record_profile, instance.profiles.records
    nodes, planned, too_small = joined.nodes[of_record], joined.planned[of_record], joined.group_too_small[of_record]
    withheld, total = nodes == WITHHELD, int(records.sum())
    released = np.flatnonzero(~withheld)
    people = aware_people(now.instance, joined.nodes, instance, nodes)[released]
    replies = Replies(adversaries=instance.adversaries, people=(people,))
    paid = instance.publisher_payoffs(released, nodes[released], replies)
    bounds = solve(study, game="no-attack" if finished.game == "aware-no-attack" else "basic").publisher_payoff
    counted = {
        "as_planned": planned & ~withheld,
        "joined": ~planned & ~withheld,
        "withheld_as_planned": planned & withheld & ~too_small,
        "no_group": ~planned & withheld & ~too_small,
        "group_too_small": too_small,
    }
    asked = given.groups
    facts = PlanFacts(
        planned_for="population" if asked is None else asked.planned_for,
        applied=AppliedGroups(**{name: int(records[those].sum()) for name, those in counted.items()}),
        publisher_payoff=dot(records[released], paid) / total,
        payoff_bound=dot(records, bounds) / total,
        bound_by="naive game",
    )
    made = Plan(population=now, nodes=joined.nodes, facts=facts)
    choice = Choice.unsearched(nodes, bounds=bounds)
    return Solution(study=study, name=finished.game, solver=finished.stored.solver, choice=choice, mechanism=made)


def _known_profiles(
    finished: FinishedRun, given: Scenario, rules: Rules, study: Study, read_options: ReadOptions
) -> Profiles | None:
    """Return the profiles of the finished run; None if its records are missing."""
    if not finished.original_records(given):
        return None
    table = read_records(given, None, read_options)
    for name, hierarchy in study.instance.hierarchies.items():
        rule = rules[name]
        if isinstance(rule, OpenHierarchy) and rule.unlisted is not None:
            held = table.columns[name].held
            if any(rule.reads(value) and hierarchy.listed_code(value) is None for value in held):
                raise _other_domain(finished, "the records of the finished run have values that are in neither")
    try:
        codes = study.encoded(table.columns)
    except InvalidDataError:
        raise _other_domain(finished, "the records of the finished run have values that are in neither") from None
    if table.person_of_row is None:
        return Profiles.of(codes, list(study.instance.hierarchies.values()))
    return profiles_of_people(codes, table.person_of_row, study.instance.hierarchies)[0]


def _refuse_other_domains(
    finished: FinishedRun, given: Scenario, rules: Rules, study: Study, known: Profiles | None
) -> None:
    """Refuse hierarchies that take their values from the data, if these have other values than before."""
    section = given.population
    if section is None or section.unmatched == "error":  # all values are those of the population, which is unchanged
        return
    for place, (name, hierarchy) in enumerate(study.instance.hierarchies.items()):
        rule = rules[name]
        if not isinstance(rule, OpenHierarchy):
            continue
        if known is None:
            raise _other_domain(finished, f"whether {quoted(name)} has, only the records of the finished run can show")
        there = np.union1d(study.population.cells.codes[:, place], known.codes[:, place])
        listed = hierarchy.listed_part().leaves
        found = {listed[leaf] for leaf in there.tolist() if leaf < len(listed)}
        if not found or rule.leaves_of(found) != listed:
            raise _other_domain(finished, f"the new rows have values of {quoted(name)} that are in neither")


def _other_domain(finished: FinishedRun, why: str) -> InvalidDataError:
    return InvalidDataError(
        f"{finished.folder}: a hierarchy takes its values from records and population, and other values change its "
        f"groups and all strategies; {why}; run again with all rows"
    )


def _are_known(profiles: Profiles, known: Profiles) -> BoolArray:
    """Return which profiles, (q,), are among known ones."""
    _, place, _ = distinct_rows(np.concatenate([known.keys, profiles.keys]))
    there = np.zeros(int(place.max()) + 1, np.bool_)
    there[place[: known.count]] = True
    found: BoolArray = there[place[known.count :]]
    return found
