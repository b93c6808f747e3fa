"""A report on paper: the text of each page that the browser prints, and a picture of it."""

import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pypdf

PAPERS = ("A4", "Letter")
RESOLUTION = 60
"""Dots per inch of a printed page's picture: enough to see the layout."""


def print_sheets(page: Any, kept: Path, paper: str) -> int:
    """Print a page into a PDF, and return the number of sheets.

    Parameters
    ----------
    page : of the browser.
    kept : the PDF.
    paper : "A4" or "Letter".
    """
    page.pdf(path=kept, format=paper)
    return len(pypdf.PdfReader(kept).pages)


def printed_texts(page: Any, kept: Path, paper: str) -> list[str]:
    """Print a page as :func:`print_sheets` does, and return the text of each sheet, which takes seconds."""
    print_sheets(page, kept, paper)
    return [unicodedata.normalize("NFKC", one.extract_text()) for one in pypdf.PdfReader(kept).pages]


def draw_pages(pdf: Path) -> list[Path]:
    """Write a picture of each sheet next to the PDF; none without ``pdftoppm``."""
    draw = shutil.which("pdftoppm")
    if draw is None:
        return []
    for before in pdf.parent.glob(f"{pdf.stem}-page-*.png"):
        before.unlink()
    subprocess.run([draw, "-png", "-r", str(RESOLUTION), pdf, pdf.with_name(f"{pdf.stem}-page")], check=True)
    return sorted(pdf.parent.glob(f"{pdf.stem}-page-*.png"))
