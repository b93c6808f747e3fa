"""Every way to show a value: on a console, in a notebook, in a log, and by printing its attributes."""

import io
import logging
import pprint
import reprlib
import traceback
from collections.abc import Iterator
from functools import cache
from typing import Any

from IPython.core.formatters import DisplayFormatter
from IPython.lib.pretty import pretty
from rich.console import Console
from rich.pretty import pretty_repr
from rich.traceback import Traceback


def displays_of(value: Any) -> Iterator[tuple[str, str | bytes]]:
    """Yield the name of each way to show a value, and the text that it shows."""
    yield "repr", repr(value)
    yield "str", str(value)
    yield "ascii", ascii(value)
    yield "format", f"{value}"
    yield "in a list", f"{[value]!r}"
    yield "in a dict", f"{ {'it': value} }"
    yield "pprint", pprint.pformat(value, width=40)
    yield "reprlib", reprlib.repr(value)
    yield "rich, short", pretty_repr(value, max_width=40)
    yield "rich, expanded", pretty_repr({"it": [value]}, expand_all=True)
    yield "rich, printed", printed(value)
    yield "IPython's pretty", pretty(value)
    yield "logged", logged(value)
    yield from notebook_displays(value)


def notebook_displays(value: Any) -> Iterator[tuple[str, str | bytes]]:
    """Yield what a notebook stores for a value at the end of a cell, and the results of all methods for notebooks."""
    contents, metadata = _formatter().format(value)
    for kind, content in contents.items():
        yield kind, content if isinstance(content, bytes) else str(content)
    yield "metadata", str(metadata)
    for name in dir(type(value)):
        if name.startswith("_repr_") and name.endswith("_"):
            yield name, str(getattr(value, name)())
    if hasattr(value, "__rich_repr__"):
        yield "__rich_repr__", str(list(value.__rich_repr__()))


@cache
def _formatter() -> DisplayFormatter:
    """Return a formatter for every kind of content that a notebook can store."""
    formatter = DisplayFormatter()
    formatter.active_types = formatter.format_types
    return formatter


def printed(*values: Any) -> str:
    """Return what rich prints on a wide terminal, with colours."""
    console = Console(file=io.StringIO(), width=400, force_terminal=True)
    console.print(*values)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def logged(*values: Any) -> str:
    """Return the text of values in a log."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    for value in values:
        handler.emit(logging.LogRecord("gamedeid", logging.DEBUG, __file__, 1, "%s %r", (value, value), None))
    return stream.getvalue()


def displays_of_error(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield each way in which an error is shown; its ``data_values``, for callers who ask, are left out."""
    yield "traceback", "".join(traceback.format_exception(error))
    yield "traceback of a log", _logged_error(error)
    yield "repr and str", f"{error!r} {error} {error.args!r}"
    yield "notes", str(getattr(error, "__notes__", ()))
    yield (
        "attributes of the class of errors",
        str({key: vars(error)[key] for key in vars(error) if key != "data_values"}),
    )
    for shown in chain_of(error):
        yield f"{type(shown).__name__} of the chain", f"{shown!r} {shown} {shown.args!r}"


def rich_traceback(error: BaseException, **how: Any) -> str:
    """Return what rich prints of an error."""
    console = Console(file=io.StringIO(), width=200)
    console.print(Traceback.from_exception(type(error), error, error.__traceback__, **how))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def chain_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors that a traceback shows with an error: its causes and contexts."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield cause
        yield from chain_of(cause)


def _logged_error(error: BaseException) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter())
    about = (type(error), error, error.__traceback__)
    handler.emit(logging.LogRecord("gamedeid", logging.ERROR, __file__, 1, "%s", (error,), about))
    return stream.getvalue()
