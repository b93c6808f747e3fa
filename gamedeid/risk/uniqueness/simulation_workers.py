"""Who does the work of a long study: this process, or several that share it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing.connection import wait
from typing import Any

from gamedeid.safe_path import safe_path


def work(function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], workers: int) -> Iterator[tuple[int, Any]]:
    """Yield (place of a task, what the function makes of it), each as soon as it is done.

    Whatever ends the loop early, tasks not yet begun are dropped.

    Parameters
    ----------
    function : of a module, so that other processes find it by name.
    tasks : its arguments, each time.
    workers : processes, at least 1; no more are started than there are tasks, and none for one worker.
    """
    workers = min(workers, len(tasks))
    if workers <= 1:
        for place, task in enumerate(tasks):
            yield place, function(*task)
        return
    with safe_path():  # its queues start a process
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_serve)
    try:
        with safe_path():  # and so does work that is handed in
            places = {pool.submit(function, *task): place for place, task in enumerate(tasks)}
        for done in as_completed(places):
            yield places[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _serve() -> None:
    """Leave Ctrl-C to the process that gives the work, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
