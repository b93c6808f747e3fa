"""Spark where there is none: no Java, no master, no worker."""

import pytest
from cluster_cases import clustered_world
from cluster_kit import forgotten_java, need
from small_world import gamedeid_says

need("pyspark", "psutil", java=True)


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    return clustered_world(tmp_path_factory.mktemp("world"))


def test_a_master_that_is_not_there_is_said_in_one_line(world):
    said = gamedeid_says("run", world, "--engine", "spark", "--cluster", "spark://127.0.0.1:9")

    assert 2 == said.code
    assert (
        "no Spark cluster answers at spark://127.0.0.1:9; check its address (--cluster), and that it runs"
        == said.complaint
    )


@pytest.mark.parametrize("home", [None, "/nowhere"])
def test_a_machine_without_java_is_said_in_one_line(world, monkeypatch, tmp_path, home):
    monkeypatch.setenv("PATH", str(tmp_path))
    if home is None:
        monkeypatch.delenv("JAVA_HOME", raising=False)
    else:
        monkeypatch.setenv("JAVA_HOME", home)
    with forgotten_java():
        said = gamedeid_says("run", world, "--engine", "spark")

    assert 2 == said.code
    assert "needs Java 17 or newer, and there is none; install it" in said.complaint


@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <_io.FileIO:pytest.PytestUnraisableExceptionWarning"
)  # its pipe
def test_a_java_that_does_not_start_is_said_in_one_line(world, monkeypatch, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "java").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with forgotten_java():
        said = gamedeid_says("run", world, "--engine", "spark")

    assert 2 == said.code
    assert "does not start on this Java; it needs Java 17 or newer" in said.complaint
