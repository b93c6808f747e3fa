"""What several recipients do about released rows, stated here a second time: whom each finds, and who attacks."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import Recipient
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.meanings import NO_LABEL, Meanings
from gamedeid.verification.people import UNKNOWN, People, count_people

INDIFFERENT = 1e-12
"""A gain that is above the expected cost by no more than this share of it is a tie, and no attack."""


@frozen(eq=False, slots=False)
class Answers:
    """What all recipients together do about rows, (k,) each.

    Parameters
    ----------
    attacked : whether anybody attacks.
    deterrable : whether somebody attacks whom an attack costs something.
    right : how many of the attacks are expected to name the right person.
    right_if_all : how many would be, if everybody attacked.
    lost, gained : what the attacks cost the publisher and bring the recipients on average, dollars.
    """

    attacked: BoolArray
    deterrable: BoolArray
    right: FloatArray
    right_if_all: FloatArray
    lost: FloatArray
    gained: FloatArray

    def among(self, rows: IntArray, count: int) -> "Answers":
        """Return the same of rows, (k,), among so many; nobody does anything about the others."""
        wide = no_answers(count)
        for name in vars(wide):
            getattr(wide, name)[rows] = getattr(self, name)
        return wide


def no_answers(count: int) -> Answers:
    """Return what nobody does about so many rows."""
    flags: list[BoolArray] = [np.zeros(count, np.bool_) for _ in range(2)]
    amounts: list[FloatArray] = [np.zeros(count) for _ in range(4)]
    return Answers(
        attacked=flags[0],
        deterrable=flags[1],
        right=amounts[0],
        right_if_all=amounts[1],
        lost=amounts[2],
        gained=amounts[3],
    )


def answers_of(
    scenario: Scenario, people: People, attributes: Sequence[Meanings], levels: IntArray, labels: IntArray
) -> Answers | None:
    """Return what the recipients of a scenario do about rows with labels, (k, a), at levels, (k, a).

    None where the people whom one of them finds are not known.

    Parameters
    ----------
    scenario : whose recipients they are.
    people : whom they can look up.
    attributes : what values mean.
    levels, labels : of the rows.
    """
    found = no_answers(len(levels))
    for chance, recipient, known in _minds(scenario.recipients, attributes):
        seen = np.maximum(levels, known)
        matching = count_people(people, attributes, seen, _labels_at(attributes, levels, labels, seen))
        if (matching == UNKNOWN).any():
            return None
        gain, cost, loss = _amounts(recipient, scenario.payoffs)
        does = (matching > 0) & (gain > cost * matching * (1 + INDIFFERENT))
        listed = np.ones(len(levels)) if recipient.covers == 1 else -np.expm1(matching * np.log1p(-recipient.covers))
        right = np.where(matching > 0, chance * listed / np.maximum(matching, 1), 0.0)
        found.attacked[does] = True
        found.deterrable[does & (cost > 0)] = True
        found.right[does] += right[does]
        found.right_if_all[:] += right
        found.lost[does] += loss * right[does]
        found.gained[does] += gain * right[does] - cost * chance * listed[does]
    return found


def _minds(
    recipients: Mapping[str, Recipient], attributes: Sequence[Meanings]
) -> Iterator[tuple[float, Recipient, list[int]]]:
    """Yield how likely somebody is, who it is, and the least level of each attribute at which she knows it."""
    for recipient in recipients.values():
        everything = recipient.knows is None and not recipient.levels
        first = {
            one.name: 0
            if everything or one.name in (recipient.knows or ())
            else recipient.levels.get(one.name, one.top)
            for one in attributes
        }
        learns = recipient.learns
        if learns is not None:
            more = dict(first)
            for name, level in [*((name, 0) for name in learns.knows), *learns.levels.items()]:
                more[name] = min(more[name], level)
            yield recipient.probability * learns.probability, recipient, list(more.values())
        yield recipient.probability * (1 - (learns.probability if learns else 0)), recipient, list(first.values())


def _amounts(recipient: Recipient, stakes: Stakes) -> tuple[float, float, float]:
    """Return her gain, her cost and the publisher's loss, dollars."""
    loss = stakes.loss if recipient.loss is None else recipient.loss
    otherwise = loss if stakes.gain is None else stakes.gain
    gain = otherwise if recipient.gain is None else recipient.gain
    return gain, stakes.cost if recipient.cost is None else recipient.cost, loss


def _labels_at(attributes: Sequence[Meanings], levels: IntArray, labels: IntArray, seen: IntArray) -> IntArray:
    """Return the labels, (k, a), at no finer levels ``seen`` of rows that have ``labels`` at ``levels``."""
    coarser = labels.copy()
    for place, one in enumerate(attributes):
        for low, high in {*zip(levels[:, place].tolist(), seen[:, place].tolist(), strict=True)}:
            rows = (levels[:, place] == low) & (seen[:, place] == high) & (labels[:, place] != NO_LABEL)
            here = one.label_numbers[low][:-1]
            value_of_label = np.zeros(here.max() + 1, np.int64)
            value_of_label[here] = np.arange(len(here))
            coarser[rows, place] = one.label_numbers[high][value_of_label[labels[rows, place]]]
    return coarser
