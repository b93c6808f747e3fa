"""Files of SAS, SPSS, Stata and Excel give the same table as Parquet; odd and damaged files give one line."""

import datetime as dt
import gzip
import json
import random
import sys
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from questions import message
from small_world import gamedeid_prints, gamedeid_says, refused

import gamedeid
from gamedeid.data.files import programs
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError

SHIPPED = Path(__file__).parents[2] / "scenarios"

ENDINGS = ("sav", "dta", "xpt", "xlsx")


def patients() -> pd.DataFrame:
    """Return people with a whole number, a number with gaps, text with gaps, a day, a moment and a time of day."""
    draw, rows = random.Random(7), []  # noqa: S311
    for number in range(60):
        day = dt.date(1930 + draw.randrange(80), draw.randint(1, 12), draw.randint(1, 28))
        moment = dt.datetime(2025, draw.randint(1, 12), 3, draw.randrange(24), draw.randrange(60), 7)  # noqa: DTZ001
        rows.append(
            {
                "number": number,
                "weight": None if number % 7 == 3 else draw.randrange(400, 1200) / 10,
                "sex": None if number % 11 == 5 else draw.choice(["f", "m", "ü"]),
                "born": None if number % 13 == 2 else day,
                "seen": None if number % 17 == 4 else moment,
            }
        )
    return pd.DataFrame(rows)


def written(frame: pd.DataFrame, path: Path) -> Path:
    """Write a frame in the format of a path's ending."""
    if path.suffix == ".sav":
        pyreadstat.write_sav(frame, path)
    elif path.suffix == ".dta":
        pyreadstat.write_dta(frame, path)
    elif path.suffix == ".xpt":
        pyreadstat.write_xport(frame, path, file_format_version=8)
    elif path.suffix == ".xlsx":
        rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
        sheet(path, [list(frame.columns), *rows])
    else:
        frame.to_parquet(path)
    return path


