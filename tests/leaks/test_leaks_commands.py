"""No command says, logs or writes a value that it should not: done, refused, interrupted, failed."""

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import typer
from leak_made import Made
from leak_marks import CROWD, DROPPED, DROPPED_NAME, FAULTY, FOLDER, KEPT, KEY_NAME, RAW, assert_bare
from leak_world import FAULTS, write_divided, write_faulty_world
from small_world import Said, gamedeid_says

from gamedeid.cli.app import load_commands
from gamedeid.study.study import Study

_NUMBERS = count()


@dataclass(frozen=True)
class Place:
    """The files that a command's words name.

    Parameters
    ----------
    scenario : the question; ``of_rows``, the same with every row a person.
    out : what `gamedeid run` has written for the first; ``rows``, for the second.
    fresh : a name for what the command is to write, which nothing has yet.
    """

    scenario: Path
    of_rows: Path
    out: Path
    rows: Path
    fresh: Path

    @property
    def records(self) -> Path:
        """The records, in any form."""
        csv = self.scenario.with_name("records.csv")
        return csv if csv.exists() else csv.with_suffix(".parquet")

    @property
    def people(self) -> Path:
        csv = self.scenario.with_name("people.csv")
        return csv if csv.exists() else csv.with_suffix(".parquet")


@dataclass(frozen=True)
class Entry:
    """How a command is tried.

    Parameters
    ----------
    words : the words after the command's name.
    told : marks that it may print, since it was asked for them.
    written : part of a file's name -> marks that may be in it, beside what any command may write.
    codes : expected exit codes.
    """

    words: Callable[[Place], list[object]]
    told: frozenset[str] = frozenset()
    written: tuple[tuple[str, frozenset[str]], ...] = ()
    codes: frozenset[int] = frozenset({0})
    takes_json: bool = True


NOTHING: frozenset[str] = frozenset()
DECLARED = frozenset({DROPPED_NAME, KEY_NAME})
RELEASED = frozenset({KEPT})
WRITTEN = (("release", RELEASED), ("manifest.json", DECLARED))
"""What the page on secrecy says of any folder of results."""
ONE = ("--record", 0)
OF_ONE = (("fresh", frozenset({RAW})),)
"""A picture of one record's strategies names the record."""
LOSSES = ("--vary", "loss=1000:5000:2000")
CENSUS = ("--place", "zip", "--detail", "year", "--drop", DROPPED_NAME)
SAMPLES = ("--attributes", f"place,{KEY_NAME}", "--samples", 2, "--fractions", ".5", "--workers", 1)
PLANE = (*LOSSES, "--vary", "benefit=50:100:50")
AREAS = ("--policy", "areas")

