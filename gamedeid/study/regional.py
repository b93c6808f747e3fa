"""Solve a question region by region: games whose profiles do not fit in memory together."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.choices import GAMES, GameName, Unmatched
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.errors import InvalidDataError, InvalidScenarioError, nearest, quoted
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import total_of
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import Lattice, compile_hierarchy_tables
from gamedeid.parallel import cores, side_by_side
from gamedeid.population.choose import CountedPopulation
from gamedeid.population.regional import RegionalCounts
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.reprs import brief, frozen
from gamedeid.results.resume import FinishedParts
from gamedeid.scenario.payoffs import Payoffs

POLICY: Literal["policy"] = "policy"
"""Stands for the policy among the games that regions are solved for."""

Played: TypeAlias = GameName | Literal["policy"]

SOLVING = "solving the regions"
"""Name of the second pass."""

Region: TypeAlias = Callable[[], tuple[Profiles, PopulationCells]]
"""Reads, or makes, the profiles and the people of one region, the same at each call."""


@brief
class SolvedRegion(NamedTuple):
    """What became of a region.

    Parameters
    ----------
    profiles : distinct records.
    people : of the population.
    rows : of the population's table.
    unmatched : records that match nobody as they are.
    totals : game, or ``POLICY`` -> sums over the records.
    """

    profiles: int
    people: int
    rows: int
    unmatched: int
    totals: Mapping[Played, Totals]


@frozen(eq=False)
class RegionalQuestion:
    """The question that is asked of every region.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, of the whole country.
    weights : attribute -> weight in the information loss.
    payoffs : the stakes.
    attribute : in which regions differ.
    level : of the attribute, at which no two regions share a group; 0 or more, below the top level.
    games : which are played.
    policy : the levels, (q, a), of the profiles of a region's instance; needed by "sh-friendly". Sums are of it too.
    missing : attributes of which values may be missing among the people; ``attribute`` cannot be one.
    unmatched : what a profile that matches nobody is.

    Raises
    ------
    InvalidScenarioError : an attribute or a level that does not exist, or "sh-friendly" without a policy.
    """

    hierarchies: Mapping[str, Hierarchy]
    weights: Mapping[str, float]
    payoffs: Payoffs
    attribute: str
    level: int
    games: Sequence[GameName] = GAMES
    policy: Callable[[Instance], IntArray] | None = None
    missing: Sequence[str] = ()
    unmatched: Unmatched = "error"

    def __post_init__(self) -> None:
        for name in (self.attribute, *self.missing):
            if name not in self.hierarchies:
                raise InvalidScenarioError(f"there is no attribute {quoted(name)}{nearest(name, self.hierarchies)}")
        if not 0 <= self.level < self.hierarchies[self.attribute].levels - 1 or self.attribute in self.missing:
            raise InvalidScenarioError(
                f"regions by {quoted(self.attribute)} at level {self.level}: expected a level from 0 to "
                f"{self.hierarchies[self.attribute].levels - 2}, and no missing values"
            )
        if self.policy is None and "sh-friendly" in self.games:
            raise InvalidScenarioError('the game "sh-friendly" needs a policy; give one, or name other games')

    def as_text(self) -> str:
        """Return what an answer depends on beside the data and the policy."""
        digests = {name: sha256(one.groups.tobytes()).hexdigest() for name, one in self.hierarchies.items()}
        parts = [digests, dict(self.weights), repr(self.payoffs), self.attribute, self.level, list(self.games)]
        return json.dumps([*parts, list(self.missing), self.unmatched, Totals._fields])


def solve_each_region(
    question: RegionalQuestion,
    regions: Mapping[str, Region],
    *,
    parts: FinishedParts | None = None,
    on_solved: Callable[[str, GameName, IntArray], None] | None = None,
    progress: Phases = no_progress,
    workers: int | None = None,
) -> dict[str, SolvedRegion]:
    """Return what became of each region, in their order, with the profiles of a few of them in memory at a time.

    A first pass over the regions counts the people of all of them for the coarse strategies; a second pass solves
    them, each exactly and each on one core, as many at a time as there are workers. The answers are those of
    :func:`gamedeid.game.solvers.exact` on all profiles together, whatever the number of workers.

    Parameters
    ----------
    regions : name -> how its profiles and people are read; no two share a group of the question's attribute.
    on_solved : called with the region, the game and the strategies of its profiles, (q,), region after region in their
        order, as soon as a region is solved; not for stored regions.
    """
    workers = cores() if workers is None else workers
    solved = _stored_regions(question, regions, parts)
    left = [name for name in regions if name not in solved]
    lattice = Lattice.of(list(question.hierarchies.values()))
    counts = _empty_counts(question, lattice, workers)
    if left:
        _count_everybody(question, regions, counts, workers, progress("counting people"))
    report_progress = progress(SOLVING)

    def solve(worker: int, name: str) -> tuple[SolvedRegion, dict[GameName, IntArray]]:
        return _solve_region(question, regions[name], lattice, counts, worker)

    for name, (region, nodes) in zip(left, side_by_side(solve, left, workers), strict=True):
        solved[name] = region
        if on_solved is not None:
            for game, chosen in nodes.items():
                on_solved(name, game, chosen)
        if parts is not None:
            parts.write_values(_part(question, name), _as_values(region))
        report_progress(len(solved), len(regions))
    return {name: solved[name] for name in regions}


def add_up(solved: Iterable[SolvedRegion]) -> SolvedRegion:
    """Return what became of several regions, one at least, together: fractions round by their order."""
    first, *others = solved
    totals = dict(first.totals)
    for region in others:
        totals = {game: total.plus(region.totals[game]) for game, total in totals.items()}
    everyone = [first, *others]
    return SolvedRegion(
        profiles=sum(region.profiles for region in everyone),
        people=sum(region.people for region in everyone),
        rows=sum(region.rows for region in everyone),
        unmatched=sum(region.unmatched for region in everyone),
        totals=totals,
    )


def _as_values(region: SolvedRegion) -> dict[str, Any]:
    """Return a solved region as plain values."""
    return {**region._asdict(), "totals": {game: total._asdict() for game, total in region.totals.items()}}


def _stored_regions(
    question: RegionalQuestion, regions: Mapping[str, Region], parts: FinishedParts | None
) -> dict[str, SolvedRegion]:
    """Return those regions that an earlier run has finished."""
    stored: dict[str, SolvedRegion] = {}
    if parts is None:
        return stored
    for name in regions:
        content: Any = parts.read_values(_part(question, name))
        with suppress(KeyError, TypeError):
            totals = {game: Totals(**total) for game, total in content["totals"].items()}
            stored[name] = SolvedRegion(**{**content, "totals": totals})
    return stored


def _empty_counts(question: RegionalQuestion, lattice: Lattice, workers: int) -> RegionalCounts:
    """Return the counts before anybody is counted."""
    hierarchies = question.hierarchies
    weights = [question.weights[name] for name in hierarchies]
    return RegionalCounts(
        hierarchies,
        lattice,
        compile_hierarchy_tables(lattice, list(hierarchies.values()), weights),
        attribute=list(hierarchies).index(question.attribute),
        level=question.level,
        missing=np.array([name in question.missing for name in hierarchies]),
        least=int(question.unmatched == "unique"),
        workers=workers,
    )


def _count_everybody(
    question: RegionalQuestion,
    regions: Mapping[str, Region],
    counts: RegionalCounts,
    workers: int,
    report_progress: Progress,
) -> None:
    """Count the people of all regions together, and check that no two regions share a group."""

    def read(_: int, name: str) -> tuple[PopulationCells, list[int]]:
        profiles, cells = regions[name]()
        return cells, _groups_of_region(question, name, profiles, cells)

    region_of: dict[int, str] = {}
    for done, (name, (cells, groups)) in enumerate(
        zip(regions, side_by_side(read, regions, workers), strict=True), start=1
    ):
        for group in groups:
            if region_of.setdefault(group, name) != name:
                raise InvalidDataError(
                    f"regions {quoted(region_of[group])} and {quoted(name)} share a group of "
                    f"{quoted(question.attribute)} at level {question.level}"
                )
        counts.add_region(cells)
        report_progress(done, len(regions))


def _solve_region(
    question: RegionalQuestion, region: Region, lattice: Lattice, counts: RegionalCounts, worker: int
) -> tuple[SolvedRegion, dict[GameName, IntArray]]:
    """Return what becomes of a region, and game -> the strategies of its profiles, (q,)."""
    profiles, cells = region()
    own = counts.region(cells, worker)
    data = CompiledData(
        hierarchies=question.hierarchies,
        weights=question.weights,
        lattice=lattice,
        hierarchy_tables=own.hierarchy_tables,
        profiles=profiles,
        population=CountedPopulation(cells=cells, unmatched=question.unmatched),
        counts=own,
    )
    data.check_matches()
    instance = Instance.of(data, question.payoffs)
    policy = instance.base if question.policy is None else question.policy(instance)
    nodes = {name: exact(instance, Game.of(name, instance, policy)).nodes for name in question.games}
    totals: dict[Played, Totals] = {name: total_of(instance, chosen) for name, chosen in nodes.items()}
    if question.policy is not None:
        totals[POLICY] = total_of(instance, lattice.nodes(policy).astype(np.int32))
    matching = own.matching(profiles, lattice.nodes(instance.base))
    solved = SolvedRegion(
        profiles=profiles.count,
        people=int(cells.people.sum()),
        rows=len(cells.people),
        unmatched=int(profiles.records[matching == 0].sum()),
        totals=totals,
    )
    return solved, nodes


def _groups_of_region(question: RegionalQuestion, name: str, profiles: Profiles, cells: PopulationCells) -> list[int]:
    """Return the groups in which people live, and check that the records have no others."""
    attribute, level = question.attribute, question.level
    if profiles.floors is not None or cells.floors is not None:
        raise InvalidDataError(
            f"region {quoted(name)}: people whose records differ cannot be solved region by region; solve them together"
        )
    has_missing = zip(question.hierarchies, cells.missing, strict=True)
    if any(missing and one not in question.missing for one, missing in has_missing):
        raise InvalidDataError(
            f"region {quoted(name)}: people without a value of an attribute that was not announced as missing"
        )
    place = list(question.hierarchies).index(attribute)
    group_of_leaf = np.append(question.hierarchies[attribute].groups[level], -1)
    groups = np.unique(group_of_leaf[cells.codes[:, place]])
    if not np.isin(group_of_leaf[profiles.codes[:, place]], groups).all():
        raise InvalidDataError(
            f"region {quoted(name)}: records whose {quoted(attribute)} at level {level} is that of nobody there"
        )
    numbers: list[int] = groups.tolist()
    return numbers


def _part(question: RegionalQuestion, region: str) -> str:
    """Return the name of a region's file: names of regions may be long, or values of an attribute."""
    return f"{sha256(chr(10).join([question.as_text(), region]).encode()).hexdigest()[:16]}.json"
