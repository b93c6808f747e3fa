"""What the release of any tool means in the game: how much detail is kept, what it pays, who could be found."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

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
    that shows any detail.

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
    return {
        "detail": float(1 - found.information_loss.mean()),
        "payoff": float(found.publisher_payoff.mean()),
        "released": float(shown.mean()),
        "attacked": float(found.attacked.mean()),
        "expected": float(chance[found.attacked].sum()),
        "if_all": float(chance.sum()),
        "least": float(found.people[shown].min(initial=study.people)),
    }


def best_uniform(study: Study, *, attacks: bool) -> tuple[list[int], dict[str, float]]:
    """Return the best strategy for all records alike, where those that do not pay are left out, and what it means.

    Every strategy is tried. It is what a tool can reach at most that shows each column at one level in all rows and may
    suppress whole rows.

    Parameters
    ----------
    study : the question.
    attacks : whether records that are worth an attack may be released; else they are left out.
    """
    instance, benefit = study.instance, float(study.instance.payoffs.benefit)
    weights = instance.profiles.records
    best, chosen = -1.0, -1
    for node in range(instance.lattice.size):
        payoff = np.where(_kept(study, node, attacks=attacks), _payoffs(study, node), 0.0)
        total = float((payoff * weights).sum())
        if total > best + 1e-9 * benefit * len(weights):
            best, chosen = total, node
    levels = list(instance.lattice.levels_of(chosen))
    kept = _kept(study, chosen, attacks=attacks)[instance.profiles.of_record]
    return levels, measures_of(study, np.where(kept[:, None], np.array(levels), -1))


def _payoffs(study: Study, node: int) -> npt.NDArray[np.float64]:
    return _alike(study, node).publisher_payoff


def _kept(study: Study, node: int, *, attacks: bool) -> npt.NDArray[np.bool_]:
    alike = _alike(study, node)
    return (alike.publisher_payoff >= 0) & (attacks | ~alike.attacked)


def _alike(study: Study, node: int) -> Outcomes:
    instance = study.instance
    return Outcomes(instance=instance, profiles=instance.everyone, nodes=np.full(instance.profiles.count, node))
