"""Each warning of a run reaches the signer: terminal, JSON, summary, manifest, report, determination, explorer."""

import ast
import csv
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest
from explorer_client import ExplorerClient
from small_world import (
    ALONE,
    PEOPLE,
    RECORDS,
    SAMPLED,
    SCENARIO,
    UNMATCHED_SAFE,
    gamedeid_prints,
    gamedeid_says,
    lines_above_the_table,
    small_world,
)
from tampering import change_json

import gamedeid
from gamedeid import errors
from gamedeid.explorer.session import Session
from gamedeid.results.manifest import WarningKind

ROWS = 60
PACKAGE = Path(gamedeid.__file__).parent

OF_THE_MACHINE = {errors.SlowWarning, errors.CacheWarning, errors.FontWarning}
"""Warnings on the duration of work and on files that cannot be kept: no release depends on them."""

LOGGED = {"intake/identifiers/releases.py", "study/prepare.py"}
"""Files whose logged warnings are also warnings of results."""


def own_world(folder: Path, columns: dict[str, Any], *more: str, form: str = "csv") -> Path:
    """Write records that are their own population, with kept columns, and return their scenario."""
    draw = np.random.default_rng(7)
    ages, sexes = draw.integers(0, 30, ROWS), draw.choice(["Male", "Female"], ROWS)
    frame = pd.DataFrame({"age": ages, "sex": sexes, **{name: make(sexes) for name, make in columns.items()}})
    path = folder / f"records.{form}"
    if form == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    kept = [name for name in columns if name != "patient_id"]
    dropped = [name for name in columns if name == "patient_id"]
    (folder / "scenario.toml").write_text(
        f"game = 'basic'\n[records]\npath = '{path.name}'\nkeep = {kept}\ndrop = {dropped}\n"
        "[attributes.age]\nhierarchy = 'age'\n[attributes.sex]\nhierarchy = 'sex'\n"
        "[payoffs]\nbenefit = 100\nloss = 90\ncost = 20\n" + "\n".join(more)
    )
    return folder / "scenario.toml"


def numbers(_: Any) -> list[str]:
    return [f"210-71-{place:04}" for place in range(4000, 4000 + ROWS)]


def accepted(folder: Path) -> Path:
    return own_world(folder, {"code": numbers}, '[identifiers]\naccept = { code = "social security numbers" }')


def accepted_unseen(folder: Path) -> Path:
    return own_world(folder, {"code": lambda sexes: sexes}, '[identifiers]\naccept = { code = "names" }')


def remarks(folder: Path) -> Path:
    words = ["fine", "tired", "better", "worse", "as before", "asleep", "awake"]
    return own_world(folder, {"remark": lambda _: [f"{words[row % 7]} {words[row % 5]}" for row in range(ROWS)]})


def raw_bytes(folder: Path) -> Path:
    return own_world(folder, {"blob": lambda sexes: [b"\x00\xff"] * len(sexes)}, form="parquet")


def telling(folder: Path) -> Path:
    return own_world(folder, {"wife": lambda sexes: np.where(sexes == "Female", "SECRETYES", "no")})


def visits(folder: Path) -> Path:
    return own_world(folder, {"patient_id": lambda sexes: [f"SECRET{row // 3}" for row in range(len(sexes))]})


WITH_A_LIST = '[recipients.researcher]\n[recipients.club.population]\npath = "club.csv"\nunmatched = "safe"\n'


def unmatched(folder: Path) -> Path:
    return small_world(folder, scenario=UNMATCHED_SAFE, people="age,sex,count\n40,Male,1\n50,Female,2\n50,Male,10\n")


def listed(folder: Path) -> Path:
    (folder / "club.csv").write_text("age,sex\n40,Male\n50,Female\n51,Female\n")
    return small_world(folder, scenario=SCENARIO + WITH_A_LIST)


def estimated(folder: Path) -> Path:
    return small_world(folder, scenario=SAMPLED)


def shown(folder: Path) -> Path:
    return small_world(folder, scenario=SCENARIO.replace("[population]", 'missing = "show"\n[population]'))


