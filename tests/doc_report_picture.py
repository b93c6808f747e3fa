"""The picture of the report on the home page; `python tests/doc_report_picture.py` takes it in a browser."""

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

sys.path.append(str(Path(__file__).parent / "kit"))

from browser import browser, opened

import gamedeid

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "_static" / "report.png"
SIZE = {"width": 1000, "height": 640}
COLOURS = 64
MOST_BYTES = 200_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, browser() as running:
        results = Path(folder) / "results"
        gamedeid.solve(ROOT / "scenarios" / "quickstart.toml", game="no-attack").write(results)
        with opened(running, results / "report.html", viewport=SIZE, color_scheme="light") as (page, _):
            page.evaluate("document.querySelector('h2 .number').scrollIntoView()")
            taken = Image.open(BytesIO(page.screenshot()))
    few = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(TARGET, "png", optimize=True)
    written = TARGET.stat().st_size
    if written > MOST_BYTES:
        sys.exit(f"{TARGET} has {written:,} bytes, more than {MOST_BYTES:,}")


if __name__ == "__main__":
    main()
