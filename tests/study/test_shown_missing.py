"""A missing value that is released as such is a label: all counts are those of a loop over records and people."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import written_question
from small_world import gamedeid_prints, gamedeid_says

import gamedeid
from gamedeid import Hierarchy, InvalidDataError, InvalidHierarchyError, Scenario, Study
from gamedeid.progress import unreported
from gamedeid.risk.records import class_sizes
from gamedeid.study.mechanism import aware_knowledge

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
    """Return the released labels of a row."""
    return tuple(
        "missing" if value is None else LADDERS[name][value][level]
        for name, value, level in zip(NAMES, row, levels, strict=True)
    )


def matching(label: tuple, levels: tuple, people: list, *, own: bool) -> int:
    """Count the people who match a released row, as the recipient can know.

    If the records are the population, the recipient knows which of them have no value. A table of the population
    does not say whose value the records lack: any person's may be missing.
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

    for game in ("basic", "no-attack"):
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
        if own:  # all people are records: a recipient who knows the method knows all their rows
            alike = [
                0
                if mine is None
                else sum((mine, at) == (other, there) for other, there in zip(shown, strategies, strict=True))
                for mine, at in zip(shown, strategies, strict=True)
            ]
            assert alike == aware_knowledge(solution, progress=unreported).people[of_record].tolist()


@given(rows=st.lists(GAPPED, min_size=2, max_size=12))
def test_a_limit_on_groups_counts_released_rows_with_the_label(rows):
    frame = pd.DataFrame(rows, columns=NAMES, dtype=object)
    release = gamedeid.solve(scenario(limits={"smallest_cell": 2}), frame, game="basic").release()
    assert (release.groupby(NAMES).size() >= 2).all()


FILES = {
    "records.csv": "place,sex,n\n" + "".join(f"{row},{n}\n" for n, row in enumerate(["p,f", "q,", ",m", "s,m"] * 3)),
    "people.csv": "place,sex\n" + "p,f\nq,f\nq,m\nr,m\ns,m\n" * 3,
    "place.csv": "".join(f"{';'.join(row)}\n" for row in ROWS["place"]),
    "sex.csv": "".join(f"{';'.join(row)}\n" for row in ROWS["sex"]),
}
QUESTION = {
    "floor": "open",
    "policy": {"open": {}},
    "records": {"path": "records.csv", "keep": ["n"], "missing": "show"},
    "attributes": {name: {"hierarchy": f"{name}.csv"} for name in NAMES},
    "payoffs.cost": 20,
}


@pytest.fixture(scope="module", params=[None, {"path": "people.csv"}], ids=["own population", "population"])
def run(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shown")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    asked = written_question(folder, {**QUESTION, "population": request.param})
    return folder / "out", asked, gamedeid_prints("run", asked, "--game", "no-attack", "-o", folder / "out")


def test_a_folder_says_that_it_discloses_and_holds(run):
    folder, asked, screen = run
    report = (folder / "report.html").read_text()
    assert 0 == gamedeid_says("determination", folder, "-o", folder.parent / "draft.md").code
    draft = (folder.parent / "draft.md").read_text()
    warned = "The release discloses which values were missing"
    assert warned in " ".join(screen.split())
    assert warned in report
    assert "This is a disclosure: each recipient learns which values were missing." in " ".join(draft.split())
    assert [] == list(gamedeid.verify(folder, asked).findings)
    recipients = ["naive"] if "population" in asked.read_text() else ["naive", "aware"]
    attacks = gamedeid.simulate_attacks(folder, asked, recipients=recipients, repeats=3)
    assert recipients == [one.recipient for one in attacks.recipients if one.total_agrees]


def test_a_release_is_read_back_with_suppressed_and_missing_apart(run):
    folder, asked, _ = run
    rows = gamedeid.read_release(folder, asked)
    gaps = pd.read_csv(asked.parent / "records.csv").set_index("n")[NAMES].isna().loc[rows["n"]]
    columns = {one.column: one for one in gamedeid.results.release_codebook(folder, asked).columns}
    for name, top in (("place", 2), ("sex", 1)):
        missing = (rows[name] == "missing").to_numpy()
        assert gaps[name].tolist() == missing.tolist()
        assert {top} >= set(rows[f"{name}_level"][missing])
        listed = {one.label: one.rows for one in columns[name].labels}
        assert rows[name].value_counts().to_dict() == listed
        assert columns[name].without == (missing | (rows[name] == "*")).sum()
    utility = gamedeid.risk.release_utility(folder, asked, model="n ~ sex")
    found = {one.column: (one.original_rows, one.released_rows) for one in utility.columns}
    shown = {name: (9, (~rows[name].isin(["*", "missing"])).sum()) for name in NAMES}
    assert shown == {name: found[name] for name in NAMES}


def test_a_label_that_is_ambiguous_is_refused():
    rows = pd.DataFrame([("p", None)], columns=NAMES, dtype=object)
    with pytest.raises(InvalidDataError, match="population: column `sex` has no value in 1 row"):
        gamedeid.solve(scenario(population={}), rows, rows, game="basic")
    named = Hierarchy.from_rows([["p", "missing", "*"], ["q", "missing", "*"]], name="named")
    asked = scenario(attributes={"place": {"hierarchy": named}, "sex": {"hierarchy": "sex"}})
    with pytest.raises(InvalidHierarchyError, match="has the label `missing`"):
        gamedeid.solve(asked, rows, game="basic")
