"""Every command that would show the first row as names of columns refuses a table whose first row is a record."""

import pandas as pd
import pytest
from questions import message, question
from small_world import gamedeid_says

import gamedeid
from gamedeid.errors import InvalidDataError

HEADERLESS = {
    "numbers": "34,37212,Nashville\n35,37215,Memphis\n",
    "an e-mail address": "Quentin,a@example.org,White\nRosalind,b@example.org,Black\n",
    "an odd first row": "Quentin,NA,unknown,Male\nRosalind,41,37215,Female\nBenedict,17,37212,Male\nOttilie,3,3,Male\n",
    "words only": "Quentin,Male,White\nRosalind,Female,White\nBenedict,Male,Black\nOttilie,Female,Black\n",
    "one word among numbers": "Quentin,34,37212\nRosalind,35,37215\n",
    "a date in words": "Quentin,14 Mar 1958,x\nRosalind,15 Apr 1961,y\n",
    "spaces": "Quentin, 34 , 37212\nRosalind, 35 , 37215\n",
}
WITH_NAMES = {
    "words and numbers": "name,age,sex\nQuentin,34,Male\nRosalind,35,Female\n",
    "years": "county,2010,2011,2012\nKnox,5,6,7\nShelby,8,9,10\n",
    "words only": "name,sex,race\nQuentin,Male,White\nRosalind,Female,White\nBenedict,Male,Black\n",
    "files put together": "sex,race\n" + 30 * "Male,White\nFemale,Black\n" + "sex,race\n" + 30 * "Male,Black\n",
    "bands of ages": "place,under 12,12-18,19-24,65+\nKnox,5,6,7,8\nShelby,8,9,10,11\n",
    "a name that is a value once": "name,age,zip,M\nQuentin,34,37212,M\nRosalind,35,37215,F\n",
    "no name of the first column": ",age\nQuentin,34\nRosalind,35\n",
}
SCENARIO = (
    'game = "basic"\n[records]\npath = "t.csv"\n[attributes.{}]\nhierarchy = "age"\n'
    "[payoffs]\nbenefit = 9\nloss = 3\ncost = 1\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("content", HEADERLESS.values(), ids=HEADERLESS)
@pytest.mark.parametrize(
    "words",
    [
        ["check", "t.csv"],
        ["init", "t.csv", "-o", "draft"],
        ["run", "first.toml"],
        ["run", "absent.toml"],
        ["risk", "uniqueness", "t.csv", "--attributes", "Quentim", "--population-size", "900"],
        ["risk", "table", "t.csv", "--attributes", "Quentim"],
        ["risk", "demographics", "t.csv", "--place", "Quentim", "--detail", "year"],
    ],
    ids=["check", "init", "run", "run with an absent column", "uniqueness", "table", "demographics"],
)
def test_a_first_row_of_values_is_refused_and_not_shown(folder, content, words):
    (folder / "t.csv").write_text(content)
    cell = content.split(",")[0]
    (folder / "first.toml").write_text(SCENARIO.format(cell))
    (folder / "absent.toml").write_text(SCENARIO.format("Quentim") + f'[attributes.{cell}]\nhierarchy = "sex"\n')
    said = gamedeid_says(*words)

    assert (2, "", 1) == (said.code, said.out, said.err.count("\n"))
    assert "its first row seems to hold values, not the names of its columns (" in said.err
    shown = said.err.replace(str(folder), "")
    asked = {"Quentim", *([cell] if words[0] == "run" else [])}
    cells = {cell.strip() for cell in content.replace("\n", ",").split(",")} - asked - {"", "x", "y", "unknown", "NA"}
    assert [] == [value for value in cells if value in shown.replace("Quentim", "")]


@pytest.mark.parametrize("content", WITH_NAMES.values(), ids=WITH_NAMES)
def test_a_first_row_of_names_is_taken_for_names(folder, content):
    (folder / "t.csv").write_text(content)

    assert content.partition("\n")[0].count(",") + 1 == gamedeid.check_identifiers("t.csv").columns
    assert gamedeid.draft_scenario("t.csv", year=2026).columns


def test_names_of_a_data_frame_that_are_values_are_not_shown():
    frame = pd.DataFrame({"age": [40], "a.jones@example.org": ["x"]})
    scenario = question({"attributes": {"age": {"hierarchy": "age"}}})
    for ask in (lambda: gamedeid.check_identifiers(frame), lambda: gamedeid.Study.prepare(scenario, frame)):
        said = message(InvalidDataError, ask)
        assert "(cell 2 has the form of a value)" in said
        assert "jones" not in said
