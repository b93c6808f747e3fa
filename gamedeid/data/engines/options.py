"""Options for reading and counting rows: the engine, the memory, and the folder to spill to."""

import atexit
import logging
import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gamedeid.choices import ENGINES, EngineName
from gamedeid.errors import GamedeidError, InvalidScenarioError, OutputError, quoted, refuse_unknown
from gamedeid.extras import require
from gamedeid.results.staging import Place, hidden_folder, write_failure_reason

if TYPE_CHECKING:
    from gamedeid.data.files.tables import TableFile

_LOG = logging.getLogger(__name__)

MEMORY = 2 * 2**30
"""Default memory, in bytes, for reading and counting rows."""

LEAST_MEMORY = 2**27
"""Least memory, in bytes; less does not hold a block of rows with its counts."""

MOST_MEMORY = 2**60
"""Greatest memory, in bytes; no computer has more."""

CLUSTERS = ("spark", "dask")
"""Engines that are clusters."""

IN_MEMORY_SHARE = 16
"""A file is held in memory when it unpacks to no more than this part of the limit: counting takes many times that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options for reading rows.

    Parameters
    ----------
    engine : "memory" holds a file, "duckdb" counts it on disk, "spark" and "dask" let a cluster count it; "auto" takes
        memory for small files and DuckDB for others.
    memory : bytes that reading and counting may take; 128 MiB to 1 EiB.
    spill : folder for rows beyond the memory (default: a temporary one).
    cluster : address of a cluster, for "spark" and "dask" (default: Spark's own configuration, or else its local mode;
        threads of this process for Dask).

    Raises
    ------
    InvalidScenarioError : no such engine, too little memory, no such folder, or a cluster for an engine that has none.
    """

    engine: EngineName = "auto"
    memory: int = MEMORY
    spill: Path | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        refuse_unknown("engine", self.engine, ENGINES)
        if self.memory > MOST_MEMORY:
            raise InvalidScenarioError("memory must be at most 2^60 bytes; give a size such as 2GB or 512MiB")
        if self.memory < LEAST_MEMORY:
            raise InvalidScenarioError(f"memory must be at least {LEAST_MEMORY // 2**20} MiB, not {self.memory} bytes")
        if self.spill is not None and not os.path.isdir(self.spill):  # noqa: PTH112  (no name is an error)
            raise InvalidScenarioError(f"spill: there is no folder {self.spill}; create it, or name another")
        if self.cluster is not None and not self.on_cluster:
            raise InvalidScenarioError(
                f'a cluster needs the engine "spark" or "dask", not {quoted(self.engine)}; name one of them'
            )

    @property
    def on_cluster(self) -> bool:
        """Whether a cluster reads the rows."""
        return self.engine in CLUSTERS

    @property
    def most_in_memory(self) -> int:
        """Size, in bytes, of the largest unpacked file that is held in memory."""
        return self.memory // IN_MEMORY_SHARE

    def engine_for(self, size: int) -> EngineName:
        """Return the engine for a file that takes ``size`` bytes unpacked."""
        if self.engine != "auto":
            return self.engine
        engine: EngineName = "memory" if size <= self.most_in_memory else "duckdb"
        _LOG.debug("a file of %d bytes unpacked is read by the engine %s", size, engine)
        return engine


AUTOMATIC = ReadOptions()
"""The default options."""

IN_MEMORY = ReadOptions(engine="memory")
"""Options for rows that are needed one by one, such as those of a region or of an earlier release."""


def with_engine(read_options: ReadOptions, file: "TableFile", wanted: Collection[str]) -> ReadOptions:
    """Return the options with the engine that reads a file: the one asked for, or one that suits its unpacked size."""
    engine = read_options.engine_for(
        file.unpacked_size(wanted, read_options.most_in_memory) if read_options.engine == "auto" else 0
    )
    if engine == "duckdb":
        size = "" if read_options.engine == engine else f", which takes over {read_options.most_in_memory:,} bytes,"
        require(
            "large",
            f"{file.path}: to count this file{size}",
            'or hold it in memory, by the engine "memory" or a larger limit',
        )
    return replace(read_options, engine=engine)


_SPILL_NAME = "spilled rows"
"""Target in the names of hidden folders; nothing is ever written under it."""


@contextmanager
def spill_folder(parent: Path | None) -> Iterator[Path]:
    """Make a folder of mode 0700 to spill to, and remove it with all that is in it when the block ends.

    It is made in ``parent`` (default: the system's folder for temporary files), from which files of killed runs are
    first removed.
    """
    with ExitStack() as stack:
        try:
            place = _place(parent)
            place.sweep()
            path = stack.enter_context(hidden_folder(place))
        except GamedeidError:
            raise
        except OSError as error:
            where = quoted(parent or os.environ.get("TMPDIR") or "the system's temporary folder")
            raise OutputError(
                f"cannot spill to {where}: {write_failure_reason(error)} (ReadOptions.spill)",
                arguments=["ReadOptions.spill"],
            ) from None
        yield path


@cache
def lasting_spill_folder(parent: Path | None) -> Path:
    """Return a folder to spill to that lasts as long as this process; all calls return the same one.

    Spark needs it: it uses the same folders until its Java process ends.
    """
    return _stack.enter_context(spill_folder(parent))


def sweep_spills(parent: Path | None) -> None:
    """Remove the spilled files of killed runs from a place; files that cannot be removed are left to a later run."""
    with suppress(OSError):
        _place(parent).sweep()


def _place(parent: Path | None) -> Place:
    return Place.of((parent or Path(tempfile.gettempdir())) / _SPILL_NAME)


_stack = ExitStack()
_owner = os.getpid()


@atexit.register
def _remove_spill_folders() -> None:
    if os.getpid() == _owner:  # a forked process has not made them
        _stack.close()
