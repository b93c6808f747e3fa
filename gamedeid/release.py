"""The answer applied to the rows: what may be published."""

from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.hierarchy import Hierarchy
from gamedeid.readers.frames import like_frame
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
    of_record = study.setting.profiles.of_record
    kept = np.flatnonzero(~withheld[of_record])
    profiles = pa.array(of_record[kept])
    rows = study.table if len(kept) == study.table.num_rows else study.table.take(pa.array(kept))
    columns = {name: rows.column(name) for name in rows.column_names}
    for place, (name, hierarchy) in enumerate(study.setting.hierarchies.items()):
        codes = study.setting.profiles.codes[:, place]
        columns[name] = _published(hierarchy, codes, levels[:, place]).take(profiles)
    return pa.table(columns)


def released_frame(study: Study, levels: IntArray, withheld: BoolArray) -> Any:
    """Return the same as the kind of frame that the records came in; pandas when they came from a file."""
    table = released_table(study, levels, withheld)
    return table.to_pandas() if study.frame is None else like_frame(table, study.frame)


def _published(hierarchy: Hierarchy, codes: IntArray, levels: IntArray) -> pa.Array:
    """Return what is published, (q,) text, of leaf codes (q,) at levels (q,)."""
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in hierarchy.labels])])
    labels = pa.array([label for labels in hierarchy.labels for label in labels], pa.string())
    known = codes < len(hierarchy.leaves)
    groups = np.where(known, hierarchy.groups[levels, np.where(known, codes, 0)], 0)
    places = np.where(known, starts[levels] + groups, starts[-2])
    return labels.take(pa.array(places))
