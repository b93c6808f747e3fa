"""Whether the rows of the population that the report shows are those, and are released as the game would."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray
from gamedeid.errors import GamedeidError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.results.stored import CONTENT
from gamedeid.verification.attributes import AttributeLabels, labels_at
from gamedeid.verification.best import best_strategies, payer, too_many_to_try
from gamedeid.verification.evidence import OriginalRecords
from gamedeid.verification.outcomes import EQUAL, ExaminedRun, information_lost
from gamedeid.verification.people import People, count_people
from gamedeid.verification.permitted import least_levels, policy_of

ROWS = 10
"""How many rows a report shows at most."""


def compare_examples(run: ExaminedRun) -> None:
    """Compare the rows before and after that the report shows with the population, and their levels with the best."""
    evidence, stated, log = run.evidence, run.claims.report.get("examples"), run.log
    people, attributes = evidence.people, evidence.attributes
    if not isinstance(stated, list):
        return  # a sentence says why there is none
    what = f"the rows before and after of {CONTENT}"
    if people is None or attributes is None:
        log.skip(what, "population or hierarchies are not there")
        return
    values = _shown_values(people.living(), attributes)
    if len(stated) != len(values):
        log.find(
            CONTENT, f"shows another number of rows of the population: expected {len(values)}, found {len(stated)}"
        )
        return
    levels = np.zeros(values.shape, np.int64)
    for place, row in enumerate(stated):
        found = _levels(row, attributes)
        if found is None:
            log.find(CONTENT, f"examples {place} has not one level for each attribute")
            return
        levels[place] = found
    withheld = np.array([row.get("withheld") is True for row in stated], np.bool_)
    labels = labels_at(attributes, levels, values)
    matching = np.where(withheld, 0, count_people(people, attributes, levels, labels))
    tops = [one.top for one in attributes]
    for place, row in enumerate(stated):
        expected = {
            "before": _texts(attributes, [0] * len(attributes), values[place]),
            "levels": dict(zip(row["levels"], tops if withheld[place] else levels[place].tolist(), strict=True)),
            "released": _texts(attributes, levels[place].tolist(), values[place]),
            "withheld": bool(withheld[place]),
            "people": int(matching[place]),
        }
        for key, follows in expected.items():
            if row.get(key) != follows:
                log.find(CONTENT, f"examples {place} does not follow from the population", column=key)
    log.did(f"{what}: {number_of(len(values), 'row')}")
    _compare_with_best(run, people, attributes, values, np.where(withheld[:, None], -1, levels))


def _shown_values(people: People, attributes: Sequence[AttributeLabels]) -> IntArray:
    """Return the numbers of values, (k, a), of rows evenly spaced among the sorted distinct rows of the population."""
    known = (people.values < [one.missing for one in attributes]).all(axis=1) & (people.floors == 0).all(axis=1)
    rows: IntArray = np.array(sorted(set(map(tuple, people.values[known].tolist()))), np.int64)
    last, count = len(rows) - 1, min(ROWS, len(rows))
    places = sorted({round(last * one / max(1, count - 1)) for one in range(count)})
    return rows[places]


def _levels(row: Any, attributes: Sequence[AttributeLabels]) -> list[int] | None:
    """Return the levels that a row states; None where it has others than one of each attribute."""
    found = row.get("levels") if isinstance(row, Mapping) else None
    if not isinstance(found, Mapping) or [*found] != [one.name for one in attributes]:
        return None
    fits = [type(found[one.name]) is int and 0 <= found[one.name] <= one.top for one in attributes]
    return [*found.values()] if all(fits) else None


def _texts(attributes: Sequence[AttributeLabels], levels: Sequence[int], values: IntArray) -> dict[str, str]:
    """Return labels as a report may show them: characters of data that make their own domain are not shown."""

    def shown(hierarchy: Hierarchy, label: str) -> str:
        return re.sub(r"\w", "#", label) if hierarchy.from_data else label

    return {
        one.name: shown(one.hierarchy, one.labels[level][one.label_numbers[level, value]])
        for one, level, value in zip(attributes, levels, values.tolist(), strict=True)
    }


def _compare_with_best(
    run: ExaminedRun, people: People, attributes: Sequence[AttributeLabels], values: IntArray, levels: IntArray
) -> None:
    """Note rows for which a permitted strategy pays more, by trying all; levels (k, a) are -1 where withheld."""
    what = f"that no permitted strategy is better for the rows before and after of {CONTENT}"
    why = too_many_to_try(run, people, attributes) if run.stored.is_proved else "the solver does not prove it"
    if why is not None:
        run.log.skip(what, why)
        return
    none: IntArray = np.zeros(values.shape, np.int64)
    rows = OriginalRecords(names=[], values=values, kept={}, persons=None, standing=values, floors=none)
    least, policy = none, policy_of(run.stored, run.scenario)
    try:
        least = none if policy is None else least_levels(policy, run.evidence, run.at_hand, attributes, rows)
    except GamedeidError as error:
        run.log.skip(what, str(error))
        return
    pay, benefit = payer(run, people, attributes), run.scenario.payoffs.benefit
    stated = np.zeros(len(values))
    for place in np.flatnonzero((levels >= 0).all(axis=1)).tolist():
        row = levels[place].tolist()
        labels = labels_at(attributes, row, values[[place]])
        stated[place] = pay(benefit * (1 - information_lost(attributes, row, labels)), row, labels)[0]
    best = best_strategies(attributes, values, least, benefit, pay, best=np.zeros(len(values)))[0]
    low = ((levels < least) & (levels >= 0)).any(axis=1)
    for place in np.flatnonzero(low | (np.abs(best - stated) > EQUAL * benefit)).tolist():
        run.log.find(CONTENT, f"examples {place} is not released as the game would", column="levels")
    run.log.did(what)
