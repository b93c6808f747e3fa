"""The outcomes of each record by its stated levels and the people who match it, recomputed independently."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import OUTCOMES
from gamedeid.reprs import frozen
from gamedeid.results.stored import STRATEGIES, StoredResults
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.people import UNKNOWN, rows_by_levels
from gamedeid.verification.recipients import RecipientReplies, adversary_gain, attacks
from gamedeid.verification.tables import Strategies

CLOSE = 1e-12
"""Relative difference up to which numbers are equal; for payoffs, relative to the stakes."""

EQUAL = 2e-9
"""Share of the benefit by which a solver's payoff may be below the best and count as equal."""

GAIN_PREFIX = "gained by "
"""Prefix of the name of a recipient: the average gain of the attacks if this recipient is present."""


@frozen(eq=False)
class Recomputed:
    """The outcomes of all records, (n,) each, and which of them follow from counted people.

    Parameters
    ----------
    outcomes : name -> (n,); with the stated chance of success if no one was counted, and the stated loss of information
        if hierarchies are not known.
    counted : (n,) whether the people who match were counted, or the record is withheld.
    people : (n,) number of people who match, n_p; 0 for a withheld record, ``UNKNOWN`` if nothing stated implies it.
    """

    outcomes: Mapping[str, Any]
    counted: BoolArray
    people: IntArray

    @property
    def replies_are_known(self) -> bool:
        """Whether the reply of each recipient, and its chance of success, are known."""
        return not np.isnan(self.outcomes["if_all_attacked"]).any()

    def of(self, rows: IntArray) -> "Recomputed":
        """Return the same of some records, (k,) by number."""
        outcomes = {name: column[rows] for name, column in self.outcomes.items()}
        return Recomputed(outcomes=outcomes, counted=self.counted[rows], people=self.people[rows])


def information_lost(attributes: Sequence[AttributeLabels], levels: Sequence[int], labels: IntArray) -> FloatArray:
    """Return IL, (k,), of rows with labels (k, a) at levels (a,): sum of w ln(values), over its maximum."""
    lost, most = np.zeros(len(labels)), 0.0
    for place, (one, level) in enumerate(zip(attributes, levels, strict=True)):
        lost += one.weight * np.log(one.sizes[level])[labels[:, place]]
        most += one.weight * float(np.log(one.missing))
    return lost / most


def recompute(
    strategies: Strategies,
    attributes: Sequence[AttributeLabels] | None,
    labels: IntArray,
    people: IntArray,
    stakes: Stakes,
    answers: RecipientReplies | None,
) -> Recomputed:
    """Return the outcomes of every record.

    Parameters
    ----------
    attributes : all attributes; None if a hierarchy is not known.
    labels : (n, a) as released.
    people : (n,) number of people who match; ``UNKNOWN`` if not counted.
    answers : the replies of recipients to all records; None for one adversary.
    """
    withheld = strategies.withheld
    counted = withheld | (people != UNKNOWN)
    stated = strategies.outcomes["success_probability"]
    valid = (stated > CLOSE) & (stated <= 1)
    implied = np.where(valid, np.round(1 / np.where(valid, stated, 1)), 0).astype(np.int64)
    matching = np.where(withheld, 0, np.where(counted, people, implied))
    chance = np.where(counted, np.where(matching > 0, 1 / np.maximum(matching, 1), 0.0), stated)
    if answers is None:
        attacked = attacks(matching, stakes) & ~withheld
        gained = np.where(attacked, adversary_gain(stakes) * chance - stakes.cost, 0.0)
        people = matching
        answers = RecipientReplies(
            attacked=attacked,
            deterrable=attacked,
            right=chance,
            right_if_all=chance,
            lost=np.where(attacked, stakes.loss * chance, 0.0),
            gained=gained,
            gained_by={"the adversary": gained},
        )
    lost, intensity = strategies.outcomes["information_loss"].copy(), strategies.outcomes["generalization_intensity"]
    if attributes is not None:
        known = ~withheld & (labels != NO_LABEL).all(axis=1)
        for levels, rows in rows_by_levels(strategies.levels):
            those = rows[known[rows]]
            lost[those] = information_lost(attributes, levels, labels[those])
        most = sum(one.top for one in attributes)
        intensity = np.where(withheld, 1.0, strategies.levels.sum(axis=1) / most)
    lost[withheld] = 1.0
    outcomes: dict[str, Any] = {
        "withheld": withheld,
        "attacked": answers.attacked,
        "deterrable": answers.deterrable,
        "information_loss": lost,
        "generalization_intensity": intensity,
        "success_probability": np.where(answers.attacked, answers.right, answers.right_if_all),
        "if_all_attacked": answers.right_if_all,
        "publisher_payoff": np.where(withheld, 0.0, stakes.benefit * (1 - lost) - answers.lost),
        "adversary_payoff": answers.gained,
        **{f"{GAIN_PREFIX}{name}": amounts for name, amounts in answers.gained_by.items()},
    }
    return Recomputed(outcomes=outcomes, counted=counted, people=np.where(withheld, 0, people))


@frozen(eq=False)
class ExaminedRun:
    """A stored run, and its recomputed outcomes.

    Parameters
    ----------
    evidence : records, people and hierarchies, as far as they are there.
    labels : (n, a) number of each released label, ``NO_LABEL`` for none.
    """

    claims: Claims
    current_scenario: Scenario
    evidence: Evidence
    strategies: Strategies
    labels: IntArray
    found: Recomputed
    log: CheckLog

    @property
    def stored(self) -> StoredResults:
        """The folder with its manifest."""
        return self.claims.stored

    @property
    def scenario(self) -> Scenario:
        """The scenario that the folder claims."""
        return self.evidence.scenario

    @property
    def file(self) -> str:
        """The file of the strategies, for findings."""
        return self.stored.parts(STRATEGIES)[0]


def compare_outcomes(run: ExaminedRun) -> None:
    """Compare the outcomes of the strategies with those recomputed."""
    strategies, found, log, stakes = run.strategies, run.found, run.log, run.scenario.payoffs
    others = [amount for one in run.scenario.recipients.values() for amount in (one.loss, one.gain)]
    dollars = CLOSE * max(stakes.benefit, stakes.loss, *(amount or 0.0 for amount in (stakes.gain, *others)))
    for name in OUTCOMES[1:]:
        expected, stated = found.outcomes[name], strategies.outcomes[name]
        if name == "attacked":
            wrong = expected != stated
        else:
            least = dollars if name.endswith("payoff") else 0.0 if name == "success_probability" else CLOSE
            wrong = np.abs(expected - stated) > np.maximum(least, CLOSE * np.abs(expected))
        log.find_rows(run.file, name, wrong, "does not follow from release and population", numbers=(expected, stated))
    log.did(f"{len(OUTCOMES) - 1} outcomes of {number_of(strategies.records, 'record')}")
    uncounted = int((~found.counted).sum())
    if uncounted:
        log.skip(
            f"the people who match {uncounted:,} of {number_of(strategies.records, 'record')}",
            "they were not counted; figures that follow from the stated chance of success were compared",
        )
