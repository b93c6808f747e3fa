"""Sweeps: measures of all games and the policy over a grid of benefit, loss, cost and gain."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from gamedeid.analysis.stretches import best_measures, best_nodes, compared_names, instance_at
from gamedeid.analysis.study_table import (
    StudyTable,
    SweepBlock,
    check_attributes,
    check_measures,
    chosen_columns,
    columns_of,
)
from gamedeid.arrays import ARRAY_ROWS, OBJECT_ROWS, BoolArray, FloatArray, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GAMES, MEASURES, OUTCOMES
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.frontier import Frontier
from gamedeid.game.measures import WITHHELD_RECORD, Features, Sums, features_of, measures_at
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.recipients import Recipients
from gamedeid.game.rules import Game
from gamedeid.kernels import sweep as kernels
from gamedeid.kernels.tables import NO_MATCH, WITHHELD
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen
from gamedeid.scenario.grid import STAKES, Axis, grid_axes, is_of_recipient, replace_recipient_values
from gamedeid.scenario.payoffs import (
    TIE,
    Payoffs,
    adversary_payoff,
    attack_limits,
    attacked_within,
    publisher_payoff,
)
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.solution import Solution
from gamedeid.study.solve import policy_solution
from gamedeid.study.study import Study


def sweep(
    scenario: ScenarioLike | Study,
    axes: Sequence[Axis | str],
    *,
    per_record: bool = False,
    measures: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> StudyTable:
    """Return the measures of the policy and of the three games at every point of a grid.

    Rows have ``benefit``, ``loss``, ``cost``, ``gain``, ``policy``, and the measures as ``Solution.measures`` has them.
    Per record they have the chosen level of each attribute, and the outcomes as ``strategies.csv`` has them, in place
    of the measures.

    Points are ordered by the axes, the benefit quickest and the first of the others slowest; a point's rows are the
    policy's and the games'. The gain follows the loss unless it is varied or the scenario gives it. At every point the
    strategies are those of backward induction.

    Parameters
    ----------
    scenario : the question, in any form that :func:`gamedeid.solve` takes; its own stakes hold where nothing is varied.
    axes : one for each stake that is varied, each stake once; or words for it, such as "loss=0:2000:50", as
        :meth:`gamedeid.Axis.parse` reads them. With ``[recipients]`` also their numbers, such as
        "recipients.thief.probability=0:0.1:0.01", for all records; each has its column.
    per_record : whether rows are about the one record of a study, as :meth:`gamedeid.Study.alone` returns it.
    measures : only these of the measures or outcomes (default: all).
    progress : called with (points done, all points) during each iteration.

    Raises
    ------
    InvalidScenarioError : no axis, a stake named twice, more than ``MOST_POINTS`` points, no such measure; limits
        on the whole dataset, or more strategies than tables can hold; per record, more than one profile, or an
        attribute named like another column.

    References
    ----------
    wan2015, "Sensitivity Analysis of the Game" (Figures 10 and 11); the frontier's page in the documentation.
    """
    study = Study.prepare(scenario)
    refuse_unsupported(Operation.SWEEP, study.features)
    report = progress or unreported
    parsed = grid_axes(axes, None if per_record else study.scenario.recipients)
    known = OUTCOMES if per_record else MEASURES
    check_measures(measures, known)
    if per_record and study.instance.profiles.count != 1:
        raise InvalidScenarioError("one record's sweep needs the study of one record; `Study.alone` returns it")
    if per_record:
        check_attributes(study, (*STAKES, "policy"), "one record's sweep")
    return StudyTable(
        study=study,
        name="sweep",
        asked={"vary": {axis.name: list(axis.values) for axis in parsed}, **study.person},
        blocks=lambda: chosen_columns(_sweep_blocks(study, parsed, report, per_record=per_record), measures, known),
    )


def sweep_rows(study: Study, axes: Sequence[Axis], pool: ThreadPoolExecutor) -> Iterator[SweepBlock]:
    """Yield the same as :func:`sweep`, the benefits at one combination of the other stakes at a time."""
    points = next((len(axis.values) for axis in axes if axis.name == "benefit"), 1)
    blocks = _blocks_in(pool, study, axes, at_once=1)
    for first in blocks:  # each has this many points, or one
        yield SweepBlock(columns=columns_of([first, *islice(blocks, points - first.points)]), points=points)


def _sweep_blocks(study: Study, axes: Sequence[Axis], progress: Progress, *, per_record: bool) -> Iterator[SweepBlock]:
    done, total = 0, _size(axes)
    with ThreadPoolExecutor(len(GAMES)) as pool:  # the loops let go of Python's lock
        for block in _blocks_in(pool, study, axes, per_record=per_record):
            done += block.points
            progress(done, total)
            yield block


def _blocks_in(
    pool: ThreadPoolExecutor,
    study: Study,
    axes: Sequence[Axis],
    *,
    at_once: int | None = None,
    per_record: bool = False,
) -> Iterator[SweepBlock]:
    """Return the rows of ``at_once`` combinations of the other stakes after another (default: as many as fit).

    Against the paper's adversary compiled loops answer many points at once, else each point is asked by itself.
    """
    if not study.instance.recipients.is_paper_adversary or any(is_of_recipient(axis.name) for axis in axes):
        return _point_blocks(study, axes, per_record=per_record)
    return record_blocks(study, axes) if per_record else _sum_blocks(pool, study, axes, at_once)


def _size(axes: Sequence[Axis]) -> int:
    """Return the number of points of a grid."""
    return prod(len(axis.values) for axis in axes)


def _points(axes: Sequence[Axis], numbers: IntArray) -> dict[str, FloatArray]:
    """Return name -> the values of an axis at the points of these numbers, (p,) each.

    The benefit is the quickest, the first of the other axes the slowest.
    """
    values: dict[str, FloatArray] = {}
    quickest_last = sorted(axes, key=lambda axis: axis.name == "benefit")
    for axis in quickest_last[::-1]:
        numbers, place = np.divmod(numbers, len(axis.values))
        values[axis.name] = np.array(axis.values, float)[place]
    return values


@frozen(eq=False, slots=False)
class _Stakes:
    """The stakes of some points, (p,) dollars each."""

    benefit: FloatArray
    loss: FloatArray
    cost: FloatArray
    gain: FloatArray

    @classmethod
    def at(cls, own: Payoffs, axes: Sequence[Axis], numbers: IntArray) -> "_Stakes":
        """Return the stakes of the points of these numbers, (p,) rising: ``own`` where nothing is varied."""
        stakes = {name: np.full(len(numbers), getattr(own, name)) for name in ("benefit", "loss", "cost")}
        stakes |= _points(axes, numbers)
        gain = stakes.pop("gain", np.broadcast_to(own.gain_at(stakes["loss"]), len(numbers)))
        return cls(**stakes, gain=gain)

    @cached_property
    def limits(self) -> IntArray:
        """The largest group that is attacked, (p,)."""
        return attack_limits(self.gain, self.cost)

    def columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Return the first columns of a table that has a row for each of these names at every point."""
        stakes: dict[str, list[Any]] = {name: np.repeat(getattr(self, name), len(names)).tolist() for name in STAKES}
        return stakes | {"policy": list(names) * len(self.loss)}


