"""Spark and Dask with several worker processes: the same results as without a cluster, even if a worker is killed."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_cases import FILES, assert_same_results, clustered_world, lines_of, listening, rows_of, run_to_success
from contract_cases import Case, assert_same_solution, case_of, case_study, gaps_and_kinds
from depth import tries
from hypothesis import HealthCheck, Phase, given, settings
from odd_names import expected, population, records, scenario, scenario_of_files
from planted_tokens import FRAME_QUESTION, PEOPLE, assert_files_bare, assert_frame_bare, planted, planted_world
from questions import message
from real_clusters import (
    SmallCluster,
    dask_cluster,
    descendants,
    killing_process,
    require,
    restarted_java,
    spark_cluster,
    start_spark_quickly,
)
from small_world import gamedeid_says, refused, small_world
from worlds import worlds

from gamedeid import InvalidDataError, OutputError, ReadOptions, solve
from gamedeid.choices import GAMES
from gamedeid.data.engines.clusters import connected, explaining_errors, open_table, write_frame
from gamedeid.data.engines.grouping import group_rows
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame

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
"""Slows Dask's workers down, so that one can be killed during a run."""


class Spark:
    """A cluster of Spark, as the tests use it."""

    engine = "spark"
    worker, written = "CoarseGrainedExecutorBackend", ".gamedeid-*/work/*/_temporary/0/task_*"
    elsewhere, there_already = "spark://127.0.0.1:9", "is there already; stop it"

    def __init__(self, cluster: SmallCluster) -> None:
        self.cluster = cluster

    @property
    def session(self) -> Any:
        from pyspark.sql import SparkSession  # noqa: PLC0415

        return SparkSession.getActiveSession()

    @contextmanager
    def attached(self) -> Iterator[None]:
        with connected(ReadOptions(engine="spark", cluster=self.cluster.address)):
            yield

    def frame(self, table: pa.Table, kind: str = "plain") -> Any:  # noqa: ARG002
        plain = [field.with_type(getattr(field.type, "value_type", field.type)) for field in table.schema]
        places = [f"c{place}" for place in range(table.num_columns)]
        made = self.session.createDataFrame(table.cast(pa.schema(plain)).rename_columns(places))
        return made.toDF(*table.column_names)

    def is_own(self, frame: Any) -> bool:
        return type(frame) is type(self.session.range(1))

    def columns(self, frame: Any) -> Any:
        return frame.toArrow().sort_by("note").to_pydict()

    def is_alive(self) -> bool:
        return self.session.range(3).count() == 3


class Dask:
    """A cluster of Dask, as the tests use it."""

    engine = "dask"
    worker, written = "spawn_main", ".gamedeid-*/work/*/part.*.parquet"
    elsewhere, there_already = "tcp://127.0.0.1:9", "is there already; close it"

    def __init__(self, cluster: SmallCluster) -> None:
        self.cluster = cluster

    @contextmanager
    def attached(self) -> Iterator[None]:
        import distributed  # noqa: PLC0415

        with distributed.Client(self.cluster.address):
            yield

    def frame(self, table: pa.Table, kind: str = "plain") -> Any:
        import dask.dataframe as dd  # noqa: PLC0415

        frame = table.to_pandas(types_mapper=pd.ArrowDtype if kind == "Arrow" else None)
        texts = [name for name in ("sex", "race") if kind == "categorical"]
        return dd.from_pandas(frame.astype(dict.fromkeys(texts, "category")), npartitions=3)

    def is_own(self, frame: Any) -> bool:
        import dask.dataframe as dd  # noqa: PLC0415

        return isinstance(frame, dd.DataFrame)

    def columns(self, frame: Any) -> Any:
        return frame.compute().sort_values("note").to_dict("list")

    def is_alive(self) -> bool:
        import distributed  # noqa: PLC0415

        return distributed.get_client().status == "running"


