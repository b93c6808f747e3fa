"""What the reader of results is warned of: a kind and a sentence each, without any value of the data."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gamedeid.amounts import number_of, percent
from gamedeid.results.manifest import ResultWarning


def as_values(warnings: Iterable[ResultWarning]) -> list[dict[str, str]]:
    """Return warnings as ``warnings`` of ``manifest.json`` and ``summary.json``: ``kind`` and ``says`` of each."""
    return [one.as_dict() for one in warnings]


def data_warnings(data: Mapping[str, Any]) -> list[ResultWarning]:
    """Return what follows from the data alone: rows counted as people, records that match no one, estimates."""
    found = [ResultWarning(kind="rows-as-people", says=_key_sentence(key)) for key in data["repeated_keys"]]
    if words := unmatched_words(data):
        found.append(ResultWarning(kind="unmatched", says=words))
    if words := estimate_words(data["population_levels"], data["sampling_fraction"]):
        found.append(ResultWarning(kind="estimate", says=words))
    return found


def said(warnings: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the sentences of warnings."""
    return [one["says"] for one in warnings]


def counted(data: Mapping[str, Any]) -> tuple[int, str]:
    """Return how many records, or people where it is said whose each record is, measures are of, and which of them."""
    return (data["persons"]["count"], "person") if "persons" in data else (data["records"], "record")


def _key_sentence(key: Mapping[str, Any]) -> str:
    column, place = key["column"], "drop" if key["column"] is None else "keep"
    line = 'person = "..." with its name' if column is None else f'person = "{column}"'
    return (
        f"{'A dropped column' if column is None else f'Column {column}'} repeats like a person's key "
        f"({number_of(key['rows'], 'row')}, {number_of(key['values'], 'value')}): rows are counted as people. If it "
        "identifies people, the other rows of a person count as other people who match, and may get different "
        f"strategies; write {line} under [records], and remove it from {place}."
    )


def unmatched_words(data: Mapping[str, Any]) -> str:
    """Return how many records match no one in the population and what they count as; "" where all match."""
    records = data["unmatched_records"]
    if not records:
        return ""
    one = records == 1
    count, unit = counted(data)
    begins = (
        f"{records:,} of {number_of(count, unit)} ({percent(records / count)}) "
        f"match{'es' * one} no one in the population; "
    )
    if data["unmatched"] == "unique":
        return f"{begins}{'it counts' if one else 'each counts'} as one of a kind."
    if one:
        return f"{begins}released as it is, it counts as safe only because the population lacks it."
    return f"{begins}released as they are, they count as safe only because the population lacks them."


def estimate_words(levels: Mapping[str, int], fraction: float | None = None) -> str:
    """Return what is estimated about the population; "" where it is known.

    Parameters
    ----------
    levels : attribute -> level, of those that the population has at a level only.
    """
    if fraction is not None:
        return (
            f"Estimated: the records are taken for a random sample of {fraction:.4g} of a population of which nothing "
            "else is known."
        )
    if not levels:
        return ""
    known = " and ".join(f"{attribute} at level {level}" for attribute, level in levels.items())
    return f"Estimated: the population has {known} only; below, people are taken to be spread evenly."
