"""A question with a file of data for each region, solved region by region, since the data do not fit in memory."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, partial, reduce
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.choices import GAMES, Unmatched
from gamedeid.data.encode import LeafCache
from gamedeid.data.engines.options import IN_MEMORY
from gamedeid.data.hierarchies import close_hierarchy
from gamedeid.data.persons import RepeatedKey, repeated_keys
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.question_tables import ReadTables, read_tables
from gamedeid.data.roles import refuse_unstated_roles
from gamedeid.data.tables import first_rows_of_files
from gamedeid.errors import InvalidDataError, InvalidHierarchyError, InvalidScenarioError, quoted
from gamedeid.file_identity import Inputs
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import strategy_totals
from gamedeid.game.policies import CompiledPolicy, compile_policy, find_restricted
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.parallel import cores, map_in_parallel
from gamedeid.population.choose import CountedPopulation
from gamedeid.population.cubes import RegionalCounts
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, brief, frozen
from gamedeid.results.resume import FinishedParts
from gamedeid.scenario.inputs import read_inputs, region_scenarios
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.sections import Regions
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.prepare import attribute_weights, code_tables

SOLVING = "solving the regions"
"""Name of the second pass."""

Region: TypeAlias = Callable[[], tuple[Profiles, PopulationCells]]
"""A function that reads, or makes, the profiles and the people of one region, the same at each call."""


@brief
class SolvedRegion(NamedTuple):
    """The solution of a region.

    Parameters
    ----------
    unlisted : attribute -> how many records have a value that its hierarchy does not list.
    totals : the policy and the games by name -> sums over the records.
    """

    profiles: int
    people: int
    rows: int
    unmatched: int
    unlisted: Mapping[str, int]
    totals: Mapping[str, Totals]


@frozen(eq=False, slots=False)
class RegionalStudy(Shown):
    """One question with a file of data for each region.

    Parameters
    ----------
    scenario : the question, with ``[regions]``.
    hierarchies : attribute -> its hierarchy, with the values of all regions.
    regions : name -> function that reads its profiles and people.
    policy : the scenario's policy.
    repeated_keys : columns of the records that repeat like a person's key, though each row is counted as a person.
    inputs : the files of the question, each as it was before it was opened.
    workers : regions that are in memory at the same time.

    Raises
    ------
    InvalidScenarioError : the attribute by which regions differ has no such level below its top.
    """

    shown = ("scenario.title", "scenario.attributes", "workers")

    scenario: Scenario
    hierarchies: Mapping[str, Hierarchy]
    regions: Mapping[str, Region]
    policy: CompiledPolicy
    repeated_keys: tuple[RepeatedKey, ...]
    inputs: Inputs
    workers: int

    def __post_init__(self) -> None:
        attribute, level = self.divided.attribute, self.divided.level
        if not 0 <= level < self.hierarchies[attribute].levels - 1:
            raise InvalidScenarioError(
                f"regions by {quoted(attribute)} at level {level}: expected a level from 0 to "
                f"{self.hierarchies[attribute].levels - 2}"
            )

    @property
    def divided(self) -> Regions:
        """The attribute and the level at which no two regions share a group."""
        return cast("Regions", self.scenario.regions)

    @property
    def is_own_population(self) -> bool:
        """Whether the records are their own population."""
        return self.scenario.population is None

    @property
    def unmatched(self) -> Unmatched:
        """Treatment of a record that matches no one."""
        return "error" if self.scenario.population is None else self.scenario.population.unmatched

    @cached_property
    def lattice(self) -> Lattice:
        """The strategies of a record."""
        return Lattice.of(list(self.hierarchies.values()))

    @property
    def _may_be_missing(self) -> dict[str, bool]:
        """Attribute -> whether its values may be missing: never those of the one by which regions differ."""
        suppressed = self.scenario.records.may_be_missing
        return {name: suppressed and name != self.divided.attribute for name in self.hierarchies}

    @classmethod
    def prepare(
        cls, scenario: ScenarioLike, *, workers: int | None = None, progress: Phases = no_progress
    ) -> "RegionalStudy":
        """Examine all files, and read the values that the question takes from the data: those of open hierarchies.

        Parameters
        ----------
        scenario : the question, with ``[regions]``; or the path of its file, or a dict with its sections.
        workers : regions that are in memory at the same time (default: the number of cores).
        progress : called with the name of each phase; returns its callback for (done, total).

        Raises
        ------
        GamedeidError : an input is wrong; the message names input and fault in one line.
        """
        scenario = scenario_of(scenario)
        workers = cores() if workers is None else workers
        if workers < 1:
            raise InvalidScenarioError(f"workers must be at least 1, not {workers}")
        inputs, hierarchies = read_inputs(scenario)
        asked = region_scenarios(scenario)
        refuse_unstated_roles(scenario, hierarchies)
        closed = _close_hierarchies(asked, hierarchies, workers, progress)
        no_codes = np.zeros((0, len(closed)), np.int32)
        no_people = PopulationCells.of(no_codes, np.zeros(0, np.int64), list(closed.values()))
        known_leaves = LeafCache()
        return cls(
            scenario=scenario,
            hierarchies=closed,
            regions={name: partial(read_region, of_region, closed, known_leaves) for name, of_region in asked.items()},
            policy=compile_policy(scenario.floor, scenario, closed, find_restricted(scenario, closed, no_people)),
            repeated_keys=repeated_keys(
                scenario.records.keep,
                scenario.records.drop,
                scenario.records.missing_values,
                partial(first_rows_of_files, list(asked.values())),
            ),
            inputs=inputs,
            workers=workers,
        )

    def solve(
        self,
        *,
        parts: FinishedParts | None = None,
        on_solved: Callable[[str, Mapping[str, IntArray]], None] | None = None,
        progress: Phases = no_progress,
    ) -> dict[str, SolvedRegion]:
        """Return the solution of each region, in their order, with the profiles of only a few in memory at a time.

        A first pass over the regions counts the people of all of them for the coarse strategies; a second pass solves
        each exactly, on one core, with as many at a time as there are workers. The answers are those of
        :func:`gamedeid.game.solvers.exact` on all profiles together, whatever the number of workers.

        Parameters
        ----------
        parts : store of finished regions, from which those of an earlier run are taken.
        on_solved : called with the region, and the strategies of its profiles, (q,), under the policy and in each game,
            region after region in their order, as soon as a region is solved; not for stored regions.
        progress : called with the name of each phase; returns its callback for (regions done, all regions).
        """
        solved = {} if parts is None else _stored_regions(self.regions, parts)
        left = [name for name in self.regions if name not in solved]
        counts = self._empty_counts()
        if left:
            self._count_people(counts, progress)
        report_progress = progress(SOLVING)

        def solve(worker: int, name: str) -> tuple[SolvedRegion, dict[str, IntArray]]:
            with _naming_region(name):
                return self._solve_region(*self.regions[name](), counts, worker)

        for name, (region, nodes) in zip(left, map_in_parallel(solve, left, self.workers), strict=True):
            solved[name] = region
            if on_solved is not None:
                on_solved(name, nodes)
            if parts is not None:
                totals = {policy: total._asdict() for policy, total in region.totals.items()}
                parts.write_values(_part_name(name), {**region._asdict(), "totals": totals})
            report_progress(len(solved), len(self.regions))
        return {name: solved[name] for name in self.regions}

    def _empty_counts(self) -> RegionalCounts:
        """Return counts without people."""
        hierarchies, weights = self.hierarchies, list(attribute_weights(self.scenario).values())
        tables = compile_hierarchy_tables(self.lattice, list(hierarchies.values()), weights)
        return RegionalCounts(
            hierarchies,
            self.lattice,
            tables,
            attribute=list(hierarchies).index(self.divided.attribute),
            level=self.divided.level,
            missing=np.array(list(self._may_be_missing.values())),
            least=int(self.unmatched == "unique"),
            workers=self.workers,
        )

    def _count_people(self, counts: RegionalCounts, progress: Phases) -> None:
        """Count the people of all regions together, and check that no two regions share a group."""
        report_progress = progress("counting people")

        def read(_: int, name: str) -> tuple[PopulationCells, list[int]]:
            with _naming_region(name):
                profiles, cells = self.regions[name]()
                return cells, self._groups_of_region(profiles, cells)

        region_of: dict[int, str] = {}
        read_regions = zip(self.regions, map_in_parallel(read, self.regions, self.workers), strict=True)
        for done, (name, (cells, groups)) in enumerate(read_regions, start=1):
            for group in groups:
                if region_of.setdefault(group, name) != name:
                    raise InvalidDataError(
                        f"regions {quoted(region_of[group])} and {quoted(name)} share a group of "
                        f"{quoted(self.divided.attribute)} at level {self.divided.level}"
                    )
            counts.add_region(cells)
            report_progress(done, len(self.regions))

    def _groups_of_region(self, profiles: Profiles, cells: PopulationCells) -> list[int]:
        """Return the groups in which people live, and check that the records have no others."""
        attribute, level = self.divided.attribute, self.divided.level
        place = list(self.hierarchies).index(attribute)
        if profiles.floors is not None or cells.floors is not None:
            raise InvalidDataError("people whose records differ cannot be solved region by region; solve them together")
        for unit, missing in (("records", profiles.missing[:, place]), ("people", cells.missing[place])):
            if np.any(missing):
                raise InvalidDataError(
                    f"{unit} without a value of {quoted(attribute)}, by which the regions differ; compare all records "
                    "together"
                )
        if (np.array(cells.missing) & ~np.array(list(self._may_be_missing.values()))).any():
            raise InvalidDataError("people without a value of an attribute that was not announced as missing")
        group_of_leaf = np.append(self.hierarchies[attribute].groups[level], -1)
        groups = np.unique(group_of_leaf[cells.codes[:, place]])
        if not np.isin(group_of_leaf[profiles.codes[:, place]], groups).all():
            raise InvalidDataError(
                f"some records have a value of {quoted(attribute)} that no person there has at level {level}; take a "
                "higher level, or compare all records together"
            )
        return [int(group) for group in groups]

    def _solve_region(
        self, profiles: Profiles, cells: PopulationCells, counts: RegionalCounts, worker: int
    ) -> tuple[SolvedRegion, dict[str, IntArray]]:
        """Return the solution of a region, and the strategies of its profiles, (q,), by policy and game."""
        own = counts.region(cells, worker)
        data = CompiledData(
            hierarchies=self.hierarchies,
            weights=attribute_weights(self.scenario),
            lattice=self.lattice,
            hierarchy_tables=own.hierarchy_tables,
            profiles=profiles,
            population=CountedPopulation(cells=cells, unmatched=self.unmatched),
            counts=own,
        )
        data.check_matches()
        instance = Instance.of(data, Payoffs.of(self.scenario.payoffs, self.scenario.recipients))
        policy = self.policy.apply(profiles).levels
        nodes: dict[str, IntArray] = {self.policy.name: self.lattice.nodes(policy).astype(np.int32)}
        nodes |= {name: exact(instance, Game.of(name, instance, policy)).nodes for name in GAMES}
        matching = own.matching(profiles, self.lattice.nodes(instance.base))
        solved = SolvedRegion(
            profiles=profiles.count,
            people=int(cells.people.sum()),
            rows=len(cells.people),
            unmatched=int(profiles.records[matching == 0].sum()),
            unlisted=profiles.unlisted,
            totals={name: strategy_totals(instance, chosen) for name, chosen in nodes.items()},
        )
        return solved, nodes


@contextmanager
def _naming_region(region: str) -> Iterator[None]:
    """Name the region in messages about its data."""
    try:
        yield
    except InvalidDataError as error:
        raise type(error)(f"region {quoted(region)}: {error}", values=error.data_values) from None


def add_totals(solved: Iterable[SolvedRegion]) -> SolvedRegion:
    """Return the totals of at least one region, added in their order, on which rounding depends."""
    regions = list(solved)
    totals = {name: reduce(Totals.plus, (region.totals[name] for region in regions)) for name in regions[0].totals}
    counts = ("profiles", "people", "rows", "unmatched")
    unlisted: Counter[str] = sum((Counter(region.unlisted) for region in regions), Counter())
    return SolvedRegion(
        **{key: sum(getattr(region, key) for region in regions) for key in counts}, unlisted=unlisted, totals=totals
    )


def _part_name(region: str) -> str:
    """Return the name of a region's file, without the name of the region, which may be long or a value."""
    return f"{sha256(region.encode()).hexdigest()[:16]}.json"


