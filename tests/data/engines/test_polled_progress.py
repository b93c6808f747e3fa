"""An engine's progress: polled while it works, never shown to fall, and without effect on the work."""

import time

import pytest

from gamedeid.data.engines import duckdb as polled
from gamedeid.progress import HUNDREDTHS_OF_PERCENT, unreported


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(polled, "POLLING_INTERVAL", 0.001)


def looked_at(shares, rows):
    """Return the reported progress while an engine gives these shares, one after another."""
    left, told = list(shares), []

    def share_done():
        share = left.pop(0) if left else None
        if isinstance(share, Exception):
            raise share
        return share

    with polled.polled_progress(share_done, rows, lambda *one: told.append(one)):
        ends = time.monotonic() + 30
        while left and time.monotonic() < ends:
            time.sleep(0.001)
    return told


def test_progress_in_rows_or_hundredths_of_a_per_cent_never_falls_and_errors_do_not_end_the_work():
    assert [(2, 8), (4, 8), (8, 8)] == looked_at([None, 0.0, 0.25, 0.5, 0.3, 0.5, 1.0, None], 8)
    assert [(1250, HUNDREDTHS_OF_PERCENT)] == looked_at([0.125, None], None)
    assert [] == looked_at([OSError("gone")], 8)


def test_progress_is_not_polled_without_a_listener():
    with polled.polled_progress(lambda: pytest.fail("nobody asked"), 8, unreported):
        time.sleep(0.01)
