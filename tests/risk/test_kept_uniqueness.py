"""Uniqueness of kept columns: the same as by plain pandas, with a warning if high, and never a value."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import content, written_question
from small_world import gamedeid_says

import gamedeid
from gamedeid.choices import GAMES
from gamedeid.report.warnings import MOST_UNIQUE, derived_warnings, kept_words
from gamedeid.report.words.risks import uniqueness_grid, uniqueness_words
from gamedeid.study.kept import WORST_PAIRS

KEPT = {
    "ward": st.sampled_from(("north", "south", None)),
    "score": st.sampled_from((0.5, 1.0, 7.25, None)),
    "visits": st.integers(0, 30),
    "note": st.sampled_from(("a", "b", "c", "d", "e", "")),
}


def plain(release: pd.DataFrame, columns: tuple[str, ...], person: str | None) -> dict:
    """Return the uniqueness of a release by some columns, as pandas groups its rows."""
    sizes = release.groupby(list(columns), dropna=False).size()
    unique = int((sizes == 1).sum())
    found = {"columns": list(columns), "values": len(sizes), "unique": unique, "share": unique / len(release)}
    if person is not None:
        cells = release.groupby(list(columns), dropna=False).ngroup()
        sets = cells.groupby(release[person]).agg(frozenset)
        alone = int((sets.value_counts() == 1).sum())
        found |= {"unique_people": alone, "share_of_people": alone / len(sets)}
    return found


def expected(release: pd.DataFrame, kept: list[str], looked_at: int, person: str | None = None) -> dict:
    """Return all measures, with every pair counted."""
    release = release.replace({"note": {"": None}})  # an empty text is a missing value
    found = {"rows_looked_at": looked_at, "released": len(release)}
    if person is not None:
        found["people"] = release[person].nunique()
    if not len(release):
        return found | {"columns": [], "pairs": [], "together": None}
    pairs = [plain(release, pair, person) for pair in combinations(kept, 2)] if len(kept) > 2 else []
    return found | {
        "columns": [plain(release, (name,), person) for name in kept],
        "pairs": sorted(pairs, key=lambda one: -one["unique"])[:WORST_PAIRS],
        "together": plain(release, tuple(kept), person),
    }


@st.composite
def tables(draw) -> tuple[pd.DataFrame, list[str]]:
    size, kept = draw(st.integers(1, 25)), draw(st.lists(st.sampled_from(sorted(KEPT)), min_size=1, unique=True))
    drawn = {
        "who": st.integers(1, 8),
        "age": st.sampled_from((40, 41, 47, 90)),
        "sex": st.sampled_from(("Male", "Female")),
        **{name: KEPT[name] for name in kept},
    }
    return pd.DataFrame({name: draw(st.lists(one, min_size=size, max_size=size)) for name, one in drawn.items()}), kept


@pytest.mark.parametrize("person", [None, "person"])
@given(drawn=tables(), game=st.sampled_from(GAMES))
def test_each_figure_is_that_of_pandas_over_the_released_rows(person, drawn, game):
    rows, kept = drawn
    who = {"person": "who"} if person else {"drop": ["who"]}
    solution = gamedeid.solve(content({"records": {"keep": kept, **who}, "floor": "limited-data-set"}), rows, game=game)
    found = gamedeid.risk.kept_uniqueness(solution).as_dict()

    assert expected(solution.release(keep_order=True), kept, len(rows), person) == found


def test_pairs_that_cannot_be_among_the_worst_change_nothing():
    draw = np.random.default_rng(5)
    spans = {"a": 2, "b": 900, "c": 3, "d": 40, "e": 900, "f": 7, "g": 40, "h": 1}
    rows = pd.DataFrame({name: draw.integers(0, span, 1000) for name, span in spans.items()})
    rows = rows.assign(age=draw.integers(20, 90, 1000), sex="Male")
    solution = gamedeid.solve(content({"records": {"keep": list(spans)}}), rows, game="basic")

    found = gamedeid.risk.kept_uniqueness(solution).as_dict()

    assert expected(solution.release(keep_order=True), list(spans), 1000) == found


def test_all_rows_in_memory_are_looked_at_and_not_the_first_block_alone(monkeypatch):
    monkeypatch.setattr("gamedeid.study.rows_at_start.TABLE_ROWS", 10)
    rows = pd.DataFrame({"age": 40, "sex": "Male", "code": [*range(25), *range(25)]})
    solution = gamedeid.solve(content({"records": {"keep": ["code"]}}), rows, game="basic")
    found = gamedeid.risk.kept_uniqueness(solution)

    assert 10 == gamedeid.risk.kept_diversity(solution).rows_looked_at
    assert (50, 50, 0) == (found.rows_looked_at, found.released, found.columns[0].unique)


def test_nested_columns_are_left_out_and_rows_of_a_lazy_frame_are_not_counted():
    rows = pd.DataFrame({"age": [40] * 3, "sex": "Male", "code": [1, 2, 2], "nested": [[1], [2], [3]]})
    keep = ["code", "nested"]
    found = gamedeid.risk.kept_uniqueness(gamedeid.solve(content({"records": {"keep": keep}}), rows, game="basic"))
    lazy = pl.LazyFrame({"age": [40] * 3, "sex": ["Male"] * 3, "code": [1, 2, 2]})
    unseen = gamedeid.risk.kept_uniqueness(gamedeid.solve(content({"records": {"keep": ["code"]}}), lazy, game="basic"))

    assert [("code",)] == [one.columns for one in found.columns]
    assert (None, 0, None) == (unseen.rows_looked_at, unseen.released, unseen.together)
    assert ["The uniqueness of kept columns was not measured: rows are not collected from their engine."] == (
        uniqueness_words(unseen.as_dict(), 3, of_game=True)
    )
    assert not uniqueness_grid(unseen.as_dict())


def shares(unique: int, rows: int, columns: int = 2, **more) -> dict:
    """Return the summary's entry on kept columns with this many unique rows."""
    names = [f"c{place}" for place in range(columns)]
    together = {"columns": names, "values": rows, "unique": unique, "share": unique / rows, **more}
    found = {"rows_looked_at": rows, "released": rows, "columns": [together], "pairs": [], "together": together}
    return {"columns": columns, "rows_looked_at": rows, "warnings": [], "uniqueness": found}


