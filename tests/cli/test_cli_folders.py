"""Every folder that a run writes, whatever its options, is read by every command that reads a folder."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path

import pytest
from depth import tries
from small_world import Said, all_commands, gamedeid_says, refused, small_world

from gamedeid import Study, solve
from gamedeid.choices import AWARE_GAMES
from gamedeid.results.manifest import RUN_KEYS

LIMITED = "limits.attacked=0.5"
OPTIONS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "game": tuple(("--game", name) for name in ("no-attack", "sh-friendly", *AWARE_GAMES)),
    "solver": tuple(("--solver", name) for name in ("backward-induction", "lattice-search", "bounded-suboptimal")),
    "policy": (("--policy", "pairs"),),
    "overrides": (("--set", "payoffs.loss=120"), ("--set", LIMITED), ("--set", 'thresholds.presets=["cells-11"]')),
    "form": (("--format", "parquet"),),
    "defuse": (("--defuse",),),
    "keep_order": (("--keep-order",),),
    "with_report": (("--no-report",),),
    "share": (("--share", "0.5"),),
    "engine": (("--engine", "duckdb"),),
    "memory": (("--memory", "256MiB"),),
    "spill": (("--spill", "{folder}"),),
    "as_json": (("--json",),),
}
"""Option of a run -> the values that are tried."""

UNTRIED = {"scenario", "output", "overwrite", "cluster", "after", "help"}
"""Parameters that every run has, or that need a cluster or an earlier release."""

Words = tuple[tuple[str, ...], ...]
PAIRS = [
    (one, other)
    for first, second in combinations(OPTIONS.values(), 2)
    for one, other in product(first, second)
    if {"--defuse", "parquet"} - {*one, *other}
]
"""Two options each; a CSV's formulas are not defused in Parquet."""


def _refused_together(words: Words) -> bool:
    """Return whether a run refuses this combination: a game or limits that only one solver supports."""
    said = {word for one in words for word in one}
    aware, limited, solver = said & {*AWARE_GAMES}, LIMITED in said, "--solver" in said
    return bool((aware and (limited or solver)) or (limited and solver))


def _covering() -> Iterator[Words]:
    """Yield options of few runs that cover each option and each pair that is not refused."""
    left = [pair for pair in PAIRS if not _refused_together(pair)]
    while left:
        row: list[tuple[str, ...]] = [*left[0]]
        for pair in left[1:]:
            new = [one for one in pair if one not in row]
            taken = {word[0] for word in row}
            clash = {"--defuse"} if ("--format", "parquet") in row else {"--format"} if ("--defuse",) in row else set()
            if all(one[0] not in taken | clash for one in new) and not _refused_together((*row, *new)):
                row += new
        yield tuple(row)
        left = [pair for pair in left if not {*pair} <= {*row}]


ALONE: list[Words] = [(), *((one,) for tried in OPTIONS.values() for one in tried)]
RUNS = [*tries(list(_covering()), [*PAIRS, *_covering()]), *tries([()], ALONE)]


def read_by_all(out: Path, question: Path, words: Words, to: Path) -> Mapping[str, Said]:
    """Return every command's output on a folder, with the overridden keys of its run."""
    changes = [word for one in words if one[0] == "--set" for word in one]
    changes += [word for one in words if one[0] == "--policy" for word in ("--set", f"floor={one[1]}")]
    records, key = question.parent / "records.csv", to / "key"
    gamedeid_says("sign", "--new-key", key)
    return {
        "verify": gamedeid_says("verify", out, question, *changes),
        "audit": gamedeid_says("audit", out, question, *changes),
        "attack": gamedeid_says("attack", out, question, "--repeats", 1, *changes, "--recipient", "naive"),
        "apply": gamedeid_says(
            "apply", out, records, "--scenario", question, *changes, "--no-report", "-o", to / "applied"
        ),
        "report": gamedeid_says("report", out),
        "certificate": gamedeid_says("certificate", out, "-o", to / "certificate.html"),
        "determination": gamedeid_says("determination", out, "-o", to / "draft.md"),
        "risk release": gamedeid_says("risk", "release", out),
        "codebook": gamedeid_says("codebook", out, question, *changes),
        "utility": gamedeid_says("utility", out, question, *changes, "--model", "age ~ sex + income"),
        "sign": gamedeid_says("sign", out, "--key", key),
    }


