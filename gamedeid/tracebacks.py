"""Where an error happened, without its words: these may quote values of the data."""

import traceback

_CAUSE = "\nThe above error led to this one:\n\n"


def places_of(error: BaseException) -> list[str]:
    r"""Return the lines of a traceback with the kinds of errors in it, those that led to it first, and no words of any.

    An error that nobody foresaw may say anything ("could not convert string to float: ..."), and a traceback is to be
    sent to whoever can mend it.

    Examples
    --------
    >>> places_of(ValueError("37201"))
    ['Traceback (most recent call last):\n', 'ValueError\n']
    """
    return _places(error, [])


def _places(error: BaseException, told: list[BaseException]) -> list[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [] if cause is None or cause in told else [*_places(cause, [*told, error]), _CAUSE]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return [*before, "Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), f"{name}\n"]
