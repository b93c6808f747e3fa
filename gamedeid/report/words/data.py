"""What was read: how many records and people, and among whom a record is looked up."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import number_of
from gamedeid.catalogue import sentence, sentences


def data_words(data: Mapping[str, Any]) -> str:
    """Return what a run read, in one line.

    Examples
    --------
    >>> data_words({"records": 1, "profiles": 1, "population": 5, "population_rows": 3})
    '1 record, 1 profile; population 5 people in 3 rows'
    """
    return sentence("data.read", _facts(data))


def person_words(data: Mapping[str, Any]) -> list[str]:
    """Return what it means that several records are of one person; nothing where every record is a person."""
    return sentences("data.persons", _facts(data))


def is_estimated(data: Mapping[str, Any]) -> bool:
    """Return whether the numbers of matching people are estimates."""
    return bool(data["population_levels"]) or data["sampling_fraction"] is not None


def _facts(data: Mapping[str, Any]) -> dict[str, Any]:
    persons = data.get("persons")
    differing = persons["differing"] if persons else {}
    return {
        **data,
        "own": data.get("population_is_the_records"),
        "sampled": data.get("sampling_fraction") is not None,
        "persons": persons is not None,
        "of": f" of {number_of(persons['count'], 'person')}" if persons else "",
        "who": "these people" if persons else "the records",
        "differing": ", ".join(f"{name} of {number_of(count, 'person')}" for name, count in differing.items() if count),
    }
