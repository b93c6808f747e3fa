"""The pictures of report and explorer in the docs; `python tests/doc_screenshots.py` takes them in a browser."""

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.append(str(Path(__file__).parent / "kit"))

from browser import browser, opened

import gamedeid
from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session

ROOT = Path(__file__).parents[1]
QUICKSTART = ROOT / "scenarios" / "quickstart.toml"


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


PICTURES = {"report": (report, 64, 200_000), "explorer": (explorer, 256, 150_000)}
"""Name of the file -> what takes it, its colours and the most bytes that it may have."""


def main() -> None:
    """Take both pictures, in so few colours that pages load quickly."""
    for name, (take, colours, most) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder, browser() as running:
            taken = Image.open(BytesIO(take(running, Path(folder))))
        target = ROOT / "docs" / "_static" / f"{name}.png"
        few = taken.convert("RGB").quantize(colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(target, "png", optimize=True)
        if target.stat().st_size > most:
            sys.exit(f"{target} has {target.stat().st_size:,} bytes, more than {most:,}")


if __name__ == "__main__":
    main()
