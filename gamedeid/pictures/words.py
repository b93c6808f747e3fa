"""Words of findings, and the choice of the rows that a table shows."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import NO_DOLLARS, money
from gamedeid.catalogue import sentence
from gamedeid.choices import PLAYED_GAMES
from gamedeid.errors import shown

MOST_ROWS = 125
"""Most rows in the table of a picture."""

POLICY_NAMES = {"safe-harbor": "Safe Harbor", "limited-data-set": "the Limited Data Set"}
"""Names of the built-in policies for readers; other policies have their own names."""

STAKE_WORDS = {
    "benefit": "benefit V",
    "loss": "loss L",
    "cost": "cost c",
    "gain": "gain",
}
"""Names of the stakes along axes and in sentences."""


def stakes(chosen: Mapping[str, float]) -> str:
    """Return stakes as a list in words.

    Examples
    --------
    >>> stakes({"benefit": 1200, "loss": 300})
    'benefit $1,200, loss $300'
    """
    return ", ".join(f"{name} {money(value)}" for name, value in chosen.items())


def policy_words(name: str) -> str:
    """Return the name of a policy or a game in a sentence.

    Examples
    --------
    >>> policy_words("safe-harbor"), policy_words("no-attack")
    ('Safe Harbor', 'the no-attack game')
    """
    if name in PLAYED_GAMES:
        return f"the {name} game"
    return POLICY_NAMES.get(name, f"the policy \u201c{shown(name)}\u201d")


def policy_name(policy: str) -> str:
    """Return the name of a game or a policy in a title, in a legend and in hover texts.

    Examples
    --------
    >>> policy_name("safe-harbor"), policy_name("basic"), policy_name("pairs")
    ('Safe Harbor', 'basic', 'pairs')
    """
    return POLICY_NAMES.get(policy, policy).removeprefix("the ")


def legend_name(game: str, policy: str) -> str:
    """Return the name in a legend of a game, or of the policy that the games are compared with.

    Examples
    --------
    >>> legend_name("sh-friendly", "safe-harbor")
    'sh-friendly (Safe Harbor or stricter)'
    """
    name = policy_name(game)
    return f"{name} ({policy_name(policy)} or stricter)" if game == "sh-friendly" else name


def capitalized(words: str) -> str:
    """Return words with a capital letter in front."""
    return words[:1].upper() + words[1:]


def evenly_spaced(count: int, most: int, must: Sequence[int] = ()) -> list[int]:
    """Return at most ``most`` of the places 0 to count - 1, evenly spread, including the first and the last.

    Parameters
    ----------
    count, most : number of places, and of returned places at most, which is above that of ``must``.
    must : places that are always returned.

    Examples
    --------
    >>> evenly_spaced(100, 4, must=[50])
    [0, 50, 99]
    """
    if count <= most:
        return list(range(count))
    others = most - len(set(must))
    return sorted({round(place * (count - 1) / max(1, others - 1)) for place in range(others)} | set(must))


def table_along(
    tables: Sequence[Mapping[str, Sequence[Any]]], chosen: Mapping[str, float]
) -> tuple[dict[str, list[Any]], str]:
    """Return the tables along each stake as one, and a sentence about the rows that it leaves out.

    Parameters
    ----------
    tables : columns of equal length, ``stake`` and ``value (dollars)`` among them; the same names in all.
    chosen : stakes by name, dollars; their rows are not left out.
    """
    whole = {name: [value for table in tables for value in table[name]] for name in tables[0]}
    points = list(zip(whole["stake"], whole["value (dollars)"], strict=True))
    at_chosen = [row for row, (name, value) in enumerate(points) if value == chosen[name]]
    rows = evenly_spaced(len(points), MOST_ROWS, at_chosen)
    return {name: [values[row] for row in rows] for name, values in whole.items()}, rows_shown_words(
        len(rows), len(points)
    )


def change_words(amount: float) -> str:
    """Return a difference of payoffs.

    Parameters
    ----------
    amount : difference in dollars; below 0 for less.

    Examples
    --------
    >>> change_words(-1.5), change_words(0.0)
    ('$1.50 less', 'the same')
    """
    same = abs(amount) <= NO_DOLLARS
    return sentence("pictures.change", {"same": same, "more": amount > 0, "amount": abs(amount)})


def rows_shown_words(shown: int, rows: int) -> str:
    """Return a sentence about the rows that a table leaves out; "" if it leaves out none."""
    return sentence("pictures.rows_shown", {"left_out": shown < rows, "shown": shown, "rows": rows})
