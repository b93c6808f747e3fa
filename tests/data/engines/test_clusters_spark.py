"""Spark with several worker processes: the same results as without a cluster, also when a worker is killed."""

import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cluster_cases import (
    FILES,
    assert_same_results,
    clustered_world,
    lines_of,
    rows_of,
    run_to_success,
)
from contract_cases import Case, assert_same_solution, case_of, case_study, gaps_and_kinds
from depth import tries
from hypothesis import HealthCheck, Phase, given, settings
from odd_names import expected, population, records, scenario, scenario_of_files
from planted_question import FRAME_QUESTION, PEOPLE
from planted_question import world as planted_world
from planted_tokens import assert_files_bare
from questions import message
from real_clusters import descendants, killing_process, need, restarted_java, spark_cluster
from small_world import gamedeid_says, small_world
from worlds import worlds

from gamedeid.choices import GAMES
from gamedeid.data.engines.clusters import connected, open_table, write_frame
from gamedeid.data.engines.grouping import group_rows
from gamedeid.data.engines.options import ReadOptions
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.errors import InvalidDataError, OutputError
from gamedeid.study.solve import solve

need("pyspark", "psutil", java=True)

pytestmark = pytest.mark.clusters

CONFIGURATION = """
spark.executor.memory 512m
spark.executor.cores 1
spark.cores.max 2
spark.sql.files.openCostInBytes 128m
spark.sql.shuffle.partitions 2
spark.sql.adaptive.enabled false
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
"""
"""As a user may have it: an executor on each worker, a task for each file.

Java is to start soon, not to last, and no query is long enough to be worth compiling.
"""


@pytest.fixture(name="cluster", scope="module")
def _cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    (folder / "spark-defaults.conf").write_text(CONFIGURATION)
    with pytest.MonkeyPatch.context() as patch, spark_cluster(folder) as cluster, restarted_java():
        patch.setenv("SPARK_CONF_DIR", str(folder))
        yield cluster


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    scenario = clustered_world(tmp_path_factory.mktemp("world"))
    run_to_success(scenario, scenario.parent / "held", "--engine", "memory", "--format", "parquet")
    run_to_success(scenario, scenario.parent / "text", "--engine", "memory", "--no-report")
    return scenario


