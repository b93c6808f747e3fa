"""The scenario as the page shows it: columns that do not leave are counted, not named."""

from collections.abc import Collection, Mapping
from typing import Any

from gamedeid.amounts import number_of


def without_dropped(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario of a manifest with the names of columns that do not leave replaced by their number."""
    bare = dict(scenario)
    sections = {name: scenario[name] for name in ("records", "population")}
    named = {
        column
        for section in sections.values()
        if section is not None
        for column in (*section["drop"], section.get("person"))
    }
    for name, section in sections.items():
        if section is not None:
            dropped = section["drop"]
            columns = section["columns"] and [
                "(left out)" if column in named else column for column in section["columns"]
            ]
            bare[name] = {**section, "drop": number_of(len(dropped), "column"), "columns": columns}
            if section.get("person") is not None:
                bare[name]["person"] = number_of(1, "column")
    if "recipients" in scenario:
        bare["recipients"] = {name: _without_dropped(one, named) for name, one in scenario["recipients"].items()}
    return bare


def _without_dropped(recipient: Mapping[str, Any], named: Collection[str]) -> dict[str, Any]:
    """Return a recipient of a manifest with the names of columns that are not read replaced by their number."""
    population = recipient.get("population")
    if population is None:
        return dict(recipient)
    dropped = population.get("drop") or ()
    hidden = {*named, *dropped}
    columns = population.get("columns") and ["(left out)" if one in hidden else one for one in population["columns"]]
    bare = {**population, "drop": number_of(len(dropped), "column")}
    return {**recipient, "population": {**bare, "columns": columns} if "columns" in population else bare}