def unlisted(folder: Path) -> Path:
    (folder / "sexes.toml").write_text(
        'kind = "tree"\nrole = "other"\nunlisted = "Another sex"\n[tree]\nmale = ["Male"]\n'
    )
    return small_world(folder, scenario=SCENARIO.replace('hierarchy = "sex"', 'hierarchy = "sexes.toml"'))


def grouped(folder: Path) -> Path:
    rules = "[groups]\nk = 3\n[groups.kept.income]\ndistinct = 2\n"
    return small_world(folder, scenario=SCENARIO + rules)


ESTIMATED = (
    "Estimated: the records are taken for a random sample of 0.1 of a population that is otherwise unknown. Where "
    "many people of the population are unique, the risk may be several times this estimate."
)


def alike(folder: Path) -> Path:
    return small_world(folder, scenario=f"{SCENARIO}[limits]\nuniform = true\n")


def compared(folder: Path) -> Path:
    limit = '[limits.groups]\ncolumn = "income"\nleast = 1\nattacked = 0.5\n'
    return small_world(folder, scenario=ALONE + limit)


PROVOKED: dict[str, tuple[WarningKind, Callable[[Path], Path], str]] = {
    "accepted": ("accepted-identifier", accepted, "Kept column `code` looks like social security numbers (G) in 100"),
    "accepted, not found": ("accepted-identifier", accepted_unseen, "Kept column `code` is said to hold names"),
    "weak evidence": ("identifier", remarks, "Kept column `remark` looks like free text by its name"),
    "bytes": ("not-searched", raw_bytes, "Column `blob` holds bytes that were not searched"),
    "kept": ("kept-column", telling, "Kept column wife gives sex back in"),
    "visits": ("rows-as-people", visits, "A dropped column repeats like a person's key (60 rows, 20 values)"),
    "unmatched": ("unmatched", unmatched, "2 of 4 records (50.00%) match no one in the population"),
    "list": ("unmatched-by-recipient", listed, "1 record matches no one in the population of club"),
    "missing": ("missing-shown", shown, "The release discloses which values were missing"),
    "unlisted": ("unlisted", unlisted, "Column sex has a value that its hierarchy does not list in 2 of 4 rows"),
    "groups": ("groups-unused", grouped, "The rules of [groups] (k = 3 and kept.income.distinct = 2)"),
    "one strategy": ("telling-choice", alike, "The strategies of no-attack depend on which people have a record"),
    "kept values": ("telling-choice", compared, "The strategies of no-attack depend on values of income"),
    "estimate": ("estimate", estimated, ESTIMATED),
}
"""Kind of warning -> what provokes it, and the start of its sentence."""


def of_kind(warnings: list[dict[str, str]], kind: str, begins: str) -> str:
    found = [one["says"] for one in warnings if one["kind"] == kind and one["says"].startswith(begins)]
    assert 1 == len(found), (begins, warnings)
    return found[0]


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text("utf-8"))


def test_each_kind_of_warning_is_provoked_by_some_scenario():
    by_an_option = {"kept-order"}  # --keep-order: a shape of tests/kit/report_shapes.py
    assert set(get_args(WarningKind)) == {kind for kind, *_ in PROVOKED.values()} | by_an_option


