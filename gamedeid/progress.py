"""How long work tells how far it is."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (how much is done, of how much in all), both at least 0; from one thread at a time."""

IN_HUNDREDTHS = 10_000
"""In all, where only the share is known that is done: hundredths of a per cent are told then."""

Phases: TypeAlias = Callable[[str], Progress]
"""Called with the name of each phase of the work as it begins; returns whom its progress is reported to."""


def phases_of(progress: Progress, phases: int) -> Phases:
    """Return what tells the share done of work in ``phases`` phases, each of which counts the same, as one progress."""
    begun = 0

    def begin(name: str) -> Progress:  # noqa: ARG001  (as Phases has it)
        nonlocal begun
        first, begun = begun, begun + 1
        return lambda done, total: progress(
            first * IN_HUNDREDTHS + IN_HUNDREDTHS * done // max(total, 1), phases * IN_HUNDREDTHS
        )

    return begin


def no_progress(phase: str) -> Progress:  # noqa: ARG001  (as Phases has it)
    """Return what hears of a phase's progress and does nothing: for work that nobody watches."""
    return lambda done, total: None  # noqa: ARG005
