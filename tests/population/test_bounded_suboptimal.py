"""Is the bounded-suboptimal solver as close to the best as it says, in any slices and with any number of workers?"""

from importlib import import_module
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, first_records, game_of, instance_of, played
from oracles import GAMES, SAME, algorithm_1
from worlds import HIDDEN, RISING, STRANGER, chains, worlds

from gamedeid.game.solvers import large_lattices

NAME = "bounded-suboptimal"
solver_module = import_module("gamedeid.game.solvers.exact")
any_world, any_game = st.one_of(worlds(), chains()), st.sampled_from(GAMES)
slacks = st.sampled_from((0.01, 0.05, 0.3, 1.0))


@given(world=any_world, game=any_game, layout=st.sampled_from(LAYOUTS), sample=st.integers(1, 5), slack=slacks)
@example(world=HIDDEN, game="no-attack", layout="scan", sample=1, slack=0.3)
@example(world=RISING, game="basic", layout="scan", sample=1, slack=0.3)
@example(world=STRANGER, game="basic", layout="scan", sample=1, slack=0.05)
def test_no_strategy_pays_more_than_the_stated_bound_or_exceeds_the_answer_by_more_than_the_slack(
    world, game, layout, sample, slack
):
    with patch.object(large_lattices, "SAMPLE", sample), patch.object(solver_module, "SLACK", slack):
        found = played(world, game, NAME, layout)
    instance, bounds, close = found.study.instance, found.choice.bounds, SAME * world.benefit

    assert bounds is not None
    assert not found.choice.proved
    assert (1 <= found.choice.searched).all()
    for profile, record in enumerate(first_records(instance)):
        best = algorithm_1(world, record, game).publisher_payoff
        paid = found.publisher_payoff[profile]
        assert paid - close <= best <= bounds[profile] + close
        assert -close <= bounds[profile] - paid <= slack * world.benefit + close
    assert -close <= found.search["gap"] <= found.search["gap_most"] + close
    permitted = game_of(world, instance, game).permits(
        instance,
        instance.all_profiles[~found.withheld],
        found.choice.nodes[~found.withheld],
        instance.replies(instance.all_profiles[~found.withheld], found.choice.nodes[~found.withheld]).deterrable,
    )
    assert permitted.all()


@given(world=any_world, game=any_game, workers=st.integers(1, 3), together=st.integers(1, 4), sample=st.integers(1, 4))
def test_slices_and_workers_change_nothing(world, game, workers, together, sample):
    with patch.object(large_lattices, "SAMPLE", sample):
        alone = played(world, game, NAME, "scan")
        with (
            patch.object(large_lattices, "PROFILES_PER_SEARCH", together),
            patch("gamedeid.parallel.cores", return_value=workers),
        ):
            cut = played(world, game, NAME, "scan")

    for one, other in (
        (alone.choice.nodes, cut.choice.nodes),
        (alone.choice.searched, cut.choice.searched),
        (alone.choice.bounds, cut.choice.bounds),
    ):
        assert np.array_equal(one, other)  # type: ignore[arg-type]  (never None here)


@given(world=worlds(), game=any_game)
def test_the_start_of_a_search_has_the_stated_payoff_and_is_permitted(world, game):
    instance = instance_of(world, "scan")
    played_game = game_of(world, instance, game)
    plan = large_lattices.search_plan(instance, instance.counts.scanned, played_game, slack=0.0)
    for node in range(instance.lattice.size):
        large_lattices.start_from(instance, played_game, node, plan)
    nodes, payoffs = plan.start_nodes, plan.start_payoffs

    best = [algorithm_1(world, record, game).publisher_payoff for record in first_records(instance)]
    assert best == pytest.approx(np.maximum(payoffs, 0).tolist(), abs=SAME * world.benefit)
    has = nodes != -1
    assert (instance.lattice.levels(nodes[has]) >= played_game.floors[has]).all()
