"""The command ``gamedeid check``, and what ``gamedeid run`` refuses to release."""

import json

import pytest
from planted_tokens import TOKEN, planted_world
from small_world import SCENARIO, gamedeid_prints, gamedeid_says, lines_above_the_table, small_world

ROWS = [
    ("40", "Male", "a.jones@example.org", "(615) 555-0123"),
    ("41", "Male", "b.smith@example.org", "(615) 555-0124"),
    ("50", "Female", "c.brown@example.org", "(615) 555-0125"),
    ("51", "Female", "d.miller@example.org", "(615) 555-0126"),
]
NAMES = ("age", "sex", "contact", "ward_phone")
VALUES = [cell for row in ROWS for cell in row[2:]]


@pytest.fixture
def world(tmp_path):
    """Return the folder of a small question whose kept columns are telephone numbers and e-mail addresses."""
    question = SCENARIO.replace('drop = ["name"]', "").replace('"income"', '"contact", "ward_phone"')
    records = "\n".join(",".join(row) for row in (NAMES, *ROWS)) + "\n"
    return small_world(tmp_path, scenario=question, records=records).parent


def test_a_file_is_checked_without_a_scenario(world):
    said = gamedeid_says("check", world / "records.csv", "--json")
    found = json.loads(said.out)

    assert (3, "") == (said.code, said.err)
    assert (4, 4, 2, "safe-harbor") == (
        found["rows_looked_at"],
        found["columns"],
        found["unhandled"],
        found["rule"],
    )
    assert {
        "column": "contact",
        "kind": "e-mail addresses",
        "safe_harbor": "F",
        "limited_data_set": "v",
        "share": 1.0,
        "rows": 4,
        "evidence": "values",
        "strong": True,
        "part": None,
        "handled": None,
        "advice": "drop the column",
    } == found["findings"][0]


def test_no_value_is_shown(world):
    for words in ([], ["--json"], ["--show-values"]):
        said = gamedeid_says("check", world / "records.csv", *words)
        assert not [value for value in VALUES if value in said.out + said.err]


def test_dropped_or_accepted_columns_are_not_findings(world):
    dropped = ["--set", 'records.drop=["contact"]', "--set", 'records.keep=["ward_phone"]']
    accepted = ["--set", 'identifiers.accept={ ward_phone = "telephone numbers" }']
    said = gamedeid_prints("check", world / "records.csv", world / "scenario.toml", *dropped, *accepted)

    assert "contact" not in said
    assert "accepted in the scenario" in said
    proof = "The search looks at names and forms of values: it cannot prove that no identifier is left."
    assert said.endswith(f"No unresolved findings. {proof}\n")


def test_the_limited_data_set_may_have_dates_and_places(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text(
        "visit_date,county,email\n2020-03-14,Davidson County,a@example.org\n2020-03-15,Knox County,b@example.org\n"
    )

    kinds = {}
    for rule in ("safe-harbor", "limited-data-set"):
        found = json.loads(gamedeid_says("check", path, "--rule", rule, "--json").out)
        kinds[rule] = [one["kind"] for one in found["findings"]]
    assert {
        "safe-harbor": ["dates", "places", "e-mail addresses"],
        "limited-data-set": ["e-mail addresses"],
    } == kinds


def test_run_refuses_identifiers_and_prints_the_line_to_write(world):
    said = gamedeid_says("run", world / "scenario.toml", "-o", world / "out")

    assert (2, "") == (said.code, said.out)
    contact, phone = said.err.removeprefix("gamedeid: ").split("; ")
    assert "kept column `contact` looks like e-mail addresses (F) in 100.00% of its values (4 rows)" == contact
    assert phone.startswith(
        "kept column `ward_phone` looks like telephone numbers (D) in 100.00% of its values (4 rows) and by its name."
    )
    assert phone.endswith('[identifiers] accept = { contact = "e-mail addresses", ward_phone = "telephone numbers" }\n')
    assert not (world / "out").exists()


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_run_releases_accepted_columns(world, engine):
    line = 'identifiers.accept={ contact = "e-mail addresses", ward_phone = "telephone numbers" }'
    gamedeid_prints("run", world / "scenario.toml", "--engine", engine, "--set", line)


def test_run_warns_of_weak_evidence(world):
    rows = [",".join(row[:2]) + f",{'Anna Berg' if not place else 'private'},A" for place, row in enumerate(ROWS * 50)]
    (world / "records.csv").write_text("\n".join([",".join(NAMES), *rows]) + "\n")
    said = gamedeid_says("run", world / "scenario.toml")

    assert 0 == said.code
    told = "Kept column `contact` looks like names (A) in 0.50% of its values (1 row): see whether it may be released."
    assert "" == said.err
    assert f"Warning: {told}" in lines_above_the_table(said.out)


@pytest.mark.parametrize("words", [[], ["--json"], ["--show-values"]], ids=["table", "json", "values"])
def test_no_planted_value_of_a_table_is_printed(tmp_path, words):
    scenario = planted_world(tmp_path)
    data = next(path for path in tmp_path.iterdir() if path.stem == "records")
    for arguments in ([data], [data, scenario]):
        said = gamedeid_says("check", *arguments, *words)
        assert said.code in {0, 3}, said.err
        assert TOKEN not in said.out + said.err
