"""The printed form of a result: a table for people, or JSON for machines."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import typer

if TYPE_CHECKING:
    from rich.console import Console


class Document(Protocol):
    """A result that is printed as JSON."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        ...


def print_json(content: Document | Mapping[str, Any]) -> None:
    """Print JSON for machines, in ASCII."""
    print_plain(content if isinstance(content, Mapping) else content.as_dict())


def print_found(found: Document, table: "Callable[[Any, Console], None]", *, as_json: bool, last: str = "") -> None:
    """Print a result as JSON for machines, or for people as its table and a last line, if one is given."""
    from gamedeid.report.terminal.console import console, print_lines

    if as_json:
        print_json(found)
        return
    to = console()
    table(found, to)
    print_lines([last] if last else [], to)


def print_plain(content: object) -> None:
    """Print JSON without the name of a schema, such as a list of rows, or a schema."""
    typer.echo(json_words(content))


def json_words(content: object) -> str:
    """Return the printed text of JSON; NaN and infinities are refused."""
    return json.dumps(content, indent=2, allow_nan=False)
