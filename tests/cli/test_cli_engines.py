"""Large data on the command line: engines, parts, runs that continue after an interrupt, full disks."""

import json
import signal
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from small_world import contents, gamedeid_says, small_world

from gamedeid.results import parts

ROWS = 21
KINDS = ("40,Male", "41,Male", "50,Female", "51,Female")
RECORDS = "name,age,sex,income\n" + "".join(f"SECRET{row},{KINDS[row % 4]},{row}\n" for row in range(ROWS))


@pytest.fixture(name="world")
def _world(tmp_path) -> Path:
    """Return the small question with more records, as CSV and as Parquet."""
    (tmp_path / "in").mkdir()
    scenario = small_world(tmp_path / "in", records=RECORDS)
    text = pa.csv.ConvertOptions(column_types=dict.fromkeys(("name", "age", "sex", "income"), pa.string()))
    table = pa.csv.read_csv(tmp_path / "in" / "records.csv", convert_options=text)
    pq.write_table(table, tmp_path / "in" / "records.parquet", row_group_size=3)
    return scenario


def run(world: Path, target: Path, *more: str):
    return gamedeid_says("run", world, "-o", target, "--no-report", "--format", "parquet", *more)


def rows(folder: Path, stem: str) -> list[dict[str, object]]:
    """Return the rows of a table's parts, in the order of their names."""
    return [row for path in sorted(folder.glob(f"{stem}*.parquet")) for row in pq.read_table(path).to_pylist()]


def results(folder: Path) -> dict[str, bytes]:
    """Return the written files of a run that do not contain the names of its inputs."""
    return {name: content for name, content in contents(folder).items() if name != "manifest.json"}


PARQUET = ("--set", "records.path=records.parquet")


@pytest.mark.parametrize("engine", ["auto", "memory", "duckdb"])
@pytest.mark.parametrize("source", [(), PARQUET])
def test_every_engine_gives_the_same_bytes(engine, source, world, tmp_path):
    first = run(world, tmp_path / "first")
    other = run(world, tmp_path / "other", "--engine", engine, "--memory", "128MiB", "--spill", tmp_path, *source)

    assert (0, 0) == (first.code, other.code), other.err
    assert results(tmp_path / "first") == results(tmp_path / "other")
    assert ROWS == len(rows(tmp_path / "other", "strategies"))
    assert not any(b"SECRET" in content for content in contents(tmp_path / "other").values())


@pytest.mark.usefixtures("parts_of_four")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("source", [(), PARQUET])
def test_long_tables_are_written_in_parts_with_the_same_content(engine, source, world, tmp_path, monkeypatch):
    said = run(world, tmp_path / "parts", "--engine", engine, *source)
    monkeypatch.setattr(parts, "PART_BLOCKS", ROWS)
    run(world, tmp_path / "whole", *source)

    assert 0 == said.code, said.err
    names = [f"{stem}-{part:04}.parquet" for stem in ("release", "strategies") for part in range(1, 7)]
    assert sorted([*names, "manifest.json", "summary.json"]) == sorted(contents(tmp_path / "parts"))
    for stem in ("release", "strategies"):
        assert rows(tmp_path / "whole", stem) == rows(tmp_path / "parts", stem)
    outputs = json.loads((tmp_path / "parts" / "manifest.json").read_text())["outputs"]
    assert sorted([*names, "summary.json"]) == sorted(outputs)
    assert {"in", "parts", "whole"} == {path.name for path in tmp_path.iterdir()}
    assert all(0o600 == path.stat().st_mode & 0o777 for path in (tmp_path / "parts").iterdir())


@pytest.mark.usefixtures("parts_of_four")
def test_all_rows_of_persons_come_in_parts(world, tmp_path):
    text = RECORDS.replace("SECRET", "P").splitlines()
    keyed = [text[0], *(f"P{row // 3},{line.partition(',')[2]}" for row, line in enumerate(text[1:]))]
    (tmp_path / "in" / "records.csv").write_text("\n".join(keyed) + "\n")
    run(world, tmp_path / "parts", "--set", "records.drop=[]", "--set", "records.person=name")

    for stem in ("release", "strategies"):
        assert ROWS == len(rows(tmp_path / "parts", stem))


