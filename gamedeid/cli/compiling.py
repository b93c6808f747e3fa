"""What is said of compiling: the first run after an installation takes longer, and the user should know why."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gamedeid.cli.standard_streams import print_error
from gamedeid.compilation import COMPILATION


@contextmanager
def telling_of_compiling() -> Iterator[None]:
    """Say on a terminal that inner loops are compiled, once when it begins, and in the end how long it took.

    Elsewhere nothing is said: what a pipeline finds on standard error does not depend on what ran there before.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    before = COMPILATION.seconds
    COMPILATION.begun = _begun
    try:
        yield
    finally:
        COMPILATION.begun = None
        if COMPILATION.seconds > before:
            later = "later runs compile again" if COMPILATION.lost else "later runs take what was compiled"
            print_error(f"compiling took {COMPILATION.seconds - before:.1f} s of this run; {later}")


def _begun() -> None:
    print_error("compiling inner loops, as a first run does")
