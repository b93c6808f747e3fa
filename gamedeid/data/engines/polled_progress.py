"""How far an engine is, looked at again and again while it works."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamedeid.progress import IN_HUNDREDTHS, Progress

CHECKED_EVERY = 0.25
"""Seconds between two looks at how far the work is."""

LONGEST_LOOK = 5.0
"""Seconds that a look which is under way at the end is waited for: what is not there any more may not answer."""


@contextmanager
def polled_progress(
    share_done: Callable[[], float | None], rows: int | None, report_progress: Progress | None
) -> Iterator[None]:
    """Tell how far some work is as long as the block lasts, in rows if their number is known.

    What is told never falls, though an engine may come to know of more work.

    Parameters
    ----------
    share_done : returns the share of the work that is done, in [0, 1], or None where that is not known. It is called in
        a thread of its own; what it raises is the engine's concern, and is told by the work itself.
    rows : how many the work goes through.
    report_progress : whom to tell; nothing is looked at where nobody is to be told.
    """
    if report_progress is None:
        yield
        return
    ended, total = threading.Event(), IN_HUNDREDTHS if rows is None else rows

    def watch() -> None:
        told = 0
        while not ended.wait(CHECKED_EVERY):
            try:
                share = share_done()
            except Exception:  # noqa: BLE001  (the engine is gone, or of a kind that tells nothing)
                return
            done = round(total * (share or 0.0))
            if done > told:
                told = done
                report_progress(told, total)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join(LONGEST_LOOK)
