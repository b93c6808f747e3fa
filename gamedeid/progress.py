"""Progress of long work, and the time to compile inner loops."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""A callback that receives (done, total), both at least 0; from one thread at a time."""

HUNDREDTHS_OF_PERCENT = 10_000
"""The total for progress with a known share only, reported in hundredths of a per cent."""

Phases: TypeAlias = Callable[[str], Progress]
"""A callback that receives the name of each phase as it begins, and returns the progress callback of the phase."""


def split_into_phases(progress: Progress, phases: int) -> Phases:
    """Return the callback for ``phases`` phases of equal weight; all report to ``progress``."""
    begun = 0

    def begin(name: str) -> Progress:  # noqa: ARG001  (as Phases has it)
        nonlocal begun
        first, begun = begun, begun + 1
        return lambda done, total: progress(
            first * HUNDREDTHS_OF_PERCENT + HUNDREDTHS_OF_PERCENT * done // max(total, 1),
            phases * HUNDREDTHS_OF_PERCENT,
        )

    return begin


def unreported(done: int, total: int) -> None:
    """Ignore the progress of work."""


def no_progress(phase: str) -> Progress:  # noqa: ARG001  (as Phases has it)
    """Return a progress callback that does nothing."""
    return unreported


@dataclass
class Compilation:
    """Compilation of inner loops since the process began.

    Attributes
    ----------
    seconds : wall-clock seconds of compilation.
    begun : callback for the first start of a compilation; None for no callback.
    lost : whether some compiled code could not be kept for later runs.
    depth : number of loops being compiled now, each needed by the one before.
    """

    seconds: float = 0.0
    begun: Callable[[], None] | None = None
    lost: bool = False
    depth: int = 0
    _start: float = 0.0

    def begin(self) -> None:
        """Record the start of the compilation of a loop, maybe within that of its caller."""
        if self.depth == 0:
            if self.begun is not None and self.seconds == 0:
                self.begun()
            self._start = time.perf_counter()
        self.depth += 1

    def end(self, depth: int = 0) -> None:
        """Record the end of compilations, with or without success, down to an earlier depth."""
        ended, self.depth = self.depth > depth, depth
        if ended and depth == 0:
            self.seconds += time.perf_counter() - self._start


COMPILATION = Compilation()
"""The compilation of this process. A lock ensures that one loop is compiled at a time."""
