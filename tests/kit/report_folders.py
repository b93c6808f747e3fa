"""Folders of results, with a report, for a small question, and their pages."""

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from html_pages import Page
from small_world import gamedeid_prints, small_world


def results(folder: Path, *words: str, **changed: Any) -> Path:
    """Run a small question and return the folder of its results."""
    folder.mkdir(exist_ok=True)
    gamedeid_prints("run", small_world(folder, **changed), "-o", folder / "out", *words)
    return folder / "out"


def stored_results(folder: Path, *words: str, **changed: Any) -> Path:
    """Return a copy of such a folder; each process runs the question only once."""
    shutil.copytree(_made(words, tuple(changed.items())).name, folder, dirs_exist_ok=True)
    return folder / "out"


@cache
def _made(words: tuple[str, ...], changed: tuple[tuple[str, Any], ...]) -> TemporaryDirectory[str]:
    kept = TemporaryDirectory(prefix="run-")
    results(Path(kept.name), *words, **dict(changed))
    return kept


def documents(out: Path) -> list[Any]:
    """Return the contents of a folder's summary, report and manifest."""
    return [json.loads((out / f"{name}.json").read_text("utf-8")) for name in ("summary", "report", "manifest")]


def page_of(out: Path) -> Page:
    return Page((out / "report.html").read_text("utf-8"))
