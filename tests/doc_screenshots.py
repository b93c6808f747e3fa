"""The pictures of report and explorer in the docs; `python tests/doc_screenshots.py` takes them in a browser.

Each picture holds a digest of what it shows, by which a test says when it must be taken again.
"""

import hashlib
import re
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

sys.path.append(str(Path(__file__).parent / "kit"))

from browser import browser, opened

import gamedeid
from gamedeid.explorer import serving as serving_module
from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session

ROOT = Path(__file__).parents[1]
QUICKSTART = ROOT / "scenarios" / "quickstart.toml"
STATIC = ROOT / "docs" / "_static"
SHOWS = "Shows"
"""The field of a picture's file that holds the digest."""


def report(running: Any, folder: Path) -> bytes:
    """Return the picture of the verdict of a report."""
    gamedeid.solve(QUICKSTART, game="no-attack").write(folder / "results")
    size = {"width": 1000, "height": 640}
    with opened(running, folder / "results" / "report.html", viewport=size, color_scheme="light") as (page, _):
        page.evaluate("document.querySelector('h2 .number').scrollIntoView()")
        return bytes(page.screenshot())


def explorer(running: Any, _folder: Path) -> bytes:
    """Return the picture of the explorer after a stake was changed."""
    with serving(Session.open(gamedeid.Scenario.read(QUICKSTART))) as server:
        size = {"width": 1280, "height": 900}
        page = running.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")
        page.goto(server.address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        page.fill("#loss-field", "1000")
        page.press("#loss-field", "Enter")
        page.locator(".stake:not(.following) .range").filter(has_text="holds").nth(2).wait_for()
        page.evaluate("document.activeElement.blur()")
        return bytes(page.screenshot())


def shown_of_report(page: str) -> str:
    """Return the part of a report's page that the picture shows, and its style."""
    verdict = page[page.index('id="answer"') : page.index('id="assumptions"')]
    return re.sub(r"[0-9a-f]{16,64}", "", verdict) + page[page.index("<style>") : page.index("</style>")]


def shown_of_explorer() -> str:
    """Return the files of the explorer's page."""
    folder = Path(serving_module.__file__).with_name("page")
    return "".join(path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.suffix in {".html", ".css"})


def digests(folder: Path) -> dict[str, str]:
    """Return what each picture of the present code would show, as a digest.

    Parameters
    ----------
    folder : new or empty, for a run of the quickstart.
    """
    gamedeid.solve(QUICKSTART, game="no-attack").write(folder)
    shown = {"report": shown_of_report((folder / "report.html").read_text("utf-8")), "explorer": shown_of_explorer()}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in shown.items()}


def is_stale(name: str, digest: str) -> bool:
    """Return whether a picture in the docs shows something else than the present code would."""
    with Image.open(STATIC / f"{name}.png") as picture:
        return bool(picture.info.get(SHOWS) != digest)


PICTURES = {"report": (report, 64, 200_000), "explorer": (explorer, 256, 150_000)}
"""Name of the file -> what takes it, its colours and the most bytes that it may have."""


def main() -> None:
    """Take both pictures, in so few colours that pages load quickly."""
    with tempfile.TemporaryDirectory() as folder:
        found = digests(Path(folder) / "shown")
    for name, (take, colours, most) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder, browser() as running:
            taken = Image.open(BytesIO(take(running, Path(folder))))
        target, words = STATIC / f"{name}.png", PngInfo()
        words.add_text(SHOWS, found[name])
        few = taken.convert("RGB").quantize(colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(target, "png", optimize=True, pnginfo=words)
        if target.stat().st_size > most:
            sys.exit(f"{target} has {target.stat().st_size:,} bytes, more than {most:,}")


if __name__ == "__main__":
    main()
