"""The question of most of these tests."""

import pytest
from sample_pictures import quickstart

from gamedeid.study.study import Study


@pytest.fixture(scope="session", name="study")
def _study() -> Study:
    """Return the quickstart, whose lattice has hundreds of strategies."""
    return quickstart()
