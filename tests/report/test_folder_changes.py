"""The changes between two folders of results: as in their files, without values of the data."""

import json
import shutil

import pytest
from html_pages import Page
from report_folders import stored_results
from schema_checks import faults
from small_world import PEOPLE, RECORDS, SCENARIO, gamedeid_says
from tampering import change_json

from gamedeid.errors import OutputError
from gamedeid.report.changes import release_changes

KEEP = ("--set", 'thresholds.own=[{measure="k_map", at_least=2}]')
NOW = (*KEEP, "--set", "payoffs.loss=1", "--set", "determination.valid_until=2027-01-31", "--policy", "pairs")


@pytest.fixture(scope="module", name="folders")
def _folders(tmp_path_factory: pytest.TempPathFactory):
    home = tmp_path_factory.mktemp("years")
    old = stored_results(home / "old", *KEEP, "--game", "no-attack")
    new = stored_results(home / "new", *NOW, records=f"{RECORDS}SECRETE,40,Male,<=50K\n", people=PEOPLE)
    return old, new


def test_figures_counts_and_keys_are_those_of_both_folders(folders):
    found = release_changes(*folders).as_dict()

    for side, folder in zip(("old", "new"), folders, strict=True):
        summary = json.loads((folder / "summary.json").read_text())
        risks = json.loads((folder / "report.json").read_text())["risks"]["release"]
        figures = found[side]["figures"]
        assert summary["measures"].items() <= figures.items()
        assert (risks["k_map"], risks["journalist"]["highest"]) == (figures["k_map"], figures["journalist_highest"])
        assert summary["data"]["records"] == found[side]["data"]["records"]
    assert {"records": "changed", "population": "same"}.items() <= found["inputs"].items()
    keys = {one["key"]: (one["kind"], one["old"], one["new"]) for one in found["scenario"]}
    assert ("changed", 90.0, 1.0) == keys["payoffs.loss"]
    assert ("added", None, "2027-01-31") == keys["determination.valid_until"]
    assert ("changed", "no-attack", "basic") == keys["game"]
    assert ("2027-01-31", "") == (found["new"]["valid_until"], found["old"]["valid_until"])


def test_the_words_say_which_thresholds_are_lost(folders):
    said = gamedeid_says("report", *folders)

    assert ["met", "not met"] == [
        one["verdict"] for side in ("old", "new") for one in shown(folders)[side]["thresholds"]
    ]
    assert "Thresholds that are met now: 0 of 1.\n1 threshold was met earlier and is not met now" in said.out
    assert (0, "") == (said.code, said.err)


def test_figures_of_people_are_labelled_as_such(folders, tmp_path):
    visits = SCENARIO.replace('drop = ["name"]', 'person = "name"')
    people = stored_results(tmp_path / "people", scenario=visits, records=f"{RECORDS}SECRETA,40,Male,<=50K\n")
    cases = {
        (people, people): "figures of the release are of people, each counted once.",
        (
            folders[0],
            people,
        ): "Figures of the earlier release are of records; those of the present release are of people",
        (
            people,
            folders[0],
        ): "Figures of the earlier release are of people, each counted once; those of the present release",
    }
    for pair, words in cases.items():
        assert words in " ".join(gamedeid_says("report", *pair).out.split())
    assert "each counted once" not in gamedeid_says("report", *folders).out


def test_a_release_of_no_record_has_no_group_and_no_risk(folders, tmp_path):
    withheld = stored_results(tmp_path / "withheld", "--set", "payoffs.cost=0.001", "--game", "no-attack")
    said = gamedeid_says("report", folders[0], withheld).out
    now = {cells[0].strip(): cells[2].strip() for line in said.splitlines() if len(cells := line[1:-1].split("│")) == 3}
    risks = ("prosecutor risk, highest", "journalist risk, highest", "records in the smallest class of the release")

    assert ["100.00%", "none", "none", "none"] == [now[name] for name in ("withheld", *risks)]


def shown(folders):
    return json.loads(gamedeid_says("report", *folders, "--json").out)


def test_the_document_has_its_schema_and_the_page_the_rows_of_the_terminal(folders, tmp_path):
    before = [(path, path.read_bytes()) for folder in folders for path in sorted(folder.iterdir())]
    said = gamedeid_says("report", *folders, "-o", tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text("utf-8"))
    terminal = gamedeid_says("report", *folders, terminal_columns=80).out

    assert f"Written to {tmp_path / 'page.html'}.\n" == said.out
    assert "" == faults("changes", shown(folders))
    assert "payoffs.loss" in page.text
    assert "payoffs.loss" in terminal
    assert all(len(line) <= 80 for line in terminal.splitlines())
    assert before == [(path, path.read_bytes()) for folder in folders for path in sorted(folder.iterdir())]


def test_no_dropped_column_value_or_digest_of_an_input_is_shown(folders, tmp_path):
    gamedeid_says("report", *folders, "-o", tmp_path / "page.html")
    texts = [(tmp_path / "page.html").read_text("utf-8"), gamedeid_says("report", *folders).out, str(shown(folders))]
    digests = [
        one["sha256"]
        for folder in folders
        for one in json.loads((folder / "manifest.json").read_text())["inputs"].values()
    ]

    assert [] == [word for word in ("SECRET", "['name']", "50K", *digests) for text in texts if word in text]


@pytest.mark.parametrize("key", ["records.drop", "records.person", "population.count", "identifiers.accept"])
def test_keys_that_may_name_columns_or_values_are_named_without_their_values(folders, tmp_path, key):
    section, _, name = key.partition(".")
    changed = shutil.copytree(folders[1], tmp_path / "changed")

    def change(manifest):
        manifest["scenario"].setdefault(section, {})[name] = {"SECRETCOLUMN": ["SECRETVALUE"]}
        manifest["gamedeid"] = "0.0.9"  # another version, which can be read too

    change_json(changed, "manifest.json", change)
    found = release_changes(folders[1], changed).as_dict()

    assert [key] == [one["key"] for one in found["scenario"]]
    assert "SECRET" not in str(found)
    assert ((), True) == (tuple(found["new"]["verdict"]), found["new"]["figures"] == found["old"]["figures"])


def test_a_folder_without_a_run_is_refused(folders, tmp_path):
    with pytest.raises(OutputError, match="holds no results"):
        release_changes(folders[0], tmp_path)
