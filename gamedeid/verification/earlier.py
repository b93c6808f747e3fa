"""The people whom a recipient of earlier releases can distinguish, recomputed: those who match all rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.errors import GamedeidError, InvalidDataError
from gamedeid.file_identity import digest_path
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.results.manifest import is_document
from gamedeid.results.stored import RELEASE, STRATEGIES, StoredResults
from gamedeid.scenario.earlier import CLASS_NAME, earlier_release_name
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Records
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, label_numbers
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import CheckLog, InputState
from gamedeid.verification.people import People
from gamedeid.verification.tables import (
    as_texts,
    column_of,
    distinct_rows,
    in_record_order,
    read_columns,
    read_output,
    strategies_of,
)

MOST_ROWS = 2**27
"""Most rows of the population that are held; a row counts once for each class that it can be in."""

EARLIER_CHECKS = "people in question, and all figures that depend on them"
"""The omitted checks if the earlier rows of people are not known."""

_NONE = -1
"""Number in place of the earlier row of a person who has none."""


@frozen(eq=False)
class ClassesOfPeople:
    """The classes of people that earlier releases distinguish, e of them.

    Parameters
    ----------
    of_record : (n,) the class of each record.
    allowed : for each attribute, (e, values + 1) which values a person of the class can have now; the last is a missing
        one. None if the records are their own population: a class then has the people of its records.
    found : (n,) whether the record is of a person with an earlier row.
    changed : (n,) whether the person has a value now that an earlier row rules out.
    """

    of_record: IntArray
    allowed: Sequence[BoolArray] | None
    found: BoolArray
    changed: BoolArray

    @property
    def attribute(self) -> AttributeLabels:
        """The classes as an attribute that is never generalized."""
        return AttributeLabels.fixed(CLASS_NAME, self.of_record)

    def people(self, people: People) -> People | None:
        """Return the people of a population, once for each class that they can be in; None if these are too many."""
        allowed = self.allowed or ()
        order = [np.argsort(column, kind="stable") for column in people.values.T]
        ends = [
            np.concatenate([[0], np.cumsum(np.bincount(column, minlength=one.shape[1]))])
            for column, one in zip(people.values.T, allowed, strict=True)
        ]
        chosen, classes, total = [], [], 0
        for number in range(int(self.of_record.max(initial=-1)) + 1):
            sizes = [np.diff(end)[one[number]].sum() for end, one in zip(ends, allowed, strict=True)]
            rarest = int(np.argmin(sizes))
            values = np.flatnonzero(allowed[rarest][number]).tolist()
            found = [order[rarest][ends[rarest][value] : ends[rarest][value + 1]] for value in values]
            rows = np.concatenate([np.zeros(0, np.int64), *found])
            for place, one in enumerate(allowed):
                rows = rows[one[number][people.values[rows, place]]]
            total += len(rows)
            if total > MOST_ROWS:
                return None
            chosen.append(rows)
            classes.append(np.full(len(rows), number))
        picked, of_row = np.concatenate(chosen), np.concatenate(classes)[:, None]
        return People(
            values=np.concatenate([people.values[picked], of_row], axis=1),
            counts=people.counts[picked],
            known=people.known,
            unmatched=people.unmatched,
            floors=np.concatenate([people.floors[picked], np.zeros_like(of_row)], axis=1),
        )


@frozen(eq=False)
class _EarlierRows:
    """The rows of one earlier release for the people of n records.

    Parameters
    ----------
    pairs : (n, a) number of the pair of level and label of each attribute; ``_NONE`` for no row.
    texts : for each attribute, (pairs + 1,) a number for each distinct text; the last means no row.
    possible : for each attribute, (pairs + 1, values + 1) which values a person with this pair can have now.
    """

    pairs: IntArray
    texts: Sequence[IntArray]
    possible: Sequence[BoolArray]


def classes_of_people(
    claimed: Scenario,
    current_scenario: Scenario,
    inputs: Mapping[str, InputState],
    attributes: Sequence[AttributeLabels],
    values: IntArray,
    log: CheckLog,
) -> ClassesOfPeople | None:
    """Return the class of each record by its earlier rows; None, with a note, if these cannot be read.

    Parameters
    ----------
    inputs : name of an input -> whether it has the manifest's digest.
    values : (n, a) number of the value of each record.
    """
    earlier, records = claimed.earlier, current_scenario.records.path
    if earlier is None or records is None:
        return None
    try:
        keys = person_keys(current_scenario.folder / records, claimed.records, person_key(claimed))
        reader = _Reader(
            claimed=claimed, current_scenario=current_scenario, inputs=inputs, attributes=attributes, keys=keys, log=log
        )
        read = [reader.rows(number, release.rises) for number, release in enumerate(earlier.releases)]
    except (GamedeidError, pa.ArrowException) as error:
        why = f"they match the earlier released rows of a person too, and {error}"
        log.skip(EARLIER_CHECKS, why, first=True)
        return None
    there = np.stack([one.pairs[:, 0] != _NONE for one in read], axis=1)
    people = np.unique(np.array(keys), return_inverse=True)[1]
    narrowed = [_narrowed(read, place, values[:, place], people) for place in range(len(attributes))]
    changed: BoolArray = np.any([changed for _, _, changed in narrowed], axis=0)
    seen = [one.texts[place][one.pairs[:, place]] + 1 for one in read for place in range(len(attributes))]
    if claimed.population is None:
        of_record, allowed = distinct_rows(np.stack(seen, axis=1))[1], None
    else:
        first, of_record = distinct_rows(np.stack([*seen, *(number for number, _, _ in narrowed)], axis=1))
        allowed = [masks[number[first]] for number, masks, _ in narrowed]
    found = sealed(there.any(axis=1), np.bool_)
    of_records = f"the people of {number_of(int(found.sum()), 'record')}"
    log.did(f"the earlier released rows of {of_records}, in {number_of(len(read), 'earlier release')}")
    return ClassesOfPeople(of_record=of_record, allowed=allowed, found=found, changed=changed)


def _narrowed(
    read: Sequence[_EarlierRows], place: int, values: IntArray, people: IntArray
) -> tuple[IntArray, BoolArray, BoolArray]:
    """Return the number of each record's set of values that all earlier rows permit, (n,); the sets; who has changed.

    An earlier row that excludes the present value of a record of the person permits every value. So do rows that
    exclude each other, which is possible only if the value is missing now.
    """
    missing = read[0].possible[place].shape[1] - 1
    changed, used = np.zeros(len(values), np.bool_), []
    for one in read:
        pairs = one.pairs[:, place]
        fits = one.possible[place][pairs, values] | (values == missing)
        of_person = np.ones(int(people.max(initial=-1)) + 1, np.bool_)
        np.logical_and.at(of_person, people, fits)
        changed |= ~of_person[people]
        used.append(np.where(of_person[people], pairs, _NONE))
    combinations, of_record = np.unique(np.stack(used, axis=1), axis=0, return_inverse=True)
    of_record = of_record.reshape(-1)
    sets = np.ones((len(combinations), missing + 1), np.bool_)
    for number, one in enumerate(read):
        sets &= one.possible[place][combinations[:, number]]
    impossible: BoolArray = np.logical_not(sets[:, :-1].any(axis=1))
    sets[impossible] = True
    distinct, of_combination = np.unique(sets, axis=0, return_inverse=True)
    return of_combination.reshape(-1)[of_record], distinct, changed | impossible[of_record]


@frozen(eq=False)
class _Reader:
    """A reader of earlier releases; parameters as of :func:`classes_of_people`, and the key of each record."""

    claimed: Scenario
    current_scenario: Scenario
    inputs: Mapping[str, InputState]
    attributes: Sequence[AttributeLabels]
    keys: Sequence[str]
    log: CheckLog

    def rows(self, number: int, rises: Mapping[str, int]) -> _EarlierRows:
        """Return the rows of the people in an earlier release, by its written texts."""
        name = earlier_release_name(number)
        state = self.inputs.get(name, "absent")
        if state != "equal" or self.current_scenario.earlier is None:
            why = "not the one that the manifest names" if state == "changed" else "not there"
            raise InvalidDataError(f"the {name} is {why}; name its folder in earlier.releases")
        named = self.current_scenario.earlier.releases[number]
        claims = self._unchanged(self.current_scenario.folder / named.folder, name)
        then = cast("Scenario", claims.scenario)
        path = named.records or then.records.path
        stated = claims.stored.input_digests.get("records")
        if path is None:
            raise InvalidDataError(f"no file of the records of the {name} is named")
        if digest_path(self.current_scenario.folder / path) != stated:
            says = f"is not the file of records that the {name} was made from"
            self.log.find(str(self.current_scenario.folder / path), says)
            raise InvalidDataError(f"{path} {says}")
        of_record = person_keys(self.current_scenario.folder / path, then.records, person_key(self.claimed))
        shows = then.records.missing == "show"
        attributes = [replace(one, hierarchy=replace(one.hierarchy, shows_missing=shows)) for one in self.attributes]
        levels, labels, record = self._released(claims, name, len(of_record), attributes)
        row_of: dict[str, int] = {}
        for row, one in enumerate(record.tolist()):
            row_of.setdefault(of_record[one], row)
        row_of_record = np.array([row_of.get(one, _NONE) for one in self.keys], np.int64)
        columns = [
            _pairs(one, levels[:, place], labels[:, place], rises.get(one.name, 0), row_of_record)
            for place, one in enumerate(attributes)
        ]
        pairs, texts, possible = zip(*columns, strict=True)
        return _EarlierRows(pairs=np.stack(pairs, axis=1), texts=texts, possible=possible)

    def _unchanged(self, folder: Path, name: str) -> Claims:
        """Return the claims of the folder of an earlier release; a difference from its manifest is a finding.

        Documents that people fill in are not checked.
        """
        stored = StoredResults.read(folder)
        changes = [(file, says) for file, says in stored.changes() if not is_document(file)]
        for file, says in changes:
            self.log.find(str(folder / file), says)
        if changes:
            raise InvalidDataError(f"the {name} is not as its manifest has it")
        then = Scenario.parse(stored.question, where=str(folder), folder=self.current_scenario.folder)
        if {*then.attributes} != {one.name for one in self.attributes}:
            raise InvalidDataError(f"the {name} has other attributes")
        return Claims(stored=stored, summary={}, report={}, scenario=then)

    def _released(
        self, claims: Claims, name: str, records: int, attributes: Sequence[AttributeLabels]
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Return levels and labels of the released rows, (m, a) each, and the record of each, (m,)."""
        stored, order = claims.stored, list(cast("Scenario", claims.scenario).attributes)
        table, stated = read_output(claims, RELEASE, self.log), read_output(claims, STRATEGIES, self.log)
        strategies = None if stated is None else strategies_of(stated, order, claims, self.log)
        if table is None or strategies is None or strategies.records != records:
            raise InvalidDataError(f"the {name} cannot be read")
        written = set(map(stored.published, order))
        rows = np.flatnonzero(~strategies.withheld)
        if table.num_rows != len(rows) or not written <= {*table.column_names}:
            raise InvalidDataError(f"the {name} has other rows or columns than its strategies release")
        table = in_record_order(table, strategies)
        levels = strategies.levels[rows][:, [order.index(one.name) for one in attributes]]
        labels = np.zeros(levels.shape, np.int64)
        for place, one in enumerate(attributes):
            texts = as_texts(table.column(stored.published(one.name)))
            labels[:, place] = label_numbers(one, texts, levels[:, place], stored.published)
            if (labels[:, place] == NO_LABEL).any():
                raise InvalidDataError(f"the {name} has labels of {one.name} that its hierarchy does not have now")
        return levels, labels, rows


