"""Sentences from the catalogue, selected by their conditions, with numbers filled in."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from gamedeid.amounts import (
    dollars,
    expectation,
    four_decimals,
    joined,
    money,
    number,
    number_of,
    percent,
    significant,
)

FORMS: Mapping[str, Callable[[Any], str]] = {
    "dollars": dollars,
    "money": money,
    "percent": percent,
    "short percent": lambda value: percent(value, 1),
    "four decimals": four_decimals,
    "one digit": lambda value: number(value, 1),
    "four digits": lambda value: significant(value, 4),
    "general": lambda value: significant(value, 6),
    "count": lambda value: "none" if value is None else f"{value:,.0f}",
    "expectation": expectation,
    "list": lambda value: joined(value, "and"),
}
"""Formats of values, by the name after the colon of a field: ``{payoff:dollars}``."""

FOLDER = Path(__file__).with_name("sentences")
"""The files of the catalogue, one for each subject."""


@cache
def catalogue(subject: str) -> Mapping[str, Any]:
    """Return the tables of the file of a subject.

    Parameters
    ----------
    subject : name of the file. In a table of sentences, ``says`` of an entry is a template for :func:`fill_template`;
        ``when`` lists facts that must be true, or false after *not*, for the use of the entry (default: always).
    """
    return tomllib.loads((FOLDER / f"{subject}.toml").read_text("utf-8"))


def entries(table: str, facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a table whose conditions are true, in order, with their templates filled in.

    Parameters
    ----------
    facts : names of conditions and fields -> their values.
    """
    subject, name = table.split(".")
    for entry in catalogue(subject)[name]:
        if "when" not in entry or condition_holds(entry["when"], facts):
            yield {**entry, "says": fill_template(entry["says"], facts)} if "says" in entry else entry


def sentences(table: str, facts: Mapping[str, Any]) -> list[str]:
    """Return the sentences of a table whose conditions are true, in order."""
    return [entry["says"] for entry in entries(table, facts)]


def sentence(table: str, facts: Mapping[str, Any]) -> str:
    """Return the first sentence of a table whose condition is true; "" if there is none."""
    return next((str(entry["says"]) for entry in entries(table, facts)), "")


class _Template(Formatter):
    """A formatter of the catalogue's fields, see :func:`fill_template`."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            one, several = format_spec.split("|")
            return one if (value if isinstance(value, int) else len(value)) == 1 else several
        if format_spec.startswith("# "):
            return number_of(value, format_spec.removeprefix("# "))
        return FORMS[format_spec](value) if format_spec in FORMS else format(value, format_spec)


_TEMPLATE = _Template()


def fill_template(template: str, facts: Mapping[str, Any]) -> str:
    """Return a template with its fields filled in.

    Parameters
    ----------
    template : after the colon of a field is a name of ``FORMS``; or *#* and the noun that the value counts; or two
        words, the first for a value of 1 or a list of one item.
    facts : names of fields -> their values.

    Examples
    --------
    >>> fill_template("{rows:# row} {rows:costs|cost} {sum:dollars}", {"rows": 2, "sum": 1.5})
    '2 rows cost $1.50'
    """
    return _TEMPLATE.vformat(template, (), facts)


def condition_holds(when: str, facts: Mapping[str, Any]) -> bool:
    """Return whether a condition of the catalogue is true.

    Examples
    --------
    >>> condition_holds("proved and not limited", {"proved": True, "limited": False})
    True
    """
    return all(bool(facts[name.removeprefix("not ")]) != name.startswith("not ") for name in when.split(" and "))
