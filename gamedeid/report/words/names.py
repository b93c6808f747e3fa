"""Names of policies and games in lists and headings, and how chances and spreads read."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import joined, percent
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.pictures.words import capital, policy_name, policy_words

SPREAD = "chance of at least one; 95% range"
"""Name of the row below expected re-identifications."""

_TENTH, _CENT = 0.1, 0.01
"""Risks from ``_TENTH`` on have two decimals; only 1 reads as 1."""

_UNSURE = 1 - 1e-9
"""The greatest chance of an uncertain event, as it is printed."""


def games_words(names: Sequence[str]) -> str:
    """Return the names of policies and games as a sentence lists them; "" of none."""
    return joined([policy_words(name) for name in names], "and") if names else ""


def heading_words(name: str) -> str:
    """Return the name of a policy at the head of a column, or that of a game, as it is typed.

    Examples
    --------
    >>> heading_words("limited-data-set"), heading_words("sh-friendly")
    ('Limited Data Set', 'sh-friendly')
    """
    return name if name in GAMES or name in AWARE_GAMES else capital(policy_name(name))


def spread_words(spread: Mapping[str, Any] | None) -> str:
    """Return the chance of at least one re-identification, and the range of their number in 95 of 100 cases.

    Parameters
    ----------
    spread : as :class:`gamedeid.game.spread.Spread` has it; None where it was not computed.
    """
    if spread is None:
        return "not computed"
    chance = spread["at_least_one"] if spread["highest"] == 1 else min(spread["at_least_one"], _UNSURE)
    return f"{percent(chance, 0)}; {spread['low']:,} to {spread['high']:,}"


def risk_words(risk: float) -> str:
    """Return a chance above 0 that an attack names the right person.

    Examples
    --------
    >>> risk_words(1.0), risk_words(1 / 3), risk_words(1 / 75), risk_words(0.9999)
    ('1.00', '0.33', '0.013', '0.99')
    """
    if risk < _TENTH:
        return f"{risk:.2g}"
    return f"{risk:.2f}" if risk == 1 else f"{min(risk, 1 - _CENT):.2f}"
