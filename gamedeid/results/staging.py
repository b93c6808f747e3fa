"""The hidden folder next to a target, which holds results until they are complete."""

import errno
import hashlib
import os
import platform
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gamedeid.errors import GamedeidError, OutputError

try:
    import fcntl
except ImportError:  # pragma: no cover - only on systems other than POSIX
    fcntl = None  # type: ignore[assignment]

FILE_MODE, FOLDER_MODE = 0o600, 0o700

REPLACED = "old"
"""The name, in a hidden folder, of results that are being replaced."""

_ELSEWHERE = "choose another folder"
OVERWRITE = "overwrite=True"
"""The argument that allows replacing earlier results, as named in messages."""

_REASONS = {
    errno.ENOSPC: f"the disk is full; free some space or {_ELSEWHERE}",
    errno.EDQUOT: f"your disk quota is used up; free some space or {_ELSEWHERE}",
    errno.EFBIG: f"it is larger than a file may be here; {_ELSEWHERE}",
    errno.EACCES: f"you may not write there; {_ELSEWHERE}",
    errno.EPERM: f"you may not write there; {_ELSEWHERE}",
    errno.EROFS: f"that disk is read-only; {_ELSEWHERE}",
    errno.EBUSY: f"that folder is in use by the system and cannot be replaced; {_ELSEWHERE}",
    errno.EAGAIN: f"another run is writing there; wait for it or {_ELSEWHERE}",
    errno.EEXIST: f"it already exists; choose another name or pass {OVERWRITE}",
    errno.ENOENT: "the folder around it has gone",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
}
_ATTEMPTS = 5  # to make a folder that another run does not sweep away before it is locked
_REQUESTS = (signal.SIGTERM, signal.SIGINT)
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place for results, as chosen by the user."""

    shown: Path
    path: Path

    @classmethod
    def of(cls, path: Path, *, follow_links: bool = True) -> "Place":
        """Return a target, or the path that it links to, and check that its parent folder exists."""
        real = os.path.realpath(path if follow_links else path.parent)
        place = cls(shown=path, path=Path(real) if follow_links else Path(real) / path.name)
        with place.refusing():
            with suppress(FileNotFoundError, NotADirectoryError):
                place.path.lstat()  # from Python 3.14 on, Path.is_dir is silent on names that are too long
            if not place.path.parent.is_dir():
                raise OutputError(
                    f"cannot write {path}: there is no folder {path.parent}; create it, or check its name"
                )
        return place

    @contextmanager
    def refusing(self, name: str | None = None) -> Iterator[None]:
        """Turn a system error for the target, or for a file in it, into an error of one line."""
        try:
            yield
        except GamedeidError:
            raise
        except OSError as error:
            what = str(self.shown) if name in {None, self.path.name} else f"{name} into {self.shown}"
            raise OutputError(f"cannot write {what}: {write_failure_reason(error)}", arguments=[OVERWRITE]) from error

    def hidden(self) -> Path:
        """Return a new hidden path next to the target."""
        return self.path.with_name(f"{self._stem()}{secrets.token_hex(8)}")

    def sweep(self) -> None:
        """Remove the remains of dead runs for this target, and restore results that one of them had moved away.

        A running run holds a lock on its folder. Folders of other users and computers are left alone: the former could
        hold links to anywhere, and the locks of the latter are not visible on every network disk.
        """
        stem = self._stem()
        with suppress(OSError):
            for path in sorted(path for path in self.path.parent.iterdir() if path.name.startswith(stem)):
                self._sweep_one(path)

    def _sweep_one(self, path: Path) -> None:
        with suppress(OSError):
            lock = acquire_lock(path)
            if lock is None:
                return
            try:
                if os.fstat(lock).st_uid != os.geteuid():
                    return
                if os.path.lexists(path / REPLACED) and not os.path.lexists(self.path):
                    (path / REPLACED).rename(self.path)
                remove(path)
            finally:
                os.close(lock)

    def _stem(self) -> str:
        host_and_name = os.fsencode(platform.node()) + b"/" + os.fsencode(self.path.name)
        return f".gamedeid-{hashlib.sha256(host_and_name).hexdigest()[:16]}-"


def acquire_lock(path: Path) -> int | None:
    """Lock a file or folder until the descriptor is closed or this process ends in any way.

    Returns
    -------
    The descriptor, or None if the system or the disk has no such locks.
    """
    if fcntl is None:
        return None
    descriptor = os.open(path, _READ_FLAGS)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(descriptor), path.lstat()):
            raise FileNotFoundError(errno.ENOENT, "was replaced", str(path))
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError | FileNotFoundError):
            raise
        return None
    return descriptor


@contextmanager
def hidden_folder(place: Place) -> Iterator[Path]:
    """Yield a hidden folder next to a target, locked and for its owner only; remove it in the end if possible."""
    path = place.hidden()
    lock = None
    try:
        try:
            for left in reversed(range(_ATTEMPTS)):
                path.mkdir(FOLDER_MODE)
                try:
                    path.chmod(FOLDER_MODE)
                    lock = acquire_lock(path)
                    break
                except (FileNotFoundError, BlockingIOError):  # another run took it for the remains of a dead one
                    with suppress(OSError):
                        remove(path)
                    if not left:
                        raise
                    path = place.hidden()
            _standing.add(path)
            yield path
        finally:
            with suppress(OSError):
                remove(path)
            _standing.discard(path)
    finally:
        if lock is not None:
            os.close(lock)


def remove_hidden_folders() -> None:
    """Remove all remaining hidden folders of this process, which is about to end without leaving their blocks."""
    for path in list(_standing):
        with suppress(OSError):
            remove(path)


_standing: set[Path] = set()


def create(path: Path) -> int:
    """Create a file that only its owner can read, whatever the umask, and return its descriptor."""
    descriptor = os.open(path, _CREATE, FILE_MODE)
    path.chmod(FILE_MODE)
    return descriptor


def remove(path: Path) -> None:
    """Remove a file, or a folder with its content, if it exists."""
    if path.is_dir() and not path.is_symlink():
        path.chmod(FOLDER_MODE)
        for entry in path.iterdir():
            remove(entry)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Ask the system to keep file names through a loss of power; not every disk supports the request."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Defer Ctrl-C and termination signals until the block ends, which must take only a moment.

    Blocking the signals is not enough: the system then delivers them to another thread, and Python to this one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted by signals
        return
    late: list[int] = []
    before = {number: signal.getsignal(number) for number in _REQUESTS}
    waiting = [number for number, handler in before.items() if handler not in {None, signal.SIG_IGN}]
    for number in waiting:
        signal.signal(number, lambda number, _frame: late.append(number))
    try:
        yield
    finally:
        for number in waiting:
            signal.signal(number, before[number])
        if late:
            signal.raise_signal(late[0])


def write_failure_reason(error: OSError) -> str:
    """Return the reason why the system refused to write, and what to try."""
    return _REASONS.get(error.errno or 0) or " ".join((error.strerror or str(error)).split())