def _pairs(
    attribute: AttributeLabels, levels: IntArray, labels: IntArray, rise: int, row_of_record: IntArray
) -> tuple[IntArray, IntArray, BoolArray]:
    """Return the number of the pair of level and label of each record's row, (n,); of each pair its text and values."""
    pairs, of_row = np.unique(np.stack([levels, labels], axis=1), axis=0, return_inverse=True)
    texts: dict[str, int] = {}
    numbers = [texts.setdefault(attribute.labels[at][one], len(texts)) for at, one in pairs.tolist()]
    possible = [*_possible(attribute, pairs, rise), np.ones(attribute.missing + 1, np.bool_)]
    return np.append(of_row.reshape(-1), _NONE)[row_of_record], np.array([*numbers, _NONE]), np.stack(possible)


def _possible(attribute: AttributeLabels, pairs: IntArray, rise: int) -> Iterator[BoolArray]:
    """Yield for each pair which values, (values + 1,), a person with it can have now, after a rise of all values."""
    for level, label in pairs.tolist():
        now = (attribute.label_numbers[level][:-1] == label) | (level == attribute.top)
        if rise and level < attribute.top:
            numbers = np.array([int(leaf) for leaf in attribute.hierarchy.leaves])
            then = numbers[now]
            now = (numbers >= then.min() + rise) & (numbers <= then.max() + rise)
        yield np.append(now, level == attribute.top)


def person_key(claimed: Scenario) -> str:
    """Return the column by which people are found again in all extracts."""
    return str((claimed.earlier and claimed.earlier.key) or claimed.records.person)


def person_keys(path: Path, section: Records, key: str) -> list[str]:
    """Return the key of the person in every row of a file of records."""
    column = column_of(read_columns(path, section, [key]).column(key), section.missing_values)
    if (column.codes < 0).any():
        raise InvalidDataError(f"{path} has rows without the key of a person")
    texts = [as_text(value) for value in column.values]
    return [texts[code] for code in column.codes]
