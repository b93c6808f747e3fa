"""Errors about the input: one root class, shown by the command line in one line with exit code 2."""

import difflib
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from os import PathLike

_SHOWN = 80  # characters of a value in a message
_SHOWN_OF_WORD = 400  # characters of a path, or of another word that is not a value of a record
_LISTED = 20  # words of a list in a message
_VALUES = 5  # most values shown on request


_LONGEST, _COMPARED = 80, 2000  # longest word, in characters, and most words, in a search for the nearest word


class GamedeidError(Exception):
    """The root of all errors about the input, not about gamedeid; the message is one line, written for the user.

    Parameters
    ----------
    message : names rows and columns, never a value of a record or of the population; kept as `one_line` returns it.
    values : the values in question, shown on request only; logs and tracebacks do not show them.
    arguments : words of the message that are names of arguments, at its start or its end; the command line replaces
        them by options.
    """

    def __init__(self, *message: object, values: Iterable[object] = (), arguments: Sequence[str] = ()) -> None:
        super().__init__(*(one_line(str(part)) for part in message))
        self.data_values = tuple(map(str, values))
        self.arguments = tuple(arguments)

    def with_values(self) -> str:
        """Return the message with the first five of the values, for a user who has the data."""
        shown = ", ".join(quoted(value) for value in self.data_values[:_VALUES])
        more = ", ..." if len(self.data_values) > _VALUES else ""
        return f"{self}; values: {shown}{more}" if shown else str(self)


class InvalidHierarchyError(GamedeidError, ValueError):
    """A generalization hierarchy whose levels do not coarsen step by step to one root.

    Parameters
    ----------
    faults : every fault found, one line each, in the order of the file; at least one.
    values : values of the data, if the hierarchy takes its leaves from them.
    """

    def __init__(self, *faults: str, values: Iterable[object] = ()) -> None:
        more = f" (and {len(faults) - 1} more: `faults` lists all)" if len(faults) > 1 else ""
        super().__init__(faults[0] + more, values=values, arguments=["`faults`"] if more else ())
        self.faults = tuple(map(one_line, faults))


class InvalidScenarioError(GamedeidError, ValueError):
    """A scenario with an invalid key, value or combination."""


class UnmetLimitsError(InvalidScenarioError):
    """Limits on the whole dataset that no strategies satisfy."""


class InvalidDataError(GamedeidError, ValueError):
    """Records or a population that cannot be read as the scenario states."""


class UnmatchedRecordError(InvalidDataError, LookupError):
    """A record that matches no one in the population, although the scenario states that every record does."""


class OutputError(GamedeidError, OSError):
    """Results that cannot be written where asked, or a folder without unchanged results; earlier content stays."""


class MissingExtraError(GamedeidError, ImportError):
    """A missing package of an extra; the message holds the command that installs it."""


class SignatureError(GamedeidError, ValueError):
    """A key that cannot sign or check a signature."""


class DownloadError(GamedeidError, OSError):
    """A public dataset that could not be downloaded, or has another digest; nothing was written."""


class GamedeidWarning(UserWarning):
    """The root of all warnings; the message is one line, written for the user, kept as `one_line` returns it."""

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


class SlowWarning(GamedeidWarning):
    """Work that continues, but takes so long that the user may prefer another method."""


class CacheWarning(GamedeidWarning):
    """Compiled loops that cannot be kept for later runs, or could not be read."""


class FontWarning(GamedeidWarning):
    """Letters of a picture that are drawn as boxes, since the font of pictures lacks them."""


def quoted(value: object) -> str:
    """Return a value for a message: between backticks, on one line, at most 80 characters."""
    return f"`{shown(value)}`"


def without_long_words(text: str) -> str:
    """Return a message of another library, with words (which may be values) cut to 80 characters."""
    return re.sub(rf"\S{{{_SHOWN + 1},}}", lambda word: f"{word[0][: _SHOWN - 3]}...", text)


def quoted_shape(value: object) -> str:
    """Return the shape of a secret value for a message: every letter, digit and underscore is a `#`."""
    return quoted(re.sub(r"\w", "#", str(value)))


def shown(value: object) -> str:
    """Return a value for a message, among other words: on one line, at most 80 characters."""
    try:
        text = str(value)
    except (ValueError, RecursionError):  # whole numbers of more than 4,300 digits, and deeply nested lists
        text = f"a {type(value).__name__} too long to show"
    start = text[: _SHOWN + 1]
    plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in start)
    return plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 3]}..."


def one_line(message: str) -> str:
    """Return a message with control characters spelt out, and only the end of words over 400 characters.

    Such words are paths, whose end is the file's name.
    """
    plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in message)
    return re.sub(rf"\S{{{_SHOWN_OF_WORD + 1},}}", lambda word: f"...{word[0][3 - _SHOWN_OF_WORD :]}", plain)


def did_you_mean(word: object, choices: Iterable[str]) -> str:
    """Return "; did you mean `x`?" for the choice nearest to the word, or "" if none is near.

    Case is ignored; of choices that differ only in case, the first is returned.
    """
    by_fold = {choice.casefold(): choice for choice in reversed(list(choices)[:_COMPARED]) if len(choice) <= _LONGEST}
    if not isinstance(word, str) or len(word) > _LONGEST:
        return ""  # comparing two long words takes time proportional to the product of their lengths
    near = difflib.get_close_matches(word.casefold(), by_fold, n=1)
    return f"; did you mean {quoted(by_fold[near[0]])}?" if near else ""


def nearest_word_hint(word: object, known: Iterable[str]) -> str:
    """Return a hint for an unknown word: the nearest known word, or else all of them."""
    words = list(known)
    return did_you_mean(word, words) or f"; known: {listed(words, show=shown)}"


def refuse_unknown(
    noun: str, word: object, known: Iterable[str], where: str = "", arguments: Sequence[str] = ()
) -> None:
    """Refuse a word that is none of the ``known`` ones of a ``noun``; ``where`` is the start of the message."""
    words = tuple(known)
    if word not in words:
        raise InvalidScenarioError(
            f"{where}there is no {noun} {quoted(word)}{nearest_word_hint(word, words)}", arguments=arguments
        )


def refuse_text(argument: str, names: object) -> None:
    """Refuse one text or path as an argument that is a list of them: letters would be taken for the items."""
    if isinstance(names, str | PathLike):
        raise InvalidScenarioError(f"{argument}: expected a list, such as [{quoted(names)}]")


def listed(words: Iterable[object], *, show: Callable[[object], str] = quoted) -> str:
    """Return the first 20 words, separated by commas, and the number of all words if there are more."""
    known = list(words)
    more = f", ... ({len(known)} in all)" if len(known) > _LISTED else ""
    return ", ".join(show(word) for word in known[:_LISTED]) + more


_CAUSED_BY = "\nThe above error led to this one:\n\n"


def traceback_places(error: BaseException) -> list[str]:
    r"""Return the lines of a traceback with the types of its errors, causes first, without their messages.

    An unexpected error may hold any text ("could not convert string to float: ..."), and users send tracebacks to
    developers.

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
