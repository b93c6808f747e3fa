"""How one record's strategy moves with the stakes: its levels, the reply and both payoffs at every point of a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from gamedeid.analysis.stretches import best_nodes
from gamedeid.analysis.study_table import SweepBlock
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.blocks import OBJECT_ROWS
from gamedeid.choices import GAMES, OUTCOMES
from gamedeid.game.outcomes import Outcomes
from gamedeid.kernels import sweep as kernels
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import STAKES, Axis, StakeName
from gamedeid.scenario.payoffs import (
    TIE,
    Payoffs,
    adversary_payoff,
    attack_limits,
    attacked_within,
    publisher_payoff,
)
from gamedeid.study.study import Study


def record_blocks(study: Study, axes: Sequence[Axis], progress: Progress | None) -> Iterator[SweepBlock]:
    """Yield the rows of :func:`gamedeid.sweep` for the study of one person.

    Parameters
    ----------
    study : the question for one profile, as :meth:`gamedeid.Study.alone` returns it.
    axes : one for each stake that is varied, each stake once.
    progress : called with (points done, points in all).

    References
    ----------
    wan2015, Figures 8 and 9; the frontier's page in the documentation.
    """
    lattice = study.instance.lattice
    policy_node = lattice.nodes(study.scenario_policy.levels)
    total = prod(len(axis.values) for axis in axes)
    for start in range(0, total, OBJECT_ROWS):
        points = _points(study.instance.payoffs, axes, np.arange(start, min(start + OBJECT_ROWS, total)))
        if not study.instance.recipients.is_paper_adversary:
            yield _block_against(study, points, axes)
            if progress is not None:
                progress(start + len(points.benefit), total)
            continue
        chosen = {study.scenario_policy.name: np.broadcast_to(policy_node, points.benefit.shape)}
        for name in GAMES:
            frontier, forbids_attack = study.frontier(name), study.game(name).forbids_attack
            entries = np.empty(len(points.benefit), np.int64)
            kernels.choose_at_points(
                frontier.entries, 0, points.benefit, points.loss, points.limit, TIE, forbids_attack, entries
            )
            chosen[name] = np.where(entries == WITHHELD, WITHHELD, frontier.nodes[entries])
        yield _block(study, points, chosen)
        if progress is not None:
            progress(start + len(points.benefit), total)


@frozen(eq=False)
class _Points:
    """Some points of the grid, (p,) each: dollars, and the largest group that is attacked."""

    benefit: FloatArray
    loss: FloatArray
    cost: FloatArray
    gain: FloatArray
    limit: IntArray


def _points(own: Payoffs, axes: Sequence[Axis], numbers: IntArray) -> _Points:
    """Return the points of these numbers, (p,) rising: the benefit quickest, the first of the other axes slowest."""
    quickest_last = sorted(axes, key=lambda axis: axis.name == "benefit")
    varied: dict[str, FloatArray] = {}
    left = numbers
    for axis in reversed(quickest_last):
        left, place = np.divmod(left, len(axis.values))
        varied[axis.name] = np.array(axis.values, float)[place]
    fixed = {"benefit": own.benefit, "loss": own.loss, "cost": own.cost}
    stakes = varied | {name: np.full(len(numbers), value) for name, value in fixed.items() if name not in varied}
    if "gain" not in varied:
        stakes["gain"] = np.broadcast_to(own.gain_at(stakes["loss"]), len(numbers))
    return _Points(**stakes, limit=attack_limits(stakes["gain"], stakes["cost"]))


def _block(study: Study, points: _Points, chosen: dict[str, IntArray]) -> SweepBlock:
    """Return the rows of some points from the strategies, (p,) node numbers each, of the policy and the games."""
    names = list(chosen)
    nodes = np.stack(list(chosen.values()), axis=1).ravel()
    columns: dict[str, list[float] | list[str]] = {}
    stakes = {name: np.repeat(getattr(points, name), len(names)) for name in STAKES}
    columns |= {name: stakes[name].tolist() for name in STAKES}
    columns["policy"] = names * len(points.benefit)
    outcomes = _outcomes(study, nodes, stakes, np.repeat(points.limit, len(names)))
    columns |= {name: values.tolist() for name, values in outcomes.items()}
    return SweepBlock(columns=columns, points=len(points.benefit))


def _block_against(study: Study, points: _Points, axes: Sequence[Axis]) -> SweepBlock:
    """Return the rows of some points where there are recipients: every point is played by itself."""
    names = [study.scenario_policy.name, *GAMES]
    columns: dict[str, list[float] | list[str]] = {
        name: np.repeat(getattr(points, name), len(names)).tolist() for name in STAKES
    }
    columns["policy"] = names * len(points.benefit)
    columns |= {name: [] for name in (*study.instance.hierarchies, *OUTCOMES)}
    varied = {axis.name: getattr(points, axis.name).tolist() for axis in axes}
    for values in zip(*varied.values(), strict=True):
        payoffs = replace(study.instance.payoffs, **dict(zip(varied, values, strict=True)))
        instance = replace(study.instance, payoffs=payoffs)
        nodes = np.concatenate([best_nodes(study, name, instance) for name in names])
        found = Outcomes(instance=instance, profiles=np.zeros(len(nodes), np.int64), nodes=nodes)
        for place, name in enumerate(study.instance.hierarchies):
            columns[name] += found.levels[:, place].tolist()
        for name in OUTCOMES:
            columns[name] += getattr(found, name).tolist()
    return SweepBlock(columns=columns, points=len(points.benefit))


def _outcomes(
    study: Study, nodes: IntArray, stakes: dict[StakeName, FloatArray], limits: IntArray
) -> dict[str, IntArray | FloatArray | BoolArray]:
    """Return the levels and outcomes, (k,) each, of strategies (k,) at stakes (k,) each."""
    used, of_row = np.unique(nodes, return_inverse=True)
    found = Outcomes(instance=study.instance, profiles=np.zeros(len(used), np.int64), nodes=used)
    people, withheld, lost = found.people[of_row], found.withheld[of_row], found.information_loss[of_row]
    attacked = attacked_within(people, limits)
    value = np.where(withheld, 0.0, stakes["benefit"] * (1 - lost))
    outcomes: dict[str, FloatArray | BoolArray] = {
        "withheld": withheld,
        "attacked": attacked,
        "information_loss": lost,
        "generalization_intensity": found.generalization_intensity[of_row],
        "success_probability": found.success_probability[of_row],
        "publisher_payoff": publisher_payoff(value, people, attacked=attacked, loss=stakes["loss"]),
        "adversary_payoff": adversary_payoff(people, attacked=attacked, gain=stakes["gain"], cost=stakes["cost"]),
    }
    by_attribute = {name: found.levels[of_row, place] for place, name in enumerate(study.instance.hierarchies)}
    return by_attribute | {name: outcomes[name] for name in OUTCOMES}