def expected_codes(words: Words) -> Mapping[str, int]:
    """Return the expected exit code of every command on a folder of these options."""
    said = {word for one in words for word in one}
    limited, unreported = LIMITED in said, "--no-report" in said
    return {
        **dict.fromkeys(("verify", "attack", "codebook", "utility", "sign"), 0),
        **dict.fromkeys(("audit", "apply"), 2 if limited else 0),
        **dict.fromkeys(("report", "certificate", "determination", "risk release"), 2 if unreported else 0),
    }


def test_no_option_of_a_run_and_no_reader_of_folders_is_forgotten():
    commands = all_commands()
    readers = {
        name
        for name, command in commands.items()
        if any(part.name == "folder" and part.metavar == "DIR" for part in command.params)
    }

    assert {*OPTIONS} == {one.name for one in commands["run"].params} - UNTRIED
    assert {*expected_codes(())} == readers


@pytest.mark.parametrize("words", RUNS, ids=lambda words: " ".join(word for one in words for word in one) or "none")
def test_every_command_reads_the_folder_of_a_run_with_any_options(tmp_path, words):
    question, out, to = small_world(tmp_path), tmp_path / "out", tmp_path / "read"
    to.mkdir()
    said = gamedeid_says("run", question, "-o", out, *(part.format(folder=to) for one in words for part in one))
    if _refused_together(words):
        assert (2, False) == (said.code, out.exists()), said
        return
    assert 0 == said.code, said

    found = read_by_all(out, question, words, to)

    assert expected_codes(words) == {name: one.code for name, one in found.items()}, found
    asked = json.loads((out / "manifest.json").read_text())["scenario"].keys()
    assert {"game", "solver"} <= asked & {*RUN_KEYS}


def test_every_key_that_a_run_writes_next_to_the_scenario_is_listed_once(tmp_path):
    question, out = small_world(tmp_path), tmp_path / "out"
    plain, full = tmp_path / "plain", ("--keep-order", "--defuse")
    assert 0 == gamedeid_says("run", question, "-o", plain, "--no-report").code
    assert 0 == gamedeid_says("run", question, "-o", tmp_path / "all", "--no-report", *full).code
    records = question.parent / "records.csv"
    assert 0 == gamedeid_says("apply", plain, records, "--scenario", question, "-o", out).code
    solve(Study.prepare(question).alone(record=0)).write(tmp_path / "one", report=False)

    written = set()
    for name in ("plain", "all", "out", "one"):
        asked = json.loads((tmp_path / name / "manifest.json").read_text())["scenario"]
        written |= asked.keys() & {*RUN_KEYS}
    assert set(RUN_KEYS) == written


def test_a_folder_and_its_scenario_have_any_order_and_a_shipped_one_has_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert 0 == gamedeid_says("run", "quickstart", "-o", "quickstart", "--no-report").code  # the name of the scenario
    Path("quickstart").rename("release")
    for command in ("verify", "audit"):
        first = gamedeid_says(command, "release", "quickstart")
        assert (0, "") == (first.code, first.err)
        assert first == gamedeid_says(command, "quickstart", "release")

    Path("release").rename("quickstart")
    assert 0 == gamedeid_says("verify", "quickstart", "quickstart").code
    assert refused("verify", "nothing", "quickstart").startswith("`nothing`: no such scenario file")


@pytest.mark.parametrize("option", [("--set", "payoffs.loss=1"), ("--after", "earlier")])
def test_an_override_without_a_scenario_is_refused(tmp_path, option):
    solve(small_world(tmp_path)).write(tmp_path / "out", report=False)
    commands = [("verify",), ("audit",), ("attack",), ("codebook",), ("risk", "release")]
    said = {refused(*command, tmp_path / "out", *option) for command in commands}
    said.add(refused("utility", tmp_path / "out", *option, "--model", "income ~ age"))
    if option[0] == "--set":
        said.add(refused("apply", tmp_path / "out", tmp_path / "records.csv", *option))

    assert {f"{option[0]} overrides keys of a scenario; name one"} == said


def test_a_shipped_scenario_is_solved_in_python_as_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quickstart").mkdir()  # a folder is not a scenario
    said = json.loads(gamedeid_says("run", "quickstart", "--json").out)["measures"]
    solved = solve("quickstart").measures

    assert {"publisher_payoff", "attacked"} <= said.keys()
    assert said == {key: solved[key] for key in said}