def _sum_blocks(
    pool: ThreadPoolExecutor, study: Study, axes: Sequence[Axis], at_once: int | None
) -> Iterator[SweepBlock]:
    """Yield the measures over the records, from sums that compiled loops make along the benefit."""
    own, records = study.instance.payoffs, int(study.instance.profiles.records.sum())
    other_axes = [axis for axis in axes if axis.name != "benefit"]
    given = next((axis.values for axis in axes if axis.name == "benefit"), (own.benefit,))
    benefits, place = np.unique(np.array(given, float), return_inverse=True)
    policy = policy_solution(study, study.scenario_policy)
    frontiers = {name: study.frontier(name) for name in GAMES}  # one after another, since they count as they go
    features = {frontier: _features_of(frontier) for frontier in set(frontiers.values())}  # two games may share theirs
    games = [(study.game(name), frontiers[name], features[frontiers[name]]) for name in GAMES]
    size = at_once or max(1, ARRAY_ROWS // (len(benefits) * len(Sums._fields)))
    for start in range(0, _size(other_axes), size):
        stop = min(start + size, _size(other_axes))
        others = _Stakes.at(own, other_axes, np.arange(start, stop))
        of_games = pool.map(partial(_game_sums, others=others, benefits=benefits), *zip(*games, strict=True))
        sums = [_policy_sums(policy, others, benefits), *of_games]
        stakes = _Stakes.at(own, axes, np.arange(start * len(given), stop * len(given)))
        at_stakes = {name: getattr(stakes, name) for name in STAKES}
        measures = [
            measures_at(Sums(*found[:, place].reshape(-1, len(Sums._fields)).T), records, **at_stakes) for found in sums
        ]
        columns = stakes.columns(compared_names(study))
        columns |= {name: np.stack([found[name] for found in measures], axis=1).ravel().tolist() for name in MEASURES}
        yield SweepBlock(columns=columns, points=len(stakes.loss))


def _features_of(frontier: Frontier) -> kernels.FeatureTables:
    """Return the amounts that the records of each profile add to the sums by each strategy of its frontier."""
    lattice, profiles, entries = frontier.data.lattice, frontier.data.profiles, frontier.entries
    released = features_of(
        benefit_share=entries.benefit_share,
        intensity=(lattice.ranks(np.arange(lattice.size)) / lattice.steps)[frontier.nodes],
        withheld=np.zeros(len(frontier.nodes), np.bool_),
        unmatched=entries.people == NO_MATCH,
    )
    return kernels.FeatureTables(
        chosen=np.stack(released, axis=1, dtype=float),
        withheld=np.array(WITHHELD_RECORD),
        records=profiles.records.astype(float),
    )


def _game_sums(
    game: Game, frontier: Frontier, features: kernels.FeatureTables, *, others: _Stakes, benefits: FloatArray
) -> FloatArray:
    """Return the sums over records of a game's best strategies, (o, b, fields of ``Sums``)."""
    order = np.argsort(others.limits, kind="stable")
    sums = np.empty((len(order), len(benefits), len(Sums._fields)))
    kernels.sum_along_benefit(
        frontier.entries,
        kernels.OtherStakes(others.loss[order], others.limits[order]),
        benefits,
        TIE,
        game.forbids_attack,
        features,
        sums,
    )
    back = np.empty_like(sums)
    back[order] = np.maximum(sums, 0.0)  # amounts are added and taken away again, and rounded each time
    return back


def _policy_sums(policy: Solution, others: _Stakes, benefits: FloatArray) -> FloatArray:
    """Return the sums over records of a policy, (o, b, fields of ``Sums``); its strategies do not move."""
    records = policy.study.instance.profiles.records
    people = policy.people
    features = features_of(
        benefit_share=1 - policy.information_loss,
        intensity=policy.generalization_intensity,
        withheld=policy.withheld,
        unmatched=policy.unmatched,
    )
    fixed = Features(*(float((values * records).sum()) for values in features))
    sums = np.empty((len(others.loss), len(benefits), len(Sums._fields)))
    for other, limit in enumerate(others.limits):
        attacked = attacked_within(people, limit)
        attacks = float((attacked * records).sum())
        reidentified = float((records[attacked] / people[attacked]).sum())
        sums[other] = Sums(**fixed._asdict(), attacks=attacks, reidentified=reidentified)
    return sums


def record_blocks(study: Study, axes: Sequence[Axis]) -> Iterator[SweepBlock]:
    """Yield the rows of the study of one person against the paper's adversary (wan2015, Figures 8 and 9)."""
    names, total = compared_names(study), _size(axes)
    for start in range(0, total, OBJECT_ROWS):
        stakes = _Stakes.at(study.instance.payoffs, axes, np.arange(start, min(start + OBJECT_ROWS, total)))
        count = len(stakes.benefit)
        chosen = [np.broadcast_to(study.instance.lattice.nodes(study.scenario_policy.levels), count)]
        for name in GAMES:
            frontier, forbids_attack = study.frontier(name), study.game(name).forbids_attack
            entries = np.empty(count, np.int64)
            kernels.choose_at_points(
                frontier.entries, 0, stakes.benefit, stakes.loss, stakes.limits, TIE, forbids_attack, entries
            )
            chosen.append(np.where(entries == WITHHELD, WITHHELD, frontier.nodes[entries]))
        outcomes = _outcomes(study, np.stack(chosen, axis=1), stakes)
        columns = stakes.columns(names) | {name: values.ravel().tolist() for name, values in outcomes.items()}
        yield SweepBlock(columns=columns, points=count)


def _outcomes(study: Study, nodes: IntArray, stakes: _Stakes) -> dict[str, IntArray | FloatArray | BoolArray]:
    """Return the levels and outcomes, (p, k) each, of strategies (p, k) at stakes (p,)."""
    used, of_row = np.unique(nodes, return_inverse=True)
    of_row = of_row.reshape(nodes.shape)
    found = Outcomes(instance=study.instance, profiles=np.zeros(len(used), np.int64), nodes=used)
    people, withheld, lost = found.people[of_row], found.withheld[of_row], found.information_loss[of_row]
    attacked = attacked_within(people, stakes.limits[:, None])
    value = np.where(withheld, 0.0, stakes.benefit[:, None] * (1 - lost))
    gain, cost = stakes.gain[:, None], stakes.cost[:, None]
    by_attribute = {name: found.levels[of_row, place] for place, name in enumerate(study.instance.hierarchies)}
    return by_attribute | {
        "withheld": withheld,
        "attacked": attacked,
        "information_loss": lost,
        "generalization_intensity": found.generalization_intensity[of_row],
        "success_probability": found.success_probability[of_row],
        "publisher_payoff": publisher_payoff(value, people, attacked=attacked, loss=stakes.loss[:, None]),
        "adversary_payoff": adversary_payoff(people, attacked=attacked, gain=gain, cost=cost),
    }


def _point_blocks(study: Study, axes: Sequence[Axis], *, per_record: bool) -> Iterator[SweepBlock]:
    """Yield the rows of one point of the grid after another; a stake moves the recipients who name none."""
    given, names = study.scenario.recipients, compared_names(study)
    varied = [axis.name for axis in axes if is_of_recipient(axis.name)]
    if varied:
        study = _with_all_recipients(study, varied)
    for number in range(_size(axes)):
        point = {name: float(value) for name, [value] in _points(axes, np.array([number])).items()}
        of_recipients = {name: point.pop(name) for name in varied}
        recipients = (
            study.instance.recipients.with_recipients(replace_recipient_values(given, of_recipients))
            if varied
            else None
        )
        instance = instance_at(study, point, recipients)
        payoffs = instance.payoffs
        stakes = {name: getattr(payoffs, name) for name in STAKES} | {"gain": payoffs.adversary_gain, **of_recipients}
        columns: dict[str, list[Any]] = {name: [float(stakes[name])] * len(names) for name in (*STAKES, *varied)}
        columns["policy"] = list(names)
        if per_record:
            nodes = np.concatenate([best_nodes(study, name, instance) for name in names])
            found = Outcomes(instance=instance, profiles=np.zeros(len(nodes), np.int64), nodes=nodes)
            columns |= dict(zip(study.instance.hierarchies, found.levels.T.tolist(), strict=True))
            columns |= {name: getattr(found, name).tolist() for name in OUTCOMES}
        else:
            measures = best_measures(study, instance).values()
            columns |= {name: [float(one[name]) for one in measures] for name in MEASURES}
        yield SweepBlock(columns=columns, points=1)


def with_separate_stakes(study: Study) -> Study:
    """Return the same question, in which a varied stake moves no recipient with a separate one, not even the only one.

    Parameters
    ----------
    study : the question; the same is returned unless its only recipient has separate stakes.
    """
    same = Payoffs.of(study.scenario.payoffs) == study.instance.payoffs
    return study if same else _with_all_recipients(study, ())


def _with_all_recipients(study: Study, varied: Sequence[str]) -> Study:
    """Return the same question with all who have a probability above 0 at some point, each a recipient."""
    scenario, instance, data = study.scenario, study.instance, study.instance.data
    sure = {name: 1.0 for name in varied if name.endswith(".probability")}
    given = replace_recipient_values(scenario.recipients, sure)
    recipients = Recipients.compile(given, data.hierarchies, data.lattice, list(data.own), vary=True)
    return replace(study, instance=replace(instance, payoffs=Payoffs.of(scenario.payoffs), recipients=recipients))
