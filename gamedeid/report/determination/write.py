"""From a folder of results to the draft of a determination."""

import hashlib
import io
import re
import textwrap
import zipfile
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from gamedeid.errors import OutputError, quoted
from gamedeid.extras import lacking
from gamedeid.report.determination.content import Blank, Block, Bullets, Grid, Heading, Paragraph, determination
from gamedeid.report.html.stored import Results, read_results
from gamedeid.results import write_file
from gamedeid.results.file import is_regular
from gamedeid.results.manifest import SIGNATURE, is_document
from gamedeid.results.stored import state_outputs


def write_determination(folder: str | PathLike[str], output: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write the draft of an expert determination (45 CFR 164.514(b)(1)) from a folder of results.

    It holds what was computed and from what, and a line to fill in for each fact that gamedeid cannot know. It words no
    expert's opinion. Neither data nor scenario are needed. A draft that is written into the folder itself belongs to
    it: its manifest states the digest, and :func:`gamedeid.sign` states it again as it is filled in.

    Parameters
    ----------
    folder : what ``gamedeid run -o`` or ``Solution.write`` has written, with its report.
    output : a file; its suffix, ``.md`` or ``.docx``, says the format.
    overwrite : replace a file at ``output``.

    Returns
    -------
    where it stands.

    Raises
    ------
    OutputError : another suffix; the folder holds no results of a run, or not as they were written; python-docx is not
        installed; the file cannot be written; it would stand in a folder that is signed already.
    """
    return write_draft(Path(folder), read_results(folder), Path(output), overwrite=overwrite)


def write_draft(folder: Path, results: Results, output: Path, *, overwrite: bool) -> Path:
    """Write the draft from results that were read, and return where it stands."""
    if not is_document(output.name):
        raise OutputError(f"a determination is written as .md or .docx, not as {quoted(output.name)}")
    blocks = determination(results)
    content = markdown(blocks) if output.suffix.lower() == ".md" else docx(blocks)
    if output.parent.resolve() != folder.resolve():
        write_file(output, content, overwrite=overwrite)
        return output
    if is_regular(folder / SIGNATURE):
        raise OutputError(
            f"{output} is not written, because {folder} is signed and its signature would not hold; remove "
            f"{SIGNATURE} and sign again, or write the draft elsewhere"
        )
    written = content.encode() if isinstance(content, str) else content
    write_file(output, written, overwrite=overwrite, follow_links=False)
    state_outputs(folder, results.manifest, {output.name: hashlib.sha256(written).hexdigest()})
    return output


_MARKS = re.compile(r"([\\`*_\[\]<>|#~])")
_LINE = r"\_" * 40
_BREAKS = re.compile(r"\s+")


def markdown(blocks: Iterable[Block]) -> str:
    """Return the text of a Markdown file (tables as GitHub has them); marks in the texts are taken as letters."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * (block.level + 1)} {_plain(block.text)}"
        case Paragraph():
            yield _plain(block.text)
        case Bullets():
            yield from (f"- {_plain(item)}" for item in block.items)
        case Grid():
            yield _row(block.headings)
            yield "|" + " --- |" * len(block.headings)
            yield from map(_row, block.rows)
        case Blank():
            yield f"{_plain(block.label)}: {_LINE}"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    return _MARKS.sub(r"\\\1", _BREAKS.sub(" ", text).strip())


_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every part of the file: the same document is the same bytes."""

_TITLE = 255  # letters that the properties of a file have room for


def docx(blocks: Iterable[Block]) -> bytes:
    """Return the content of a DOCX file."""
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
