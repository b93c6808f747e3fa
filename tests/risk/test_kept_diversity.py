"""What classes of a release disclose of kept columns: the same as a loop over the released rows."""

import random
from collections import Counter
from math import exp, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_groups import distance
from questions import content

import gamedeid
from gamedeid.choices import GAMES
from gamedeid.data.profiles import Column
from gamedeid.risk.diversity import column_diversity

VALUES = {
    "ordered": st.sampled_from((-2.5, 0, 1, 7, 100)),
    "equal": st.sampled_from(("flu", "asthma", "1", None)),
}


def distances(rows: list, everybody: list) -> tuple[float, str]:
    """Return the distance of a class from all rows, and the kind of distance."""
    if any(one is None or (isinstance(one, str) and not one.isdigit()) for one in everybody):
        return distance({}, rows, everybody), "equal"
    order = sorted(set(everybody), key=float)
    return distance({"distance": "ordered", "order": order}, rows, everybody), "ordered"


def plain(release: pd.DataFrame, attributes: list[str], name: str) -> dict:
    """Return the measures of one kept column of a release, class by class."""
    everybody = [None if pd.isna(one) else one for one in release[name]]
    classes: dict[tuple, list] = {}
    for key, value in zip(map(tuple, release[attributes].to_numpy()), everybody, strict=True):
        classes.setdefault(key, []).append(value)
    shares = [[count / len(rows) for count in Counter(rows).values()] for rows in classes.values()]
    away = [distances(rows, everybody) for rows in classes.values()]
    return {
        "column": name,
        "values": len(set(everybody)),
        "distinct": min(map(len, shares)),
        "entropy": pytest.approx(min(exp(-sum(share * log(share) for share in of)) for of in shares)),
        "closeness": pytest.approx(max(one for one, _ in away), abs=1e-12),
        "distance": away[0][1],
        "alone": sum(len(rows) for rows in classes.values() if len(set(rows)) == 1),
    }


@given(data=st.data(), game=st.sampled_from(GAMES), kind=st.sampled_from(sorted(VALUES)))
def test_each_measure_is_that_of_the_classes_taken_apart(data, game, kind):
    size = data.draw(st.integers(1, 20))
    drawn = {"age": st.sampled_from((40, 41, 47, 90)), "sex": st.sampled_from(("Male", "Female")), "kept": VALUES[kind]}
    rows = pd.DataFrame({name: data.draw(st.lists(one, min_size=size, max_size=size)) for name, one in drawn.items()})
    scenario = content({"records": {"keep": ["kept"]}, "floor": "limited-data-set"})
    solution = gamedeid.solve(scenario, rows, game=game)
    found = gamedeid.risk.kept_diversity(solution).as_dict()
    release = solution.release(keep_order=True)

    assert len(rows) == found["rows_looked_at"]
    assert (len(release), len(release.drop_duplicates(["age", "sex"]))) == (found["released"], found["classes"])
    assert ([plain(release, ["age", "sex"], "kept")] if len(release) else []) == found["columns"]


def test_numbers_are_ordered_also_as_text_and_a_word_among_them_is_not():
    rows = pd.DataFrame({"age": [40, 40, 90, 90], "sex": ["Male"] * 4, "a": ["1", "2", "10", "10"], "b": [*"123", "x"]})
    scenario = content({"records": {"keep": ["a", "b"]}, "floor": "limited-data-set"})
    one, other = gamedeid.risk.kept_diversity(gamedeid.solve(scenario, rows)).columns

    assert ("ordered", "equal") == (one.distance, other.distance)
    # all: half 10, a quarter 1 and 2 each; ages of 90: all 10, so that |0 - .25| and |0 - .5| over two steps remain
    assert (1, 2, 0.375) == (one.distinct, one.alone, one.closeness)


def test_a_withheld_row_does_not_decide_whether_the_released_values_are_numbers():
    # a single woman is too few for a cell, and is withheld with her value
    rows = pd.DataFrame({"age": [40] * 9 + [90], "sex": ["Male"] * 9 + ["Female"], "kept": [*"123" * 3, "many"]})
    scenario = content({"records": {"keep": ["kept"]}, "floor": "limited-data-set", "limits": {"smallest_cell": 2}})
    solution = gamedeid.solve(scenario, rows, game="no-attack")
    (found,) = gamedeid.risk.kept_diversity(solution).columns

    assert [False] * 9 + [True] == solution.strategies["withheld"].tolist()
    assert ("ordered", 3) == (found.distance, found.as_dict()["values"])


def test_the_order_of_the_classes_changes_no_digit():
    draw = random.Random(3)  # noqa: S311
    for rows in range(5, 45):
        class_of, values = (np.array(draw.choices(range(most), k=rows)) for most in (3, 5))
        classes = np.append(class_of, [0, 1, 2])
        column = Column(values=list(range(5)), codes=np.append(values, [0, 0, 0]).astype(np.int32))
        one, other = (column_diversity("stay", column, of, np.bincount(of)) for of in (classes, 2 - classes))
        assert one == other