@pytest.mark.parametrize(
    ("unique", "rows", "columns", "warned"),
    [(10, 110, 2, False), (11, 110, 2, True), (11, 110, 1, True), (10, 110, 1, False), (19, 19, 2, False)],
)
def test_a_share_above_one_in_eleven_gets_a_warning_with_twenty_rows(unique, rows, columns, warned):
    assert warned == bool(kept_words(shares(unique, rows, columns), rows))


def test_a_nearly_unique_column_gets_one_warning():
    found = shares(100, 100, 1)
    found["warnings"] = [{"column": "c0", "why": "unique", "attribute": None, "share": 1.0}]

    assert 1 == len(kept_words(found, 100))


def written(folder, rows: pd.DataFrame, keep: list[str], *, person: bool):
    """Write a question of some records, with or without a key of persons."""
    rows.to_csv(folder / "records.csv", index=False)
    who = {"person": "who"} if person else {"drop": ["who"]}
    stakes = {"benefit": 1200, "loss": 300, "cost": 4}
    return written_question(folder, {"records": {"path": "records.csv", "keep": keep, **who}, "payoffs": stakes})


@pytest.mark.parametrize("person", [True, False])
def test_command_report_and_summary_show_it_and_no_value(tmp_path, person):
    draw = np.random.default_rng(3)
    rows = pd.DataFrame(
        {
            "who": np.arange(120) // 2,
            "age": draw.integers(20, 90, 120),
            "sex": draw.choice(["Male", "Female"], 120),
            "ward": [f"SECRETW{one}" for one in draw.integers(0, 9, 120)],
            "drug": [f"SECRETD{one}" for one in draw.integers(0, 40, 120)],
            "day": [f"SECRETT{one}" for one in draw.integers(0, 40, 120)],
        }
    )
    scenario, out = written(tmp_path, rows, ["ward", "drug", "day"], person=person), tmp_path / "out"
    ran = gamedeid_says("run", scenario, "-o", out, "--game", "basic")
    said, printed = gamedeid_says("risk", "release", out), gamedeid_says("risk", "release", out, "--json")
    checked = gamedeid_says("verify", "--verbose", out, scenario)
    drafted = gamedeid_says("determination", out, "-o", tmp_path / "draft.md")
    summary, page = json.loads((out / "summary.json").read_text()), (out / "report.html").read_text()
    release = pd.read_csv(out / "release.csv")
    found = json.loads(printed.out)["kept_uniqueness"]
    warned = [one["says"] for one in summary["warnings"] if one["kind"] == "kept-column"]

    assert (0, 0, 0, 0) == (ran.code, said.code, printed.code, drafted.code)
    assert "of the kind kept-column" not in checked.out + checked.err
    assert expected(release, ["ward", "drug", "day"], 120, "person" if person else None) == found
    assert found == summary["kept_columns"]["uniqueness"]
    assert found["together"]["share"] > MOST_UNIQUE
    assert warned == [one.says for one in derived_warnings(summary) if one.kind == "kept-column"]
    assert any(one.startswith("The 3 kept columns together are unique in ") for one in warned)
    assert any(one.startswith("Two kept columns, drug and day, are unique in ") for one in warned)
    assert person == any("are unique by the set of kept values" in one for one in warned)
    for words in [*uniqueness_words(found, 120, of_game=True), "drug and day", "all 3 together"]:
        assert all(words in text for text in (said.out, page, (tmp_path / "draft.md").read_text()))
    for one in warned:
        assert one in ran.out
    assert person == ("unique people" in said.out)
    assert not any("SECRET" in text for text in (ran.out, said.out, printed.out, page, json.dumps(summary)))


@pytest.mark.parametrize("person", [True, False])
def test_verify_misses_the_warning_where_it_was_taken_out(tmp_path, person):
    rows = pd.DataFrame({"who": np.arange(60) // 2, "age": 40, "sex": "Male", "a": np.arange(60) % 8})
    scenario = written(tmp_path, rows.assign(b=np.arange(60) // 8), ["a", "b"], person=person)
    out = tmp_path / "out"
    gamedeid_says("run", scenario, "-o", out, "--game", "basic", "--no-report")
    summary = json.loads((out / "summary.json").read_text())
    del summary["kept_columns"]["uniqueness"]
    summary["warnings"] = [one for one in summary["warnings"] if one["kind"] != "kept-column"]
    (out / "summary.json").write_text(json.dumps(summary))
    checked = gamedeid_says("verify", "--verbose", out, scenario)

    lacking = "Found: summary.json: lacks a warning of the kind kept-column"
    assert 1 + person == checked.out.count(lacking)
    assert 1 + person == len({line for line in checked.out.splitlines() if line.startswith(lacking)})
