"""The question with marks, for all tests of this folder."""

import pytest
from leak_made import Made
from leak_marks import FOLDER


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return the question's results, in a folder that is named like a person."""
    folder = tmp_path_factory.mktemp("leaks") / FOLDER
    folder.mkdir()
    return Made(folder=folder)
