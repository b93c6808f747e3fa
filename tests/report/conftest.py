"""Fixtures for tests of reports: questions that run once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from report_folders import stored_results
from report_shapes import RunTexts, run_of
from small_world import gamedeid_says


@pytest.fixture(scope="session")
def run_shape(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], RunTexts]:
    """Return a function that runs a question by its name."""
    home = tmp_path_factory.mktemp("shapes")

    def run(shape: str) -> RunTexts:
        folder = home / shape.replace(" ", "-").replace(",", "")
        folder.mkdir(exist_ok=True)
        return run_of(shape, folder)

    return run


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return a folder of results of the small world, next to its question."""
    return stored_results(tmp_path)


@pytest.fixture(scope="session")
def quickstart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return results of the quickstart without attacks, to be read only."""
    out = tmp_path_factory.mktemp("report") / "out"
    assert 0 == gamedeid_says("run", "quickstart", "--game", "no-attack", "-o", out).code
    return out
