"""A finished folder of results: its question, its plan, and checks that nothing has changed."""

import io
from collections.abc import Collection, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from gamedeid.arrays import BoolArray, sealed
from gamedeid.capabilities import Feature, Features, without_limits
from gamedeid.choices import PLAN
from gamedeid.errors import GamedeidError, InvalidDataError, InvalidScenarioError, OutputError, listed, quoted
from gamedeid.file_identity import digest_path
from gamedeid.game.mechanism.aware_people import PopulationAndRecords
from gamedeid.game.mechanism.plan import Plan
from gamedeid.game.solvers import Choice
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.results.file import read_regular
from gamedeid.results.folder import FolderWriter
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import SUMMARY, StoredResults
from gamedeid.results.tables import write_blocks
from gamedeid.scenario.inputs import input_paths
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study


def write_plan(folder: FolderWriter, plan: Plan, *, defuse: bool) -> None:
    """Write the strategies of all people into a folder of results."""
    instance, nodes = plan.population.instance, plan.nodes[_have_row(plan.population)]
    withheld = nodes == WITHHELD
    levels = instance.lattice.levels(np.where(withheld, 0, nodes))
    levels[withheld] = np.array(instance.lattice.levels_of(instance.lattice.size - 1))
    columns = {name: pa.array(levels[:, place]) for place, name in enumerate(instance.hierarchies)}
    table = pa.table([*columns.values(), pa.array(withheld)], names=[*columns, "withheld"])
    with folder.open(PLAN) as stream:
        write_blocks([table], stream, "csv", defuse=defuse)


def read_plan(folder: Path, study: Study) -> Plan:
    """Read the strategies of all people from a folder of results."""
    population = PopulationAndRecords.of(study.instance, study.population.cells)
    listed, lattice = np.flatnonzero(_have_row(population)), study.instance.lattice
    tops = np.array(lattice.levels_of(lattice.size - 1))
    wrong = InvalidDataError(f"{folder / PLAN}: does not hold the strategies of this population and these records")
    try:
        table = pyarrow.csv.read_csv(io.BytesIO(read_regular(folder / PLAN)))
        *columns, withheld = (column.to_numpy(zero_copy_only=False) for column in table.columns)
        levels = np.stack(columns, axis=1).astype(np.int64)
        fixed = len(study.instance.data.hierarchies) - len(study.instance.hierarchies)
        levels = np.pad(levels, ((0, 0), (0, fixed)))  # classes of people have one level
    except (OSError, ValueError, pa.ArrowException):
        raise wrong from None
    if levels.shape != (len(listed), len(tops)) or withheld.dtype != np.bool_ or (levels > tops).any():
        raise wrong
    nodes = np.full(population.instance.profiles.count, WITHHELD, np.int64)
    nodes[listed] = np.where(withheld, WITHHELD, lattice.nodes(levels))
    return Plan(population=population, nodes=sealed(nodes, np.int64))


def _have_row(population: PopulationAndRecords) -> BoolArray:
    """Return which profiles, (p,), have a row in the plan: those of people, and those of records."""
    listed: BoolArray = (population.people > 0) | (population.records > 0)
    return listed


_FILE_KEYS = ("records.path.", "records.columns.", "records.encoding.", "population.path.")
_MAY_DIFFER = ("title.", "sources.", "records.value_labels.", "identifiers.", *_FILE_KEYS)
"""Prefixes of keys on which no strategy depends; for files, digests are compared."""


