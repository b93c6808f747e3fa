import dataclasses

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracle_worlds import LAYOUTS, game_of, instance_of
from oracles import World
from uncompiled_kernels import plain_kernels
from worlds import CROSSING, HIDDEN, RISING, STRANGER, chains, payoffs, worlds

from gamedeid.choices import GameName
from gamedeid.game.frontier import Frontier
from gamedeid.game.instance import Instance
from gamedeid.game.rules import GAMES
from gamedeid.game.solvers import backward_induction
from gamedeid.kernels import sweep as kernels
from gamedeid.scenario.payoffs import TIE, Payoffs

# At a benefit of 50 hiding b, without an attack, pays 12.50; so does hiding a, with an attack: 37.50 - 50 / 2.
# The first is earlier in walk order; above 50 the second pays more.
STAKES = {"benefit": 50.0, "loss": 50.0, "gain": 10.0, "cost": 1.0}


def frontier_of(world: World, instance: Instance, name: GameName) -> Frontier:
    return Frontier.compile(instance, game_of(world, instance, name).floors)


def stakes_of(money: dict[str, float]) -> Payoffs:
    return Payoffs(benefit=money["benefit"], loss=money["loss"], cost=money["cost"], gain=money["gain"])


@given(world=st.one_of(worlds(), chains()), layout=st.sampled_from(LAYOUTS), others=st.lists(payoffs(), max_size=4))
@example(world=RISING, layout="dense", others=[])
@example(world=HIDDEN, layout="dense", others=[])
@example(world=STRANGER, layout="sparse", others=[])
@example(world=CROSSING, layout="dense", others=[STAKES | {"benefit": benefit} for benefit in (25.0, 50.0, 60.0)])
def test_the_frontier_answers_as_backward_induction_at_any_stakes(world, layout, others):
    instance = instance_of(world, layout)
    for stakes in [instance.payoffs, *map(stakes_of, others)]:
        there = dataclasses.replace(instance, payoffs=stakes)
        for name in GAMES:
            expected = backward_induction(there, game_of(world, there, name)).nodes
            frontier = frontier_of(world, instance, name)
            assert 1 <= frontier.lengths.min() <= frontier.lengths.max() <= instance.lattice.size
            chosen = frontier.choose(there, forbids_attack=name == "no-attack")
            assert expected.tolist() == chosen.tolist()


@given(
    world=st.one_of(worlds(), chains()),
    name=st.sampled_from(GAMES),
    loss=st.sampled_from((0.0, 1e-6, 3.0, 500.0)),
    benefits=st.lists(st.integers(1, 400).map(float), min_size=1, max_size=6, unique=True),
)
@example(world=HIDDEN, name="basic", loss=50.0, benefits=[10.0, 50.0, 100.0, 300.0])
@example(world=CROSSING, name="basic", loss=50.0, benefits=[25.0, 50.0, 60.0, 100.0])
def test_the_loops_give_the_same_compiled_or_as_plain_python(world, name, loss, benefits):
    def answer() -> list[object]:
        instance = instance_of(world)
        frontier = frontier_of(world, instance, name)
        forbids = name == "no-attack"
        stakes = dataclasses.replace(instance.payoffs, loss=loss)
        features = kernels.FeatureTables(
            chosen=frontier.entries.benefit_share[:, None].copy(),
            withheld=np.zeros(1),
            records=np.ones(instance.profiles.count),
        )
        lines = kernels.OtherStakes(np.array([loss, loss]), np.array([stakes.attack_limit, 10**9]))
        sums = np.empty((2, len(benefits), 3))
        kernels.sum_along_benefit(frontier.entries, lines, np.sort(benefits), TIE, forbids, features, sums)
        chosen = frontier.choose(dataclasses.replace(instance, payoffs=stakes), forbids_attack=forbids)
        return [frontier.nodes.tolist(), frontier.entries.hull.tolist(), chosen.tolist(), sums.tolist()]

    compiled = answer()
    with plain_kernels():
        assert compiled == answer()


@given(worlds(), st.sampled_from(GAMES))
def test_every_removed_strategy_is_dominated_by_one_that_is_no_later_or_loses_clearly_less(world, name):
    instance = instance_of(world)
    frontier = frontier_of(world, instance, name)
    entries = frontier.entries
    floors = frontier.floors
    for profile in range(instance.profiles.count):
        mine = slice(entries.starts[profile], entries.starts[profile + 1])
        remaining = list(zip(entries.benefit_share[mine], entries.people[mine], entries.walk_keys[mine], strict=True))
        levels = instance.lattice.levels(np.arange(instance.lattice.size))
        permitted = np.flatnonzero((levels >= floors[profile]).all(axis=1))
        struck = sorted(set(permitted.tolist()) - set(frontier.nodes[mine].tolist()))
        rows = np.full(len(struck), profile)
        shares = instance.values(rows, np.array(struck, np.int64)) / instance.payoffs.benefit
        all_matching = instance.people(rows, np.array(struck, np.int64))
        keys = instance.lattice.walk_keys(np.array(struck, np.int64))
        for share, matching, key in zip(
            shares, np.where(all_matching == 0, 2**63 - 1, all_matching), keys, strict=True
        ):
            assert any(
                people >= matching and ((w < key and k >= share - 1e-12) or k >= share + TIE)
                for k, people, w in remaining
            )


@given(
    world=st.one_of(worlds(), chains()),
    name=st.sampled_from(GAMES),
    others=st.lists(payoffs(), min_size=1, max_size=4),
    benefits=st.lists(
        st.one_of(st.integers(1, 400).map(lambda quarters: quarters / 4), st.floats(0.01, 1e6)), min_size=1, max_size=12
    ),
)
@example(world=CROSSING, name="basic", others=[STAKES], benefits=[25.0, 50.0, 60.0, 100.0])
def test_sums_along_the_benefit_are_those_of_each_point_alone(world, name, others, benefits):
    instance = instance_of(world)
    frontier = frontier_of(world, instance, name)
    forbids = name == "no-attack"
    grid = np.unique(benefits)
    lines = sorted(
        ((stakes_of(one).attack_limit, one["loss"], stakes_of(one)) for one in others), key=lambda one: one[:2]
    )
    entries, profiles = len(frontier.nodes), instance.profiles.count
    features = kernels.FeatureTables(
        chosen=np.eye(entries, entries + 1), withheld=np.eye(entries + 1)[-1].copy(), records=np.ones(profiles)
    )
    sums = np.empty((len(lines), len(grid), entries + 3))
    kernels.sum_along_benefit(
        frontier.entries,
        kernels.OtherStakes(np.array([one[1] for one in lines]), np.array([one[0] for one in lines])),
        grid,
        TIE,
        forbids,
        features,
        sums,
    )
    for line, (_, _, stakes) in enumerate(lines):
        for point, benefit in enumerate(grid):
            there = dataclasses.replace(instance, payoffs=dataclasses.replace(stakes, benefit=float(benefit)))
            chosen = frontier.choose(there, forbids_attack=forbids)
            expected = np.zeros(entries + 3)
            for profile, node in enumerate(chosen):
                start, end = frontier.entries.starts[profile : profile + 2]
                at = entries if node < 0 else start + frontier.nodes[start:end].tolist().index(node)
                expected[at] += 1
                if node >= 0 and frontier.entries.people[at] <= stakes.attack_limit:
                    expected[-2:] += 1, 1 / frontier.entries.people[at]
            assert expected.tolist() == pytest.approx(sums[line, point].tolist(), abs=1e-9)
