"""The answer applied to the rows: what may be published."""

from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.hierarchy import Hierarchy
from gamedeid.study import Study


def released_table(study: Study, levels: IntArray, withheld: BoolArray) -> pa.Table:
    """Return the release as an Arrow table: columns in the records' order, withheld records left out.

    An attribute holds the published form of the record's group at the chosen level, ``*`` where the value was missing.

    Parameters
    ----------
    study : whose records are released.
    levels : (q, a) chosen levels of each profile.
    withheld : (q,) whether the profile's records are left out.
    """
    kept = np.flatnonzero(~withheld[study.setting.profiles.of_record])
    rows = study.table if len(kept) == study.table.num_rows else study.table.take(pa.array(kept))
    return pa.table({name: rows.column(name) for name in rows.column_names} | _attributes(study, levels, kept))


def released_frame(study: Study, levels: IntArray, withheld: BoolArray) -> Any:
    """Return the same as the kind of frame that the records came in; pandas when they came from a file.

    Kept columns of a frame keep their types. Its index, if it has one, is not released: rows are numbered anew.
    """
    if study.frame is None:
        return released_table(study, levels, withheld).to_pandas()
    kept = np.flatnonzero(~withheld[study.setting.profiles.of_record])
    return study.frame.released(kept, _attributes(study, levels, kept))


def every_label(hierarchy: Hierarchy) -> list[str]:
    """Return all that an attribute can be published as, level after level; a text may stand there more than once."""
    return [label for labels in hierarchy.labels for label in labels]


def label_places(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> IntArray:
    """Return where in :func:`every_label` stands what is published, (q,), of leaf codes (q,) at levels (q,).

    The number of leaves is the code of a missing value, which is published as the root at any level.
    """
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in hierarchy.labels])])
    known = codes < len(hierarchy.leaves)
    groups = np.where(known, hierarchy.groups[levels, np.where(known, codes, 0)], 0)
    return np.where(known, starts[levels] + groups, starts[-2])


def _attributes(study: Study, levels: IntArray, kept: IntArray) -> dict[str, pa.Array]:
    """Return what is published of each attribute, (k,) text, of the records numbered ``kept``, (k,)."""
    profiles = study.setting.profiles
    of_kept = pa.array(profiles.of_record[kept])
    return {
        name: _published(hierarchy, profiles.codes[:, place], levels[:, place]).take(of_kept)
        for place, (name, hierarchy) in enumerate(study.setting.hierarchies.items())
    }


def _published(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> pa.Array:
    """Return what is published, (q,) text, of leaf codes (q,) at levels (q,)."""
    return pa.array(every_label(hierarchy), pa.string()).take(pa.array(label_places(hierarchy, codes, levels)))