@pytest.mark.parametrize("name", PROVOKED)
def test_a_warning_stands_wherever_a_signer_looks_and_verify_notices_where_it_was_struck_out(tmp_path, name):
    kind, build, begins = PROVOKED[name]
    scenario, out = build(tmp_path), tmp_path / "out"
    said = gamedeid_prints("run", scenario, "--game", "no-attack", "-o", out)
    words = of_kind(read(out, "manifest.json")["warnings"], kind, begins)

    assert read(out, "manifest.json")["warnings"] == read(out, "summary.json")["warnings"]
    assert f"Warning: {words}" in lines_above_the_table(said)
    page = (out / "report.html").read_text("utf-8")
    near = page[page.index('class="verdict"') : page.index('class="keys"')]
    assert words in html.unescape(near)
    gamedeid_says("determination", out, "-o", tmp_path / "draft.md")
    draft = re.sub(r"\\(.)", r"\1", (tmp_path / "draft.md").read_text("utf-8"))
    assert f"- {words}" in draft[draft.index("## 5. Results") : draft.index("## 6.")]
    printed = gamedeid_prints(
        "run", scenario, "--game", "no-attack", "--no-report", "--json", "-o", tmp_path / "command"
    )
    assert words == of_kind(json.loads(printed)["warnings"], kind, begins)
    assert "SECRET" not in said + page + draft + printed + (out / "manifest.json").read_text("utf-8")

    made = gamedeid.solve(scenario, game="no-attack").write(tmp_path / "library", report=False)
    assert read(tmp_path / "command", "manifest.json") == read(tmp_path / "library", "manifest.json") == made
    verify_notices_that_it_was_struck_out(tmp_path / "library", scenario, kind, begins)


def verify_notices_that_it_was_struck_out(out: Path, scenario: Path, kind: str, begins: str) -> None:
    def strike_out(document: dict[str, Any]) -> None:
        document["warnings"] = [
            one for one in document["warnings"] if not (one["kind"] == kind and one["says"].startswith(begins))
        ]

    assert () == gamedeid.verify(out, scenario).findings
    change_json(out, "manifest.json", strike_out)
    assert not gamedeid.verify(out, scenario).holds
    change_json(out, "summary.json", strike_out)
    found = gamedeid.verify(out, scenario).findings
    assert any("summary.json" == one.file and "warning" in one.says for one in found), found


def test_games_that_keep_the_rules_for_groups_do_not_warn_of_them_nor_does_a_scenario_without_any(tmp_path):
    assert "not used by" not in gamedeid_prints("run", grouped(tmp_path), "--game", "aware-no-attack")
    searched = small_world(tmp_path, scenario=f"{SCENARIO}[groups]\nsteps = 3\n")
    assert "[groups]" not in gamedeid_prints("run", searched, "--game", "no-attack")


def test_records_that_the_list_of_a_recipient_has_are_not_said_to_be_safe_from_all(tmp_path):
    path = unmatched(tmp_path)
    (tmp_path / "club.csv").write_text("age,sex\n40,Male\n41,Male\n50,Female\n51,Female\n")
    path.write_text(path.read_text() + WITH_A_LIST)
    made = gamedeid.solve(path, game="basic")

    words = of_kind(made.write(tmp_path / "out", report=False)["warnings"], "unmatched", "2 of 4 records")
    assert made.recipients["club"]["attacked"] > made.recipients["researcher"]["attacked"]
    assert "safe from a recipient who looks all attributes up there, only because the population lacks" in words


DOUBTS = {
    "unlisted": "Column sex has a value that its hierarchy does not list in 2 of 4 rows",
    "unmatched-by-recipient": "1 record matches no one in the population of club",
    "groups-unused": "The rules of [groups] (k = 3) are not used by",
}
"""Kinds of warnings of the next test's scenario -> the start of their sentences."""


def doubtful(folder: Path) -> Path:
    (folder / "club.csv").write_text("age,sex\n40,Male\n41,Male\n50,Female\n")
    question = unlisted(folder)
    question.write_text(f'{question.read_text()}{WITH_A_LIST}[groups]\nk = 3\n[thresholds]\npresets = ["0.2"]\n')
    return question


ANSWERS = (
    *("run Q", "compare Q", "frontier Q", "suggest Q", "solvers Q", "sweep Q", "sweep Q --exact loss"),
    *("risk release DIR", "risk release DIR Q --by sex", "risk distinct Q --policy raw --records"),
    *("plot lines Q -o FILE", "plot scatter Q -o FILE", "plot frontier Q -o FILE"),
    "plot map Q -o FILE --vary loss=80,90 --vary benefit=90,100",
)
"""Commands that answer a scenario Q, or its release in DIR."""


