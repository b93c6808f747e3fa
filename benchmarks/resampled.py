"""Records drawn again and again, with replacement: a Parquet file of as many rows as asked for.

Default: the case study's records. With noise a number moves by up to ``noise`` steps either way, within
the range of the records. With ``margins`` each column is drawn independently: its frequencies stay, and the
dependence between columns is lost.

Run: ``python benchmarks/resampled.py 100_000_000 /tmp/adult_100m.parquet``
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

RECORDS = Path(__file__).resolve().parents[1] / "scenarios" / "adult_tn" / "adult_tn.csv.gz"
BLOCK = 2**20
SEED = 20150325


def resample(
    rows: int,
    path: Path,
    *,
    records: Path = RECORDS,
    block: int = BLOCK,
    noise: Mapping[str, int] | None = None,
    margins: bool = False,
) -> None:
    """Write ``rows`` rows, with one block in memory at a time; the same number gives the same rows."""
    text = pa.csv.ConvertOptions(column_types={"zip": pa.string()}, strings_can_be_null=False)
    table = pa.csv.read_csv(records, convert_options=text).unify_dictionaries()
    coded = pa.table({name: _coded(table.column(name)) for name in table.column_names})
    rng = np.random.default_rng(SEED)
    with pa.parquet.ParquetWriter(path, coded.schema) as writer:
        for start in range(0, rows, block):
            count = min(block, rows - start)
            drawn = rng.integers(0, table.num_rows, count)
            part = coded.take(pa.array(drawn))
            if margins:
                apart = (column.take(pa.array(rng.integers(0, table.num_rows, count))) for column in coded.columns)
                part = pa.table(list(apart), schema=coded.schema)
            for name, most in (noise or {}).items():
                place, ends = coded.schema.get_field_index(name), pc.min_max(coded[name]).as_py()
                moved = part[name].to_numpy() + rng.integers(-most, most + 1, count)
                part = part.set_column(place, name, pa.array(moved.clip(ends["min"], ends["max"])))
            writer.write_table(part)


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return text as a dictionary of its values: quicker to draw from, and the same text in the file."""
    return column.combine_chunks().dictionary_encode() if pa.types.is_string(column.type) else column


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int)
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    resample(options.rows, options.path)
