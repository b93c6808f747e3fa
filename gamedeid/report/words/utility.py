"""An analysis of a release next to that of the original data, as people read it."""

from collections.abc import Iterator

from gamedeid.amounts import percent
from gamedeid.catalogue import sentences
from gamedeid.errors import shown
from gamedeid.risk.detail import SMALLEST_GROUP
from gamedeid.risk.utility.release_utility import Estimate, ReleasedModel, ReleaseUtility

COEFFICIENTS = ("coefficient", "original (95% interval)", "release (95% interval)", "overlap", "warning")
"""Columns of the table of coefficients."""

DISTANCES = ("column", "known before", "known in the release", "total variation", "Hellinger distance")
"""Columns of the table of columns."""

ASSOCIATIONS = ("columns", "measure", "original", "release")
"""Columns of the table of pairs."""


def utility_words(found: ReleaseUtility) -> list[str]:
    """Return the sentences above the tables, the first of which says whom this is for."""
    facts = {name: getattr(found, name) for name in ("records", "released", "original_rows")}
    return sentences("risks.utility", {**facts, "least": SMALLEST_GROUP})


def model_words(model: ReleasedModel) -> list[str]:
    """Return the sentences about the model in one form of the release."""
    facts = {
        "rows": model.rows,
        "by_midpoints": model.form == "midpoints",
        "fitted": model.why_not is None,
        "too_few_rows": model.why_not == "too few rows",
        "dependent_columns": model.why_not == "dependent columns",
        "no_estimate": model.why_not == "no estimate",
        "uncompared": model.not_compared,
        "flipped": [shown(one.name) for one in model.coefficients if one.sign_flipped],
        "apart": [shown(one.name) for one in model.coefficients if one.overlap == 0],
    }
    return sentences("risks.utility_model", facts)


def coefficient_rows(model: ReleasedModel) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``COEFFICIENTS``, for each coefficient."""
    for one in model.coefficients:
        warned = {"sign flipped": one.sign_flipped, "no overlap": one.overlap == 0}
        why = ", ".join(words for words, holds in warned.items() if holds) or "-"
        yield one.name, _interval(one.original), _interval(one.released), percent(one.overlap), why


def distance_rows(found: ReleaseUtility) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``DISTANCES``, for each column."""
    for one in found.columns:
        rows = (f"{one.original_rows:,}", f"{one.released_rows:,}")
        yield one.column, *rows, _decimals(one.total_variation), _decimals(one.hellinger)


def association_rows(found: ReleaseUtility) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``ASSOCIATIONS``, for each pair."""
    for one in found.associations:
        yield " and ".join(one.columns), one.measure, _decimals(one.original), _decimals(one.released)


def _interval(one: Estimate) -> str:
    return f"{one.value:.4g} ({one.low:.4g} to {one.high:.4g})"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
