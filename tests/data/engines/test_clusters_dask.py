"""Dask with several worker processes: the same results as without a cluster, also when a worker is killed."""

import sys
import time
from contextlib import nullcontext
from itertools import product
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_cases import (
    FILES,
    assert_same_results,
    clustered_world,
    lines_of,
    ports_of,
    rows_of,
    run_to_success,
)
from contract_cases import Case, assert_same_solution, case_of, case_study, gaps_and_kinds
from depth import tries
from hypothesis import HealthCheck, given, settings
from odd_names import expected, population, records, scenario, scenario_of_files
from planted_question import FRAME_QUESTION, PEOPLE
from planted_question import world as planted_world
from planted_tokens import assert_files_bare, assert_frame_bare, planted
from questions import message
from real_clusters import dask_cluster, descendants, killing_process, need
from small_world import gamedeid_says, small_world
from worlds import worlds

from gamedeid.choices import GAMES
from gamedeid.data.engines.clusters import connected, explaining_errors, open_table, write_frame
from gamedeid.data.engines.grouping import group_rows
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.errors import InvalidDataError, OutputError
from gamedeid.study.solve import solve

need("dask", "distributed", "psutil")

pytestmark = pytest.mark.clusters

SLOWER = """
import time
import pyarrow.parquet as pq

def slowed(plain):
    def slower(*words, **named):
        time.sleep(0.05)
        return plain(*words, **named)
    return slower

pq.ParquetFile.read_row_groups = slowed(pq.ParquetFile.read_row_groups)
"""
"""Makes the workers of the test take their time, so that one can be killed in mid-run."""


@pytest.fixture(name="cluster", scope="module")
def _cluster(tmp_path_factory):
    with dask_cluster(tmp_path_factory.mktemp("dask"), SLOWER) as cluster:
        yield cluster


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    scenario = clustered_world(tmp_path_factory.mktemp("world"))
    run_to_success(scenario, scenario.parent / "held", "--engine", "memory", "--format", "parquet")
    run_to_success(scenario, scenario.parent / "text", "--engine", "memory", "--no-report")
    return scenario


def on(cluster, form="parquet"):
    return ["--engine", "dask", "--cluster", cluster.address, "--format", form]


def test_a_cluster_of_two_workers_gives_the_same_results_though_one_is_killed_in_mid_run(cluster, world, tmp_path):
    written = []

    def worker():
        written[:] = tmp_path.glob(".gamedeid-*/release/part.*.parquet")
        return descendants(cluster.workers, "spawn_main")[0] if len(written) > 2 else None

    with killing_process(worker) as killed:
        run_to_success(world, tmp_path / "out", *on(cluster))

    assert 1 == len(killed)
    assert 2 < len(written) < FILES
    assert_same_results(world.parent / "held", tmp_path / "out")
    assert FILES == len(list((tmp_path / "out").glob("release-*.parquet")))


def test_text_is_written_as_one_file(cluster, world, tmp_path):
    run_to_success(world, tmp_path / "out", "--no-report", *on(cluster, "csv"))

    for name in ("release.csv", "strategies.csv"):
        assert lines_of(world.parent / "text", name) == lines_of(tmp_path / "out", name)


def test_all_may_be_withheld(cluster, world, tmp_path):
    for place, options in (("held", ["--engine", "memory", "--format", "parquet"]), ("out", on(cluster))):
        run_to_success(
            world, tmp_path / place, "--set", "payoffs.loss=1e9", "--set", "payoffs.cost=1e-6", "--no-report", *options
        )

    assert 0 == pq.read_metadata(tmp_path / "out" / "release.parquet").num_rows
    for stem in ("release", "strategies"):
        assert rows_of(tmp_path / "held", stem) == rows_of(tmp_path / "out", stem)