@frozen(eq=False)
class FinishedRun:
    """A stored run that is read again with its data."""

    stored: StoredResults
    scenario: Scenario

    @classmethod
    def read(cls, folder: str | PathLike[str]) -> "FinishedRun":
        """Read the manifest of a folder."""
        stored = StoredResults.read_run(folder)
        where = f"{stored.folder / MANIFEST}, scenario"
        return cls(stored=stored, scenario=Scenario.parse(stored.question, where=where))

    @property
    def folder(self) -> Path:
        """The path of the folder."""
        return self.stored.folder

    @property
    def game(self) -> str:
        """The game or policy."""
        return self.stored.game

    @property
    def features(self) -> Features:
        """Features of its question that operations may refuse; a policy has no limits."""
        found = self.scenario.features
        if self.stored.knows_mechanism:
            return {**found, Feature.AWARE: f"the game {self.game}"}
        return found if self.stored.is_game else without_limits(found)

    def question(self, given: ScenarioLike | None) -> Scenario:
        """Return the given scenario, or else that of the folder, with paths from the current folder."""
        if given is not None:
            return scenario_of(given)
        paths = input_paths(self.scenario)
        absent = [name for name, path in paths.items() if name != "records" and (path is None or not path.exists())]
        if absent:
            raise InvalidDataError(
                f"{self.folder}: the {absent[0]} of the run cannot be found from the current folder; "
                "give the scenario, which says where the files are"
            )
        return self.scenario

    def same_question(self, given: ScenarioLike | None) -> Scenario:
        """Return the unchanged question, whose records can be read again; no file of the folder may have changed."""
        self.refuse_changed_files()
        if self.stored.is_of_one_person:
            raise InvalidScenarioError(f"{self.folder}: is about one person, who is not named in it; run with all rows")
        if "records" not in self.stored.input_digests:
            raise InvalidScenarioError(
                f"{self.folder}: its records were a data frame, so they cannot be read again; run again from a file"
            )
        question = self.question(given)
        self.refuse_another_question(question)
        return question

    def refuse_another_question(self, question: Scenario, parts: Collection[str] = ()) -> None:
        """Refuse a scenario that differs in a key, of ``parts`` (default: all), on which strategies may depend."""
        keys = _differing_keys(self.scenario.resolved(), question.resolved())
        changed = sorted(key for key in keys if not f"{key}.".startswith(_MAY_DIFFER))
        if parts:
            changed = [key for key in changed if key.partition(".")[0] in parts]
        if changed:
            over = [one for one in self.stored.overridden if any(f"{one}.".startswith(f"{key}.") for key in changed)]
            why = f"overridden for the run, so override them in the same way: {listed(over)}" if over else ""
            why = why or "give the scenario as it was, or run again"
            raise InvalidScenarioError(f"{self.folder}: the scenario has changed since, in {listed(changed)}; {why}")

    def refuse_changes(self, question: Scenario) -> None:
        """Refuse a question in which a strategy may differ from that of the finished run."""
        self.refuse_another_question(question)
        own = question.population is None
        if not own and "population" not in self.stored.input_digests:
            raise InvalidScenarioError(
                f"{self.folder}: its population was a data frame, so it may be another one; run again with all rows"
            )
        for name, attribute in question.attributes.items():
            if isinstance(attribute.hierarchy, Hierarchy) or f"hierarchy {name}" not in self.stored.input_digests:
                raise InvalidScenarioError(
                    f"{self.folder}: the hierarchy of {quoted(name)} was no file, so it may be another one; run again"
                )

    def refuse_other_inputs(self, digests: Mapping[str, str], *, records: bool) -> None:
        """Refuse inputs, given as name -> SHA-256 in hex, that are not those of the finished run."""
        since = "since the run" if records else "since the run, and with it the strategies; run again with all rows"
        for name in sorted({*self.stored.input_digests, *digests} - (set() if records else {"records"})):
            if self.stored.input_digests.get(name) != digests.get(name):
                path = f"{name}.path"
                if path in self.stored.overridden:
                    since = f"{since}; {quoted(path)} was overridden for the run, so override it in the same way"
                raise InvalidDataError(f"{self.folder}: the input {quoted(name)} has changed {since}")

    def refuse_changed_files(self) -> None:
        """Refuse a folder with a file that does not match its manifest."""
        for name, _ in self.stored.changes():
            raise OutputError(
                f"{self.folder / name} is not the file that {MANIFEST} names; verify(folder) lists all changes",
                arguments=["verify(folder)"],
            )

    def planned_solution(self, study: Study) -> Solution:
        """Return the solution by the plan in the folder, the strategies of all people."""
        plan = read_plan(self.folder, study)
        choice = Choice.unsearched(plan.nodes_of_records)
        solution = Solution(study=study, name=self.game, solver=self.stored.solver, choice=choice, mechanism=plan)
        self.refuse_other_results(solution)
        return solution

    def refuse_other_results(self, solution: Solution) -> None:
        """Refuse a folder whose measures are not those of its question when solved again."""
        summary = self.stored.document(SUMMARY)
        measures = summary.get("measures") if isinstance(summary, Mapping) else None
        if measures != solution.measures:
            raise InvalidDataError(
                f"{self.folder}: its question, solved again, has other results; was a data frame its population? "
                "verify(folder) lists the differences",
                arguments=["verify(folder)"],
            )

    def original_records(self, question: Scenario) -> bool:
        """Return whether the records of the finished run are present and unchanged."""
        if question.records.path is None or "records" not in self.stored.input_digests:
            return False
        try:
            return digest_path(question.folder / question.records.path) == self.stored.input_digests["records"]
        except GamedeidError:
            return False


def _differing_keys(one: Any, other: Any, before: str = "") -> Iterator[str]:
    """Yield the dotted keys in which nested tables differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in {**one, **other}:
            yield from _differing_keys(one.get(key), other.get(key), f"{before}.{key}" if before else str(key))
    elif one != other:
        yield before