@pytest.mark.parametrize("command", ANSWERS)
def test_every_answer_has_all_warnings_of_its_data_and_games(tmp_path, command):
    question = doubtful(tmp_path)
    places = {"Q": question, "DIR": tmp_path / "out", "FILE": tmp_path / "picture.svg"}
    if "DIR" in command:
        gamedeid_prints("run", question, "-o", places["DIR"])
    words = [places.get(word, word) for word in command.split()]
    doubts = {**DOUBTS}
    if "distinct" in words:  # it plays no game
        doubts.pop("groups-unused")
    elif command in {"compare Q", "frontier Q", "suggest Q"}:
        doubts["groups-unused"] += " basic, sh-friendly and no-attack: a release may break them."

    said = gamedeid_says(*words)
    lines = (said.out + said.err).splitlines()
    printed = json.loads(gamedeid_says(*words, "--json", *(["--overwrite"] if "FILE" in command else [])).out)
    assert 0 == said.code
    for kind, begins in doubts.items():
        assert 1 == sum(line.startswith(f"Warning: {begins}") for line in lines), (begins, lines)
        if isinstance(printed, dict) and command != "risk release DIR":
            of_kind(printed["warnings"], kind, begins)


@pytest.mark.parametrize("command", ["audit", "audit --with OLD --key name", "attack"])
def test_answers_about_a_release_say_its_doubts(tmp_path, command):
    question, out = unlisted(tmp_path), tmp_path / "out"
    question.write_text(f"{question.read_text()}[groups]\nk = 3\n")
    for folder in (tmp_path / "old", out):
        gamedeid_prints("run", question, "-o", folder)
    name, *options = command.replace("OLD", str(tmp_path / "old")).split()
    said = gamedeid_prints(name, out, question, *options)
    printed = json.loads(gamedeid_prints(name, out, question, *options, "--json"))

    for kind in ("unlisted", "groups-unused"):
        assert f"Warning: {of_kind(printed['warnings'], kind, DOUBTS[kind])}" in said.splitlines()


def test_a_value_of_an_unlisted_name_is_listed_and_rows_are_counted_by_every_engine(tmp_path):
    question = unlisted(tmp_path)
    more = "".join(f"SECRET{row},40,{sex},<=50K\n" for row, sex in enumerate(["Another sex", "Diverse", "", "Male"]))
    (tmp_path / "records.csv").write_text(RECORDS + more)
    question.write_text(
        question.read_text().replace("[population]", 'missing = "suppress"\n[population]\nunmatched = "safe"')
    )
    frame = pl.read_csv(tmp_path / "records.csv", infer_schema=False)
    for records in (None, frame, frame.to_pandas(), frame.lazy(), frame.to_arrow()):
        data = gamedeid.compare(question, records).as_dict()["data"]
        assert ({"sex": 3}, 8) == (data["unlisted"], data["records"])
    assert "in 3 of 8 rows" in gamedeid_prints("compare", question, "--engine", "duckdb")
    people = question.read_text().replace('drop = ["name"]', 'person = "name"')
    question.write_text(people)
    (tmp_path / "records.csv").write_text((tmp_path / "records.csv").read_text().replace("SECRET1", "SECRETA"))
    assert {"sex": 3} == gamedeid.compare(question).as_dict()["data"]["unlisted"]


def test_after_an_earlier_release_it_is_said_how_classes_are_counted(tmp_path):
    question, first, second = small_world(tmp_path), tmp_path / "first", tmp_path / "second"
    gamedeid_prints("run", question, "-o", first)
    printed = gamedeid_prints("run", question, "--after", first, "--set", "earlier.key=name", "-o", second)
    words = "Two records are in one class only if the rows of their people are alike in all releases"
    assert words in printed
    assert words in gamedeid_prints("risk", "release", second)
    assert words not in gamedeid_prints("risk", "release", first)


