"""How long work reports how far it is, and how long inner loops took to compile."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (how much is done, of how much in all), both at least 0; from one thread at a time."""

IN_HUNDREDTHS = 10_000
"""In all, where only the share is known that is done: hundredths of a per cent are told then."""

Phases: TypeAlias = Callable[[str], Progress]
"""Called with the name of each phase of the work as it begins; returns whom its progress is reported to."""


def phases_of(progress: Progress, phases: int) -> Phases:
    """Return what tells the share done of work in ``phases`` phases, each of which counts the same, as one progress."""
    begun = 0

    def begin(name: str) -> Progress:  # noqa: ARG001  (as Phases has it)
        nonlocal begun
        first, begun = begun, begun + 1
        return lambda done, total: progress(
            first * IN_HUNDREDTHS + IN_HUNDREDTHS * done // max(total, 1), phases * IN_HUNDREDTHS
        )

    return begin


def no_progress(phase: str) -> Progress:  # noqa: ARG001  (as Phases has it)
    """Return what hears of a phase's progress and does nothing: for work that nobody watches."""
    return lambda done, total: None  # noqa: ARG005


@dataclass
class Compilation:
    """What was compiled since the process began.

    Attributes
    ----------
    seconds : that compiling took, by the clock.
    begun : called when compiling begins for the first time; None if nobody wants to know.
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
"""Of this process. Who compiles holds a lock, so that one loop is compiled at a time."""
