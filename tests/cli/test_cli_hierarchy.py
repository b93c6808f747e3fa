"""The commands that show and check hierarchies."""

import json

import pytest
from small_world import gamedeid_says


def invoke(*arguments: object, code: int = 0) -> str:
    said = gamedeid_says("hierarchy", *arguments)
    assert code == said.code
    return said.out


def cells(output: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if "│" in line]


def test_show_prints_the_ladder_level_by_level():
    output = invoke("show", "age")

    assert "age: 121 leaves, 6 levels - Age in years, 0 to 120" == output.splitlines()[0]
    assert [
        ["0", "121", "1", "1", "60"],
        ["1", "24", "5", "6", "[60-64]"],
        ["2", "8", "15", "16", "[60-74]"],
        ["3", "4", "30", "31", "[60-89]"],
        ["4", "2", "60", "61", "[60-120]"],
        ["5", "1", "121", "121", "*"],
    ] == cells(output)


def test_show_lists_the_groups_of_a_level_with_their_sizes():
    output = invoke("show", "race", "--groups", 1)

    assert "race: 4 groups at level 1" == output.splitlines()[0]
    assert [
        ["1", "White"],
        ["1", "Black"],
        ["1", "Asian-Pac-Islander"],
        ["2", "[Amer-Indian-Eskimo, Other]"],
    ] == cells(output)


