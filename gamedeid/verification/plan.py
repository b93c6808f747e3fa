"""Check the strategies of all people that a folder states for a game of the whole population."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import PLAN
from gamedeid.reprs import frozen
from gamedeid.results.stored import SUMMARY
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, labels_at
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.outcomes import EQUAL, ExaminedRun
from gamedeid.verification.permitted import AWARE_NO_ATTACK
from gamedeid.verification.recipients import attacks
from gamedeid.verification.tables import distinct_rows, read_levels, row_keys


@frozen(eq=False)
class PopulationPlan:
    """The strategy of each distinct profile of the population and of the records.

    Parameters
    ----------
    profiles : (p, 2a) number of the value of each attribute, then the least level of each at which the rows of the
        person agree, in ascending order.
    people : (p,) number of people of the population with this profile.
    levels : (p, a) of the strategy.
    withheld : (p,) whether it would not be released.
    """

    profiles: IntArray
    people: IntArray
    levels: IntArray
    withheld: BoolArray

    @property
    def values(self) -> IntArray:
        """Number of the value of each attribute, (p, a)."""
        return self.profiles[:, : self.levels.shape[1]]

    def places_of(self, profiles: IntArray) -> IntArray:
        """Return the row of the plan, (k,), of each of these profiles, (k, 2a); the plan has all of them."""
        keys, count = row_keys(np.concatenate([self.profiles, profiles])), len(self.profiles)
        order = np.argsort(keys[:count], kind="stable")
        found: IntArray = order[np.searchsorted(keys[:count][order], keys[count:])]
        return found


def read_plan(claims: Claims, evidence: Evidence, log: CheckLog) -> PopulationPlan | None:
    """Read the strategies of all people; None, with a note, if they, the records or the people are missing."""
    attributes, people, records = evidence.attributes, evidence.people, evidence.records
    if PLAN not in claims.stored.outputs or attributes is None or people is None or records is None:
        why = "it is not there" if PLAN not in claims.stored.outputs else "records or population are not there"
        log.skip("the strategies of all people", why)
        return None
    read = read_levels(claims, PLAN, list(evidence.scenario.attributes), log)
    if read is None:
        return None
    levels, withheld = read
    levels = np.pad(levels, ((0, 0), (0, len(attributes) - levels.shape[1])))  # classes of people have one level
    living = people.living()
    both = np.concatenate([np.concatenate([living.values, living.floors], axis=1), records.profiles])
    counts = np.concatenate([living.counts, np.zeros(len(records.profiles), np.int64)])
    first, of_row = distinct_rows(both)
    profiles, totals = both[first], np.zeros(len(first), np.int64)
    np.add.at(totals, of_row, counts)
    if len(levels) != len(profiles):
        rows = f"expected {len(profiles):,}, found {len(levels):,}"
        log.find(PLAN, f"has another number of rows than population and records have distinct values: {rows}")
        return None
    wrong, values, floors = False, profiles[:, : len(attributes)], profiles[:, len(attributes) :]
    for place, one in enumerate(attributes):
        above = levels[:, place] > one.top
        wrong |= log.find_rows(PLAN, one.name, above, f"states a level that does not exist; levels are 0 to {one.top}")
        gap = (values[:, place] == one.missing) & (levels[:, place] < one.top)
        wrong |= log.find_rows(PLAN, one.name, gap, "is below the top level, though the value is missing")
        differ = levels[:, place] < floors[:, place]
        wrong |= log.find_rows(PLAN, one.name, differ, "is below the level at which the records of the person agree")
        low = withheld & (levels[:, place] < one.top)
        wrong |= log.find_rows(PLAN, one.name, low, "is not at the top level, though no one is released so")
    return None if wrong else PopulationPlan(profiles=profiles, people=totals, levels=levels, withheld=withheld)


def compare_plan(run: ExaminedRun) -> None:
    """Check the strategies of all people: the records have theirs, and no released group is too small.

    A group is all people with the same strategy and the same labels at it. This needs no search: it holds or fails
    for strategies found in any way.
    """
    evidence, strategies, log, file = run.evidence, run.strategies, run.log, run.file
    plan = read_plan(run.claims, evidence, log)
    if plan is None or evidence.records is None or evidence.attributes is None:
        return
    row_of_record = plan.places_of(evidence.records.profiles)
    for place, one in enumerate(evidence.attributes):
        other = strategies.levels[:, place] != plan.levels[row_of_record, place]
        log.find_rows(file, one.name, other, f"is not the level that {PLAN} has for the record's values")
    withheld = strategies.withheld != plan.withheld[row_of_record]
    log.find_rows(file, "withheld", withheld, f"differs from {PLAN} for the record's values")
    log.did(f"the strategies of {number_of(strategies.records, 'record')} with those of all people")
    people = group_people(plan, evidence.attributes, plan.people)
    released = ~plan.withheld & (plan.people > 0)
    of_people = row_of_record[evidence.records.first]
    _compare_rules(run, plan, of_people)
    if run.stored.game == AWARE_NO_ATTACK:
        small = released & attacks(people, evidence.scenario.payoffs)
        says = "is of a group with so few people that an attack pays for a recipient who knows the plan"
        log.find_rows(PLAN, "withheld", small, says)
        log.did(f"that no released group is worth an attack: {int(released.sum()):,} distinct values are released")
    section = run.claims.summary.get("mechanism")
    if isinstance(section, dict):
        _compare_smallest(section, people, row_of_record, log)
        _compare_attacked(section, people[of_people], released[of_people], evidence, log)


def group_people(plan: PopulationPlan, attributes: Sequence[AttributeLabels], counts: IntArray) -> IntArray:
    """Return for each row of the plan the sum, (p,), of ``counts``, (p,), over rows with its strategy and labels.

    For counts of people, this is n_a.
    """
    seen = np.concatenate([labels_at(attributes, plan.levels, plan.values), plan.levels], axis=1)
    seen[seen == NO_LABEL] = max(seen.max(initial=0) + 1, 1)  # a missing value is unique below the top
    first, place = distinct_rows(seen)
    totals, some = np.zeros(len(first), np.int64), ~plan.withheld
    np.add.at(totals, place[some], counts[some])
    return np.where(some, totals[place], 0)


def _compare_rules(run: ExaminedRun, plan: PopulationPlan, of_people: IntArray) -> None:
    """Check that released groups of records hold k of them; ``of_people``, (r,), is each person's row of the plan."""
    asked, evidence, log = run.scenario.groups, run.evidence, run.log
    if asked is None:
        return
    if run.stored.is_applied:
        log.skip("the rules of [groups]", "the rows come after the finished run and may break them, as a warning says")
        return
    if asked.kept:
        log.skip("the rules of groups.kept", "gamedeid risk release measures kept columns")
    records = np.bincount(of_people, minlength=len(plan.people))
    small = (records > 0) & ~plan.withheld & (group_people(plan, evidence.attributes or (), records) < asked.k)
    log.find_rows(PLAN, "withheld", small, f"is of a group with fewer than {number_of(asked.k, 'record')} (groups.k)")
    log.did(f"that released groups hold at least {number_of(asked.k, 'record')}")


