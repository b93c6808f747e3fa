"""The advice in a command's message works if it is followed to the letter."""

import json
import re
import shlex
from pathlib import Path

import pytest
from small_world import (
    ALONE,
    RECORDS,
    SAMPLED,
    SCENARIO,
    Said,
    contents,
    gamedeid_prints,
    gamedeid_says,
    refused,
    small_world,
)
from tampering import change_json

from gamedeid import InvalidScenarioError, solve
from gamedeid.choices import PLAYED_GAMES

LIMITS = "[limits]\nattacked = 0.5\n"
CLUB = """
[recipients.club]
levels = { age = 1 }
[recipients.club.population]
path = "people.csv"
count = "count"
"""
FOLDERS = {"audit": ("audit", "{out}"), "apply": ("apply", "{out}", "{folder}/records.csv")}


def world(folder: Path, more: str = "") -> Path:
    return small_world(folder, scenario=SCENARIO + more)


def ran(question: Path, out: Path, *words: object) -> Path:
    gamedeid_prints("run", question, "-o", out, "--no-report", *words)
    return out


def following(said: str, *words: object) -> Said:
    """Run a command again with the options at the end of a message."""
    advised = re.search(r"(?:with|without|pass) ((?:--\S+ ?)+(?:\w+)?)$", said)
    assert advised is not None, said
    if "without" in advised[0]:
        return gamedeid_says(*(word for word in words if word != advised[1]))
    return gamedeid_says(*words, *advised[1].split())


@pytest.mark.parametrize("sections", ["given", "left out"])
def test_an_audit_within_limits_says_to_run_again_without_them(tmp_path, sections):
    question, out = world(tmp_path, LIMITS), tmp_path / "out"
    ran(question, out)
    if sections == "left out":
        world(tmp_path)
    said = refused("audit", out, question)

    assert said.endswith("; run again without the section into another folder")
    other = ran(world(tmp_path), tmp_path / "other")
    assert 0 == gamedeid_says("audit", other, question).code


def test_applying_within_limits_says_to_run_again_with_all_rows(tmp_path):
    question, out, new = world(tmp_path, LIMITS), tmp_path / "out", tmp_path / "new.csv"
    ran(question, out)
    new.write_text("name,age,sex,income\nSECRETE,41,Male,<=50K\n")
    said = refused("apply", out, new, "--scenario", question)

    assert said.endswith(
        "; run again with all rows, after this release by gamedeid run --after DIR; gamedeid audit NEW --with DIR "
        "shows the risk of both releases"
    )
    (tmp_path / "all.csv").write_text(RECORDS + "SECRETE,41,Male,<=50K\n")
    after = ("--after", out, "--set", "earlier.key=name", "--set", f"records.path={tmp_path / 'all.csv'}")
    assert 0 == gamedeid_says("run", question, "--no-report", "-o", tmp_path / "other", *after).code
    assert (tmp_path / "other" / "release.csv").read_text().count("\n") > 1
    assert 0 == gamedeid_says("audit", tmp_path / "other", question, *after, "--with", out).code


@pytest.mark.parametrize(
    ("more", "words"),
    [(LIMITS, ()), (CLUB, ()), (CLUB, ("--recipient", "aware")), ("", ("--solver", "lattice-search"))],
    ids=["limits", "own list", "aware beside recipients", "solver"],
)
def test_an_attack_that_cannot_be_simulated_names_a_recipient_who_can(tmp_path, more, words):
    question, out = world(tmp_path, more), tmp_path / "out"
    ran(question, out, *(words if "--solver" in words else ()))
    attack = ("attack", out, question, "--repeats", 1)
    said = refused(*attack, *(words if "--recipient" in words else ()))

    assert said.endswith("--recipient naive")
    assert 0 == following(said, *attack).code


@pytest.mark.parametrize("command", ["report", "determination", "risk release"])
def test_a_folder_without_a_report_says_what_the_command_needs(tmp_path, command):
    question, out = world(tmp_path), tmp_path / "out"
    run = ("run", question, "-o", out, "--no-report")
    assert 0 == gamedeid_says(*run).code
    more = ("-o", tmp_path / "draft.md") if command == "determination" else ()
    said = refused(*command.split(), out, *more)

    assert "has no report.json, which a report, a determination and the risk of a release are made of" in said
    again = following(said, *run)
    assert 2 == again.code
    assert 0 == following(again.complaint, *(word for word in run if word != "--no-report")).code
    assert 0 == gamedeid_says(*command.split(), out, *more).code


