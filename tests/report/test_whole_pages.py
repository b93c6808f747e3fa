"""Three whole pages, from a scenario to the text that a reader sees.

`PYTHONPATH=tests/kit python tests/report/test_whole_pages.py` renews them.
"""

import re
import tempfile
from pathlib import Path

import pytest
from report_shapes import RunTexts, run_of

from gamedeid import __version__

GOLD = Path(__file__).parents[1] / "gold" / "pages"
WHOLE = ("unmatched, safe", "recipients within limits", "aware, for the records")


def lines(run: RunTexts) -> str:
    """Return the text of a page, a sentence or so a line, without digests and the version."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", " ".join(run.page.split())).replace(
        f"gamedeid {__version__}", "gamedeid VERSION"
    )
    return re.sub(r"(?<=[.?!:;]) (?=[A-Z0-9])", "\n", text) + "\n"


@pytest.mark.parametrize("shape", WHOLE)
def test_a_page_reads_as_it_should(run_shape, shape):
    assert (GOLD / f"{shape}.txt").read_text("utf-8") == lines(run_shape(shape))


if __name__ == "__main__":
    for name in WHOLE:
        with tempfile.TemporaryDirectory() as folder:
            (GOLD / f"{name}.txt").write_text(lines(run_of(name, Path(folder))), "utf-8")
