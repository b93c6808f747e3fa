"""What is said of a fault of our own: where it happened, and the words of the errors only where values may be told."""

import traceback

from gamedeid.cli.flags import SHOW_VALUES

_REPORT = "this is a fault of gamedeid itself; please report what follows"
_CAUSE = "\nThe above error led to this one:\n\n"


def fault_words(error: BaseException, *, with_values: bool) -> list[str]:
    """Return what to say on standard error: a line of ours, then a traceback.

    The words of an error that nobody foresaw may quote a value of the data ("could not convert string to float: ..."),
    and what is said here is to be sent to strangers.

    Parameters
    ----------
    error : anything but a :class:`gamedeid.GamedeidError`.
    with_values : whether the words may stand in it.
    """
    if with_values:
        return [_REPORT, *traceback.format_exception(error)]
    return [f"{_REPORT}; {SHOW_VALUES} adds the words of the errors, which may tell values", *_places(error, [])]


def _places(error: BaseException, told: list[BaseException]) -> list[str]:
    """Return a traceback without any words of errors, those that led to it first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [] if cause is None or cause in told else [*_places(cause, [*told, error]), _CAUSE]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return [*before, "Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), f"{name}\n"]
