"""The picture of the explorer on its page; `python tests/doc_explorer_picture.py` takes it in a browser."""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

sys.path.append(str(Path(__file__).parent / "kit"))

from browser import browser

from gamedeid.explorer.serving import serving
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "_static" / "explorer.png"
SIZE = {"width": 1280, "height": 900}
COLOURS = 256
MOST_BYTES = 150_000


def main() -> None:
    session = Session.open(Scenario.read(ROOT / "scenarios" / "quickstart.toml"))
    with serving(session) as server, browser() as running:
        page = running.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(server.address)
        page.wait_for_selector("html[data-drawn=yes]", state="attached")
        page.fill("#loss-field", "1000")
        page.press("#loss-field", "Enter")
        page.locator(".stake:not(.following) .range").filter(has_text="stands").nth(2).wait_for()
        page.evaluate("document.activeElement.blur()")
        taken = Image.open(BytesIO(page.screenshot()))
    few = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(TARGET, "png", optimize=True)
    written = TARGET.stat().st_size
    if written > MOST_BYTES:
        sys.exit(f"{TARGET} has {written:,} bytes, more than {MOST_BYTES:,}")


if __name__ == "__main__":
    main()
