"""A real browser for the tests of pages: finds it, starts it and records what pages say."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

IN_CI = os.environ.get("CI", "").casefold() in {"1", "true", "yes"}
ARTEFACTS = Path(__file__).parents[2] / ".ci" / "artefacts"
CUT_OFF = """() => [...document.querySelectorAll(".scroll, .drawing, .key dd, td, dd")].filter(
    (one) => one.offsetParent && !one.closest("details") && one.scrollWidth > one.clientWidth + 1
).map((one) => `${one.className}: ${one.textContent.slice(0, 60)}`)"""
"""Lists the parts of a report that overflow their place or are cut off."""

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def unavailable(why: str) -> NoReturn:
    """Skip the test or module whose tool is not installed; in CI, fail."""
    if IN_CI:
        pytest.fail(why)
    pytest.skip(why, allow_module_level=True)


def chromium() -> str:
    """Return the path of chromium: of its headless shell, which is faster, if installed."""
    path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    try:
        import playwright.sync_api  # noqa: F401, PLC0415
    except ImportError:
        path = None
    return path or unavailable("no chromium, or no playwright, to open pages with")


def artefact(name: str) -> Path:
    """Return the path at which a screenshot of this file name is kept for inspection."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS / name


@dataclass
class PageLog:
    """The messages, errors and requests of a page while it was open."""

    messages: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def browser() -> Iterator[Any]:
    """Yield a running browser."""
    path = chromium()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield running
        finally:
            running.close()


@contextmanager
def opened(
    running: Any, file: Path, *, script: bool = True, drawn: bool = True, **how: Any
) -> Iterator[tuple[Any, PageLog]]:
    """Yield a page that shows a file, once its script has drawn if it has one, and what the page said."""
    context = running.new_context(java_script_enabled=script, offline=True, reduced_motion="reduce", **how)
    page, heard = context.new_page(), PageLog()
    page.on("console", lambda message: heard.messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: heard.errors.append(str(error)))
    page.on("request", lambda request: heard.requests.append(request.url))
    try:
        page.goto(file.as_uri())
        if script and drawn:
            page.wait_for_selector("html[data-drawn=yes]", timeout=30_000)
        yield page, heard
    finally:
        context.close()
