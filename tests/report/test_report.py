"""Results as plain values, as files and as tables on a terminal."""

import csv
import io
import math
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from questions import question
from rich.console import Console
from rich.table import Table

from gamedeid.analysis.comparison import compare
from gamedeid.analysis.summary import chosen_strategies, run_summary
from gamedeid.arrays import OBJECT_ROWS
from gamedeid.report.terminal.console import console, fits_width, print_table
from gamedeid.report.terminal.results import print_comparison, print_run
from gamedeid.results.manifest import json_text
from gamedeid.results.tables import write_blocks
from gamedeid.study.solve import policy_solution, solve

PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})


def written(columns, form="csv") -> bytes:
    stream = io.BytesIO()
    write_blocks([columns], stream, form)
    assert not stream.closed
    return stream.getvalue()


def printed(call, *arguments, **how) -> str:
    text = io.StringIO()
    call(*arguments, Console(file=text, markup=False, emoji=False, highlight=False, soft_wrap=True, **how))
    plain = re.sub("\x1b[^m]*m", "", text.getvalue())
    return "\n".join(line.rstrip() for line in plain.splitlines()) + "\n"


def run_printed(solution, to) -> None:
    print_run(solution, to, run_summary(solution).as_dict())


def test_csv_is_written_plainly():
    columns = {
        "n": np.array([1, 2]),
        "share": np.array([0.1, 1 / 3]),
        "is": np.array([True, False]),
        "text": ["a", 'b "c", d'],
    }

    assert b'n,share,is,text\n1,0.1,true,a\n2,0.3333333333333333,false,"b ""c"", d"\n' == written(columns)


def test_a_missing_value_is_empty():
    table = pa.table({"is": [True, None, False], "text": [None, "x", ""], "n": [None, 1, 2]})

    assert b"is,text,n\ntrue,,\n,x,1\nfalse,,2\n" == written(table)
    assert b"share\n0.5\n\n\n" == written({"share": [0.5, float("nan"), None]}).replace(b'""', b"")


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\r\nb", "\r", "\n", "a,b", '"', " a ", "=1+1", "größe"])
def test_text_with_line_breaks_is_read_as_it_was(text):
    content = written({"a": [text, "x"], "b": ["y", text]}).decode()

    assert content.endswith("\n")
    assert [["a", "b"], [text, "y"], ["x", text]] == list(csv.reader(io.StringIO(content, newline=""), strict=True))
    assert "\r" not in re.sub('"[^"]*"', "", content)


def test_many_rows_are_written_block_by_block():
    content = written({"n": np.arange(2 * OBJECT_ROWS + 1)})

    assert list(range(2 * OBJECT_ROWS + 1)) == [int(line) for line in content.decode().splitlines()[1:]]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_pandas_reads_what_is_written(form):
    table = solve(question(), PEOPLE).strategies
    content = io.BytesIO(written({name: table[name].to_numpy() for name in table}, form))

    pd.testing.assert_frame_equal(table, pd.read_csv(content) if form == "csv" else pd.read_parquet(content))


def test_a_failing_stream_is_left_open():
    class Full(io.BytesIO):
        def write(self, _content):
            raise OSError(28, "No space left on device")

    stream = Full()
    with pytest.raises(OSError, match="No space left"):
        write_blocks([{"text": ["x" * 100_000]}], stream, "csv")
    assert not stream.closed


def test_json_is_indented_and_ends_in_a_line_break():
    assert '{\n  "a": "größe"\n}\n' == json_text({"a": "größe"})
    with pytest.raises(ValueError, match="JSON"):
        json_text(math.nan)


def test_a_run_without_a_population_is_summed_up():
    summary = run_summary(solve(question({"title": "Mine", "payoffs.gain": 95}), PEOPLE, game="no-attack")).as_dict()
    own = {"population": 4, "population_rows": None, "population_is_the_records": True, "unmatched": None}

    assert ("Mine", 95.0) == (summary["title"], summary["payoffs"]["gain"])
    assert {"records": 4, "profiles": 3, "strategies": 12, **own}.items() <= summary["data"].items()


def test_equally_chosen_strategies_are_listed_in_walk_order():
    frame = pd.DataFrame({"age": [48, 93], "sex": ["Male", "Female"]})
    solution = solve(question({"payoffs.loss": 10, "payoffs.gain": 10}), frame)
    policy = policy_solution(solution.study, solution.study.scenario_policy)

    assert [({"age": 0, "sex": 0}, 1), ({"age": 3, "sex": 0}, 1)] == [
        (row.levels, row.records) for row in chosen_strategies(policy)
    ]
    assert [{"age": 0, "sex": 0}] == [row.levels for row in chosen_strategies(policy, 1)]


def test_a_policy_is_printed_without_a_search():
    study = solve(question(), PEOPLE).study
    text = printed(run_printed, policy_solution(study, study.scenario_policy))

    assert text.startswith("Records: safe-harbor\n")
    assert "searched" not in text


def test_a_table_fits_a_pipe_and_a_terminal_that_is_wide_enough():
    table = Table()
    table.add_column("x" * 40)

    assert fits_width(table, Console(file=io.StringIO(), width=10))
    assert [True, False] == [fits_width(table, Console(force_terminal=True, width=width)) for width in (44, 43)]
    assert "x" * 40 in printed(print_table, table, width=10)


def test_brackets_and_colons_are_printed_as_they_are(monkeypatch, capsys):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    frame = PEOPLE.rename(columns={"sex": "[bold]sex :smile:"})
    changes = {"attributes": {"age": {"hierarchy": "age"}, "[bold]sex :smile:": {"hierarchy": "sex"}}}
    comparison = compare(question({"title": "[red]Mine[/red]", **changes}), frame)
    print_comparison(comparison, console())
    run_printed(comparison.solutions["basic"], console())
    text = capsys.readouterr().out

    assert text.startswith("[red]Mine[/red]\n")
    assert 2 == text.count("[bold]sex :smile:")


def test_a_terminal_sets_the_width(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")

    assert 40 == console().width
