"""Whether this process had to compile inner loops, and how long that took."""

import time
from collections.abc import Callable
from dataclasses import dataclass


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
