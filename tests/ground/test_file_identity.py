"""Inputs may not change from the first read to the last: a change is one line, and nothing is written."""

import gzip
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from small_world import AGES, PEOPLE, RECORDS, SCENARIO, gamedeid_says, refused, small_world

from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.files import tables
from gamedeid.errors import InvalidDataError
from gamedeid.file_identity import InputFile, Inputs, digest_path
from gamedeid.scenario.scenario import Scenario
from gamedeid.study import solve as solving
from gamedeid.study.study import Study

OTHERS = RECORDS.replace("40,Male", "51,Male")
"""Records of the same size with another age."""


def _parquet(text: str, path: Path) -> None:
    kinds = pa.csv.ConvertOptions(column_types=dict.fromkeys(("name", "age", "sex", "income"), pa.string()))
    pq.write_table(pa.csv.read_csv(pa.BufferReader(text.encode()), convert_options=kinds), path)


def _store(text: str, path: Path) -> None:
    """Write records in the form that the file's name says."""
    if path.suffix == ".parquet":
        _parquet(text, path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
    elif path.suffix == ".csv":
        path.write_text(text)
    else:
        path.mkdir(exist_ok=True)
        _parquet(text, path / "a.parquet")


FORMS = ("records.csv", "records.csv.gz", "records.parquet", "folder")


@pytest.fixture(name="world")
def _world(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    scenario = small_world(tmp_path / "in")
    for form in FORMS[1:]:
        _store(RECORDS, tmp_path / "in" / form)
    return scenario


@pytest.fixture(name="in_mid_run")
def _in_mid_run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Call a function while the games are played, after the data have been read."""

    def arrange(change: Callable[[], object]) -> None:
        play = solving.solve

        def changing(*words: object, **more: object) -> object:
            change()
            return play(*words, **more)

        monkeypatch.setattr(solving, "solve", changing)

    return arrange


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("form", FORMS)
def test_records_replaced_in_mid_run_are_one_line_and_nothing_is_written(form, engine, world, tmp_path, in_mid_run):
    in_mid_run(lambda: _store(OTHERS, world.parent / form))
    said = gamedeid_says(
        "run", world, "-o", tmp_path / "out", "--no-report", "--engine", engine, "--set", f"records.path={form}"
    )

    assert 2 == said.code
    assert f"{form}: was changed after it was first read (" in said.complaint
    assert not (tmp_path / "out").exists()


def _same_size_and_time(path: Path) -> None:
    """Write other content of the same size into a file and set its time back."""
    times = path.stat()
    with path.open("r+") as stream:
        stream.write(OTHERS)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _another_file(path: Path) -> None:
    shutil.copy2(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


WRITTEN = "it was replaced or written to"
CHANGES = {
    "appended to": (lambda path: path.write_text(RECORDS + "E"), WRITTEN),
    "cut short": (lambda path: os.truncate(path, 87), WRITTEN),
    "replaced by a copy": (_another_file, WRITTEN),
    "rewritten with its time set back": (_same_size_and_time, WRITTEN),
    "touched": (os.utime, WRITTEN),
    "removed": (Path.unlink, "it is gone"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_way_to_change_a_file_is_seen(change, world):
    path = world.parent / "records.csv"
    seen = InputFile.at(path)
    do, how = CHANGES[change]
    do(path)

    with pytest.raises(InvalidDataError, match=r"records\.csv: was changed after it was first read") as said:
        seen.check()
    assert f"({how})" in str(said.value)


def test_a_path_from_another_folder_is_not_called_gone_alone(world, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(world.parent)
    seen = InputFile.at(Path("records.csv"))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))

    with pytest.raises(InvalidDataError, match=r"\(it is gone, or the current folder is another one\)"):
        seen.check()


def test_a_folder_that_gains_or_loses_a_part_is_changed(world):
    folder = world.parent / "folder"
    seen = InputFile.at(folder)
    (folder / "_SUCCESS").touch()
    seen.check()
    _parquet(RECORDS, folder / "b.parquet")
    with pytest.raises(InvalidDataError, match=r"folder: .*\(`b\.parquet` is new\)"):
        seen.check()

    seen = InputFile.at(folder)
    (folder / "a.parquet").unlink()
    with pytest.raises(InvalidDataError, match=r"folder: .*\(`a\.parquet` is gone\)"):
        seen.check()


@pytest.mark.parametrize("name", ["c.parquet.gz", "c.csv", "C.TSV", "year=2024", "c.parquet"])
def test_a_folder_that_holds_rows_elsewhere_than_in_its_parts_is_refused(name, world):
    folder = world.parent / "folder"
    (folder / "README.md").touch()
    (folder / "_notes").mkdir()
    assert ["a.parquet"] == [part.name for part in InputFile.at(folder).paths]
    if name in {"year=2024", "c.parquet"}:
        (folder / name).mkdir()
    else:
        (folder / name).touch()
    for read in (InputFile.at, digest_path):
        with pytest.raises(InvalidDataError, match=f"folder: holds `{re.escape(name)}` among its Parquet files"):
            read(folder)


CHANGED = {"scenario.toml": f"{SCENARIO}\n", "ages.csv": AGES.replace("[40-41]", "forties"), "people.csv": PEOPLE * 2}


@pytest.mark.parametrize(
    ("command", "name"), [*(("run", name) for name in CHANGED), ("compare", "people.csv"), ("solvers", "ages.csv")]
)
def test_scenario_hierarchy_and_population_may_not_change_either(command, name, world, tmp_path, monkeypatch):
    prepare = Study.prepare

    def changing(*words: object, **more: object) -> Study:
        study = prepare(*words, **more)
        (world.parent / name).write_text(CHANGED[name])
        return study

    monkeypatch.setattr(Study, "prepare", changing)
    more = ["--no-report"] if command == "run" else []
    assert f"{name}: was changed after it was first read" in refused(command, world, "-o", tmp_path / "out", *more)
    assert not (tmp_path / "out").exists()


def test_a_change_is_reported_without_an_output_folder_too(world, in_mid_run):
    in_mid_run(lambda: (world.parent / "records.csv").write_text(OTHERS))
    said = gamedeid_says("run", world)

    assert (2, "") == (said.code, said.out)
    assert "records.csv: was changed after it was first read" in said.complaint


def test_a_change_of_a_young_file_that_leaves_no_other_time_is_seen_by_its_content(world, monkeypatch):
    path = world.parent / "records.csv"
    inputs = Inputs(files={"records": InputFile.at(path)})
    path.write_text(OTHERS)
    monkeypatch.setattr(InputFile, "check", lambda _file: None)  # as if the system's clock had not ticked

    with pytest.raises(InvalidDataError, match=r"records\.csv: .*\(its content differs\)"):
        inputs.check()
    with pytest.raises(InvalidDataError, match=r"records\.csv: .*\(its content differs\)"):
        inputs.digests  # noqa: B018


def test_every_input_is_digested_once_unless_it_is_young(world, tmp_path, monkeypatch):
    digested: list[str] = []
    monkeypatch.setattr("gamedeid.file_identity.YOUNG", 0)
    monkeypatch.setattr(
        "gamedeid.file_identity.digest_path", lambda path: digested.append(path.name) or digest_path(path)
    )

    assert 0 == gamedeid_says("run", world, "-o", tmp_path / "out").code
    assert sorted(["records.csv", "people.csv", "ages.csv", "sex.toml"]) == sorted(digested)


def test_rows_that_are_read_again_for_the_release_must_be_those_that_were_counted(world):
    answer = solving.solve(Scenario.read(world), read_options=ReadOptions(engine="duckdb"))
    assert 4 == len(answer.release())
    (world.parent / "records.csv").write_text(OTHERS)

    with pytest.raises(InvalidDataError, match=r"records\.csv: was changed after it was first read"):
        answer.release()


def test_an_error_caused_by_a_change_is_reported_as_a_change(world, monkeypatch):
    path = world.parent / "records.csv"
    open_file = tables.TableFile.open

    def changing(*words: object, **more: object) -> tables.TableFile:
        file = open_file(*words, **more)
        if words[0] == path:
            path.write_text("name,age\nSECRETA\n")
        return file

    monkeypatch.setattr(tables.TableFile, "open", changing)
    with pytest.raises(InvalidDataError, match=r"records\.csv: was changed after it was first read"):
        Study.prepare(Scenario.read(world))


def test_a_pipe_and_a_device_without_an_end_are_refused_before_they_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InvalidDataError, match=r"cannot be read \(it is no regular file\)"):
            digest_path(path)
