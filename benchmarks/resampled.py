"""The case study's records drawn again and again, with replacement: a Parquet file of as many rows as asked for.

Run: ``python benchmarks/resampled.py 100_000_000 /tmp/adult_100m.parquet``
"""

import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

RECORDS = Path(__file__).resolve().parents[1] / "scenarios" / "adult_tn" / "adult_tn.csv.gz"
BLOCK = 2**20
SEED = 20150325


def resample(rows: int, path: Path, *, records: Path = RECORDS, block: int = BLOCK) -> None:
    """Write so many rows, a block of them in memory at a time; the same number gives the same rows."""
    text = pa.csv.ConvertOptions(column_types={"zip": pa.string()}, strings_can_be_null=False)
    table = pa.csv.read_csv(records, convert_options=text).unify_dictionaries()
    coded = pa.table({name: _coded(table.column(name)) for name in table.column_names})
    rng = np.random.default_rng(SEED)
    with pa.parquet.ParquetWriter(path, coded.schema) as writer:
        for start in range(0, rows, block):
            drawn = rng.integers(0, table.num_rows, min(block, rows - start))
            writer.write_table(coded.take(pa.array(drawn)))


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return text as a dictionary of its values: quicker to draw from, and the same text in the file."""
    return column.combine_chunks().dictionary_encode() if pa.types.is_string(column.type) else column


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int)
    parser.add_argument("path", type=Path)
    options = parser.parse_args()
    resample(options.rows, options.path)
