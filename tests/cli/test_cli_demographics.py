"""`gamedeid risk demographics`: what it answers to machines, and what it writes."""

import json

import pytest
from small_world import contents, gamedeid_says
from tampering import rows_of

from gamedeid.file_identity import digest_file


@pytest.fixture
def counts(folder_of_commands):
    return folder_of_commands / "counts.csv"


def asked(path, *more, detail="date"):
    return gamedeid_says("risk", "demographics", path, "--place", "zip", "--detail", detail, *more)


def test_json_is_the_same_for_machines(counts):
    said = asked(counts, "--state", "state", "--boundary", "below", "--json", detail="year")
    found = json.loads(said.out)

    assert ("year", "below", 3, 35_555, 10) == tuple(
        found[key] for key in ("detail", "boundary", "places", "population", "identifiable")
    )
    assert [24, 24] == [group["threshold"] for group in found["age_groups"]]
    assert ["MA", "NY"] == list(found["states"])
    assert 10 / 17_555 == found["states"]["NY"]["share"]


@pytest.mark.parametrize(
    ("words", "thresholds", "found"),
    [
        ("--drop state --uniform-ages", [55_480], {"share": 1.0}),
        ("--drop state --uniform-ages --lifetime 24", [17_520], {"identifiable": 34}),
        ("--drop state --open-years 20", [8_760, 14_600], {}),
    ],
)
def test_uniform_ages_and_open_groups_have_the_years_they_are_given(counts, words, thresholds, found):
    said = json.loads(asked(counts, *words.split(), "--json").out)

    assert thresholds == [group["threshold"] for group in said["age_groups"]]
    assert found.items() <= said.items()
    assert ("uniform" in words) == (["all ages"] == [group["name"] for group in said["age_groups"]])


def test_a_table_may_have_a_row_for_each_age_group(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("zip,ages,people\n11794,under 12,30\n11794,65+,5\n", "utf-8")
    found = json.loads(asked(path, "--age", "ages", "--count", "people", "--json", detail="year").out)

    assert (35, 5, {}) == (found["population"], found["identifiable"], found["states"])


def test_the_tables_hold_what_is_shown_and_say_what_they_were_made_from(counts, tmp_path):
    said = asked(counts, "--state", "state", "--patients-per-person", "0.1", "-o", tmp_path / "out", "--json")
    written = contents(tmp_path / "out")

    assert ["demographics.json", "manifest.json", "places.csv", "states.csv"] == sorted(written)
    assert json.loads(said.out) == json.loads(written["demographics.json"])
    places, states = (rows_of(tmp_path / "out", name) for name in ("places.csv", "states.csv"))
    assert ["11794", "10475", "01701"] == [row["place"] for row in places]
    assert [("8760", "0"), ("24", "10"), ("0", "0")] == [(row["under 12"], row["65+"]) for row in places]
    assert [("MA", "1", "0"), ("NY", "2", "8794")] == [
        (row["state"], row["places"], row["identifiable"]) for row in states
    ]
    manifest = json.loads(written["manifest.json"])
    assert {"counts": {"path": "counts.csv", "sha256": digest_file(counts)}} == manifest["inputs"]
    assert {"demographics.json", "places.csv", "states.csv"} == set(manifest["outputs"])


def test_without_states_there_is_no_column_of_them(counts, tmp_path):
    asked(counts, "--drop", "state", "-o", tmp_path / "out")

    assert b"place,population,identifiable,share,under 12,65+\n" in contents(tmp_path / "out")["places.csv"]
