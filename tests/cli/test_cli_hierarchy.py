"""The commands that show and write hierarchies; what they print is in `test_cli_printed.py`."""

import json
from pathlib import Path

import pytest
from small_world import gamedeid_prints, gamedeid_says

OF_DATA = ("born.toml", "--data", "patients.csv", "--missing-value", "unknown", "--json")


def test_a_terminal_gets_a_table_that_fits_it(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"{'x' * 200};*\n")
    output = gamedeid_says("hierarchy", "show", path, "--groups", 0, terminal_columns=80).out

    assert max(len(line) for line in output.splitlines()) <= 80
    assert 200 == output.count("x")


@pytest.mark.usefixtures("folder_of_commands")
def test_show_speaks_json_of_a_rule_and_of_values_that_it_does_not_tell():
    shown, of_data = (
        json.loads(gamedeid_prints("hierarchy", "show", *words)) for words in (("us_zip", "--json"), OF_DATA)
    )

    assert (True, None, "zip", [4, 3, 2, 1]) == (shown["open"], shown["leaves"], shown["role"], shown["rule"]["keep"])
    assert (2, "000**") == (shown["rule"]["merge"][0]["from_level"], shown["rule"]["merge"][0]["label"])
    assert "groups" not in of_data
    assert "####" == of_data["levels"][2]["example"]


@pytest.mark.usefixtures("folder_of_commands")
def test_write_writes_what_other_tools_read():
    gamedeid_prints("hierarchy", "write", "sex", "-o", "out.csv")
    assert "Male;*\nFemale;*\n" == Path("out.csv").read_text()
    written = gamedeid_prints("hierarchy", "write", *OF_DATA, "-o", "out.csv", "--overwrite")
    expected = {"output": "out.csv", "name": "born", "leaves": 659, "levels": 4}
    assert {"schema": "urn:gamedeid:schema:hierarchy-file:1", **expected} == json.loads(written)
    assert "1958-03-14;1958-03;1958;*" == Path("out.csv").read_text().splitlines()[0]
