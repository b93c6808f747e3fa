"""The question as the page needs it: attributes and their levels, stakes and their bounds, policies, games."""

from collections.abc import Mapping
from typing import Any

from gamedeid.choices import GAMES
from gamedeid.explorer.setting import Setting
from gamedeid.game.policies import policy_names
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.report.law_words import LINES
from gamedeid.scenario.bounds import DOLLARS, WEIGHTS
from gamedeid.scenario.built_in import RAW
from gamedeid.study.facts import data_of
from gamedeid.study.study import Study


def describe_question(study: Study, opened: Setting, ends: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return what the page shows before anything is turned, as plain values; no value of any record is among them.

    Parameters
    ----------
    study : the question as opened.
    opened : the same as a setting.
    ends : stake -> the least and the most that its slider has, dollars.
    """
    scenario = study.scenario
    return {
        "title": scenario.title,
        "setting": opened.as_dict(),
        "sliders": {name: {"least": least, "most": most} for name, (least, most) in ends.items()},
        "bounds": {"stakes": _bounds(*DOLLARS), "weights": _bounds(*WEIGHTS)},
        "policies": [name for name in policy_names(scenario) if name != RAW],
        "law": dict(LINES),
        "games": list(GAMES),
        "attributes": [_attribute(name, hierarchy) for name, hierarchy in study.instance.hierarchies.items()],
        "strategies": study.instance.lattice.size,
        "data": data_of(study),
    }


def _bounds(least: float, most: float) -> dict[str, float]:
    return {"least": least, "most": most}


def _attribute(name: str, hierarchy: Hierarchy) -> dict[str, Any]:
    return {
        "name": name,
        "title": hierarchy.title,
        "role": hierarchy.role,
        "values_from_data": hierarchy.from_data,
        "levels": [_level(hierarchy, level) for level in range(hierarchy.levels)],
    }


def _level(hierarchy: Hierarchy, level: int) -> dict[str, Any]:
    """Return how coarse a level is, and how one value looks there unless the values are those of the data."""
    sizes = hierarchy.sizes[level]
    middle = len(hierarchy.leaves) // 2
    return {
        "groups": int(hierarchy.group_counts[level]),
        "smallest": int(sizes.min()),
        "largest": int(sizes.max()),
        "example": None if hierarchy.from_data else hierarchy.label(level, middle),
    }
