"""Whether the release is what the strategies and the records make of it, row by row."""

import re
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.generalization.levels import ROOT
from gamedeid.results.formulas import defused, holds_texts
from gamedeid.results.stored import RELEASE
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import Notebook
from gamedeid.verification.meanings import NO_LABEL, Meanings
from gamedeid.verification.tables import Strategies

_PSEUDONYM = re.compile(r"[0-9]{1,15}")


def compare_release(
    claims: Claims,
    table: pa.Table | None,
    strategies: Strategies,
    evidence: Evidence,
    notes: Notebook,
) -> IntArray:
    """Compare the release with the strategies, and with the records where they are there.

    Parameters
    ----------
    claims : the folder.
    table : the release; None where it cannot be read.
    strategies : of all records, with levels that there are.
    evidence : hierarchies, and the records where they are there.
    notes : takes what differs.

    Returns
    -------
    (n, a) number of the label of each attribute at its stated level as released, ``NO_LABEL`` where a record is
    withheld, where that level has no such label, or where nothing is known of the attribute. Where rows of the release
    are not those of the strategies, what the records say instead.
    """
    released, records = ~strategies.withheld, evidence.records
    labels = np.full(strategies.levels.shape, NO_LABEL, np.int64)
    if table is None:
        return _of_records(labels, strategies, evidence)
    file = claims.stored.parts(RELEASE)[0]
    if not _has_columns(claims, table, evidence, file, notes):
        return _of_records(labels, strategies, evidence)
    count = int(released.sum())
    if table.num_rows != count:
        withheld = int(strategies.withheld.sum())
        notes.find(
            file,
            f"has another number of rows than the strategies release: expected {count:,} "
            f"({strategies.records:,} records, {withheld:,} withheld), found {table.num_rows:,}",
        )
        return _of_records(labels, strategies, evidence)
    for place, name in enumerate(evidence.scenario.attributes):
        meaning = evidence.meanings.get(name)
        if meaning is None:
            continue
        texts = [_written(value) for value in table.column(_name(claims, name)).to_pylist()]
        levels = strategies.levels[released, place]
        labels[released, place] = _label_numbers(meaning, texts, levels, claims)
        if records is None:
            unknown = labels[released, place] == NO_LABEL
            nothing = np.full(count, "", object)
            says = "is no label of the stated level"
            notes.find_rows(file, name, unknown, says, values=(nothing, texts))
        else:
            own = meaning.label_numbers[levels, records.values[released, place]]
            wrong: BoolArray = (labels[released, place] != own) | (own == NO_LABEL)
            says = "is not the label of the record's value at the stated level"
            notes.find_rows(file, name, wrong, says, values=(_texts(meaning, own, levels), texts))
    notes.did(
        f"the labels of {count:,} released rows with their stated levels" + (" and the records" * (records is not None))
    )
    if records is None:
        notes.skip("kept values, and which value each label is of", "the records are not there")
        return labels
    if records.persons is not None:
        _compare_pseudonyms(table, records.persons[released], claims, evidence.scenario, notes)
    for name, column in records.kept.items():
        expected = _as_released(column, claims)
        found = np.array([_written(value) for value in table.column(_name(claims, name)).to_pylist()], object)
        wanted = np.array(expected, object)[released]
        notes.find_rows(file, name, wanted != found, "is not the value of the record", values=(wanted, found))
    notes.did(f"the values of {number_of(len(records.kept), 'kept column')} with the records")
    return labels


def _has_columns(claims: Claims, table: pa.Table, evidence: Evidence, file: str, notes: Notebook) -> bool:
    scenario, records = evidence.scenario, evidence.records
    names = [*scenario.attributes, *scenario.records.keep] if records is None else records.names
    expected = [_name(claims, name) for name in [*_pseudonym_column(scenario), *names]]
    found = table.column_names
    if found == expected or (records is None and sorted(found) == sorted(expected)):
        return True
    if sorted(found) == sorted(expected):
        notes.find(file, "has its columns in another order than the records")
        return True
    more = sum(name not in expected for name in found)
    notes.find(
        file,
        f"has other columns than attributes and kept ones: {sum(name not in found for name in expected)} of "
        f"{len(expected)} are not there, {more} are not expected",
    )
    return False


def _pseudonym_column(scenario: Scenario) -> list[str]:
    """Return the release's column of pseudonyms, if it has one."""
    if scenario.records.person is None or scenario.records.pseudonyms is False:
        return []
    return [str(scenario.pseudonym_column)]


def _compare_pseudonyms(
    table: pa.Table, persons: IntArray, claims: Claims, scenario: Scenario, notes: Notebook
) -> None:
    """Note pseudonyms that are not one for each person released, (m,): the numbers from 1 on."""
    for name in _pseudonym_column(scenario):
        file, texts = (
            claims.stored.parts(RELEASE)[0],
            [_written(value) for value in table.column(_name(claims, name)).to_pylist()],
        )
        numbers = np.array([int(text) if _PSEUDONYM.fullmatch(text) else 0 for text in texts], np.int64)
        people, first, of_row = np.unique(persons, return_index=True, return_inverse=True)
        wrong = numbers != numbers[first][of_row]
        wrong |= (numbers < 1) | (numbers > len(people))
        taken = np.bincount(np.clip(numbers[first], 0, len(people)), minlength=len(people) + 1)
        wrong |= taken[np.clip(numbers, 0, len(people))] > 1
        notes.find_rows(file, name, wrong, "is not the one pseudonym of the record's person")
        notes.did(f"the pseudonyms of {len(people):,} people")


def _name(claims: Claims, name: str) -> str:
    return defused(name) if claims.stored.defused else name


def _of_records(labels: IntArray, strategies: Strategies, evidence: Evidence) -> IntArray:
    """Return the labels that the records have at the stated levels, where both are known."""
    records = evidence.records
    if records is None:
        return labels
    for place, meaning in enumerate(evidence.meanings.values()):
        own = meaning.label_numbers[strategies.levels[:, place], records.values[:, place]]
        labels[:, place] = np.where(strategies.withheld, NO_LABEL, own)
    return labels


def _label_numbers(meaning: Meanings, texts: list[str], levels: IntArray, claims: Claims) -> IntArray:
    """Return the numbers, (m,), of an attribute's labels as released at levels (m,); ``NO_LABEL`` for what is none."""
    numbers = [
        {_name(claims, label): number for number, label in enumerate(labels)} for labels in meaning.hierarchy.labels
    ]
    found = [numbers[level].get(text, NO_LABEL) for text, level in zip(texts, levels.tolist(), strict=True)]
    return np.array(found, np.int64)


def _texts(meaning: Meanings, numbers: IntArray, levels: IntArray) -> list[str]:
    """Return the labels of numbers (m,) at levels (m,); of a missing value the one that it must have."""
    return [
        ROOT if number == NO_LABEL else meaning.hierarchy.labels[level][number]
        for level, number in zip(levels.tolist(), numbers.tolist(), strict=True)
    ]


def _as_released(column: pa.ChunkedArray, claims: Claims) -> list[str]:
    """Return the values of a kept column as the release has them, as text."""
    texts = [_written(value) for value in column.to_pylist()]
    return [defused(text) for text in texts] if claims.stored.defused and holds_texts(column.type) else texts


def _written(value: Any) -> str:
    """Return a value as a CSV file has it: nothing for what is missing, true and false as words."""
    if value is None or value != value:  # noqa: PLR0124  (NaN)
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
