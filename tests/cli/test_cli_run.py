"""The command `gamedeid run`: what it writes, prints and never shows."""

import json
import math
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from small_world import (
    RECORDS,
    RELEASES,
    SCENARIO,
    contents,
    gamedeid_command,
    gamedeid_prints,
    gamedeid_process_says,
    gamedeid_says,
    process_environment,
    small_world,
)
from tampering import csv_rows

from gamedeid.choices import OUTCOMES

SOLVERS = ("backward-induction", "exact")


def rounded(value):
    """Return plain values with rounded numbers, and with the order of keys."""
    if isinstance(value, dict):
        return [(key, rounded(inside)) for key, inside in value.items()]
    if isinstance(value, list):
        return [rounded(inside) for inside in value]
    return (type(value), round(value, 9) if isinstance(value, float) else value)


# what is written


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("game", RELEASES)
def test_every_game_makes_the_release_computed_by_hand(scenario, tmp_path, game, solver):
    words = ("--game", game, "--solver", solver, "--policy", "pairs", "--no-report", "-o", tmp_path / "out")

    assert 0 == gamedeid_says("run", scenario, *words).code
    assert RELEASES[game] == (tmp_path / "out" / "release.csv").read_text()


def test_strategies_have_the_choice_and_outcome_of_every_record(scenario, tmp_path):
    gamedeid_says("run", scenario, "-o", tmp_path / "out", "--no-report")
    written = (tmp_path / "out" / "strategies.csv").read_text()

    assert ["record", "age", "sex", *OUTCOMES, "release_row"] == written.splitlines()[0].split(",")
    rows = csv_rows(written)
    assert [("0", "1", "0"), ("1", "0", "0"), ("2", "0", "1"), ("3", "0", "0")] == [
        (row["record"], row["age"], row["sex"]) for row in rows
    ]
    assert [("false", "false")] * 3 + [("false", "true")] == [(row["withheld"], row["attacked"]) for row in rows]
    expected = [
        [1 / 3, 1 / 3, 1 / 6, 200 / 3, 0.0],
        [0.0, 0.0, 1 / 5, 100.0, 0.0],
        [1 / 3, 1 / 3, 1 / 12, 200 / 3, 0.0],
        [0.0, 0.0, 1 / 2, 55.0, 25.0],
    ]
    assert rounded(expected) == rounded([[float(row[name]) for name in OUTCOMES[2:]] for row in rows])


SUMMARY = {
    "schema": "urn:gamedeid:schema:summary:10",
    "title": "Four people",
    "game": "basic",
    "warnings": [],
    "payoffs": {"benefit": 100.0, "loss": 90.0, "gain": 90.0, "cost": 20.0},
    "measures": {
        "publisher_payoff": (200 / 3 + 100 + 200 / 3 + 55) / 4,
        "adversary_payoff": 25 / 4,
        "suppressed": 0.0,
        "unmodified": 0.5,
        "withheld": 0.0,
        "unmatched": 0.0,
        "generalization_intensity": 1 / 6,
        "attacked": 0.25,
        "reidentification_probability": 0.125,
        "reidentification_probability_attacked": 0.5,
        "expected_reidentifications": 0.5,
        "records": 4,
        "unmatched_records": 0,
    },
    "search": {
        "solver": "backward-induction",
        "searched": 6.0,
        "searched_most": 6,
        "proved": True,
        "gap": 0.0,
        "gap_most": 0.0,
    },
    "policy": {"name": "safe-harbor", "does": {"age": "90 and over in one group", "sex": "as it is"}},
    "data": {
        "records": 4,
        "profiles": 4,
        "repeated_keys": [],
        "population": 20,
        "population_rows": 5,
        "population_is_the_records": False,
        "unmatched": "error",
        "unmatched_records": 0,
        "population_levels": {},
        "sampling_fraction": None,
        "strategies": 6,
    },
    "keep_order": False,
    "strategies": [
        {"levels": {"age": 0, "sex": 0}, "records": 2, "share": 0.5},
        {"levels": {"age": 0, "sex": 1}, "records": 1, "share": 0.25},
        {"levels": {"age": 1, "sex": 0}, "records": 1, "share": 0.25},
    ],
}
"""The summary of the small question, computed by hand and from its files."""


