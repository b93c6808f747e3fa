"""Where finished parts of a long study are kept, for a later run to go on from."""

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from gamedeid._version import __version__
from gamedeid.errors import OutputError, quoted
from gamedeid.outputs import write_file
from gamedeid.risk.class_sizes import ClassSizes


class Plan(Protocol):
    """What a part depends on beside its own numbers."""

    @property
    def population(self) -> ClassSizes:
        """Classes of everybody."""
        ...

    @property
    def seed(self) -> int:
        """Of the random numbers."""
        ...


class Keep:
    """A folder of parts, each a file of estimates; nobody's values are in it.

    The name of a part says what it was made from, so that parts of several studies may lie in one folder and only those
    that are exactly what would be computed again are found.

    Parameters
    ----------
    folder : made when the first part comes; its parent must exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ours: set[Path] = set()

    def find(self, plan: Plan, block: Sequence[int]) -> list[Any] | None:
        """Return a part that was kept, or None."""
        path = self._path(plan, block)
        with suppress(OSError, ValueError):
            rows = json.loads(path.read_bytes())
            if isinstance(rows, list) and len(rows) == block[2] - block[1]:
                self._ours.add(path)
                return rows
        return None

    def put(self, plan: Plan, block: Sequence[int], rows: list[Any]) -> None:
        """Keep a part, whole or not at all.

        Raises
        ------
        OutputError : it cannot be written.
        """
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{quoted(self._folder)}: cannot keep finished parts there ({error.strerror})") from None
        path = self._path(plan, block)
        write_file(path, json.dumps(rows), overwrite=True)
        self._ours.add(path)

    def clear(self) -> None:
        """Remove the parts of this study, and the folder if nothing else is in it."""
        with suppress(OSError):
            for path in self._ours:
                path.unlink()
            self._folder.rmdir()

    def _path(self, plan: Plan, block: Sequence[int]) -> Path:
        size, start, stop = block
        made_of = f"{__version__}\n{plan.population.as_text()}\n{plan.seed}"
        return self._folder / f"{sha256(made_of.encode()).hexdigest()[:16]}-{size}-{start}-{stop}.json"
