"""What a recipient who knows the mechanism achieves if her list tells only some attributes, or has only some people."""

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
class AwareLooks:
    """What one who knows the mechanism does about profiles if she comes to be, (q,) each.

    Parameters
    ----------
    attacks : whether she attacks where her list has the people of whom she expects most.
    found : chance that her list has somebody worth attacking, in [0, 1]; she then attacks, and pays the cost.
    right : chance that she attacks and names the right person, in [0, 1].
    """

    attacks: BoolArray
    found: FloatArray
    right: FloatArray

    @classmethod
    def joined(cls, parts: Sequence[tuple[IntArray, "AwareLooks"]], profiles: int) -> "AwareLooks":
        """Return what parts say of some profiles each, (k,) their numbers, for all of them."""
        attacks, found, right = np.zeros(profiles, np.bool_), np.zeros(profiles), np.zeros(profiles)
        for here, part in parts:
            attacks[here], found[here], right[here] = part.attacks, part.found, part.right
        return cls(attacks=attacks, found=found, right=right)


@frozen(eq=False)
class _Alike:
    """Released people whom a list does not tell apart: those of one group who agree in all that she knows, (c,) each.

    Parameters
    ----------
    group : int64, what is released of them.
    rest : float64, people among whom one of them is hidden: n_a times the people of the population who are alike, for
        each of them who is released so. An attack on somebody alike names the right person with chance 1 / rest.
    alike : int64, how many people of the population agree with them in all that she knows.
    """

    group: IntArray
    rest: FloatArray
    alike: IntArray


def aware_looks(
    population: Instance, groups: ReleasedGroups, instance: Instance, *, unlike_as_one: bool
) -> tuple[AwareLooks, ...]:
    """Return what each recipient of a question achieves who knows the mechanism, (R,), by what she knows.

    She sees the strategy and the values of a record, and n_a people are released so. She cannot tell apart people who
    agree in all that she knows. Of m people of the population who do, a may be released so; then each of them is the
    right one with chance a / m / n_a. Of those on her list she attacks somebody for whom this is greatest, if it pays.

    Parameters
    ----------
    population : the question for every profile of the population, with its recipients; each looks people up there.
    groups : what is released of its people, and of the records.
    instance : the question, of the records.
    unlike_as_one : whether a record like which nobody of the population is released is a person more, who is released
        so; otherwise nobody finds her.
    """
    recipients = population.recipients
    if recipients.is_paper_adversary:
        return ()
    found = []
    for known, adversary in zip(recipients.levels, population.adversaries, strict=True):
        classes, class_of_record, alike = _told_apart(population, instance, known)
        apart = _alike(groups, classes, alike, population.profiles.records)
        looks = _looks(apart, len(groups.people), adversary)
        of_profile = groups.of_profile
        looks = AwareLooks(
            attacks=np.append(looks.attacks, False)[of_profile],
            found=np.append(looks.found, 0.0)[of_profile],
            right=np.append(looks.right, 0.0)[of_profile],
        )
        if unlike_as_one:
            unlike = np.flatnonzero((of_profile != WITHHELD) & (groups.people_of_profile == 0))
            many = np.maximum(alike[class_of_record[unlike]], 1)
            alone = _Alike(group=np.arange(len(unlike)), rest=many.astype(np.float64), alike=many)
            looks = AwareLooks.joined(
                [(instance.everyone, looks), (unlike, _looks(alone, len(unlike), adversary))], len(of_profile)
            )
        found.append(looks)
    return tuple(found)


def _told_apart(population: Instance, instance: Instance, known: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return (class of each profile of the population; of each of the records; people of the population in each)."""
    tables = population.hierarchy_tables.groups
    codes = np.concatenate([population.profiles.codes, instance.profiles.codes])
    rows = np.stack([tables[place, level, codes[:, place]] for place, level in enumerate(known.tolist())], axis=1)
    first, of_all, _ = distinct_rows(rows, (rows.max(axis=0, initial=0) + 1).tolist())
    theirs = len(population.profiles.codes)
    alike = np.zeros(len(first), np.int64)
    np.add.at(alike, of_all[:theirs], population.profiles.records)
    return of_all[:theirs], of_all[theirs:], alike


def _alike(groups: ReleasedGroups, classes: IntArray, alike: IntArray, people: IntArray) -> _Alike:
    """Return the people of each group by what is known of them, those whom she expects most of first in each group."""
    released = np.flatnonzero(groups.of_population != WITHHELD)
    pairs = np.stack([groups.of_population[released], classes[released]], axis=1)
    first, of_pair, _ = distinct_rows(pairs, [len(groups.people), len(alike)])
    here = np.zeros(len(first), np.int64)
    np.add.at(here, of_pair, people[released])
    group, of_class = pairs[first].T
    rest = groups.people[group] * (alike[of_class] / np.maximum(here, 1))
    order = np.lexsort((of_class, rest, group))
    order = order[here[order] > 0]
    return _Alike(group=group[order], rest=rest[order], alike=alike[of_class[order]])


def _looks(apart: _Alike, groups: int, adversary: Adversary) -> AwareLooks:
    """Return what she does about each group, (g,), in which people stand by what she expects of them."""
    attacks, found, right = np.zeros(groups, np.bool_), np.zeros(groups), np.zeros(groups)
    worth = worth_attacking(apart.rest, gain=adversary.gain, cost=adversary.cost)
    attacks[apart.group[worth]] = True
    before = np.concatenate([[0], np.cumsum(apart.alike)])
    starts = np.flatnonzero(np.diff(apart.group, prepend=-1))
    earlier = before[:-1] - np.repeat(before[:-1][starts], np.diff(np.append(starts, len(apart.group))))
    first = (1 - adversary.finds_somebody(earlier)) * adversary.finds_somebody(apart.alike) * worth
    np.add.at(found, apart.group, first)
    np.add.at(right, apart.group, first / apart.rest)
    return AwareLooks(attacks=attacks, found=found, right=right)