def test_the_summary_has_the_figures_computed_by_hand_in_text_and_json(scenario, tmp_path):
    said = gamedeid_prints("run", scenario, "--solver", "backward-induction", "--json", "-o", tmp_path / "out")
    printed = json.loads(said)

    assert printed == json.loads((tmp_path / "out" / "summary.json").read_text())
    robustness = printed.pop("robustness")
    assert (0.95, {"benefit", "loss", "cost"}) == (robustness["share"], set(robustness["ranges"]))
    policies = printed.pop("policies")
    assert ["safe-harbor", "basic", "sh-friendly", "no-attack"] == list(policies)
    assert [*printed["measures"], "proved", "gap", "spread", "marketer", "aware", "highest_risk"] == list(
        policies["no-attack"]
    )
    assert printed["measures"].items() <= policies["basic"].items()
    assert rounded(SUMMARY) == rounded({key: printed[key] for key in SUMMARY})


def test_another_process_gives_the_same_bytes(scenario, tmp_path):
    gamedeid_says("run", scenario, "-o", tmp_path / "one")
    said = gamedeid_process_says("run", scenario, "-o", tmp_path / "two", environment={"PYTHONHASHSEED": "7"})

    assert (0, "") == (said.code, said.err)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


# what is asked


@pytest.mark.parametrize(
    ("changes", "payoff"),
    [
        (["payoffs.cost=50"], (200 / 3 + 300) / 4),  # only unique records are attacked: one level up protects them
        (["payoffs.cost=10", "payoffs.cost=50"], (200 / 3 + 300) / 4),  # the last option counts
        (["payoffs.cost=50", "payoffs.loss=9", "payoffs.gain=90"], (91 + 300) / 4),
        (["payoffs.benefit=200"], (400 / 3 + 200 + 155 + 155) / 4),
        (["attributes.sex.weight=0"], (50 + 100 + 100 + 55) / 4),
        (["records.path=people.csv", 'records.drop=["count"]', "records.keep=[]"], (200 / 3 * 2 + 100 * 2 + 55) / 5),
    ],
)
def test_the_option_set_changes_the_question(scenario, changes, payoff):
    words = [word for change in changes for word in ("--set", change)]
    said = gamedeid_prints("run", scenario, "--json", *words)

    assert math.isclose(payoff, json.loads(said)["measures"]["publisher_payoff"], rel_tol=1e-9)
    assert SCENARIO == scenario.read_text()


@pytest.mark.usefixtures("scenario")
def test_a_scenario_is_found_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    said = gamedeid_says("run", "../scenario.toml", "--no-report", "-o", "out")

    assert (0, "Written to out.") == (said.code, said.out.splitlines()[-1])
    assert RELEASES["basic"] == (tmp_path / "elsewhere" / "out" / "release.csv").read_text()


# what is printed


def test_user_text_is_not_read_as_markup(tmp_path):
    odd = SCENARIO.replace("Four people", "[/b] [red]four[/red] :smile: caf\u00e9")
    out = tmp_path / "[out] :x:"
    said = gamedeid_prints("run", small_world(tmp_path, scenario=odd), "-o", out)

    assert "[/b] [red]four[/red] :smile: caf\u00e9: basic game" == said.splitlines()[0]
    assert f"Written to {out}." == said.splitlines()[-1]


def test_a_pipe_gets_the_whole_table_and_no_line_breaks(tmp_path):
    columns = [f"quasi_identifier_number_{number}" for number in range(12)]
    attributes = "".join(f'[attributes.{name}]\nhierarchy = "sex"\n' for name in columns)
    scenario = f'title = "{"long " * 40}"\ngame = "basic"\n[records]\npath = "records.csv"\n{attributes}'
    scenario += "[payoffs]\nbenefit = 100\nloss = 90\ncost = 20\n"
    records = ",".join(columns) + "\n" + ",".join(["Male"] * 12) + "\n"
    said = gamedeid_says("run", small_world(tmp_path, scenario=scenario, records=records), "--set", "payoffs.cost=91")

    assert ("long " * 40 + ": basic game") == said.out.splitlines()[0]
    assert [1] * 12 == [said.out.count(f"│ {name} ") for name in columns]


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_characters_that_the_terminal_cannot_show_do_not_fail_a_command(tmp_path, words):
    scenario = small_world(tmp_path, scenario=SCENARIO.replace("Four", "F\u00f6\u00fcr \U0001f600"))
    said = gamedeid_prints("run", scenario, *words, encoding="ascii")

    if words:
        assert "F\u00f6\u00fcr \U0001f600 people" == json.loads(said)["title"]
    else:
        assert r"F\xf6\xfcr \U0001f600 people: basic game" == said.splitlines()[0]


