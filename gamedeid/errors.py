"""Errors about the input: one root, which the command line shows in one line with exit code 2."""

import difflib
import re
import traceback
from collections.abc import Callable, Iterable, Sequence

_SHOWN = 80  # characters of a value in a message
_SHOWN_OF_WORD = 400  # characters of a path, or of another word that is no value of a record
_LISTED = 20  # words of a list in a message
_VALUES = 5  # values that are shown where they are asked for


_LONGEST, _COMPARED = 80, 2000  # characters of a word, and how many words, among which the nearest is looked for


class GamedeidError(Exception):
    """The root of every error that is about the input, not about us; its message is one line, written for the user.

    Parameters
    ----------
    message : tells rows and columns, and never a value of a record or of the population; kept as `one_line` makes it.
    values : those that it is about, shown on request only; logs and tracebacks do not show them.
    arguments : words of the message that name arguments of the call, at its start or its end; the command line has
        options in their place.
    """

    def __init__(self, *message: object, values: Iterable[object] = (), arguments: Sequence[str] = ()) -> None:
        super().__init__(*(one_line(str(part)) for part in message))
        self.data_values = tuple(map(str, values))
        self.arguments = tuple(arguments)

    def with_values(self) -> str:
        """Return the message with the first few of the values, for a person who has the data."""
        shown = ", ".join(quoted(value) for value in self.data_values[:_VALUES])
        more = ", ..." if len(self.data_values) > _VALUES else ""
        return f"{self}; values: {shown}{more}" if shown else str(self)


class InvalidHierarchyError(GamedeidError, ValueError):
    """A generalization hierarchy that does not coarsen step by step up to one root.

    Parameters
    ----------
    faults : every fault found, one line each, in the order of the file; at least one.
    values : of the data, where the hierarchy takes its values from them.
    """

    def __init__(self, *faults: str, values: Iterable[object] = ()) -> None:
        more = f" (and {len(faults) - 1} more: `faults` lists all)" if len(faults) > 1 else ""
        super().__init__(faults[0] + more, values=values, arguments=["`faults`"] if more else ())
        self.faults = tuple(map(one_line, faults))


class InvalidScenarioError(GamedeidError, ValueError):
    """A scenario with a key, a value or a combination that means nothing."""


class UnmetLimitsError(InvalidScenarioError):
    """Limits on the whole dataset that no strategies are within."""


class InvalidDataError(GamedeidError, ValueError):
    """Records or a population that cannot be read as the scenario says."""


class UnmatchedRecordError(InvalidDataError, LookupError):
    """A record that matches no one in the population, where the scenario promises that every record does."""


class OutputError(GamedeidError, OSError):
    """Results that cannot be written where the user asked; whatever stood there still stands."""


class MissingExtraError(GamedeidError, ImportError):
    """A package that comes with an extra of the installation, and is not there; the message has the line for it."""


class SignatureError(GamedeidError, ValueError):
    """A key that cannot sign, or check a signature."""


class DownloadError(GamedeidError, OSError):
    """A public dataset that did not arrive, or not as it is known; nothing was written."""


class GamedeidWarning(UserWarning):
    """The root of every warning; its message is one line, written for the user, kept as `one_line` makes it."""

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


class SlowWarning(GamedeidWarning):
    """Work that goes on, but will take so long that another way may be wanted."""


class CacheWarning(GamedeidWarning):
    """Compiled loops that cannot be kept for later runs, or could not be read."""


def quoted(value: object) -> str:
    """Return a value as messages show it: between backticks, on one line, at most 80 characters of it."""
    return f"`{shown(value)}`"


def without_long_words(text: str) -> str:
    """Return a message of others whose words, which may be values, are cut to 80 characters."""
    return re.sub(rf"\S{{{_SHOWN + 1},}}", lambda word: f"{word[0][: _SHOWN - 3]}...", text)


def quoted_shape(value: object) -> str:
    """Return a value as messages show it that must not tell it: every letter, digit and underscore is a `#`."""
    return quoted(re.sub(r"\w", "#", str(value)))


def shown(value: object) -> str:
    """Return a value as messages show it among other words: on one line, at most 80 characters of it."""
    try:
        text = str(value)
    except (ValueError, RecursionError):  # whole numbers of more than 4,300 digits, and nests of lists
        text = f"a {type(value).__name__} too long to show"
    start = text[: _SHOWN + 1]
    plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in start)
    return plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 3]}..."


def one_line(message: str) -> str:
    """Return a message in which control characters are spelt out, and of words over 400 characters the end stands.

    Such words are paths, whose end is the file's name.
    """
    plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in message)
    return re.sub(rf"\S{{{_SHOWN_OF_WORD + 1},}}", lambda word: f"...{word[0][3 - _SHOWN_OF_WORD :]}", plain)


def did_you_mean(word: object, choices: Iterable[str]) -> str:
    """Return "; did you mean `x`?" for the choice nearest to the word, or nothing when none is near.

    Capital letters make no difference; of choices that differ in nothing else the first is meant.
    """
    by_fold = {choice.casefold(): choice for choice in reversed(list(choices)[:_COMPARED]) if len(choice) <= _LONGEST}
    if not isinstance(word, str) or len(word) > _LONGEST:
        return ""  # to compare long words takes the product of their lengths
    near = difflib.get_close_matches(word.casefold(), by_fold, n=1)
    return f"; did you mean {quoted(by_fold[near[0]])}?" if near else ""


def nearest_word_hint(word: object, known: Iterable[str]) -> str:
    """Return a hint for a word that is not among the known ones: the nearest of them, or else all."""
    words = list(known)
    return did_you_mean(word, words) or f"; known: {listed(words, show=shown)}"


def listed(words: Iterable[object], *, show: Callable[[object], str] = quoted) -> str:
    """Return the first 20 of some words, with commas between them, and how many there are if they are more."""
    known = list(words)
    more = f", ... ({len(known)} in all)" if len(known) > _LISTED else ""
    return ", ".join(show(word) for word in known[:_LISTED]) + more


_CAUSED_BY = "\nThe above error led to this one:\n\n"


def traceback_places(error: BaseException) -> list[str]:
    r"""Return the lines of a traceback with the kinds of errors in it, those that led to it first, and no words of any.

    An error that no one foresaw may say anything ("could not convert string to float: ..."), and a traceback is to be
    sent to whoever can mend it.

    Examples
    --------
    >>> traceback_places(ValueError("37201"))
    ['Traceback (most recent call last):\n', 'ValueError\n']
    """
    return _places(error, [])


def _places(error: BaseException, seen: list[BaseException]) -> list[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = [] if cause is None or cause in seen else [*_places(cause, [*seen, error]), _CAUSED_BY]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return [*before, "Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), f"{name}\n"]