@pytest.fixture(name="cluster", scope="module", params=["spark", "dask"])
def _cluster(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "dask":
        require("dask", "distributed", "psutil")
        with dask_cluster(folder, SLOWER) as cluster:
            yield Dask(cluster)
        return
    require("pyspark", "psutil", java=True)
    with pytest.MonkeyPatch.context() as patch, spark_cluster(folder) as cluster, restarted_java():
        start_spark_quickly(patch, folder)
        yield Spark(cluster)


@pytest.fixture(name="attached", scope="module")
def _attached(cluster):
    """The cluster, with a session or client that the user of several tests has."""
    with cluster.attached():
        yield cluster


@pytest.fixture(name="spark")
def _spark(attached):
    if attached.engine != "spark":
        pytest.skip("of Spark only")
    return attached


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    scenario = clustered_world(tmp_path_factory.mktemp("world"))
    run_to_success(scenario, scenario.parent / "held", "--engine", "memory", "--format", "parquet")
    run_to_success(scenario, scenario.parent / "text", "--engine", "memory", "--no-report")
    return scenario


def test_without_a_cluster_threads_of_this_process_give_the_same_results(world, tmp_path):
    require("dask", "distributed")
    run_to_success(world, tmp_path / "out", "--engine", "dask", "--format", "parquet")

    assert_same_results(world.parent / "held", tmp_path / "out")


def test_a_game_that_needs_rows_in_memory_names_the_file_and_the_engine_that_reads_it(world):
    require("dask", "distributed")
    said = refused("run", world, "--engine", "dask", "--set", "limits.attacked=0.5")

    assert said.startswith(f"{world.parent / 'records'}, read by dask: a game within limits needs the rows in memory")
    assert said.endswith('or read the file by the engine "memory"')


def test_without_a_cluster_no_port_is_opened_and_only_the_owner_can_read_spilled_data(tmp_path):
    require("dask", "distributed", "psutil")
    import dask.dataframe as dd  # noqa: PLC0415
    import psutil  # noqa: PLC0415

    before, seen = listening(psutil.Process()).keys(), []

    def look(part):
        seen.extend(tmp_path.rglob("*"))
        return part

    people = dd.from_pandas(pd.DataFrame({"number": range(100)}), npartitions=4)
    with connected(ReadOptions(engine="dask", memory=2**30, spill=tmp_path)):
        people.shuffle("number", npartitions=4).map_partitions(look, meta=people).compute()
        assert before == listening(psutil.Process()).keys()
        (spilled,) = tmp_path.iterdir()
        assert 0o700 == spilled.stat().st_mode & 0o777
    assert any(path.parent == spilled for path in seen), seen
    assert [] == list(tmp_path.iterdir())


def test_a_dask_cluster_without_memory_is_one_line():
    require("dask", "distributed")
    from types import SimpleNamespace  # noqa: PLC0415

    from distributed.scheduler import KilledWorker  # noqa: PLC0415

    def lost():
        with explaining_errors("dask", "records.parquet"):
            raise KilledWorker("task", SimpleNamespace(address="tcp://1"), 3)

    assert (
        "records.parquet: workers of the dask cluster died again and again, or had no memory left; give them more "
        "memory, or use the engine duckdb, which needs little" == message(InvalidDataError, lost)
    )


def test_a_missing_dask_cluster_is_one_line(world, monkeypatch):
    require("dask", "distributed")
    monkeypatch.setattr("gamedeid.data.engines.dask.PATIENCE", 1)
    said = refused("run", world, "--engine", "dask", "--cluster", "tcp://127.0.0.1:9")

    assert said.startswith("no Dask cluster answers at tcp://127.0.0.1:9 (")


def test_a_cluster_of_two_workers_gives_the_same_results_though_one_is_killed_in_mid_run(cluster, world, tmp_path):
    written = []

    def worker():
        written[:] = tmp_path.glob(cluster.written)
        return descendants(cluster.cluster.workers, cluster.worker)[0] if len(written) > 2 else None

    options = ("--engine", cluster.engine, "--cluster", cluster.cluster.address, "--format", "parquet")
    with killing_process(worker) as killed:
        run_to_success(world, tmp_path / "out", *options)

    assert 1 == len(killed)
    assert 2 < len(written) < FILES
    assert cluster.engine == "dask" or cluster.session is None
    assert_same_results(world.parent / "held", tmp_path / "out")
    assert ["release.parquet"] == [path.name for path in (tmp_path / "out").glob("release*.parquet")]


def test_an_existing_session_is_used_and_left_running(attached, world, tmp_path):
    run_to_success(world, tmp_path / "out", "--engine", attached.engine, "--no-report")

    for name in ("release.csv", "strategies.csv"):
        assert lines_of(world.parent / "text", name) == lines_of(tmp_path / "out", name)
    said = gamedeid_says("run", world, "--engine", attached.engine, "--cluster", attached.elsewhere)
    assert (2, 1) == (said.code, said.err.count(attached.there_already))
    assert attached.is_alive()


def test_all_records_may_be_withheld(attached, world, tmp_path):
    options = ("--set", "payoffs.loss=1e9", "--set", "payoffs.cost=1e-6", "--no-report", "--format", "parquet")
    for place, engine in (("held", "memory"), ("out", attached.engine)):
        run_to_success(world, tmp_path / place, "--engine", engine, *options)

    assert 0 == pq.read_metadata(tmp_path / "out" / "release.parquet").num_rows
    for stem in ("release", "strategies"):
        assert rows_of(tmp_path / "held", stem) == rows_of(tmp_path / "out", stem)


def test_a_comparison_is_the_same(attached, world, tmp_path):
    for place, engine in (("held", "memory"), ("out", attached.engine)):
        assert 0 == gamedeid_says("compare", world, "-o", tmp_path / place, "--engine", engine).code

    for name in ("comparison.csv", "comparison.json"):
        assert (tmp_path / "held" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_full_disk_is_one_line(attached, world, small_disk):
    (small_disk / "much").write_bytes(b"-" * 225 * 1024)
    said = gamedeid_says("run", world, "-o", small_disk / "out", "--engine", attached.engine, "--format", "parquet")

    assert 2 == said.code
    assert (
        f"a disk of the {attached.engine} cluster is full; free some space, or choose another folder" in said.complaint
    )
    assert ["much"] == [path.name for path in small_disk.iterdir()]


def test_files_that_workers_cannot_see_are_one_line(attached, tmp_path):
    path = tmp_path / "people [odd] {name} 100%.parquet"
    pq.write_table(pa.table({"sex": ["Male"]}), path)
    read_options = ReadOptions(engine=attached.engine)
    frame = Frame.of(open_table(TableFile.open(path), ["sex"], read_options, numbered=False), str(path))
    assert [1] == group_rows(frame, ["sex"]).people.tolist()
    path.unlink()
    said = message(InvalidDataError, group_rows, frame, ["sex"])

    where = f"a worker of the {attached.engine} cluster does not see it"
    assert f"{path}: {where}; it must have the same path everywhere" == said


def test_results_that_are_not_on_this_machine_are_one_line(attached, tmp_path):
    frame = attached.frame(pa.table({"number": [0]}))
    said = message(OutputError, write_frame, attached.engine, frame, tmp_path / "out", {}, 3)

    assert f"{tmp_path}: the workers wrote 3 rows, but 1 of them are there for this process; results must go" in said


KINDS = ("plain", "categorical", "Arrow")


@pytest.mark.parametrize(("kind", "game"), tries(list(zip(KINDS, GAMES, strict=True)), list(product(KINDS, GAMES))))
def test_frames_are_read_and_returned(attached, kind, game):
    """Numbers, texts and missing values; the answers are joined where the rows are."""
    assert attached.is_own(check(gaps_and_kinds(), attached, kind, game))


def test_the_case_study_is_the_same(attached):
    check(case_study(), attached, "categorical", "no-attack")


@settings(max_examples=tries(2, 20), deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(world=worlds())
def test_random_worlds_are_the_same(attached, world):
    check(case_of(world), attached, "Arrow", "basic")


def check(case: Case, cluster, kind, game):
    """Check that a cluster's frames give the same results as tables in memory, and return the release."""
    expected = solve(case.scenario, case.records, case.population, game=game)
    people = None if case.population is None else cluster.frame(case.population, kind)
    found = solve(case.scenario, cluster.frame(case.records, kind), people, game=game)
    assert_same_solution(expected, found, ordered=False)
    return found.release(keep_order=True)


def test_columns_of_a_frame_are_named_exactly_and_keep_their_order(attached, tmp_path):
    section = {"drop": ["People", "ZIP"], "count": "people"}
    is_spark = attached.engine == "spark"
    if is_spark:
        attached.session.conf.set("spark.sql.caseSensitive", "false")
    try:
        frames = [attached.frame(records()), attached.frame(population())]
        solution = solve(scenario(tmp_path, population=section), *frames)
        released = attached.columns(solution.release(keep_order=True))
    finally:
        if is_spark:
            attached.session.conf.set("spark.sql.caseSensitive", "true")

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(released.items())


@pytest.mark.parametrize("form", ["parquet", "folder"])
def test_columns_of_a_file_are_named_exactly_and_keep_their_order(attached, form, tmp_path):
    question, read_options = scenario_of_files(tmp_path, form), ReadOptions(engine=attached.engine)
    solution = solve(question, read_options=read_options)

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(attached.columns(solution.release(keep_order=True)).items())
    if attached.engine == "dask":
        return
    attached.session.conf.set("spark.sql.caseSensitive", "false")
    try:
        said = message(InvalidDataError, solve, question, read_options=read_options)
    finally:
        attached.session.conf.set("spark.sql.caseSensitive", "true")
    assert "columns `ZIP` and `zip` differ in capital letters only, which this Spark session does not disting" in said


def test_no_byte_of_a_folder_holds_a_planted_token(attached, tmp_path):
    (tmp_path / "in").mkdir()
    question = planted_world(tmp_path / "in")
    run_to_success(question, tmp_path / "out", "--engine", attached.engine, "--format", "parquet")
    assert_files_bare(tmp_path / "out")
    run_to_success(question, tmp_path / "text", "--engine", attached.engine, "--no-report")
    assert_files_bare(tmp_path / "text")


def test_no_byte_that_the_engine_writes_of_a_released_frame_holds_a_planted_token(attached, tmp_path):
    if attached.engine == "dask":
        import dask.dataframe as dd  # noqa: PLC0415

        frame = planted().to_pandas()
        assert frame.attrs
        released = solve(FRAME_QUESTION, dd.from_pandas(frame, npartitions=2), PEOPLE).release(keep_order=True)
        assert_frame_bare(released.compute().drop(columns=["pair", "words"]))
        released.to_parquet(str(tmp_path / "frame"))
    else:
        from pyspark.sql import types  # noqa: PLC0415

        planted_world(tmp_path)
        frame = attached.session.read.parquet(str(tmp_path / "records.parquet"))
        notes = {"note": "PLANTED-note"}
        inside = types.StructType([types.StructField("inside", types.StringType(), metadata=notes)])
        noted = [frame[name].cast(inside) if name == "pair" else frame[name] for name in frame.columns]
        named = zip(noted, frame.columns, strict=True)
        noted = frame.select(*(one.alias(name, metadata=notes) for one, name in named))
        released = solve(FRAME_QUESTION, noted, attached.session.createDataFrame(PEOPLE)).release(keep_order=True)
        assert "PLANTED" in noted.schema.json()
        assert "PLANTED" not in released.schema.json()
        released.write.parquet(str(tmp_path / "frame"))
    assert_files_bare(tmp_path / "frame")


@pytest.mark.parametrize(
    ("counts", "rows"),
    [
        ([1.0, 2.5], "1 row does not"),
        ([-1, 2], "1 row does not"),
        ([None, -2.0], "2 rows do not"),
        (["0x10", " 12 "], "1 row does not"),
        pytest.param([float("nan"), 2.0], "1 row does not", id="NaN"),
    ],
)
def test_counts_of_people_are_whole_numbers(attached, counts, rows):
    people = attached.frame(pa.table({"n": counts, "sex": ["Male", "Female"]}))

    said = f"must hold whole numbers of people, 0 or more; {rows}; where they hold fractions, are these weights?"
    assert f"population: count column `n` {said}" == message(
        InvalidDataError, group_rows, Frame.of(people, "population"), ["sex"], "n"
    )


def test_a_file_other_than_parquet_is_refused(attached, tmp_path):
    said = gamedeid_says("run", small_world(tmp_path), "--engine", attached.engine)

    assert 2 == said.code
    reads = f"engine {attached.engine} reads Parquet files and folders of them"
    assert f"{reads}; any other file goes with the engine duckdb" in said.complaint


def test_spark_serves_no_page_of_jobs(spark):
    assert spark.session.sparkContext.uiWebUrl is None


def test_sparks_plan_leaves_unneeded_columns_out(spark, world):  # noqa: ARG001
    file = TableFile.open(world.parent / "records")
    frame = open_table(file, ["age", "sex"], ReadOptions(engine="spark"), numbered=False)
    plan = frame._jdf.queryExecution().executedPlan().toString()  # noqa: SLF001

    assert "ReadSchema: struct<age:string,sex:string>" in plan
