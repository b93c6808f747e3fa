"""The measures along a grid of stakes where there are recipients: every point is played by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from gamedeid.analysis.study_table import SweepBlock
from gamedeid.choices import GAMES, MEASURES
from gamedeid.game.outcomes import total_of
from gamedeid.game.recipients import Recipients
from gamedeid.progress import Progress
from gamedeid.scenario.grid import STAKES, Axis
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.varied_recipients import is_of_recipient, recipients_with
from gamedeid.study.study import Study


def recipient_blocks(study: Study, axes: Sequence[Axis], progress: Progress | None) -> Iterator[SweepBlock]:
    """Yield the rows of :func:`gamedeid.sweep`, those of one point of the grid after another.

    A stake moves the recipients who have none of their own.

    Parameters
    ----------
    study : the question, with recipients.
    axes : one for each stake, or number of a recipient, that is varied, each once.
    progress : called with (points done, points in all).
    """
    given = study.scenario.recipients
    total = prod(len(axis.values) for axis in axes)
    varied = [axis.name for axis in axes if is_of_recipient(axis.name)]
    if varied:
        study = _facing_all(study, varied)
    policy = study.instance.lattice.nodes(study.scenario_policy.levels)
    frontiers = {name: study.frontier(name) for name in GAMES}
    for done, point in enumerate(_points(axes), start=1):
        of_recipients = {name: point.pop(name) for name in varied}
        payoffs = replace(study.instance.payoffs, **point)
        instance, at_point = replace(study.instance, payoffs=payoffs), frontiers
        if varied and (all_of_them := study.instance.recipients) is not None:
            recipients = all_of_them.playing_for(recipients_with(given, of_recipients))
            instance = replace(instance, recipients=recipients)
            at_point = {name: frontier.facing(recipients) for name, frontier in frontiers.items()}
        nodes = {study.scenario_policy.name: policy} | {
            name: frontier.choose(payoffs, forbids_attack=study.game(name).forbids_attack)
            for name, frontier in at_point.items()
        }
        measures = [total_of(instance, chosen).measures for chosen in nodes.values()]
        stakes = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
        stakes |= {"gain": payoffs.adversary_gain, **of_recipients}
        columns: dict[str, list[float] | list[str]] = {
            name: [float(stakes[name])] * len(nodes) for name in (*STAKES, *varied)
        }
        columns["policy"] = list(nodes)
        columns |= {name: [float(found[name]) for found in measures] for name in MEASURES}
        yield SweepBlock(columns=columns, points=1)
        if progress is not None:
            progress(done, total)


def _facing_all(study: Study, varied: Sequence[str]) -> Study:
    """Return the same question with everybody who comes to be at some point, none of them the paper's adversary."""
    scenario, instance = study.scenario, study.instance
    sure = {name: 1.0 for name in varied if name.endswith(".probability")}
    everybody = recipients_with(scenario.recipients, sure)
    recipients = Recipients.of(everybody, instance.hierarchies, instance.lattice, list(instance.own))
    return replace(study, instance=replace(instance, payoffs=Payoffs.of(scenario.payoffs), recipients=recipients))


def _points(axes: Sequence[Axis]) -> Iterator[dict[str, float]]:
    """Yield the values of each point by name: the benefit quickest, the first of the other axes slowest."""
    ordered = sorted(axes, key=lambda axis: axis.name == "benefit")
    for values in product(*(axis.values for axis in ordered)):
        yield dict(zip((axis.name for axis in ordered), values, strict=True))
