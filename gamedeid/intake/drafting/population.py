"""Records and population together: which values are in both, and which column counts people."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from gamedeid.amounts import number_of
from gamedeid.data.column_names import kind_by_name, looks_like_count, sex_of_word, words_of
from gamedeid.errors import quoted
from gamedeid.intake.drafting.levels import KINDS, DraftedHierarchy, NoHierarchy
from gamedeid.intake.drafting.scenario_text import DraftedPopulation
from gamedeid.intake.recognition.forms import numbers_of
from gamedeid.intake.recognition.observed import ObservedTable
from gamedeid.intake.recognition.recognise import Recognised
from gamedeid.reprs import frozen


@frozen
class Agreement:
    """A column of the records combined with that of the population.

    Parameters
    ----------
    found : the column of the records, with the values of the population among its own.
    words : word of the records -> word of the population that surely means the same; empty if both are alike.
    doubt : a point that a person should confirm or correct, without values; empty for none.
    """

    found: Recognised
    words: Mapping[str, str] = field(default_factory=dict, repr=False)
    doubt: str = ""


def combine_columns(records: Recognised, population: Recognised) -> Agreement:
    """Return the kind of a column, from records and population."""
    if {records.kind, population.kind} == {"ZIP code"} and records.form != population.form:
        side = "records" if records.form == "lost" else "population"
        return Agreement(found=records, doubt=f"its ZIP codes in the {side} have another form")
    words: Mapping[str, str] = {}
    doubt = ""
    if KINDS[records.kind].are_words:
        words, doubt = _compare(records.present, population.present)
    return Agreement(found=_together(records, population, words), words=words, doubt=doubt)


def _compare(records: Mapping[str, int], population: Mapping[str, int]) -> tuple[dict[str, str], str]:
    """Return the words of the records that mean words of the population, and doubts about them."""
    absent = [value for value in records if value not in population]
    if not absent:
        return {}, ""
    words = {value: same[0] for value in absent if len(same := _matching_words(value, population)) == 1}
    rows = sum(records[value] for value in absent)
    of = f"{number_of(len(absent), 'value')} of the records, in {number_of(rows, 'row')}, are written differently"
    if len(words) == len(absent):
        return words, f"{of} in the population, and the meaning of each is clear"
    if 2 * rows > sum(records.values()):
        return {}, f"{of} in the population, or do not occur there: write both alike, or add [spellings] to a hierarchy"
    return {}, ""


def _matching_words(value: str, others: Collection[str]) -> list[str]:
    """Return the words that mean a value: the same but for capitals and spaces, or the same sex."""
    alike = [other for other in others if _plain(other) == _plain(value)]
    sex = sex_of_word(value)
    return alike or [other for other in others if sex is not None and sex_of_word(other) == sex]


def _plain(value: str) -> str:
    return " ".join(value.casefold().replace("_", " ").replace("-", " ").split())


def _together(records: Recognised, population: Recognised, words: Mapping[str, str]) -> Recognised:
    """Return a column with the values of both sides, those of the records in the words of the population."""
    present = Counter(population.present)
    for value, rows in records.present.items():
        present[words.get(value, value)] += rows
    numbers, dates = records.numbers, records.dates
    if numbers is not None and population.numbers is not None:
        numbers = numbers.with_others(population.numbers)
    if dates is not None and population.dates is not None:
        dates = dates.with_others(population.dates)
    missing = tuple(sorted({*records.missing, *population.missing}))
    return replace(records, present=present, numbers=numbers, dates=dates, missing=missing)


def draft_population(
    records: ObservedTable,
    people: ObservedTable,
    attributes: Sequence[str],
    hierarchies: Mapping[str, DraftedHierarchy | NoHierarchy],
) -> DraftedPopulation:
    """Return the sentences about a population.

    Parameters
    ----------
    hierarchies : column -> its hierarchy.
    """
    count = count_column(people, attributes)
    drop = [column.name for column in people.columns if column.name not in {*attributes, count}]
    counts = {column.name: column.counts for column in records.columns}
    others = {column.name: column.counts for column in people.columns}
    parts = []
    for name in attributes:
        drafted = hierarchies[name]
        spellings = drafted.description.get("spellings", {}) if isinstance(drafted, DraftedHierarchy) else {}
        mapped = {word for words in spellings.values() for word in words}
        absent = sum(rows for value, rows in counts[name].items() if value not in others[name] and value not in mapped)
        if absent:
            parts.append(f"{quoted(name)} in {number_of(absent, 'row')}")
    absent_words = f"Values of the records that are not spelt so here: {', '.join(parts)}." if parts else ""
    return DraftedPopulation(table=people, count=count, drop=drop, absent=absent_words)


def count_column(people: ObservedTable, attributes: Sequence[str]) -> str | None:
    """Return the column with the number of people of each row: the only one so named that holds whole numbers."""
    found = []
    for column in people.columns:
        if looks_like_count(column.name) and column.name not in attributes and not column.empty:
            numbers = numbers_of(column.counts)
            if numbers is not None and numbers.whole and numbers.low >= 0 and not numbers.codes:
                found.append(column.name)
    return found[0] if len(found) == 1 else None


def absent_column(name: str, people: ObservedTable) -> str:
    """Return that a population has no column of this name, and which one could be meant; empty if it has the column."""
    names = [column.name for column in people.columns]
    if name in names:
        return ""
    kind = kind_by_name(name)
    near = [
        other
        for other in names
        if words_of(other) == words_of(name) or (kind is not None and kind_by_name(other) == kind)
    ]
    hint = f"; {quoted(near[0])} looks like it: give both one name" if near else ""
    return f"the population has no column of this name{hint}"
