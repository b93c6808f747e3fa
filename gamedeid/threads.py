"""Who works on large arrays: every core, each on slices of its own."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import pairwise

LEAST = 2**20
"""Fewer items than this, when each takes a nanosecond or two, are not worth a thread."""

SLICES = 4
"""Slices for each core, so that one that is held up keeps the others waiting for little."""


def cores() -> int:
    """Return how many cores this process may use, at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_slices(
    work: Callable[[int, int], None],
    count: int,
    *,
    least: int | None = None,
    most: int | None = None,
    told: Callable[[int, int], None] | None = None,
) -> None:
    """Do ``work(start, stop)`` for slices that make up range(count), on all cores, and return when all is done.

    Slices must not depend on each other. What is interrupted ends with the slices that are under way.

    Parameters
    ----------
    work : lets go of the interpreter while it works, as numpy and the compiled loops do.
    count : items, 0 or more.
    least : items that are worth a thread; ``LEAST`` unless given, at least 1.
    most : items of a slice, where that is bounded.
    told : told how many items of how many are done.
    """
    least = LEAST if least is None else least
    workers = min(cores(), count // least)
    slices = min(workers * SLICES, count // least) if workers > 1 else 1
    if most is not None:
        slices = max(slices, -(-count // most))
    if slices <= 1:
        work(0, count)
        if told is not None:
            told(count, count)
        return
    bounds = [count * place // slices for place in range(slices + 1)]
    pool = ThreadPoolExecutor(max(workers, 1))
    try:
        waiting = {pool.submit(work, *pair): pair[1] - pair[0] for pair in pairwise(bounds)}
        done = 0
        for finished in as_completed(waiting):
            finished.result()
            done += waiting[finished]
            if told is not None:
                told(done, count)
    finally:
        pool.shutdown(cancel_futures=True)
