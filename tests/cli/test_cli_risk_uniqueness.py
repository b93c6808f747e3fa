"""The commands on uniqueness."""

import hashlib
import json
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from command_files import FILES
from small_world import gamedeid_command, gamedeid_prints, gamedeid_says, process_environment

PEOPLE = FILES["data.csv"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Thirty people; some have the same age and sex."""
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path / "people.csv"


def estimates(*words: object) -> dict:
    return json.loads(gamedeid_prints("risk", "uniqueness", *words, "--json"))


GAPS = "age,sex\n20,M\n,M\n,M\n21,M\n"
TABLES = {
    "people, of whom the first 8 of 22 pairs come twice": (PEOPLE, "--attributes age,sex", "1:14,2:8"),
    "attributes by several options": (PEOPLE, "--attributes age --attributes sex", "1:14,2:8"),
    "ages 20 to 24, 25 to 29 and 30, by two sexes": (PEOPLE, "--attributes age,sex --width age=5", "1:2,6:1,7:2,8:1"),
    "no header": ("a, 1\na, 1\nb, 2\n", "--columns x,y --attributes y", "1:1,2:1"),
    "rows of many people or of nobody": (
        "age,sex,people\n20,M,3\n20,F,2\n21,M,1\n22,M,0\n",
        "--attributes age --count people",
        "1:1,5:1",
    ),
    "a missing value is one of its own": (GAPS, "--attributes age,sex", "1:2,2:1"),
    "missing values, grouped": (GAPS, "--attributes age --width age=10", "2:2"),
}
"""A table, the command's words, and the sizes of its classes of equal people."""


@pytest.mark.parametrize("case", TABLES)
def test_a_table_and_its_classes_give_the_same_estimates(tmp_path, case):
    text, words, classes = TABLES[case]
    (tmp_path / "table.csv").write_text(text)
    expected = estimates("--classes", classes, "--population-size", 300)

    assert expected == estimates(tmp_path / "table.csv", *words.split(), "--population-size", 300)


def test_a_missing_number_in_parquet_is_a_value_of_its_own_too(tmp_path):
    pa.parquet.write_table(pa.table({"age": [20, None, None, 21]}), tmp_path / "gaps.parquet")
    expected = estimates("--classes", "1:2,2:1", "--population-size", 9)

    assert expected == estimates(tmp_path / "gaps.parquet", "--attributes", "age", "--population-size", 9)


# --- the study --------------------------------------------------------------------------------------------------------


def test_parts_that_are_named_stay_for_later_studies(people, tmp_path):
    words = ("--attributes", "age,sex", "--fractions", ".3,.5", "--workers", 1, "--samples", 2)
    gamedeid_says("risk", "uniqueness-study", people, *words, "--parts", tmp_path / "parts", "-o", tmp_path / "out")
    assert 2 == len(list((tmp_path / "parts").glob("*.json")))


def test_after_ctrl_c_the_same_command_continues_from_finished_parts(people, tmp_path):
    words = ["risk", "uniqueness-study", people, "--attributes", "age,sex", "--fractions", ".5", "--workers", 2]
    out, parts = tmp_path / "out", tmp_path / "out.parts"
    started = subprocess.Popen(
        gamedeid_command(*words, "--samples", 20_000, "-o", out),
        env=process_environment(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 60
    while not any(parts.glob("*.json")) and time.monotonic() < until:
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    assert "gamedeid: interrupted\n" == started.communicate(timeout=60)[1]
    assert 130 == started.returncode
    assert not out.exists()
    part, *_ = [path.name.rsplit("-", 2)[0] for path in parts.glob("*.json")]
    told_apart = [[0.25] * 6 + ["snb"]] * 20  # no sample has this value, so it was read from the part
    kept = parts / f"{part}-0-20.json"
    kept.write_text(json.dumps(told_apart))
    kept.with_name(f"{kept.name}.sha256").write_text(hashlib.sha256(kept.read_bytes()).hexdigest())
    said = gamedeid_says(*words, "--samples", 20, "--json", "-o", out)
    assert {0.25 / (14 / 30) - 1} == {row["median_relative_bias"] for row in json.loads(said.out)["rows"]}
