"""Where finished parts of a long study are kept, for a later run to go on from."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from gamedeid.results.resume import Kept
from gamedeid.risk.uniqueness.class_sizes import ClassSizes


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

    Parts of several studies may lie in one folder: only those that are exactly what would be computed again are found.

    Parameters
    ----------
    folder : made when the first part comes; its parent must exist.

    Raises
    ------
    OutputError : the folder is a symbolic link, no folder, or that of another user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._of_plan: dict[str, Kept] = {}

    def find(self, plan: Plan, block: Sequence[int]) -> list[Any] | None:
        """Return a part that was kept and is as it was, or None.

        Raises
        ------
        OutputError : it is a symbolic link, or no file.
        """
        stored = self._kept(plan).read(_name(block))
        if stored is None:
            return None
        with suppress(ValueError):
            rows = json.loads(stored)
            if isinstance(rows, list) and len(rows) == block[2] - block[1]:
                return rows
        return None

    def put(self, plan: Plan, block: Sequence[int], rows: list[Any]) -> None:
        """Keep a part, whole or not at all.

        Raises
        ------
        OutputError : it cannot be written.
        """
        with self._kept(plan).writing(_name(block)) as stream:
            stream.write(json.dumps(rows).encode())

    def clear(self) -> int:
        """Remove the parts of this study, and the folder if nothing else is in it; return how many others are left."""
        return [kept.clear() for kept in self._of_plan.values()][-1] if self._of_plan else 0

    def _kept(self, plan: Plan) -> Kept:
        made_of = f"{plan.population.as_text()}\n{plan.seed}"
        if made_of not in self._of_plan:
            self._of_plan[made_of] = Kept(self._folder, made_of)
        return self._of_plan[made_of]


def _name(block: Sequence[int]) -> str:
    size, start, stop = block
    return f"{size}-{start}-{stop}.json"
