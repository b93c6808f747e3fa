"""A fault of the input is reported in one line, with advice; the exit code is 2 and nothing is written."""

import gzip
import os
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from depth import tries
from small_world import (
    AGES,
    HOME,
    PEOPLE,
    RECORDS,
    SCENARIO,
    gamedeid_command,
    gamedeid_says,
    process_environment,
    refused,
    small_world,
)


def refusal(folder: Path, *words: object) -> str:
    """Run a command that must fail, and return its error message."""
    before = state(folder)
    complaint = refused("run", *words, "-o", folder / "out")
    assert before == state(folder)
    return complaint


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return mode, time of change and content of every path below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() and about.st_size < 2**20 else b""
        found[str(path)] = (about.st_mode, about.st_mtime_ns, content)
    return found


WHOLE = {"scenario": SCENARIO, "records": RECORDS, "people": PEOPLE, "ages": AGES}
WRONG = {
    "no records": ("records", ..., None, r"records\.csv: no such file"),
    "no hierarchy": ("ages", ..., None, r"`ages\.csv`: .* is no file, and the shipped ones are age, "),
    "a value outside its hierarchy": (
        *("records", "41,Male", "142,Male"),
        r"records: column `age` has 1 value .* does not know, in 1 row \(first in row 2\); it knows 40",
    ),
    "a record that matches no one": (
        *("people", "41,Male,5\n", ""),
        r'1 record matches no one in the population; .* set \[population\] unmatched = "unique" or "safe"',
    ),
    "a count that is no number": (
        *("people", "Male,5", "Male,five"),
        r"people\.csv: count column `count` must hold whole numbers of people, but row 2 has none; --show-values",
    ),
}
"""One fault of each step of reading, whose others the tests of its room have: file, a text of it (or all), another."""


@pytest.mark.parametrize("case", WRONG)
def test_the_fault_of_an_input_is_named(tmp_path, case):
    file, old, new, complaint = WRONG[case]
    changed = {file: new if old is ... else WHOLE[file].replace(old, new)}
    said = refusal(tmp_path, small_world(tmp_path, **changed))

    assert re.search(complaint, said), said
    assert "SECRET" not in said


