"""Progress of long work, and the time to compile inner loops."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (how much is done, of how much in all), both at least 0; from one thread at a time."""

HUNDREDTHS_OF_PERCENT = 10_000
"""Total of a progress of which only the share done is known, which is reported in hundredths of a per cent."""

Phases: TypeAlias = Callable[[str], Progress]
"""Called with the name of each phase of the work as it begins; returns the progress callback of the phase."""


def split_into_phases(progress: Progress, phases: int) -> Phases:
    """Return a progress callback for each of ``phases`` phases, which count the same; all report to ``progress``."""
    begun = 0

    def begin(name: str) -> Progress:  # noqa: ARG001  (as Phases has it)
        nonlocal begun
        first, begun = begun, begun + 1
        return lambda done, total: progress(
            first * HUNDREDTHS_OF_PERCENT + HUNDREDTHS_OF_PERCENT * done // max(total, 1),
            phases * HUNDREDTHS_OF_PERCENT,
        )

    return begin


def no_progress(phase: str) -> Progress:  # noqa: ARG001  (as Phases has it)
    """Return a progress callback that does nothing."""
    return lambda done, total: None  # noqa: ARG005


@dataclass
class Compilation:
    """Compilation of inner loops since the process began.

    Attributes
    ----------
    seconds : that compiling took, by the clock.
    begun : called when compiling begins for the first time; None if no one wants to know.
    lost : whether something that was compiled could not be kept for later runs.
    depth : how many loops are being compiled now, each for the one before.
    """

    seconds: float = 0.0
    begun: Callable[[], None] | None = None
    lost: bool = False
    depth: int = 0
    _start: float = 0.0

    def begin(self) -> None:
        """Note that a loop is about to be compiled, maybe within another that calls it."""
        if self.depth == 0:
            if self.begun is not None and self.seconds == 0:
                self.begun()
            self._start = time.perf_counter()
        self.depth += 1

    def end(self, depth: int = 0) -> None:
        """Note that loops are compiled, or cannot be, down to the depth that there was before."""
        ended, self.depth = self.depth > depth, depth
        if ended and depth == 0:
            self.seconds += time.perf_counter() - self._start


COMPILATION = Compilation()
"""The compilation of this process. A lock is held, so that one loop is compiled at a time."""
