"""A release that is read back: each value lies within the bounds of its label, and kept columns are unchanged."""

import json
from datetime import date, timedelta
from shutil import copytree

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from small_world import QUICKSTART, gamedeid_prints, gamedeid_says

import gamedeid
from gamedeid import InvalidDataError, InvalidHierarchyError, InvalidScenarioError, OutputError

ROWS = 40
SCENARIO = """
game = "basic"
title = "Patients"
floor = "sexless"
[records]
path = "records.{form}"
keep = ["age_low", "cost", "well", "note", "left"]
missing = "suppress"
missing_values = ["unknown"]
[records.value_labels]
age_low = {{ 0 = "none", 3 = "three", 03 = "also three", 5 = "five", 9 = "nobody has it" }}
sex = {{ Female = "a woman", Male = "a man", "*" = "anybody" }}
born = {{ 1944 = "war", "1940-1944" = "no code" }}
well = {{ True = "in health" }}
cost = {{ 0 = "free" }}
[population]
path = "people.csv"
[attributes.age]
hierarchy = "ages.toml"
[attributes.seen]
hierarchy = "days.toml"
[attributes.weight]
hierarchy = "weights.toml"
[attributes.born]
hierarchy = "years.csv"
[attributes.sex]
hierarchy = "sex"
[payoffs]
benefit = 100
loss = 300
cost = 20
[policy.sexless.levels]
sex = 1
[identifiers.accept]
left = "dates"
"""
FILES = {
    "ages.toml": 'kind = "interval"\nlow = 0\nhigh = 110\nwidths = [5, 10, 40]\nopen_from = 90\n',
    "days.toml": 'kind = "date"\nlevels = ["month", "quarter", "year"]\nearliest = 2023\n',
    "weights.toml": 'kind = "number"\nbands = [[50, 70.5, 90], [70.5]]\n',
    "years.csv": "".join(f"{year};{year // 5 * 5}-{year // 5 * 5 + 4};*\n" for year in range(1930, 1960)),
}
VALUES = {"age": "number", "seen": "date", "weight": "number", "born": "number", "sex": None}


def records():
    rng = np.random.default_rng(3)
    gaps = rng.random(ROWS) < 0.1
    days = [date(2022, 1, 1) + timedelta(int(day)) for day in rng.integers(0, 1000, ROWS)]
    return pd.DataFrame(
        {
            "age": pd.Series(rng.integers(20, 105, ROWS), dtype="Int64").mask(gaps),
            "seen": [day.isoformat() for day in days],
            "weight": rng.integers(400, 1000, ROWS) / 10,
            "born": rng.integers(1930, 1960, ROWS),
            "sex": rng.choice(["Female", "Male"], ROWS),
            "age_low": pd.Series(rng.integers(0, 9, ROWS), dtype="Int64").mask(gaps),
            "cost": rng.random(ROWS),
            "well": rng.random(ROWS) < 0.5,
            "note": [f"no {row}" for row in range(ROWS)],
            "left": days,
        }
    )


def world(folder, form):
    for name, content in FILES.items():
        (folder / name).write_text(content)
    (folder / "scenario.toml").write_text(SCENARIO.format(form=form))
    people = records()[list(VALUES)].fillna({"age": 50})
    people.to_csv(folder / "people.csv", index=False)
    if form == "csv":
        records().to_csv(folder / "records.csv", index=False, na_rep="unknown")
    else:
        pa.parquet.write_table(pa.Table.from_pandas(records(), preserve_index=False), folder / "records.parquet")
    return folder / "scenario.toml"


def run(scenario, *words):
    gamedeid_prints("run", scenario, "-o", scenario.parent / "out", "--no-report", *words)
    return scenario.parent / "out"


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory):
    """Return form -> the scenario next to a folder of results, Parquet in the order of the records."""
    found = {}
    for form, words in (("csv", ()), ("parquet", ("--keep-order",))):
        found[form] = world(tmp_path_factory.mktemp(form), form)
        run(found[form], "--game", "no-attack", "--format", form, *words)
    return found


