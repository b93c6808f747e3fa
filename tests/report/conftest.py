"""What the tests of reports share: questions that are run once."""

from collections.abc import Callable

import pytest
from report_shapes import RunTexts, run_of


@pytest.fixture(scope="session")
def run_shape(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], RunTexts]:
    """Return what runs a question by its name."""
    home = tmp_path_factory.mktemp("shapes")

    def run(shape: str) -> RunTexts:
        folder = home / shape.replace(" ", "-").replace(",", "")
        folder.mkdir(exist_ok=True)
        return run_of(shape, folder)

    return run
