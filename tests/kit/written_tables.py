"""A table on disk as CSV, as Parquet, or as a folder of Parquet files."""

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq


def written(table: pa.Table, stem: Path, form: str) -> Path:
    """Write a table, in row groups or files of a seventh of its rows, and return its path; CSV has no dictionaries."""
    rows = max(2, table.num_rows // 7)
    if form == "csv":
        plain = [field.with_type(getattr(field.type, "value_type", field.type)) for field in table.schema]
        pa.csv.write_csv(table.cast(pa.schema(plain)), stem.with_suffix(".csv"))
        return stem.with_suffix(".csv")
    if form == "parquet":
        pq.write_table(table, stem.with_suffix(".parquet"), row_group_size=rows)
        return stem.with_suffix(".parquet")
    stem.mkdir()
    for place in range(0, table.num_rows, rows):
        pq.write_table(table.slice(place, rows), stem / f"part-{place:03}.parquet")
    return stem
