"""Checks that the input files of a result do not change between the first look at them and the last."""

import hashlib
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from gamedeid.arrays import FILE_BYTES
from gamedeid.errors import GamedeidError, InvalidDataError, quoted
from gamedeid.reprs import frozen

PARQUET = ".parquet"

PROGRAMS = {".sas7bdat": "SAS", ".xpt": "SAS", ".sav": "SPSS", ".dta": "Stata", ".xlsx": "Excel"}
"""Suffix of a file's name -> the program that owns the format."""

TABLES = frozenset({".csv", ".tsv", ".gz", PARQUET, ".xls", *PROGRAMS})
"""Suffixes of tables."""

YOUNG = 2 * 10**9
"""Nanoseconds after a change in which a second change may leave the same times, on the coarsest file systems."""


class FileState(NamedTuple):
    """The state of a file by the system; two states are equal only if no one wrote to the file between them.

    The time of the last change of state cannot be set back; the time of the last change of content can.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int


@frozen
class InputFile:
    """A file, or a folder of Parquet files of one table, in the state of the first look.

    Parameters
    ----------
    parts : the file itself, or the Parquet files of the folder in the order of their names, each with its state;
        None for a missing file.
    """

    path: Path
    parts: tuple[tuple[Path, FileState | None], ...]

    @classmethod
    def at(cls, path: Path) -> Self:
        """Look at a file, before it is opened for the first time. A missing file is not an error here."""
        return cls(path=path, parts=tuple((part, _state(part)) for part in parquet_parts(path) or (path,)))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of its parts, in order."""
        return tuple(part for part, _ in self.parts)

    @property
    def is_parquet(self) -> bool:
        """Whether the file is Parquet, by the names of its parts."""
        return self.paths[0].suffix.lower() == PARQUET

    @property
    def program(self) -> str | None:
        """The name of the program that owns the format; None for CSV and Parquet."""
        return PROGRAMS.get(self.paths[0].suffix.lower())

    def check(self) -> None:
        """Check that the file is unchanged."""
        before, now = dict(self.parts), dict(InputFile.at(self.path).parts)
        for part in {**before, **now}:
            if before.get(part) != now.get(part) or (part in before) != (part in now):
                raise self._changed(part, before.get(part), now.get(part))

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Check that the file is unchanged when the block ends; a change is reported in place of any other error."""
        try:
            yield
        except GamedeidError:
            self.check()
            raise
        self.check()

    def digest(self) -> str:
        """Return the SHA-256 of the content at the first look, in hex, as :func:`digest_path`."""
        with self.unchanged():
            return digest_path(self.path)

    @property
    def is_young(self) -> bool:
        """Whether the file was changed so recently that a further change may not show in its times."""
        now = time.time_ns()
        return any(state is not None and now - max(state.modified, state.changed) < YOUNG for _, state in self.parts)

    def _changed(self, part: Path, before: FileState | None, now: FileState | None) -> InvalidDataError:
        what = "it" if part == self.path else quoted(part.name)
        if now is None:
            how = f"{what} is gone" if part.is_absolute() else f"{what} is gone, or the current folder is another one"
        elif before is None:
            how = f"{what} is new"
        else:
            how = f"{what} was replaced or written to"
        return _no_longer(self.path, how)


@frozen(eq=False, slots=False)
class Inputs:
    """All input files of a result, each in its state before it was opened.

    Parameters
    ----------
    files : name -> file, for files that the manifest lists.
    unlisted : other files that must not change.
    of_young : name -> SHA-256 in hex, for files changed shortly before the first look (default: computed).
    """

    files: Mapping[str, InputFile]
    unlisted: tuple[InputFile, ...] = ()
    of_young: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        young = dict(self.of_young)
        for name, file in self.files.items():
            with suppress(InvalidDataError):  # the reader of the file reports the error
                if name not in young and file.is_young:
                    young[name] = file.digest()
        object.__setattr__(self, "of_young", young)

    def check(self) -> None:
        """Check that all files are unchanged; files changed shortly before are checked by their content too."""
        for file in (*self.files.values(), *self.unlisted):
            file.check()
        if "digests" not in self.__dict__:
            for name, before in self.of_young.items():
                self._compare(name, before, self.files[name].digest())

    def as_first_seen(self, before: "Inputs") -> "Inputs":
        """Return the same files, with the earlier state of files that ``before`` holds."""
        earlier = before.files
        kept = {name for name, file in self.files.items() if name in earlier and earlier[name].path == file.path}
        return Inputs(
            files={name: earlier[name] if name in kept else file for name, file in self.files.items()},
            unlisted=self.unlisted or before.unlisted,
            of_young={name: digest for name, digest in before.of_young.items() if name in kept},
        )

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 in hex of every listed file, by name; each file is read once."""
        found = {name: file.digest() for name, file in self.files.items()}
        for name, before in self.of_young.items():
            self._compare(name, before, found[name])
        return found

    def _compare(self, name: str, before: str, now: str) -> None:
        if before != now:
            raise _no_longer(self.files[name].path, "its content differs")


def parquet_parts(path: Path) -> tuple[Path, ...]:
    """Return the Parquet files in a folder, in the order of their names; empty if there are none, or no folder.

    Names that begin with a point or ``_`` are passed over, as those of notes of other programs.

    Raises
    ------
    InvalidDataError : another table, or a folder, lies among the Parquet files: its rows would be left out.
    """
    try:
        inside = sorted(path.iterdir()) if path.is_dir() else []
    except (OSError, ValueError):
        return ()
    shown = [part for part in inside if not part.name.startswith((".", "_"))]
    parts = tuple(part for part in shown if part.suffix.lower() == PARQUET and part.is_file())
    for other in shown if parts else ():
        if other not in parts and (other.is_dir() or not TABLES.isdisjoint(map(str.lower, other.suffixes))):
            raise InvalidDataError(
                f"{path}: holds {quoted(other.name)} among its Parquet files, and its rows would be left out; a folder "
                "holds all Parquet files of one table and no other table or folder"
            )
    return parts


def digest_path(path: Path) -> str:
    """Return the SHA-256 of a file in hex; for a folder of Parquet files, the SHA-256 of their names and digests."""
    if not path.is_dir():
        return digest_file(path)
    lines = (f"{part.name} {digest_file(part)}\n" for part in parquet_parts(path))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digest_file(path: Path) -> str:
    """Return the SHA-256 of a file in hex; at most one mebibyte is held at a time."""
    digest = hashlib.sha256()
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a read of a pipe or a device may never end
            raise InvalidDataError(f"{path}: cannot be read (it is no regular file)")
        with path.open("rb", buffering=0) as stream:
            while block := stream.read(FILE_BYTES):
                digest.update(block)
    except OSError as error:
        raise InvalidDataError(f"{path}: cannot be read ({error.strerror})") from error
    return digest.hexdigest()


def _state(path: Path) -> FileState | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return FileState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _no_longer(path: Path, how: str) -> InvalidDataError:
    return InvalidDataError(
        f"{path}: was changed after it was first read ({how}); run again when no program writes to it"
    )
