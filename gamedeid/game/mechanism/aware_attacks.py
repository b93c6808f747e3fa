"""The attacks of a recipient who knows the mechanism, with a list of some people or some attributes only."""

from collections.abc import Sequence

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import ReleasedGroups
from gamedeid.grouping import distinct_rows
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Adversary, worth_attacking


@frozen(eq=False)
class AwareAttacks:
    """The attacks on profiles, (q,) each, of a recipient who knows the mechanism, if there is this recipient.

    Parameters
    ----------
    attacks : whether the recipient attacks where the list has the people who are worth most.
    found : chance that the list has somebody worth attacking, in [0, 1]; the recipient then attacks, and pays the cost.
    right : chance that the recipient attacks and names the right person, in [0, 1].
    """

    attacks: BoolArray
    found: FloatArray
    right: FloatArray

    @classmethod
    def joined(cls, parts: Sequence[tuple[IntArray, "AwareAttacks"]], profiles: int) -> "AwareAttacks":
        """Return what parts say of some profiles each, (k,) their numbers, for all of them."""
        attacks, found, right = np.zeros(profiles, np.bool_), np.zeros(profiles), np.zeros(profiles)
        for here, part in parts:
            attacks[here], found[here], right[here] = part.attacks, part.found, part.right
        return cls(attacks=attacks, found=found, right=right)


@frozen(eq=False)
class _KnownClasses:
    """Classes of released people, (c,) each: those of one group who agree in all that the recipient knows."""

    group: IntArray  # what is released of them
    rest: FloatArray  # n_a times ``alike`` over those of them released so: an attack is right with chance 1 / rest
    alike: IntArray  # people of the population who agree with them in all that the recipient knows


def aware_attacks(
    population: Instance, groups: ReleasedGroups, instance: Instance, *, unmatched_as_one: bool
) -> tuple[AwareAttacks, ...]:
    """Return the attacks of each recipient of a question who knows the mechanism, (R,), by its other knowledge.

    The recipient sees the strategy and the values of a record, with which n_a people are released. People who agree in
    all that the recipient knows are one class. Of m people of the population in a class, a may be released so; then
    each of them is the right one with chance a / m / n_a. The recipient attacks somebody on the list for whom this is
    greatest, if it pays.

    Parameters
    ----------
    unmatched_as_one : whether a record counts as one person more where nobody of the population is released like it;
        otherwise no recipient finds it.
    """
    recipients = population.recipients
    if recipients.is_paper_adversary:
        return ()
    found = []
    for known, adversary in zip(recipients.levels, population.adversaries, strict=True):
        classes, class_of_record, alike = _known_classes_of(population, instance, known)
        released = _released_classes(groups, classes, alike, population.profiles.records)
        attacks = _attacks_on(released, len(groups.people), adversary)
        of_profile = groups.of_profile
        attacks = AwareAttacks(
            attacks=np.append(attacks.attacks, False)[of_profile],
            found=np.append(attacks.found, 0.0)[of_profile],
            right=np.append(attacks.right, 0.0)[of_profile],
        )
        if unmatched_as_one:
            unmatched = np.flatnonzero((of_profile != WITHHELD) & (groups.people_of_profile == 0))
            many = np.maximum(alike[class_of_record[unmatched]], 1)
            alone = _KnownClasses(group=np.arange(len(unmatched)), rest=many.astype(np.float64), alike=many)
            of_alone = _attacks_on(alone, len(unmatched), adversary)
            attacks = AwareAttacks.joined([(instance.everyone, attacks), (unmatched, of_alone)], len(of_profile))
        found.append(attacks)
    return tuple(found)


def _known_classes_of(population: Instance, instance: Instance, known: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (class of each profile of the population; of each of the records; people of the population in each)."""
    tables = population.hierarchy_tables.groups
    codes = np.concatenate([population.profiles.codes, instance.profiles.codes])
    rows = np.stack([tables[place, level, codes[:, place]] for place, level in enumerate(known.tolist())], axis=1)
    first, of_all, _ = distinct_rows(rows, (rows.max(axis=0, initial=0) + 1).tolist())
    theirs = len(population.profiles.codes)
    alike = np.zeros(len(first), np.int64)
    np.add.at(alike, of_all[:theirs], population.profiles.records)
    return of_all[:theirs], of_all[theirs:], alike


def _released_classes(groups: ReleasedGroups, classes: IntArray, alike: IntArray, people: IntArray) -> _KnownClasses:
    """Return the people of each group by what is known of them, those of the greatest chance first in each group."""
    released = np.flatnonzero(groups.of_population != WITHHELD)
    pairs = np.stack([groups.of_population[released], classes[released]], axis=1)
    first, of_pair, _ = distinct_rows(pairs, [len(groups.people), len(alike)])
    here = np.zeros(len(first), np.int64)
    np.add.at(here, of_pair, people[released])
    group, of_class = pairs[first].T
    rest = groups.people[group] * (alike[of_class] / np.maximum(here, 1))
    order = np.lexsort((of_class, rest, group))
    order = order[here[order] > 0]
    return _KnownClasses(group=group[order], rest=rest[order], alike=alike[of_class[order]])


def _attacks_on(known: _KnownClasses, groups: int, adversary: Adversary) -> AwareAttacks:
    """Return the attacks on each group, (g,), whose classes are in falling order of the chance."""
    attacks, found, right = np.zeros(groups, np.bool_), np.zeros(groups), np.zeros(groups)
    worth = worth_attacking(known.rest, gain=adversary.gain, cost=adversary.cost)
    attacks[known.group[worth]] = True
    before = np.concatenate([[0], np.cumsum(known.alike)])
    starts = np.flatnonzero(np.diff(known.group, prepend=-1))
    earlier = before[:-1] - np.repeat(before[:-1][starts], np.diff(np.append(starts, len(known.group))))
    first = (1 - adversary.finds_somebody(earlier)) * adversary.finds_somebody(known.alike) * worth
    np.add.at(found, known.group, first)
    np.add.at(right, known.group, first / known.rest)
    return AwareAttacks(attacks=attacks, found=found, right=right)
