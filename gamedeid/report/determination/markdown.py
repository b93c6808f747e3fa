"""A document as Markdown."""

import re
from collections.abc import Iterable, Iterator

from gamedeid.report.determination.blocks import Blank, Block, Bullets, Grid, Heading, Paragraph

_MARKS = re.compile(r"([\\`*_\[\]<>|#~])")
_LINE = r"\_" * 40
_BREAKS = re.compile(r"\s+")


def markdown(blocks: Iterable[Block]) -> str:
    """Return the text of a Markdown file (tables as GitHub has them); marks in the texts are taken as letters.

    Parameters
    ----------
    blocks : the document.
    """
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
