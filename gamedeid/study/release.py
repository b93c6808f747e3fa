"""Make the release: the answer applied to the rows of the records, in the order of the released values."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS, BoolArray, IntArray, sealed
from gamedeid.arrow import as_arrow, as_numpy, as_texts
from gamedeid.choices import RELEASE_ROW
from gamedeid.data.engines.rows import RECORD, ColumnsByProfile
from gamedeid.data.own_values import own_column
from gamedeid.data.persons import Persons
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.published_labels import every_label, published_places
from gamedeid.results.row_order import ROW_ID, sorted_blocks, value_ranks
from gamedeid.scenario.sections import RANDOM
from gamedeid.study.column_groups import records_of_profiles
from gamedeid.study.study import Study


def release_answer(
    study: Study, levels: IntArray, withheld: BoolArray, pseudonyms: IntArray | None = None
) -> ColumnsByProfile:
    """Return the changes that turn the rows into the release: withheld records left out, attributes replaced.

    An attribute gets the label of the record's group at the chosen level, or ``*`` if the value was missing.

    Parameters
    ----------
    levels : (q, a) chosen levels of each profile.
    withheld : (q,) whether the profile's records are left out.
    pseudonyms : (r,) the pseudonym of each record's person; None if the release has none.
    """
    profiles = study.instance.profiles
    published = {
        name: _published(hierarchy, profiles.codes[:, place], levels[:, place])
        for place, (name, hierarchy) in enumerate(study.instance.hierarchies.items())
    }
    return ColumnsByProfile(
        columns=published,
        left_out=withheld,
        replaces=True,
        of_row=profiles.of_record,
        profiles_of=study.profiles_of,
        by_row={} if pseudonyms is None else {str(study.scenario.pseudonym_column): as_arrow(pseudonyms)},
    )


def _published(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> pa.Array:
    """Return the published labels, (q,) text, of leaf codes (q,) at levels (q,)."""
    return as_texts(every_label(hierarchy)).cast(pa.string()).take(as_arrow(published_places(hierarchy, codes, levels)))


def assign_pseudonyms(study: Study, levels: IntArray, withheld: BoolArray, *, by_value: bool) -> IntArray | None:
    """Return the pseudonym of each record's person, (r,); None if every record is a person, or without pseudonyms.

    They are drawn for people in the order of their records or, if ``by_value``, of their released rows, so that no seed
    reveals the places of their records.
    """
    persons, asked = study.persons, study.scenario.records.pseudonyms
    if persons is None or asked is False:
        return None
    ranks = None
    if by_value:
        ranks = value_ranks(pa.concat_tables(study.rows.blocks(release_answer(study, levels, withheld))))
    generator = np.random.default_rng(None if asked == RANDOM else int(asked))
    return draw_pseudonyms(persons, ~withheld[study.instance.profiles.of_record], generator, ranks)


def draw_pseudonyms(
    persons: Persons, released: BoolArray, generator: np.random.Generator, ranks: IntArray | None
) -> IntArray:
    """Return the pseudonym of each record's person, (r,) int64: 1 to the number of people released, in random order.

    They do not depend on keys. People who are not released get 0.

    Parameters
    ----------
    released : (r,) whether each record is released.
    ranks : (m,) int64, a rank of each released record by its values, which orders people before the draw; None orders
        them by their first records.
    """
    owners = persons.of_record[released]
    people = np.unique(owners) if ranks is None else _by_rows(owners, ranks)
    of_person = np.zeros(persons.count, np.int64)
    of_person[people] = generator.permutation(len(people)) + 1
    pseudonyms: IntArray = sealed(of_person[persons.of_record], np.int64)
    return pseudonyms


def _by_rows(owners: IntArray, ranks: IntArray) -> IntArray:
    """Return the people of rows in the order of all their rows; people with equal rows are indistinguishable."""
    order = np.lexsort((ranks, owners))
    people, starts = np.unique(owners[order], return_index=True)
    rows = [tuple(part.tolist()) for part in np.split(ranks[order], starts[1:])]
    found: IntArray = people[sorted(range(len(people)), key=rows.__getitem__)]
    return found


def sorted_release(blocks: Iterable[pa.Table], folder: Path) -> Iterator[pa.Table]:
    """Yield the rows of a release in the order of their values, in blocks of equal size."""
    for block in sorted_blocks(blocks, folder):
        columns = [
            own_column(column, None, name, keeps_order=False) if pa.types.is_dictionary(column.type) else column
            for name, column in zip(block.column_names, block.columns, strict=True)
        ]
        yield pa.table(columns, names=block.column_names)


class SortedRelease:
    """A release in the order of its values, which is written first, and the strategies, which number its rows.

    Parameters
    ----------
    withheld : (q,) whether each profile's records are left out.
    """

    def __init__(
        self, study: Study, withheld: BoolArray, blocks: Callable[[], Iterator[pa.Table]], folder: Path
    ) -> None:
        self.rows = int(records_of_profiles(study)[~withheld].sum())
        self._study, self._withheld, self._marked, self._folder = study, withheld, blocks, folder
        self._numbered = study.rows.numbered
        size = study.records if self._numbered else self.rows
        self._found = np.memmap(folder / "found", np.int64, "w+", shape=(max(size, 1),))
        """The row of each record, negative if there is none; without numbers of records, the profile of each row."""
        self._found[:] = -1
        self._complete = False

    def blocks(self, start: int = 0) -> Iterator[pa.Table]:
        """Yield the blocks from number ``start`` on."""
        first = 0
        for number, block in enumerate(sorted_release(self._marked(), self._folder)):
            marks, places = as_numpy(block.column(ROW_ID).combine_chunks()), np.arange(first, first + block.num_rows)
            if self._numbered:
                self._found[marks] = places
            else:
                self._found[places] = marks
            first += block.num_rows
            self._complete |= first == self.rows
            if number >= start:
                yield block.drop_columns([ROW_ID])

    def strategies(self, answer: ColumnsByProfile, start: int = 0) -> Iterator[pa.Table]:
        """Yield the strategies with the row of each record, from block number ``start`` on."""
        self._find()
        if self._numbered:
            yield from map(self.with_rows, self._study.rows.blocks(answer, start))
            return
        left_out = np.flatnonzero(self._withheld)
        records = self._study.instance.profiles.records[left_out]
        profile = np.concatenate([self._found[: self.rows], np.repeat(left_out, records)])
        for first in range(start * TABLE_ROWS, max(len(profile), 1), TABLE_ROWS):
            block_profiles = as_arrow(profile[first : first + TABLE_ROWS])
            places = np.arange(first, first + len(block_profiles))
            columns = {name: column.take(block_profiles) for name, column in answer.columns.items()}
            yield _with_places(pa.table(columns), np.where(places < self.rows, places, -1))

    def with_rows(self, strategies: pa.Table) -> pa.Table:
        """Return strategies of numbered records with the row of each."""
        self._find()
        return _with_places(strategies, self._found[as_numpy(strategies.column(RECORD).combine_chunks())])

    def _find(self) -> None:
        """Sort the rows if not all of them have been read, as when their parts are finished."""
        if not self._complete:
            for _ in self.blocks():
                pass


def _with_places(strategies: pa.Table, places: IntArray) -> pa.Table:
    return strategies.append_column(RELEASE_ROW, as_arrow(places, places >= 0))
