"""The detail that is left of the data: the same as plain pandas counts in the files of a run."""

import json
from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from questions import content, message, without_games_in_groups
from small_world import gamedeid_says

import gamedeid
from gamedeid.errors import InvalidScenarioError
from gamedeid.report.words.detail import weight_words
from gamedeid.risk.detail import FAR_ABOVE_OTHERS, LEAST_LOSS, ColumnDetail, ReleaseDetail
from gamedeid.risk.thresholds import SMALLEST_GROUP

SIZES = {"age": 121, "sex": 2}
ASKED = ["sex", "age", "age:2", "ward"]
WORLDS: Mapping[str, dict[str, Any]] = {
    "one adversary": {},
    "withheld": {"payoffs": {"benefit": 3, "loss": 90, "cost": 0.1}},
    "recipients": {
        "recipients": {"broker": {"probability": 0.4, "gain": 500}, "cousin": {"probability": 0.3, "knows": ["age"]}}
    },
    "persons": {"records": {"keep": ["ward"], "missing": "suppress", "person": "id"}},
}


def people(rows: int = 240) -> pd.DataFrame:
    """Return records with missing values, a rare kind of people, and several rows for some."""
    drawn = np.random.default_rng(5)
    age = pd.Series(drawn.choice([*range(30, 60), 101], rows), dtype="Int64")
    sex = pd.Series(drawn.choice(["Male", "Female"], rows, p=[0.8, 0.2]))
    ward = drawn.choice(["1", "2", "10", "rare"], rows, p=[0.5, 0.3, 0.17, 0.03])
    age[drawn.random(rows) < 0.1], sex[drawn.random(rows) < 0.15] = pd.NA, None
    return pd.DataFrame({"age": age, "sex": sex, "ward": ward, "id": np.arange(rows) * 5 // 6})


def written(folder: Path, world: str, game: str = "basic") -> tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]:
    """Write a run; return its question, its records, and the outcome of each."""
    frame = people()
    frame.to_csv(folder / "records.csv", index=False)
    changes: dict[str, Any] = {"records": {"keep": ["ward"], "drop": ["id"], "missing": "suppress"}, **WORLDS[world]}
    question = content({"floor": "limited-data-set", **changes})
    question["records"] = {**question["records"], "path": str(folder / "records.csv")}
    with without_games_in_groups():
        gamedeid.solve(question, game=game).write(folder / "out", report=False)
    frame = pd.read_csv(folder / "records.csv", dtype=str)
    return question, frame, pd.read_csv(folder / "out" / "strategies.csv")


def near(value: float) -> Any:
    """Return a number with a tolerance for the order of additions."""
    return pytest.approx(value, abs=1e-12)


def column_of(name: str, frame: pd.DataFrame, done: pd.DataFrame, top: int) -> dict[str, Any]:
    """Return the remaining detail of a column, without its loss, by a count of rows."""
    here = done.assign(missing=frame[name].isna())[~done["withheld"]]
    levels = here[~here["missing"]][name].value_counts()
    shares = {level: levels.get(level, 0) / len(frame) for level in range(top + 1)}
    return {
        "column": name,
        "as_it_is": shares[0],
        "generalized": {str(level): shares[level] for level in range(1, top)},
        "suppressed": shares[top],
        "missing": here["missing"].sum() / len(frame),
    }


def group_of(name: str | None, some: pd.DataFrame, done: pd.DataFrame) -> dict[str, Any]:
    """Return the outcome of some rows."""
    expected = done["success_probability"] * done["attacked"]
    share = expected[some.index].sum() / expected.sum() if expected.sum() else None
    return {
        "group": name,
        "records": len(some),
        "information_loss": near(some["information_loss"].mean()),
        "withheld": near(some["withheld"].mean()),
        "attacked": near(some["attacked"].mean()),
        "risk_ratio": None if share is None else near(share / (len(some) / len(done))),
    }


@pytest.mark.parametrize("game", ["basic", "no-attack"])
@pytest.mark.parametrize("world", ["one adversary", "withheld", "recipients"])
def test_columns_are_those_that_pandas_counts(tmp_path, world, game):
    question, frame, done = written(tmp_path, world, game)
    solution = gamedeid.solve(question, game=game)
    found = gamedeid.risk.release_detail(solution).as_dict()
    tops = {name: one.levels - 1 for name, one in solution.study.instance.hierarchies.items()}
    release = pd.read_csv(tmp_path / "out" / "release.csv", dtype=str)

    assert done["withheld"].mean() == found["withheld"]
    assert json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["columns"] == found["columns"]
    total = sum(log(SIZES[one["column"]]) * one["information_loss"] for one in found["columns"])
    for one in found["columns"]:
        del one["information_loss"]
        assert column_of(one["column"], frame, done, tops[one["column"]]) == one
        shares = (one["as_it_is"], *one["generalized"].values(), one["suppressed"], one["missing"], found["withheld"])
        assert near(1) == sum(shares)
        starred = (release[one["column"]] == "*").sum() / len(frame)
        assert near(starred) == one["suppressed"] + one["missing"]
    assert near(done["information_loss"].mean()) == total / sum(map(log, SIZES.values()))


@pytest.mark.parametrize(("world", "game"), [*((world, "basic") for world in WORLDS), ("withheld", "no-attack")])
def test_groups_are_those_that_pandas_takes_apart(tmp_path, world, game):
    question, frame, done = written(tmp_path, world, game)
    found = {
        f"{one['by']} {one['level']}": one
        for one in gamedeid.risk.release_detail(tmp_path / "out", question, by=["sex", "ward"]).as_dict()["groups"]
    }
    assert {"sex 0", "ward None"} == set(found)
    if world == "persons":  # a person's value is that of all the person's rows
        of_person = frame.groupby("id")["sex"]
        frame["sex"] = frame["sex"].where(
            of_person.transform(lambda rows: rows.nunique(dropna=False)) == 1, "(several)"
        )
        assert (frame["sex"] == "(several)").sum() >= SMALLEST_GROUP
    for one in found.values():
        named = {value: done[(frame[one["by"]] == value)] for value in frame[one["by"]].dropna().unique()}
        named |= {None: done[frame[one["by"]].isna()]} if frame[one["by"]].isna().any() else {}
        shown = {
            name: rows for name, rows in named.items() if len(rows) >= SMALLEST_GROUP and not rows["withheld"].all()
        }
        hidden = [rows for name, rows in named.items() if name not in shown]
        if hidden and sum(map(len, hidden)) < SMALLEST_GROUP:
            least = min(shown, key=lambda name: len(shown[name]))
            hidden.append(shown.pop(least))
        assert sorted(map(str, shown)) == sorted(str(group["group"]) for group in one["groups"])
        assert [group_of(group["group"], shown[group["group"]], done) for group in one["groups"]] == one["groups"]
        assert (group_of(None, pd.concat(hidden), done) if hidden else None) == one["remaining"]
    parts = [*found["sex 0"]["groups"], *filter(None, [found["sex 0"]["remaining"]])]
    assert len(frame) == sum(group["records"] for group in parts)


def test_groups_of_an_attribute_are_those_of_its_level(tmp_path):
    question, frame, done = written(tmp_path, "one adversary")
    solution = gamedeid.solve(question)
    (found,) = gamedeid.risk.release_detail(solution, by=["age:2"]).groups
    hierarchy = solution.study.instance.hierarchies["age"]
    labels = frame["age"].map(lambda one: None if pd.isna(one) else hierarchy.label(2, hierarchy.code(int(float(one)))))

    assert ["[30-44]", "[45-59]"] == [one.group for one in found.groups]
    for one in found.groups:
        assert group_of(one.group, done[labels == one.group], done) == one.as_dict()
    assert (labels == "[90-104]").sum() < SMALLEST_GROUP  # so the smallest other group is merged with it
    assert group_of(None, done[labels.isna() | (labels == "[90-104]")], done) == found.remaining.as_dict()


def test_a_kept_column_of_a_lazy_frame_is_counted_over_all_rows():
    rows = people()[["age", "sex", "ward"]]
    question = content({"records": {"keep": ["ward"], "missing": "suppress"}, "floor": "limited-data-set"})
    lazy = pl.from_pandas(rows).lazy()
    one, other = (gamedeid.risk.release_detail(gamedeid.solve(question, each), by=ASKED) for each in (rows, lazy))

    assert one.as_dict() == other.as_dict()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("id", "no attribute or kept column"),
        ("age:x", "ATTRIBUTE:LEVEL"),
        ("age:99", "level"),
        ("ward:1", "no attribute or kept column"),
    ],
)
def test_other_columns_and_levels_are_refused(asked, says):
    question = content({"records": {"keep": ["ward"], "drop": ["id"], "missing": "suppress"}})
    solution = gamedeid.solve({**question, "floor": "limited-data-set"}, people())

    assert says in message(InvalidScenarioError, gamedeid.risk.release_detail, solution, by=[asked])


