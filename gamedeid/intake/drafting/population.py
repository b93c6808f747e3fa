"""What a drafted scenario says of the population: which column counts people, and which records match nobody in it."""

from collections.abc import Mapping, Sequence

from gamedeid.amounts import number_of
from gamedeid.data.column_names import kind_named, looks_like_count, words_of
from gamedeid.errors import quoted
from gamedeid.intake.drafting.levels import DraftedLadder, NoLadder
from gamedeid.intake.drafting.scenario_text import DraftedPopulation
from gamedeid.intake.recognition.numbers import numbers_of
from gamedeid.intake.recognition.observed import ObservedTable


def draft_population(
    records: ObservedTable,
    people: ObservedTable,
    attributes: Sequence[str],
    ladders: Mapping[str, DraftedLadder | NoLadder],
) -> DraftedPopulation:
    """Return what is said of a population.

    Parameters
    ----------
    records, people : both files as they were seen.
    attributes : columns of both.
    ladders : column -> its hierarchy.
    """
    count = count_column(people, attributes)
    drop = [column.name for column in people.columns if column.name not in {*attributes, count}]
    mine = {column.name: column.counts for column in records.columns}
    theirs = {column.name: column.counts for column in people.columns}
    parts = []
    for name in attributes:
        ladder = ladders[name]
        spellings = ladder.description.get("spellings", {}) if isinstance(ladder, DraftedLadder) else {}
        mapped = {word for words in spellings.values() for word in words}
        absent = sum(rows for value, rows in mine[name].items() if value not in theirs[name] and value not in mapped)
        if absent:
            parts.append(f"{quoted(name)} in {number_of(absent, 'row')}")
    told = f"Values that stand nowhere here as they are written: {', '.join(parts)}." if parts else ""
    return DraftedPopulation(table=people, count=count, drop=drop, absent=told)


def count_column(people: ObservedTable, attributes: Sequence[str]) -> str | None:
    """Return the column that says how many people a row stands for: the only one so named that holds whole numbers."""
    found = []
    for column in people.columns:
        if looks_like_count(column.name) and column.name not in attributes and not column.empty:
            numbers = numbers_of(column.counts)
            if numbers is not None and numbers.whole and numbers.low >= 0 and not numbers.codes:
                found.append(column.name)
    return found[0] if len(found) == 1 else None


def absent_column(name: str, people: ObservedTable) -> str:
    """Return that a population has no column of a name, and which of its columns could be meant; empty where it has."""
    names = [column.name for column in people.columns]
    if name in names:
        return ""
    kind = kind_named(name)
    near = [
        other
        for other in names
        if words_of(other) == words_of(name) or (kind is not None and kind_named(other) == kind)
    ]
    hint = f"; {quoted(near[0])} looks like it: give both one name" if near else ""
    return f"the population has no column of this name{hint}"
