"""Do the compiled loops do what their lines say when Python runs them?

Coverage cannot see compiled lines. Here every kernel runs as plain Python too, and gives the same bits.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from depth import tries
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, game_of, instance_of, open_nodes
from oracles import GAMES
from uncompiled_kernels import kernels_in, plain_kernels, users_of_kernels
from worlds import HIDDEN, RISING, STRANGER, chains, worlds

from gamedeid.game.solvers import SOLVERS
from gamedeid.kernels import rollups


def both_ways(answer: Callable[[], Any]) -> tuple[Any, Any]:
    """Return the answer of compiled and of plain loops."""
    compiled = answer()
    with plain_kernels():
        return compiled, answer()


@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=tries(8, 500))
@given(
    world=st.one_of(worlds(), chains()),
    game=st.sampled_from(GAMES),
    layout=st.sampled_from(LAYOUTS),
)
@example(world=HIDDEN, game="no-attack", layout="dense")
@example(world=RISING, game="basic", layout="sparse")
@example(world=STRANGER, game="basic", layout="dense")
def test_every_solver_chooses_the_same_compiled_or_not(solver, world, game, layout):
    def choose() -> tuple[list[int], list[int]]:
        instance = instance_of(world, layout)
        choice = SOLVERS[solver](instance, game_of(world, instance, game))
        return choice.nodes.tolist(), choice.searched.tolist()

    compiled, plain = both_ways(choose)
    assert compiled == plain


@pytest.mark.parametrize("layout", LAYOUTS)
@given(world=worlds())
def test_every_person_and_dollar_is_counted_the_same_compiled_or_not(layout, world):
    def count() -> list[list[list[float]]]:
        instance = instance_of(world, layout)
        nodes = [open_nodes(instance, profile) for profile in instance.everyone]
        asked = [(np.full(len(some), profile), some) for profile, some in enumerate(nodes)]
        return [[instance.people(*one).tolist(), instance.values(*one).tolist()] for one in asked]

    compiled, plain = both_ways(count)
    assert compiled == plain


@given(runs=st.lists(st.integers(1, 4), min_size=1, max_size=5), outer=st.integers(1, 4), inner=st.integers(1, 10))
def test_rolling_up_sums_the_runs_of_the_middle_axis(runs, outer, inner):
    starts = np.concatenate([[0], np.cumsum(runs)])
    cube = np.arange(outer * starts[-1] * inner).reshape(outer, starts[-1], inner) ** 2
    expected = np.add.reduceat(cube, starts[:-1], axis=1).ravel().tolist()

    def roll_up() -> list[int]:
        target = np.full(outer * len(runs) * inner, -1)
        half = outer * len(runs) // 2
        for first, last in ((half, outer * len(runs)), (0, half)):  # in any parts
            rollups.roll_up(cube.ravel(), starts, len(runs), inner, target, first, last)
        return target.tolist()

    compiled, plain = both_ways(roll_up)
    assert expected == compiled == plain


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled here")
def test_every_kernel_is_compiled_and_plain_only_for_a_while():
    def compiled() -> list[str]:
        return [name for module in users_of_kernels() for name in kernels_in(module)]

    before = compiled()
    with plain_kernels():
        assert [] == compiled()
    assert before == compiled()
    assert {"people_at", "roll_up", "prove_best", "descend"} < set(before)