def test_a_comparison_is_the_same(cluster, world, tmp_path):
    for place, options in (("held", ["--engine", "memory"]), ("out", on(cluster)[:4])):
        assert 0 == gamedeid_says("compare", world, "-o", tmp_path / place, *options).code

    for name in ("comparison.csv", "comparison.json"):
        assert (tmp_path / "held" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_client_that_was_there_is_used_and_left_alone(cluster, world, tmp_path):
    import distributed  # noqa: PLC0415

    with distributed.Client(cluster.address) as client:
        run_to_success(world, tmp_path / "out", "--no-report", "--engine", "dask", "--format", "parquet")
        assert "running" == client.status
        said = gamedeid_says("run", world, "--engine", "dask", "--cluster", "tcp://127.0.0.1:9")
        assert (2, 1) == (said.code, said.err.count("is there already; close it"))
    assert rows_of(world.parent / "held", "release") == rows_of(tmp_path / "out", "release")


def test_without_a_cluster_threads_of_this_process_give_the_same_results(world, tmp_path):
    run_to_success(world, tmp_path / "out", "--engine", "dask", "--format", "parquet")

    assert_same_results(world.parent / "held", tmp_path / "out")


def test_without_a_cluster_no_port_is_opened_and_only_their_owner_may_look_at_what_is_spilled(tmp_path):
    import dask.dataframe as dd  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415
    import psutil  # noqa: PLC0415

    before, seen = ports_of(psutil.Process()), []

    def look(part):
        seen.extend(tmp_path.rglob("*"))
        return part

    people = dd.from_pandas(pd.DataFrame({"number": range(100)}), npartitions=4)
    with connected(ReadOptions(engine="dask", memory=2**30, spill=tmp_path)):
        people.shuffle("number", npartitions=4).map_partitions(look, meta=people).compute()
        assert before == ports_of(psutil.Process())
        (spilled,) = tmp_path.iterdir()
        assert 0o700 == spilled.stat().st_mode & 0o777
    assert any(path.parent == spilled for path in seen), seen
    assert [] == list(tmp_path.iterdir())


def test_a_cluster_without_memory_is_said_in_one_line():
    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    def lost():
        with explaining_errors("dask", "records.parquet"):
            raise KilledWorker("task", SimpleNamespace(address="tcp://1"), 3)

    assert (
        "records.parquet: workers of the dask cluster died again and again, or had no memory left; give them more "
        "memory, or use the engine duckdb, which needs little" == message(InvalidDataError, lost)
    )


def test_a_disk_that_fills_is_said_in_one_line(cluster, world, small_disk):
    (small_disk / "much").write_bytes(b"-" * 225 * 1024)
    said = gamedeid_says("run", world, "-o", small_disk / "out", *on(cluster))

    assert 2 == said.code
    assert "a disk of the dask cluster is full; free some space, or choose another folder" in said.complaint
    assert ["much"] == [path.name for path in small_disk.iterdir()]


def test_what_is_no_parquet_is_refused(tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), "--engine", "dask")

    assert 2 == said.code
    assert "engine dask reads Parquet files and folders of them; CSV goes with the engine duckdb" in said.complaint


def test_a_cluster_that_is_not_there_is_said_in_one_line(world, monkeypatch):
    monkeypatch.setattr("gamedeid.data.engines.dask.PATIENCE", 1)
    said = gamedeid_says("run", world, "--engine", "dask", "--cluster", "tcp://127.0.0.1:9")

    assert 2 == said.code
    assert said.complaint.startswith("no Dask cluster answers at tcp://127.0.0.1:9 (")


def test_an_engine_that_is_not_installed_is_said_in_one_line(world, monkeypatch):
    monkeypatch.setitem(sys.modules, "gamedeid.data.engines.dask", None)
    said = gamedeid_says("run", world, "--engine", "dask")

    assert 2 == said.code
    assert said.complaint.startswith("the engine `dask` needs dask and distributed, which are not installed")
    assert said.complaint.endswith('python -m pip install "gamedeid[dask]"')


def test_files_that_workers_do_not_see_are_said_in_one_line(cluster, tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"sex": ["Male"]}), path)
    read_options = ReadOptions(engine="dask", cluster=cluster.address)
    with connected(read_options):
        frame = Frame.of(open_table(TableFile.open(path), ["sex"], read_options), str(path))
        path.unlink()
        said = message(InvalidDataError, group_rows, frame, ["sex"])

    assert f"{path}: a worker of the dask cluster does not see it; it must stand under the same path everywhere" == said


def test_results_that_do_not_stand_here_are_said_in_one_line(cluster, tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"sex": ["Male"]}), path)
    read_options = ReadOptions(engine="dask", cluster=cluster.address)
    with connected(read_options):
        frame = open_table(TableFile.open(path), ["sex"], read_options)
        said = message(OutputError, write_frame, "dask", frame, tmp_path / "out", {}, 3)

    assert f"{tmp_path}: the workers wrote 3 rows, but 1 of them stand there for this process; results must go" in said


