"""The replies of several recipients to released rows, recomputed independently."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import Recipient, active_recipients, kept_knowledge, sole_paper_adversary
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import AttributeLabels, labels_above
from gamedeid.verification.people import UNKNOWN, People, count_people

INDIFFERENT = 1e-12
"""Relative excess of the gain over the expected cost up to which it is a tie, without an attack."""


def adversary_gain(stakes: Stakes) -> float:
    """Return the adversary's gain from a re-identified record, dollars (default: the loss)."""
    return stakes.loss if stakes.gain is None else stakes.gain


def recipient_stakes(recipient: Recipient, stakes: Stakes) -> Stakes:
    """Return the stakes of both players for this recipient: the recipient's amounts, else those of the payoffs."""
    given = {name: getattr(recipient, name) for name in ("gain", "cost", "loss")}
    return stakes.model_copy(update={name: amount for name, amount in given.items() if amount is not None})


def played_stakes(scenario: Scenario) -> Stakes:
    """Return the stakes of a scenario: those of a single recipient who is the paper's adversary, if there is one."""
    lone = sole_paper_adversary(scenario.recipients)
    return scenario.payoffs if lone is None else recipient_stakes(lone, scenario.payoffs)


def attacks(people: IntArray, stakes: Stakes) -> BoolArray:
    """Return whether the adversary attacks records that n_p people, (k,), match: gain > cost x n_p."""
    attacked: BoolArray = (people > 0) & (adversary_gain(stakes) > stakes.cost * people * (1 + INDIFFERENT))
    return attacked


def chance_on_list(people: IntArray, covers: float) -> FloatArray:
    """Return the chance, (k,), that a list has at least one of these people, if it has each with chance ``covers``."""
    found: FloatArray = np.ones(len(people)) if covers == 1 else -np.expm1(people * np.log1p(-covers))
    return found


@frozen(eq=False, slots=False)
class RecipientReplies:
    """The replies of all recipients together to rows, (k,) each.

    Parameters
    ----------
    deterrable : whether a recipient with a cost attacks.
    right : expected number of attacks that name the right person.
    lost, gained : average cost of the attacks to the publisher, and average gain of the recipients, dollars.
    gained_by : name -> average gain of a recipient from the attacks if active, dollars; for recipients with a cost.
    """

    attacked: BoolArray
    deterrable: BoolArray
    right: FloatArray
    right_if_all: FloatArray
    lost: FloatArray
    gained: FloatArray
    gained_by: Mapping[str, FloatArray]

    @classmethod
    def none(cls, count: int, names: Sequence[str]) -> "RecipientReplies":
        """Return the replies of recipients who attack none of these rows; ``gained_by`` has the names with a cost."""
        return cls(
            attacked=np.zeros(count, np.bool_),
            deterrable=np.zeros(count, np.bool_),
            right=np.zeros(count),
            right_if_all=np.zeros(count),
            lost=np.zeros(count),
            gained=np.zeros(count),
            gained_by={name: np.zeros(count) for name in names},
        )

    def gain(self, name: str, amounts: FloatArray, probability: float) -> None:
        """Add the gain, (k,) dollars, of a recipient with a probability above 0."""
        self.gained[:] += amounts
        if name in self.gained_by:
            self.gained_by[name][:] += amounts / probability

    def among(self, rows: IntArray, count: int) -> "RecipientReplies":
        """Return the same replies to rows, (k,), among all rows; no recipient attacks the others."""
        wide = RecipientReplies.none(count, list(self.gained_by))
        for name, amounts in vars(self).items():
            if name != "gained_by":
                getattr(wide, name)[rows] = amounts
        for name, amounts in self.gained_by.items():
            wide.gained_by[name][rows] = amounts
        return wide