@pytest.fixture(name="session", scope="module")
def _session(cluster):
    """A session that the user of several tests has, on the cluster."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    with connected(ReadOptions(engine="spark", cluster=cluster.address)):
        yield SparkSession.getActiveSession()


def on(cluster):
    return ["--engine", "spark", "--cluster", cluster.address, "--format", "parquet"]


def test_a_cluster_of_two_workers_gives_the_same_results_though_one_is_killed_in_mid_run(cluster, world, tmp_path):
    from pyspark.sql import SparkSession  # noqa: PLC0415

    written = []

    def executor():
        written[:] = tmp_path.glob(".gamedeid-*/release/_temporary/0/task_*")
        return descendants(cluster.workers, "CoarseGrainedExecutorBackend")[0] if len(written) > 2 else None

    with killing_process(executor) as killed:
        run_to_success(world, tmp_path / "out", *on(cluster))

    assert 1 == len(killed)
    assert 2 < len(written) < FILES
    assert SparkSession.getActiveSession() is None
    assert_same_results(world.parent / "held", tmp_path / "out")
    assert FILES == len(list((tmp_path / "out").glob("release-*.parquet")))


def test_a_session_that_was_there_is_used_and_left_alone(session, world, tmp_path):
    run_to_success(world, tmp_path / "out", "--engine", "spark", "--no-report")

    for name in ("release.csv", "strategies.csv"):
        assert lines_of(world.parent / "text", name) == lines_of(tmp_path / "out", name)
    said = gamedeid_says("run", world, "--engine", "spark", "--cluster", "spark://127.0.0.1:9")
    assert (2, 1) == (said.code, said.err.count("is there already; stop it"))
    assert 3 == session.range(3).count()


def test_all_may_be_withheld(session, world, tmp_path):  # noqa: ARG001
    for place, engine in (("held", "memory"), ("out", "spark")):
        options = ("--set", "payoffs.loss=1e9", "--set", "payoffs.cost=1e-6", "--no-report", "--format", "parquet")
        run_to_success(world, tmp_path / place, "--engine", engine, *options)

    assert 0 == pq.read_metadata(tmp_path / "out" / "release.parquet").num_rows
    for stem in ("release", "strategies"):
        assert rows_of(tmp_path / "held", stem) == rows_of(tmp_path / "out", stem)


def test_a_comparison_is_the_same(session, world, tmp_path):  # noqa: ARG001
    for engine in ("memory", "spark"):
        assert 0 == gamedeid_says("compare", world, "-o", tmp_path / engine, "--engine", engine).code

    for name in ("comparison.csv", "comparison.json"):
        assert (tmp_path / "memory" / name).read_bytes() == (tmp_path / "spark" / name).read_bytes()


def test_no_page_of_jobs_is_served(session):
    assert session.sparkContext.uiWebUrl is None


def test_columns_that_are_not_wanted_are_not_in_the_plan(session, world):  # noqa: ARG001
    file = TableFile.open(world.parent / "records")
    frame = open_table(file, ["age", "sex"], ReadOptions(engine="spark"))
    plan = frame._jdf.queryExecution().executedPlan().toString()  # noqa: SLF001

    assert "ReadSchema: struct<age:string,sex:string>" in plan


def test_a_disk_that_fills_is_said_in_one_line(session, world, small_disk):  # noqa: ARG001
    (small_disk / "much").write_bytes(b"-" * 225 * 1024)
    said = gamedeid_says("run", world, "-o", small_disk / "out", "--engine", "spark", "--format", "parquet")

    assert 2 == said.code
    assert "a disk of the spark cluster is full; free some space, or choose another folder" in said.complaint
    assert ["much"] == [path.name for path in small_disk.iterdir()]


def test_files_that_workers_do_not_see_are_said_in_one_line(session, tmp_path):  # noqa: ARG001
    path = tmp_path / "people [odd] {name} 100%.parquet"
    pq.write_table(pa.table({"sex": ["Male"]}), path)
    frame = Frame.of(open_table(TableFile.open(path), ["sex"], ReadOptions(engine="spark")), str(path))
    assert [1] == group_rows(frame, ["sex"]).people.tolist()
    path.unlink()
    said = message(InvalidDataError, group_rows, frame, ["sex"])

    assert (
        f"{path}: a worker of the spark cluster does not see it; it must stand under the same path everywhere" == said
    )


def test_results_that_do_not_stand_here_are_said_in_one_line(session, tmp_path):
    said = message(OutputError, write_frame, "spark", session.range(1), tmp_path / "out", {}, 3)

    assert f"{tmp_path}: the workers wrote 3 rows, but 1 of them stand there for this process; results must go" in said


def test_the_share_of_tasks_done_is_told_as_rows_while_they_are_counted(session, monkeypatch):
    monkeypatch.setattr("gamedeid.progress.CHECKED_EVERY", 0.05)
    told = []
    nap = "java_method('java.time.LocalDate', 'parse', '2020-01-01')"
    slower = session.range(80).repartition(8).selectExpr(f"length({nap}) as sex")
    counted = group_rows(
        Frame.of(slower, "records"), ["sex"], stated_rows=80, report_progress=lambda *one: told.append(one)
    )

    assert [80] == counted.rows.tolist()
    assert told
    assert told == sorted(set(told))
    assert all(0 < done <= 80 == total for done, total in told)


@pytest.mark.parametrize("game", GAMES)
def test_frames_go_in_and_come_out(session, game):
    """Numbers, texts and gaps; the answers are joined where the rows are."""
    released = check(gaps_and_kinds(), session, game)

    assert type(released) is type(session.range(1))


def test_the_case_study_is_the_same(session, tmp_path):
    def stored(table):
        path = tmp_path / f"{table.num_columns}.parquet"
        pq.write_table(table, path)
        return session.read.parquet(str(path))

    check(case_study(), session, "no-attack", stored)


@settings(max_examples=tries(2, 20), deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(world=worlds())
def test_random_worlds_are_the_same(session, world):
    check(case_of(world), session, "basic")


def check(case: Case, session, game, made=None):
    """Check that a cluster's frames come to the same as tables in memory, and return the release."""

    def sent(table):
        plain = [field.with_type(getattr(field.type, "value_type", field.type)) for field in table.schema]
        return session.createDataFrame(table.cast(pa.schema(plain)))

    made = made or sent
    expected = solve(case.scenario, case.records, case.population, game=game)
    population = None if case.population is None else made(case.population)
    found = solve(case.scenario, made(case.records), population, game=game)
    assert_same_solution(expected, found, ordered=False)
    return found.release()


