"""A real browser for the tests of pages: found, started, listened to."""

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
"""Tells what of a report stands out of its place, or is cut off there."""

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def unavailable(why: str) -> NoReturn:
    """Skip the test, or the module, that needs what is not there; fail in CI, where it must be."""
    if IN_CI:
        pytest.fail(why)
    pytest.skip(why, allow_module_level=True)


def chromium() -> str:
    """Return the path of chromium: of its shell without windows, which takes less time, where that is there."""
    path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    try:
        import playwright.sync_api  # noqa: F401, PLC0415
    except ImportError:
        path = None
    return path or unavailable("no chromium, or no playwright, to open pages with")


def artefact(name: str) -> Path:
    """Return where a screenshot is kept for people to look at, by the name of its file."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS / name


@dataclass
class Heard:
    """What a page said and asked for while it was open."""

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
) -> Iterator[tuple[Any, Heard]]:
    """Yield a page that shows a file, and what is heard of it: when its script has drawn, if it has one."""
    context = running.new_context(java_script_enabled=script, offline=True, reduced_motion="reduce", **how)
    page, heard = context.new_page(), Heard()
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
