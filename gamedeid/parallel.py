"""Parallel work on large arrays, in slices on all cores; and cached attributes shared by threads."""

import functools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import pairwise
from threading import local
from time import monotonic
from typing import Any, Self, TypeVar, cast, overload

import numpy as np

from gamedeid.arrays import BoolArray
from gamedeid.progress import Progress, unreported

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST_ITEMS = 2**20
"""Fewest items worth a thread, if each takes a nanosecond or two."""

SLICES = 4
"""Slices per core, so that a delayed slice makes the others wait only briefly."""


LATE_SECONDS = 10.0
"""Seconds after which unfinished work is reported."""


def cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_THREAD = local()
"""For each thread, whether the other cores are busy: the thread then uses one core."""


def map_in_parallel(work: Callable[[int, Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """Yield ``work(worker, item)`` of each item, in the order of the items, several at a time, each on one core.

    An item is taken only when a worker is free and the earlier results are nearly consumed, so that memory holds few
    items and few results.

    Parameters
    ----------
    work : runs in a thread, and its slices too. ``worker`` is from 0 to ``workers`` - 1, and no two items have the
        same one at the same time.
    workers : number of items at a time, at least 1.
    """
    free = list(range(workers))

    def alone(item: Item) -> Result:
        worker = free.pop()
        _THREAD.alone = True
        try:
            return work(worker, item)
        finally:
            free.append(worker)

    if workers == 1:
        for item in items:
            yield work(0, item)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(alone, item))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def run_in_slices(
    work: Callable[[int, int], None],
    count: int,
    *,
    least: int | None = None,
    most: int | None = None,
    report_progress: Progress = unreported,
    ended: BoolArray | None = None,
    late: Callable[[float], None] | None = None,
) -> None:
    """Do ``work(start, stop)`` for slices that cover range(count), on all cores, and return when all are done.

    Slices must not depend on each other. An interruption takes effect when the running slices end.

    Parameters
    ----------
    least : fewest items that are worth a thread, at least 1 (default: ``LEAST_ITEMS``).
    report_progress : called with (items done, all items).
    ended : (1,) false; becomes true when the work is interrupted, and slices that check it end at once. Give it if a
        single item may take long: this thread then only waits, and can be interrupted, after it has run an empty
        slice.
    late : called once with the seconds taken so far, if the work takes more than ``LATE_SECONDS``; needs ``ended``.
    """
    least = LEAST_ITEMS if least is None else least
    workers = 1 if getattr(_THREAD, "alone", False) else min(cores(), count // least)
    slices = min(workers * SLICES, count // least) if workers > 1 else 1
    if most is not None:
        slices = max(slices, -(-count // most))
    bounds = [count * place // slices for place in range(slices + 1)]
    if workers <= 1 and ended is None:
        for start, stop in pairwise(bounds):
            work(start, stop)
            report_progress(stop, count)
        return
    if ended is not None:
        work(0, 0)  # compiles it, if necessary, in a thread that can be interrupted
    pool = ThreadPoolExecutor(max(workers, 1))
    try:
        waiting = {pool.submit(work, *pair): pair[1] - pair[0] for pair in pairwise(bounds)}
        for done in _finished_items(waiting, late):
            report_progress(done, count)
    except BaseException:
        if ended is not None:
            ended[0] = True
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _finished_items(waiting: Mapping[Future[None], int], late: Callable[[float], None] | None) -> Iterator[int]:
    """Yield the number of items done after each slice."""
    done, left, limit = 0, set(waiting), LATE_SECONDS if late is not None else None
    since = monotonic()
    while left:
        remaining = None if limit is None else max(since + limit - monotonic(), 0)
        finished, left = wait(left, remaining, FIRST_COMPLETED)
        for one in finished:
            one.result()
            done += waiting[one]
            yield done
        if late is not None and limit is not None and left and monotonic() >= since + limit:
            late(monotonic() - since)
            limit = None


class cached_property(functools.cached_property[Result]):  # noqa: N801  (it is used as functools' own is)
    """An attribute that is computed at first use, as in Python 3.12.

    The version of Python 3.11 holds a lock shared by all objects of a class: of two threads that compute the measures
    of two solutions, one would wait for the other. If two threads need the same attribute of one object, it may be
    computed twice; both values are equal. An array is read-only, since all who ask for it share it.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Result: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the attribute of an object; it is computed at first use."""
        if instance is None:
            return self
        name = cast("str", self.attrname)
        known = vars(instance)
        if name not in known:
            value = self.func(instance)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
            known[name] = value
        return known[name]
