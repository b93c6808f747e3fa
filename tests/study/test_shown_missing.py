"""A missing value that is released as such is a label: everything is counted as by a loop over records and people."""

from itertools import product

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import gamedeid
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.risk.records import class_sizes
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.mechanism import aware_knowledge
from gamedeid.study.study import Study

ROWS = {
    "place": [["p", "p|q", "*"], ["q", "p|q", "*"], ["r", "r|s", "*"], ["s", "r|s", "*"]],
    "sex": [["f", "*"], ["m", "*"]],
}
LADDERS = {name: {row[0]: row for row in rows} for name, rows in ROWS.items()}
NAMES = list(ROWS)
WHOLE = st.tuples(*(st.sampled_from(list(LADDERS[name])) for name in NAMES))
GAPPED = st.tuples(*(st.sampled_from([*LADDERS[name], None]) for name in NAMES))
NODES = list(product(*(range(len(rows[0])) for rows in ROWS.values())))


def scenario(**sections):
    return Scenario.parse(
        {
            "records": {"missing": "show"},
            "attributes": {name: {"hierarchy": Hierarchy.from_rows(rows, name=name)} for name, rows in ROWS.items()},
            "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
            "policy": {"open": {"levels": {}}},
            "floor": "open",
        }
        | sections
    )


def published(row: tuple, levels: tuple) -> tuple:
    """Return what is released of a row."""
    return tuple(
        "missing" if value is None else LADDERS[name][value][level]
        for name, value, level in zip(NAMES, row, levels, strict=True)
    )


def matching(label: tuple, levels: tuple, people: list, *, own: bool) -> int:
    """Count who may be the person of a released row, as the recipient can know.

    Where the records are their own population, the recipient knows who of them has no value. A table of the population
    does not say whose value the records lack: it may be anybody's.
    """
    found = 0
    for person in people:
        theirs = published(person, levels)
        found += all(one == other or (one == "missing" and not own) for one, other in zip(label, theirs, strict=True))
    return found


@given(rows=st.lists(GAPPED, min_size=1, max_size=9), others=st.none() | st.lists(WHOLE, max_size=9))
def test_people_groups_and_those_who_know_the_method_are_counted_with_the_label(rows, others):
    own = others is None
    filled = [tuple(value or next(iter(LADDERS[name])) for name, value in zip(NAMES, row, strict=True)) for row in rows]
    people = rows if own else [*others, *filled]
    frame = pd.DataFrame(rows, columns=NAMES, dtype=object)
    table = None if own else pd.DataFrame(people, columns=NAMES)
    asked = scenario() if own else scenario(population={})
    study = Study.prepare(asked, frame, table)
    instance, of_record = study.instance, study.instance.profiles.of_record

    assert study.people == len(people)
    for levels in NODES:
        node = int(instance.lattice.nodes(np.array([levels]))[0])
        for row, profile in zip(rows, of_record.tolist(), strict=True):
            if all(level >= base for level, base in zip(levels, instance.base[profile], strict=True)):
                expected = matching(published(row, levels), levels, people, own=own)
                assert expected == int(instance.people(np.array([profile]), np.array([node]))[0])

    for game in gamedeid.game_names() if hasattr(gamedeid, "game_names") else ("basic", "no-attack"):
        solution = gamedeid.solve(asked, frame, table, game=game)
        strategies = [
            None if gone else tuple(levels)
            for levels, gone in zip(
                solution.levels[of_record].tolist(), solution.withheld[of_record].tolist(), strict=True
            )
        ]
        shown = [None if one is None else published(row, one) for row, one in zip(rows, strategies, strict=True)]
        assert [one for one in shown if one is not None] == list(
            solution.release(keep_order=True)[NAMES].itertuples(index=False, name=None)
        )
        sizes = [0 if one is None else shown.count(one) for one in shown]
        assert sizes == class_sizes(solution)[of_record].tolist()
        if own:  # everybody is a record: who knows the method knows all their rows
            alike = [
                0
                if mine is None
                else sum((mine, at) == (other, there) for other, there in zip(shown, strategies, strict=True))
                for mine, at in zip(shown, strategies, strict=True)
            ]
            assert alike == aware_knowledge(solution).people[of_record].tolist()


@given(rows=st.lists(GAPPED, min_size=1, max_size=12), least=st.integers(2, 3))
def test_a_limit_on_groups_counts_released_rows_with_the_label(rows, least):
    frame = pd.DataFrame(rows, columns=NAMES, dtype=object)
    try:
        release = gamedeid.solve(scenario(limits={"smallest_cell": least}), frame).release()
    except gamedeid.GamedeidError:
        return
    assert release.groupby(NAMES).size().min() >= least if len(release) else True
