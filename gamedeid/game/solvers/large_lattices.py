"""The solvers where the lattice is large: each profile is solved by itself, and people are counted by scans."""

import warnings
from collections.abc import Callable

import numpy as np

from gamedeid.errors import SlowWarning
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.kernels.branching import SearchPlan, prove_all
from gamedeid.kernels.scan_descent import ScannedGame, ScanSolutions, descend_all
from gamedeid.kernels.tables import PopulationCells
from gamedeid.parallel import cores, in_slices
from gamedeid.population.scan import SLICE
from gamedeid.progress import Progress

_UNSOLVED = -1

WORTH_A_WARNING = 60
"""Seconds still to come that are worth a warning."""

TOGETHER = 256
"""Profiles that one worker searches for together: those who have the same values share most of the work."""


def prove_by_branching(
    instance: Instance, cells: PopulationCells, game: Game, *, progress: Progress | None = None
) -> ScanSolutions:
    """Solve a game with proof, by branch and bound over the levels of one attribute after the other.

    First come the attributes that lose most at their top: their levels decide most of v(g), so that few combinations of
    them have to be looked into.
    """
    attributes = np.argsort(-instance.hierarchy_tables.raw_losses.max(axis=(1, 2)), kind="stable")
    plan = SearchPlan(
        attributes=attributes,
        profiles=np.lexsort(instance.profiles.codes.T[attributes[::-1]]),
        people=instance.people(instance.everyone, instance.lattice.nodes(game.floors)),
        columns=np.ascontiguousarray(cells.codes.T),
    )

    def prove(scanned: ScannedGame, first: int, last: int, found: ScanSolutions) -> None:
        prove_all(scanned, plan, first, last, found)

    return _solved(instance, cells, game, prove, TOGETHER, progress)


def descend_by_scan(
    instance: Instance, cells: PopulationCells, game: Game, *, progress: Progress | None = None
) -> ScanSolutions:
    """Solve a game by lattice search: one look through the population counts a strategy and all its children."""
    return _solved(instance, cells, game, descend_all, SLICE, progress)


def _solved(
    instance: Instance,
    cells: PopulationCells,
    game: Game,
    solve: Callable[[ScannedGame, int, int, ScanSolutions], None],
    together: int,
    progress: Progress | None,
) -> ScanSolutions:
    """Return what ``solve`` finds for all profiles; it is asked for ``together`` at a time, in several threads."""
    profiles = instance.profiles.count
    scanned = ScannedGame(
        cells,
        instance.hierarchy_tables,
        instance.payoffs.stakes,
        game.forbids_attack,
        instance.profiles.codes,
        game.floors,
        stopped=np.zeros(1, np.bool_),
    )
    found = ScanSolutions(
        nodes=np.empty(profiles, np.int64),
        payoffs=np.empty(profiles),
        searched=np.full(profiles, _UNSOLVED),
        bounds=np.empty(profiles),
    )

    def late(seconds: float) -> None:
        solved = int((found.searched != _UNSOLVED).sum())
        _warn_how_long(solved, profiles, instance.lattice.size, seconds, together * cores())

    in_slices(
        lambda first, last: solve(scanned, first, last, found),
        profiles,
        least=together,
        most=together,
        report_progress=progress,
        ended=scanned.stopped,
        late=late,
    )
    return found


def _warn_how_long(solved: int, profiles: int, strategies: int, seconds: float, under_way: int) -> None:
    """Warn of work that will take long, as far as can be told by what is done after some seconds.

    Parameters
    ----------
    solved, profiles, strategies : how many.
    seconds : since the work began.
    under_way : most profiles that are being solved at a time.
    """
    so_far = f"{solved:,} of {profiles:,} profiles, of {strategies:,} strategies each, are solved after {seconds:.0f} s"
    rest = seconds * (profiles - solved) / max(solved, 1)
    if solved and rest < WORTH_A_WARNING:
        return
    if solved:
        expected = f"the rest may take {_duration(rest)}"
    else:
        expected = f"all may take more than {_duration(seconds * max(profiles / under_way, 1))}"
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
