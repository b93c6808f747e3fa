"""Dask with several worker processes: the same results as without a cluster, also when a worker is killed."""

import pytest
from cluster_cases import FILES, asked, assert_same_results, clustered_world
from cluster_kit import dask_cluster, descendants, killing, need

need("dask", "distributed", "psutil")

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
    asked(scenario, scenario.parent / "held", "--engine", "memory", "--format", "parquet")
    return scenario


def on(cluster):
    return ["--engine", "dask", "--cluster", cluster.address, "--format", "parquet"]


def test_a_cluster_of_two_workers_gives_the_same_results(cluster, world, tmp_path):
    asked(world, tmp_path / "out", *on(cluster))

    assert_same_results(world.parent / "held", tmp_path / "out")
    assert FILES == len(list((tmp_path / "out").glob("release-*.parquet")))


def test_a_worker_killed_in_mid_run_changes_nothing(cluster, world, tmp_path):
    written = []

    def worker():
        written[:] = tmp_path.glob(".gamedeid-*/release/part.*.parquet")
        return descendants(cluster.workers, "spawn_main")[0] if len(written) > 2 else None

    with killing(worker) as killed:
        asked(world, tmp_path / "out", *on(cluster))

    assert 1 == len(killed)
    assert 2 < len(written) < FILES
    assert_same_results(world.parent / "held", tmp_path / "out")
