"""Check the release, row by row, against the strategies and the records."""

import re
from itertools import pairwise

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.generalization.levels import ROOT
from gamedeid.results.formulas import holds_texts
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import RELEASE, SUMMARY
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, label_numbers, labels_at
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.tables import Strategies, as_texts

_PSEUDONYM = re.compile(r"[0-9]{1,15}")


def compare_release(
    claims: Claims, table: pa.Table | None, strategies: Strategies, evidence: Evidence, log: CheckLog
) -> IntArray:
    """Compare the release, None if it cannot be read, with the strategies and, if they are there, with the records.

    Returns
    -------
    (n, a) number of the released label of each attribute at its stated level; ``NO_LABEL`` if the record is withheld,
    the level has no such label, or the attribute is not known. If the rows of the release are not those of the
    strategies, the labels of the records instead.
    """
    released, records, published = ~strategies.withheld, evidence.records, claims.stored.published
    if table is None or not _has_rows_and_columns(claims, table, strategies, evidence, log):
        return _of_records(strategies, evidence)
    file, count = claims.stored.parts(RELEASE)[0], table.num_rows
    labels = _with_classes_only(strategies, evidence)
    for place, name in enumerate(evidence.scenario.attributes):
        attribute = evidence.known_attributes.get(name)
        if attribute is None:
            continue
        texts, levels = as_texts(table.column(published(name))), strategies.levels[released, place]
        labels[released, place] = label_numbers(attribute, texts, levels, published)
        if records is None:
            unknown = labels[released, place] == NO_LABEL
            nothing = np.full(count, "", object)
            log.find_rows(file, name, unknown, "is no label of the stated level", values=(nothing, texts))
        else:
            own = attribute.label_numbers[levels, records.values[released, place]]
            wrong: BoolArray = (labels[released, place] != own) | (own == NO_LABEL)
            says = "is not the label of the record's value at the stated level"
            log.find_rows(file, name, wrong, says, values=(_texts(attribute, own, levels), texts))
    log.did(
        f"the labels of {count:,} released rows with their stated levels" + " and the records" * (records is not None)
    )
    if records is None:
        log.skip("kept values, and the value behind each label", "the records are not there")
        return labels
    if records.persons is not None:
        for name in _pseudonym_column(evidence.scenario):
            _compare_pseudonyms(file, name, as_texts(table.column(published(name))), records.persons[released], log)
    for name, column in records.kept.items():
        expected = as_texts(column)
        if holds_texts(column.type):
            expected = list(map(published, expected))
        found = np.array(as_texts(table.column(published(name))), object)
        wanted = np.array(expected, object)[released]
        log.find_rows(file, name, wanted != found, "is not the value of the record", values=(wanted, found))
    log.did(f"the values of {number_of(len(records.kept), 'kept column')} with the records")
    return labels


def compare_order(claims: Claims, table: pa.Table, log: CheckLog) -> None:
    """Note a release whose rows are not in the order of their values, although the manifest says so."""
    if claims.summary and claims.summary.get("keep_order") is not claims.stored.keeps_order:
        log.find(SUMMARY, f"states another order of the rows than {MANIFEST}")
    if claims.stored.keeps_order:
        return
    rows = list(zip(*map(as_texts, table.columns), strict=True))
    before = [tuple(value.encode() for value in row) for row in rows]
    wrong = sum(one > other for one, other in pairwise(before))
    if wrong:
        log.find(
            claims.stored.parts(RELEASE)[0],
            f"is not in the order of its values: {number_of(wrong, 'row')} of {len(rows):,} after a greater row",
        )
    log.did("the order of the released rows with that of their values")


def _with_classes_only(strategies: Strategies, evidence: Evidence) -> IntArray:
    """Return labels, (n, a), that are known only for the classes of people."""
    labels = np.full(strategies.levels.shape, NO_LABEL, np.int64)
    if evidence.earlier is not None:
        labels[:, -1] = np.where(strategies.withheld, NO_LABEL, evidence.earlier.of_record)
    return labels


def _has_rows_and_columns(
    claims: Claims, table: pa.Table, strategies: Strategies, evidence: Evidence, log: CheckLog
) -> bool:
    scenario, records, file = evidence.scenario, evidence.records, claims.stored.parts(RELEASE)[0]
    names = [*scenario.attributes, *scenario.records.keep] if records is None else records.names
    expected = list(map(claims.stored.published, (*_pseudonym_column(scenario), *names)))
    found = table.column_names
    if sorted(found) != sorted(expected):
        more = sum(name not in expected for name in found)
        log.find(
            file,
            f"has other columns than attributes and kept ones: {sum(name not in found for name in expected)} of "
            f"{len(expected)} are not there, {more} are not expected",
        )
        return False
    if found != expected and records is not None:
        log.find(file, "has its columns in another order than the records")
    withheld = int(strategies.withheld.sum())
    if table.num_rows != strategies.records - withheld:
        log.find(
            file,
            f"has another number of rows than the strategies release: expected {strategies.records - withheld:,} "
            f"({number_of(strategies.records, 'record')}, {withheld:,} withheld), found {table.num_rows:,}",
        )
        return False
    return True


def _pseudonym_column(scenario: Scenario) -> list[str]:
    """Return the name of the release's column of pseudonyms, if it has one."""
    if scenario.records.person is None or scenario.records.pseudonyms is False:
        return []
    return [str(scenario.pseudonym_column)]


def _compare_pseudonyms(file: str, name: str, texts: list[str], persons: IntArray, log: CheckLog) -> None:
    """Note pseudonyms that are not one number from 1 on for each released person, (m,)."""
    numbers = np.array([int(text) if _PSEUDONYM.fullmatch(text) else 0 for text in texts], np.int64)
    people, first, of_row = np.unique(persons, return_index=True, return_inverse=True)
    wrong = numbers != numbers[first][of_row]
    wrong |= (numbers < 1) | (numbers > len(people))
    taken = np.bincount(np.clip(numbers[first], 0, len(people)), minlength=len(people) + 1)
    wrong |= taken[np.clip(numbers, 0, len(people))] > 1
    log.find_rows(file, name, wrong, "is not the one pseudonym of the record's person")
    log.did(f"the pseudonyms of {number_of(len(people), 'person')}")


def _of_records(strategies: Strategies, evidence: Evidence) -> IntArray:
    """Return the labels of the records at the stated levels, if both are known."""
    labels, records = np.full(strategies.levels.shape, NO_LABEL, np.int64), evidence.records
    if records is not None and evidence.attributes is not None:
        own = labels_at(evidence.attributes, strategies.levels, records.values)
        labels[~strategies.withheld] = own[~strategies.withheld]
    return labels


def _texts(attribute: AttributeLabels, numbers: IntArray, levels: IntArray) -> list[str]:
    """Return the labels of numbers (m,) at levels (m,); for a missing value its required label."""
    return [
        ROOT if number == NO_LABEL else attribute.labels[level][number]
        for level, number in zip(levels.tolist(), numbers.tolist(), strict=True)
    ]