@pytest.fixture
def scenario(scenarios, tmp_path):
    """Return a copy of the CSV results, which a test may change."""
    copytree(scenarios["csv"].parent, tmp_path / "copy")
    return tmp_path / "copy" / "scenario.toml"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_every_value_lies_within_the_bounds_of_its_label(scenarios, form):
    folder = scenarios[form].parent / "out"
    found = gamedeid.read_release(folder, scenarios[form], separator=".")

    original = records().assign(seen=lambda frame: pd.to_datetime(frame["seen"]))
    read = pd.read_csv if form == "csv" else pd.read_parquet
    strategies = read(folder / f"strategies.{form}")
    place = found["note"].str.removeprefix("no ").astype(int)
    assert (form == "parquet") == place.is_monotonic_increasing
    bounded = 0
    for name, kind in VALUES.items():
        label, low, high, middle, level = (found[f"{name}{part}"] for part in ("", *PARTS))
        values = original[name].loc[place].reset_index(drop=True)
        if kind is None:
            assert pd.concat([low, high, middle]).isna().all()
        else:
            assert ("datetime64[s]" if kind == "date" else "float64") == low.dtype == high.dtype == middle.dtype
            known = values.notna()
            assert (low.isna() | (low <= values))[known].all()
            assert (high.isna() | (values <= high))[known].all()
            assert low.isna().eq(label.eq("*") | label.str.startswith("<")).all()
            assert high.isna().eq(label.eq("*") | label.str.endswith("+")).all()
            assert middle.isna().eq(low.isna() | high.isna()).all()
            assert ((middle - low) == (high - middle))[middle.notna()].all()
            bounded += low.notna().any()
        assert (label[values.isna()] == "*").all()
        stated = strategies[name].loc[place].reset_index(drop=True)
        top = {"age": 4, "seen": 4, "weight": 3, "born": 2, "sex": 1}[name]
        assert level.tolist() == stated.groupby(label).transform("min").where(label != "*", top).tolist()
    assert 1 <= bounded


PARTS = (".low", ".high", ".midpoint", ".level")


def test_kept_columns_of_parquet_have_their_types_and_those_of_csv_what_pandas_infers(scenarios):
    names = ["age_low", "cost", "well", "note", "left"]
    plain = records()[names]
    of_parquet, of_csv = (
        gamedeid.read_release(scenarios[form].parent / "out", scenarios[form], separator=".")[names]
        for form in ("parquet", "csv")
    )
    order = of_csv["note"].str.removeprefix("no ").astype(int)

    pd.testing.assert_frame_equal(plain.astype({"left": "datetime64[ms]"}), of_parquet)
    inferred = pd.read_csv(scenarios["csv"].parent / "records.csv", usecols=names, na_values=["unknown"])[names]
    pd.testing.assert_frame_equal(inferred.loc[order].reset_index(drop=True), of_csv)
    assert 0 < of_csv["age_low"].isna().sum() < ROWS


def test_an_apostrophe_before_a_label_is_not_read_and_stays(tmp_path):
    (tmp_path / "cold.csv").write_text("-7;-9--5;*\n-6;-9--5;*\n3;1-4;*\n2;1-4;*\n")
    (tmp_path / "records.csv").write_text("cold\n-7\n-6\n3\n2\n")
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(
        'game = "basic"\nfloor = "wide"\n[policy.wide]\nlevels = { cold = 1 }\n'
        '[records]\npath = "records.csv"\n[attributes.cold]\nhierarchy = "cold.csv"\n'
        "[payoffs]\nbenefit = 100\nloss = 90\ncost = 50\n"
    )
    found = gamedeid.read_release(run(scenario, "--defuse"), scenario)

    assert ["'-9--5", "'-9--5", "1-4", "1-4"] == found["cold"].tolist()
    assert [-9, -9, 1, 1] == found["cold_low"].tolist()
    assert [-5, -5, 4, 4] == found["cold_high"].tolist()


def test_a_folder_that_was_changed_is_refused(scenario):
    folder = scenario.parent / "out"
    release = folder / "release.csv"
    release.chmod(0o600)
    release.write_text(release.read_text().replace("Male", "Female", 1))

    with pytest.raises(OutputError, match="was changed after the run"):
        gamedeid.read_release(folder, scenario)


def test_a_changed_or_missing_hierarchy_or_one_without_a_file_is_refused(scenario, monkeypatch):
    folder = scenario.parent / "out"
    years = scenario.parent / "years.csv"
    content = years.read_text()
    years.write_text(content.replace("1930-1934", "1920-1934"))
    with pytest.raises(InvalidDataError, match="the input `hierarchy born` has changed since the run"):
        gamedeid.read_release(folder, scenario)
    years.write_text(content)
    monkeypatch.chdir(scenario.parent)
    assert ROWS == len(gamedeid.read_release("out", separator="."))
    monkeypatch.chdir("/")
    with pytest.raises(InvalidDataError, match="give the scenario, which says where the files are"):
        gamedeid.read_release(folder)
    years.unlink()
    with pytest.raises(InvalidHierarchyError, match=r"years\.csv is no file"):
        gamedeid.read_release(folder, scenario)


