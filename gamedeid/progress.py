"""Progress of long work, and the time to compile inner loops."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


POLLING_INTERVAL = 0.25
"""Seconds between two polls of the share done."""

LONGEST_CALL = 5.0
"""Seconds to wait at the end for a poll that has begun: an engine that has ended may not answer."""


@contextmanager
def polled_progress(
    share_done: Callable[[], float | None], rows: int | None, report_progress: Progress | None
) -> Iterator[None]:
    """Report the progress of some work while the block runs, in rows if their number is known.

    Reported numbers never fall, even if an engine finds more work to do.

    Parameters
    ----------
    share_done : returns the share of the work that is done, in [0, 1], or None where that is not known. It is called in
        a thread of its own; what it raises is the engine's concern, and is told by the work itself.
    """
    if report_progress is None:
        yield
        return
    ended, total = threading.Event(), HUNDREDTHS_OF_PERCENT if rows is None else rows

    def watch() -> None:
        reported = 0
        while not ended.wait(POLLING_INTERVAL):
            try:
                share = share_done()
            except Exception:  # noqa: BLE001  (the engine is gone, or of a kind that tells nothing)
                return
            done = round(total * (share or 0.0))
            if done > reported:
                reported = done
                report_progress(reported, total)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join(LONGEST_CALL)


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