def stop_after(count: int, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Interrupt a run once it has written ``count`` parts, one after another; return the parts that it writes."""
    write, written = parts.write_blocks, []

    def stopping(blocks, stream, form, **options):
        if len(written) == count:
            raise KeyboardInterrupt
        write(blocks, stream, form, **options)
        written.append(stream)

    monkeypatch.setattr(parts, "write_blocks", stopping)
    monkeypatch.setattr(parts, "WRITERS", 1)
    return written


@pytest.mark.usefixtures("parts_of_four")
@pytest.mark.parametrize("source", [(), PARQUET])
def test_a_run_goes_on_from_its_last_finished_part(source, world, tmp_path, monkeypatch):
    undisturbed, target = tmp_path / "undisturbed", tmp_path / "target"
    run(world, undisturbed, "--engine", "duckdb", *source)
    with monkeypatch.context() as once:
        stop_after(3, once)
        stopped = run(world, target, "--engine", "duckdb", *source)
    left = [path.read_bytes() for path in (tmp_path / "target.parts").glob("*.parquet")]

    assert (130, "interrupted") == (stopped.code, stopped.complaint)
    assert not target.exists()
    assert 3 == len(left)
    assert not any(b"SECRET" in content for content in left)

    again = stop_after(ROWS, monkeypatch)
    assert 0 == run(world, target, "--engine", "duckdb", *source).code
    assert 12 - 3 == len(again)
    assert contents(undisturbed) == contents(target)
    assert not (tmp_path / "target.parts").exists()


KILLED = """
import signal
from gamedeid.data.engines import rows
from gamedeid.data.files import tables
from gamedeid.results import parts, row_order
for module in (tables, rows, parts, row_order):
    module.TABLE_ROWS = 2
parts.PART_BLOCKS, parts.WRITERS, write, written = 2, 1, parts.write_blocks, []

def dying(blocks, stream, form, **options):
    if len(written) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    write(blocks, stream, form, **options)
    written.append(form)

parts.write_blocks = dying
"""
"""First statements of a run that is killed in its fourth part."""


@pytest.mark.usefixtures("parts_of_four")
def test_a_run_that_was_killed_goes_on_and_makes_the_same_bytes(world, tmp_path, forked):
    words = ["run", world, "-o", tmp_path / "target", "--no-report", "--format", "parquet", "--engine", "duckdb"]
    words += PARQUET
    killed = forked.says(*words, folder=tmp_path, first=KILLED)
    left = sorted(path.name.partition("-")[2] for path in (tmp_path / "target.parts").glob("*.parquet"))

    assert (-signal.SIGKILL, False) == (killed.code, (tmp_path / "target").exists())
    assert [f"release-{part:04}.parquet" for part in range(1, 5)] == left
    assert 0 == gamedeid_says(*words).code
    run(world, tmp_path / "undisturbed", "--engine", "duckdb", *PARQUET)
    assert contents(tmp_path / "undisturbed") == contents(tmp_path / "target")
    assert {"in", "target", "undisturbed"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.usefixtures("parts_of_four")
def test_parts_of_another_question_are_not_used(world, tmp_path, monkeypatch):
    with monkeypatch.context() as once:
        stop_after(1, once)
        run(world, tmp_path / "target", *PARQUET)
    run(world, tmp_path / "plain", *PARQUET, "--set", "payoffs.loss=91")
    done = run(world, tmp_path / "target", *PARQUET, "--set", "payoffs.loss=91")

    assert 0 == done.code, done.err
    assert done.complaint.endswith(
        "target.parts holds 1 finished part of another question; remove the folder if they are not needed"
    )
    assert contents(tmp_path / "plain") == contents(tmp_path / "target")


def test_a_folder_of_parquet_is_digested_by_names_and_contents(world, tmp_path):
    folder = world.parent / "many"
    folder.mkdir()
    table = pq.read_table(world.parent / "records.parquet")
    for part in range(3):
        pq.write_table(table.slice(part * 7, 7), folder / f"{part}.parquet")
    one = ("--set", "records.path=many")
    run(world, tmp_path / "first", *one)
    run(world, tmp_path / "plain", *PARQUET)
    digest = json.loads((tmp_path / "first" / "manifest.json").read_text())["inputs"]["records"]
    (folder / "0.parquet").rename(folder / "3.parquet")
    run(world, tmp_path / "second", *one)

    assert results(tmp_path / "plain") == results(tmp_path / "first")
    assert "many" == digest["path"]
    assert digest != json.loads((tmp_path / "second" / "manifest.json").read_text())["inputs"]["records"]
