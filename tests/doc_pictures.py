"""The pictures that pages show, one of each kind; `python tests/doc_pictures.py [KIND...]` draws them into the docs."""

import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from gamedeid.report.pictures.picture import Picture
from gamedeid.report.pictures.plot import plot
from gamedeid.report.pictures.saving import contents
from gamedeid.study.study import Study

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_static" / "plots"
SCENARIO = ROOT / "scenarios" / "quickstart.toml"
COLOURS = 96
ONE = {"record": 26}
ASKED: Mapping[str, Mapping[str, Any]] = {
    "lattice": ONE,
    "strategies": ONE,
    "differences": {},
    "scatter": {},
    "record-map": ONE,
    "map": {},
    "lines": {},
    "deviation": {},
}
"""The kinds of pictures, each with what is asked of it beside the scenario."""


def drawn(kind: str, study: Study) -> Picture:
    """Return the picture of a kind that the pages show."""
    return plot(study, kind, **ASKED[kind])


def small(png: bytes) -> bytes:
    """Return a PNG in so few colours that the pages load quickly, its words kept."""
    image = Image.open(BytesIO(png))
    words = PngInfo()
    for key in ("Title", "Description"):
        words.add_itxt(key, image.text[key])
    stream = BytesIO()
    few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(stream, "png", optimize=True, pnginfo=words, dpi=image.info["dpi"])
    return stream.getvalue()


def main(kinds: list[str]) -> None:
    study = Study.prepare(SCENARIO)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in kinds or ASKED:
        target = FOLDER / f"{kind}.png"
        target.write_bytes(small(contents(drawn(kind, study), "png")))
        sys.stdout.write(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