COMMANDS: Mapping[tuple[str, ...], Entry] = {
    ("init",): Entry(
        lambda at: [at.records, "-o", at.fresh, "--yes", "--year", 2026, "--population", at.people],
        told=DECLARED,  # which columns become what
        written=(("scenario.toml", DECLARED), ("place.toml", frozenset({RAW, CROWD}))),  # a hierarchy lists its values
    ),
    ("check",): Entry(lambda at: [at.records, at.scenario], codes=frozenset({0, 3})),
    ("run",): Entry(lambda at: [at.scenario, "-o", at.fresh, *AREAS]),
    ("apply",): Entry(
        lambda at: [at.rows, at.records, "--scenario", at.of_rows, "--set", "floor=areas", "-o", at.fresh]
    ),
    ("compare",): Entry(lambda at: [at.scenario, "-o", at.fresh, *AREAS]),
    ("regions",): Entry(lambda at: [divided(at), "-o", at.fresh, *AREAS]),
    ("sweep",): Entry(
        lambda at: [at.scenario, *PLANE, "-o", at.fresh, *AREAS], told=DECLARED
    ),  # it prints its manifest
    ("frontier",): Entry(lambda at: [at.scenario, "-o", at.fresh, *AREAS]),
    ("suggest",): Entry(lambda at: [at.scenario, *AREAS, "--set", 'thresholds.presets=["0.2"]']),
    ("explore",): Entry(lambda at: [at.scenario, *AREAS, "--no-browser", "--idle", 0.01], takes_json=False),
    ("solvers",): Entry(lambda at: [at.scenario, "-o", at.fresh, *AREAS]),
    ("report",): Entry(lambda at: [at.out, "-o", at.fresh.with_suffix(".html")]),
    ("certificate",): Entry(lambda at: [at.out, "-o", at.fresh.with_suffix(".html")]),
    ("determination",): Entry(lambda at: [at.out, "-o", at.fresh.with_suffix(".docx")]),
    ("verify",): Entry(lambda at: [at.out, at.scenario]),
    ("audit",): Entry(lambda at: [at.out, at.scenario, "--set", "floor=areas"]),
    ("attack",): Entry(lambda at: [at.rows, at.of_rows, "-o", at.fresh, "--repeats", 1], codes=frozenset({0, 3})),
    ("next",): Entry(lambda at: [at.out, at.scenario], takes_json=False),
    ("sign",): Entry(lambda at: ["--new-key", at.fresh.with_suffix(".key")]),
    ("plot", "lattice"): Entry(
        lambda at: [at.scenario, "-o", at.fresh.with_suffix(".svg"), *ONE], told=frozenset({RAW}), written=OF_ONE
    ),
    ("plot", "strategies"): Entry(
        lambda at: [at.scenario, "-o", at.fresh.with_suffix(".png"), *ONE], told=frozenset({RAW}), written=OF_ONE
    ),
    ("plot", "differences"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *AREAS]),
    ("plot", "scatter"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *AREAS]),
    ("plot", "record-map"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *ONE, *PLANE]),
    ("plot", "map"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *PLANE]),
    ("plot", "lines"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *LOSSES]),
    ("plot", "deviation"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *LOSSES]),
    ("plot", "frontier"): Entry(lambda at: [at.scenario, "-o", at.fresh.with_suffix(".html"), *AREAS]),
    ("plot", "demographics"): Entry(lambda at: [places(at), *CENSUS, "-o", at.fresh.with_suffix(".html")]),
    ("plot", "uniqueness"): Entry(lambda at: [at.records, *SAMPLES, "-o", at.fresh.with_suffix(".html")]),
    ("risk", "bins"): Entry(lambda _: ["--people", 200, "--bins", 365]),
    ("risk", "distinct"): Entry(lambda at: [at.scenario, *AREAS, "--records"]),
    ("risk", "table"): Entry(lambda at: [at.records, "--attributes", f"place,{KEY_NAME}", "--kept", "sex"]),
    ("risk", "uniqueness"): Entry(
        lambda at: [at.records, "--attributes", f"place,{KEY_NAME}", "--population-size", 1000]
    ),
    ("risk", "uniqueness-study"): Entry(lambda at: [at.records, *SAMPLES, "-o", at.fresh]),
    ("risk", "demographics"): Entry(lambda at: [places(at), *CENSUS, "-o", at.fresh]),
    ("risk", "release"): Entry(lambda at: [at.out]),
    ("codebook",): Entry(lambda at: [at.out, at.scenario, "--set", "floor=areas", "-o", at.fresh.with_suffix(".csv")]),
    ("utility",): Entry(lambda at: [at.out, at.scenario, "--set", "floor=areas", "--model", "dose ~ place + C(ward)"]),
    ("hierarchy", "show"): Entry(
        lambda at: [at.scenario.with_name("places.toml"), "--data", at.records, "--column", "place"]
    ),
    ("hierarchy", "write"): Entry(
        lambda at: [
            *(at.scenario.with_name("places.toml"), "--data", at.records, "--column", "place"),
            *("-o", at.fresh.with_suffix(".csv")),
        ],
        written=((".csv", frozenset({RAW})),),  # that is its purpose
    ),
    ("hierarchy", "check"): Entry(lambda at: [at.scenario.with_name("places.toml")]),
    ("scenarios",): Entry(lambda _: []),
    ("fetch",): Entry(
        lambda at: ["adult", "--to", at.scenario.parent, "--address", "http://127.0.0.1:9/adult.data"],
        codes=frozenset({2}),
    ),
    ("schema",): Entry(lambda _: ["summary"], takes_json=False),
}
"""Command -> how it is tried."""


def places(at: Place) -> Path:
    path = at.fresh.with_name(f"{at.fresh.name}-places.csv")
    path.write_text(f"zip,{DROPPED_NAME},under 12,65+\n37201,{DROPPED},30,2\n37212,{DROPPED},3000,9\n")
    return path


def divided(at: Place) -> Path:
    return write_divided(at.fresh.with_name(f"{at.fresh.name}-divided"), at.scenario, at.records, at.people)