def test_rows_released_by_a_finished_run_are_not_held_to_rules_for_groups_and_the_run_says_so(tmp_path):
    question, out, new = grouped(tmp_path), tmp_path / "out", tmp_path / "new"
    gamedeid_prints("run", question, "--game", "aware-basic", "-o", out)
    words = "Rows that are released by a finished run are not held to the rules of [groups] (k = 3 and kept.income"
    assert f"Warning: {words}" in gamedeid_prints(
        "apply", out, tmp_path / "records.csv", "--scenario", question, "-o", new
    )
    assert "all checks that were made passed" in gamedeid_prints("verify", new, question)
    for name in ("manifest.json", "summary.json"):
        change_json(new, name, lambda content: content["warnings"].clear())
    said = gamedeid_says("verify", new, question)
    assert (3, True) == (said.code, "lacks a warning of the kind groups-unused" in said.out)


def test_a_release_of_a_game_that_keeps_the_rules_for_groups_states_them(tmp_path):
    printed = gamedeid_prints("run", grouped(tmp_path), "--game", "aware-basic", "-o", tmp_path / "out")
    words = "Each released group with a record in it keeps the rules of [groups]: k = 3 and kept.income.distinct = 2."

    assert words in printed
    assert words in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize("section", ["[groups]\nk = 2\n", ""])
def test_rules_for_groups_withhold_records_outside_the_population_and_the_run_says_so(tmp_path, section):
    of_people = SCENARIO.replace('drop = ["name"]', 'drop = ["name"]\nmissing = "suppress"') + section
    records = RECORDS.replace("51,Female", "51,").replace("40,Male", "41,Male") + "SECRETE,50,Female,>50K\n"
    question = small_world(tmp_path, scenario=of_people, records=records)
    printed = gamedeid_prints("run", question, "--game", "aware-basic", "-o", tmp_path / "out")

    strategies = csv.DictReader((tmp_path / "out" / "strategies.csv").read_text().splitlines())
    assert not section or [False, False, False, True, False] == [row["withheld"] == "true" for row in strategies]
    assert bool(section) == ("With these rules a record that matches no one in the population" in printed)


def test_what_the_command_refuses_is_a_warning_of_what_the_library_writes(tmp_path):
    scenario = own_world(tmp_path, {"code": numbers})
    assert 2 == gamedeid_says("run", scenario, "-o", tmp_path / "refused").code
    made = gamedeid.solve(scenario).write(tmp_path / "out", report=False)

    words = of_kind(made["warnings"], "identifier", "Kept column `code` looks like social security numbers")
    assert words.endswith("gamedeid run does not release it unless the scenario accepts it.")


def test_values_of_a_lazy_frame_are_searched_and_what_is_not_checked_of_it_is_said(tmp_path):
    scenario = own_world(tmp_path, {"code": numbers})
    frame = pl.read_csv(tmp_path / "records.csv").lazy()
    made = gamedeid.solve(scenario, frame).write(tmp_path / "out", report=False)

    of_kind(made["warnings"], "identifier", "Kept column `code` looks like")
    of_kind(made["warnings"], "kept-column", "Kept columns were not checked for giving generalized attributes back")


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_engines_give_the_same_warnings(tmp_path, engine):
    for name in ("accepted", "kept", "visits"):
        (tmp_path / name).mkdir()
        said = gamedeid_says("run", PROVOKED[name][1](tmp_path / name), "--engine", engine)
        assert any(line.startswith(f"Warning: {PROVOKED[name][2]}") for line in lines_above_the_table(said.out))


@pytest.mark.parametrize("name", ["visits", "unmatched", "estimate", "groups"])
def test_a_comparison_has_the_warnings_of_its_data(tmp_path, name):
    kind, build, begins = PROVOKED[name]
    scenario = build(tmp_path)
    said = gamedeid_says("compare", scenario, "-o", tmp_path / "out")
    printed = json.loads(gamedeid_says("compare", scenario, "--json").out)

    words = of_kind(printed["warnings"], kind, begins)
    assert f"Warning: {words}" in lines_above_the_table(said.out)
    assert printed["warnings"] == read(tmp_path / "out", "comparison.json")["warnings"]
    assert printed["warnings"] == read(tmp_path / "out", "manifest.json")["warnings"]