def test_columns_of_a_frame_are_named_exactly_and_keep_their_order(session, tmp_path):
    def sent(table):
        places = [f"c{place}" for place in range(table.num_columns)]
        return session.createDataFrame(table.rename_columns(places)).toDF(*table.column_names)

    section = {"drop": ["People", "ZIP"], "count": "people"}
    session.conf.set("spark.sql.caseSensitive", "false")
    try:
        solution = solve(scenario(tmp_path, population=section), sent(records()), sent(population()))
        released = solution.release().toArrow()
    finally:
        session.conf.set("spark.sql.caseSensitive", "true")

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(in_order(released).items())


@pytest.mark.parametrize("form", ["parquet", "folder"])
def test_columns_of_a_file_are_named_exactly_and_keep_their_order(session, form, tmp_path):
    question = scenario_of_files(tmp_path, form)
    solution = solve(question, read_options=ReadOptions(engine="spark"))

    assert {100} == set(solution.people.tolist())
    assert list(expected(records()).items()) == list(in_order(solution.release().toArrow()).items())
    session.conf.set("spark.sql.caseSensitive", "false")
    try:
        said = message(InvalidDataError, solve, question, read_options=ReadOptions(engine="spark"))
    finally:
        session.conf.set("spark.sql.caseSensitive", "true")
    assert "columns `ZIP` and `zip` differ in capital letters only, which this Spark session does not tell" in said


def in_order(table):
    """Return a release as columns, by its kept notes in order."""
    return table.sort_by("note").to_pydict()


def test_no_byte_of_any_result_holds_anything_planted(session, tmp_path):
    """Neither of a folder that gamedeid writes, nor of one that Spark writes of a frame released."""
    from pyspark.sql import types  # noqa: PLC0415

    (tmp_path / "in").mkdir()
    run_to_success(planted_world(tmp_path / "in"), tmp_path / "out", "--engine", "spark", "--format", "parquet")
    assert_files_bare(tmp_path / "out")
    run_to_success(tmp_path / "in" / "scenario.toml", tmp_path / "text", "--engine", "spark", "--no-report")
    assert_files_bare(tmp_path / "text")

    frame = session.read.parquet(str(tmp_path / "in" / "records.parquet"))
    notes = {"note": "PLANTED-note"}
    inside = types.StructType([types.StructField("inside", types.StringType(), metadata=notes)])
    noted = [frame[name].cast(inside) if name == "pair" else frame[name] for name in frame.columns]
    noted = frame.select(*(one.alias(name, metadata=notes) for one, name in zip(noted, frame.columns, strict=True)))
    people_frame = session.createDataFrame(PEOPLE)
    released = solve(FRAME_QUESTION, noted, people_frame).release()
    assert "PLANTED" in noted.schema.json()
    assert "PLANTED" not in released.schema.json()
    released.write.parquet(str(tmp_path / "frame"))
    assert_files_bare(tmp_path / "frame")


WEIGHTS = "; where they hold fractions, are these weights?"


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([1.0, 2.5], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
        ([-1, 2], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
        ([None, -2.0], "must hold whole numbers of people, 0 or more; 2 rows do not" + WEIGHTS),
        ([float("nan"), 2.0], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
        (["0x10", " 12 "], "must hold whole numbers of people, 0 or more; 1 row does not" + WEIGHTS),
    ],
)
def test_counts_of_people_are_whole(session, counts, said):
    people = session.createDataFrame(pa.table({"n": counts, "sex": ["Male", "Female"]}))

    assert f"population: count column `n` {said}" == message(
        InvalidDataError, group_rows, Frame.of(people, "population"), ["sex"], "n"
    )


def test_what_is_no_parquet_is_refused(session, tmp_path):  # noqa: ARG001
    said = gamedeid_says("run", small_world(tmp_path), "--engine", "spark")

    assert 2 == said.code
    assert "engine spark reads Parquet files and folders of them; CSV goes with the engine duckdb" in said.complaint


def test_an_engine_that_is_not_installed_is_said_in_one_line(world, monkeypatch):
    monkeypatch.setitem(sys.modules, "gamedeid.data.engines.spark", None)
    said = gamedeid_says("run", world, "--engine", "spark")

    assert 2 == said.code
    assert said.complaint.startswith("the engine `spark` needs pyspark, which is not installed")
    assert said.complaint.endswith('python -m pip install "gamedeid[spark]"')
