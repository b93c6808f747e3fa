"""What a document is made of, in every format."""

from typing import TypeAlias

from gamedeid.reprs import frozen


@frozen
class Heading:
    """The title of the document (level 0), or of a part (level 1 or 2)."""

    level: int
    text: str


@frozen
class Paragraph:
    """One paragraph of plain text."""

    text: str


@frozen
class Bullets:
    """A list of plain texts."""

    items: tuple[str, ...]


@frozen
class Grid:
    """A table: headings, and rows of as many texts."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Blank:
    """A line to fill in by hand, and what it is for."""

    label: str


Block: TypeAlias = Heading | Paragraph | Bullets | Grid | Blank
