"""Measures any tool's release by the game: how much detail it keeps, its payoff, and who could be found."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedeid.risk import TableRisks, table_risks

Ladders = Mapping[str, Mapping[str, Sequence[str]]]
"""Attribute -> leaf value -> its labels, from level 0 to the top."""

Rows = Sequence[Mapping[str, str]]


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file with a header."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_ladders(folder: Path, attributes: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the hierarchies of a folder, one file ``ATTRIBUTE.csv`` each."""
    ladders = {}
    for name in attributes:
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            ladders[name] = {row[0]: row for row in csv.reader(file, delimiter=";")}
    return ladders


def levels_of(release: Rows, records: Rows, ladders: Ladders) -> npt.NDArray[np.int64]:
    """Return the level at which each record is shown, (r, a); -1 in all attributes if it is not released.

    A label that several levels of a value share counts as the least general of them.

    Parameters
    ----------
    release : some of the records, in any order; ``row`` is the number of the record.
    records : all original records, (r,).
    ladders : of the attributes, (a,).

    Raises
    ------
    ValueError : a released value is none of the labels of the record's own value, or a record is released twice.
    """
    levels = np.full((len(records), len(ladders)), -1, np.int64)
    for row in release:
        number = int(row["row"])
        if levels[number, 0] >= 0:
            raise ValueError(f"record {number} is released twice")
        for place, (name, ladder) in enumerate(ladders.items()):
            labels = list(ladder[records[number][name]])
            if row[name] not in labels:
                raise ValueError(f"record {number} has no such group of {name}")
            levels[number, place] = labels.index(row[name])
    return levels


def measures_of(folder: Path, release: Any, records: int) -> dict[str, float]:
    """Return the game's measures of a release.

    Every released row is looked up in the population of the question, whatever its tool counted. ``detail`` is the mean
    of 1 - IL, where a record that is not released keeps none; ``payoff`` the publisher's, dollars per record;
    ``released`` the share of the records that show any detail, ``attacked`` of those worth an attack; ``expected`` the
    re-identifications if these are attacked, ``if_all`` if every row is; ``least`` the fewest people who match a row.
    Where the records are their own population, ``aware_expected`` and ``aware_payoff`` are the
    same against a recipient who knows how each person is released: only people whose own row is the same match a row;
    ``aware_attacked`` counts the rows that are then worth an attack.

    Parameters
    ----------
    folder : of the question, as :mod:`tool_questions` lays it out.
    release : the released rows, at least one: a file or a data frame.
    records : rows before any was withheld.
    """
    count = json.loads((folder / "question.json").read_text())["count"]
    found = _risks(folder, release, folder / ("population.csv" if count else "records.csv"), count)
    game, people, share = found.game, found.population, found.records / records
    assert game is not None
    assert game.journalist is not None
    assert people is not None
    measures = {
        "detail": share * (1 - game.information_loss),
        "payoff": share * game.journalist.publisher_payoff,
        "released": (found.records - found.suppressed) / records,
        "attacked": share * game.journalist.attacked,
        "expected": game.journalist.expected_reidentifications,
        "if_all": people.marketer.reidentifications,
        "least": float(people.k_map or 0),
    }
    if count:
        return measures
    return {
        **measures,
        "aware_expected": game.prosecutor.expected_reidentifications,
        "aware_payoff": share * game.prosecutor.publisher_payoff,
        "aware_attacked": float(round(game.prosecutor.attacked * found.records)),
    }


def counted(folder: Path, release: Path, records: int) -> dict[str, float]:
    """Return the payoff of a released file against a recipient who knows the method, by counting its equal rows alone.

    A group is the rows whose labels are equal; one that is worth an attack costs the loss once.

    Parameters
    ----------
    folder : of the question, as :mod:`tool_questions` lays it out.
    release : a table with a column for each attribute and at least one row; rows that are withheld are not in it.
    records : rows before any was withheld.

    Returns
    -------
    ``payoff`` in dollars per record, ``rows``, ``groups``, ``attacked`` groups, ``least`` rows of a group.
    """
    found = _risks(folder, release)
    assert found.game is not None
    return {
        "payoff": found.game.prosecutor.publisher_payoff * found.records / records,
        "rows": found.records,
        "groups": found.classes,
        "attacked": round(found.game.prosecutor.expected_reidentifications),
        "least": found.k_anonymity,
    }


def _risks(folder: Path, release: Any, population: Path | None = None, count: str | None = None) -> TableRisks:
    question = json.loads((folder / "question.json").read_text())
    overrides = {f"payoffs.{name}": value for name, value in question["payoffs"].items()}
    overrides |= {f'attributes."{name}".weight': weight for name, weight in question["attributes"].items()}
    return table_risks(
        release,
        list(question["attributes"]),
        population=population,
        count=count,
        hierarchies=folder / "hierarchies",
        overrides=overrides,
    )
