"""Seconds, ratios and memory, measured so that a noisy machine matters little."""

import argparse
import os
import resource
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SMALL = "small data: only shows that it runs"

Work = Callable[[], object]


class Taken(NamedTuple):
    """The seconds of some work: on the wall, and of all cores."""

    seconds: float
    cores: float


class Cost(NamedTuple):
    """Seconds of a command, its peak memory in MiB, and its output."""

    seconds: float
    cores: float
    mebibytes: float
    said: str


def arguments(about: str | None, *, rounds: int | None = None, smoke: str = SMALL) -> argparse.ArgumentParser:
    """Return a driver's command line: ``--smoke``, and ``--rounds`` if it has a default."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if rounds is not None:
        parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--smoke", action="store_true", help=smoke)
    return parser


def rounds_of(options: argparse.Namespace) -> int:
    """Return the number of measured rounds: one for a smoke test."""
    return 1 if options.smoke else int(options.rounds)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The seconds of two ways to do the same, timed in turn."""

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
    """Time two ways in turn after one warm-up each: the warm-up compiles kernels and is not measured.

    In each round the time of the first, which should be much shorter, is the median of five runs.
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


def taken(work: Callable[[], Any]) -> tuple[Any, Taken]:
    """Return the result of some work, and its seconds."""
    start, cores = time.perf_counter(), time.process_time()
    found = work()
    return found, Taken(time.perf_counter() - start, time.process_time() - cores)


def peak_memory(work: Work) -> float:
    """Return the peak MiB of Python's and numpy's memory during one run, above the level before."""
    return traced(work)[1]


def traced(work: Work) -> tuple[float, float]:
    """Return the seconds that one run takes, and the same memory."""
    tracemalloc.start()
    try:
        return seconds_of(work), tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def resident() -> float:
    """Return the peak MiB of this process, the interpreter and its libraries included."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def command(*words: object) -> Cost:
    """Run Python with some arguments in a separate process; exit if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with TemporaryFile("w+") as said:
        start = time.perf_counter()
        run = [sys.executable, *map(str, words)]
        into = [(os.POSIX_SPAWN_DUP2, said.fileno(), 1)]
        _, status, used = os.wait4(os.posix_spawn(sys.executable, run, environment, file_actions=into), 0)
        seconds = time.perf_counter() - start
        if status:
            raise SystemExit(f"{words}: exit code {os.waitstatus_to_exitcode(status)}")
        said.seek(0)
        return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**10, said.read())
