"""A scenario whose data lie in a file for each region: what the regions are asked, and how each is read."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.data.encode import KnownLeaves
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.hierarchies import close_hierarchy
from gamedeid.data.inputs import read_inputs, region_scenarios
from gamedeid.data.persons import RepeatedKey
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.tables import AttributeTable, open_records, read_population
from gamedeid.errors import InvalidHierarchyError, InvalidScenarioError, quoted
from gamedeid.file_identity import Inputs
from gamedeid.game.instance import Instance
from gamedeid.game.policies import CompiledPolicy, compile_policy, refuse_unstated_roles, restricted_in
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.parallel import cores, side_by_side
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.sections import SAFE_HARBOR
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.prepare import ReadTables, code_tables, read_tables
from gamedeid.study.regional import Region, RegionalQuestion

IN_MEMORY = ReadOptions(engine="memory")
"""Each region is held in memory while it is worked on."""


@frozen(eq=False, slots=False)
class RegionalStudy(Shown):
    """One question about data that lie in a file for each region.

    Parameters
    ----------
    scenario : the question.
    question : what is asked of every region.
    regions : name -> how its profiles and people are read.
    policy : the scenario's policy.
    repeated_keys : columns of the first region's records that repeat like a person's key, though each row is counted as
        a person.
    inputs : the files that all this is read from, as they were before the first of them was opened.
    workers : regions that are in memory at a time.
    """

    shown = ("scenario.title", "scenario.attributes", "workers")

    scenario: Scenario
    question: RegionalQuestion
    regions: Mapping[str, Region]
    policy: CompiledPolicy
    repeated_keys: tuple[RepeatedKey, ...]
    inputs: Inputs
    workers: int

    @property
    def is_own_population(self) -> bool:
        """Whether the records are their own population."""
        return self.scenario.population is None

    @property
    def strategies(self) -> int:
        """How many strategies a record has."""
        return Lattice.of(list(self.question.hierarchies.values())).size

    @classmethod
    def prepare(
        cls, scenario: ScenarioLike, *, workers: int | None = None, progress: Phases = no_progress
    ) -> "RegionalStudy":
        """Look at all files, and read of them what the question takes from the data: the values of open hierarchies.

        Parameters
        ----------
        scenario : the question, with ``[regions]``; or the path of its file, or a dict with its sections.
        workers : regions that are in memory at a time; as many as there are cores unless given.
        progress : called with the name of each phase; returns what is called with (done, total).

        Raises
        ------
        GamedeidError : a child of it that says what is wrong with which input.
        """
        scenario = scenario_of(scenario)
        workers = cores() if workers is None else workers
        if workers < 1:
            raise InvalidScenarioError(f"workers must be at least 1, not {workers}")
        inputs, hierarchies = read_inputs(scenario)
        divided, asked = region_scenarios(scenario)
        if scenario.floor == SAFE_HARBOR:
            refuse_unstated_roles(scenario, hierarchies)
        first = read_tables(next(iter(asked.values())), None, None, IN_MEMORY, None)
        closed = _closed(asked, hierarchies, workers, progress)
        nobody = np.zeros((0, len(closed)), np.int32)
        ladders = list(closed.values())
        restricted = restricted_in(scenario, closed, PopulationCells.of(nobody, np.zeros(0, np.int64), ladders))
        known_leaves = KnownLeaves()
        policy = compile_policy(scenario.floor, scenario, closed, restricted)
        suppressed = scenario.records.missing == "suppress"

        def levels(instance: Instance) -> IntArray:
            return policy.apply(instance.profiles).levels

        question = RegionalQuestion(
            hierarchies=closed,
            weights={name: attribute.weight for name, attribute in scenario.attributes.items()},
            payoffs=Payoffs.of(scenario.payoffs, scenario.recipients),
            attribute=divided.attribute,
            level=divided.level,
            policy=levels,
            missing=[name for name in closed if suppressed and name != divided.attribute],
            unmatched="error" if scenario.population is None else scenario.population.unmatched,
        )
        return cls(
            scenario=scenario,
            question=question,
            regions={name: partial(read_region, of_region, closed, known_leaves) for name, of_region in asked.items()},
            policy=policy,
            repeated_keys=first.records.repeated_keys,
            inputs=inputs,
            workers=workers,
        )


def _read(scenario: Scenario) -> ReadTables:
    """Return the tables of a region; a file that holds both records and people is read once."""
    population, path = scenario.population, scenario.records.path
    computed = any(attribute.is_computed for attribute in scenario.attributes.values())
    if population is None or path is None or population.path != path or computed:
        return read_tables(scenario, None, None, IN_MEMORY, None)
    open_records(scenario)  # what is wrong with its columns is said as of any records
    people = read_population(scenario, population, None, IN_MEMORY)
    ones = np.ones(len(people.people), np.int64)
    return ReadTables(
        records=AttributeTable(columns=people.columns, people=ones, rows=None),
        population=people,
        section=population,
        by_name={path.name: people},
        own={},
    )


def read_region(
    scenario: Scenario, hierarchies: Mapping[str, Hierarchy], known_leaves: KnownLeaves
) -> tuple[Profiles, PopulationCells]:
    """Return the records and the people of a region, in the codes of the hierarchies of all.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, with the values of all regions.
    """
    coded = code_tables(scenario, hierarchies, _read(scenario), known_leaves)
    return coded.profiles, coded.population.cells


def _closed(
    asked: Mapping[str, Scenario],
    hierarchies: Mapping[str, Hierarchy | OpenHierarchy],
    workers: int,
    progress: Phases,
) -> dict[str, Hierarchy]:
    """Return the hierarchies, of which the open ones have the values that are found in any region."""
    still_open = {name: one for name, one in hierarchies.items() if isinstance(one, OpenHierarchy)}
    found: dict[str, set[object]] = {name: set() for name in still_open}
    if not still_open:
        return {name: one for name, one in hierarchies.items() if isinstance(one, Hierarchy)}
    report_progress = progress("reading the values of the regions")

    def values(_: int, scenario: Scenario) -> dict[str, set[object]]:
        tables = _read(_only(scenario, still_open))
        return {name: _values(tables, name) for name in still_open}

    for done, one in enumerate(side_by_side(values, asked.values(), workers), start=1):
        for name in still_open:
            found[name] |= one[name]
        report_progress(done, len(asked))
    closed = {}
    for name, hierarchy in hierarchies.items():
        if isinstance(hierarchy, OpenHierarchy):
            try:
                closed[name] = hierarchy.close(found[name])
            except InvalidHierarchyError as error:
                for scenario in asked.values():  # one of them says where the values are
                    close_hierarchy(name, hierarchy, _read(_only(scenario, {name: hierarchy})).by_name)
                raise InvalidHierarchyError(
                    *(f"column {quoted(name)}: {fault}" for fault in error.faults), values=error.data_values
                ) from None
        else:
            closed[name] = hierarchy
    return closed


def _only(scenario: Scenario, names: Mapping[str, object]) -> Scenario:
    """Return the scenario of a region with some of its attributes; the columns of the others are not read."""
    stored = [name for name, one in scenario.attributes.items() if name not in names and not one.is_computed]
    others = [name for name in scenario.attributes if name not in names]
    records = scenario.records.model_copy(update={"drop": (*scenario.records.drop, *stored)})
    update: dict[str, object] = {
        "attributes": {name: scenario.attributes[name] for name in names},
        "records": records,
    }
    if scenario.population is not None:
        drop = (*scenario.population.drop, *others)
        update["population"] = scenario.population.model_copy(update={"drop": drop})
    return scenario.model_copy(update=update)


def _values(tables: ReadTables, name: str) -> set[object]:
    """Return the distinct values of an attribute in the tables of a region."""
    found: set[object] = set()
    for table in tables.by_name.values():
        column = table.columns[name]
        found.update(column.values[place] for place in np.unique(column.codes[column.codes >= 0]).tolist())
    return found