def commands(group: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command below a group."""
    for name, one in group.commands.items():  # type: ignore[attr-defined]
        if hasattr(one, "commands"):
            yield from commands(one, (*path, name))
        else:
            yield (*path, name)


def place_in(made: Made, scenario: Path) -> Place:
    fresh = made.folder / f"fresh-{next(_NUMBERS)}"
    return Place(
        scenario=scenario,
        of_rows=made.scenario_of_rows if scenario == made.scenario else scenario,
        out=made.out,
        rows=made.out_of_rows,
        fresh=fresh,
    )


def said_and_written(
    *words: object, around: Path, entry: Entry, more_told: frozenset[str] = NOTHING, **how: int
) -> Said:
    """Run a command, and check its output, log, warnings and files."""
    before, log = files_in(around), around.parent / f"log-{next(_NUMBERS)}.log"
    with listened() as heard:
        said = gamedeid_says(*words, "--log", log, "--log-level", "debug", **how)
    logged = log.read_text("utf-8")
    assert f"ended with exit code {said.code}\n" in logged
    for kind, text in {"log": heard.pop("log"), "file .log": logged}.items():
        assert_bare(text, allowed={FOLDER}, name=f"{kind} of {' '.join(map(str, words))}")
    told = {FOLDER} | entry.told | more_told
    for kind, text in {"standard output": said.out, "standard error": said.err, **heard}.items():
        assert_bare(text, allowed=told, name=f"{kind} of {' '.join(map(str, words))}")
    for path in sorted(files_in(around) - before):
        allowed = frozenset().union(*(marks for part, marks in (*WRITTEN, *entry.written) if part in path.name))
        assert_bare(path.read_bytes(), allowed=allowed, name=path.name)
    return said


def files_in(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@contextmanager
def listened() -> Iterator[dict[str, str]]:
    """Yield the list of all logged messages, from any logger at any level, and of warnings."""
    heard: dict[str, str] = {}
    stream = io.StringIO()
    handler, root = logging.StreamHandler(stream), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    logging.getLogger("matplotlib.font_manager").setLevel(logging.INFO)  # a thousand lines on fonts, and nothing else
    root.setLevel(logging.DEBUG)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield heard
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
    heard |= {"log": stream.getvalue(), "warnings": "\n".join(str(one.message) for one in caught)}


def test_every_command_has_an_entry():
    assert set(commands(typer.main.get_command(load_commands()))) == set(COMMANDS)


SAY_NO_MORE = {"plot", "report", "determination", "apply"}
"""Slow commands that print less without `--json` than with it."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_that_succeeds_prints_and_writes_no_forbidden_mark(command, made):
    entry = COMMANDS[command]
    json = ["--json"] * entry.takes_json
    ways: list[tuple[list[str], dict[str, int]]] = [([], {}), (json, {"terminal_columns": 80})]
    for more, how in ways[command[0] in SAY_NO_MORE :]:
        words = (*command, *entry.words(place_in(made, made.scenario)), *more)
        if command == ("run",) and more:
            words = (*command, made.scenario, *more)  # without writing all of it again
        said = said_and_written(*words, around=made.folder, entry=entry, **how)
        assert said.code in entry.codes, said.err


@pytest.mark.parametrize("json", [(), ("--json",)])
def test_groups_of_a_release_name_released_values_only(json, made, monkeypatch):
    monkeypatch.setattr("gamedeid.risk.thresholds.SMALLEST_GROUP", 3)  # the world is small
    at = place_in(made, made.scenario)
    asked = [word for column in ("place:1", "ward", "dose") for word in ("--by", column)]
    entry = Entry(lambda _: [], told=RELEASED)
    words = ("risk", "release", at.out, at.scenario, "--set", "floor=areas", *asked, *json)
    said = said_and_written(*words, around=made.folder, entry=entry)

    assert said.code == 0, said.err
    assert KEPT in said.out


# --- refused ----------------------------------------------------------------------------------------------------------

OF_NO_DATA = {
    *(("risk", "bins"), ("risk", "demographics"), ("plot", "demographics"), ("hierarchy", "check")),
    *(("scenarios",), ("fetch",), ("next",), ("sign",), ("schema",)),
}
"""Commands that read nothing of the question; `report` and others read what was made of it, which is damaged below."""
OF_RESULTS = {
    *(("report",), ("certificate",), ("determination",), ("codebook",), ("risk", "release")),
    *(("verify",), ("audit",), ("apply",)),
}


TWO = ("a value that its kind of hierarchy cannot have", "a row that is too long")


@pytest.fixture(scope="module")
def faulty(made):
    """Return each of the questions with a fault in its files, and the results made before the fault."""
    return {
        fault: place_in(made, write_faulty_world(made.folder / f"faulty-{number}", fault))
        for number, fault in enumerate(FAULTS)
    }


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - OF_NO_DATA - OF_RESULTS), ids=" ".join)
def test_a_refused_command_shows_only_requested_values(command, made, faulty):
    """`run` with every fault; what else reads the data does it in the same way, and is tried with two of them."""
    entry, codes = COMMANDS[command], set()
    for fault in faulty if command == ("run",) else TWO:
        at = replace(faulty[fault], fresh=place_in(made, made.scenario).fresh)
        words = [*command, *entry.words(at)]
        codes.add(said_and_written(*words, around=made.folder, entry=entry).code)
        if command == ("run",):
            asked_for = frozenset({RAW, CROWD, FAULTY})
            said_and_written(*words, "--show-values", around=made.folder, entry=entry, more_told=asked_for)
    assert 2 in codes
    assert codes <= {0, 2, 3}