# what is never shown

LEAKS = {
    "as it is": {},
    "missing values suppressed": {
        "records": RECORDS.replace("41,Male", ",Male"),
        "scenario": SCENARIO.replace('"name"]', '"name"]\nmissing = "suppress"'),
    },
    "a dropped value in another encoding": {"records": RECORDS.encode().replace(b"SECRETB", b"SECRET\xff")},
}
"""Questions that are answered; those that are refused are in `test_cli_bad_input.py`."""


@pytest.mark.parametrize("case", LEAKS)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_dropped_column_is_never_shown(tmp_path, case, form):
    scenario = small_world(tmp_path, **LEAKS[case])
    before = contents(tmp_path).keys()
    said = gamedeid_says("run", scenario, "-o", tmp_path / "out", "--format", form)

    assert 0 == said.code
    assert "SECRET" not in said.out + said.err
    assert not any(b"SECRET" in content for name, content in contents(tmp_path).items() if name not in before)
    if form == "parquet":
        assert ["age", "sex", "income"] == pa.parquet.read_schema(tmp_path / "out" / "release.parquet").names


# standard streams


def test_a_closed_pipe_is_not_an_error(scenario, tmp_path, forked):
    hung_up = "read, write = os.pipe(); os.dup2(write, 1); os.close(read); os.close(write)"
    for words in (("run", scenario, "-o", tmp_path / "out", "--no-report"), ("run", scenario, "--json"), ("--help",)):
        said = forked.says(*words, folder=tmp_path, first=hung_up)
        assert (141, "") == (said.code, said.err)
    assert RELEASES["basic"] == (tmp_path / "out" / "release.csv").read_text()


@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_unwritable_json_is_reported_with_any_buffering(environment):
    with Path("/dev/full").open("w") as full:
        said = gamedeid_process_says("scenarios", "--json", stdout=full, environment=environment)

    assert 2 == said.code
    assert "cannot write to standard output: no space left on device; send it elsewhere" == said.complaint


SHORTENED = """
import io, resource
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
os.dup2(os.open("printed", os.O_WRONLY | os.O_CREAT), 1)
if {unbuffered}:
    sys.stdout = io.TextIOWrapper(open(1, "wb", 0), write_through=True)
"""


@pytest.mark.parametrize("unbuffered", [False, True])
def test_json_of_which_only_the_beginning_fits_is_not_called_complete(scenario, tmp_path, forked, unbuffered):
    first = SHORTENED.format(unbuffered=unbuffered)
    said = forked.says("run", scenario, "--json", folder=tmp_path, first=first)

    assert 4096 == (tmp_path / "printed").stat().st_size
    assert 2 == said.code
    assert said.complaint.startswith("cannot write to standard output: file too large")


CLOSED = """
from gamedeid.results.folder import FolderWriter

def write_text(*words, write=FolderWriter.write_text):
    write(*words)
    if {number}:
        os.write({number}, b"a library talks")

os.close({number})
sys.{name} = sys.__{name}__ = None  # as Python finds a closed one
FolderWriter.write_text = write_text
"""


def test_closed_streams_do_not_fail_a_command_or_mix_messages_into_the_results(scenario, tmp_path, forked):
    gamedeid_says("run", scenario, "-o", tmp_path / "one", "--no-report")
    words = ("run", scenario, "-o", tmp_path / "two", "--no-report")
    command = gamedeid_command(*words)
    shell = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *command], env=process_environment(), check=False)

    assert 0 == shell.returncode
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        first = CLOSED.format(number=number, name=name)
        assert 0 == forked.says(*words, "--overwrite", folder=tmp_path, first=first).code
        assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_share_of_records_that_keep_their_strategies_can_be_chosen(scenario, tmp_path):
    ranges = {}
    for share in ("0.5", "1"):
        gamedeid_says("run", scenario, "-o", tmp_path / share, "--share", share)
        robustness = json.loads((tmp_path / share / "summary.json").read_text())["robustness"]
        assert float(share) == robustness["share"]
        ranges[share] = robustness["ranges"]["cost"]["keeps"]
    (low, high), (all_low, all_high) = ranges["0.5"], ranges["1"]
    assert low <= all_low < 20 < all_high  # the cost as chosen
    assert high is None or high >= all_high