@pytest.mark.parametrize("name", ["scenario.toml", "records.csv", "people.csv", "ages.csv"])
def test_a_folder_is_not_a_file(tmp_path, name):
    scenario = small_world(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()

    assert re.search(rf"{name}.* is a folder", refusal(tmp_path, scenario))


@pytest.mark.parametrize("name", ["", "qickstart", "a\nb", "x" * 5000, "\udcff"])
def test_a_missing_scenario_with_an_odd_name_is_one_line(tmp_path, name):
    assert re.search("no such scenario file, and none of the shipped ones", refusal(tmp_path, name))


@pytest.mark.parametrize("name", ["records.csv", "RECORDS.CSV", "records.parquet", "records.csv.gz", "records.xlsx"])
def test_a_table_where_a_scenario_is_expected_says_how_to_draft_one(tmp_path, name):
    table = tmp_path / name
    table.write_text("age,sex\n48,Male\n")

    said = refusal(tmp_path, table)

    assert said.endswith("a scenario is a TOML file that names its tables; draft one from the table first")


@pytest.mark.parametrize("command", [("check",), ("init",), ("risk", "table", "--attributes", "age")])
def test_a_scenario_in_place_of_a_table_is_named_so(tmp_path, command):
    scenario = small_world(tmp_path)
    said = refused(*command, scenario)

    assert said.endswith("scenario.toml: is no table by its name (TOML); name a table, such as a .csv or .parquet file")


def test_a_shipped_scenario_without_its_data_is_not_offered_and_says_what_it_needs(tmp_path, monkeypatch):
    home = tmp_path / "site-packages" / "gamedeid"
    for kind in ("hierarchies", "scenarios"):
        shutil.copytree(HOME / kind, home / "_shipped" / kind, ignore=shutil.ignore_patterns("adult_tn"))
    monkeypatch.setattr("gamedeid.generalization.shipped._PACKAGE", home)
    data = home / "_shipped" / "scenarios" / "adult_tn"

    assert refusal(tmp_path, "adult_tm").endswith("none of the shipped ones (quickstart)")
    said = refusal(tmp_path, "adult_tn")
    assert "scenario `adult_tn` needs `adult_tn.csv.gz` and `tn_population_2010.csv.gz`, which an installation " in said
    assert f"name scenarios/adult_tn.toml there, or copy scenarios/adult_tn from there to {data}" in said
    shutil.copytree(HOME / "scenarios" / "adult_tn", data)
    assert refusal(tmp_path, "adult_tm").endswith("(quickstart, adult_tn); did you mean `adult_tn`?")


def test_a_hierarchy_and_its_check_agree_on_the_fault(tmp_path):
    scenario = small_world(tmp_path, ages="40;a;x;*\n41;a;y;*\n50;b;x;*\n51;b;y;*\n")
    said = refusal(tmp_path, scenario)
    checked = gamedeid_says("hierarchy", "check", tmp_path / "ages.csv")

    assert (2, 2, "") == (checked.code, len(checked.out.splitlines()), checked.err)
    assert said == f"{checked.out.splitlines()[0]} (and 1 more: `gamedeid hierarchy check` lists all)"


# size


@pytest.mark.parametrize(
    ("name", "start", "encoding"),
    [
        ("records.csv", b"", "latin-1"),
        ("records.csv.gz", b"name,age,sex,income\nA,", "utf-8"),
        *tries((), (("records.csv", b"", "utf-8"), ("records.csv", b"name,age,sex,income\nA,", "utf-8"))),
    ],
)
def test_a_file_of_one_endless_line_is_refused_in_little_memory(tmp_path, usual, name, start, encoding):
    changed = SCENARIO.replace('"records.csv"', f'"{name}"\nencoding = "{encoding}"')
    scenario = small_world(tmp_path, scenario=changed, records=None)
    with gzip.open(tmp_path / name, "wb", 1) if name.endswith(".gz") else (tmp_path / name).open("wb") as file:
        file.write(start)
        for _ in range(150):
            file.write(b"x" * 2**20)
    code, complaint, most = peak(scenario, tmp_path)

    assert (2, 1) == (code, complaint.count("\n"))
    assert len(complaint) < 1000
    assert re.search(r"records\.csv.*: .*line.* (longer|more) than 1 MiB; is it a CSV file", complaint)
    assert most < usual + 100 * 2**20


def peak(scenario: Path, folder: Path) -> tuple[int, str, int]:
    """Run in a process and return its exit code, its complaint and the most memory it held, in bytes."""
    with (folder / "complaint").open("w") as complaint:
        process = subprocess.Popen(
            gamedeid_command("run", scenario, "-o", folder / "out"),
            stderr=complaint,
            stdout=subprocess.DEVNULL,
            env=process_environment(),
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert not (folder / "out").exists()
    return process.returncode, (folder / "complaint").read_text(), used.ru_maxrss * 1024


@pytest.fixture(scope="module")
def usual(tmp_path_factory) -> int:
    """Return the most memory, in bytes, of a run that finds no row."""
    folder = tmp_path_factory.mktemp("usual")
    return peak(small_world(folder, records="name,age,sex,income\n"), folder)[2]


# where the results should go


def test_a_folder_that_may_not_be_written_is_refused():
    with TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        folder.chmod(0o755)
        scenario = small_world(folder, scenario=SCENARIO.replace('"sex"', '"sexes.csv"'))
        (folder / "sexes.csv").write_text("Male;*\nFemale;*\n")
        (folder / "theirs").mkdir(mode=0o555)
        before = state(folder)
        assert 0 == gamedeid_says("run", scenario).code  # everything is imported now
        if os.geteuid() == 0:  # root may write everywhere
            stack.callback(os.seteuid, 0)
            os.seteuid(65534)
        complaint = refused("run", scenario, "-o", folder / "theirs" / "out")

        assert f"cannot write {folder / 'theirs' / 'out'}: you may not write there; choose another folder" == complaint
        assert before == state(folder)


def test_control_characters_of_a_word_are_spelled_out():
    assert r"a\nb\x1b[31m" in refused("a\nb\x1b[31m")


@pytest.mark.parametrize("words", [("run", "scenario.toml", "--game"), ("hierarchy", "show"), ("run", "scenario.toml")])
def test_a_word_of_thousands_of_letters_is_not_repeated(words):
    complaint = refused(*words, "x" * 5000)

    assert "xxx..." in complaint
    assert 400 > len(complaint)
