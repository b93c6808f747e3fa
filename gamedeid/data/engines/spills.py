"""Where raw values go that do not fit in memory: a folder that only its owner may enter, and that is swept away."""

import atexit
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from gamedeid.errors import GamedeidError, OutputError, quoted
from gamedeid.results.staging import Place, hidden_folder, reason_of

_NAME = "what is spilled"
"""Stands for a target among the names of hidden folders; nothing is ever written under it."""


@contextmanager
def spill_folder(parent: Path | None) -> Iterator[Path]:
    """Make a folder of mode 0700 to spill to, and remove it with all that is in it when the block ends.

    What runs that were killed left in the same place is removed first.

    Parameters
    ----------
    parent : the folder it stands in; the system's folder for temporary files unless given.
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
                f"cannot spill to {where}: {reason_of(error)} (ReadOptions.spill)", arguments=["ReadOptions.spill"]
            ) from None
        yield path


def lasting_spill_folder(parent: Path | None) -> Path:
    """Return such a folder that lasts as long as this process; the same one whenever it is asked for again.

    It is for Spark, which remembers its folders for as long as its Java lives.
    """
    if (made := _lasting.get(parent)) is None:
        made = _lasting[parent] = _stack.enter_context(spill_folder(parent))
    return made


def sweep_spills(parent: Path | None) -> None:
    """Remove what runs that were killed have spilled to a place; what cannot be removed is left to a later run."""
    with suppress(OSError):
        _place(parent).sweep()


def _place(parent: Path | None) -> Place:
    return Place.of((parent or Path(tempfile.gettempdir())) / _NAME)


_lasting: dict[Path | None, Path] = {}
_stack = ExitStack()
_owner = os.getpid()


@atexit.register
def _remove_spill_folders() -> None:
    if os.getpid() == _owner:  # a process that was forked off has not made them
        _stack.close()
