"""Folders of results with a report, of a small question, and their pages."""

from pathlib import Path
from typing import Any

from html_pages import Page
from small_world import gamedeid_says, small_world


def results(folder: Path, *words: str, **changed: Any) -> Path:
    """Run a small question and return the folder of its results."""
    folder.mkdir(exist_ok=True)
    said = gamedeid_says("run", small_world(folder, **changed), "-o", folder / "out", *words)
    assert (0, "") == (said.code, said.err)
    return folder / "out"


def page_of(out: Path) -> Page:
    return Page((out / "report.html").read_text("utf-8"))
