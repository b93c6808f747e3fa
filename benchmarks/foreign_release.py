"""What the release of any tool means in the game: how much detail is kept, what it pays, who could be found."""

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt

from gamedeid.game.outcomes import Outcomes
from gamedeid.kernels.tables import WITHHELD
from gamedeid.study.study import Study

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
    """Return the level at which each record is shown, (r, a); -1 in all places where it is not released.

    A label that several levels of a value share is taken for the least general of them.

    Parameters
    ----------
    release : any of the records, in any order; ``row`` tells the number of the record.
    records : all records as they were, (r,).
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


def measures_of(study: Study, levels: npt.NDArray[np.int64]) -> dict[str, float]:
    """Return what a release means in the game.

    Every released row is looked up in the population of the question, whatever its tool counted. ``detail`` is the mean
    of 1 - IL, where a record that is not released keeps none; ``payoff`` the publisher's, dollars per record;
    ``released`` the share of the records that show any detail, ``attacked`` of those worth an attack; ``expected`` the
    re-identifications if these are attacked, ``if_all`` if every row is; ``least`` the fewest people who match a row
    that shows any detail. Where the records are their own population, ``aware_expected`` and ``aware_payoff`` are the
    same against a recipient who knows how everybody is released, and so takes only those for the row's person whose own
    row is the same; ``aware_attacked`` counts the rows that are then worth an attack.

    Parameters
    ----------
    study : the question.
    levels : as :func:`levels_of` returns them, (r, a).
    """
    instance = study.instance
    withheld = levels[:, 0] < 0
    nodes = np.where(withheld, WITHHELD, instance.lattice.nodes(np.maximum(levels, 0)))
    found = Outcomes(instance=instance, profiles=instance.profiles.of_record, nodes=nodes)
    chance = np.where(withheld, 0.0, found.success_probability)
    shown = ~withheld & (nodes != instance.lattice.most_general)
    measures = {
        "detail": float(1 - found.information_loss.mean()),
        "payoff": float(found.publisher_payoff.mean()),
        "released": float(shown.mean()),
        "attacked": float(found.attacked.mean()),
        "expected": float(chance[found.attacked].sum()),
        "if_all": float(chance.sum()),
        "least": float(found.people[shown].min(initial=study.people)),
    }
    return {**measures, **_aware(study, levels, found)} if study.is_own_population else measures


def _aware(study: Study, levels: npt.NDArray[np.int64], found: Outcomes) -> dict[str, float]:
    """Return what somebody gains who knows that the people behind a row are those whose rows are the same."""
    instance = study.instance
    codes = instance.profiles.codes[instance.profiles.of_record]
    groups = [
        hierarchy.groups[levels[:, place], codes[:, place]]
        for place, hierarchy in enumerate(instance.hierarchies.values())
    ]
    seen = np.column_stack([levels, *groups])
    _, same, counts = np.unique(seen, axis=0, return_inverse=True, return_counts=True)
    alike = counts[same.ravel()]
    stakes = instance.payoffs
    attacked = ~found.withheld & stakes.attacked(alike)
    expected = float((1 / alike[attacked]).sum())
    value = float((1 - found.information_loss).mean()) * stakes.benefit
    return {
        "aware_expected": expected,
        "aware_payoff": value - stakes.loss * expected / len(levels),
        "aware_attacked": float(attacked.sum()),
    }


def counted(release: Path, ladders: Ladders, payoffs: Mapping[str, float], records: int) -> dict[str, float]:
    """Return what a released file pays against a recipient who knows the method, by counting its equal rows alone.

    A group is the rows whose labels are equal; one that is worth an attack costs the loss once. A label's information
    loss is the logarithm of how many values have it in their ladder, over that of all values; all attributes weigh the
    same.

    Parameters
    ----------
    release : a table in CSV or Parquet with a column for each attribute; rows that are withheld are not in it.
    ladders : of the attributes.
    payoffs : ``benefit``, ``loss`` (and gain) and ``cost``, in dollars.
    records : rows before any was withheld.

    Returns
    -------
    ``payoff`` in dollars per record, ``rows``, ``groups``, ``attacked`` groups, ``least`` rows of a group.
    """
    sizes = [Counter(label for labels in ladder.values() for label in set(labels)) for ladder in ladders.values()]
    all_values = sum(math.log(len(ladder)) for ladder in ladders.values())
    names = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in ladders)
    read = f"read_csv('{release}', all_varchar=true)" if release.suffix == ".csv" else f"read_parquet('{release}')"
    with duckdb.connect() as database:
        groups = database.sql(f"SELECT {names}, count(*) FROM {read} GROUP BY ALL").fetchall()  # noqa: S608
    value = 0.0
    for *labels, rows in groups:
        lost = sum(math.log(size[label]) for size, label in zip(sizes, labels, strict=True)) / all_values
        value += rows * payoffs["benefit"] * (1 - lost)
    attacked = sum(payoffs["loss"] > payoffs["cost"] * group[-1] for group in groups)
    return {
        "payoff": (value - payoffs["loss"] * attacked) / records,
        "rows": sum(group[-1] for group in groups),
        "groups": len(groups),
        "attacked": attacked,
        "least": min((group[-1] for group in groups), default=0),
    }
