"""The facts of a determination that only people know, and the thresholds of the scenario."""

from collections.abc import Callable, Mapping
from typing import Any

from gamedeid.amounts import bound_words, four_decimals, number, number_of, percent, value_words
from gamedeid.catalogue import catalogue, sentence
from gamedeid.pictures.words import capitalized
from gamedeid.report.words.measures import Grid
from gamedeid.report.words.recipients import gain_follows_loss
from gamedeid.reprs import frozen
from gamedeid.risk.thresholds import OWN_NAME, JudgedThreshold, judged_thresholds
from gamedeid.scenario.determination import Determination, Thresholds
from gamedeid.scenario.sections import UNSOURCED

OF_A_POPULATION = ("population_source", "population_date")


@frozen
class Fact:
    """One key of the section: its name, and the texts of the scenario; empty for a missing key."""

    key: str
    label: str
    texts: tuple[str, ...]


def facts(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return every key of ``[determination]``; those of the population only if there is one."""
    given = Determination.model_validate(manifest["scenario"].get("determination") or {})
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
    sources = manifest["scenario"]["sources"]
    needed = [key for key in ("benefit", "loss", "gain", "cost") if key != "gain" or not gain_follows_loss(manifest)]
    missing += [f"Source of the {key}" for key in needed if not sources[key] or sources[key].startswith(UNSOURCED)]
    if "recipients" in summary:
        missing.append("Source of the stakes and knowledge of each recipient")
    asked = _thresholds(manifest)
    if not asked.presets and not asked.own:
        missing.append("Thresholds for the risk")
    return missing


def threshold_grid(summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]) -> Grid:
    """Return the release compared with the thresholds of the scenario, a row each, see :func:`threshold_row`."""
    heads = ("threshold", "measure", "asks for", "this release", "verdict", "source of the number")
    return Grid(heads, [threshold_row(one) for one in judged(summary, content, manifest)])


def judged(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]
) -> tuple[JudgedThreshold, ...]:
    """Return the thresholds of the scenario, and whether the release meets them."""
    return judged_thresholds(_thresholds(manifest), content["risks"], summary["measures"])


def _thresholds(manifest: Mapping[str, Any]) -> Thresholds:
    return Thresholds.model_validate(manifest["scenario"].get("thresholds") or {})


def threshold_words(summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each threshold of the scenario, the verdict first; one sentence for no threshold."""
    rows = threshold_grid(summary, content, manifest).rows
    names = ("name", "measure", "bound", "value", "verdict")
    said = [
        sentence("determination.judged", {**dict(zip(names, row, strict=False)), "the_verdict": capitalized(row[4])})
        for row in rows
    ]
    return said or [catalogue("run")["notes"]["no_thresholds"]]


def threshold_row(one: JudgedThreshold) -> tuple[str, ...]:
    """Return a threshold in texts: name, measure, bound, value of the release, verdict, and source."""
    form = _FORMS.get(one.measure, four_decimals)
    word, limit = ("least", one.at_least) if one.at_most is None else ("most", one.at_most)
    bound = float(limit or 0)
    verdict: str = one.verdict
    if verdict == "not decided":
        match = "matches" if one.left_out == 1 else "match"
        why = f"{number_of(one.left_out, 'released record')} {match} no one" if one.left_out else "nothing is released"
        verdict = f"not decided ({why})"
    value = "none" if one.value is None else value_words(one.value, bound, form)
    source = f"the scenario, which says: {one.source or 'nothing about it'}" if one.name == OWN_NAME else one.source
    asked = f"at {word} {bound_words(bound, form)}"
    return (one.name, catalogue("determination")["measures"][one.measure], asked, value, verdict, source)


def _people(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() else f"{value:,g}"


_FORMS: Mapping[str, Callable[[float], str]] = {
    "k_anonymity": _people,
    "k_map": _people,
    "attacked": percent,
    "expected_reidentifications": lambda value: number(value, 1),
}
"""Formats of measures that are no risks."""
