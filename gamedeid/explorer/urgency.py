"""What must not wait: answers to the page come before whatever is computed ahead of being asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic

from gamedeid.errors import GamedeidError

QUIET = 0.3
"""Seconds without an answer under way after which other work goes on: whoever turns a slider asks again soon."""


class SupersededError(GamedeidError):
    """What was asked is of a setting that was left since; ask again for the one that is shown now."""


class Urgency:
    """How many answers are under way, and since when there is none."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._answers = 0
        self._last = monotonic() - QUIET

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Let other work wait while the block runs, and for a moment after it."""
        with self._changed:
            self._answers += 1
        try:
            yield
        finally:
            with self._changed:
                self._answers -= 1
                self._last = monotonic()
                self._changed.notify_all()

    def wait_until_quiet(self) -> None:
        """Wait until no answer has been under way for a moment."""
        with self._changed:
            while self._answers or monotonic() - self._last < QUIET:
                self._changed.wait(None if self._answers else QUIET)
