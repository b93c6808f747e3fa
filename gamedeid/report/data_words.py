"""What was read, in one line: how many records, and among whom they are looked up."""

from collections.abc import Mapping
from typing import Any


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
    read = f"{counted(data['records'], 'record')}, {counted(data['profiles'], 'profile')}"
    if data.get("population_is_the_records"):
        return f"{read}; the records are their own population"
    people = counted(data["population"], "person", "people")
    if (fraction := data.get("sampling_fraction")) is not None:
        return f"{read}; population estimated: {people}, of whom the records are a sample of {fraction:.4g}"
    return f"{read}; population {people} in {counted(data['population_rows'], 'row')}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun; ``many`` is the noun with an s unless given.

    Examples
    --------
    >>> counted(1, "person", "people"), counted(4723, "row")
    ('1 person', '4,723 rows')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
