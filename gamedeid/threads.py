"""Who works on large arrays: every core, each on slices of its own."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

LEAST = 2**20
"""Fewer items than this, when each takes a nanosecond or two, are not worth a thread."""

SLICES = 4
"""Slices for each core, so that one that is held up keeps the others waiting for little."""


def cores() -> int:
    """Return how many cores this process may use, at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_slices(work: Callable[[int, int], None], count: int, *, least: int | None = None) -> None:
    """Do ``work(start, stop)`` for slices that make up range(count), on all cores, and return when all is done.

    Slices must not depend on each other. What is interrupted ends with the slices that are under way.

    Parameters
    ----------
    work : lets go of the interpreter while it works, as numpy and the compiled loops do.
    count : items, 0 or more.
    least : items that are worth a thread; ``LEAST`` unless given, at least 1.
    """
    least = LEAST if least is None else least
    workers = min(cores(), count // least)
    if workers <= 1:
        work(0, count)
        return
    slices = min(workers * SLICES, count // least)
    bounds = [count * place // slices for place in range(slices + 1)]
    pool = ThreadPoolExecutor(workers)
    try:
        for done in [pool.submit(work, *pair) for pair in pairwise(bounds)]:
            done.result()
    finally:
        pool.shutdown(cancel_futures=True)
