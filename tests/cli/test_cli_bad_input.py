"""What is wrong with the input is said in one line, with what to try; the exit code is 2 and nothing is written."""

import gzip
import os
import re
import resource
import shutil
import subprocess
from contextlib import ExitStack
from itertools import cycle, product
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
    contents,
    gamedeid_command,
    gamedeid_says,
    process_environment,
    small_world,
)

POPULATION = SCENARIO[SCENARIO.index("[population]") : SCENARIO.index("[attributes.age]")]


def refusals(folder: Path, *words: object) -> str:
    """Run and compare in vain, and return what they complain of."""
    before = state(folder)
    complaints = set()
    for command in ("run", "compare"):
        said = gamedeid_says(command, *words, "-o", folder / "out")
        assert (2, "") == (said.code, said.out), said
        assert before == state(folder)
        complaints.add(said.complaint)
    assert 1 == len(complaints)
    return complaints.pop()


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return what can be told of every name below a folder: mode, time of change, and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() and about.st_size < 2**20 else b""
        found[str(path)] = (about.st_mode, about.st_mtime_ns, content)
    return found


# files

FILES = {
    "no scenario": ({"scenario": None}, r"scenario\.toml: no such scenario file"),
    "no records": ({"records": None}, r"records\.csv: no such file"),
    "no population": ({"people": None}, r"people\.csv: no such file"),
    "no hierarchy": ({"ages": None}, r"`ages\.csv`: .* is no file, and the shipped ones are age, "),
    "empty scenario": ({"scenario": ""}, r"scenario\.toml: `attributes` is required"),
    "empty records": ({"records": ""}, r"records\.csv: is empty; expected a header and rows"),
    "empty population": ({"people": ""}, r"people\.csv: is empty; expected a header and rows"),
    "empty hierarchy": ({"ages": ""}, r"ages\.csv: the file is empty"),
    "records of a header only": ({"records": "name,age,sex,income\n"}, r"records\.csv: has no rows"),
    "population of a header only": ({"people": "age,sex,count\n"}, r"people\.csv: has no rows"),
    "records that are binary": ({"records": bytes(range(256)) * 4}, r"records\.csv: .*(is not text|is not utf-8 text)"),
    "a scenario that is binary": ({"scenario": b"\xff\xfe"}, r"scenario\.toml: is not UTF-8 text"),
    "a hierarchy that is binary": ({"ages": b"\xff\xfe"}, r"ages\.csv: row 1: byte 0xff is not UTF-8: save"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_missing_or_empty_is_named(tmp_path, case):
    changed, complaint = FILES[case]
    scenario = small_world(tmp_path, **changed)

    assert re.search(complaint, refusals(tmp_path, scenario))


@pytest.mark.parametrize("name", ["scenario.toml", "records.csv", "people.csv", "ages.csv"])
def test_a_folder_is_no_file(tmp_path, name):
    scenario = small_world(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()

    assert re.search(rf"{name}.* is a folder", refusals(tmp_path, scenario))


@pytest.mark.parametrize("name", ["", "qickstart", "a\nb", "x" * 5000, "\udcff"])
def test_a_scenario_of_an_odd_name_is_not_found_in_one_line(tmp_path, name):
    assert re.search("no such scenario file, and none of the shipped ones", refusals(tmp_path, name))


@pytest.mark.parametrize("name", ["records.csv", "RECORDS.CSV", "records.parquet", "records.csv.gz", "records.xlsx"])
def test_a_table_where_a_scenario_is_expected_says_how_to_draft_one(tmp_path, name):
    table = tmp_path / name
    table.write_text("age,sex\n48,Male\n")

    said = refusals(tmp_path, table)

    assert said.endswith("a scenario is a TOML file that names its tables; draft one from the table first")
    assert "Male" not in said


def test_a_table_that_is_not_there_is_not_taken_for_one(tmp_path):
    assert refusals(tmp_path, tmp_path / "records.csv").endswith("records.csv: no such scenario file")


def test_a_shipped_scenario_of_nearly_that_name_is_offered(tmp_path):
    assert refusals(tmp_path, "quickstat").endswith("did you mean `quickstart`?")


def test_a_shipped_scenario_without_its_data_is_not_offered_and_says_what_it_needs(tmp_path, monkeypatch):
    home = tmp_path / "site-packages" / "gamedeid"
    for kind in ("hierarchies", "scenarios"):
        shutil.copytree(HOME / kind, home / "_shipped" / kind, ignore=shutil.ignore_patterns("adult_tn"))
    monkeypatch.setattr("gamedeid.generalization.shipped._PACKAGE", home)
    data = home / "_shipped" / "scenarios" / "adult_tn"

    assert refusals(tmp_path, "adult_tm").endswith("none of the shipped ones (quickstart)")
    said = refusals(tmp_path, "adult_tn")
    assert "scenario `adult_tn` needs `adult_tn.csv.gz` and `tn_population_2010.csv.gz`, which an installation " in said
    assert f"name scenarios/adult_tn.toml there, or copy scenarios/adult_tn from there to {data}" in said
    shutil.copytree(HOME / "scenarios" / "adult_tn", data)
    assert refusals(tmp_path, "adult_tm").endswith("(quickstart, adult_tn); did you mean `adult_tn`?")


# columns and values

VALUES = {
    "an undeclared column": (
        {"records": RECORDS.replace("income", "wages")},
        r"records\.csv: .*(`income`|'wages')",
    ),
    "one more column": (
        {"records": "".join(f"{line},7\n" for line in RECORDS.splitlines()).replace("income,7", "income,phone")},
        r"records\.csv: column .phone. is not declared; make each an attribute, or list it under \[records\] keep",
    ),
    "a column named twice": (
        {"records": RECORDS.replace("income", "age")},
        r"records\.csv: .* (named twice|have the same name); give each .*another name",
    ),
    "a column of the population named twice": (
        {"people": PEOPLE.replace("count", "age")},
        r"people\.csv: .* (named twice|have the same name); give each",
    ),
    "an attribute that is no column": (
        {"records": RECORDS.replace("sex", "sexx")},
        r"records\.csv: there is no column `sex`; did you mean `sexx`\?",
    ),
    "an attribute that the population lacks": (
        {"people": PEOPLE.replace("sex", "gender")},
        r"people\.csv: there is no column `sex`; its columns are .*gender",
    ),
    "a count that is no column": (
        {"people": PEOPLE.replace("count", "conut")},
        r"people\.csv: there is no column `count`; did you mean `conut`\?",
    ),
    "a value outside its hierarchy": (
        {"records": RECORDS.replace("41,Male", "142,Male")},
        r"records: column `age` has 1 value .* does not know, in 1 row \(first in row 2\); it knows 40",
    ),
    "a value of the population outside its hierarchy": (
        {"people": PEOPLE.replace("40,Male", "40,male")},
        r"population: column `sex` has 1 value that the hierarchy `sex` does not know, in 1 row",
    ),
    "a hierarchy that splits a group": (
        {"ages": AGES.replace("41;[40-41];*", "41;[40-41];old;*").replace("[40-41];*", "[40-41];young;*", 1)},
        r"ages\.csv: row ",
    ),
    "a hierarchy that splits a group one level up": (
        {"ages": "40;a;x;*\n41;a;y;*\n50;b;x;*\n51;b;x;*\n"},
        r"ages\.csv: row 2: .*`a`.*`x`.*`y`|ages\.csv: row 2: .*`a`",
    ),
    "a missing value": (
        {"records": RECORDS.replace("41,Male", ",Male")},
        r'records: column `age` has no value in 1 row \(first in row 2\); fill them in, or .* missing = "suppress"',
    ),
    "a record that matches no one": (
        {"people": PEOPLE.replace("41,Male,5\n", "")},
        r'1 record matches no one in the population; .* set \[population\] unmatched = "unique" or "safe"',
    ),
    "a count that is no whole number": (
        {"people": PEOPLE.replace("Male,5", "Male,5.5")},
        r"people\.csv: count column `count` must hold whole numbers of people, but row 2 has none; are these weights",
    ),
    "a count that is no number": (
        {"people": PEOPLE.replace("Male,5", "Male,five")},
        r"people\.csv: count column `count` must hold whole numbers of people, but row 2 has none; --show-values",
    ),
    "a count that is missing": (
        {"people": PEOPLE.replace("Male,5", "Male,")},
        r"people\.csv: count column `count` (must hold whole numbers|has no value).*row 2",
    ),
    "a negative count": (
        {"people": PEOPLE.replace("Male,5", "Male,-5")},
        r"people\.csv: count column `count` must not be negative, but is in row 2",
    ),
    "a count beyond counting": (
        {"people": PEOPLE.replace("Male,5", "Male,9223372036854775807")},
        r"people\.csv: count column `count` must hold whole numbers .* row 2 has one of more than 18 digits",
    ),
    "a count that nobody spoke of": (
        {"scenario": SCENARIO.replace('count = "count"\n', "")},
        r"people\.csv: column `count` looks like a number of people.*; set count = ",
    ),
    "records in another encoding": (
        {"records": RECORDS.encode().replace(b">50K", b">50K\xe9")},
        r'records\.csv: (line|row) [23] is not utf-8 text; save the file as UTF-8, or name its encoding .*"latin-1"',
    ),
    "a population in another encoding": (
        {"people": PEOPLE.encode().replace(b"Male", b"M\xe9le")},
        r"people\.csv: (line|row) [12] is not utf-8 text; save the file as UTF-8",
    ),
    "an encoding that nobody knows": (
        {"scenario": SCENARIO.replace("[population]", 'encoding = "klingon"\n[population]')},
        r"`?klingon`? is no known encoding; try utf-8 or latin-1|encoding.*klingon",
    ),
    "an uneven row": (
        {"records": RECORDS.replace(">50K", ">50K,more")},
        r"records\.csv: row [23] has 5 values, expected 4",
    ),
}


@pytest.mark.parametrize("case", VALUES)
def test_a_column_or_value_that_cannot_be_taken_is_named(tmp_path, case):
    changed, complaint = VALUES[case]
    said = refusals(tmp_path, small_world(tmp_path, **changed))

    assert re.search(complaint, said), said
    assert "SECRET" not in said


def test_a_hierarchy_and_its_check_agree_on_the_fault(tmp_path):
    scenario = small_world(tmp_path, ages="40;a;x;*\n41;a;y;*\n50;b;x;*\n51;b;y;*\n")
    said = refusals(tmp_path, scenario)
    checked = gamedeid_says("hierarchy", "check", tmp_path / "ages.csv")

    assert (2, 2, "") == (checked.code, len(checked.out.splitlines()), checked.err)
    assert said == f"{checked.out.splitlines()[0]} (and 1 more: `gamedeid hierarchy check` lists all)"


# payoffs


STAKES = ("benefit", "loss", "cost", "gain")
AMOUNTS = ("-1", "0", "nan", "inf", "-inf", '"many"', "true", "[]")


@pytest.mark.parametrize(
    ("payoff", "amount"), tries(list(zip(cycle(STAKES), AMOUNTS, strict=False)), list(product(STAKES, AMOUNTS)))
)
def test_an_amount_of_money_must_be_above_zero_and_finite(tmp_path, payoff, amount):
    line = rf"(?m)^{payoff} = \d+$"
    changed = re.sub(line, f"{payoff} = {amount}", SCENARIO.replace("cost = 20", "cost = 20\ngain = 90"))
    scenario = small_world(tmp_path, scenario=changed)
    in_the_file = refusals(tmp_path, scenario)
    scenario.write_text(SCENARIO)
    on_the_line = refusals(tmp_path, scenario, "--set", f"payoffs.{payoff}={amount}")

    path, _, fault = in_the_file.partition(": ")
    assert f"{fault} (in {path})" == on_the_line, "the fault of an override comes first"
    assert re.search(rf"scenario\.toml: payoffs\.{payoff}: .* number.*, not ", in_the_file)


def test_a_weight_must_not_be_negative(tmp_path):
    said = refusals(tmp_path, small_world(tmp_path), "--set", "attributes.age.weight=-1")

    assert re.search(r"attributes\.age\.weight: .* (at least|or equal to) 0, not `-1`", said)


# the scenario

QUESTIONS = {
    "an unknown key": (SCENARIO.replace("cost", "costs"), r"unknown key `payoffs\.costs`; did you mean `cost`\?"),
    "an unknown section": (SCENARIO.replace("[payoffs]", "[payof]"), r"unknown key `payof`; did you mean `payoffs`\?"),
    "an unknown key of an attribute": (
        SCENARIO.replace('"sex"', '"sex"\nwieght = 0'),
        r"unknown key `attributes\.sex\.wieght`; did you mean `weight`\?",
    ),
    "no payoffs": (SCENARIO.partition("[payoffs]")[0], r"`payoffs` is required"),
    "invalid TOML": (SCENARIO.replace("[payoffs]", "[payoffs"), r"scenario\.toml: is not valid TOML: .*line 16"),
    "a key given twice": (SCENARIO.replace("cost = 20", "loss = 20"), r"is not valid TOML: .*line \d+"),
    "a choice that is none": (
        SCENARIO.replace('"name"]', '"name"]\nmissing = "ignore"'),
        r"records\.missing: .*'error', 'suppress' or 'show', not `ignore`",
    ),
    "a column with two parts": (
        SCENARIO.replace('keep = ["income"]', 'keep = ["name"]'),
        r"column `name` is in records\.keep and in records\.drop; it can have one part only",
    ),
    "a policy that is none": (f'floor = "pears"\n{SCENARIO}', r"names no policy: `pears`; did you mean `pairs`\?"),
    "a policy of a level that is none": (
        f'floor = "pairs"\n{SCENARIO}'.replace("age = 1", "age = 3"),
        r"policy\.pairs.*: .*level 3.*; its levels are 0 to 2",
    ),
    "a policy that speaks of no attribute": (
        SCENARIO.replace("age = 1", "aeg = 1"),
        r"policy\.pairs speaks of `aeg`, which is no attribute; did you mean `age`\?",
    ),
    "no records": (SCENARIO.replace('path = "records.csv"\n', ""), r"the scenario names no records; add \[records\]"),
    "no population file": (SCENARIO.replace('path = "people.csv"\n', ""), r"\[population\] names no file; add path"),
}  # fmt: skip


@pytest.mark.parametrize("case", QUESTIONS)
def test_a_question_that_means_nothing_is_said(tmp_path, case):
    text, complaint = QUESTIONS[case]
    said = refusals(tmp_path, small_world(tmp_path, scenario=text))

    assert re.search(complaint, said), said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--set", "payoffs"], r"--set takes KEY=VALUE, such as payoffs\.loss=500, not `payoffs`"),
        (["--set", "=3"], r"--set takes KEY=VALUE, such as payoffs\.loss=500, not `=3`"),
        (["--set", ""], r"--set takes KEY=VALUE, such as payoffs\.loss=500, not ``"),
        (["--set", "payoffs.los=3"], r"unknown key `payoffs\.los`; did you mean `loss`\?"),
        (["--set", "title.short=3"], r"title\.short.*: `title` is a value, not a section"),
        (["--policy", "pears"], r"floor names no policy: `pears`; did you mean `pairs`\?"),
    ],
)
def test_an_override_that_means_nothing_is_said(tmp_path, words, complaint):
    assert re.search(complaint, refusals(tmp_path, small_world(tmp_path), *words))


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
        for _ in range(200):
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


def outputs_refused(scenario: Path, output: object, *words: object) -> str:
    complaints = {
        (said.code, said.out, said.complaint)
        for said in (gamedeid_says(command, scenario, "-o", output, *words) for command in ("run", "compare"))
    }
    ((code, out, complaint),) = complaints
    assert (2, "") == (code, out)
    return complaint


@pytest.mark.parametrize("words", [(), ("--overwrite",)])
def test_a_folder_of_the_user_is_left_alone(tmp_path, words):
    scenario = small_world(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    before = state(tmp_path)
    complaint = outputs_refused(scenario, tmp_path / "mine", *words)

    assert complaint.startswith(f"{tmp_path / 'mine'} already exists and is not ")
    assert "; choose another folder" in complaint
    assert before == state(tmp_path)


@pytest.mark.parametrize("words", [(), ("--overwrite",)])
def test_a_file_is_no_folder(tmp_path, words):
    scenario = small_world(tmp_path)
    before = state(tmp_path)
    complaint = outputs_refused(scenario, tmp_path / "records.csv", *words)

    assert f"{tmp_path / 'records.csv'} already exists and is not a folder; choose another folder" == complaint
    assert before == state(tmp_path)


@pytest.mark.parametrize("parent", ["missing", "records.csv"])
def test_a_folder_in_no_folder_is_not_made(tmp_path, parent):
    scenario = small_world(tmp_path)
    before = state(tmp_path)
    complaint = outputs_refused(scenario, tmp_path / parent / "out")

    assert f"there is no folder {tmp_path / parent}; create it, or check its name" in complaint
    assert before == state(tmp_path)


def test_a_folder_that_cannot_be_written_is_known_before_the_data_are_read(tmp_path):
    scenario = small_world(tmp_path, records=None)

    assert "there is no folder" in outputs_refused(scenario, tmp_path / "missing" / "out")


def test_overwriting_needs_something_to_overwrite(tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), "--overwrite")

    assert (2, "--overwrite replaces an earlier folder of results; say which with -o DIR") == (
        said.code,
        said.complaint,
    )


def test_a_folder_that_may_not_be_written_is_refused():
    with TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        folder.chmod(0o755)
        scenario = small_world(folder, scenario=SCENARIO.replace('"sex"', '"sexes.csv"'))
        (folder / "sexes.csv").write_text("Male;*\nFemale;*\n")
        (folder / "theirs").mkdir(mode=0o555)
        before = state(folder)
        assert 0 == gamedeid_says("run", scenario).code  # everything is imported now
        if os.geteuid() == 0:  # who may write everywhere
            stack.callback(os.seteuid, 0)
            os.seteuid(65534)
        complaint = outputs_refused(scenario, folder / "theirs" / "out")

        assert f"cannot write {folder / 'theirs' / 'out'}: you may not write there; choose another folder" == complaint
        assert before == state(folder)


@pytest.fixture
def full_disk(tmp_path):
    """Mount a disk of 64 KiB, filled but for one page."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"this system lets nobody mount a small disk: {mounted.stderr.splitlines()[0]}")
    (disk / "filling").write_bytes(bytes(60 * 1024))
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_full_disk_is_said_and_nothing_is_left(tmp_path, full_disk, form):
    said = gamedeid_says("run", small_world(tmp_path), "-o", full_disk / "out", "--format", form)

    assert 2 == said.code
    assert re.search(rf"cannot write .*{full_disk / 'out'}: the disk is full; free some space or", said.complaint)
    assert ["filling"] == [path.name for path in full_disk.iterdir()]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_limit_on_the_size_of_files_is_said_and_nothing_is_left(tmp_path, form):
    scenario = small_world(tmp_path)
    gamedeid_says("run", scenario, "-o", tmp_path / "out", "--set", "payoffs.cost=50")
    before = state(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        said = gamedeid_says("run", scenario, "-o", tmp_path / "out", "--overwrite", "--no-report", "--format", form)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert 2 == said.code
    assert "larger than a file may be here; choose another folder" in said.complaint
    assert before == state(tmp_path)
    assert "SECRET" not in str(contents(tmp_path / "out"))


@pytest.mark.parametrize("words", [("run", "scenario.toml", "--game"), ("hierarchy", "show"), ("run", "scenario.toml")])
def test_a_word_of_thousands_of_letters_is_not_said_back(words):
    complaint = gamedeid_says(*words, "x" * 5000).complaint

    assert "xxx..." in complaint
    assert 400 > len(complaint)
