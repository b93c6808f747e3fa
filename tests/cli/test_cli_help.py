"""Help has examples that parse, options in groups, and no line wider than 80 columns."""

import shlex

import pytest
import typer
from small_world import all_commands, gamedeid_says

from gamedeid.cli.app import OPTIONS, load_commands
from gamedeid.cli.commands import COMMANDS, EXAMPLES

ALL = all_commands()
WHOLE = typer.main.get_command(load_commands())


def test_every_command_has_an_example_and_a_group():
    assert set(EXAMPLES) == set(ALL)
    assert {path.split()[0] for path in ALL} == {name for names in COMMANDS.values() for name in names}


def test_every_group_of_options_has_existing_options():
    there = {option.name for command in ALL.values() for option in command.params}

    assert [] == [name for names in OPTIONS.values() for name in names if name not in there]


@pytest.mark.parametrize("words", [words for examples in EXAMPLES.values() for words, _ in examples])
def test_every_example_parses(words):
    path, command, rest = [], WHOLE, shlex.split(words)
    context = command.make_context("gamedeid", list(rest), resilient_parsing=True)
    while hasattr(command, "commands"):
        path, command, rest = [*path, rest[0]], command.commands[rest[0]], rest[1:]
        context = command.make_context(path[-1], list(rest), parent=context)

    assert " ".join(path) in ALL
    assert [] == context.args


@pytest.mark.parametrize("path", ["", *ALL])
def test_help_fits_80_columns_and_ends_with_examples(path):
    said, short = (gamedeid_says(*path.split(), word, terminal_columns=80) for word in ("--help", "-h"))

    assert (0, "") == (said.code, said.err)
    assert said == short
    assert max(len(line) for line in said.out.splitlines()) <= 80
    assert "[default" not in said.out
    assert "<bool>" not in said.out
    shown = " ".join(said.out.split())
    for words, means in EXAMPLES.get(path, ()):
        assert f"gamedeid {words} {means}" in shown


def test_help_is_not_read_as_markup():
    assert [] == [path for path, command in ALL.items() for one in command.params if "[" in (one.help or "")]


def test_options_that_several_commands_share_are_in_the_same_groups():
    text = gamedeid_says("run", "-h", terminal_columns=80).out
    places = [text.index(f"─ {group} ─") for group in ("Arguments", "Options", *OPTIONS)]

    assert sorted(places) == places
    assert "─ Large files and clusters ─" in gamedeid_says("explore", "-h", terminal_columns=80).out
