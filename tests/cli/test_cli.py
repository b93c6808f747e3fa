"""The command line in general: help, invalid words, and exit codes."""

import signal
import threading
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from small_world import RECORDS, gamedeid_process_says, gamedeid_says, small_world

from gamedeid import __version__
from gamedeid.cli import run_command
from gamedeid.cli.app import command_line
from gamedeid.study.study import Study


@pytest.mark.parametrize("command", [(), ("hierarchy",)])
def test_a_missing_word_prints_help(command):
    said = gamedeid_says(*command)

    assert (2, "") == (said.code, said.err)
    assert "COMMAND [ARGS]..." in said.out


def test_the_module_is_the_command():
    said = gamedeid_process_says("--version")

    assert (0, f"gamedeid {__version__}\n", "") == (said.code, said.out, said.err)


def test_completion_can_be_printed():
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # the test names the shell, which else is guessed
    shown = gamedeid_process_says("--show-completion", "bash", environment=named)
    asked = {"_GAMEDEID_COMPLETE": "complete_bash", "COMP_WORDS": "gamedeid com", "COMP_CWORD": "1"}

    assert (0, "") == (shown.code, shown.err)
    assert "complete -o default -F _gamedeid_completion gamedeid" in shown.out
    assert "compare" == gamedeid_process_says(environment=asked).out.strip()


def test_an_internal_error_shows_its_traceback(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("gamedeid.study.study.Study.prepare", fail)
    said = gamedeid_says("run", small_world(tmp_path), "-o", tmp_path / "out")

    assert (1, "") == (said.code, said.out)
    ours = "gamedeid: this is a fault of gamedeid itself; please report the lines below"
    assert f"{ours}; --show-values adds the words of the errors, which may contain values" == said.err.splitlines()[0]
    assert "in fail" in said.err
    assert "ZeroDivisionError" == said.err.splitlines()[-1]
    assert not (tmp_path / "out").exists()

    said = gamedeid_says("run", small_world(tmp_path), "--show-values")
    assert (1, ours, "ZeroDivisionError: ours") == (said.code, said.err.splitlines()[0], said.err.splitlines()[-1])


def test_messages_of_unforeseen_errors_are_shown_only_with_values(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        try:
            float(RECORDS[-3:])
        except ValueError as error:
            error.add_note("SECRETA")
            raise KeyError("SECRETB") from error

    monkeypatch.setattr("gamedeid.study.study.Study.prepare", fail)
    words = ("run", small_world(tmp_path))
    said, with_values = gamedeid_says(*words), gamedeid_says(*words, "--show-values")

    assert ["ValueError", "KeyError"] == [line for line in said.err.splitlines() if line in {"ValueError", "KeyError"}]
    assert "SECRET" not in "".join(line for line in said.err.splitlines() if not line.startswith("    "))
    assert "KeyError: 'SECRETB'" == with_values.err.splitlines()[-1]


def test_a_fault_in_another_thread_is_reported_like_one_in_this_thread(tmp_path, monkeypatch):
    prepare = Study.prepare

    def fail() -> None:
        raise KeyError(str(RECORDS))

    def prepared(*words: object, **named: object) -> Study:
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        return prepare(*words, **named)

    monkeypatch.setattr(Study, "prepare", prepared)
    hook = threading.excepthook
    said = gamedeid_says("run", small_world(tmp_path))

    assert 0 == said.code
    assert "gamedeid: this is a fault of gamedeid itself; please report the lines below" in said.err
    assert "KeyError" == said.err.splitlines()[-1]
    assert "SECRET" not in said.err
    assert hook is threading.excepthook


def test_a_process_that_runs_a_command_twice_builds_it_once():
    command_line.cache_clear()
    first, again = gamedeid_says("hierarchy", "show", "sex"), gamedeid_says("hierarchy", "show", "sex")

    assert first == again
    assert (1, 1) == (command_line.cache_info().hits, command_line.cache_info().misses)


def test_ctrl_c_interrupts_even_if_a_library_raises_another_error(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise ValueError("disturbed") from error

    monkeypatch.setattr("gamedeid.study.study.Study.prepare", fail)
    said = gamedeid_says("run", small_world(tmp_path), "-o", tmp_path / "out")

    assert (130, "", "interrupted") == (said.code, said.out, said.complaint)
    assert not (tmp_path / "out").exists()


def test_an_unread_error_message_keeps_its_exit_code():
    with Path("/dev/full").open("w") as full:
        assert 2 == gamedeid_process_says("--no-such-option", stderr=full).code


def test_an_error_message_that_cannot_be_written_is_dropped(capsys):
    with Path("/dev/full").open("w") as full, redirect_stderr(full):
        assert 2 == run_command(["run", "none.toml"])
    with redirect_stderr(None):
        assert 2 == run_command(["run", "none.toml"])
    assert ("", "") == capsys.readouterr()
