"""How a sentence is taken from the catalogue: by its condition, with its numbers filled in."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("sentences")
"""The files of the catalogue, one for each subject."""


@cache
def catalogue(subject: str) -> Mapping[str, Any]:
    """Return the tables of a subject, as its file has them.

    Parameters
    ----------
    subject : name of the file. An entry of a table of sentences ``says`` a template, whose fields are names of facts;
        it holds ``when`` all the facts named there are true, or false after *not* (default: always).
    """
    return tomllib.loads((FOLDER / f"{subject}.toml").read_text("utf-8"))


def entries(table: str, facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a table that hold, in its order, their templates filled in.

    Parameters
    ----------
    table : subject and name of the table: "run.answer".
    facts : names of conditions and fields -> their values.
    """
    subject, name = table.split(".")
    for entry in catalogue(subject)[name]:
        if "when" not in entry or holds(entry["when"], facts):
            yield {**entry, "says": entry["says"].format_map(facts)} if "says" in entry else entry


def sentences(table: str, facts: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a table that hold, in its order.

    Parameters
    ----------
    table, facts : as for :func:`entries`.
    """
    return [entry["says"] for entry in entries(table, facts)]


def sentence(table: str, facts: Mapping[str, Any]) -> str:
    """Return the first sentence of a table that holds; "" where none does.

    Parameters
    ----------
    table, facts : as for :func:`entries`.
    """
    return next((str(entry["says"]) for entry in entries(table, facts)), "")


def holds(when: str, facts: Mapping[str, Any]) -> bool:
    """Return whether a condition of the catalogue is true.

    Examples
    --------
    >>> holds("proved and not limited", {"proved": True, "limited": False})
    True
    """
    return all(bool(facts[name.removeprefix("not ")]) != name.startswith("not ") for name in when.split(" and "))
