"""The facts of a determination that only people know, and the thresholds of the scenario."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gamedeid.amounts import four_decimals, number, percent
from gamedeid.catalogue import catalogue, sentence
from gamedeid.errors import OutputError
from gamedeid.pictures.words import capitalized
from gamedeid.reprs import frozen
from gamedeid.risk.thresholds import OWN_NAME, JudgedThreshold, judged_thresholds
from gamedeid.scenario.determination import Determination, Thresholds
from gamedeid.scenario.sections import UNSOURCED

OF_A_POPULATION = ("population_source", "population_date")

THRESHOLD_COLUMNS = ("threshold", "measure", "asks for", "this release", "verdict", "source of the number")
"""Names of the columns of the table of thresholds."""


@frozen
class Fact:
    """One key of the section: its name, and the texts of the scenario; empty for a missing key."""

    key: str
    label: str
    texts: tuple[str, ...]


def facts(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return every key of ``[determination]``; keys of a population only if there is one."""
    given = _section(Determination, manifest, "determination")
    own = summary["data"]["population_is_the_records"]
    found = []
    for key, label in catalogue("determination")["labels"].items():
        if not (own and key in OF_A_POPULATION):
            value = getattr(given, key)
            texts = value if isinstance(value, tuple) else (value,)
            found.append(Fact(key=key, label=label, texts=tuple(text for text in texts if text)))
    return tuple(found)


def missing_facts(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return the facts that an expert determination needs and the scenario lacks."""
    missing = [fact.label for fact in facts(summary, manifest) if not fact.texts]
    sources, payoffs = manifest["scenario"]["sources"], manifest["scenario"]["payoffs"]
    needed = [key for key in ("benefit", "loss", "gain", "cost") if key != "gain" or payoffs["gain"] is not None]
    missing += [f"Source of the {key}" for key in needed if not sources[key] or sources[key].startswith(UNSOURCED)]
    if "recipients" in summary:
        missing.append("Source of the stakes and knowledge of each recipient")
    asked = _section(Thresholds, manifest, "thresholds")
    if not asked.presets and not asked.own:
        missing.append("Thresholds for the risk")
    return missing


def threshold_rows(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]
) -> list[tuple[str, ...]]:
    """Return a text for each of ``THRESHOLD_COLUMNS``, for each threshold of the scenario."""
    asked = _section(Thresholds, manifest, "thresholds")
    judged = judged_thresholds(asked, content["risks"], summary["measures"])
    return [threshold_row(one) for one in judged]


def threshold_words(summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each threshold of the scenario, verdict first; one sentence for no thresholds."""
    rows = threshold_rows(summary, content, manifest)
    names = ("name", "measure", "bound", "value", "verdict")
    said = [
        sentence("determination.judged", {**dict(zip(names, row, strict=False)), "the_verdict": capitalized(row[4])})
        for row in rows
    ]
    return said or [catalogue("run")["notes"]["no_thresholds"]]


def threshold_row(one: JudgedThreshold) -> tuple[str, ...]:
    """Return a text for each of ``THRESHOLD_COLUMNS``."""
    most, least = _value(one, one.at_most), _value(one, one.at_least)
    bound = f"at most {most}" if most else f"at least {least}"
    verdict: str = one.verdict
    if verdict == "not decided":
        why = f"{one.left_out:,} released match no one" if one.left_out else "nothing is released"
        verdict = f"not decided ({why})"
    value = "none" if one.value is None else _value(one, one.value)
    source = f"the scenario, which says: {one.source or 'nothing about it'}" if one.name == OWN_NAME else one.source
    return (one.name, catalogue("determination")["measures"][one.measure], bound, value, verdict, source)


def _value(one: JudgedThreshold, value: float | None) -> str:
    if value is None:
        return ""
    match one.measure:
        case "k_anonymity" | "k_map":
            return f"{value:,.0f}" if value.is_integer() else f"{value:,g}"
        case "attacked":
            return percent(value)
        case "expected_reidentifications":
            return number(value, 1)
        case _:
            return four_decimals(value)


def _section(kind: type[Any], manifest: Mapping[str, Any], name: str) -> Any:
    try:
        return kind.model_validate(manifest["scenario"].get(name) or {})
    except ValidationError:
        raise OutputError(f"manifest.json is not as gamedeid wrote it (at `scenario.{name}`); run again") from None
