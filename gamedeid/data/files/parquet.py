"""Parquet files, and folders of them, as Arrow tables, whole or piece by piece."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from gamedeid.arrays import TABLE_ROWS
from gamedeid.data.columns import plain_type, without_dictionaries, without_views
from gamedeid.data.files.streams import UNREADABLE, error_reason, is_gzipped
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.lazy_imports import LazyModule
from gamedeid.reprs import frozen

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = LazyModule("pyarrow.parquet")

TEXT_WIDTH = 20
"""Assumed bytes of a text of unknown length, with its offset."""

_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 8, "FLOAT": 4, "DOUBLE": 8}


@frozen
class ParquetFiles:
    """A Parquet file, or several that are parts of one table.

    Parameters
    ----------
    paths : at least one, in order.
    """

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    has_header: ClassVar[bool] = True
    delimiter: ClassVar[None] = None
    column_labels: ClassVar[Mapping[str, str]] = {}
    value_labels: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    @classmethod
    def open(cls, paths: Sequence[Path]) -> "ParquetFiles":
        """Look at the names of the columns, which are the same in all parts."""
        names = []
        for path in paths:
            is_gzipped(path)  # refuses a path that is no file
            names.append(_schema(path).names)
        for path, others in zip(paths, names, strict=True):
            if others != names[0]:
                raise InvalidDataError(
                    f"{path}: has other columns than {paths[0].name}; the files of a folder must be parts of one table"
                )
        return cls(paths=tuple(paths), names=tuple(names[0]))

    @property
    def stated_rows(self) -> int:
        """Number of rows that all parts together state."""
        rows = 0
        for path in self.paths:
            with _open_parquet(path) as part:
                rows += part.metadata.num_rows
        return rows

    def unpacked_size(self, wanted: list[str], most: int) -> int:  # noqa: ARG002  (the metadata are read quickly)
        """Return about how many bytes columns take unpacked: equal values in a row take next to none in the file."""
        size = 0
        for path in self.paths:
            with _open_parquet(path) as part:
                groups, stored_places = range(part.num_row_groups), stored_columns(part.schema_arrow, wanted)
                for group in groups:  # looking at a damaged chunk that was not read before ends the process
                    next(part.reader.iter_batches(1, row_groups=[group], column_indices=stored_places), None)
                chunks = [part.metadata.row_group(group).column(place) for group in groups for place in stored_places]
            size += sum(max(chunk.total_uncompressed_size, chunk.num_values * _width(chunk)) for chunk in chunks)
        return size

    def types(self, wanted: list[str]) -> dict[str, pa.DataType]:
        """Return the types of columns in the first part; those of the others are the same but for dictionaries."""
        schemas = [_schema(path) for path in self.paths]
        for path, schema in zip(self.paths, schemas, strict=True):
            for name in wanted:
                first, own = (plain_type(one.field(name).type) for one in (schemas[0], schema))
                if own != first:
                    raise InvalidDataError(
                        f"{path}: column {quoted(name)} holds {quoted(own)}, but {quoted(first)} in "
                        f"{self.paths[0].name}; the files of a folder must be parts of one table"
                    )
        return {name: schemas[0].field(name).type for name in wanted}

    def read(self, wanted: list[str], coded: set[str]) -> pa.Table:  # noqa: ARG002  (each column has its own type)
        """Return columns of all parts; there may be no rows."""
        try:
            tables = [_read_part(path, wanted) for path in self.paths]
            if any(table.schema.types != tables[0].schema.types for table in tables):
                tables = [without_dictionaries(table) for table in tables]
            return _validated(without_views(pa.concat_tables(tables)))
        except UNREADABLE as error:
            raise _unreadable(self.paths[0] if len(self.paths) == 1 else self.paths[0].parent, error) from None

    def pieces(self, wanted: list[str], skip: int, most: int | None = None) -> Iterator[pa.Table]:
        """Yield the same in pieces of at most ``most`` rows (default: `TABLE_ROWS`), from row ``skip`` on."""
        for path in self.paths:
            with _open_parquet(path) as part:
                groups = [part.metadata.row_group(group).num_rows for group in range(part.num_row_groups)]
                while groups and groups[0] <= skip:
                    skip -= groups.pop(0)
                chosen = list(range(part.num_row_groups - len(groups), part.num_row_groups))
                places = stored_columns(part.schema_arrow, wanted)
                for batch in part.reader.iter_batches(most or TABLE_ROWS, row_groups=chosen, column_indices=places):
                    if skip < batch.num_rows:
                        piece = _validated(without_views(pa.Table.from_batches([batch.slice(skip)])))
                        yield piece if len(self.paths) == 1 else without_dictionaries(piece)
                    skip = max(0, skip - batch.num_rows)

    def first_rows(self, wanted: list[str], most: int) -> pa.Table:
        """Return columns of the first ``most`` rows at most; no more is read."""
        return next(self.pieces(wanted, 0, most), pa.table({}))


@contextmanager
def _open_parquet(path: Path) -> Iterator[Any]:
    """Open a file; errors while it is read are translated into our words."""
    try:
        with pq.ParquetFile(path) as part:
            yield part
    except UNREADABLE as error:
        raise _unreadable(path, error) from None


def _width(chunk: Any) -> int:
    """Return about how many bytes a value of a column chunk takes; for text, the longer of its least and greatest."""
    if chunk.physical_type in _WIDTHS:
        return _WIDTHS[chunk.physical_type]
    known = chunk.statistics
    if known is None or not known.has_min_max:
        return TEXT_WIDTH
    return 4 + max(len(known.min_raw), len(known.max_raw))


def stored_columns(schema: pa.Schema, wanted: Collection[str]) -> list[int]:
    """Return the numbers of the columns on disk that make up the named ones: a nested column is stored as several.

    Arrow itself selects by name, and would take a column `patient.ward` for a part of `patient`.
    """
    stored_places: list[int] = []
    start = 0
    for field in schema:
        stored = _stored_count(field.type)
        if field.name in wanted:
            stored_places += range(start, start + stored)
        start += stored
    return stored_places


def _stored_count(kind: pa.DataType) -> int:
    """Return how many columns on disk a type takes."""
    if isinstance(kind, pa.BaseExtensionType):
        return _stored_count(kind.storage_type)
    if not pa.types.is_nested(kind):
        return 1
    return sum(_stored_count(kind.field(place).type) for place in range(kind.num_fields))


def _read_part(path: Path, wanted: Collection[str]) -> pa.Table:
    with pq.ParquetFile(path) as part:
        return part.reader.read_all(column_indices=stored_columns(part.schema_arrow, wanted))


def _schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path)
    except UNREADABLE as error:
        raise _unreadable(path, error) from None


def _validated(table: pa.Table) -> pa.Table:
    """Return a table after a check of all its content: text in a damaged file may not be UTF-8."""
    table.validate(full=True)
    return table


def _unreadable(path: Path, error: Exception) -> InvalidDataError:
    return InvalidDataError(f"{path}: is no readable Parquet file ({error_reason(error)})")
