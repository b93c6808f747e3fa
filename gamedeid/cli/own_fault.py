"""What is said of a fault of our own: where it happened, and the words of the errors only where values may be told."""

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from gamedeid.cli.flags import SHOW_VALUES
from gamedeid.cli.standard_streams import print_error
from gamedeid.tracebacks import places_of

_REPORT = "this is a fault of gamedeid itself; please report what follows"


def fault_words(error: BaseException, *, with_values: bool) -> list[str]:
    """Return what to say on standard error: a line of ours, then a traceback.

    Parameters
    ----------
    error : anything but a :class:`gamedeid.GamedeidError`.
    with_values : whether the words of errors, which may quote values of the data, may stand in it.
    """
    if with_values:
        return [_REPORT, *traceback.format_exception(error)]
    return [f"{_REPORT}; {SHOW_VALUES} adds the words of the errors, which may tell values", *places_of(error)]


@contextmanager
def telling_faults_of_threads(*, with_values: bool) -> Iterator[None]:
    """Say of a fault in another thread, which ends that thread only, what is said of one in this."""
    before = threading.excepthook

    def tell(ended: threading.ExceptHookArgs) -> None:
        if isinstance(ended.exc_value, Exception):
            print_error(*fault_words(ended.exc_value, with_values=with_values))

    threading.excepthook = tell
    try:
        yield
    finally:
        threading.excepthook = before