def test_show_reads_a_path(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("[b];*\n[i]x[/i];*\n")

    assert [["1", "[b]"], ["1", "[i]x[/i]"]] == cells(invoke("show", path, "--groups", 0))


def test_a_row_stays_one_line_when_nobody_watches(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"{'word ' * 60};*\n")

    assert [["1", ("word " * 60).strip()]] == cells(invoke("show", path, "--groups", 0))


def test_a_terminal_gets_a_table_that_fits_it(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"{'x' * 200};*\n")
    output = gamedeid_says("hierarchy", "show", path, "--groups", 0, terminal_columns=80).out

    assert max(len(line) for line in output.splitlines()) <= 80
    assert 200 == output.count("x")


def test_show_prints_the_rule_of_a_hierarchy_that_has_no_leaves_yet():
    output = invoke("show", "us_zip")

    assert output.startswith("us_zip: leaves from the data, 6 levels - Five-digit ZIP codes")
    assert ["2", "the first 3 of 5 characters"] == cells(output)[2]
    assert ["5", "*"] == cells(output)[-1]
    assert "one group as 000** from level 2: 036..., 059..." in output


def test_a_merge_without_a_label_is_shown_by_its_values(tmp_path):
    path = tmp_path / "zip.toml"
    path.write_text('kind = "prefix"\nlength = 5\n[[merge]]\nfrom_level = 2\nvalues = ["42223", "42602"]\n')

    assert "one group from level 2: 42223, 42602" == invoke("show", path).splitlines()[-1]


def test_show_speaks_json():
    shown = json.loads(invoke("show", "sex", "--json", "--groups", 1))

    assert {
        "schema": "urn:gamedeid:schema:hierarchy:1",
        "name": "sex",
        "title": "",
        "role": "other",
        "unlisted": None,
        "open": False,
        "integer": False,
        "leaves": 2,
        "levels": [
            {"level": 0, "groups": 2, "smallest": 1, "largest": 1, "example": "Female"},
            {"level": 1, "groups": 1, "smallest": 2, "largest": 2, "example": "*"},
        ],
        "groups": [{"label": "*", "size": 2}],
    } == shown
    assert "groups" not in json.loads(invoke("show", "sex", "--json"))


def test_show_speaks_json_of_a_rule():
    shown = json.loads(invoke("show", "us_zip", "--json"))

    assert (True, None, "zip", [4, 3, 2, 1]) == (shown["open"], shown["leaves"], shown["role"], shown["rule"]["keep"])
    assert (2, "000**") == (shown["rule"]["merge"][0]["from_level"], shown["rule"]["merge"][0]["label"])


BORN = 'kind = "date"\nformat = "DD.MM.YYYY"\nlevels = ["month", "year"]\n'


@pytest.fixture
def patients(tmp_path):
    """Return a hierarchy and a file that has its values."""
    (tmp_path / "born.toml").write_text(BORN)
    (tmp_path / "patients.csv").write_text("name,born\nSECRET,14.03.1958\nSECRET,01.01.1960\nSECRET,unknown\n")
    return tmp_path / "born.toml", tmp_path / "patients.csv"


def test_show_says_what_each_level_of_a_rule_publishes(patients):
    assert [
        ["0", "the day, as 1958-03-14"],
        ["1", "the month, as 1958-03"],
        ["2", "the year, as 1958"],
        ["3", "*"],
    ] == (cells(invoke("show", patients[0])))


def test_show_takes_the_values_of_a_file_and_tells_them_only_where_it_is_asked_to(patients):
    words = ["show", *patients[:1], "--data", patients[1], "--missing-value", "unknown"]
    output = invoke(*words)

    assert "born: 659 leaves, 4 levels" == output.splitlines()[0]
    assert ["2", "3", "1", "365", "####"] == cells(output)[2]
    assert output.endswith("each letter and digit of the data is shown as #; --show-values shows them\n")
    assert [["293", "####"], ["365", "####"], ["1", "####"]] == cells(invoke(*words, "--groups", 2))
    told = invoke(*words, "--groups", 2, "--show-values")
    assert [["293", "1958"], ["365", "1959"], ["1", "1960"]] == cells(told)
    assert "####" == json.loads(invoke(*words, "--json"))["levels"][2]["example"]


def test_write_writes_what_other_tools_read(patients):
    out = patients[0].with_name("out.csv")

    assert f"{out}: 2 leaves, 2 levels\n" == invoke("write", "sex", "-o", out)
    assert "Male;*\nFemale;*\n" == out.read_text()
    written = invoke(
        "write", *patients[:1], "-o", out, "--overwrite", "--data", patients[1], "--missing-value", "unknown", "--json"
    )
    expected = {"output": str(out), "name": "born", "leaves": 659, "levels": 4}
    assert {"schema": "urn:gamedeid:schema:hierarchy-file:1", **expected} == json.loads(written)
    assert "1958-03-14;1958-03;1958;*" == out.read_text().splitlines()[0]


def test_check_prints_one_line_for_each_sound_file():
    assert "age: 121 leaves, 6 levels\nus_zip: leaves from the data, 6 levels\n" == invoke("check", "age", "us_zip")


def test_check_prints_every_fault_of_every_file_and_exits_with_two(tmp_path):
    rows, keys, none = tmp_path / "rows.csv", tmp_path / "keys.toml", tmp_path / "none.csv"
    rows.write_text("a;x\nb;x\n")
    keys.write_text('kind = "prefix"\nlenght = 5\n')
    output = invoke("check", rows, "sex", keys, none, tmp_path, code=2)

    assert [
        f"{rows}: row 1: `a` ends in `x`: expected the one root `*` (and no header line)",
        f"{rows}: row 2: `b` ends in `x`: expected the one root `*` (and no header line)",
        "sex: 2 leaves, 2 levels",
        (
            f"{keys}: unknown key `lenght`: expected `title`, `kind`, `role`, `unlisted`, `spellings`, `length`, "
            "`alphabet`, `keep`, `values`, `merge` or `merge_small`; did you mean `length`?"
        ),
        f"{keys}: `length` is missing: expected a whole number",
        f"hierarchy `{none}`: {none} is no file, and the shipped ones are age, icd10, race, sex, us_zip, zip",
        f"{tmp_path}: is a folder: expected a .toml or .csv file",
    ] == output.splitlines()


def test_check_speaks_json(tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("a")
    checked = json.loads(invoke("check", "sex", bad, "--json", code=2))

    assert {"path": "sex", "name": "sex", "leaves": 2, "levels": 2, "faults": []} == checked["files"][0]
    assert {
        "path": str(bad),
        "name": "bad",
        "leaves": None,
        "levels": None,
        "faults": [f"{bad}: row 1: `a` is alone: expected at least a value and the root `*`"],
    } == checked["files"][1]
