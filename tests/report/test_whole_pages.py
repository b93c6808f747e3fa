"""Whole pages and drafts, from a scenario to the text that a reader sees.

`PYTHONPATH=tests/kit python tests/report/test_whole_pages.py` renews them.
"""

import re
import tempfile
from pathlib import Path

import pytest
from report_shapes import RunTexts, run_of

from gamedeid import __version__

GOLD = Path(__file__).parents[1] / "gold" / "pages"
WHOLE = (
    *("unmatched, safe", "recipients within limits", "aware, for the records", "determined", "some withheld"),
    "no population + lattice search",
)


def texts(run: RunTexts) -> dict[str, str]:
    """Return the text of a page, about a sentence a line, and of a draft, without digests and versions."""
    page = re.sub(r"(?<=[.?!:;]) (?=[A-Z0-9])", "\n", " ".join(run.page.split())) + "\n"
    return {
        suffix: re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text).replace(f"gamedeid {__version__}", "gamedeid VERSION")
        for suffix, text in (("txt", page), ("md", run.draft))
    }


@pytest.mark.parametrize("shape", WHOLE)
def test_a_page_and_a_draft_are_as_reviewed(run_shape, shape):
    assert {suffix: (GOLD / f"{shape}.{suffix}").read_text("utf-8") for suffix in ("txt", "md")} == texts(
        run_shape(shape)
    )


if __name__ == "__main__":
    for name in WHOLE:
        with tempfile.TemporaryDirectory() as folder:
            for form, written in texts(run_of(name, Path(folder))).items():
                (GOLD / f"{name}.{form}").write_text(written, "utf-8")
