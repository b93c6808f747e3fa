"""Words on the released detail of the data, by column, and on strategies."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gamedeid.amounts import percent
from gamedeid.catalogue import sentences
from gamedeid.errors import shown
from gamedeid.report.words.measures import Grid

if TYPE_CHECKING:
    from gamedeid.risk.detail import ReleaseDetail


def weight_words(found: "ReleaseDetail") -> list[str]:
    """Return the attributes that lose far more than the others, in a sentence; empty for none."""
    names = [shown(one.column) for one in found.far_above_others]
    facts = {
        "columns": len(names),
        "names": names,
        "losses": [percent(found.loss_where_known(one)) for one in found.far_above_others],
        "weights": [f"attributes.{name}.weight" for name in names],
    }
    return sentences("risks.weights", facts)


def column_words(summary: Mapping[str, Any]) -> str:
    """Return the words above the table of attributes, whose shares are of rows, also if a person has several."""
    persons = "persons" in summary["data"]
    facts = {
        "counted": "rows" if persons else "records",
        "there_was": "a row of the person had" if persons else "there was",
        "there_was_none": "no row of the person had a value" if persons else "the value was missing",
        "shown": summary["data"].get("missing_is_shown", False),
        "withheld": summary["measures"]["withheld"] > 0,
    }
    return " ".join(sentences("risks.columns", facts))


def column_grid(columns: Iterable[Mapping[str, Any]]) -> Grid:
    """Return the released detail of each attribute, a row each."""
    rows = []
    for one in columns:
        levels = ", ".join(f"{level}: {percent(share)}" for level, share in one["generalized"].items() if share)
        shares = (percent(one[key]) for key in ("suppressed", "missing", "information_loss"))
        rows.append((one["column"], percent(one["as_it_is"]), levels or "-", *shares))
    heads = ("attribute", "as it is", "generalized (level: share)", "suppressed", "missing before", "loss")
    return Grid(heads, rows)


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