def _stored_regions(regions: Iterable[str], parts: FinishedParts) -> dict[str, SolvedRegion]:
    """Return the regions that an earlier run has finished."""
    stored: dict[str, SolvedRegion] = {}
    for name in regions:
        content: Any = parts.read_values(_part_name(name))
        with suppress(KeyError, TypeError):
            totals = {policy: Totals(**total) for policy, total in content["totals"].items()}
            stored[name] = SolvedRegion(**{**content, "totals": totals})
    return stored


def read_region(
    scenario: Scenario, hierarchies: Mapping[str, Hierarchy], known_leaves: LeafCache
) -> tuple[Profiles, PopulationCells]:
    """Return the records and the people of a region, in the codes of the hierarchies of all regions."""
    coded = code_tables(scenario, hierarchies, _read(scenario), known_leaves)
    return coded.profiles, coded.population.cells


def _read(scenario: Scenario) -> ReadTables:
    """Return the tables of a region."""
    return read_tables(scenario, None, None, IN_MEMORY, no_progress)


def _close_hierarchies(
    asked: Mapping[str, Scenario], hierarchies: Mapping[str, Hierarchy | OpenHierarchy], workers: int, progress: Phases
) -> dict[str, Hierarchy]:
    """Return the hierarchies, the open ones closed with the values found in any region."""
    still_open = {name: one for name, one in hierarchies.items() if isinstance(one, OpenHierarchy)}
    closed = {name: one for name, one in hierarchies.items() if isinstance(one, Hierarchy)}
    if not still_open:
        return closed
    report_progress = progress("reading the values of the regions")
    found: dict[str, set[object]] = {name: set() for name in still_open}

    def values(_: int, scenario: Scenario) -> dict[str, set[object]]:
        tables = _read(scenario).by_name.values()
        return {name: {value for table in tables for value in table.columns[name].held} for name in still_open}

    for done, one in enumerate(map_in_parallel(values, asked.values(), workers), start=1):
        for name in still_open:
            found[name] |= one[name]
        report_progress(done, len(asked))
    for name, hierarchy in still_open.items():
        try:
            closed[name] = hierarchy.close(found[name])
        except InvalidHierarchyError as error:
            for scenario in asked.values():  # for the region with the fault, this raises a better message
                close_hierarchy(name, hierarchy, _read(scenario).by_name)
            faults = [f"column {quoted(name)}: {fault}" for fault in error.faults]
            raise InvalidHierarchyError(*faults, values=error.data_values) from None
    return {name: closed[name] for name in hierarchies}