@pytest.mark.parametrize("command", FOLDERS)
def test_a_changed_scenario_is_to_be_given_as_it_was(tmp_path, command):
    question, out = world(tmp_path), tmp_path / "out"
    ran(question, out, "--set", "payoffs.cost=21")
    words = [part.format(out=out, folder=tmp_path) for part in FOLDERS[command]]
    words += [str(question)] if command == "audit" else ["--scenario", str(question)]
    said = refused(*words)

    assert said.endswith("; overridden for the run, so override them in the same way: `payoffs.cost`")
    assert 0 == gamedeid_says(*words, "--set", "payoffs.cost=21").code
    changed = refused(*words, "--set", "payoffs.cost=21", "--set", "payoffs.loss=99")
    assert "in `payoffs.loss`; give the scenario as it was, or run again" in changed


@pytest.mark.parametrize("command", FOLDERS)
def test_moved_files_are_found_by_the_scenario(tmp_path, command, monkeypatch):
    question, out, empty = world(tmp_path), tmp_path / "out", tmp_path / "empty"
    ran(question, out)
    empty.mkdir()
    monkeypatch.chdir(empty)
    words = [part.format(out=out, folder=tmp_path) for part in FOLDERS[command]]
    said = refused(*words)

    assert said.endswith("cannot be found from the current folder; give the scenario, which says where the files are")
    assert 0 == gamedeid_says(*words, *([question] if command == "audit" else ["--scenario", question])).code
    assert {} == contents(empty)