@pytest.mark.parametrize("on_cluster", [True, False])
def test_the_share_of_tasks_done_is_told_as_rows_while_they_are_counted(on_cluster, monkeypatch):
    import dask.dataframe as dd  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415
    from distributed import Client  # noqa: PLC0415

    def slower(part):
        time.sleep(0.1)
        return part

    monkeypatch.setattr("gamedeid.progress.CHECKED_EVERY", 0.05)
    told = []
    with Client(processes=False, n_workers=1, dashboard_address=None) if on_cluster else nullcontext():
        people = pd.DataFrame({"sex": ["Male", "Female"] * 40})
        frame = dd.from_pandas(people, npartitions=10).map_partitions(slower, meta={"sex": "str"})
        counted = group_rows(
            Frame.of(frame, "records"), ["sex"], stated_rows=80, report_progress=lambda *one: told.append(one)
        )

    assert [40, 40] == counted.rows.tolist()
    assert len(told) >= 2
    assert told == sorted(set(told))
    assert all(0 < done <= 80 == total for done, total in told)


KINDS = ("plain", "categorical", "Arrow")


@pytest.mark.parametrize(("kind", "game"), tries(list(zip(KINDS, GAMES, strict=True)), list(product(KINDS, GAMES))))
def test_frames_go_in_and_come_out(kind, game):
    """Numbers, texts and gaps; the answers are joined where the rows are."""
    import dask.dataframe as dd  # noqa: PLC0415

    released = check(gaps_and_kinds(), kind, game)

    assert isinstance(released, dd.DataFrame)


def test_the_case_study_is_the_same():
    check(case_study(), "categorical", "no-attack")


@settings(max_examples=tries(3, 50), deadline=None, suppress_health_check=list(HealthCheck))
@given(world=worlds())
def test_random_worlds_are_the_same(world):
    check(case_of(world), "Arrow", "basic")


def check(case: Case, kind, game):
    """Check that a cluster's frames come to the same as tables in memory, and return the release."""
    import dask.dataframe as dd  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    def made(table):
        frame = table.to_pandas(types_mapper=pd.ArrowDtype if kind == "Arrow" else None)
        texts = [name for name in ("sex", "race") if kind == "categorical"]
        return dd.from_pandas(frame.astype(dict.fromkeys(texts, "category")), npartitions=3)

    expected = solve(case.scenario, case.records, case.population, game=game)
    population = None if case.population is None else made(case.population)
    found = solve(case.scenario, made(case.records), population, game=game)
    assert_same_solution(expected, found, ordered=False)
    return found.release()


def test_columns_of_a_frame_are_named_exactly_and_keep_their_order(cluster, tmp_path):
    import dask.dataframe as dd  # noqa: PLC0415
    import distributed  # noqa: PLC0415

    section = {"drop": ["People", "ZIP"], "count": "people"}
    frames = [dd.from_pandas(table.to_pandas(), npartitions=2) for table in (records(), population())]
    with distributed.Client(cluster.address):
        solution = solve(scenario(tmp_path, population=section), *frames)
        released = solution.release().compute()

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(released.sort_values("note").to_dict("list").items())


def test_columns_of_a_file_are_named_exactly_and_keep_their_order(cluster, tmp_path):
    with connected(read_options := ReadOptions(engine="dask", cluster=cluster.address)):
        solution = solve(scenario_of_files(tmp_path, "folder"), read_options=read_options)
        released = solution.release().compute()

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(released.sort_values("note").to_dict("list").items())


def test_no_byte_of_any_result_holds_anything_planted(cluster, tmp_path):
    """Neither of a folder that gamedeid writes, nor of one that Dask writes of a frame released."""
    import dask.dataframe as dd  # noqa: PLC0415
    import distributed  # noqa: PLC0415

    (tmp_path / "in").mkdir()
    run_to_success(planted_world(tmp_path / "in"), tmp_path / "out", *on(cluster))
    assert_files_bare(tmp_path / "out")

    frame = planted().to_pandas()
    assert frame.attrs
    with distributed.Client(cluster.address):
        released = solve(FRAME_QUESTION, dd.from_pandas(frame, npartitions=2), PEOPLE).release()
        assert_frame_bare(released.compute().drop(columns=["pair", "words"]))
        released.to_parquet(str(tmp_path / "frame"))
    assert_files_bare(tmp_path / "frame")


WEIGHTS = "; where they hold fractions, are these weights?"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([1.0, 2.5], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
        ([-1, 2], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
        ([None, -2.0], "must hold whole numbers of people, 0 or more; 2 rows do not" + WEIGHTS),
        (["0x10", " 12 "], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
    ],
)
def test_counts_of_people_are_whole(counts, said):
    import dask.dataframe as dd  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    people = dd.from_pandas(pd.DataFrame({"n": counts, "sex": ["Male", "Female"]}), npartitions=2)

    assert f"population: count column `n` {said}" == message(
        InvalidDataError, group_rows, Frame.of(people, "population"), ["sex"], "n"
    )
