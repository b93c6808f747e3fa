"""The solvers where the lattice is large: every profile by itself, people counted for whole boxes of strategies."""

import warnings
from collections.abc import Callable

import numpy as np

from gamedeid.errors import SlowWarning
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.kernels import boxes as meet_kernels
from gamedeid.kernels.boxes import Answers, Crowd, Needed, Rules
from gamedeid.parallel import in_slices
from gamedeid.population.scan import SLICE, rungs_of
from gamedeid.progress import Progress

_UNSOLVED = -1

WORTH_A_WORD = 60
"""Seconds still to come that are worth a warning."""

ROOM = 2**20
"""Most strategies whose people are counted at once, for each worker."""


def prove_by_boxes(instance: Instance, cells: Crowd, game: Game, *, progress: Progress | None = None) -> Answers:
    """Solve a game with proof.

    Lattice search gives a payoff to start with. A strategy with v(g) below it cannot be chosen, and v falls with each
    level, so all that may be chosen stand in a box of levels. The people of the whole box are counted at once, and its
    best strategies are found by the bound v(g).
    """
    rungs, total = rungs_of(instance.ladders), int(cells.people.sum())
    people = np.dtype(np.int32 if total < 2**31 else np.int64)

    def prove(rules: Rules, first: int, last: int, found: Answers) -> None:
        codes, places = instance.profiles.codes, min(ROOM, instance.lattice.size)
        needed = Needed(
            places=np.empty(places, np.int64),
            raised=np.empty(places, np.int64),
            values=np.empty(places),
            people=np.empty(places, people),
            steps=np.empty(instance.lattice.attributes, np.int64),
        )
        meet_kernels.prove_all(cells, rungs, rules, codes, game.floors, first, last, needed, found)

    return _solved(instance, game, prove, progress)


def descend_by_scan(instance: Instance, cells: Crowd, game: Game, *, progress: Progress | None = None) -> Answers:
    """Solve a game by lattice search: one look through the population counts a strategy and all its children."""
    rungs = rungs_of(instance.ladders)

    def descend(rules: Rules, first: int, last: int, found: Answers) -> None:
        codes = instance.profiles.codes
        meet_kernels.descend_all(cells, rungs, rules, codes, game.floors, first, last, found)

    return _solved(instance, game, descend, progress)


def _solved(
    instance: Instance, game: Game, solve: Callable[[Rules, int, int, Answers], None], progress: Progress | None
) -> Answers:
    profiles, stakes = instance.profiles.count, instance.payoffs.stakes
    rules = Rules(
        benefit=stakes.benefit,
        loss=stakes.loss,
        attack_limit=stakes.attack_limit,
        tolerance=stakes.tolerance,
        forbids_attack=game.forbids_attack,
        ended=np.zeros(1, np.bool_),
    )
    found = Answers(
        nodes=np.empty(profiles, np.int64),
        payoffs=np.empty(profiles),
        searched=np.full(profiles, _UNSOLVED),
        bounds=np.empty(profiles),
    )

    def late(seconds: float) -> None:
        _say_how_long(int((found.searched != _UNSOLVED).sum()), profiles, instance.lattice.size, seconds)

    in_slices(
        lambda first, last: solve(rules, first, last, found),
        profiles,
        least=SLICE,
        most=SLICE,
        report_progress=progress,
        ended=rules.ended,
        late=late,
    )
    return found


def _say_how_long(solved: int, profiles: int, strategies: int, seconds: float) -> None:
    """Warn of work that will take long, as far as can be told by what is done after some seconds."""
    so_far = f"{solved:,} of {profiles:,} profiles, of {strategies:,} strategies each, are solved after {seconds:.0f} s"
    rest = seconds * (profiles - solved) / max(solved, 1)
    if solved and rest < WORTH_A_WORD:
        return
    if solved:
        expected = f"the rest may take {_duration(rest)}"
    else:
        expected = f"all may take more than {_duration(seconds * profiles)}"
    warnings.warn(
        f"{so_far}; {expected}; to end it press Ctrl-C; the solver lattice-search, or fewer attributes or levels, are "
        "quicker",
        SlowWarning,
        stacklevel=2,
    )


def _duration(seconds: float) -> str:
    """Return a time in the unit that suits it, rounded."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
