"""What the page shows of data, attributes and stakes, as texts."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import money, number_of
from gamedeid.report.data_words import person_words
from gamedeid.report.html.stake_words import STAKES, ratios
from gamedeid.report.question_kind import QuestionKind
from gamedeid.report.recipient_words import (
    OWN_STAKES,
)
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.warnings import counted, estimate_words, unmatched_words


def data_view(summary: Mapping[str, Any], content: Mapping[str, Any], scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the data have: numbers, and what is said of each."""
    data, dropped = summary["data"], len(scenario["records"]["drop"]) + ("persons" in summary["data"])
    numbers = {
        "records": number_of(data["records"], "record"),
        "whose": f"of {number_of(*counted(data))}" if "persons" in data else "about people",
        "counted": number_of(*counted(data)),
        "profiles": number_of(data["profiles"], "distinct combination"),
        "population": number_of(data["population"], "person"),
        "strategies": "One is" if data["strategies"] == 1 else f"{data['strategies']:,} are",
    }
    left_out = {0: "None was declared to be left out.", 1: "One column is left out."}
    return numbers | {
        "unmatched": unmatched_words(data),
        "sentences": person_words(data),
        "own": data["population_is_the_records"],
        "estimated": estimate_words(data["population_levels"], data["sampling_fraction"]),
        "kept": scenario["records"]["keep"],
        "dropped_count": dropped,
        "dropped": left_out.get(dropped, f"{dropped} columns are left out."),
        "shapes": any(attribute["from_data"] for attribute in content["attributes"]),
    }


def attribute_view(attribute: Mapping[str, Any], scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return an attribute: its levels with an example each, and its weight."""
    levels = [{"groups": f"{one['groups']:,}", "example": one["example"]} for one in attribute["levels"]]
    return {
        "name": attribute["name"],
        "title": attribute["title"],
        "levels": levels,
        "weight": f"{scenario['attributes'][attribute['name']]['weight']:g}",
    }


def stakes_view(summary: Mapping[str, Any], manifest: Mapping[str, Any], kind: QuestionKind) -> dict[str, Any]:
    """Return the stakes with their sources, and for which groups an attack pays."""
    payoffs, sources = summary["payoffs"], manifest["scenario"]["sources"]
    follows = manifest["scenario"]["payoffs"]["gain"] is None
    rows = []
    for key, (name, symbol, means) in STAKES.items():
        source = sources[key]
        if key == "gain" and follows:
            source = source or "Taken to be what the publisher loses, since the scenario gives no other figure."
        rows.append(
            {
                "name": name,
                "symbol": symbol,
                "means": means,
                "value": money(payoffs[key]),
                "source": source,
                "overridden": f"payoffs.{key}" in manifest["overridden"],
                "key": key,
            }
        )
    limit = Payoffs(**payoffs).attack_limit
    people = "1 person matches" if limit == 1 else f"1 to {limit:,} people match"
    attack = (
        f"With these figures an attack pays where {people} the released record in the population: there the gain of "
        f"{money(payoffs['gain'])}, times the chance of naming the right one, is larger than the cost of "
        f"{money(payoffs['cost'])}."
        if limit
        else "With these figures no attack pays, even on a record that nobody else matches."
    )
    if kind.recipients:
        attack = OWN_STAKES
    elif kind.aware:
        attack += " One who knows how the release was made counts those of them who would have been released like it."
    return {
        "stakes": rows,
        "attack_words": attack,
        "ratios": ratios(summary),
        "unsourced": next((row["key"] for row in rows if not row["source"]), None),
    }
