"""How numbers read in findings, and which rows of many a table shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.choices import GAMES

MOST_ROWS = 125
"""Rows that the table beside a picture has at most."""

STAKE_WORDS = {
    "benefit": "benefit V",
    "loss": "loss L",
    "cost": "cost c",
    "gain": "gain",
}
"""What the stakes are called along axes and in sentences."""


def dollars(value: float) -> str:
    """Return an amount of money to the cent.

    Examples
    --------
    >>> dollars(-1234.5)
    '-$1,234.50'
    """
    words = f"${abs(value):,.2f}"
    return f"-{words}" if value < 0 and words != "$0.00" else words


def stake(value: float) -> str:
    """Return an amount that somebody chose: without cents where there are none.

    Examples
    --------
    >>> stake(1200.0), stake(0.5)
    ('$1,200', '$0.50')
    """
    return f"${value:,.0f}" if value == round(value) else f"${value:,.4g}" if value < 0.01 else dollars(value)  # noqa: PLR2004


def percent(value: float) -> str:
    """Return a share with one decimal of a percent; what only rounds to none or all is not called so.

    Examples
    --------
    >>> percent(0.2287), percent(0.99999), percent(1), percent(0.00001)
    ('22.9%', 'over 99.9%', '100%', 'under 0.1%')
    """
    if value in {0, 1}:
        return f"{value:.0%}"
    text = f"{value:.1%}"
    return {"0.0%": "under 0.1%", "100.0%": "over 99.9%"}.get(text, text)


def stakes(chosen: Mapping[str, float]) -> str:
    """Return stakes as a list in words.

    Examples
    --------
    >>> stakes({"benefit": 1200, "loss": 300})
    'benefit $1,200, loss $300'
    """
    return ", ".join(f"{name} {stake(value)}" for name, value in chosen.items())


def game_named(policy: str) -> str:
    """Return what a game or a policy is called in a sentence.

    Examples
    --------
    >>> game_named("basic"), game_named("safe-harbor")
    ('the basic game', 'safe-harbor')
    """
    return f"the {policy} game" if policy in GAMES else policy


def capital(words: str) -> str:
    """Return words with a capital letter in front."""
    return words[:1].upper() + words[1:]


def four(value: float) -> str:
    """Return a number with four decimals; what rounds to 0 has no sign.

    Examples
    --------
    >>> four(-1e-12)
    '0.0000'
    """
    return f"{round(value, 4) + 0.0:.4f}"


def some_of(count: int, most: int, must: Sequence[int] = ()) -> list[int]:
    """Return at most so many of the places 0 to count - 1, evenly spread, the first and the last among them.

    Parameters
    ----------
    count, most : how many there are, and how many may be returned, more than those that must.
    must : places that are returned in any case.

    Examples
    --------
    >>> some_of(100, 4, must=[50])
    [0, 50, 99]
    """
    if count <= most:
        return list(range(count))
    spread = most - len(set(must))
    return sorted({round(place * (count - 1) / max(1, spread - 1)) for place in range(spread)} | set(must))


def rows_of(table: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> dict[str, list[Any]]:
    """Return some rows of a table of columns."""
    return {name: [values[row] for row in rows] for name, values in table.items()}


def said_of(shown: int, rows: int) -> str:
    """Return a sentence about the rows that a table leaves out; nothing where it leaves out none."""
    return f" The table shows {shown:,} of {rows:,} rows." if shown < rows else ""
