"""The inner loops as plain Python: slow, but coverage sees their lines and a test can listen to what they look up."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from oracle_worlds import game_of, setting_of
from oracles import World

from gamedeid.choices import GameName, SolverName
from gamedeid.game.solvers import SOLVERS
from gamedeid.kernels import boxes as meet_kernels
from gamedeid.kernels import breakpoints as breakpoint_kernels
from gamedeid.kernels import frontier as frontier_kernels
from gamedeid.kernels import solving as kernels
from gamedeid.population.choose import Layout


@contextmanager
def plain_kernels() -> Iterator[None]:
    """Run every kernel uncompiled while this lasts; with NUMBA_DISABLE_JIT=1 they always are."""
    with ExitStack() as stack:
        for module in (kernels, frontier_kernels, breakpoint_kernels, meet_kernels):
            for name, kernel in list(vars(module).items()):
                if hasattr(kernel, "py_func"):
                    stack.enter_context(patch.object(module, name, kernel.py_func))
        yield


@contextmanager
def listening() -> Iterator[list[tuple[int, int]]]:
    """Run every kernel uncompiled and write down each pair of profile and node whose people are looked up."""
    heard: list[tuple[int, int]] = []
    with plain_kernels():
        answer = kernels.people_at

        def people_at(tables: Any, ladders: Any, codes: Any, profile: int, node: int) -> int:
            heard.append((int(profile), int(node)))
            return answer(tables, ladders, codes, profile, node)

        with patch.object(kernels, "people_at", people_at):
            yield heard


def looked_up(world: World, name: GameName, solver: SolverName, layout: Layout) -> list[int]:
    """Return how many different strategies a solver looks up for each profile."""
    instance = setting_of(world, layout)
    game = game_of(world, instance, name)
    with listening() as heard:
        SOLVERS[solver](instance, game)
    found = Counter(profile for profile, _ in set(heard))
    return [found[profile] for profile in range(instance.profiles.count)]
