"""Classes of people that a recipient of earlier releases can distinguish, by the groups of all their rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.data.encode import encode
from gamedeid.data.engines.options import IN_MEMORY
from gamedeid.data.profiles import PopulationCells
from gamedeid.data.tables import AttributeTable, read_records
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted
from gamedeid.file_identity import InputFile
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.published_labels import every_label, published_places
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import RELEASE, StoredResults
from gamedeid.scenario.earlier import CLASS_NAME, Earlier, EarlierRelease
from gamedeid.scenario.scenario import Scenario

MOST_CELLS = 2**28
"""Most rows of the population that are held, one for each earlier released row that they match."""


@frozen(eq=False)
class EarlierClasses:
    """Classes of people that earlier releases distinguish, e of them.

    The people in question for a record are those who match its row now and matched every earlier released row of the
    same person. A class is the people with the same earlier rows. With a population, it is also a box: the values,
    attribute by attribute, that the earlier rows leave possible.

    Parameters
    ----------
    hierarchy : the classes, fixed: no strategy generalizes them.
    of_row : (r,) int64, the class of each record.
    first, last : (e, a) int64, the first and the last possible code, in the order of leaves and then a missing value.
    levels : (r, a) int64, the levels of the latest earlier row of the person; -1 if there is none.
    found : (r,) whether the record belongs to a person with an earlier released row.
    changed : (r,) whether the person now has a value that such a row rules out; nothing follows from that value.
    population : the people of the population, each once; None if the records are their own population.
    """

    hierarchy: Hierarchy
    of_row: IntArray
    first: IntArray
    last: IntArray
    levels: IntArray
    found: BoolArray
    changed: BoolArray
    population: PopulationCells | None = None

    def of_people(self, codes: IntArray, people: IntArray, hierarchies: Sequence[Hierarchy]) -> PopulationCells:
        """Return the people, (c,) by leaf codes (c, a), of a population, once for each of their possible classes."""
        order = [np.argsort(column, kind="stable") for column in codes.T]
        sorted_codes = [codes[by, place] for place, by in enumerate(order)]
        rows, classes, total = [], [], 0
        for number, (first, last) in enumerate(zip(self.first, self.last, strict=True)):
            some = _rows_in_box(codes, order, sorted_codes, first, last)
            total += len(some)
            if total > MOST_CELLS:
                raise InvalidScenarioError(
                    f"earlier.releases: {len(self.first):,} distinct earlier rows match more than {MOST_CELLS:,} rows "
                    "of the population together; name fewer releases, or give a population with fewer distinct rows"
                )
            rows.append(some)
            classes.append(np.full(len(some), number, np.int32))
        chosen = np.concatenate(rows)
        joined = np.concatenate([codes[chosen], np.concatenate(classes)[:, None]], axis=1)
        return PopulationCells.of(joined, people[chosen], hierarchies)


def _rows_in_box(
    codes: IntArray, order: Sequence[IntArray], sorted_codes: Sequence[IntArray], first: IntArray, last: IntArray
) -> IntArray:
    """Return the rows of the population, (k,), whose codes are in a box."""
    ends = [np.searchsorted(column, box) for column, *box in zip(sorted_codes, first, last + 1, strict=True)]
    narrowest = min(range(len(ends)), key=lambda place: ends[place][1] - ends[place][0])
    some = order[narrowest][slice(*ends[narrowest])]
    inside = ((codes[some] >= first) & (codes[some] <= last)).all(axis=1)
    found: IntArray = np.sort(some[inside])
    return found


def classes_of_earlier(
    scenario: Scenario, records: AttributeTable, codes: IntArray, hierarchies: Mapping[str, Hierarchy]
) -> EarlierClasses:
    """Return the class of every record, by its leaf codes, (r, a), and the earlier releases of a scenario."""
    earlier, key = cast("Earlier", scenario.earlier), str(scenario.earlier_key)
    now = _person_keys(records, key, scenario, "records")
    size = np.array([len(one.leaves) for one in hierarchies.values()])
    first, last = np.zeros(codes.shape, np.int64), np.tile(size, (len(codes), 1))
    shown: list[IntArray] = []
    levels = np.full(codes.shape, -1, np.int64)
    found = np.zeros(len(codes), np.bool_)
    changed = np.zeros(len(codes), np.bool_)
    for number, release in enumerate(earlier.releases):
        row_of, rows = _earlier_rows(scenario, key, release, number, hierarchies)
        at = np.array([row_of.get(one, -1) for one in now], np.int64)
        has_row = at >= 0
        found |= has_row
        levels = np.where(has_row[:, None], rows.levels[at], levels)
        shown.append(np.where(has_row[:, None], rows.shown[at], -1))
        low, high = np.where(has_row[:, None], rows.first[at], 0), np.where(has_row[:, None], rows.last[at], size)
        held = _holds_in_all_rows((codes >= low) & (codes <= high) | (codes == size), now)
        changed |= ~held.all(axis=1)
        first = np.where(held, np.maximum(first, low), first)
        last = np.where(held, np.minimum(last, high), last)
    contradictory = first > last  # earlier rows that exclude each other, if the value is missing now
    changed |= contradictory.any(axis=1)
    first, last = np.where(contradictory, 0, first), np.where(contradictory, size, last)
    possible = [] if scenario.population is None else [first, last]
    identity = np.concatenate([*(one + 1 for one in shown), *possible], axis=1)
    examples, of_row, _ = distinct_rows(identity)
    return EarlierClasses(
        hierarchy=Hierarchy.fixed([f"class {one}" for one in range(len(examples))], name=CLASS_NAME),
        of_row=sealed(of_row, np.int64),
        first=sealed(first[examples], np.int64),
        last=sealed(last[examples], np.int64),
        levels=sealed(levels, np.int64),
        found=sealed(found, np.bool_),
        changed=sealed(changed, np.bool_),
    )


def _holds_in_all_rows(held: BoolArray, keys: Sequence[str]) -> BoolArray:
    """Return whether ``held``, (r, a), is true in all rows of the same person."""
    _, of_row = np.unique(np.array(keys), return_inverse=True)
    of_person = np.ones((int(of_row.max(initial=-1)) + 1, held.shape[1]), np.bool_)
    np.logical_and.at(of_person, of_row, held)
    return of_person[of_row]


@frozen(eq=False)
class _ReleasedRows:
    """The rows of an earlier release, one for each record of it, (n, a) each.

    Parameters
    ----------
    shown : int64, a number for each distinct text of an attribute.
    first, last : int64, the first and the last code, in the present hierarchies, that the text leaves possible.
    levels : int64, those of the strategies.
    """

    shown: IntArray
    first: IntArray
    last: IntArray
    levels: IntArray


def _earlier_rows(
    scenario: Scenario, key: str, release: EarlierRelease, number: int, hierarchies: Mapping[str, Hierarchy]
) -> tuple[dict[str, int], _ReleasedRows]:
    """Return key of a person -> row of an earlier release, without withheld rows; and these rows."""
    folder, where = scenario.folder / release.folder, f"earlier.releases.{number}"
    stored = StoredResults.read_run(folder)
    former = Scenario.parse(stored.question, where=f"{folder / MANIFEST}, scenario", folder=scenario.folder)
    if set(former.attributes) != set(hierarchies):
        raise InvalidScenarioError(
            f"{where}: {folder} has the attributes {', '.join(map(quoted, former.attributes))}, and the scenario has "
            f"{', '.join(map(quoted, hierarchies))}; releases with the same attributes can be taken together"
        )
    shows = former.records.missing == "show"
    hierarchies = {name: replace(one, shows_missing=shows) for name, one in hierarchies.items()}
    path = release.records or former.records.path
    if path is None:
        raise InvalidScenarioError(f"{where}: {folder} was made from a data frame; name the file of it in records")
    _refuse_other_records(scenario.folder / path, stored, where)
    read = former.model_copy(update={"records": former.records.model_copy(update={"path": path})})
    table = read_records(read, read_options=IN_MEMORY, key=key)
    codes = encode(table.columns, hierarchies, table_name=f"{where} ({path.name})", allow_missing=True)
    levels, withheld, _ = stored.strategies(list(hierarchies), len(codes))
    keys = _person_keys(table, key, former, str(path))
    row_of: dict[str, int] = {}
    for row in np.flatnonzero(~withheld).tolist():
        row_of.setdefault(keys[row], row)
    columns = [
        _released_column(hierarchy, codes[:, place], levels[:, place], release.rises.get(name, 0), where, name)
        for place, (name, hierarchy) in enumerate(hierarchies.items())
    ]
    shown, first, last = (np.stack(part, axis=1) for part in zip(*columns, strict=True))
    _refuse_other_labels(stored, codes[~withheld], levels[~withheld], hierarchies, where)
    return row_of, _ReleasedRows(shown=shown, first=first, last=last, levels=levels)


def _refuse_other_labels(
    stored: StoredResults, codes: IntArray, levels: IntArray, hierarchies: Mapping[str, Hierarchy], where: str
) -> None:
    """Refuse an earlier release whose labels are not those of the present hierarchies."""
    written = {name: stored.published(name) for name in hierarchies}
    texts = stored.columns(RELEASE, pa.schema([(name, pa.string()) for name in written.values()]))
    for place, (name, hierarchy) in enumerate(hierarchies.items()):
        labels = every_label(hierarchy)
        places = published_places(hierarchy, codes[:, place], levels[:, place])
        expected = Counter[str]()
        for label, rows in zip(labels, np.bincount(places, minlength=len(labels)).tolist(), strict=True):
            expected[stored.published(label)] += rows
        found = {one["values"]: one["counts"] for one in texts.column(written[name]).value_counts().to_pylist()}
        if dict(+expected) != found:  # in any order of the rows
            raise InvalidScenarioError(
                f"{where}: {stored.folder} has other labels of {quoted(name)} than its hierarchy has now; releases "
                "with the same hierarchies can be taken together"
            )


def _released_column(
    hierarchy: Hierarchy, codes: IntArray, levels: IntArray, rise: int, where: str, name: str
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the number of the text, and the first and last possible code now, (n,) each, for one attribute."""
    leaves, top = len(hierarchy.leaves), hierarchy.levels - 1
    missing = codes == leaves
    levels, codes = np.where(missing, top, levels), np.where(missing, 0, codes)
    groups = hierarchy.groups[levels, codes].astype(np.int64)
    texts: dict[str, int] = {}
    shown, first, last = (np.empty(len(codes), np.int64) for _ in range(3))
    values = _whole_numbers(hierarchy, where, name) if rise else np.empty(0, np.int64)
    pairs, of_row = np.unique(np.stack([levels, groups], axis=1), axis=0, return_inverse=True)
    of_row = of_row.reshape(-1)
    for number, (level, group) in enumerate(pairs.tolist()):
        ends = np.flatnonzero(hierarchy.groups[level] == group)[[0, -1]]
        if level == top:
            ends[1] = leaves  # a missing value has the same label
        elif rise:
            risen = np.flatnonzero((values >= values[ends[0]] + rise) & (values <= values[ends[1]] + rise))
            ends = risen[[0, -1]] if len(risen) else np.array([leaves, -1])
        rows = of_row == number
        shown[rows] = texts.setdefault(hierarchy.labels[level][group], len(texts))
        first[rows], last[rows] = ends
    if hierarchy.shows_missing:
        shown[missing] = len(texts)
    return shown, first, last


