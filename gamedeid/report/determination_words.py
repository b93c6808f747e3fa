"""What only people know of a determination: what the scenario says of it, and what is left to fill in."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gamedeid.amounts import four, number, percent
from gamedeid.errors import OutputError
from gamedeid.reprs import frozen
from gamedeid.risk.thresholds import OWN, Judged, judged_thresholds
from gamedeid.scenario.determination import Determination, ThresholdMeasure, Thresholds
from gamedeid.scenario.sections import UNSOURCED

LABELS: Mapping[str, str] = {
    "publisher": "Who releases the data",
    "purpose": "What the release is for",
    "recipients": "Anticipated recipients",
    "agreement": "What the recipients agree to",
    "population_source": "Source of the population",
    "population_date": "Date of the population",
    "expert": "Expert",
    "credentials": "Knowledge and experience of the expert",
    "valid_from": "Valid from",
    "valid_until": "Valid until",
}
"""What each key of ``[determination]`` is called in documents, in their order."""

OF_A_POPULATION = ("population_source", "population_date")

MEASURES: Mapping[ThresholdMeasure, str] = {
    "prosecutor_highest": "prosecutor risk, highest",
    "prosecutor_mean": "prosecutor risk, mean",
    "journalist_highest": "journalist risk, highest",
    "journalist_mean": "journalist risk, mean",
    "k_anonymity": "records in the smallest class of the release",
    "k_map": "people whom a released record matches, at least",
    "attacked": "share of the records worth attacking",
    "expected_reidentifications": "expected re-identifications",
}


THRESHOLD_COLUMNS = ("threshold", "measure", "asks for", "this release", "verdict", "where the number comes from")
"""Names of the columns of the table of thresholds."""

ANALOGY = (
    "The numbers of the presets come from rules for other things: published clinical documents, and published counts. "
    "Applying them to records is an analogy; no authority has set them for this release. Thresholds marked own are "
    "those of the scenario."
)
"""What is said below the table of thresholds."""


@frozen
class Fact:
    """One key of the section: what it is called, and what the scenario says; nothing where that is left out."""

    key: str
    label: str
    texts: tuple[str, ...]


def facts(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return every key of ``[determination]``; the population's only where there is a population.

    Parameters
    ----------
    summary, manifest : what ``summary.json`` and ``manifest.json`` hold.

    Raises
    ------
    OutputError : the manifest does not hold what gamedeid wrote.
    """
    given = _section(Determination, manifest, "determination")
    own = summary["data"]["population_is_the_records"]
    found = []
    for key, label in LABELS.items():
        if not (own and key in OF_A_POPULATION):
            value = getattr(given, key)
            texts = value if isinstance(value, tuple) else (value,)
            found.append(Fact(key=key, label=label, texts=tuple(text for text in texts if text)))
    return tuple(found)


def left_to_fill_in(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return what the scenario leaves out and an expert determination needs, in words.

    Parameters
    ----------
    summary, manifest : what ``summary.json`` and ``manifest.json`` hold.
    """
    missing = [fact.label for fact in facts(summary, manifest) if not fact.texts]
    sources, payoffs = manifest["scenario"]["sources"], manifest["scenario"]["payoffs"]
    needed = [key for key in ("benefit", "loss", "gain", "cost") if key != "gain" or payoffs["gain"] is not None]
    missing += [f"Source of the {key}" for key in needed if not sources[key] or sources[key].startswith(UNSOURCED)]
    if "recipients" in summary:
        missing.append("Source of what each recipient plays for and knows")
    asked = _section(Thresholds, manifest, "thresholds")
    if not asked.presets and not asked.own:
        missing.append("Thresholds that the risk is held against")
    return missing


def threshold_rows(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]
) -> list[tuple[str, ...]]:
    """Return a text for each of ``THRESHOLD_COLUMNS``, for each threshold of the scenario.

    Parameters
    ----------
    summary, content, manifest : what ``summary.json``, ``report.json`` and ``manifest.json`` hold.

    Raises
    ------
    OutputError : the manifest does not hold what gamedeid wrote.
    """
    asked = _section(Thresholds, manifest, "thresholds")
    judged = judged_thresholds(asked, content["risks"], summary["measures"])
    return [_threshold_row(one) for one in judged]


def _threshold_row(one: Judged) -> tuple[str, ...]:
    most, least = _value(one, one.at_most), _value(one, one.at_least)
    bound = f"at most {most}" if most else f"at least {least}"
    verdict: str = one.verdict
    if verdict == "not decided":
        why = f"{one.left_out:,} released match nobody" if one.left_out else "nothing is released"
        verdict = f"not decided ({why})"
    value = "none" if one.value is None else _value(one, one.value)
    source = f"the scenario, which says: {one.source or 'nothing of it'}" if one.name == OWN else one.source
    return (one.name, MEASURES[one.measure], bound, value, verdict, source)


def _value(one: Judged, value: float | None) -> str:
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
            return four(value)


def _section(kind: type[Any], manifest: Mapping[str, Any], name: str) -> Any:
    try:
        return kind.model_validate(manifest["scenario"].get(name) or {})
    except ValidationError:
        raise OutputError(f"manifest.json is not as gamedeid wrote it (at `scenario.{name}`); run again") from None
