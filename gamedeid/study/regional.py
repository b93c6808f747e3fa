"""Many profiles, region by region: games whose profiles do not fit in memory together."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
from gamedeid.generalization.information_loss import compile_ladders
from gamedeid.generalization.lattice import Lattice
from gamedeid.population.regional import RegionalCounts
from gamedeid.progress import Progress
from gamedeid.reprs import short_repr
from gamedeid.results.resume import Kept
from gamedeid.scenario.payoffs import Payoffs

Region: TypeAlias = Callable[[], tuple[Profiles, Cells]]
"""Reads, or makes, the profiles and the people of one region, the same each time it is asked."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionalQuestion:
    """What is played for in every region.

    Parameters
    ----------
    hierarchies : attribute -> ladder, of the whole country.
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

    __repr__ = short_repr

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
        ladders = {name: sha256(ladder.groups.tobytes()).hexdigest() for name, ladder in self.hierarchies.items()}
        parts = [ladders, dict(self.weights), repr(self.payoffs), self.attribute, self.level, list(self.games)]
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

    A first pass over the regions counts everybody as the coarse strategies tell them; a second one solves region after
    region, each exactly. The answers are those of :func:`gamedeid.game.solvers.exact` on all profiles together.

    Parameters
    ----------
    question : what is played for.
    regions : name -> how its profiles and people are read; no two share a group of the question's attribute.
    folder : finished regions are kept there, and found by a later run. The first pass is made again.
    made_of : what says apart different data and policies in one folder.
    on_solved : given the strategies of a region's profiles, (q,), as soon as a game of it is solved; not for
        kept regions.
    progress : told how many of how many regions are done.

    Raises
    ------
    InvalidDataError : regions that share a group, or values that are missing and were not announced.
    UnmatchedRecordError : with ``unmatched="error"``, a profile that matches nobody.
    OutputError : a finished region cannot be kept.
    """
    kept = None if folder is None else Kept(folder, f"{question.as_text()}\n{made_of}\n{'|'.join(regions)}")
    found = {name: _find(kept, name, question.games) for name in regions}
    left = [name for name in regions if found[name] is None]
    country = _Country(question)
    if left:
        country.count(regions)
    for place, name in enumerate(left, start=len(regions) - len(left) + 1):
        solved = {}
        for game, nodes, instance in country.solve(regions[name]):
            solved[game] = total_of(instance, nodes)
            if on_solved is not None:
                on_solved(name, game, nodes)
        if kept is not None:
            kept.write_values(_part(name), {game: total._asdict() for game, total in solved.items()})
        found[name] = solved
        if progress is not None:
            progress(place, len(regions))
    totals = dict.fromkeys(question.games, Totals())
    for region in found.values():
        totals = {game: total.plus((region or {})[game]) for game, total in totals.items()}
    return totals


class _Country:
    """The tables that all regions share."""

    def __init__(self, question: RegionalQuestion) -> None:
        self._question = question
        names, ladders = list(question.hierarchies), list(question.hierarchies.values())
        self._place = names.index(question.attribute)
        self._lattice = Lattice.of(ladders)
        self._missing = np.array([name in question.missing for name in names])
        self._counts = RegionalCounts(
            question.hierarchies,
            self._lattice,
            compile_ladders(self._lattice, ladders, [question.weights[name] for name in names]),
            attribute=self._place,
            level=question.level,
            missing=self._missing,
            least=int(question.unmatched == "unique"),
        )

    def count(self, regions: Mapping[str, Region]) -> None:
        """Count everybody."""
        owners: dict[int, str] = {}
        for name, region in regions.items():
            profiles, cells = region()
            for group in self._groups(name, profiles, cells):
                if owners.setdefault(group, name) != name:
                    raise InvalidDataError(
                        f"regions {quoted(owners[group])} and {quoted(name)} share a group of "
                        f"{quoted(self._question.attribute)} at level {self._question.level}"
                    )
            self._counts.add(cells)

    def solve(self, region: Region) -> Iterator[tuple[GameName, IntArray, Instance]]:
        """Yield each game of a region, its strategies, (q,), and the instance they are of."""
        question = self._question
        profiles, cells = region()
        self._counts.enter(cells)
        instance = Instance(
            hierarchies=question.hierarchies,
            lattice=self._lattice,
            ladders=self._counts.ladders,
            profiles=profiles,
            counts=self._counts,
            payoffs=question.payoffs,
        )
        instance.check_matches(question.unmatched)
        policy = instance.base if question.policy is None else question.policy(instance)
        for name in question.games:
            yield name, exact(instance, Game.of(name, instance, policy)).nodes, instance

    def _groups(self, name: str, profiles: Profiles, cells: Cells) -> list[int]:
        """Return the groups in which people live, and check that the records have no others."""
        attribute, level = self._question.attribute, self._question.level
        if (cells.missing & ~self._missing).any():
            raise InvalidDataError(
                f"region {quoted(name)}: people without a value of an attribute that was not announced as missing"
            )
        table = np.append(self._question.hierarchies[attribute].groups[level], -1)
        groups = np.unique(table[cells.codes[:, self._place]])
        if not np.isin(table[profiles.codes[:, self._place]], groups).all():
            raise InvalidDataError(
                f"region {quoted(name)}: records whose {quoted(attribute)} at level {level} is that of nobody there"
            )
        found: list[int] = groups.tolist()
        return found


def _find(kept: Kept | None, name: str, games: Sequence[GameName]) -> dict[GameName, Totals] | None:
    """Return the totals of a region that was kept, or None."""
    content: Any = {} if kept is None else kept.read_values(_part(name))
    with suppress(KeyError, TypeError):
        return {game: Totals(**content[game]) for game in games}
    return None


def _part(region: str) -> str:
    """Return the name of a region's file: names of regions may be long, or values of an attribute."""
    return f"{sha256(region.encode()).hexdigest()[:16]}.json"
