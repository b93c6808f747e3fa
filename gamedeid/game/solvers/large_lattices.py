"""The solvers for large lattices: each profile is solved alone, and people are counted by scans."""

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np

from gamedeid.arrays import BoolArray
from gamedeid.errors import SlowWarning
from gamedeid.game.instance import Instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers.contract import Choice, compiled_game, withhold_losses
from gamedeid.kernels.branching import SearchPlan, prove_all
from gamedeid.kernels.scan import ScannedGame, ScanSolutions, descend_all
from gamedeid.kernels.tables import NONE, WITHHELD, ScannedPopulation
from gamedeid.parallel import cores, run_in_slices
from gamedeid.population.scan import SLICE
from gamedeid.progress import Progress, unreported

_UNSOLVED = -1

WORTH_A_WARNING = 60
"""Remaining seconds that are worth a warning."""

PROFILES_PER_SEARCH = 256
"""Profiles that one worker solves together: those with the same values share most of the work."""

SAMPLE = 256
"""Profiles that are searched first; their best strategies begin the search of the others."""


def prove_by_branching(
    instance: Instance,
    cells: ScannedPopulation,
    game: Game,
    *,
    slack: float = 0.0,
    progress: Progress = unreported,
) -> Choice:
    """Solve a game by branch and bound over the levels of one attribute after the other; proved if the slack is 0.

    The attributes that lose most at their top are first: their levels decide most of v(g), so that few combinations of
    them have to be searched. A branch that pays at most ``slack`` dollars above the best found is given up. If the
    slack is above 0, the best strategies of some profiles, at even distances in the order of the search, are first
    tried on all profiles.
    """
    scanned, plan = compiled_game(instance, game, cells), search_plan(instance, cells, game, slack)
    if slack and len(plan.profiles) > SAMPLE:
        places = np.arange(SAMPLE) * len(plan.profiles) // SAMPLE
        some = _branch(instance, scanned, plan._replace(profiles=plan.profiles[places]), unreported)
        nodes = np.unique(some.nodes[plan.profiles[places]])
        for node in nodes[nodes != WITHHELD].tolist():
            start_from(instance, game, node, plan)
    return _choice(instance, _branch(instance, scanned, plan, progress), proved=not slack)


def search_plan(instance: Instance, cells: ScannedPopulation, game: Game, slack: float) -> SearchPlan:
    """Return the order of a search that begins without known strategies."""
    attributes = np.argsort(-instance.hierarchy_tables.raw_losses.max(axis=(1, 2)), kind="stable")
    return SearchPlan(
        attributes=attributes,
        profiles=np.lexsort(instance.profiles.codes.T[attributes[::-1]]),
        people=instance.people(instance.all_profiles, instance.lattice.nodes(game.floors)),
        columns=np.ascontiguousarray(cells.codes.T),
        slack=slack,
        start_nodes=np.full(instance.profiles.count, NONE),
        start_payoffs=np.full(instance.profiles.count, -np.inf),
        stopped=np.zeros(1, np.bool_),
    )


def start_from(instance: Instance, game: Game, node: int, plan: SearchPlan) -> None:
    """Let the search of a profile begin with a strategy if it is permitted and pays more than its present start."""
    nodes = np.full(instance.profiles.count, node)
    replies = instance.replies(instance.all_profiles, nodes)
    paid = instance.publisher_payoffs(instance.all_profiles, nodes, replies)
    better = game.permits(instance, instance.all_profiles, nodes, replies.deterrable) & (paid > plan.start_payoffs)
    plan.start_nodes[better], plan.start_payoffs[better] = node, paid[better]


def _branch(instance: Instance, scanned: ScannedGame, plan: SearchPlan, progress: Progress) -> ScanSolutions:
    """Return the result of branch and bound for the profiles of a plan."""
    prove = partial(prove_all, scanned, plan)
    return _solve_in_parallel(instance, plan.stopped, prove, len(plan.profiles), PROFILES_PER_SEARCH, progress)


def descend_by_scan(instance: Instance, cells: ScannedPopulation, game: Game, *, progress: Progress) -> Choice:
    """Solve a game by lattice search: one scan of the population counts a strategy and all its children."""
    scanned, stopped = compiled_game(instance, game, cells), np.zeros(1, np.bool_)

    def descend(first: int, last: int, found: ScanSolutions) -> None:
        descend_all(scanned, first, last, stopped, found)

    found = _solve_in_parallel(instance, stopped, descend, instance.profiles.count, SLICE, progress)
    return _choice(instance, found, proved=False)


def _choice(instance: Instance, found: ScanSolutions, *, proved: bool) -> Choice:
    nodes = withhold_losses(instance, found.nodes, found.payoffs)
    bounds = None if proved else np.maximum(found.bounds, 0)
    return Choice(nodes=nodes, searched=found.searched, proved=proved, bounds=bounds)


def _solve_in_parallel(
    instance: Instance,
    stopped: BoolArray,
    solve: Callable[[int, int, ScanSolutions], None],
    asked: int,
    together: int,
    progress: Progress,
) -> ScanSolutions:
    """Return the results of ``solve`` for ``asked`` profiles, ``together`` at a time, in several threads."""
    profiles = instance.profiles.count
    found = ScanSolutions(
        nodes=np.empty(profiles, np.int64),
        payoffs=np.empty(profiles),
        searched=np.full(profiles, _UNSOLVED),
        bounds=np.empty(profiles),
    )

    def late(seconds: float) -> None:
        solved = int((found.searched != _UNSOLVED).sum())
        _warn_how_long(solved, asked, instance.lattice.size, seconds, together * cores())

    run_in_slices(
        lambda first, last: solve(first, last, found),
        asked,
        least=together,
        most=together,
        report_progress=progress,
        ended=stopped,
        late=late,
    )
    return found


def _warn_how_long(solved: int, profiles: int, strategies: int, seconds: float, under_way: int) -> None:
    """Warn of work that will take long, estimated from the work done after some seconds."""
    so_far = f"{solved:,} of {profiles:,} profiles, of {strategies:,} strategies each, are solved after {seconds:.0f} s"
    rest = seconds * (profiles - solved) / max(solved, 1)
    if solved and rest < WORTH_A_WARNING:
        return
    if solved:
        expected = f"the rest may take {_duration(rest)}"
    else:
        expected = f"all may take more than {_duration(seconds * max(profiles / under_way, 1))}"
    warnings.warn(
        f"{so_far}; {expected}; to end it press Ctrl-C; fewer attributes or levels are quicker, and the solver "
        "bounded-suboptimal is quicker than exact",
        SlowWarning,
        stacklevel=2,
    )


def _duration(seconds: float) -> str:
    """Return a time in the unit that suits it, rounded."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"
