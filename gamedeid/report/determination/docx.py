"""A document as a DOCX file, to be edited in a word processor."""

import io
import textwrap
import zipfile
from collections.abc import Iterable
from typing import Any

from gamedeid.extras import lacking
from gamedeid.report.determination.blocks import Blank, Block, Bullets, Grid, Heading, Paragraph

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every part of the file: the same document is the same bytes."""

_TITLE = 255  # letters that the properties of a file have room for


def docx(blocks: Iterable[Block]) -> bytes:
    """Return the content of a DOCX file.

    Parameters
    ----------
    blocks : the document.

    Raises
    ------
    MissingExtraError : python-docx is not installed.
    """
    try:
        from docx import Document  # noqa: PLC0415  (an extra)
    except ImportError:
        raise lacking("docx", "a draft as DOCX, unlike one as Markdown,") from None
    document = Document()
    blocks = list(blocks)
    _describe(document, blocks)
    for block in blocks:
        _add(document, block)
    written = io.BytesIO()
    document.save(written)
    return _without_times(written.getvalue())


def _describe(document: Any, blocks: Iterable[Block]) -> None:
    """Title the file as its first heading; take out the author and the dates of python-docx's template."""
    properties = document.core_properties
    element = properties._element  # noqa: SLF001  (its dates can be set, but not taken out)
    for part in list(element):
        element.remove(part)
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    properties.title = textwrap.shorten(title, _TITLE, placeholder=" \u2026")
    properties.author = "gamedeid"


def _add(document: Any, block: Block) -> None:
    match block:
        case Heading():
            document.add_heading(block.text, block.level)
        case Paragraph():
            document.add_paragraph(block.text)
        case Bullets():
            for item in block.items:
                document.add_paragraph(item, style="List Bullet")
        case Grid():
            _add_table(document, block)
        case Blank():
            document.add_paragraph(f"{block.label}: {'_' * 40}")


def _add_table(document: Any, grid: Grid) -> None:
    table = document.add_table(rows=0, cols=len(grid.headings), style="Table Grid")
    for row in (grid.headings, *grid.rows):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True


def _without_times(content: bytes) -> bytes:
    """Return the same archive with one time for all of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = zipfile.ZipInfo(name, _LONG_AGO)
            part.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(part, source.read(name))
    return made.getvalue()
