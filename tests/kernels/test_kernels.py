"""Do the compiled loops give the same results as plain Python?

Coverage cannot see compiled lines. Here every kernel runs as plain Python too, and gives the same bits.
"""

import gc
from collections.abc import Callable
from typing import Any, get_type_hints

import numba
import numpy as np
import pytest
from depth import tries
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba.core.runtime import _nrt_python, rtsys
from oracle_worlds import LAYOUTS, game_of, instance_of, open_nodes
from oracles import GAMES
from uncompiled_kernels import kernels_in, plain_kernels, users_of_kernels
from worlds import HIDDEN, RISING, STRANGER, chains, worlds

import gamedeid
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
        nodes = [open_nodes(instance, profile) for profile in instance.all_profiles]
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


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled here")
def test_a_loop_that_gets_an_array_from_another_is_one_that_may_make_arrays():
    loops = {name: loop for module in users_of_kernels() for name, loop in kernels_in(module).items()}
    makers = {name for name, loop in loops.items() if _has_arrays(get_type_hints(loop.py_func)["return"])}
    assert {"find_rows", "reply_room", "allocate_slots"} < makers

    may_not = {name: loop for name, loop in loops.items() if not loop.targetoptions["_nrt"]}
    assert may_not
    assert [] == sorted(makers.intersection(may_not))
    assert [] == [
        (name, got) for name, loop in may_not.items() for got in makers.intersection(loop.py_func.__code__.co_names)
    ]


def _has_arrays(hint: Any) -> bool:
    fields = get_type_hints(hint).values() if hasattr(hint, "_fields") else ()
    return any(word in str(hint) for word in ("ndarray", "NDArray", "list[")) or any(map(_has_arrays, fields))


SHARED = {"recipients.thief.probability": 0.5, "recipients.clerk.levels.zip": 2}
"""Recipients who make the loops for several compute; all others answer for the paper's adversary."""


@pytest.fixture(scope="module")
def only_new_objects() -> None:
    """Exclude the objects of other tests from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled here")
@pytest.mark.usefixtures("only_new_objects")
@pytest.mark.parametrize(
    ("overrides", "answer"),
    [
        *(({}, lambda study, name=name: gamedeid.solve(study, solver=name)) for name in SOLVERS),
        ({"groups.steps": 2, "groups.k": 5}, lambda study: gamedeid.solve(study, game="aware-basic")),
        (SHARED, lambda study: gamedeid.solve(study, solver="exact")),
        (SHARED, lambda study: gamedeid.sweep(study, ["loss=100,200"]).table),
        (SHARED, lambda study: gamedeid.breakpoints(study, "loss").table),
    ],
    ids=[*SOLVERS, "groups", "recipients", "sweep", "breakpoints"],
)
def test_no_loop_keeps_an_unreferenced_array(overrides, answer):
    study = gamedeid.Study.prepare(gamedeid.Scenario.read("scenarios/quickstart.toml", overrides))
    _nrt_python.memsys_enable_stats()
    held = []
    for _ in range(3):  # the first keeps what the study computes once
        answer(study)
        gc.collect()
        state = rtsys.get_allocation_stats()
        held.append(state.alloc - state.free)
    assert held[1] == held[2]
