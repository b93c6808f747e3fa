"""Seconds, ratios and memory, taken so that a noisy machine does little harm."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two ways to do the same thing, timed in turn."""

    first: list[float]
    second: list[float]

    @property
    def ratio(self) -> float:
        """Median of second / first, pair by pair."""
        return statistics.median(b / a for a, b in zip(self.first, self.second, strict=True))

    @property
    def medians(self) -> tuple[float, float]:
        """Median seconds of each."""
        return statistics.median(self.first), statistics.median(self.second)


def in_turn(first: Work, second: Work, rounds: int) -> Pair:
    """Time two ways in turn after one warm-up each: the warm-up compiles kernels and is not counted.

    In each round the first, which is meant to be much the shorter, is the median of five runs.
    """
    first(), second()
    firsts, seconds = [], []
    for _ in range(rounds):
        firsts.append(statistics.median(seconds_of(first) for _ in range(5)))
        seconds.append(seconds_of(second))
    return Pair(first=firsts, second=seconds)


def seconds_of(work: Work) -> float:
    """Return the seconds that one run takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_memory(work: Work) -> int:
    """Return the most bytes that Python and numpy held at once during one run, beyond what was there before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
