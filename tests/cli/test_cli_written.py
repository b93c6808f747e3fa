"""What all commands that write do alike: nothing unless asked, the same bytes, for their owner, never over others."""

import stat

import pytest
from small_world import contents, gamedeid_prints, gamedeid_says, refused, small_world

COUNTS = "state,zip,under 12,65+\nNY,11794,8760,8761\nNY,10475,24,10\nMA,01701,9000,9000\n"
PEOPLE = ("people.csv", "--attributes", "age,sex", "--count", "count", "--fractions", ".5", "--samples", 2)
WRITTEN = {
    ("run", "scenario.toml"): (
        "manifest.json release.csv report.html report.json sensitivity.csv strategies.csv summary.json"
    ),
    ("run", "scenario.toml", "--format", "parquet", "--no-report"): (
        "manifest.json release.parquet strategies.parquet summary.json"
    ),
    ("compare", "scenario.toml"): "comparison.csv comparison.json manifest.json",
    ("frontier", "scenario.toml"): "curve.csv frontier.json frontier.svg manifest.json uniform.csv",
    ("solvers", "scenario.toml"): "manifest.json solvers.csv",
    ("sweep", "scenario.toml", "--vary", "loss=90,0"): "manifest.json sweep.csv",
    ("risk", "demographics", "counts.csv", "--drop", "state", "--place", "zip", "--detail", "date"): (
        "demographics.json manifest.json places.csv"
    ),
    ("risk", "uniqueness-study", *PEOPLE, "--workers", 1): "manifest.json study.csv study.svg",
}
"""Words -> the files that they write into a folder."""


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("words", WRITTEN, ids=lambda words: " ".join(map(str, words[:2])))
def test_a_command_writes_where_it_is_asked_to_and_the_same_bytes_each_time(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    small_world(tmp_path)
    (tmp_path / "counts.csv").write_text(COUNTS)
    one, before = tmp_path / "one", contents(tmp_path)

    printed = gamedeid_prints(*words)
    assert before == contents(tmp_path)
    assert "sweep" in words or "\nNothing was written; add -o DIR for " in printed
    first, second = (gamedeid_says(*words, "-o", tmp_path / name) for name in ("one", "two"))
    assert (0, "", 0, "") == (first.code, first.err, second.code, second.err)
    assert first.out.endswith(f"Written to {one}.\n")
    written = contents(one)
    assert WRITTEN[words].split() == sorted(written)
    assert written == contents(tmp_path / "two")
    assert (0o700, {0o600}) == (mode(one), {mode(path) for path in one.iterdir()})
    assert [] == [name for name, content in written.items() if b"SECRET" in content]
    assert f"{one} already exists and is not empty" in refused(*words, "-o", one)
    assert written == contents(one)
    (one / "manifest.json").write_bytes(written["manifest.json"] + b"\n")
    assert 0 == gamedeid_says(*words, "-o", one, "--overwrite").code
    assert written == contents(one)
