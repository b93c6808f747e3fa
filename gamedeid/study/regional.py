"""Solve a question region by region: games whose profiles do not fit in memory together."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.choices import GAMES, GameName, Unmatched
from gamedeid.data.profiles import Cells, Profiles
from gamedeid.errors import InvalidDataError, InvalidScenarioError, nearest, quoted
from gamedeid.game.instance import Instance
from gamedeid.game.measures import Totals
from gamedeid.game.outcomes import total_of
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.information_loss import compile_hierarchy_tables
from gamedeid.generalization.lattice import Lattice
from gamedeid.population.regional import RegionalCounts
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.results.resume import FinishedParts
from gamedeid.scenario.payoffs import Payoffs

Region: TypeAlias = Callable[[], tuple[Profiles, Cells]]
"""Reads, or makes, the profiles and the people of one region, the same at each call."""


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
    policy : the levels, (q, a), of the profiles of a region's instance; needed by "sh-friendly".
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


def solve_regions(
    question: RegionalQuestion,
    regions: Mapping[str, Region],
    *,
    folder: Path | None = None,
    made_of: str = "",
    on_solved: Callable[[str, GameName, IntArray], None] | None = None,
    progress: Progress | None = None,
) -> dict[GameName, Totals]:
    """Return what becomes of all records in each game, with the profiles of one region in memory at a time.

    A first pass over the regions counts the people of all of them for the coarse strategies; a second pass solves
    region after region, each exactly. The answers are those of :func:`gamedeid.game.solvers.exact` on all profiles
    together.

    Parameters
    ----------
    question : what is played for.
    regions : name -> how its profiles and people are read; no two share a group of the question's attribute.
    folder : finished regions are stored there, and read by a later run. The first pass is made again.
    made_of : a text that differs for different data and policies, so that they may share a folder.
    on_solved : called with the region, the game and the strategies of its profiles, (q,), as soon as a game of a region
        is solved; not for stored regions.
    progress : called with (regions done, regions in all).

    Raises
    ------
    InvalidScenarioError : every attribute has weight 0 or a single value.
    InvalidDataError : regions that share a group, values that are missing and were not announced, or people whose
        records differ.
    UnmatchedRecordError : with ``unmatched="error"``, a profile that matches nobody.
    OutputError : a finished region cannot be stored.
    """
    parts = None if folder is None else FinishedParts(folder, f"{question.as_text()}\n{made_of}\n{'|'.join(regions)}")
    solved = _stored_regions(question, regions, parts)
    left = [name for name in regions if name not in solved]
    lattice = Lattice.of(list(question.hierarchies.values()))
    counts = _empty_counts(question, lattice)
    if left:
        _count_everybody(question, regions, counts)
    for name in left:
        totals = {}
        for game, nodes, instance in _solve_region(question, regions[name], lattice, counts):
            totals[game] = total_of(instance, nodes)
            if on_solved is not None:
                on_solved(name, game, nodes)
        if parts is not None:
            parts.write_values(_part(name), {game: total._asdict() for game, total in totals.items()})
        solved[name] = totals
        if progress is not None:
            progress(len(solved), len(regions))
    everywhere = dict.fromkeys(question.games, Totals())
    for name in regions:  # in this order, so that sums of fractions round alike in every run
        everywhere = {game: total.plus(solved[name][game]) for game, total in everywhere.items()}
    return everywhere


def _stored_regions(
    question: RegionalQuestion, regions: Mapping[str, Region], parts: FinishedParts | None
) -> dict[str, dict[GameName, Totals]]:
    """Return the totals of those regions that an earlier run has finished."""
    stored: dict[str, dict[GameName, Totals]] = {}
    if parts is None:
        return stored
    for name in regions:
        content: Any = parts.read_values(_part(name))
        with suppress(KeyError, TypeError):
            stored[name] = {game: Totals(**content[game]) for game in question.games}
    return stored


def _empty_counts(question: RegionalQuestion, lattice: Lattice) -> RegionalCounts:
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
    )


def _count_everybody(question: RegionalQuestion, regions: Mapping[str, Region], counts: RegionalCounts) -> None:
    """Count the people of all regions together, and check that no two regions share a group."""
    region_of: dict[int, str] = {}
    for name, region in regions.items():
        profiles, cells = region()
        for group in _groups_of_region(question, name, profiles, cells):
            if region_of.setdefault(group, name) != name:
                raise InvalidDataError(
                    f"regions {quoted(region_of[group])} and {quoted(name)} share a group of "
                    f"{quoted(question.attribute)} at level {question.level}"
                )
        counts.add_region(cells)


def _solve_region(
    question: RegionalQuestion, region: Region, lattice: Lattice, counts: RegionalCounts
) -> Iterator[tuple[GameName, IntArray, Instance]]:
    """Yield each game of a region, its strategies, (q,), and the instance they are of."""
    profiles, cells = region()
    counts.select_region(cells)
    instance = Instance(
        hierarchies=question.hierarchies,
        lattice=lattice,
        hierarchy_tables=counts.hierarchy_tables,
        profiles=profiles,
        counts=counts,
        payoffs=question.payoffs,
    )
    instance.check_matches(question.unmatched)
    policy = instance.base if question.policy is None else question.policy(instance)
    for name in question.games:
        yield name, exact(instance, Game.of(name, instance, policy)).nodes, instance


def _groups_of_region(question: RegionalQuestion, name: str, profiles: Profiles, cells: Cells) -> list[int]:
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


def _part(region: str) -> str:
    """Return the name of a region's file: names of regions may be long, or values of an attribute."""
    return f"{sha256(region.encode()).hexdigest()[:16]}.json"
