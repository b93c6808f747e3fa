"""The measures of a release: name, format and meaning of each, and which of several values is the best."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamedeid.catalogue import FORMS, catalogue
from gamedeid.reprs import frozen

ALL_ATTACKED = "if all were attacked"
"""Follows expected re-identifications from attacks on every released record."""

MARK, LEGEND = "*", "* the best of its row"
"""Mark of a value without colour, and its meaning."""


@frozen
class Measure:
    """How people read a measure.

    Parameters
    ----------
    best : which value is the best for the publisher, "greatest" or "least".
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
    """Return the measures of a table: all but ``unmatched`` where it is 0 throughout."""
    return {key: form for key, form in MEASURES.items() if key != "unmatched" or any(row[key] for row in rows)}


def best_values(key: str, values: Sequence[float], texts: Sequence[str]) -> list[bool]:
    """Return which values of a row are marked as the best.

    Values that read alike are marked alike. Nothing is marked where all read alike, or of what is not a measure.

    Parameters
    ----------
    values : (k,) one of each policy.
    texts : (k,) how they read.

    Examples
    --------
    >>> best_values("attacked", [0.1875, 0.0, 0.0], ["18.75%", "0.00%", "0.00%"])
    [False, True, True]
    >>> best_values("attacked", [0.0, 0.0], ["0.00%", "0.00%"])
    [False, False]
    """
    if key not in MEASURES or len(set(texts)) < 2:  # noqa: PLR2004  (one text alone is no better than itself)
        return [False] * len(texts)
    best = max(values) if MEASURES[key].best == "greatest" else min(values)
    chosen = texts[list(values).index(best)]
    return [text == chosen for text in texts]
