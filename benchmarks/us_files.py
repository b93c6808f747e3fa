"""Everybody of a region with a date of birth as a Parquet file.

Columns zip, born, race, sex and people, a row for each distinct combination, in the order of the hierarchies' values.
"""

from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from us_population import LAST_YEAR, Country

TEXTS = {"zip": 0, "race": 2, "sex": 3}


def region_file(folder: Path, start: int) -> Path:
    """Return where the region whose first ZIP leaf this is stands."""
    return folder / f"{start:05}.parquet"


def write_regions(country: Country, chosen: list[tuple[int, int]], folder: Path) -> int:
    """Write the regions that are not there yet, each whole or not at all, and return the bytes of all."""
    folder.mkdir(parents=True, exist_ok=True)
    for start, stop in chosen:
        path = region_file(folder, start)
        if not path.exists():
            unfinished = path.with_suffix(".part")
            _write(country, start, stop, unfinished)
            unfinished.rename(path)
    return sum(region_file(folder, start).stat().st_size for start, _ in chosen)


def _write(country: Country, start: int, stop: int, path: Path) -> None:
    profiles, cells = country.born(start, stop)
    columns = {name: _texts(profiles.codes[:, place], country.dated[name].leaves) for name, place in TEXTS.items()}
    born = pa.array(profiles.codes[:, 1] + _first_day(country), pa.int32()).cast(pa.date32())
    table = {"zip": columns["zip"], "born": born, "race": columns["race"], "sex": columns["sex"]}
    pq.write_table(pa.table({**table, "people": pa.array(cells.people.astype(np.int32))}), path)


def _texts(codes: np.ndarray[tuple[int], np.dtype[np.int32]], leaves: tuple[str, ...]) -> pa.DictionaryArray:
    used, places = np.unique(codes, return_inverse=True)
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), pa.array([leaves[one] for one in used]))


def _first_day(country: Country) -> int:
    """Return the first date of birth, in days since 1970."""
    return (date(LAST_YEAR - country.shapes[0] + 1, 1, 1) - date(1970, 1, 1)).days
