"""Spark with several worker processes: the same results as without a cluster, also when a worker is killed."""

import pytest
from cluster_cases import FILES, asked, assert_same_results, clustered_world
from cluster_kit import descendants, forgotten_java, killing, need, spark_cluster

need("pyspark", "psutil", java=True)

CONFIGURATION = """
spark.executor.memory 512m
spark.executor.cores 1
spark.cores.max 2
spark.sql.files.openCostInBytes 128m
"""
"""As a user may have it: an executor on each worker, a task for each file."""


@pytest.fixture(name="cluster", scope="module")
def _cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spark")
    (folder / "spark-defaults.conf").write_text(CONFIGURATION)
    with pytest.MonkeyPatch.context() as patch, spark_cluster(folder) as cluster, forgotten_java():
        patch.setenv("SPARK_CONF_DIR", str(folder))
        yield cluster


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    scenario = clustered_world(tmp_path_factory.mktemp("world"))
    asked(scenario, scenario.parent / "held", "--engine", "memory", "--format", "parquet")
    return scenario


def on(cluster):
    return ["--engine", "spark", "--cluster", cluster.address, "--format", "parquet"]


def test_a_cluster_of_two_workers_gives_the_same_results(cluster, world, tmp_path):
    asked(world, tmp_path / "out", *on(cluster))

    assert_same_results(world.parent / "held", tmp_path / "out")
    assert FILES == len(list((tmp_path / "out").glob("release-*.parquet")))


def test_a_worker_killed_in_mid_run_changes_nothing(cluster, world, tmp_path):
    written = []

    def executor():
        written[:] = tmp_path.glob(".gamedeid-*/release/_temporary/0/task_*")
        return descendants(cluster.workers, "CoarseGrainedExecutorBackend")[0] if len(written) > 2 else None

    with killing(executor) as killed:
        asked(world, tmp_path / "out", *on(cluster))

    assert 1 == len(killed)
    assert 2 < len(written) < FILES
    assert_same_results(world.parent / "held", tmp_path / "out")
