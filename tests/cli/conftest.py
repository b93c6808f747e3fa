"""What the tests of commands ask: the small question, and the rows of tables."""

from pathlib import Path

import pytest
from small_world import small_world


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    """Return the small question, whose files stand in the folder of the test."""
    return small_world(tmp_path)
