"""Words on the remaining detail of the data, by column and by group, and on an analysis of a release."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gamedeid.amounts import percent
from gamedeid.catalogue import sentences
from gamedeid.errors import shown
from gamedeid.generalization.levels import ROOT
from gamedeid.lazy_imports import LazyModule

if TYPE_CHECKING:
    from gamedeid.risk import detail
    from gamedeid.risk.utility.release_utility import Estimate, ReleasedModel, ReleaseUtility
else:  # most tables need no groups
    detail = LazyModule("gamedeid.risk.detail")

COLUMN_DETAIL = ("attribute", "as it is", "generalized (level: share)", "suppressed", "missing before", "loss")
"""Columns of the table of attributes."""


def detail_words(found: "detail.ReleaseDetail") -> list[str]:
    """Return the sentences above the tables."""
    facts = {
        "records": found.records,
        "withheld": found.withheld,
        "others": any(one.remaining is not None for one in found.groups),
        "grouped": bool(found.groups),
        "least": detail.SMALLEST_GROUP,
    }
    return [*sentences("risks.detail", facts), *weight_words(found)]


def weight_words(found: "detail.ReleaseDetail") -> list[str]:
    """Return a sentence for each attribute that loses far more than the others."""
    return [
        words
        for one in found.far_above_others
        for words in sentences("risks.weights", {"column": shown(one.column), "loss": one.information_loss})
    ]


def column_words(summary: Mapping[str, Any]) -> str:
    """Return the words above the table of attributes, whose shares are of rows, also if a person has several."""
    facts = {
        "counted": "rows" if "persons" in summary["data"] else "records",
        "shown": summary["data"].get("missing_is_shown", False),
        "withheld": summary["measures"]["withheld"] > 0,
    }
    return " ".join(sentences("risks.columns", facts))


def column_rows(columns: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``COLUMN_DETAIL``, for each attribute."""
    for one in columns:
        levels = ", ".join(f"{level}: {percent(share)}" for level, share in one["generalized"].items() if share)
        suppressed, missing, loss = (percent(one[key]) for key in ("suppressed", "missing", "information_loss"))
        yield one["column"], percent(one["as_it_is"]), levels or "-", suppressed, missing, loss


def strategy_words(levels: Mapping[str, int], heights: Mapping[str, int]) -> str:
    """Return the words for a strategy.

    Parameters
    ----------
    levels : attribute -> its level, from 0.
    heights : attribute -> number of levels of its hierarchy.

    Examples
    --------
    >>> strategy_words({"age": 1, "sex": 1}, {"age": 4, "sex": 2}), strategy_words({"sex": 0}, {"sex": 2})
    ('age at level 1 of 3, sex removed', 'all as it is')
    """
    removed = {name for name, level in levels.items() if level == heights[name] - 1}
    words = (
        f"{shown(name)} removed" if name in removed else f"{shown(name)} at level {level} of {heights[name] - 1}"
        for name, level in levels.items()
        if level
    )
    return "all removed" if removed == set(levels) else ", ".join(words) or "all as it is"


def group_columns(found: "detail.GroupedDetail") -> tuple[str, ...]:
    """Return the columns of the table of groups."""
    by = found.by if found.level is None else f"{found.by} (level {found.level})"
    return (by, "records", "information loss", "withheld", "attacked", "risk ratio")


def group_rows(found: "detail.GroupedDetail") -> Iterator[tuple[str, ...]]:
    """Yield a text for each of the columns, for each group, with small groups together in the last row."""
    for one in found.groups:
        yield _row(ROOT if one.group is None else one.group, one)
    if found.remaining is not None:
        yield _row("(all others)", found.remaining)


def _row(name: str, one: "detail.GroupDetail") -> tuple[str, ...]:
    shares = (one.information_loss, one.withheld, one.attacked)
    ratio = "-" if one.risk_ratio is None else f"{one.risk_ratio:.2f}"
    return (name, f"{one.records:,}", *map(percent, shares), ratio)


COEFFICIENTS = ("coefficient", "original (95% interval)", "release (95% interval)", "overlap", "warning")
"""Columns of the table of coefficients."""

DISTANCES = ("column", "known before", "known in the release", "total variation", "Hellinger distance")
"""Columns of the table of columns."""

ASSOCIATIONS = ("columns", "measure", "original", "release")
"""Columns of the table of pairs."""


def utility_words(found: "ReleaseUtility") -> list[str]:
    """Return the sentences above the tables; the first names the intended readers."""
    facts = {name: getattr(found, name) for name in ("records", "released", "original_rows")}
    return sentences("risks.utility", {**facts, "least": detail.SMALLEST_GROUP})


def model_words(model: "ReleasedModel") -> list[str]:
    """Return the sentences about the model for one form of the release."""
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


def coefficient_rows(model: "ReleasedModel") -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``COEFFICIENTS``, for each coefficient."""
    for one in model.coefficients:
        warned = {"sign flipped": one.sign_flipped, "no overlap": one.overlap == 0}
        why = ", ".join(words for words, holds in warned.items() if holds) or "-"
        yield one.name, _interval(one.original), _interval(one.released), percent(one.overlap), why


def distance_rows(found: "ReleaseUtility") -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``DISTANCES``, for each column."""
    for one in found.columns:
        rows = (f"{one.original_rows:,}", f"{one.released_rows:,}")
        yield one.column, *rows, _decimals(one.total_variation), _decimals(one.hellinger)


def association_rows(found: "ReleaseUtility") -> Iterator[tuple[str, ...]]:
    """Yield a text for each of ``ASSOCIATIONS``, for each pair."""
    for one in found.associations:
        yield " and ".join(one.columns), one.measure, _decimals(one.original), _decimals(one.released)


def _interval(one: "Estimate") -> str:
    return f"{one.value:.4g} ({one.low:.4g} to {one.high:.4g})"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
