"""Who attacks: what each recipient knows, which rows she finds worth an attack, and among whom she guesses."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import Candidates, match_labels, match_looks, match_rows
from gamedeid.attacks.expected import (
    Mechanism,
    aware_matching,
    chances,
    matching,
    matching_rows,
    stated_chances,
)
from gamedeid.attacks.labels import texts_at
from gamedeid.attacks.published import Published
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.recipients import attacks


def refusal(name: str, why: str) -> InvalidScenarioError:
    """Return the error of a recipient who cannot be simulated; it names one who can.

    Parameters
    ----------
    name : of the recipient.
    why : not, as a clause.
    """
    another = "recipients=['naive']"
    return InvalidScenarioError(
        f"the recipient {quoted(name)} cannot be simulated: {why}; simulate another one with {another}",
        arguments=[another],
    )


@frozen(eq=False)
class Guesses:
    """What a recipient did in one world.

    Parameters
    ----------
    rows : (m,) numbers of the rows that she attacked, of those that are judged.
    guessed, truth : (m,) whom she named, and whom it would have been right to name; numbers of one kind.
    """

    rows: IntArray
    guessed: IntArray
    truth: IntArray


class Recipient(Protocol):
    """Somebody who gets the release."""

    @property
    def expected(self) -> FloatArray | None:
        """The chance, (n,), by the formulas that she finds the person of each row, 0 where they see no attack.

        None where there is no formula.
        """
        ...

    @property
    def believed(self) -> FloatArray | None:
        """The same, (n,), as she sees it in the release; None where it differs from world to world."""
        ...

    @property
    def pool(self) -> int:
        """Among how many somebody guesses who knows nothing."""
        ...

    @property
    def seeks_people(self) -> bool:
        """Whether she names a person; else a row."""
        ...

    @property
    def stakes(self) -> Stakes:
        """What a success brings her, and an attack costs her."""
        ...

    def attack(self, persons: IntArray, random: np.random.Generator) -> Guesses:
        """Play one world.

        Parameters
        ----------
        persons : (n,) number of the person behind each row; negative where a row is not judged.
        random : where her draws come from.
        """
        ...


@frozen(eq=False)
class Listed:
    """A recipient for whom the same candidates match in all worlds.

    Parameters
    ----------
    candidates : of each row.
    rows : (m,) the judged rows that she attacks.
    expected, believed, pool, stakes, seeks_people : as :class:`Recipient` has them.
    truth : (n,) what is right in all worlds; None where it is the row's person.
    """

    candidates: Candidates
    rows: IntArray
    expected: FloatArray | None
    believed: FloatArray | None
    pool: int
    stakes: Stakes
    seeks_people: bool = True
    truth: IntArray | None = None

    def attack(self, persons: IntArray, random: np.random.Generator) -> Guesses:
        """Guess once for each row attacked; as :class:`Recipient` has it."""
        truth = persons if self.truth is None else self.truth
        return Guesses(rows=self.rows, guessed=self.candidates.guess(self.rows, random), truth=truth[self.rows])


def naive(published: Published) -> Listed:
    """Return the paper's adversary: she attacks where gain > cost x people who match, and guesses among them."""
    stakes = published.scenario.payoffs
    return _by_labels(published, stated_chances(published), lambda size: attacks(size, stakes))


def marketer(published: Published) -> Listed:
    """Return who attacks every row that somebody matches, whatever it costs."""
    people = matching(published)
    return _by_labels(published, chances(people, people > 0), lambda size: size > 0)


def aware(published: Published, mechanism: Mechanism) -> Listed:
    """Return who keeps of the people who match those who would be released so, and attacks where that pays."""
    stakes = published.scenario.payoffs
    return _by_mechanism(published, mechanism, lambda size: attacks(size, stakes))


def aware_marketer(published: Published, mechanism: Mechanism) -> Listed:
    """Return who knows the mechanism and attacks every row, whatever it costs."""
    return _by_mechanism(published, mechanism, lambda size: size > 0)


def in_release(published: Published) -> Listed:
    """Return who knows of a person that she is in the release, and guesses which of the rows that match is hers."""
    stakes = published.scenario.payoffs
    candidates, truth = match_rows(published.attributes, published.row_levels, published.row_labels, published.values)
    expected_rows = matching_rows(published)
    worth = attacks(candidates.size, stakes)
    return Listed(
        candidates=candidates,
        rows=np.flatnonzero(published.judged & worth),
        expected=chances(expected_rows, attacks(expected_rows, stakes)),
        believed=chances(candidates.size, worth),
        pool=published.rows,
        stakes=stakes,
        seeks_people=False,
        truth=truth,
    )


def by_one_attribute(published: Published) -> Candidates:
    """Return for each row who matches it in one attribute alone: the one in which the fewest people do."""
    labels, levels, numbers = published.attributes, published.row_levels, published.row_labels
    tops = np.array([one.top for one in labels])
    fewest = np.full(published.rows, np.iinfo(np.int64).max)
    chosen = np.zeros(published.rows, np.int64)

    def match(alone: BoolArray, worth: Callable[[IntArray], BoolArray]) -> Candidates:
        seen, at = np.where(alone, levels, tops), np.where(alone | (numbers < 0), numbers, 0)
        return match_labels(labels, seen, at, published.people, worth)

    for place in range(len(labels)):
        people = match(np.arange(len(labels)) == place, lambda size: np.zeros(len(size), np.bool_)).size
        fewer = (people < fewest) & (people > 0)
        fewest[fewer], chosen[fewer] = people[fewer], place
    return match(np.arange(len(labels)) == chosen[:, None], lambda size: size > 0)


def _by_labels(published: Published, expected: FloatArray, worth: Callable[[IntArray], BoolArray]) -> Listed:
    found = match_labels(published.attributes, published.row_levels, published.row_labels, published.people, worth)
    return _listed(published, found, expected, worth(found.size))


def _by_mechanism(published: Published, mechanism: Mechanism, worth: Callable[[IntArray], BoolArray]) -> Listed:
    words = texts_at(published.labels, mechanism.levels, published.people.values)
    words[mechanism.withheld] = -1
    every = np.arange(published.rows)
    found = match_looks([(every, published.texts, words)], published.people, published.rows, worth)
    people = aware_matching(published, mechanism)
    return _listed(published, found, chances(people, worth(people)), worth(found.size))


def _listed(published: Published, found: Candidates, expected: FloatArray, attacked: BoolArray) -> Listed:
    return Listed(
        candidates=found,
        rows=np.flatnonzero(published.judged & attacked),
        expected=expected,
        believed=chances(found.size, attacked),
        pool=published.people.total,
        stakes=published.scenario.payoffs,
    )