def recipient_replies(
    scenario: Scenario,
    people: People,
    own: Mapping[str, People],
    attributes: Sequence[AttributeLabels],
    levels: IntArray,
    labels: IntArray,
) -> RecipientReplies | None:
    """Return the replies of the recipients of a scenario to rows with labels, (k, a), at levels, (k, a).

    None if the people whom one of them finds are not known.

    Parameters
    ----------
    own : name of a recipient -> the people whom it can look up instead, with the kept columns that it knows.
    """
    amounts = {name: recipient_stakes(one, scenario.payoffs) for name, one in scenario.recipients.items()}
    found = RecipientReplies.none(len(levels), [name for name, stakes in amounts.items() if stakes.cost > 0])
    tops = {one.name: one.top for one in attributes}
    deciding = active_recipients(scenario.recipients)
    kept = kept_knowledge(scenario.recipients, scenario.records.keep)
    known_to_some = {column for columns in kept.values() for column in columns}
    for name, recipient in deciding.items():
        if (recipient.population is not None or name in kept) and name not in own:
            return None
        unknown = known_to_some.difference(kept.get(name, ()))
        places = [at for at, one in enumerate(attributes) if one.name not in unknown]
        distinguished = [attributes[at] for at in places]
        stakes, learns = amounts[name], recipient.learns
        learned = [(1.0, False)] if learns is None else [(learns.probability, True), (1 - learns.probability, False)]
        matching = []
        for _, has_learned in learned:
            known = recipient.levels_known(tops, learned=has_learned)
            least = [known[one.name] for one in distinguished]
            seen = labels_above(distinguished, levels[:, places], labels[:, places], least)
            matching.append(count_people(own.get(name, people), distinguished, *seen))
        if any((some == UNKNOWN).any() for some in matching):
            return None
        if learns is not None and learns.price and learns.probability > 0:
            pays = _pays_to_learn(
                learns.price, learns.probability, *(_worth(some, recipient, stakes) for some in matching)
            )
            matching[0] = np.where(pays, *matching)
            paid = np.where(pays, -recipient.probability * learns.price, 0.0)
            found.gain(name, paid, recipient.probability)
        for (chance, _), some in zip(learned, matching, strict=True):
            if chance > 0:
                _add_replies(found, name, recipient, stakes, recipient.probability * chance, some)
    return found


def stated_replies(scenario: Scenario, stated: Mapping[str, Any]) -> RecipientReplies:
    """Return the replies to all records, (n,), that strategies state, if the people whom recipients find are not known.

    They are consistent: without an attack nothing is lost or gained, and an attack loses at least the smallest and at
    most the greatest loss by a recipient, each times the chance of success. The success of attacks on all records is
    NaN if some recipients attack.

    Parameters
    ----------
    stated : name of an outcome -> (n,).
    """
    deciding = active_recipients(scenario.recipients)
    amounts = [recipient_stakes(one, scenario.payoffs) for one in deciding.values()]
    losses = [one.loss for one in amounts] or [0.0]
    released = ~stated["withheld"]
    attacked = stated["attacked"] & released & bool(amounts)
    right = np.where(
        released, np.clip(stated["success_probability"], 0, sum(one.probability for one in deciding.values())), 0.0
    )
    lost = scenario.payoffs.benefit * (1 - stated["information_loss"]) - stated["publisher_payoff"]
    pays = any(one.learns is not None and one.learns.price for one in deciding.values())
    return RecipientReplies(
        attacked=attacked,
        deterrable=attacked & all(one.cost > 0 for one in amounts),
        right=right,
        right_if_all=np.where(attacked, np.nan, right),
        lost=np.where(attacked, np.clip(lost, min(losses) * right, max(losses) * right), 0.0),
        gained=np.where(attacked | (released & pays), stated["adversary_payoff"], 0.0),
        gained_by={},
    )


def _worth(matching: IntArray, recipient: Recipient, stakes: Stakes) -> FloatArray:
    """Return the worth of a look-up to the recipient, (k,) dollars."""
    paid = chance_on_list(matching, recipient.covers) * (adversary_gain(stakes) / np.maximum(matching, 1) - stakes.cost)
    return np.where(attacks(matching, stakes), paid, 0.0)


def _pays_to_learn(price: float, chance: float, learned: FloatArray, unlearned: FloatArray) -> BoolArray:
    """Return whether the recipient pays to learn, (k,), by the worth of a look-up with and without it."""
    expected = chance * learned
    does: BoolArray = expected - chance * unlearned > price + INDIFFERENT * (price + expected)
    return does


def _add_replies(
    found: RecipientReplies, name: str, recipient: Recipient, stakes: Stakes, chance: float, matching: IntArray
) -> None:
    """Add the replies of a recipient who is active, and has this knowledge, with this chance."""
    attacked, listed = attacks(matching, stakes), chance_on_list(matching, recipient.covers)
    right = np.where(matching > 0, chance * listed / np.maximum(matching, 1), 0.0)
    found.attacked[attacked] = True
    found.deterrable[attacked & (stakes.cost > 0)] = True
    found.right[attacked] += right[attacked]
    found.right_if_all[:] += right
    found.lost[attacked] += stakes.loss * right[attacked]
    gained = np.where(attacked, adversary_gain(stakes) * right - stakes.cost * chance * listed, 0.0)
    found.gain(name, gained, recipient.probability)
