"""Tables that a cluster's workers have written in Parquet parts, taken into a folder of results."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from gamedeid.blocks import TABLE_ROWS
from gamedeid.choices import Format
from gamedeid.results import FolderWriter
from gamedeid.results.tables import write_blocks


def take_parts(folder: FolderWriter, stem: str, form: Format, parts: Sequence[Path], *, defuse: bool = False) -> None:
    """Take a table of which others wrote the parts into a folder of results.

    Parameters
    ----------
    folder : the results.
    stem : name of the table.
    form : Parquet is taken as it is, ``release-0001.parquet`` and so on; CSV is one file, and made here.
    parts : Parquet files, one or more, in order.
    defuse : as :func:`gamedeid.results.tables.write_blocks` has it.
    """
    if form == "csv":
        with folder.open(f"{stem}.csv") as stream:
            write_blocks(_rows_of(parts), stream, "csv", defuse=defuse)
        return
    for number, part in enumerate(parts, 1):
        folder.adopt(part, f"{stem}.parquet" if len(parts) == 1 else f"{stem}-{number:04}.parquet")


def _rows_of(parts: Sequence[Path]) -> Iterator[pa.Table]:
    """Yield the rows of Parquet files, a block at a time; the first may have none, and then all have none."""
    for part in parts:
        with pa.parquet.ParquetFile(part) as file:
            if not file.metadata.num_rows:
                yield file.schema_arrow.empty_table()
            for batch in file.iter_batches(TABLE_ROWS):
                yield pa.Table.from_batches([batch])
