"""Cells and names of columns that a spreadsheet would read as formulas, and how they are written."""

import csv
import io
import json
import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message, question
from small_world import SCENARIO, gamedeid_says, small_world

from gamedeid.errors import InvalidDataError
from gamedeid.results.formulas import defused, defused_names
from gamedeid.results.tables import write_blocks
from gamedeid.study.solve import solve

HARMFUL = {
    "=1+1": "'=1+1",
    "+1 555 1234": "'+1 555 1234",
    "-2+3+cmd|' /C calc'!A0": "'-2+3+cmd|' /C calc'!A0",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": "'\t'=1",
    "\r=1": "'\r'=1",
    "\n@": "'\n'@",
    " =1": " '=1",
    '"=1"': '"\'=1"',
    "a,=1": "a,'=1",
    "a; -b": "a; '-b",
    "a\n+b": "a\n'+b",
    "a\t@b": "a\t'@b",
    "\uff1d1": "'\uff1d1",
    "-": "'-",
    "-5|x": "'-5|x",
    "-inf": "'-inf",
}
HARMLESS = ["", "-5", "+5", " -5 ", "-5.25", "-1,234.5", "-5,25", "-.5", "-1e-5", "x-ray", "a=b", "'=1", "[40-44]", "*"]


@pytest.mark.parametrize(("text", "expected"), HARMFUL.items())
def test_text_that_could_begin_a_formula_gets_an_apostrophe(text, expected):
    assert expected == defused(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_other_texts_stay_as_they_are(text):
    assert text == defused(text)


cells = st.text(st.sampled_from("=+-@\t\r\n,;|\"' 1a.e\uff1d"), max_size=12)


@given(text=cells)
def test_no_cell_begins_with_a_formula_however_the_file_is_cut(text):
    made = defused(text)
    stream = io.BytesIO()
    write_blocks([{"note": [text], "other": ["x"]}], stream, "csv", defuse=True)
    written = stream.getvalue().decode().partition("\n")[2]

    assert made == defused(made)
    assert text.replace("'", "") == made.replace("'", "")
    assert made == next(csv.reader(io.StringIO(written, newline="")))[0]
    for cell in (made, *re.split(r'[,;|\t\r\n"]', made), *re.split(r'[,;|\t\r\n"]', written)):
        begins = cell.strip()[:1]
        assert begins not in set("=+-@\uff1d") or defused(text) == text


def test_two_names_may_not_become_one():
    assert "columns `=a` and `'=a` would both be called `'=a`; rename one of them" == message(
        InvalidDataError, defused_names, ["=a", "b", "'=a"]
    )


RECORDS = """name,age,sex,income,=note
SECRETA,40,Male,-5,=1+1
SECRETB,41,Male,-5.5,"a;@b"
SECRETC,50,Female,12,plain
SECRETD,51,Female,+x,-
"""
DEFUSED = """age,sex,income,'=note
[40-41],Male,-5,'=1+1
41,Male,-5.5,a;'@b
50,*,12,plain
51,Female,'+x,'-
"""


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_run_writes_defused_cells_and_names(engine, tmp_path):
    scenario = small_world(tmp_path, records=RECORDS, scenario=SCENARIO.replace('["income"]', '["income", "=note"]'))
    said = gamedeid_says("run", scenario, "-o", tmp_path / "out", "--defuse", "--keep-order", "--engine", engine)
    plain = gamedeid_says("run", scenario, "-o", tmp_path / "plain", "--keep-order", "--no-report")

    assert (0, 0) == (said.code, plain.code), said.err
    assert DEFUSED == (tmp_path / "out" / "release.csv").read_text()
    assert DEFUSED.replace("'", "") == (tmp_path / "plain" / "release.csv").read_text()
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["scenario"]["defuse"] is True
    assert "defuse" not in json.loads((tmp_path / "plain" / "manifest.json").read_text())["scenario"]
    assert 0 == gamedeid_says("report", tmp_path / "out").code


ROWS = {"age": [48] * 3, "sex": ["Male"] * 3, "=note": ["=1", "-5", None], "size": [-1, -2, -3]}


def texts_of(column):
    """Return the values of a column of any frame, missing ones as None."""
    values = column.to_pylist() if isinstance(column, pa.ChunkedArray) else column.to_list()
    return [None if value != value else value for value in values]  # noqa: PLR0124  (NaN)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_released_frame_is_defused_on_request(make):
    solution = solve(question({"records.keep": ["=note", "size"]}), make(ROWS))
    back = solution.release(defuse=True, keep_order=True)
    plain = {name: texts_of(back[name]) for name in (back.column_names if make is pa.table else back.columns)}

    assert type(make(ROWS)) is type(back)
    assert {"age": ["48"] * 3, "sex": ["Male"] * 3, "'=note": ["'=1", "-5", None], "size": [-1, -2, -3]} == plain
    blocks = pa.concat_tables(solution.release_blocks(defuse=True, keep_order=True))
    assert plain == blocks.to_pydict()
    assert "=note" in (solution.release().column_names if make is pa.table else solution.release().columns)


def test_rows_stored_elsewhere_are_defused_in_blocks():
    solution = solve(question({"records.keep": ["=note", "size"]}), pl.LazyFrame(ROWS))

    blocks = pa.concat_tables(solution.release_blocks(defuse=True, keep_order=True))
    assert ["'=1", "-5", None] == blocks.column("'=note").to_pylist()
