"""Make the release: the answer applied to the rows of the records."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from gamedeid.arrays import ARRAY_ROWS, BoolArray, IntArray
from gamedeid.arrow import as_arrow, as_texts
from gamedeid.data.engines.rows import Answer
from gamedeid.errors import InvalidScenarioError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.study.study import Study


def release_answer(study: Study, levels: IntArray, withheld: BoolArray, pseudonyms: IntArray | None = None) -> Answer:
    """Return what the rows need to become the release: withheld records left out, attributes replaced.

    An attribute gets the published form of the record's group at the chosen level, ``*`` where the value was missing.

    Parameters
    ----------
    levels : (q, a) chosen levels of each profile.
    withheld : (q,) whether the profile's records are left out.
    pseudonyms : (r,) the pseudonym of each record's person; None where the release has none.
    """
    profiles = study.instance.profiles
    published = {
        name: _published(hierarchy, profiles.codes[:, place], levels[:, place])
        for place, (name, hierarchy) in enumerate(study.instance.hierarchies.items())
    }
    return Answer(
        columns=published,
        left_out=withheld,
        replaces=True,
        of_row=profiles.of_record,
        profiles_of=study.profiles_of,
        by_row={} if pseudonyms is None else {str(study.scenario.pseudonym_column): as_arrow(pseudonyms)},
    )


def every_label(hierarchy: Hierarchy) -> list[str]:
    """Return every label of an attribute, level after level; equal labels of different levels are repeated."""
    return [label for labels in hierarchy.labels for label in labels]


def label_places(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> IntArray:
    """Return the place in :func:`every_label`, (q,), of the label of leaf codes (q,) at levels (q,).

    The number of leaves is the code of a missing value, which is published as the root at any level.
    """
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in hierarchy.labels])])
    known = codes < len(hierarchy.leaves)
    groups = np.where(known, hierarchy.groups[levels, np.where(known, codes, 0)], 0)
    return np.where(known, starts[levels] + groups, starts[-2])


def _published(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> pa.Array:
    """Return what is published, (q,) text, of leaf codes (q,) at levels (q,)."""
    return as_texts(every_label(hierarchy)).cast(pa.string()).take(as_arrow(label_places(hierarchy, codes, levels)))


def check_shuffle(seed: int | None, records: int) -> None:
    """Check that so many records can be shuffled by this seed.

    Parameters
    ----------
    seed : 0 or more; None where nothing is shuffled.
    """
    if seed is None:
        return
    if seed < 0:
        raise InvalidScenarioError(f"shuffle: expected a seed, a whole number of 0 or more, not {seed}")
    if records > ARRAY_ROWS:
        raise InvalidScenarioError(
            f"shuffle: at most {ARRAY_ROWS:,} records are shuffled, since all of them are held at once, and there are "
            f"{records:,}; shuffle the records themselves before",
        )


def new_places(rows: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return which row, (rows,), stands at each place once rows are shuffled by a seed."""
    return np.random.default_rng(seed).permutation(rows)


def shuffled(blocks: Iterator[pa.Table], seed: int) -> Iterator[pa.Table]:
    """Yield the rows of all blocks in another order, as one block."""
    table = pa.concat_tables(list(blocks)).unify_dictionaries()
    yield table.take(pa.array(new_places(table.num_rows, seed))).combine_chunks()
