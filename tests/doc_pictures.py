"""The pictures that pages show, one of each kind; `python tests/doc_pictures.py [KIND...]` draws them into the docs."""

import csv
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from gamedeid import Study, plot
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.saving import picture_content
from gamedeid.risk.census.counts import AgeGroup, PlaceCounts
from gamedeid.risk.census.identifiable import Identifiable, identifiable
from gamedeid.risk.uniqueness.classes import read_class_sizes
from gamedeid.risk.uniqueness.simulation import StudyPlan, UniquenessStudy, study_uniqueness

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_static" / "plots"
POPULATION = ROOT / "scenarios" / "quickstart" / "population.csv"
DIGITS = 5
SCENARIO = ROOT / "scenarios" / "quickstart.toml"
COLOURS = 96
GAME = {"game": "basic"}
ONE = {"record": 26, **GAME}
ASKED: Mapping[str, Mapping[str, Any]] = {
    "lattice": ONE,
    "strategies": ONE,
    "differences": {},
    "scatter": {},
    "record-map": ONE,
    "map": GAME,
    "lines": {},
    "deviation": GAME,
    "frontier": {},
    "demographics": {},
    "uniqueness": {},
}
"""Kind of picture -> its arguments in addition to the scenario."""


def drawn(kind: str, study: Study) -> Picture:
    """Return the picture of a kind that the pages show."""
    of_people = {"demographics": _likely_unique, "uniqueness": _estimators}
    return plot(of_people[kind]() if kind in of_people else study, kind, **ASKED[kind])


def _likely_unique() -> Identifiable:
    """Return who of the quickstart's population is likely unique by the first digits of ZIP, sex and birth."""
    with POPULATION.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    places = sorted({row["zip"][:DIGITS] for row in rows})
    groups = [AgeGroup(name=f"{first}-{first + 9}", first=first, years=10) for first in range(0, 90, 10)]
    groups.append(AgeGroup(name="90+", first=90, years=12, is_open=True))
    people = np.zeros((len(places), len(groups)), np.int64)
    for row in rows:
        people[places.index(row["zip"][:DIGITS]), min(int(row["age"]) // 10, 9)] += int(row["people"])
    return identifiable(PlaceCounts(places=places, states=None, groups=groups, people=people), "month")


def _estimators() -> UniquenessStudy:
    """Return how far estimators of uniqueness are off by samples of the quickstart's population."""
    population = read_class_sizes(POPULATION, attributes=("age", "sex", "race", "zip"), count="people")
    return study_uniqueness(StudyPlan(population=population, fractions=(0.05, 0.3, 0.7), samples=40))


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
        target.write_bytes(small(picture_content(drawn(kind, study), "png")))
        sys.stdout.write(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