def test_the_loss_that_a_weight_would_lessen_is_that_of_values_of_released_records():
    rows = [("", "M"), ("", "F"), ("", "F"), *[("40", "M"), ("40", "")] * 3] * 2
    scenario = {
        "records": {"missing": "suppress"},
        "attributes": {
            name: {
                "hierarchy": gamedeid.Hierarchy.from_rows([[one, "*"] for one in values], name=name),
                "role": "other",
            }
            for name, values in (("age", ["40", "41"]), ("sex", ["F", "M"]))
        },
        "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
    }
    people = pd.DataFrame(rows, columns=["age", "sex"])
    found = gamedeid.risk.release_detail(gamedeid.solve(scenario, people, game="no-attack"))

    # 6 of 18 have no age; 6 have no sex, and that of 4 of the others is suppressed
    assert pytest.approx([6 / 18, 10 / 18]) == [one.information_loss for one in found.columns]
    assert ["Attribute sex loses far more than the others (33.33%"] == [
        one.partition(" of the")[0] for one in weight_words(found)
    ]


def test_run_names_the_weight_of_a_column_that_loses_far_more_and_the_weight_helps_it():
    said = gamedeid_says("run", "quickstart", "--game", "no-attack").out
    weighted = ["run", "quickstart", "--game", "no-attack", "--set", "attributes.sex.weight=3"]
    study = gamedeid.Study.prepare("quickstart")
    detail = gamedeid.risk.release_detail(gamedeid.solve(study, game="no-attack"))
    lost = {one.column: one.information_loss for one in detail.columns}
    others = sum(lost.values()) - lost["sex"]

    assert lost["sex"] >= max(LEAST_LOSS, FAR_ABOVE_OTHERS * others / 3)
    assert ["sex"] == [one.column for one in detail.far_above_others]
    assert f"Attribute sex loses far more than the others ({lost['sex']:.2%} of the information in the values" in said
    assert "attributes.sex.weight" not in gamedeid_says(*weighted).out
    assert ".weight" not in gamedeid_says("run", "quickstart", "--game", "basic").out


def test_columns_that_lose_far_more_than_the_others_are_named_together():
    """None of them loses more than all others: two others lose as much."""
    shares: dict[str, Any] = {"as_it_is": 1.0, "generalized": {}, "suppressed": 0.0, "missing": 0.0}
    lost = {"born": 1.0, "sex": 0.0, "race": 0.0, "zip": 1.0, "seen": 1.0}
    columns = tuple(ColumnDetail(column=name, information_loss=loss, **shares) for name, loss in lost.items())
    detail = ReleaseDetail(name="basic", records=9, withheld=0.0, columns=columns, groups=(), warnings=())
    words = (
        "Attributes born, zip and seen lose far more than the others (100.00%, 100.00% and 100.00% of the "
        "information in the values of released records): for those that matter for the analysis, write greater "
        "attributes.born.weight, attributes.zip.weight and "
        "attributes.seen.weight (default: 1.0), and run again."
    )
    assert [words] == weight_words(detail)
