"""Rules of all commands that write: only on request, the same bytes, readable by the owner, nothing overwritten."""

import pytest
from small_world import contents, gamedeid_prints, gamedeid_says, refused
from writing_outputs import mode

WRITTEN = {
    "run scenario.toml": (
        "manifest.json release.csv report.html report.json sensitivity.csv strategies.csv summary.json"
    ),
    "run scenario.toml --format parquet --no-report": "manifest.json release.parquet strategies.parquet summary.json",
    "compare scenario.toml": "comparison.csv comparison.json manifest.json",
    "frontier scenario.toml": "curve.csv frontier.json frontier.svg manifest.json uniform.csv",
    "solvers scenario.toml": "manifest.json solvers.csv",
    "sweep scenario.toml --vary loss=90,0": "manifest.json sweep.csv",
    "risk demographics counts.csv --drop state --place zip --detail date": "demographics.json manifest.json places.csv",
    "risk uniqueness-study people.csv --attributes age,sex --count count --fractions .5 --samples 2 --workers 1": (
        "manifest.json study.csv study.svg"
    ),
}
"""Words -> the files that they write into a folder."""


@pytest.mark.usefixtures("folder_of_commands")
@pytest.mark.parametrize("command", WRITTEN)
def test_a_command_writes_the_same_bytes_to_the_given_place_each_time(tmp_path, command):
    words, one, before = command.split(), tmp_path / "one", contents(tmp_path)

    printed = gamedeid_prints(*words)
    assert before == contents(tmp_path)
    assert "sweep" in words or "\nNothing was written; add -o DIR for " in printed
    first, second = (gamedeid_says(*words, "-o", tmp_path / name) for name in ("one", "two"))
    assert (0, "", 0, "") == (first.code, first.err, second.code, second.err)
    assert first.out.endswith(f"Written to {one}.\n")
    written = contents(one)
    assert WRITTEN[command].split() == sorted(written)
    assert written == contents(tmp_path / "two")
    assert (0o700, {0o600}) == (mode(one), {mode(path) for path in one.iterdir()})
    assert [] == [name for name, content in written.items() if b"SECRET" in content]
    assert f"{one} already exists and is not empty" in refused(*words, "-o", one)
    assert written == contents(one)
    (one / "manifest.json").write_bytes(written["manifest.json"] + b"\n")
    assert 0 == gamedeid_says(*words, "-o", one, "--overwrite").code
    assert written == contents(one)
