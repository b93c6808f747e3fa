"""The inner loops as plain Python: slow, but coverage sees their lines and a test can record their lookups."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any
from unittest.mock import patch

from numba.core.dispatcher import Dispatcher
from oracle_worlds import game_of, instance_of
from oracles import World

import gamedeid.kernels
from gamedeid.choices import GameName, SolverName
from gamedeid.game.solvers import SOLVERS
from gamedeid.kernels import replies, rollups
from gamedeid.population.choose import Layout


@contextmanager
def plain_kernels() -> Iterator[None]:
    """Run every kernel uncompiled in the block; with NUMBA_DISABLE_JIT=1 they always are."""
    with ExitStack() as stack:
        for module in users_of_kernels():
            for name, kernel in kernels_in(module).items():
                stack.enter_context(patch.object(module, name, kernel.py_func))
        yield


def users_of_kernels() -> list[ModuleType]:
    """Return the kernels' modules, and all other imported modules that name a kernel."""
    for module in iter_modules(gamedeid.kernels.__path__, "gamedeid.kernels."):
        import_module(module.name)
    return [module for name, module in sys.modules.items() if name.startswith("gamedeid.") and kernels_in(module)]


def kernels_in(module: ModuleType) -> dict[str, Any]:
    """Return the compiled functions that a module names."""
    return {name: thing for name, thing in vars(module).items() if isinstance(thing, Dispatcher)}


@contextmanager
def recorded_lookups() -> Iterator[list[tuple[int, int]]]:
    """Run every kernel uncompiled and record each pair of profile and node whose people it looks up."""
    lookups: list[tuple[int, int]] = []
    with plain_kernels():
        answer = rollups.people_at

        def people_at(counts: Any, hierarchies: Any, codes: Any, profile: int, node: int) -> int:
            lookups.append((int(profile), int(node)))
            return answer(counts, hierarchies, codes, profile, node)

        with ExitStack() as stack:
            for module in (rollups, replies):
                stack.enter_context(patch.object(module, "people_at", people_at))
            yield lookups


def count_lookups(world: World, name: GameName, solver: SolverName, layout: Layout) -> list[int]:
    """Return how many different strategies a solver looks up for each profile."""
    instance = instance_of(world, layout)
    game = game_of(world, instance, name)
    with recorded_lookups() as lookups:
        SOLVERS[solver](instance, game)
    found = Counter(profile for profile, _ in set(lookups))
    return [found[profile] for profile in range(instance.profiles.count)]
