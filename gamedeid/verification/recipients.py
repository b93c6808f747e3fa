"""What several recipients do about released rows, stated here a second time: whom each finds, and who attacks."""

from collections.abc import Mapping, Sequence

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
    gained_by : name -> what the attacks bring a recipient on average if she comes to be, dollars; of those whom an
        attack costs something.
    """

    attacked: BoolArray
    deterrable: BoolArray
    right: FloatArray
    right_if_all: FloatArray
    lost: FloatArray
    gained: FloatArray
    gained_by: Mapping[str, FloatArray]

    def gain(self, name: str, amounts: FloatArray, probability: float) -> None:
        """Add what a recipient gains, (k,) dollars, who comes to be with a probability above 0."""
        self.gained[:] += amounts
        if name in self.gained_by:
            self.gained_by[name][:] += amounts / probability

    def among(self, rows: IntArray, count: int) -> "Answers":
        """Return the same of rows, (k,), among so many; nobody does anything about the others."""
        wide = no_answers(count, list(self.gained_by))
        for name, amounts in vars(self).items():
            if name != "gained_by":
                getattr(wide, name)[rows] = amounts
        for name, amounts in self.gained_by.items():
            wide.gained_by[name][rows] = amounts
        return wide


def no_answers(count: int, weighing: Sequence[str]) -> Answers:
    """Return what nobody does about so many rows; ``weighing`` are the recipients whom an attack costs something."""
    flags: list[BoolArray] = [np.zeros(count, np.bool_) for _ in range(2)]
    amounts: list[FloatArray] = [np.zeros(count) for _ in range(4)]
    return Answers(
        attacked=flags[0],
        deterrable=flags[1],
        right=amounts[0],
        right_if_all=amounts[1],
        lost=amounts[2],
        gained=amounts[3],
        gained_by={name: np.zeros(count) for name in weighing},
    )


def answers_of(
    scenario: Scenario,
    people: People,
    own: Mapping[str, People],
    attributes: Sequence[Meanings],
    levels: IntArray,
    labels: IntArray,
) -> Answers | None:
    """Return what the recipients of a scenario do about rows with labels, (k, a), at levels, (k, a).

    None where the people whom one of them finds are not known.

    Parameters
    ----------
    scenario : whose recipients they are.
    people : whom they can look up.
    own : name of a recipient -> whom she can look up instead, for each who has a population of her own.
    attributes : what values mean.
    levels, labels : of the rows.
    """
    costs = {name: _amounts(one, scenario.payoffs)[1] for name, one in scenario.recipients.items()}
    found = no_answers(len(levels), [name for name, cost in costs.items() if cost > 0])
    for name, recipient in scenario.recipients.items():
        minds = [] if recipient.probability == 0 else _minds(recipient, attributes)
        if minds and recipient.population is not None and name not in own:
            return None
        listed = people if recipient.population is None else own.get(name, people)
        matching = []
        for _, known in minds:
            seen = np.maximum(levels, known)
            matching.append(count_people(listed, attributes, seen, _labels_at(attributes, levels, labels, seen)))
        if any((some == UNKNOWN).any() for some in matching):
            return None
        gain, cost, loss = _amounts(recipient, scenario.payoffs)
        does = _Deeds(recipient=recipient, gains=gain, cost=cost, loss=loss)
        learns = recipient.learns
        if minds and learns is not None and learns.price and learns.probability > 0:
            pays = does.pays(learns.price, learns.probability, matching[0], matching[1])
            matching[0] = np.where(pays, matching[0], matching[1])
            paid = np.where(pays, -recipient.probability * learns.price, 0.0)
            found.gain(name, paid, recipient.probability)
        for (chance, _), some in zip(minds, matching, strict=True):
            if chance > 0:
                does.add_to(found, name, chance, some)
    return found


@frozen(eq=False)
class _Deeds:
    """What a recipient does about rows, by how many people she finds, and what that comes to."""

    recipient: Recipient
    gains: float
    cost: float
    loss: float

    def attacks(self, matching: IntArray) -> BoolArray:
        """Return whether she attacks, (k,)."""
        does: BoolArray = (matching > 0) & (self.gains > self.cost * matching * (1 + INDIFFERENT))
        return does

    def finds(self, matching: IntArray) -> FloatArray:
        """Return the chance that somebody of them is on her list, (k,)."""
        covers = self.recipient.covers
        found: FloatArray = np.ones(len(matching)) if covers == 1 else -np.expm1(matching * np.log1p(-covers))
        return found

    def worth(self, matching: IntArray) -> FloatArray:
        """Return what looking somebody up is worth to her, (k,) dollars."""
        paid = self.finds(matching) * (self.gains / np.maximum(matching, 1) - self.cost)
        return np.where(self.attacks(matching), paid, 0.0)

    def pays(self, price: float, chance: float, learned: IntArray, unlearned: IntArray) -> BoolArray:
        """Return whether she pays to learn, (k,), with a chance to, and finds so many then, and otherwise."""
        hoped = chance * self.worth(learned)
        does: BoolArray = hoped - chance * self.worth(unlearned) > price + INDIFFERENT * (price + hoped)
        return does

    def add_to(self, found: Answers, name: str, chance: float, matching: IntArray) -> None:
        """Add what she does with such a chance."""
        does, finds = self.attacks(matching), self.finds(matching)
        right = np.where(matching > 0, chance * finds / np.maximum(matching, 1), 0.0)
        found.attacked[does] = True
        found.deterrable[does & (self.cost > 0)] = True
        found.right[does] += right[does]
        found.right_if_all[:] += right
        found.lost[does] += self.loss * right[does]
        gained = np.where(does, self.gains * right - self.cost * chance * finds, 0.0)
        found.gain(name, gained, self.recipient.probability)


def _minds(recipient: Recipient, attributes: Sequence[Meanings]) -> list[tuple[float, list[int]]]:
    """Return how likely she knows what, as the least level of each attribute; having learned what she may first."""
    everything = recipient.knows is None and not recipient.levels
    first = {
        one.name: 0 if everything or one.name in (recipient.knows or ()) else recipient.levels.get(one.name, one.top)
        for one in attributes
    }
    learns = recipient.learns
    if learns is None:
        return [(recipient.probability, _listed(recipient, first))]
    more = dict(first)
    for key, level in [*((key, 0) for key in learns.knows), *learns.levels.items()]:
        more[key] = min(more[key], level)
    chances = [recipient.probability * learns.probability, recipient.probability * (1 - learns.probability)]
    return list(zip(chances, [_listed(recipient, more), _listed(recipient, first)], strict=True))


def _listed(recipient: Recipient, known: Mapping[str, int]) -> list[int]:
    """Return the levels at which she knows attributes, none of them finer than her own list has it."""
    levels = {} if recipient.population is None else recipient.population.levels
    return [max(level, levels.get(name, 0)) for name, level in known.items()]


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
