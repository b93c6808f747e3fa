"""The re-identification risk of each released record: prosecutor, journalist and marketer risk."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import ClassVar

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.instance import Instance
from gamedeid.game.solvers import Choice
from gamedeid.generalization.published_labels import every_label, published_places
from gamedeid.grouping import distinct_rows, sums_by
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Number, Result, Share, Text
from gamedeid.scenario.payoffs import success_probability
from gamedeid.scenario.sections import RAW
from gamedeid.study.solution import Solution
from gamedeid.study.study import Study

THRESHOLDS: tuple[float, ...] = (0.05, 0.2)
"""Default risks above which records are counted: classes of fewer than 20, and of fewer than 5."""

GROUP_SIZES: tuple[int, ...] = (1, 3, 5, 10)
"""Default sizes of groups up to which records are counted."""


@frozen
class RiskDistribution(Result):
    """One risk over the released records.

    Parameters
    ----------
    highest : the risk of the record with most risk, in [0, 1]; 0 if nothing is released.
    mean : over the released records, in [0, 1]; 0 if nothing is released.
    above : threshold -> share of the released records whose risk is greater.
    """

    highest: Share
    mean: Share
    above: Mapping[str, Share]

    def if_all_attacked(self, records: int) -> "ExpectedReidentifications":
        """Return the expected successes if all ``records`` are attacked."""
        return ExpectedReidentifications(share=self.mean, reidentifications=self.mean * records)


@frozen
class ExpectedReidentifications(Result):
    """The expected successes if every released record is attacked.

    Parameters
    ----------
    share : share of the records that the adversary can find.
    reidentifications : number of people.
    """

    share: Share
    reidentifications: Number


@frozen
class MarketerRisk(Result):
    """The same if the adversary knows who is in the release (prosecutor), or only the population (journalist)."""

    prosecutor: ExpectedReidentifications
    journalist: ExpectedReidentifications


@frozen
class RecordRisks(Result):
    """The record-level risks of one release, over all its records; nothing of a single record.

    Parameters
    ----------
    name : name of the game or policy that was released, or "raw".
    records : number of records, withheld ones included.
    withheld : number of records that are not in the release; no other number counts them.
    k_anonymity : size of the smallest class of the release; None if nothing is released.
    k_map : fewest people who match a released record; None if no one matches any.
    unmatched : released records that match no one in the population: k-map and journalist leave them out.
    prosecutor : 1 / size of the class in the release: the adversary knows that the person is in it.
    journalist : 1 / n_p, over the released records that match a person of the population: the adversary knows only the
        population.
    expected_reidentifications : expected people under the game's adversary, who attacks only if it pays.
    """

    shown = ("name", "records", "withheld", "k_anonymity", "k_map")
    keys: ClassVar[tuple[str, ...]] = (
        *("name", "records", "withheld", "released", "k_anonymity", "k_map", "unmatched"),
        *("prosecutor", "journalist", "marketer", "expected_reidentifications"),
    )

    name: Text
    records: Count
    withheld: Count
    k_anonymity: Count | None
    k_map: Count | None
    unmatched: Count
    prosecutor: RiskDistribution
    journalist: RiskDistribution
    expected_reidentifications: Number

    @property
    def released(self) -> Count:
        """How many records are in the release."""
        return self.records - self.withheld

    @property
    def marketer(self) -> MarketerRisk:
        """Expected share of the records, and people, if every record is attacked, by the adversary's knowledge.

        The share is the mean risk: that of the prosecutor over the released records, that of the journalist over those
        of them that match a person.
        """
        return MarketerRisk(
            prosecutor=self.prosecutor.if_all_attacked(self.released),
            journalist=self.journalist.if_all_attacked(self.released - self.unmatched),
        )


def record_risks(solution: Solution, thresholds: Sequence[float] = THRESHOLDS) -> RecordRisks:
    """Return the record-level risks of a release.

    Parameters
    ----------
    solution : that of a game, of a policy, or of :func:`raw_solution`.
    thresholds : risks above which records are counted, each in [0, 1).

    Raises
    ------
    InvalidScenarioError : a threshold outside its range.
    """
    for threshold in thresholds:
        if not (isfinite(threshold) and 0 <= threshold < 1):
            raise InvalidScenarioError(f"a threshold of risk must be at least 0 and below 1, not {threshold:g}")
    released = ~solution.withheld
    weights = solution.study.instance.profiles.records
    of_released = weights[released]
    classes = class_sizes(solution)[released]
    people = solution.people[released]
    found = people > 0
    matched = people[found]
    records = int(weights.sum())
    return RecordRisks(
        name=solution.name,
        records=records,
        withheld=records - int(of_released.sum()),
        k_anonymity=int(classes.min()) if len(classes) else None,
        k_map=int(matched.min()) if len(matched) else None,
        unmatched=int(of_released[~found].sum()),
        prosecutor=risk_distribution(classes, of_released, thresholds),
        journalist=risk_distribution(matched, of_released[found], thresholds),
        expected_reidentifications=float(solution.measures["expected_reidentifications"]),
    )


def raw_solution(study: Study) -> Solution:
    """Return the records released unchanged: all levels 0, a missing value at the top, nothing withheld."""
    nodes = study.instance.lattice.nodes(study.instance.base)
    return Solution(study=study, name=RAW, solver=None, choice=Choice.unsearched(nodes))


def released_classes(solution: Solution) -> IntArray:
    """Return the class of each profile's records in the release, (q,) from 0 up; -1 where it is withheld.

    Records are in one class if they have the same labels, at any levels: a record does not show the levels of its
    labels. After earlier releases, records of one class also belong to people whom these do not distinguish: the
    recipient has the earlier rows.
    """
    nodes = solution.choice.nodes
    released = np.flatnonzero(nodes != WITHHELD)
    classes = np.full(len(nodes), -1, np.int64)
    if len(released):
        classes[released] = distinct_rows(_known_words(solution.study.instance, released, nodes[released]))[1]
    return classes


def class_sizes(solution: Solution) -> IntArray:
    """Return how many released records are in the class of each profile, (q,) int64; 0 where it is withheld."""
    classes = released_classes(solution)
    records = sums_by(classes, solution.study.instance.profiles.records, int(classes.max(initial=-1)) + 2)
    records[-1] = 0  # that of withheld records
    return records[classes]


def _known_words(instance: Instance, profiles: IntArray, nodes: IntArray) -> IntArray:
    """Return the labels that a recipient sees, (k, a), as numbers.

    Classes of people that the recipient can always distinguish are the last columns.
    """
    columns = []
    codes, levels = instance.profiles.codes[profiles], instance.lattice.levels(nodes)
    for place, hierarchy in enumerate(instance.data.hierarchies.values()):
        labels = every_label(hierarchy)
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        table = np.array([numbers[label] for label in labels])
        columns.append(table[published_places(hierarchy, codes[:, place], levels[:, place])])
    return np.stack(columns, axis=1)


def risk_distribution(sizes: IntArray, records: IntArray, thresholds: Sequence[float]) -> RiskDistribution:
    """Return the risk of one over ``sizes``, (k,), each with its number of ``records``, (k,); 0 without records."""
    risk = success_probability(sizes)
    total = int(records.sum())
    shares = [float(records[risk > threshold].sum()) / total if total else 0.0 for threshold in thresholds]
    return RiskDistribution(
        highest=float(risk.max(initial=0.0)),
        mean=float((risk * records).sum()) / total if total else 0.0,
        above={f"{threshold:g}": share for threshold, share in zip(thresholds, shares, strict=True)},
    )
