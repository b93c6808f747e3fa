"""Tables of texts, and words of measures: name, format and meaning of each, heads of columns, and the best value."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gamedeid.amounts import joined, percent, significant
from gamedeid.catalogue import FORMS, catalogue
from gamedeid.choices import PLAYED_GAMES
from gamedeid.pictures.words import capitalized, policy_name, policy_words
from gamedeid.reprs import brief, frozen

ALL_ATTACKED = "if all were attacked"
"""Words after expected re-identifications from attacks on every released record."""

SPREAD = "chance of at least one; 95% range"
"""Name of the row below expected re-identifications."""

_TENTH, _CENT = 0.1, 0.01
"""Risks from ``_TENTH`` on have two decimals; only 1 is printed as 1."""

_UNSURE = 1 - 1e-9
"""The greatest printed chance of an uncertain event."""

SUMS_DIFFER = 1e-9
"""Relative distance within which sums are equal: they are added in different orders."""

NOT_COMPUTED = "not computed"
"""Text of a value that was not computed."""

MARK, LEGEND = "*", "* the best of its row"
"""Mark of a value without colour, and its meaning."""


@brief
class Grid(NamedTuple):
    """A table of texts: the names of its columns, and rows of as many texts; false where it has no row."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def __bool__(self) -> bool:
        return bool(self.rows)


@frozen
class Measure:
    """Words and format of a measure.

    Parameters
    ----------
    best : the best value for the publisher, "greatest" or "least".
    """

    name: str
    form: Callable[[Any], str]
    means: str
    means_for_several: str
    best: str


MEASURES: Mapping[str, Measure] = {
    key: Measure(
        name=one["name"],
        form=FORMS[one["form"]],
        means=one["means"],
        means_for_several=one.get("means_for_several", one["means"]),
        best=one.get("best", "least"),
    )
    for key, one in catalogue("measures").items()
}
"""Every measure, in the order of tables."""


def shown_measures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Measure]:
    """Return the measures of a table: all, but without ``unmatched`` if it is 0 throughout."""
    return {key: form for key, form in MEASURES.items() if key != "unmatched" or any(row[key] for row in rows)}


def best_values(key: str, values: Sequence[float], texts: Sequence[str]) -> list[bool]:
    """Return whether each value of a row is marked as the best.

    Values with the same text are marked alike. No value is marked if all texts are equal, if one of them was not
    computed, or for other keys.

    Parameters
    ----------
    values : (k,) one value of each policy.
    texts : (k,) their texts.

    Examples
    --------
    >>> best_values("attacked", [0.1875, 0.0, 0.0], ["18.75%", "0.00%", "0.00%"])
    [False, True, True]
    >>> best_values("attacked", [0.0, 0.0], ["0.00%", "0.00%"])
    [False, False]
    """
    if key not in MEASURES or len(set(texts)) < 2 or NOT_COMPUTED in texts:  # noqa: PLR2004  (one is no better than itself)
        return [False] * len(texts)
    best = max(values) if MEASURES[key].best == "greatest" else min(values)
    chosen = texts[list(values).index(best)]
    return [text == chosen for text in texts]


def games_words(names: Sequence[str]) -> str:
    """Return the names of policies and games as a list in a sentence; "" for none."""
    return joined(map(policy_words, names), "and")


def heading_words(name: str) -> str:
    """Return the name of a policy for the head of a column, or of a game as it is typed.

    Examples
    --------
    >>> heading_words("limited-data-set"), heading_words("sh-friendly")
    ('Limited Data Set', 'sh-friendly')
    """
    return name if name in PLAYED_GAMES else capitalized(policy_name(name))


def spread_words(spread: Mapping[str, Any] | None) -> str:
    """Return the chance of at least one re-identification, and the range of their number in 95 of 100 cases.

    Parameters
    ----------
    spread : the values of :class:`gamedeid.game.spread.Spread`; None if not computed.
    """
    if spread is None:
        return NOT_COMPUTED
    chance = spread["at_least_one"] if spread["highest"] == 1 else min(spread["at_least_one"], _UNSURE)
    return f"{percent(chance, 0)}; {spread['low']:,} to {spread['high']:,}"


def risk_words(risk: float) -> str:
    """Return the text of a chance above 0 that an attack names the right person.

    Examples
    --------
    >>> risk_words(1.0), risk_words(1 / 3), risk_words(1 / 75), risk_words(0.9999), risk_words(1 / 12000)
    ('1.00', '0.33', '0.013', '0.99', '0.000083')
    """
    if risk < _TENTH:
        return significant(risk, 2)
    return f"{risk:.2f}" if risk == 1 else f"{min(risk, 1 - _CENT):.2f}"
