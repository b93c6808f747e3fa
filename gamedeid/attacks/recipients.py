"""Simulated recipients: their knowledge, the rows that they attack, their guesses, and the expected successes."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import CandidateLists, match_by_values, match_labels, match_rows
from gamedeid.attacks.labels import text_numbers
from gamedeid.attacks.mechanism import Mechanism, read_mechanism
from gamedeid.attacks.published import Published
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.extras import missing_extra_error
from gamedeid.progress import Phases
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import recipient_features
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.attributes import labels_above, labels_at
from gamedeid.verification.people import People, count_people, rows_by_levels
from gamedeid.verification.recipients import attacks, chance_on_list, recipient_stakes
from gamedeid.verification.tables import distinct_rows, row_keys

try:
    from scipy.stats import binom
except ImportError:
    raise missing_extra_error("risk", "a simulated attack") from None


@frozen(eq=False)
class Guesses:
    """The attacks of a recipient in one world.

    Parameters
    ----------
    rows : (m,) numbers of the attacked rows that are judged.
    guessed, truth : (m,) the person or row that was named, and the right one.
    """

    rows: IntArray
    guessed: IntArray
    truth: IntArray


@frozen(eq=False)
class AttackingRecipient:
    """A recipient who attacks the release.

    Parameters
    ----------
    attack : plays one world: called with the number of the person behind each row, (n,), negative where a row is not
        judged, and the generator of this recipient's draws.
    expected : (n,) the chance by the formulas that the recipient finds the person of each row, 0 where they predict no
        attack; None without a formula.
    believed : (n,) the same by what the recipient sees of the release; None if it differs from world to world.
    pool : among how many candidates a recipient without knowledge guesses.
    stakes : the recipient's gain from a success, and the cost of an attack.
    """

    attack: Callable[[IntArray, np.random.Generator], Guesses]
    expected: FloatArray | None
    believed: FloatArray | None
    pool: int
    stakes: Stakes
    seeks_people: bool = True


def recipients_by_name(
    published: Published, names: Sequence[str], options: Mapping[str, float], phases: Phases
) -> dict[str, AttackingRecipient]:
    """Return the recipients by name; a recipient of the scenario has precedence over another of the same name."""
    stakes, mechanism, found = published.scenario.payoffs, None, dict[str, AttackingRecipient]()
    if {*names} - {*published.scenario.recipients, "naive", "marketer"}:
        refuse_unsupported(Operation.SIMULATED_MORE, published.scenario.features)
    for name in names:
        if name in published.scenario.recipients:
            found[name] = _scenario_recipient(published, name)
        elif name == "in-release":
            found[name] = _in_release(published)
        elif name == "noisy":
            found[name] = _noisy(published, **options)
        elif name == "naive":
            found[name] = _by_labels(published, stated_chances(published), partial(attacks, stakes=stakes))
        elif name == "marketer":
            people = count_matching_people(published)
            found[name] = _by_labels(published, guess_chances(people, people > 0), _has_matches)
        else:
            mechanism = mechanism or read_mechanism(published, phases)
            worth = partial(attacks, stakes=stakes) if name == "aware" else _has_matches
            found[name] = _by_mechanism(published, mechanism, worth)
    return found


def _has_matches(size: IntArray) -> BoolArray:
    """Return whether rows with so many matches, (n,), are attacked by a recipient whom no cost deters."""
    return size > 0


def _by_labels(
    published: Published, expected: FloatArray, worth: Callable[[IntArray], BoolArray]
) -> AttackingRecipient:
    """Return the recipient who guesses among the people who match."""
    found = match_labels(published.attributes, published.row_levels, published.row_labels, published.people, worth)
    return _listed(published, found, expected, worth)


def _by_mechanism(
    published: Published, mechanism: Mechanism, worth: Callable[[IntArray], BoolArray]
) -> AttackingRecipient:
    """Return the recipient who guesses among the people who match and would be released in the same form."""
    texts = text_numbers(published.labels, mechanism.levels, published.people.values)
    texts[mechanism.withheld] = -1
    every = np.arange(published.rows)
    found = match_by_values([(every, published.texts, texts)], published.people, published.rows, worth)
    people = count_aware_people(published, mechanism)
    return _listed(published, found, guess_chances(people, worth(people)), worth)


def _listed(
    published: Published,
    found: CandidateLists,
    expected: FloatArray,
    worth: Callable[[IntArray], BoolArray],
    own_rows: IntArray | None = None,
) -> AttackingRecipient:
    """Return a recipient with the same candidates in all worlds: people, or rows if ``own_rows`` is given."""
    attacked = worth(found.size)
    rows, seeks_people = np.flatnonzero(published.judged & attacked), own_rows is None

    def attack(persons: IntArray, random: np.random.Generator) -> Guesses:
        truth = persons if own_rows is None else own_rows
        return Guesses(rows=rows, guessed=found.guess(rows, random), truth=truth[rows])

    return AttackingRecipient(
        attack=attack,
        expected=expected,
        believed=guess_chances(found.size, attacked),
        pool=published.total if seeks_people else published.rows,
        stakes=published.scenario.payoffs,
        seeks_people=seeks_people,
    )


def _in_release(published: Published) -> AttackingRecipient:
    """Return the recipient who knows that a person is in the release, and guesses which matching row is theirs."""
    worth, rows = partial(attacks, stakes=published.scenario.payoffs), count_matching_rows(published)
    found, own_rows = match_rows(published.attributes, published.row_levels, published.row_labels, published.values)
    return _listed(published, found, guess_chances(rows, worth(rows)), worth, own_rows)


def _noisy(published: Published, *, covers: float, wrong: float) -> AttackingRecipient:
    """Return the naive recipient with a list that ``covers`` each person with a chance, and has some ``wrong`` values.

    A wrong value is that of another person, drawn at random; a missing value that the release shows stays missing.
    """
    people, stakes = published.people, published.scenario.payoffs

    def attack(persons: IntArray, random: np.random.Generator) -> Guesses:
        listed = np.flatnonzero(random.random(people.total) < covers)
        row = np.repeat(np.arange(len(people.counts), dtype=np.int32), people.counts)
        values = np.zeros((len(listed), people.values.shape[1]), np.int32)
        for place, one in enumerate(published.attributes):
            own, known = row[listed], row
            altered = random.random(len(listed)) < wrong
            if one.hierarchy.shows_missing:
                known = row[people.values[row, place] != one.missing]
                altered &= people.values[own, place] != one.missing
            own[altered] = known[random.integers(0, max(len(known), 1), altered.sum())]
            values[:, place] = people.values[own, place]
        on_list, order = _sorted_list(values)
        worth = partial(attacks, stakes=stakes)
        found = match_labels(published.attributes, published.row_levels, published.row_labels, on_list, worth)
        rows = np.flatnonzero(published.judged & worth(found.size))
        return Guesses(rows=rows, guessed=listed[order][found.guess(rows, random)], truth=persons[rows])

    return AttackingRecipient(
        attack=attack,
        expected=None if wrong else list_guess_chances(count_matching_people(published), covers, stakes),
        believed=None,
        pool=published.total,
        stakes=stakes,
    )


def _sorted_list(values: IntArray) -> tuple[People, IntArray]:
    """Return the people of a list, (m, a), and which of its rows, (m,), each of them is, by their numbers."""
    first, place = distinct_rows(values.astype(np.int64))
    kinds = values[first].astype(np.int64)
    people = People(values=kinds, counts=np.bincount(place), known={}, unmatched="error", floors=np.zeros_like(kinds))
    return people, np.argsort(place, kind="stable")


def _scenario_recipient(published: Published, name: str) -> AttackingRecipient:
    """Return a recipient of the scenario, as if present.

    Knowledge and list are drawn for each row separately. The recipient goes through the people who match in random
    order, and names the first who is on the list.
    """
    recipient = published.scenario.recipients[name]
    refuse_unsupported(Operation.SIMULATED, recipient_features({name: recipient}, published.scenario.records.keep))
    stakes, covers, learns = recipient_stakes(recipient, published.scenario.payoffs), recipient.covers, recipient.learns
    tops = {one.name: one.top for one in published.attributes}
    expected, believed = np.zeros(published.rows), np.zeros(published.rows)
    known, stages = [], []
    for chance, learned in (
        [(1.0, False)] if learns is None else [(1 - learns.probability, False), (learns.probability, True)]
    ):
        least = list(recipient.levels_known(tops, learned=learned).values())
        seen = labels_above(published.attributes, published.row_levels, published.row_labels, least)
        candidates = match_labels(published.attributes, *seen, published.people, partial(attacks, stakes=stakes))
        attacked = attacks(candidates.size, stakes)
        known.append(chance)
        stages.append((candidates, published.judged & attacked))
        people = count_matching_people(published, least)
        expected += chance * guess_chances(people, attacks(people, stakes), covers)
        believed += chance * guess_chances(candidates.size, attacked, covers)

    def attack(persons: IntArray, random: np.random.Generator) -> Guesses:
        drawn = random.choice(len(stages), size=len(persons), p=known)
        rows, guessed = [], []
        for number, (candidates, attacked) in enumerate(stages):
            in_stage = np.flatnonzero(attacked & (drawn == number))
            if covers < 1:
                listed_at = random.geometric(covers, len(in_stage))  # how many people are tried until one is listed
                in_stage = in_stage[listed_at <= candidates.size[in_stage]]
            rows.append(in_stage)
            guessed.append(candidates.guess(in_stage, random))
        attacked_rows = np.concatenate(rows)
        return Guesses(rows=attacked_rows, guessed=np.concatenate(guessed), truth=persons[attacked_rows])

    return AttackingRecipient(attack=attack, expected=expected, believed=believed, pool=published.total, stakes=stakes)


def fewest_matches_by_attribute(published: Published) -> CandidateLists:
    """Return the people who match each row in one attribute alone: the one in which the fewest do.

    The missing values that a release shows are those of the row in the other attributes too.
    """
    labels, levels, numbers = published.attributes, published.row_levels, published.row_labels
    tops = np.array([one.top for one in labels])
    unknown = labels_at(labels, tops, published.values)
    fewest = np.full(published.rows, np.iinfo(np.int64).max)
    chosen = np.zeros(published.rows, np.int64)

    def match(alone: BoolArray, worth: Callable[[IntArray], BoolArray]) -> CandidateLists:
        seen, at = np.where(alone, levels, tops), np.where(alone | (numbers < 0), numbers, unknown)
        return match_labels(labels, seen, at, published.people, worth)

    places, known = np.arange(len(labels)), len(published.scenario.attributes)  # classes of people are always known
    for place in range(known):
        people = match((places == place) | (places >= known), lambda size: np.zeros(len(size), np.bool_)).size
        fewer = (people < fewest) & (people > 0)
        fewest[fewer], chosen[fewer] = people[fewer], place
    return match((places == chosen[:, None]) | (places >= known), _has_matches)


def stated_chances(published: Published) -> FloatArray:
    """Return the chance, (n,), that the paper's adversary finds the person of each row, as the strategies state it.

    With recipients in the scenario they do not state it; it then follows from the people who match at the strategy.
    """
    if published.scenario.recipients:  # the strategies state the replies of all of them together
        people = count_matching_people(published)
        return guess_chances(people, attacks(people, published.scenario.payoffs))
    return np.where(published.attacked, published.success, 0.0)


def count_matching_people(published: Published, least: Sequence[int] | None = None) -> IntArray:
    """Return n_p, (n,): how many people match each record at its strategy, at levels not below ``least``."""
    levels = published.levels if least is None else np.maximum(published.levels, least)
    labels = labels_at(published.attributes, levels, published.values)
    return count_people(published.people, published.attributes, levels, labels)


def count_aware_people(published: Published, mechanism: Mechanism) -> IntArray:
    """Return n_a, (n,): how many people would be released with exactly the labels stated for each record."""
    people = published.people
    words = text_numbers(published.labels, mechanism.levels, people.values)
    stated = text_numbers(published.labels, published.levels, published.values)
    place = distinct_rows(np.concatenate([words, stated]))[1]
    alike = np.zeros(len(place), np.int64)
    np.add.at(alike, place[: len(words)], np.where(mechanism.withheld, 0, people.counts))
    return alike[place[len(words) :]]


def count_matching_rows(published: Published) -> IntArray:
    """Return how many released rows, (n,), match each row's own person, as the stated strategies release them."""
    found = np.zeros(published.rows, np.int64)
    for levels, rows in rows_by_levels(published.levels):
        labels = labels_at(published.attributes, levels, published.values)
        known = np.flatnonzero((labels >= 0).all(axis=1))
        keys = np.full(published.rows, -1, np.int64)
        keys[known] = row_keys(labels[known])
        released = np.sort(keys[rows])
        low, high = (np.searchsorted(released, keys, side) for side in ("left", "right"))
        found += np.where(keys >= 0, high - low, 0)
    return found


