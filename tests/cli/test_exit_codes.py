"""A command produces every exit code, no command exits with another, and the documentation has them all."""

import ast
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from small_world import all_commands, gamedeid_command, gamedeid_says, process_environment, small_world
from tampering import change_rows

import gamedeid
from gamedeid.cli import commands as listed
from gamedeid.cli.commands import BAD_INPUT, DONE, EXIT_CODES, FINDINGS, INTERRUPTED, NO_READER, OUR_FAULT, TERMINATED
from gamedeid.study.study import Study

HOME = Path(__file__).parents[2]
PAGE = HOME / "docs" / "reference" / "cli.md"
LOOK_FOR_SOMETHING_WRONG = {"check", "verify", "attack", "certificate"}


def reading(what: Any) -> Callable[[Any, Path], int]:
    """Return the exit code of a comparison in which a function is called when the data are read."""

    def ends(monkeypatch: Any, folder: Path) -> int:
        monkeypatch.setattr(Study, "prepare", Mock(side_effect=what))
        return gamedeid_says("compare", small_world(folder)).code

    return ends


def findings(_: Any, folder: Path) -> int:
    scenario, out = small_world(folder), folder / "out"
    assert DONE == gamedeid_says("run", scenario, "-o", out, "--no-report").code
    change_rows(out, "strategies.csv", lambda rows: rows[0].update(publisher_payoff="1.0"))
    return gamedeid_says("verify", out, scenario).code


def no_reader(_: Any, __: Path) -> int:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.run(gamedeid_command("scenarios"), check=False, stdout=write_end, env=process_environment())
    os.close(write_end)
    return process.returncode


SHOWN = {
    DONE: lambda _, folder: gamedeid_says("compare", small_world(folder)).code,
    OUR_FAULT: reading(RuntimeError("a fault of gamedeid")),
    BAD_INPUT: lambda _, folder: gamedeid_says("compare", folder / "none.toml").code,
    FINDINGS: findings,
    INTERRUPTED: reading(lambda *_, **__: signal.raise_signal(signal.SIGINT)),
    NO_READER: no_reader,
    TERMINATED: reading(lambda *_, **__: signal.raise_signal(signal.SIGTERM)),
}


@pytest.mark.parametrize("code", EXIT_CODES, ids=list(EXIT_CODES.values()))
def test_a_command_ends_with_every_code(code, monkeypatch, tmp_path):
    assert code == SHOWN[code](monkeypatch, tmp_path)


@pytest.mark.parametrize("command", [name for name, one in all_commands().items() if not hasattr(one, "commands")])
def test_every_command_exits_as_the_page_says_for_invalid_words(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert BAD_INPUT == gamedeid_says(*command.split(), "--no-such-option").code
    assert BAD_INPUT == gamedeid_says(*command.split(), *["no-such-word"] * 9).code
    assert [] == list(tmp_path.iterdir())


def test_commands_use_exit_codes_by_name_only():
    """All exits of commands take their number from the one place that defines them."""
    named = {name for name in vars(listed) if name.isupper()}
    endings = [
        (path.name, ast.unparse(call.args[0]))
        for path in sorted((Path(gamedeid.__file__).parent / "cli").rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and call.args
        if ast.unparse(call.func) in {"typer.Exit", "sys.exit", "os._exit", "exit", "SystemExit"}
    ]

    known = {"run_command(sys.argv[1:])", "BY_SIGNAL + number", "code"}
    assert [] == [(file, says) for file, says in endings if says not in known | named]
    modules = {name: module for group in listed.COMMANDS.values() for name, module in group.items()}
    looking = {f"{modules[name]}.py" for name in LOOK_FOR_SOMETHING_WRONG}
    assert looking == {file for file, says in endings if says == "FINDINGS"}


def test_the_page_of_exit_codes_has_all_of_them_by_name():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)

    assert {int(code): name for code, name in rows} == EXIT_CODES
    names = {name for name in LOOK_FOR_SOMETHING_WRONG if f"`{name}`" in PAGE.read_text("utf-8")}
    assert names == LOOK_FOR_SOMETHING_WRONG