def _compare_smallest(section: Mapping[str, Any], people: IntArray, row_of_record: IntArray, log: CheckLog) -> None:
    """Compare the size of the smallest group with a record in it with the stated one, if one is stated."""
    stated = section.get("smallest_group")
    if stated is None:
        return
    of_records = np.zeros(len(people), np.bool_)
    of_records[row_of_record] = True
    shown = people[of_records & (people > 0)]
    smallest = int(shown.min()) if len(shown) else 0
    if smallest != stated:
        log.find(SUMMARY, f"mechanism.smallest_group is not that of {PLAN}: expected {smallest}, found {stated}")
    log.did("the smallest released group of people")


def _compare_attacked(
    section: Mapping[str, Any], people: IntArray, released: BoolArray, evidence: Evidence, log: CheckLog
) -> None:
    """Compare the attacks on the records, (n,), by a recipient who knows the plan with the stated ones, if any."""
    if "expected_reidentifications" not in section:
        return
    attacked = released & attacks(people, evidence.scenario.payoffs)
    found = {
        "attacked": float(attacked.mean()),
        "expected_reidentifications": float((attacked / np.maximum(people, 1)).sum()),
    }
    for key, value in found.items():
        stated = section.get(key)
        if not isinstance(stated, float) or abs(stated - value) > EQUAL * max(value, 1.0):
            log.find(SUMMARY, f"mechanism.{key} is not that of {PLAN}: expected {value:.9g}, found {stated}")
    log.did("the attacks of a recipient who knows the strategies of all people, and their successes")
