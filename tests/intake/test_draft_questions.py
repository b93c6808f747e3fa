"""The questions of `gamedeid init` on a terminal."""

import sys

import pytest

from gamedeid.cli import init
from gamedeid.cli.entry_point import run_command
from gamedeid.scenario.scenario import Scenario

DOUBTFUL = "age,colour,shape,size\n" + "".join(
    f"{20 + row % 40},{'rb'[row % 2]},{'xyz'[row % 3]},{row * 1000 + row % 7}\n" for row in range(80)
)


@pytest.fixture
def answers(monkeypatch):
    """Simulate a terminal with a user who answers."""
    waiting = []
    monkeypatch.setattr(init, "is_terminal", lambda: True)
    monkeypatch.setattr(init.typer, "prompt", lambda *_, default, **__: waiting.pop(0) or default)
    return waiting


def draft(tmp_path, *words):
    """Return the exit code of a draft of the doubtful columns."""
    data = tmp_path / "things.csv"
    data.write_text(DOUBTFUL, "utf-8")
    return run_command(["init", str(data), "--year", "2026", "-o", str(tmp_path / "draft"), *words])


def drafted(tmp_path):
    assert 0 == draft(tmp_path)
    return Scenario.read(tmp_path / "draft" / "scenario.toml")


def test_enter_takes_the_proposal(tmp_path, answers, capsys):
    answers += ["", "k", "A"]
    scenario = drafted(tmp_path)

    assert ("colour",) == scenario.records.drop
    assert ("shape",) == scenario.records.keep
    assert ["age", "size"] == list(scenario.attributes)
    said = capsys.readouterr().err
    assert "3 columns in doubt" in said
    assert said.index("taken for") < said.index("3 columns in doubt"), "the table stands before the questions"
    first = " ".join(said[said.index("(1/3)") : said.index("(2/3)")].split())
    assert first.startswith("(1/3) colour: it has 2 distinct values")
    assert first.endswith('Most values look like "a" (a: a letter, 9: a digit).')


def test_the_rest_is_taken_as_proposed(tmp_path, answers, capsys):
    answers += ["k", "r"]
    scenario = drafted(tmp_path)

    assert (("colour",), ("shape", "size")) == (scenario.records.keep, scenario.records.drop)
    assert "(3/3)" not in capsys.readouterr().err


def test_after_an_invalid_answer_the_question_is_repeated(tmp_path, answers, capsys):
    answers += ["what", "d", "r"]

    assert ("colour", "shape", "size") == drafted(tmp_path).records.drop
    assert "a, k, d or r?" in capsys.readouterr().err


@pytest.mark.usefixtures("answers")
def test_a_user_who_stops_answering_has_nothing_written(tmp_path, monkeypatch, capsys):
    def stop(*_, **__):
        raise init.typer.Abort

    monkeypatch.setattr(init.typer, "prompt", stop)
    assert 130 == draft(tmp_path)
    assert [tmp_path / "things.csv"] == list(tmp_path.iterdir())
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.usefixtures("answers")
def test_with_the_option_yes_nothing_is_asked(tmp_path, capsys):
    assert 0 == draft(tmp_path, "--yes")
    assert "in doubt" not in capsys.readouterr().err


def test_a_missing_terminal_is_reported(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert not init.is_terminal()
