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


def counted(data: Mapping[str, Any]) -> tuple[int, str]:
    """Return how many records, or people where it is said whose each record is, measures are of, and which of them.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    return (data["persons"]["count"], "person") if "persons" in data else (data["records"], "record")


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


def key_words(data: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each column that repeats like a person's key.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    return [_key_sentence(key) for key in data["repeated_keys"]]


def _key_sentence(key: Mapping[str, Any]) -> str:
    column, place = key["column"], "drop" if key["column"] is None else "keep"
    line = 'person = "..." with its name' if column is None else f'person = "{column}"'
    return (
        f"{'A dropped column' if column is None else f'Column {column}'} repeats like a person's key "
        f"({number_of(key['rows'], 'row')}, {number_of(key['values'], 'value')}): rows are counted as people. If it "
        "tells people apart, a person's own rows are taken for other people who match, and may get different "
        f"strategies; write {line} under [records], and take it from {place}."
    )
