"""The measures along a grid of stakes where there are recipients: every point is played by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from gamedeid.analysis.study_table import SweepBlock
from gamedeid.choices import GAMES, MEASURES
from gamedeid.game.outcomes import total_of
from gamedeid.progress import Progress
from gamedeid.scenario.grid import STAKES, Axis
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.study import Study


def recipient_blocks(study: Study, axes: Sequence[Axis], progress: Progress | None) -> Iterator[SweepBlock]:
    """Yield the rows of :func:`gamedeid.sweep`, those of one point of the grid after another.

    A stake moves the recipients who have none of their own.

    Parameters
    ----------
    study : the question, with recipients.
    axes : one for each stake that is varied, each stake once.
    progress : called with (points done, points in all).
    """
    total = prod(len(axis.values) for axis in axes)
    policy = study.instance.lattice.nodes(study.scenario_policy.levels)
    frontiers = {name: study.frontier(name) for name in GAMES}
    for done, payoffs in enumerate(_points(study.instance.payoffs, axes), start=1):
        instance = replace(study.instance, payoffs=payoffs)
        nodes = {study.scenario_policy.name: policy} | {
            name: frontier.choose(payoffs, forbids_attack=study.game(name).forbids_attack)
            for name, frontier in frontiers.items()
        }
        measures = [total_of(instance, chosen).measures for chosen in nodes.values()]
        stakes = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
        stakes["gain"] = payoffs.adversary_gain
        columns: dict[str, list[float] | list[str]] = {name: [float(stakes[name])] * len(nodes) for name in STAKES}
        columns["policy"] = list(nodes)
        columns |= {name: [float(found[name]) for found in measures] for name in MEASURES}
        yield SweepBlock(columns=columns, points=1)
        if progress is not None:
            progress(done, total)


def _points(own: Payoffs, axes: Sequence[Axis]) -> Iterator[Payoffs]:
    """Yield the stakes of each point: the benefit quickest, the first of the other axes slowest."""
    ordered = sorted(axes, key=lambda axis: axis.name == "benefit")
    for values in product(*(axis.values for axis in ordered)):
        yield replace(own, **dict(zip((axis.name for axis in ordered), values, strict=True)))
