"""The recipients of a scenario as attackers: what each of them knows, whom her list has, and when she attacks."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import Candidates, match_labels
from gamedeid.attacks.expected import matching
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import Guesses
from gamedeid.capabilities import Operation, check
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import Recipient, features_of
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import labels_above
from gamedeid.verification.recipients import attacks, stakes_of


@frozen(eq=False)
class Stage:
    """A recipient with what she knows when she decides: at first, or when she has learned more.

    Parameters
    ----------
    chance : that she decides about a row knowing this.
    candidates : who could be behind each row, were all people on her list.
    attacked : (n,) whether she attacks the row if somebody on her list could be behind it.
    """

    chance: float
    candidates: Candidates
    attacked: BoolArray


@frozen(eq=False)
class ScenarioRecipient:
    """A recipient of the scenario, as if she came to be.

    Parameters
    ----------
    stages : what she may know.
    covers : chance that a person is on her list.
    judged : (n,) which rows are judged.
    expected, believed, pool, stakes, seeks_people : as :class:`gamedeid.attacks.recipients.Recipient` has them.
    """

    stages: Sequence[Stage]
    covers: float
    judged: BoolArray
    expected: FloatArray
    believed: FloatArray
    pool: int
    stakes: Stakes
    seeks_people: bool = True

    def attack(self, persons: IntArray, random: np.random.Generator) -> Guesses:
        """Guess once for each row attacked for which her list has somebody.

        What she knows, and her list, are drawn for each row by itself. She goes through the people who match in random
        order, and names the first who is on her list.
        """
        drawn = random.choice(len(self.stages), size=len(persons), p=[one.chance for one in self.stages])
        rows, guessed = [], []
        for number, stage in enumerate(self.stages):
            here = np.flatnonzero(self.judged & stage.attacked & (drawn == number))
            if self.covers < 1:
                looked_up = random.geometric(self.covers, len(here))  # of them the last is the first on her list
                here = here[looked_up <= stage.candidates.size[here]]
            rows.append(here)
            guessed.append(stage.candidates.guess(here, random))
        attacked = np.concatenate(rows)
        return Guesses(rows=attacked, guessed=np.concatenate(guessed), truth=persons[attacked])


def scenario_recipient(published: Published, name: str) -> ScenarioRecipient:
    """Return a recipient of the scenario by her name.

    Raises
    ------
    InvalidScenarioError : she has a population of her own, or pays for what she learns.
    """
    recipient = published.scenario.recipients[name]
    check(Operation.SIMULATED, features_of({name: recipient}))
    stakes = stakes_of(recipient, published.scenario.payoffs)
    stages, shape = [], published.rows
    expected, believed = np.zeros(shape), np.zeros(shape)
    for chance, least in _knowledge(published, recipient):
        seen = labels_above(published.attributes, published.row_levels, published.row_labels, least)
        candidates = match_labels(published.attributes, *seen, published.people, lambda size: attacks(size, stakes))
        attacked = attacks(candidates.size, stakes)
        stages.append(Stage(chance=chance, candidates=candidates, attacked=attacked))
        people = matching(published, least)
        expected += chance * _chances(people, attacks(people, stakes), recipient.covers)
        believed += chance * _chances(candidates.size, attacked, recipient.covers)
    return ScenarioRecipient(
        stages=stages,
        covers=recipient.covers,
        judged=published.judged,
        expected=expected,
        believed=believed,
        pool=published.people.total,
        stakes=stakes,
    )


def _knowledge(published: Published, recipient: Recipient) -> list[tuple[float, list[int]]]:
    """Return each thing that she may know: how likely, and from which level of each attribute on."""
    tops = {one.attribute.name: one.attribute.top for one in published.labels}
    first = list(recipient.levels_known(tops).values())
    if recipient.learns is None:
        return [(1.0, first)]
    more = list(recipient.levels_known(tops, learned=True).values())
    learned = recipient.learns.probability
    return [(1 - learned, first), (learned, more)]


def _chances(people: IntArray, attacked: BoolArray, covers: float) -> FloatArray:
    """Return the chance, (n,), that she names the right one of so many people: (1 - (1 - s)^n) / n where she attacks.

    Her list has each of them with chance s, and somebody with chance 1 - (1 - s)^n.
    """
    listed = np.ones(len(people)) if covers == 1 else -np.expm1(people * np.log1p(-covers))
    return np.where(attacked, listed / np.maximum(people, 1), 0.0)
