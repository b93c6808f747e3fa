"""What a report looks like on paper: the text of each page that the browser prints, and how many there are.

``python tests/kit/printed_pages.py NAME...`` runs scenarios that are shipped, the quickstart and the case study unless
others are named, and prints on how many pages of A4 and Letter their reports stand.
"""

import shutil
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pypdf
from browser import browser, opened

PAPERS = ("A4", "Letter")
RESOLUTION = 60
"""Dots per inch of a printed page's picture: enough to see where what stands."""


def printed_texts(page: Any, kept: Path, paper: str) -> list[str]:
    """Print a page into a PDF, and return the text of each sheet.

    Parameters
    ----------
    page : of the browser.
    kept : the PDF.
    paper : "A4" or "Letter".
    """
    page.pdf(path=kept, format=paper)
    return [unicodedata.normalize("NFKC", one.extract_text()) for one in pypdf.PdfReader(kept).pages]


def draw_pages(pdf: Path) -> list[Path]:
    """Write a picture of each sheet of a PDF beside it; none where there is no ``pdftoppm``."""
    draw = shutil.which("pdftoppm")
    if draw is None:
        return []
    for before in pdf.parent.glob(f"{pdf.stem}-page-*.png"):
        before.unlink()
    subprocess.run([draw, "-png", "-r", str(RESOLUTION), pdf, pdf.with_name(f"{pdf.stem}-page")], check=True)
    return sorted(pdf.parent.glob(f"{pdf.stem}-page-*.png"))


def main(names: list[str]) -> None:
    """Print the number of pages of each scenario's report."""
    with tempfile.TemporaryDirectory() as folder, browser() as running:
        for name in names:
            results = Path(folder) / Path(name).stem
            subprocess.run(
                [sys.executable, "-m", "gamedeid", "run", name, "-o", results], check=True, stdout=subprocess.DEVNULL
            )
            with opened(running, results / "report.html") as (page, _):
                counts = [len(printed_texts(page, results / f"{paper}.pdf", paper)) for paper in PAPERS]
            print(name, *(f"{paper}: {count} pages" for paper, count in zip(PAPERS, counts, strict=True)))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:] or ["quickstart", "adult_tn"])
