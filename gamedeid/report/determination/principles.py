"""What stands in the draft on the three principles of the 2012 guidance: what is known, and what is to be judged."""

from collections.abc import Iterator, Mapping
from typing import Any

from gamedeid.amounts import joined, number_of, percent
from gamedeid.report.determination.blocks import Blank, Block, Heading, Paragraph
from gamedeid.report.release_risks import knowledge


def principles(shown: Mapping[str, Any], risks: Mapping[str, Any], recipients: Mapping[str, Any]) -> Iterator[Block]:
    """Return a paragraph for each principle, with lines for what only people know.

    Parameters
    ----------
    shown : what the report's page shows.
    risks : those of the release, its policy and the raw data, as ``report.json`` has them.
    recipients : what ``summary.json`` has of several recipients; empty where there is one.
    """
    yield Paragraph(
        text="The guidance of the US Department of Health and Human Services (2012) names three principles by which "
        "experts judge how identifiable information is."
    )
    attributes = joined((one["name"] for one in shown["attributes"]), "and")
    kept = joined(shown["data"]["kept"], "and") if shown["data"]["kept"] else ""
    yield Heading(level=2, text="Replicability")
    yield Paragraph(
        text="How consistently does a feature occur in relation to the person? "
        f"The scenario takes {attributes} for what can be observed again of a person, and generalizes it. "
        + (
            f"It takes {kept} for what cannot, and releases it as it is."
            if kept
            else "No other column is released as it is."
        )
    )
    yield Blank(label="Why each attribute and each kept column is replicable or is not")
    yield Heading(level=2, text="Data source availability")
    yield Paragraph(text=" ".join(_availability(shown["data"], attributes, recipients)))
    yield Blank(label="Data sources with names that hold these attributes or a kept column, and who may use them")
    yield Heading(level=2, text="Distinguishability")
    yield Paragraph(text=" ".join(_distinguishability(risks, attributes)))
    yield Blank(label="Whether the kept columns distinguish people further")


def _availability(data: Mapping[str, Any], attributes: str, recipients: Mapping[str, Any]) -> Iterator[str]:
    yield "Which sources hold the person's identity together with such features, and who may use them?"
    if data["own"]:
        yield f"The scenario names no source. It assumes a recipient who knows {attributes} of everybody in the data."
    else:
        yield (
            f"The scenario assumes one with {attributes} of {data['population']}. Where it comes from stands in part 2."
        )
    if recipients:
        yield f"What each recipient's source holds stands in part 4: {joined(recipients, 'and')}."
    yield "gamedeid looks for no other sources."


def _distinguishability(risks: Mapping[str, Any], attributes: str) -> Iterator[str]:
    whom = knowledge(risks).whom
    yield f"How far can a person be distinguished by {attributes}?"
    for key, name in (("raw", "In the data as they came"), ("release", "In this release")):
        found = risks[key]
        if not found["released"]:
            yield f"{name} there is no record."
            continue
        alike = f"the smallest class has {number_of(found['k_anonymity'], 'record')}"
        if found["k_map"] is None:
            yield f"{name} {alike}; no record matches anybody in {whom}."
            continue
        one = percent(found["distinct"]["1"]) if "1" in found["distinct"] else None
        yield (
            f"{name} {alike}, and a record matches at least {number_of(found['k_map'], 'person')} of {whom}"
            + (f"; {one} of the records match one person only." if one else ".")
        )