def _whole_numbers(hierarchy: Hierarchy, where: str, name: str) -> IntArray:
    """Return the leaves of a hierarchy of rising whole numbers, (leaves,)."""
    if hierarchy.integer and hierarchy.unlisted is None:
        values = np.array([int(leaf) for leaf in hierarchy.leaves], np.int64)
        if (np.diff(values) > 0).all():
            return values
    raise InvalidScenarioError(
        f"{where}.rises.{name}: {quoted(hierarchy.name)} is no hierarchy of increasing whole numbers; leave the key out"
    )


def _refuse_other_records(path: Path, stored: StoredResults, where: str) -> None:
    """Refuse records that are not those of an earlier release."""
    file = InputFile.at(path)
    if any(state is None for _, state in file.parts):
        fault = f"{path}, the records of {stored.folder}, is not there; name the file"
    elif file.digest() != stored.input_digests.get("records"):
        fault = f"{path} is not the file that {stored.folder} was made from; name that file"
    else:
        return
    raise InvalidDataError(f'{where}: {fault} in records, as in {{ folder = "2026-05", records = "may.csv" }}')


def _person_keys(records: AttributeTable, key: str, scenario: Scenario, table_name: str) -> Sequence[str]:
    """Return the key of each row; several rows may share one only if the scenario names it as a key of persons."""
    keys, people = cast("Sequence[str]", records.key_of_row), records.person_of_row
    if people is not None and not len(set(keys)) == len({*zip(keys, people.tolist(), strict=True)}) == people.max() + 1:
        raise InvalidDataError(
            f"{table_name}: the column of earlier.key does not name persons: people whom [records] person "
            "distinguishes share a value, or one of them has several; leave the key out"
        )
    if scenario.records.person is None and len(set(keys)) < len(keys):
        raise InvalidDataError(
            f"{table_name}: the column of earlier.key has {len(keys) - len(set(keys)):,} repeated values; if several "
            f"rows are one person's, set [records] person to {quoted(key)} in place of drop"
        )
    return keys