def test_a_hierarchy_that_was_no_file_is_taken_from_the_scenario_only(tmp_path):
    pd.DataFrame({"age": [1, 2, 3, 4]}).to_csv(tmp_path / "records.csv", index=False)
    age = gamedeid.Hierarchy.intervals(0, 9, [5], name="age")
    question = gamedeid.Scenario(
        records=gamedeid.Records(path=tmp_path / "records.csv"),
        attributes={"age": gamedeid.Attribute(hierarchy=age, role="age")},
        payoffs={"benefit": 100, "loss": 90, "cost": 30},
    )
    gamedeid.solve(question, game="basic").write(tmp_path / "out", report=False)

    with pytest.raises(InvalidScenarioError, match="the hierarchy of `age` was no file"):
        gamedeid.read_release(tmp_path / "out")
    found = gamedeid.read_release(tmp_path / "out", question)
    assert {"[0-4]"} == set(found["age"])
    assert [(0, 4, 2, 1)] * 4 == list(found.iloc[:, 1:].itertuples(index=False, name=None))


@pytest.mark.parametrize(("role", "value"), [("date", date(1940, 3, 3)), ("other", None)])
def test_the_role_that_the_scenario_states_tells_dates(role, value, tmp_path):
    (tmp_path / "days.csv").write_text("1940-03-03;1940;*\n1941-01-01;1941;*\n")
    pd.DataFrame({"day": ["1940-03-03"] * 3}).to_csv(tmp_path / "records.csv", index=False)
    question = {
        "records": {"path": tmp_path / "records.csv"},
        "floor": "limited-data-set",
        "attributes": {"day": {"hierarchy": str(tmp_path / "days.csv"), "role": role}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    gamedeid.solve(question, game="basic").write(tmp_path / "out", report=False)

    found = gamedeid.read_release(tmp_path / "out", question)["day_low"]
    assert found.isna().all() if value is None else (found == pd.Timestamp(value)).all()


def test_other_stakes_and_limits_do_not_matter_but_other_records_do(scenario):
    folder, text = scenario.parent / "out", scenario.read_text("utf-8")
    expected = gamedeid.read_release(folder, scenario, separator=".")
    scenario.write_text(f"{text}\n[limits]\nsmallest_cell = 2\n", "utf-8")
    pd.testing.assert_frame_equal(expected, gamedeid.read_release(folder, scenario, separator="."))
    scenario.write_text(text.replace('"note", ', ""), "utf-8")
    with pytest.raises(InvalidScenarioError, match=r"changed since, in `records\.keep`"):
        gamedeid.read_release(folder, scenario, separator=".")


def test_a_column_with_the_name_of_a_part_asks_for_another_separator(scenario):
    with pytest.raises(InvalidDataError, match="`age_low` already; give another separator"):
        gamedeid.read_release(scenario.parent / "out", scenario)


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(("attribute", "kept"), [("", "stay"), ("age", "")])
def test_a_column_without_a_name_keeps_none(form, attribute, kept, tmp_path):
    scenario = {
        "records": {"keep": [kept]},
        "attributes": {attribute: {"hierarchy": "age", "role": "age"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    }
    frame = pd.DataFrame({attribute: [48] * 3, kept: [1, 2, 3]})
    gamedeid.solve(scenario, frame, game="basic").write(tmp_path / "out", form=form, report=False)
    rows = gamedeid.read_release(tmp_path / "out", scenario)

    assert [attribute, *(f"{attribute}_{part}" for part in ("low", "high", "midpoint", "level")), kept] == list(rows)
    assert [1, 2, 3] == rows[kept].tolist()


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_codebook_has_the_rows_and_bounds_of_each_label_that_was_released(scenarios, form, tmp_path):
    folder = scenarios[form].parent / "out"
    found = gamedeid.results.release_codebook(folder, scenarios[form])
    rows = gamedeid.read_release(folder, scenarios[form], separator=".")
    found.write(tmp_path / "codebook.csv")
    written = pd.read_csv(tmp_path / "codebook.csv", dtype=str, keep_default_na=False)
    columns = {one.column: one for one in found.columns}

    assert [name for name in rows if "." not in name] == [*columns]
    for name, kind in VALUES.items():
        column, counted = columns[name], rows[name].value_counts()
        stars = counted.get("*", 0)
        assert ("attribute", kind or "text", len(rows) - stars, stars) == tuple(column.as_dict().values())[1:5]
        assert counted.to_dict() == {one.label: one.rows for one in column.labels}
        for one in column.labels:
            first = rows[rows[name] == one.label].iloc[0]
            bounds = [first[f"{name}.{end}"] for end in ("low", "high")]
            assert one.level == first[f"{name}.level"]
            assert [str(end) if pd.notna(end) else "" for end in bounds] == [
                "" if end is None else str(pd.Timestamp(end)) if kind == "date" else str(float(end))
                for end in (one.low, one.high)
            ]
        mine = written[written["column"] == name][["label", "level", "low", "rows"]]
        listed = [[one.label, str(one.level), one.low or "", str(one.rows)] for one in column.labels]
        assert listed == mine.to_numpy().tolist()
    for name in ("cost", "age_low"):
        kept, *_ = written[written["column"] == name].to_dict("records")
        assert ("kept", "", str(rows[name].notna().sum())) == (kept["role"], kept["label"], kept["rows"])
    assert 0o600 == (tmp_path / "codebook.csv").stat().st_mode & 0o777


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_codebook_says_what_codes_mean_that_the_release_has_and_no_others(scenarios, form):
    folder, given = scenarios[form].parent / "out", gamedeid.Scenario.read(scenarios[form])
    found = gamedeid.results.release_codebook(folder, given)
    rows = gamedeid.read_release(folder, given, separator=".")
    columns = {one.column: one for one in found.columns}
    meanings = {
        name: {one.label: (one.meaning, one.level, one.rows) for one in column.labels if one.meaning}
        for name, column in columns.items()
    }

    low = rows["age_low"].value_counts()
    assert {"0": ("none", 0, low[0]), "5": ("five", 0, low[5])} == meanings["age_low"]  # 3 and 03 are one number
    assert {"True": ("in health", 0, rows["well"].sum())} == meanings["well"]
    exact = rows["sex"].value_counts().drop("*", errors="ignore")
    labels = given.records.value_labels["sex"]
    assert {code: (labels[code], 0, count) for code, count in exact.items()} == meanings["sex"] != {}
    year = rows.loc[(rows["born"] == "1944"), "born.level"]
    assert ({"1944": ("war", 0, len(year))} if len(year) else {}) == meanings["born"]
    assert {"cost": {}, "note": {}} == {name: meanings[name] for name in ("cost", "note")}
    for name, column in columns.items():
        counts = rows[f"{name}.level"].value_counts() if name in VALUES else {}
        assert {str(level): count for level, count in dict(counts).items()} == column.rows_by_level


def test_a_codebook_of_a_release_without_rows_has_its_columns(tmp_path):
    withheld = {"records.keep": [], "records.drop": ["name", "diagnosis"], "payoffs.cost": 0.001, "payoffs.loss": 1e9}
    scenario = gamedeid.Scenario.read(QUICKSTART, withheld)
    gamedeid.solve(scenario, game="basic").write(tmp_path / "run", report=False)
    found = gamedeid.results.release_codebook(tmp_path / "run", scenario)
    found.write(tmp_path / "codebook.csv")
    written = pd.read_csv(tmp_path / "codebook.csv")

    assert 0 == found.rows
    assert ["age", "sex", "race", "zip"] == written.column.tolist()
    assert [0] * 4 == written.rows.tolist()
    assert written.label.isna().all()


def test_the_command_prints_the_codebook_and_replaces_a_file_only_if_it_is_told_to(scenario, tmp_path):
    out, path = run(scenario, "--overwrite", "--defuse"), tmp_path / "book.csv"
    said = gamedeid_says("codebook", out, scenario, "--json")
    printed = gamedeid_says("codebook", out, scenario, "-o", path)

    assert (0, "", 0, "") == (said.code, said.err, printed.code, printed.err)
    assert gamedeid.results.release_codebook(out, scenario).as_dict() == json.loads(said.out)
    assert all(word in printed.out for word in ("attribute", "rows without", "number"))
    assert "no 1" not in printed.out + path.read_text()  # a value of a kept column
    assert "--overwrite" in gamedeid_says("codebook", out, scenario, "-o", path).complaint
    assert 0 == gamedeid_says("codebook", out, scenario, "-o", path, "--overwrite").code
    assert "say which with -o FILE" in gamedeid_says("codebook", out, scenario, "--overwrite").complaint