def sheet(path: Path, rows: list[list], merged: str | None = None) -> Path:
    """Write rows into the first sheet of a workbook, which has a second one."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([cell.to_pydatetime() if isinstance(cell, pd.Timestamp) else cell for cell in row])
    if merged:
        book.active.merge_cells(merged)
    book.create_sheet("notes").append(["not", "read"])
    book.save(path)
    return path


def read(path: Path, columns=None) -> pa.Table:
    file = TableFile.open(path)
    return file.read(columns or file.names)


def as_parquet(frame: pd.DataFrame, path: Path) -> pa.Table:
    """Return the same table from Parquet, in the types that these programs have: one of numbers, moments to the us."""
    table = read(written(frame, path))
    types = {"int64": pa.float64(), "timestamp[ns]": pa.timestamp("us"), "large_string": pa.string()}
    return table.cast(pa.schema([(field.name, types.get(str(field.type), field.type)) for field in table.schema]))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_is_the_same_table_as_parquet(ending, tmp_path):
    expected = as_parquet(patients(), tmp_path / "t.parquet")
    path = written(patients(), tmp_path / f"t.{ending}")
    assert expected.to_pydict() == read(path).to_pydict()
    assert [str(kind) for kind in expected.schema.types] == [str(kind) for kind in read(path).schema.types]


@pytest.mark.parametrize("ending", ENDINGS)
def test_only_the_wanted_columns_are_read_in_the_order_of_the_file(ending, tmp_path):
    path = written(patients(), tmp_path / f"t.{ending}")
    assert ["number", "sex"] == read(path, ["sex", "number"]).column_names
    assert ["number", "sex"] == TableFile.open(path).first_rows(["sex", "number"], 3).column_names
    assert 3 == TableFile.open(path).first_rows(["sex", "number"], 3).num_rows


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("start", [0, 1, 2])
def test_blocks_are_the_rows_from_there_on(ending, start, tmp_path, monkeypatch):
    for module in ("gamedeid.data.files.programs", "gamedeid.data.files.tables"):
        monkeypatch.setattr(f"{module}.TABLE_ROWS", 25)
    path = written(patients(), tmp_path / f"t.{ending}")
    blocks = list(TableFile.open(path).blocks(["number", "sex"], start))
    assert [25, 25, 10][start:] == [block.num_rows for block in blocks]
    assert list(range(25 * start, 60)) == pa.concat_tables(blocks).column("number").to_pylist()


@pytest.mark.parametrize("ending", ["sav", "dta", "xpt"])
def test_a_date_after_many_missing_ones_is_a_date(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "_FIRST_ROWS", 10)
    days = [None] * 30 + [dt.date(1950, 5, 6)]
    path = written(pd.DataFrame({"n": range(31), "born": days}), tmp_path / f"t.{ending}")
    assert days == read(path).column("born").to_pylist()


def test_a_file_of_sas_is_read_as_sas_wrote_it(tmp_path):
    path = tmp_path / "sample.sas7bdat"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "files" / "sample.sas7bdat.gz").read_bytes()))
    days = [dt.date(2018, 5, 6), dt.date(1880, 5, 6), dt.date(1960, 1, 1), dt.date(1583, 1, 1), None]
    expected = {
        "mychar": ["a", "b", "c", "d", "e"],
        "mynum": [1.1, 1.2, -1000.3, -1.4, 1000.3],
        "mydate": days,
        "mylabl": [1, 2, 1, 2, 1],
        "mytime": [dt.time(10, 10, 10), dt.time(23, 10, 10), dt.time(0), dt.time(16, 10, 10), None],
    }
    assert expected == read(path, list(expected)).to_pydict()
    assert 5 == TableFile.open(path).content.stated_rows


def labelled(folder: Path) -> Path:
    """Write a file of SPSS whose names say nothing, with labels of columns and values and user-missing codes."""
    draw = random.Random(5)  # noqa: S311
    rows = {
        "q1": [draw.choice([1.0, 2.0, 8.0, 9.0]) for _ in range(200)],
        "q2": [draw.randint(1, 3) for _ in range(200)],
        "q3": [draw.choice(["n", "s", "x"]) for _ in range(200)],
        "q4": [draw.randint(20, 80) for _ in range(200)],
    }
    labels = {
        "q1": {1: "Male", 2: "Female", 8: "Refused"},
        "q2": {1: "Never", 2: "Once", 3: "More often"},
        "q3": {"n": "North", "s": "South", "x": "None"},
    }
    pyreadstat.write_sav(
        pd.DataFrame(rows),
        folder / "labelled.sav",
        column_labels=[None, "Marital status", "Region", "How old were you when you first saw this place?"],
        variable_value_labels=labels,
        missing_ranges={"q1": [{"lo": 8, "hi": 9}], "q3": ["x"]},
    )
    return folder / "labelled.sav"


def test_codes_stay_codes_with_their_labels_and_user_missing_ones_are_missing(tmp_path):
    file = TableFile.open(labelled(tmp_path))
    table = file.read(["q1", "q3"])
    plain = pyreadstat.read_sav(file.path, user_missing=True)[0]
    assert [None if code > 2 else code for code in plain["q1"]] == table.column("q1").to_pylist()
    assert [None if code == "x" else code for code in plain["q3"]] == table.column("q3").to_pylist()
    expected = {
        "q1": {"1": "Male", "2": "Female"},
        "q2": {"1": "Never", "2": "Once", "3": "More often"},
        "q3": {"n": "North", "s": "South"},
    }
    assert expected == file.content.value_labels
    assert ["q2", "q3", "q4"] == list(file.content.column_labels)
    tagged = pd.DataFrame({"race": [1, 2, "a"]})
    pyreadstat.write_dta(
        tagged,
        tmp_path / "t.dta",
        missing_user_values={"race": ["a"]},
        variable_value_labels={"race": {1: "White", "a": "Refused"}},
    )
    assert {"race": {"1": "White"}} == TableFile.open(tmp_path / "t.dta").content.value_labels
    assert {"race": [1, 2, None]} == read(tmp_path / "t.dta").to_pydict()
    assert {} == TableFile.open(written(patients(), tmp_path / "t.xlsx")).content.value_labels


def test_labels_give_a_draft_its_kinds_of_columns_and_the_scenario_its_codes(tmp_path):
    draft = gamedeid.draft_scenario(labelled(tmp_path), year=2026, parts={"q4": "drop"})
    found = {column.name: (column.kind, column.part) for column in draft.columns}
    assert {"q1": "sex", "q2": "category", "q3": "place"} == {name: found[name][0] for name in ("q1", "q2", "q3")}
    assert {"attribute"} == {found[name][1] for name in ("q1", "q2", "q3")}
    scenario = gamedeid.Scenario.read(draft.write(tmp_path / "draft"))
    assert TableFile.open(tmp_path / "labelled.sav").content.value_labels == scenario.records.value_labels
    solution = gamedeid.solve(scenario, game="no-attack")
    assert solution.study.scenario.records.value_labels == scenario.resolved()["records"]["value_labels"]
    dropped = {"records.value_labels": {"q4": {"1": "one"}}}
    said = message(gamedeid.InvalidScenarioError, gamedeid.Scenario.read, tmp_path / "draft" / "scenario.toml", dropped)
    assert "records.value_labels names `q4`, which is dropped" in said


def test_cells_of_several_kinds_are_text_and_a_moment_at_midnight_is_a_moment(tmp_path):
    noon, midnight = dt.datetime(2025, 3, 4, 12), dt.datetime(2025, 3, 5)  # noqa: DTZ001
    rows = [
        ["age", "seen", "mixed", "yes"],
        [89, noon, dt.date(2025, 1, 2), True],
        ["90+", midnight, 1.5, False],
        [7.0],
    ]
    expected = {
        "age": ["89", "90+", "7"],
        "seen": [noon, midnight, None],
        "mixed": ["2025-01-02", "1.5", None],
        "yes": [True, False, None],
    }
    assert expected == read(sheet(tmp_path / "t.xlsx", rows)).to_pydict()


def test_the_value_of_a_formula_is_read(tmp_path):
    path = sheet(tmp_path / "t.xlsx", [["n", "age"], [1, "=40+2"], [2, 7]])
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    name = "xl/worksheets/sheet1.xml"
    assert b"<f>40+2</f><v" in parts[name]  # the program that computes it stores its value, openpyxl does not
    for empty in (b"<v />", b"<v></v>"):
        parts[name] = parts[name].replace(b"<f>40+2</f>" + empty, b"<f>40+2</f><v>42</v>")
    with zipfile.ZipFile(path, "w") as book:
        for part, content in parts.items():
            book.writestr(part, content)
    assert {"n": [1, 2], "age": [42, 7]} == read(path).to_pydict()


def test_empty_rows_and_columns_at_the_end_are_none(tmp_path):
    rows = [["a", "b", ""], [1, "x", ""], [None, None, None], [2, "y"], [None, None], ["", ""]]
    assert {"a": [1, None, 2], "b": ["x", None, "y"]} == read(sheet(tmp_path / "t.xlsx", rows)).to_pydict()


@pytest.mark.parametrize(
    ("rows", "merged", "said"),
    [
        ([["a", "b"], [1, 2], [3, 4]], "A2:B2", "the first sheet has merged cells (row 2)"),
        ([["a", None, "c"], [1, 2, 3]], None, "column 2 of the first sheet has no name"),
        ([["a", "b"], [1, 2, 3]], None, "column 3 of the first sheet has no name"),
        ([[None, None], ["a", "b"], [1, 2]], None, "column 1 of the first sheet has no name"),
        ([["a", "a"], [1, 2]], None, "columns 1 and 2 have the same name"),
        ([], None, "has no columns"),
        ([["a", "b"]], None, "has no rows"),
    ],
)
def test_a_sheet_without_a_table_is_refused(rows, merged, said, tmp_path):
    path = sheet(tmp_path / "t.xlsx", rows, merged)
    assert message(InvalidDataError, read, path).startswith(f"{path}: {said}")


def test_a_sheet_without_a_row_of_names_is_refused_without_its_values(tmp_path):
    path = sheet(tmp_path / "t.xlsx", [[19, "Jane Roe", 37129], [20, "John Roe", 37130]])
    said = gamedeid_says("init", path)
    assert (2, "") == (said.code, said.out)
    assert "its first row seems to hold values" in said.complaint
    assert "Roe" not in said.complaint


def test_text_in_another_encoding_is_read_by_its_name(tmp_path):
    path = written(patients(), tmp_path / "t.xpt")
    path.write_bytes(path.read_bytes().replace("ü".encode(), "ü ".encode("latin-1")))
    said = message(InvalidDataError, read, path)
    assert said == (
        f"{path}: is no readable file of SAS (its text has another encoding; name it in the scenario, encoding = ...)"
    )
    file = TableFile.open(path, encoding="latin-1")
    expected = [None if value != value else value for value in patients()["sex"]]  # noqa: PLR0124  (NaN)
    assert expected == file.read(["sex"]).column("sex").to_pylist()
    with_marks = TableFile.open(written(patients(), tmp_path / "t.sav"), encoding="UTF-8")
    assert expected == with_marks.read(["sex"]).column("sex").to_pylist()


def test_columns_are_not_named_for_these_files(tmp_path):
    path = written(patients(), tmp_path / "t.sav")
    said = message(InvalidDataError, TableFile.open, path, names=["x"])
    assert said == f"{path}: a file of SPSS names its columns; leave `columns` out"


@pytest.mark.parametrize("ending", ENDINGS)
def test_damaged_files_end_in_one_line(ending, tmp_path):
    whole = written(patients(), tmp_path / f"t.{ending}").read_bytes()
    draw, path = random.Random(ending), tmp_path / f"damaged.{ending}"  # noqa: S311
    refusals = []
    for _ in range(150):
        content = bytearray(whole)
        for _ in range(draw.choice([1, 4, 20])):
            content[draw.randrange(draw.choice([200, len(content)]))] = draw.randrange(256)
        path.write_bytes(content[: draw.choice([len(content), draw.randrange(len(content))])])
        try:
            read(path)
        except InvalidDataError as error:
            refusals.append(str(error))
    assert len(refusals) > 30
    assert all(one.startswith(f"{path}: ") and len(one.splitlines()) == 1 for one in refusals)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("content", [b"", b"age,sex\n1,f\n", b"PK\x03\x04"], ids=["empty", "csv", "zip"])
def test_commands_end_a_file_of_another_kind_with_code_2(ending, content, tmp_path):
    path = tmp_path / f"t.{ending}"
    path.write_bytes(content)
    for words in (["init", path], ["check", path]):
        said = gamedeid_says(*words)
        assert (2, "") == (said.code, said.out)
        assert "is no readable file of" in said.complaint


def quickstart(ending: str, folder: Path) -> Path:
    """Write the question of the quickstart with both tables in another format."""
    for name in ("records", "population"):
        frame = pd.read_csv(SHIPPED / "quickstart" / f"{name}.csv", dtype={"zip": str})
        written(frame, folder / f"{name}.{ending}")
    text = (SHIPPED / "quickstart.toml").read_text("utf-8")
    path = folder / "question.toml"
    path.write_text(text.replace('"quickstart/', '"').replace('.csv"', f'.{ending}"'), "utf-8")
    return path


def outputs_of(scenario: Path, engine: str) -> list[bytes]:
    """Return what a run writes."""
    folder = scenario.parent / engine
    words = ["run", scenario, "--game", "no-attack", "--engine", engine, "--no-report", "-o", folder]
    assert (0, "") == ((said := gamedeid_says(*words)).code, said.err)
    assert engine == "duckdb" or 0 == gamedeid_says("verify", folder, scenario).code
    return [(folder / name).read_bytes() for name in ("release.csv", "strategies.csv")]


@pytest.fixture(scope="module")
def of_parquet(tmp_path_factory):
    return outputs_of(quickstart("parquet", tmp_path_factory.mktemp("parquet")), "memory")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_run_has_the_same_release_as_of_parquet_with_every_engine(ending, of_parquet, tmp_path):
    scenario = quickstart(ending, tmp_path)
    assert [of_parquet] * 2 == [outputs_of(scenario, engine) for engine in ("memory", "duckdb")]


def test_a_draft_and_a_check_are_those_of_parquet_and_the_draft_runs(tmp_path):
    frame, facts = pd.read_csv(SHIPPED / "quickstart" / "records.csv", dtype={"zip": str}), {}
    for ending in ("parquet", *ENDINGS):
        path = written(frame, tmp_path / f"records.{ending}")
        said = gamedeid_prints("init", path, "--year", 2026, "--json")
        found = gamedeid_says("check", path, "--json")
        facts[ending] = (json.loads(said)["columns"], json.loads(found.out)["findings"])
    assert dict.fromkeys(facts, facts["parquet"]) == facts
    draft = gamedeid.draft_scenario(tmp_path / "records.xlsx", year=2026, parts={"name": "drop"})
    release = gamedeid.solve(draft.write(tmp_path / "draft"), game="no-attack").release(keep_order=True)
    assert "name" not in release.columns


def test_without_the_extra_one_line_says_which_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    path = written(patients(), tmp_path / "t.parquet").rename(tmp_path / "t.sav")
    assert 'python -m pip install "gamedeid[formats]"' in refused("init", path)
