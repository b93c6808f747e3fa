"""Spark without a cluster: on this machine only, and without Java, a master or a worker."""

import struct

import pytest
from cluster_cases import clustered_world, listening
from other_users import ask_port
from real_clusters import require, restarted_java, start_spark_quickly
from small_world import gamedeid_says

from gamedeid.data.engines.clusters import connected
from gamedeid.data.engines.options import ReadOptions

require("pyspark", "psutil", java=True)

pytestmark = pytest.mark.clusters

SPARK_CALL = struct.pack(">qbqi", 29, 3, 7, 8) + bytes.fromhex("aced0005") + b"junk"
"""A remote procedure call in Spark's format: length, kind, number, and an invalid Java object."""


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    return clustered_world(tmp_path_factory.mktemp("world"))


def test_a_missing_master_is_one_line(world):
    said = gamedeid_says("run", world, "--engine", "spark", "--cluster", "spark://127.0.0.1:9")

    assert 2 == said.code
    assert (
        "no Spark cluster answers at spark://127.0.0.1:9; check its address (--cluster), and that it runs"
        == said.complaint
    )


@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <_io.FileIO:pytest.PytestUnraisableExceptionWarning"
)  # its pipe
@pytest.mark.parametrize("home", [None, "/nowhere", "broken"])
def test_a_machine_without_a_working_java_is_one_line(world, monkeypatch, tmp_path, home):
    if home == "broken":
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / "bin" / "java").chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    else:
        monkeypatch.setenv("PATH", f"{tmp_path}")
        monkeypatch.setenv("JAVA_HOME", home or "")
    with restarted_java():
        said = gamedeid_says("run", world, "--engine", "spark")

    assert 2 == said.code
    assert "does not start: it needs Java 17 or newer; install it" in said.complaint


def test_local_spark_serves_and_spills_for_its_user_only(tmp_path, tmp_path_factory, monkeypatch):
    """Its ports ignore requests of other users."""
    import psutil  # noqa: PLC0415
    from pyspark import SparkContext  # noqa: PLC0415

    start_spark_quickly(monkeypatch, tmp_path_factory.mktemp("configuration"))
    with restarted_java(), connected(ReadOptions(engine="spark", spill=tmp_path)):
        java = psutil.Process(SparkContext._gateway.proc.pid)  # noqa: SLF001
        assert {"127.0.0.1"} == set(listening(java).values())
        answers = [ask_port(port, SPARK_CALL)[0] for port in listening(java)]
        assert 2 == sum("Expected SaslMessage" in answer for answer in answers)
        assert 1 == sum("TimeoutError" in answer for answer in answers)  # Java's gateway, which waits for its own token
        assert not any("secret" in word for word in java.cmdline())
        (spilled,) = tmp_path.iterdir()
        assert 0o700 == spilled.stat().st_mode & 0o777
        assert list(spilled.glob("blockmgr-*"))