def guess_chances(people: IntArray, attacked: BoolArray, covers: float = 1.0) -> FloatArray:
    """Return the chance, (n,), to name the right one of n people: (1 - (1 - s)^n) / n if they are attacked, else 0."""
    return np.where(attacked, chance_on_list(people, covers) / np.maximum(people, 1), 0.0)


def list_guess_chances(people: IntArray, covers: float, stakes: Stakes) -> FloatArray:
    """Return the chance, (n,), of a recipient whose list is right, and has each person with probability ``covers``.

    Of n people who match, k are on the list; the recipient attacks if gain > cost x k, and finds the right one
    of n with 1 / n: the chance is P(1 <= k <= most) / n with k binomial, where groups of up to ``most`` are attacked.
    """
    limit = attack_limit(stakes, int(people.max(initial=0)))
    some = binom.cdf(np.minimum(limit, people), people, covers) - binom.pmf(0, people, covers)
    return np.where((people > 0) & (limit > 0), some / np.maximum(people, 1), 0.0)


def attack_limit(stakes: Stakes, most: int) -> int:
    """Return the largest group, of at most ``most`` people, that is worth an attack; 0 if none is."""
    return bisect_left(range(1, most + 1), x=True, key=lambda people: not attacks(np.array([people]), stakes)[0])
