"""Check which column counts the people of a population: none is overlooked, and the sum is plausible."""

import json
from collections.abc import Collection, Sequence

from gamedeid.data.column_names import looks_like_count
from gamedeid.errors import InvalidDataError, quoted
from gamedeid.scenario.sections import Population


def refuse_unnamed_count(
    whose: str, names: Sequence[str], section: Population, declared: Collection[str], place: str = "population"
) -> None:
    """Refuse a column that by its name is how many people a row stands for, while the scenario names none.

    Parameters
    ----------
    whose : the table, for messages.
    names : its columns.
    section, declared : what the scenario says of the population, and the columns that it names.
    place : where the scenario says it.

    Raises
    ------
    InvalidDataError : there is one.
    """
    for name in names:
        if section.count is None and looks_like_count(name) and name not in set(declared):
            raise InvalidDataError(
                f"{whose}: column {quoted(name)} looks like a number of people, but without [{place}] count every "
                f'row is one person; set count = "{name}", or drop = ["{name}"] if it means something else'
            )


def refuse_unnamed_numbers(whose: str, numbers: Sequence[str], section: Population, place: str = "population") -> None:
    """Refuse columns of numbers that the scenario does not mention: one may be how many people a row stands for.

    Parameters
    ----------
    whose : the table, for messages.
    numbers : names of the columns of numbers that are neither attributes nor the count nor dropped.
    section : what the scenario says of the population.
    place : where the scenario says it.

    Raises
    ------
    InvalidDataError : there is one.
    """
    if not numbers:
        return
    many = len(numbers) > 1
    listed = ", ".join(quoted(name) for name in numbers)
    holds = f"{whose}: column{'s' * many} {listed} hold{'s' * (not many)} numbers"
    drop = f"add {listed} to [{place}] drop" if section.drop else f"set [{place}] drop = {as_toml(numbers)}"
    if section.count is not None:
        what = "are neither attributes" if many else "is neither an attribute"
        raise InvalidDataError(f"{holds}, but {what} nor the count of people; {drop} if they need not be counted")
    one, count = ("one of them", "its name") if many else ("it", as_toml(numbers[0]))
    raise InvalidDataError(
        f"{holds}, but without [{place}] count every row is one person; if {one} says how many people a row stands "
        f"for, set count = {count}, else {drop}"
    )


def refuse_weights(whose: str, people: int, section: Population, place: str = "population") -> None:
    """Refuse counts that add up to more people than there are likely to be.

    Parameters
    ----------
    whose : the table, for messages.
    people : what its count column adds up to.
    section : what the scenario says of the population.
    place : where the scenario says it.

    Raises
    ------
    InvalidDataError : they are more than ``[population] most_people``.
    """
    if section.count is not None and people > section.most_people:
        raise InvalidDataError(
            f"{whose}: count column {quoted(section.count)} adds up to {people:,} people, more than "
            f"{section.most_people:,}; are these weights? If they do count people, set [{place}] most_people = "
            f"{people}"
        )


def as_toml(value: str | Sequence[str]) -> str:
    """Return a text, or a list of them, as it is written in TOML."""
    return json.dumps(value, ensure_ascii=False)
