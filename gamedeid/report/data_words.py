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
    read = f"{number_of(data['records'], 'record')}, {number_of(data['profiles'], 'profile')}"
    if data.get("population_is_the_records"):
        return f"{read}; the records are their own population"
    people = number_of(data["population"], "person")
    if (fraction := data.get("sampling_fraction")) is not None:
        return f"{read}; population estimated: {people}, of whom the records are a sample of {fraction:.4g}"
    return f"{read}; population {people} in {number_of(data['population_rows'], 'row')}"


def key_words(data: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each column that repeats like a person's key.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    return [
        f"{'A dropped column' if key['column'] is None else 'Column ' + key['column']} repeats like a person's key "
        f"({number_of(key['rows'], 'row')}, {number_of(key['values'], 'value')}): rows are counted as people, though a "
        "person may have several."
        for key in data["repeated_keys"]
    ]
