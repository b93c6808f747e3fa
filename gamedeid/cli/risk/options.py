"""Options that several commands of risk share, each written once, and what becomes of them."""

from typing import Annotated

import typer

from gamedeid.errors import InvalidDataError, quoted

Distinct = Annotated[
    str,
    typer.Option(metavar="G,...", help="Group sizes: people in groups of at most so many are counted."),
]
ListPrice = Annotated[
    float | None,
    typer.Option(metavar="DOLLARS", help="Price of the list of names; adds the price per re-identification."),
]


def group_sizes(text: str) -> tuple[int, ...]:
    """Return the whole numbers of ``--distinct``, each once, in ascending order.

    Raises
    ------
    InvalidDataError : one that is no whole number of 1 or more.
    """
    sizes = set()
    for part in text.split(","):
        word = part.strip()
        if not (word.isascii() and word.isdigit() and 0 < int(word) <= 2**53):
            raise InvalidDataError(
                f"--distinct: expected whole numbers of 1 or more with commas between, not {quoted(word)}"
            )
        sizes.add(int(word))
    return tuple(sorted(sizes))
