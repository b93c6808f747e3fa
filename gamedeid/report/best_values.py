"""Which values of a row are the best: the rule by which tables mark them."""

from collections.abc import Mapping, Sequence
from typing import Literal

BEST: Mapping[str, Literal["greatest", "least"]] = {
    "publisher_payoff": "greatest",
    "adversary_payoff": "least",
    "unmodified": "greatest",
    "suppressed": "least",
    "withheld": "least",
    "unmatched": "least",
    "generalization_intensity": "least",
    "attacked": "least",
    "reidentification_probability": "least",
    "reidentification_probability_attacked": "least",
    "expected_reidentifications": "least",
}
"""Which value of a measure is the best for the publisher; of what is not named here no value is better than another."""

MARK, LEGEND = "*", "* the best of its row"
"""What marks a value without colour, and what it means."""


def best_values(key: str, values: Sequence[float], shown: Sequence[str]) -> list[bool]:
    """Return which values of a row are marked as the best.

    Values that read alike are marked alike. Nothing is marked where all read alike, or where the measure has no best.

    Parameters
    ----------
    key : of the measure.
    values : (k,) one of each policy.
    shown : (k,) how they read.

    Examples
    --------
    >>> best_values("attacked", [0.1875, 0.0, 0.0], ["18.75%", "0.00%", "0.00%"])
    [False, True, True]
    >>> best_values("attacked", [0.0, 0.0], ["0.00%", "0.00%"])
    [False, False]
    """
    if key not in BEST or len(set(shown)) < 2:  # noqa: PLR2004  (one text alone is no better than itself)
        return [False] * len(shown)
    best = (max if BEST[key] == "greatest" else min)(values)
    of_best = shown[list(values).index(best)]
    return [text == of_best for text in shown]