def test_the_next_commands_of_a_run_can_be_followed_to_its_signature(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    question, out = world(tmp_path), tmp_path / "my results"
    assert 0 == gamedeid_says("run", question, "-o", out).code
    gamedeid_says("sign", "--new-key", "expert.key")
    followed = []
    for more in ((), (question,), (question,)):
        for line in gamedeid_says("next", out, *more).out.splitlines()[::2]:
            program, *words = shlex.split(line)
            followed.append(words[0])
            assert "gamedeid" == program
            if words[0] != "audit" or followed.count("audit") == 1:  # the same for an unchanged release
                assert 0 == gamedeid_says(*words).code, line

    assert ["verify", "risk", "determination", "verify", "audit", "sign", "verify", "audit", "codebook"] == followed


def test_the_next_commands_of_a_folder_alone_can_be_followed_anywhere(tmp_path, monkeypatch):
    question, out, empty = world(tmp_path), tmp_path / "out", tmp_path / "empty"
    gamedeid_prints("run", question, "-o", out)
    key = tmp_path / "expert.key"
    gamedeid_prints("sign", "--new-key", key)
    gamedeid_prints("sign", out, "--key", key)
    empty.mkdir()
    monkeypatch.chdir(empty)
    lines = gamedeid_prints("next", out).splitlines()[::2]
    for line in lines:
        gamedeid_prints(*shlex.split(line)[1:])

    assert ["verify", "risk", "certificate"] == [shlex.split(line)[1] for line in lines]
    assert "Recompute all that can be recomputed without the scenario." in gamedeid_prints("next", out)


def test_the_next_commands_of_a_run_without_a_report_need_none(tmp_path, monkeypatch):
    question, out = world(tmp_path), tmp_path / "out"
    gamedeid_prints("run", question, "-o", out, "--no-report")
    monkeypatch.chdir(tmp_path)
    lines = [*gamedeid_prints("next", out).splitlines()[::2], *gamedeid_prints("next", out, question).splitlines()[::2]]
    for line in lines:
        gamedeid_prints(*shlex.split(line)[1:])

    assert ["verify", "verify", "audit", "codebook"] == [shlex.split(line)[1] for line in lines]


def test_the_next_commands_override_what_the_run_did(tmp_path):
    question, out = small_world(tmp_path, scenario=ALONE), tmp_path / "out"
    limits = ("--set", "limits.uniform=true", "--set", "limits.smallest_cell=2")
    gamedeid_prints("run", question, "-o", out, *limits, "--set", 'sources.loss="a table"')
    lines = gamedeid_says("next", out, question).out.splitlines()[::2]
    verify, audit = (shlex.split(line)[1:] for line in lines[:2])

    assert ("audit", *limits) == (audit[0], *audit[3:7])
    assert "scenario limits" not in gamedeid_prints(*verify)
    assert 0 == gamedeid_says(*audit).code
    assert "in `limits`; overridden for the run, so override them in the same way: `limits.uniform`, " in refused(
        "audit", out, question
    )


def test_the_next_commands_find_files_from_the_root_and_earlier_releases_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, june = tmp_path / "study", tmp_path / "june.csv"
    study.mkdir()
    june.write_text(RECORDS)
    question = small_world(study, scenario=ALONE)
    gamedeid_prints("run", question, "-o", "may", "--no-report")
    gamedeid_prints("run", question, "-o", "applied", "--no-report", "--set", f"records.path={june}")
    changes = ("--after", "may", "--set", "earlier.key=name", "--set", f"records.path={june}")
    gamedeid_prints("run", question, "-o", "june", "--no-report", *changes)
    for out in ("applied", "june"):
        verify, audit, _ = (shlex.split(line)[1:] for line in gamedeid_prints("next", out, question).splitlines()[::2])
        assert not re.search("input: (records|earlier)", gamedeid_prints(*verify)), verify
        gamedeid_prints(*audit)


@pytest.mark.parametrize("case", ["limits", "a sample"])
def test_an_audit_that_would_be_refused_is_not_a_next_command(tmp_path, case):
    question = world(tmp_path, LIMITS) if case == "limits" else small_world(tmp_path, scenario=SAMPLED)
    out = tmp_path / "out"
    gamedeid_prints("run", question, "-o", out)
    refused("audit", out, question)

    assert "gamedeid audit" not in gamedeid_prints("next", out, question)
    assert "gamedeid risk release" in gamedeid_prints("next", out, question)


def test_refused_commands_are_not_next_commands_for_results_of_another_version(tmp_path):
    question, out = world(tmp_path), tmp_path / "out"
    gamedeid_prints("run", question, "-o", out)
    change_json(out, "manifest.json", lambda manifest: manifest.update(gamedeid="0.0.9"))
    refused("audit", out, question)
    refused("risk", "release", out)

    for words in ((out, question), (out,)):
        lines = gamedeid_prints("next", *words).splitlines()
        assert ["verify"] == [shlex.split(line)[1] for line in lines[::2]]
        assert "most commands need results of this version, so run again" in lines[1]


def test_no_game_is_played_unless_the_command_names_one(tmp_path):
    question = small_world(tmp_path, scenario=SCENARIO.replace('game = "basic"\n', ""))
    said = refused("run", question, "-o", tmp_path / "out")

    assert [] == [game for game in PLAYED_GAMES if f" {game} (" not in said]
    assert "give --game NAME" in said
    assert " aware-basic (" not in refused("solvers", question)
    assert not (tmp_path / "out").exists()
    with pytest.raises(InvalidScenarioError, match=r"no game is named.*or give game=\.\.\."):
        solve(question)
    named = gamedeid_says("run", question, "--game", "no-attack")
    assert named == gamedeid_says("run", question, "--set", "game=no-attack")
    assert "Four people: no-attack game" == named.out.splitlines()[0]


def test_the_command_that_suggest_names_meets_the_thresholds(scenario, tmp_path):
    asked = ("--set", 'thresholds.own=[{measure="k_map", at_least=5}]', "--set", "payoffs.loss=80", "--policy", "pairs")
    said = gamedeid_prints("suggest", scenario, *asked)
    words = shlex.split(said.splitlines()[-1].removeprefix("Run it: gamedeid "))
    assert list(asked[:4]) == words[4:8]

    gamedeid_prints(*words[:-1], tmp_path / "out")
    risks, summary = (json.loads((tmp_path / "out" / f"{name}.json").read_text()) for name in ("report", "summary"))

    assert risks["risks"]["release"]["k_map"] >= 5
    printed = json.loads(gamedeid_prints("suggest", scenario, *asked, "--json"))
    assert printed["tried"][0]["publisher_payoff"] == summary["measures"]["publisher_payoff"]


def test_the_next_command_for_data_by_regions_compares_by_regions(tmp_path):
    question = small_world(tmp_path, scenario=f'{SCENARIO}[regions]\nattribute = "age"\nlevel = 1\n')
    lines = gamedeid_prints("next", question).splitlines()[::2]
    assert f"gamedeid regions {question}" == lines[1]
