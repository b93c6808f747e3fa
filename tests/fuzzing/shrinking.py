"""A smaller input with the same fault."""

import time
from collections.abc import Callable, Iterator

from fuzzing.case import Case

SECONDS = 8.0
"""Seconds of shrinking."""


def shrunk(case: Case, fails: Callable[[Case], bool], *, seconds: float = SECONDS) -> Case:
    """Return the smallest found input that still fails.

    Parameters
    ----------
    case : an input that fails.
    fails : whether another input fails in the same way.
    seconds : time limit.
    """
    end = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(case):
            if time.monotonic() > end:
                return case
            if candidate != case and fails(candidate):
                case, smaller = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Yield inputs that are a little smaller, those that are much smaller first."""
    yield case.but(tokens=(), kept=())
    for place in range(len(case.words)):
        yield case.but(words=case.words[:place] + case.words[place + 2 :])
        yield case.but(words=case.words[:place] + case.words[place + 1 :])
    for name in case.files:
        yield case.but(files={one: content for one, content in case.files.items() if one != name})
    for place in range(len(case.results or ())):
        yield case.but(results=[*(case.results or ())[:place], *(case.results or ())[place + 1 :]])
    for name, content in case.files.items():
        for less in _less(content):
            yield case.but(files={**case.files, name: less})


def _less(content: bytes) -> Iterator[bytes]:
    """Yield the content without some of its lines, or where it has none, without some of its bytes."""
    binary = b"\0" in content or content.count(b"\n") <= 1
    pieces = [content[at : at + 1] for at in range(len(content))] if binary else content.splitlines(keepends=True)
    size = len(pieces) // 2
    while size:
        for start in range(0, len(pieces), size):
            yield b"".join(pieces[:start] + pieces[start + size :])
        size //= 2
        if binary and size < len(pieces) // 32:
            return
