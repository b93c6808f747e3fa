"""The draft of a determination from a folder of results, as Markdown or DOCX."""

import hashlib
import io
import re
import textwrap
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from gamedeid.errors import OutputError, quoted
from gamedeid.extras import missing_extra_error, missing_modules
from gamedeid.pictures.saving import picture_content
from gamedeid.report.determination.content import Blank, Block, Bullets, Heading, Image, Paragraph, determination
from gamedeid.report.determination.equations import words_and_equations
from gamedeid.report.html.stored import read_results, refusing_contradictions
from gamedeid.report.view import ReportDocuments
from gamedeid.report.words.measures import Grid
from gamedeid.results.file import write_file
from gamedeid.results.manifest import is_document
from gamedeid.results.stored import refuse_signed, state_outputs


def write_determination(folder: str | PathLike[str], output: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write the draft of an expert determination (45 CFR 164.514(b)(1)) from a folder of results.

    The draft holds the computed results, their inputs, and a line to fill in for each fact that gamedeid cannot know.
    It contains no expert's opinion. Neither data nor scenario are needed. A draft written into the folder itself
    belongs to it: the manifest states its digest, and :func:`gamedeid.sign` states it again after filling in.

    Parameters
    ----------
    folder : a folder written by ``gamedeid run -o`` or ``Solution.write``, with its report.
    output : path of the draft; its suffix, ``.md`` or ``.docx``, is the format.
    overwrite : replace a file at ``output``.

    Returns
    -------
    the path of the draft.

    Raises
    ------
    InvalidScenarioError : a picture for DOCX cannot be drawn from the stored figures.
    MissingExtraError : python-docx is not installed, for a draft as DOCX.
    OutputError : another suffix; the folder does not hold the unchanged results of a run; the file cannot be
        written, or is in a folder that is already signed.
    """
    return write_draft(Path(folder), read_results(folder), Path(output), overwrite=overwrite)


def write_draft(folder: Path, results: ReportDocuments, output: Path, *, overwrite: bool) -> Path:
    """Write the draft from results that were read, and return its path."""
    if not is_document(output.name):
        raise OutputError(f"a determination is written as .md or .docx, not as {quoted(output.name)}")
    with refusing_contradictions(folder):
        blocks = determination(results)
        content = markdown(blocks) if output.suffix.lower() == ".md" else docx(blocks)
    if output.parent.resolve() != folder.resolve():
        write_file(output, content, overwrite=overwrite)
        return output
    refuse_signed(folder, output)
    written = content.encode() if isinstance(content, str) else content
    write_file(output, written, overwrite=overwrite, follow_links=False)
    state_outputs(folder, results.manifest, {output.name: hashlib.sha256(written).hexdigest()})
    return output


_MARKS = re.compile(r"([\\`*_\[\]<>|#~])")
_LINE = r"\_" * 40
_BREAKS = re.compile(r"\s+")


def markdown(blocks: Iterable[Block]) -> str:
    """Return the text of a Markdown file (tables in GitHub's syntax); Markdown marks in the texts are escaped."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks if not isinstance(block, Image)) + "\n"


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
"""The time of every part of the file, so that the same document has the same bytes."""

_TITLE = 255  # most letters in a property of the file
_TEXT_WIDTH, _PICTURE_WIDTH = 6.5, 4.4  # inches; a picture leaves space for text on its page
_TABLE_LETTERS = 9  # points
_WIDEST, _WORD = 28, 22  # most letters of a cell and of a word that count for a column's width
_FIGURES = re.compile(r"([<>-]*\$?\d.{0,23}|none|not computed|all released|)")
"""Cells of a column of figures, which is aligned to the right."""


def docx(blocks: Iterable[Block]) -> bytes:
    """Return the content of a DOCX file."""
    try:
        from docx import Document  # noqa: PLC0415  (an extra)
    except ImportError:
        raise missing_extra_error("docx", "a draft as DOCX, unlike one as Markdown,") from None
    document = Document()
    blocks = list(blocks)
    _describe(document, blocks)
    _lay_out(document)
    for block in blocks:
        _add(document, block)
    written = io.BytesIO()
    document.save(written)
    return _without_times(written.getvalue())


def _describe(document: Any, blocks: Iterable[Block]) -> None:
    """Set the file's title to its first heading; remove the author and the dates of python-docx's template."""
    properties = document.core_properties
    element = properties._element  # noqa: SLF001  (its dates can be set, but not taken out)
    for part in list(element):
        element.remove(part)
    title = next((block.text for block in blocks if isinstance(block, Heading)), "")
    properties.title = textwrap.shorten(title, _TITLE, placeholder=" \u2026")
    properties.author = "gamedeid"


def _lay_out(document: Any) -> None:
    """Set the margins, the font size of tables, and page numbers."""
    from docx.shared import Inches, Pt  # noqa: PLC0415  (an extra)

    [section] = document.sections
    section.left_margin = section.right_margin = Inches((section.page_width.inches - _TEXT_WIDTH) / 2)
    document.styles["Normal"].paragraph_format.space_before = Pt(4)
    document.styles["No Spacing"].font.size = Pt(_TABLE_LETTERS)
    foot = section.footer.paragraphs[0]
    foot.alignment = 2  # right-aligned
    for words, field in (("Page ", "PAGE"), (" of ", "NUMPAGES")):
        foot.add_run(words)
        _within(foot._p, "w:fldSimple", **{"w:instr": field})  # noqa: SLF001  (python-docx has no call for fields)


def _within(element: Any, tag: str, **attributes: str) -> None:
    """Add an element for which python-docx has no call."""
    from docx.oxml import OxmlElement  # noqa: PLC0415  (an extra)
    from docx.oxml.ns import qn  # noqa: PLC0415

    made = OxmlElement(tag)
    for name, value in attributes.items():
        made.set(qn(name), value)
    element.append(made)


def _add(document: Any, block: Block) -> None:
    match block:
        case Image():
            _add_image(document, block)
        case Heading():
            document.add_heading(block.text, block.level)
        case Paragraph():
            document.add_paragraph(block.text)
        case Bullets():
            for item in block.items:
                _add_item(document, item, are_formulas=block.are_formulas)
        case Grid():
            _add_table(document, block)
        case Blank():
            document.add_paragraph(f"{block.label}: {'_' * 40}")


def _add_item(document: Any, text: str, *, are_formulas: bool) -> None:
    """Add an item of a list, its formulas as Word's equations."""
    from docx.oxml import parse_xml  # noqa: PLC0415  (an extra)

    paragraph = document.add_paragraph("" if are_formulas else text, style="List Bullet")
    for words, equation in words_and_equations(text) if are_formulas else ():
        paragraph.add_run(words)
        if equation:
            paragraph._p.append(parse_xml(equation))  # noqa: SLF001  (python-docx has no call for equations)


def _add_image(document: Any, image: Image) -> None:
    """Add a picture and its caption, if the packages for drawing it are installed."""
    from docx.shared import Inches  # noqa: PLC0415  (an extra)

    if missing_modules("pictures"):
        return
    shape = document.add_picture(io.BytesIO(picture_content(image.picture, "png")), width=Inches(_PICTURE_WIDTH))
    shape._inline.docPr.set("descr", image.picture.finding)  # noqa: SLF001  (read aloud)
    document.add_paragraph(image.caption, style="Caption")


def _add_table(document: Any, grid: Grid) -> None:
    """Add a table: head on every page, no row across pages, widths by words, figures right-aligned."""
    from docx.shared import Inches  # noqa: PLC0415  (an extra)

    columns = list(zip(*(grid.headings, *grid.rows), strict=True))
    letters = [_letters(texts) for texts in columns]
    widths = [Inches(_TEXT_WIDTH * one / sum(letters)) for one in letters]
    is_right = [place > 0 and all(map(_FIGURES.fullmatch, texts[1:])) for place, texts in enumerate(columns)]
    table = document.add_table(rows=0, cols=len(columns), style="Table Grid")
    table.autofit = False
    compact = document.styles["No Spacing"].style_id
    for number, texts in enumerate((grid.headings, *grid.rows)):
        row = table.add_row()
        for tag in ("w:cantSplit",) if number else ("w:cantSplit", "w:tblHeader"):
            _within(row._tr.get_or_add_trPr(), tag)  # noqa: SLF001
        for cell, text, width, right in zip(row.cells, texts, widths, is_right, strict=True):
            cell.width = width
            paragraph = cell.paragraphs[0]
            paragraph._p.style = compact  # noqa: SLF001  (its call for styles by name reads all styles for each cell)
            paragraph.alignment = 2 if right else 0
            paragraph.add_run(text).bold = not number
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width


def _letters(texts: Sequence[str]) -> int:
    """Return the width of a column in letters, for a bold head and without breaks within words."""
    head, *cells = texts
    words = [len(word) + 3 * (text is head) for text in texts for word in text.split()]
    return 3 + max(*(min(len(text), _WIDEST) for text in cells), *(min(word, _WORD) for word in words), 4)


def _without_times(content: bytes) -> bytes:
    """Return the archive with the same time for all of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = zipfile.ZipInfo(name, _LONG_AGO)
            part.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(part, source.read(name))
    return made.getvalue()
