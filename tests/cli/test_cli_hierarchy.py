"""The commands that show and check hierarchies."""

import json

import pytest
from typer.testing import CliRunner

from gamedeid.cli.hierarchy import app
from gamedeid.errors import GamedeidError


@pytest.fixture(autouse=True)
def _plain_output(monkeypatch):
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")


def invoke(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    assert code == result.exit_code
    return result.output


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


def test_a_terminal_gets_a_table_that_fits_it(tmp_path, monkeypatch):
    path = tmp_path / "long.csv"
    path.write_text(f"{'x' * 200};*\n")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    output = invoke("show", path, "--groups", 0)

    assert max(len(line) for line in output.splitlines()) <= 200
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
        "name": "sex",
        "title": "",
        "role": "other",
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["show", "aeg"],
            r"hierarchy `aeg`: .* the shipped ones are age, race, sex, us_zip, zip; did you mean `age`\?",
        ),
        (["show", "age", "--groups", "6"], "hierarchy `age` has no level 6: expected --groups 0 to 5"),
        (["show", "age", "--groups", "-1"], "hierarchy `age` has no level -1: expected --groups 0 to 5"),
        (
            ["show", "us_zip", "--groups", "1"],
            "hierarchy `us_zip` takes its values from the data: it has no groups yet",
        ),
    ],
)
def test_what_cannot_be_shown_is_an_error_of_one_line(arguments, message):
    with pytest.raises(GamedeidError, match=message):
        invoke(*arguments)


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
            f"{keys}: unknown key `lenght`: expected `title`, `kind`, `role`, `unlisted`, `length`, `alphabet`, "
            "`keep`, `values` or `merge`; did you mean `length`?"
        ),
        f"{keys}: `length` is missing: expected a whole number",
        f"hierarchy `{none}`: {none} is no file, and the shipped ones are age, race, sex, us_zip, zip",
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
        "faults": [f"{bad}: row 1: `a` stands alone: expected at least a value and the root `*`"],
    } == checked["files"][1]


@pytest.mark.parametrize("command", ["show", "check"])
def test_every_command_has_help(command):
    assert "--json" in invoke(command, "--help")
