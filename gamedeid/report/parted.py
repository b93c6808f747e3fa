"""Tables too long for one file: written in parts, each kept when it is finished, and shown all together."""

from collections.abc import Callable, Iterator
from itertools import islice

import pyarrow as pa

from gamedeid.choices import Format
from gamedeid.outputs import FolderWriter
from gamedeid.outputs.kept import Kept
from gamedeid.readers.tables import BLOCK
from gamedeid.report.files import write_blocks

PART_BLOCKS = 16
"""Blocks of rows in a part: 16 of 2**19 rows are 8,388,608."""

Told = Callable[[int, int], None]
Blocks = Callable[[int], Iterator[pa.Table]]
"""Gives the blocks of a table from one number on."""


def part_names(stem: str, form: Format, records: int) -> list[str]:
    """Return the files of a table: CSV is one file, and so is Parquet of no more records than a part has.

    Examples
    --------
    >>> part_names("release", "parquet", 20_000_000)
    ['release-0001.parquet', 'release-0002.parquet', 'release-0003.parquet']
    """
    parts = -(-records // (PART_BLOCKS * BLOCK))
    if form == "csv" or parts <= 1:
        return [f"{stem}.{form}"]
    return [f"{stem}-{number:04}.{form}" for number in range(1, parts + 1)]


def write_parts(
    folder: FolderWriter, names: list[str], blocks: Blocks, kept: Kept | None, told: Told | None = None
) -> None:
    """Write a table of records into a folder of results.

    Parameters
    ----------
    folder : the results.
    names : as :func:`part_names` gives them; several are Parquet.
    blocks : the table, each block of so many records that a part has ``PART_BLOCKS`` of them.
    kept : where finished parts are kept; needed for several.
    told : told how many parts of how many are done.
    """
    if len(names) == 1 or kept is None:
        with folder.open(names[0]) as stream:
            write_blocks(blocks(0), stream, "csv" if names[0].endswith(".csv") else "parquet")
        return
    coming, reached = iter(()), -1
    for number, name in enumerate(names):
        if kept.find(name) is None:
            if reached != number:
                coming = blocks(number * PART_BLOCKS)
            with kept.writing(name) as stream:
                write_blocks(islice(coming, PART_BLOCKS), stream, "parquet")
            reached = number + 1
        folder.adopt(kept.path(name), name)
        if told is not None:
            told(number + 1, len(names))