# --- of damaged results, interrupted, failed --------------------------------------------------------------------------

DAMAGES: Mapping[str, Callable[[Path], None]] = {
    "a manifest of other keys": lambda out: _change(
        out / "manifest.json", lambda text: text.replace('"game', f'"{FAULTY}')
    ),
    "a summary cut off": lambda out: _change(out / "summary.json", lambda text: text[: len(text) // 2] + FAULTY),
    "a text for a number": lambda out: _change(
        out / "summary.json", lambda text: text.replace(": 5000.0", f': "{FAULTY}"')
    ),
    "a released value changed": lambda out: _change(out / "release.csv", lambda text: text.replace("Male", FAULTY, 1)),
    "a strategy that is none": lambda out: _change(
        out / "strategies.csv", lambda text: text.replace("\n0,", f"\n{FAULTY},")
    ),
}
"""What can have become of a folder of results."""


def _change(path: Path, change: Callable[[str], str]) -> None:
    text = path.read_text("utf-8")
    assert change(text) != text
    path.write_text(change(text), "utf-8")


@pytest.mark.parametrize("command", sorted(OF_RESULTS), ids=" ".join)
def test_a_command_on_damaged_results_shows_no_value(command, made):
    """`verify` of every damage; others look at less of it."""
    entry, codes = COMMANDS[command], set()
    for damage in list(DAMAGES.values())[: None if command == ("verify",) else 2]:
        at = place_in(made, made.scenario)
        copies = [
            copytree(out, at.fresh.with_name(f"{at.fresh.name}-{out.name}")) for out in (made.out, made.out_of_rows)
        ]
        for copy in copies:
            damage(copy)
        words = [*command, *entry.words(replace(at, out=copies[0], rows=copies[1]))]
        codes.add(said_and_written(*words, around=made.folder, entry=entry).code)
    assert codes & {2, 3}
    assert codes <= {0, 2, 3}


class Held:
    """An object that a foreign library might quote."""

    def __repr__(self) -> str:
        return f"{RAW} {DROPPED}"


@pytest.mark.parametrize("end", [KeyboardInterrupt, ValueError, MemoryError, OSError], ids=lambda end: end.__name__)
def test_a_command_that_ends_early_shows_no_value(end, made, monkeypatch):
    prepared = Study.prepare

    def ends(*words: Any, **named: Any) -> None:
        study = prepared(*words, **named)
        raise end(f"could not convert {Held()} {study}") from KeyError(Held())

    assert place_in(made, made.scenario).out.exists()  # made before
    monkeypatch.setattr(Study, "prepare", ends)
    before = files_in(made.folder)
    for command in (("run",), ("sweep",), ("plot", "lines"), ("risk", "distinct")):
        entry = COMMANDS[command]
        words = [*command, *entry.words(place_in(made, made.scenario))]
        said = said_and_written(*words, around=made.folder, entry=entry)
        assert said.code in {1, 2, 130}, said.err
        assert ("ValueError" in said.err) == (end is ValueError)
    assert before == files_in(made.folder)