def test_new_rows_have_warnings_of_their_own(tmp_path):
    people = PEOPLE.replace("41,Male,5\n", "41,Male,5\n40,Female,9\n")
    scenario = SCENARIO.replace('keep = ["income"]', 'keep = ["income"]\n[identifiers]\naccept = { income = "names" }')
    path, out = small_world(tmp_path, scenario=scenario, people=people), tmp_path / "out"
    gamedeid_says("run", path, "-o", out)
    (tmp_path / "new.csv").write_text(RECORDS)
    said = gamedeid_says("apply", out, tmp_path / "new.csv", "--scenario", path, "-o", tmp_path / "applied")

    words = of_kind(
        read(tmp_path / "applied", "manifest.json")["warnings"], "accepted-identifier", "Kept column `income` is said"
    )
    assert f"Warning: {words}" in lines_above_the_table(said.out)
    assert words in html.unescape((tmp_path / "applied" / "report.html").read_text("utf-8"))


@pytest.mark.parametrize("name", ["accepted", "weak evidence", "bytes", "visits", "unmatched", "estimate"])
def test_the_explorer_opens_with_the_warnings_of_data_and_identifiers(tmp_path, name):
    _, build, begins = PROVOKED[name]
    shown = ExplorerClient(Session.open(gamedeid.Scenario.read(build(tmp_path)))).ask("question")["warnings"]

    assert any(words.startswith(begins) for words in shown)


@pytest.mark.parametrize(("name", "key"), [("kept", "kept_columns.warnings"), ("unmatched", "data.unmatched_records")])
def test_verify_recomputes_from_the_records_a_warning_that_was_removed_everywhere(tmp_path, name, key):
    kind, build, _ = PROVOKED[name]
    scenario, out = build(tmp_path), tmp_path / "out"
    gamedeid.solve(scenario, game="no-attack").write(out, report=False)

    def strike_out(document: dict[str, Any]) -> None:
        document["warnings"] = [one for one in document["warnings"] if one["kind"] != kind]
        section, _, inside = key.partition(".")
        if section in document:
            document[section][inside] = [] if kind == "kept-column" else 0

    for document in ("summary.json", "manifest.json"):
        change_json(out, document, strike_out)
    lacking = {one.says.partition(" that says ")[0] for one in gamedeid.verify(out, scenario).findings}
    assert f"lacks a warning of the kind {kind}" in lacking


@pytest.fixture(scope="module")
def sources() -> list[tuple[str, ast.AST]]:
    """Every file of the package that uses warnings or prints errors, with each call and constant of its syntax."""
    return [
        (path.relative_to(PACKAGE).as_posix(), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        if re.search("(?i)warn|print_error", text := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call | ast.Constant)
    ]


def test_every_warning_of_the_package_is_about_the_machine_or_is_in_results(sources):
    """If this fails: make the warning a `ResultWarning` (gamedeid/results/manifest.py), and provoke it above."""
    raised, logged = set(), set()
    for file, node in sources:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"warn", "warning"}:
            called = ast.unparse(node.func)
            if called == "warnings.warn":
                raised.add(ast.unparse(node.args[1]))
            elif called == "_LOG.warning":
                logged.add(file)
    assert {one.__name__ for one in OF_THE_MACHINE} == raised
    assert set(errors.GamedeidWarning.__subclasses__()) == OF_THE_MACHINE
    assert logged == LOGGED


def test_no_command_prints_a_warning_past_the_list_of_warnings(sources):
    """If this fails: warn by a `ResultWarning`; lines on standard error are of faults, compiling and left parts."""
    called = ((file, node.func) for file, node in sources if isinstance(node, ast.Call))
    printing = {file for file, func in called if isinstance(func, ast.Name) and func.id == "print_error"}
    told = {"entry_point", "log", "signals", "options"}

    assert {f"cli/{name}.py" for name in told} == printing
    in_options = (PACKAGE / "cli" / "options.py").read_text("utf-8")
    assert 1 == in_options.count("print_error(f")  # parts of another question, left behind
    written = [file for file, node in sources if isinstance(node, ast.Constant) and _begins_as_warning(node.value)]
    assert ["report/terminal/results.py"] == written


def _begins_as_warning(value: object) -> bool:
    return isinstance(value, str) and value.lower().startswith("warning: ")
