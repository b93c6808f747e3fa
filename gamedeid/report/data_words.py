"""What was read, in one line: how many records, and among whom they are looked up."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import number_of


def data_words(data: Mapping[str, Any]) -> str:
    """Return what a run read, in one line.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.

    Examples
    --------
    >>> data_words({"records": 1, "profiles": 1, "population": 5, "population_rows": 3})
    '1 record, 1 profile; population 5 people in 3 rows'
    """
    persons = data.get("persons")
    of_whom = "" if persons is None else f" of {number_of(persons['count'], 'person')}"
    read = f"{number_of(data['records'], 'record')}{of_whom}, {number_of(data['profiles'], 'profile')}"
    if data.get("population_is_the_records"):
        return f"{read}; {'the records' if persons is None else 'these people'} are their own population"
    people = number_of(data["population"], "person")
    if (fraction := data.get("sampling_fraction")) is not None:
        return f"{read}; population estimated: {people}, of whom the records are a sample of {fraction:.4g}"
    return f"{read}; population {people} in {number_of(data['population_rows'], 'row')}"


def is_estimated(data: Mapping[str, Any]) -> bool:
    """Return whether the numbers of people who match are estimates.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    return bool(data["population_levels"]) or data["sampling_fraction"] is not None


def person_words(data: Mapping[str, Any]) -> list[str]:
    """Return what it means that several records are one person's; nothing where every record is a person.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    persons = data.get("persons")
    if persons is None:
        return []
    words = ["Each person is counted once and gets one strategy; below, what is said of records is said of people."]
    differing = {name: number for name, number in persons["differing"].items() if number}
    if differing:
        listed = ", ".join(f"{name} of {number_of(number, 'person')}" for name, number in differing.items())
        words.append(f"Records of one person differ in {listed}; strategies begin at the levels at which they agree.")
    return words
