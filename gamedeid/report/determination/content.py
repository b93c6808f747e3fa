"""The content of the draft of an expert determination, part by part, from stored results alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.amounts import joined, number_of, percent
from gamedeid.report.html.stored import Results
from gamedeid.report.view import view
from gamedeid.report.words.determination import Fact, left_to_fill_in
from gamedeid.report.words.risks import knowledge
from gamedeid.reprs import frozen


@frozen
class Heading:
    """The title of the document (level 0), or of a part (level 1 or 2)."""

    level: int
    text: str


@frozen
class Paragraph:
    """One paragraph of plain text."""

    text: str


@frozen
class Bullets:
    """A list of plain texts."""

    items: tuple[str, ...]


@frozen
class Grid:
    """A table: headings, and rows of as many texts."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Blank:
    """A line to fill in by hand, and what it is for."""

    label: str


Block: TypeAlias = Heading | Paragraph | Bullets | Grid | Blank


def determination(results: Results) -> tuple[Block, ...]:
    """Return the draft, block by block.

    Parameters
    ----------
    results : the stored documents of a run.

    Raises
    ------
    OutputError : the manifest is not as gamedeid wrote it.
    """
    shown = view(results.summary, results.content, results.manifest)
    given = {fact.key: fact for fact in shown["facts"]}
    return (
        Heading(level=0, text=f"Expert determination (draft): {shown['title']}"),
        Paragraph(
            text=f"Drafted by gamedeid {shown['version']} from the results whose digests are listed at the end, for a "
            "determination under 45 CFR 164.514(b)(1). It states the computed results and their inputs. Whether the "
            "risk is very small is for the expert to determine; this draft does not say it."
        ),
        Paragraph(text=f"The rule reads: {shown['expert_determination']}"),
        *_to_fill_in(results),
        Heading(level=1, text="1. Expert, publisher and recipients"),
        *_facts(given, ("publisher", "purpose", "recipients", "agreement", "expert", "credentials")),
        Heading(level=1, text="2. The data"),
        *_data(shown),
        *_facts(given, ("population_source", "population_date")),
        Heading(level=1, text="3. Method"),
        *_method(shown),
        Heading(level=1, text="4. Parameters and their sources"),
        *_parameters(shown),
        Heading(level=1, text="5. Results and alternatives"),
        *_warnings(shown),
        *_results(shown),
        Heading(level=1, text="6. Sensitivity"),
        *_sensitivity(shown),
        Heading(level=1, text="7. Residual risk"),
        *_risk(shown),
        Heading(level=1, text="8. The principles of the guidance"),
        *principles(shown, results.content["risks"], results.summary.get("recipients", {})),
        Heading(level=1, text="9. Limitations"),
        Bullets(items=tuple(f"{short} {follows}" for short, follows in shown["limits"])),
        Heading(level=1, text="10. Period and signature"),
        *_facts(given, ("valid_from", "valid_until")),
        *(Blank(label=label) for label in ("Determination", "Signature", "Date")),
        Heading(level=1, text="11. Files"),
        *_files(results.manifest),
        Heading(level=1, text="12. References"),
        Bullets(items=shown["references"]),
    )


def _to_fill_in(results: Results) -> Iterator[Block]:
    missing = left_to_fill_in(results.summary, results.manifest)
    if missing:
        yield Heading(level=1, text="Still to be filled in")
        yield Paragraph(text="The scenario does not state these; each is a line below, or is missing there.")
        yield Bullets(items=tuple(missing))


def _facts(given: Mapping[str, Fact], keys: Sequence[str]) -> Iterator[Block]:
    for fact in (given[key] for key in keys if key in given):
        if not fact.texts:
            yield Blank(label=fact.label)
        elif len(fact.texts) == 1:
            yield Paragraph(text=f"{fact.label}: {fact.texts[0]}")
        else:
            yield Paragraph(text=f"{fact.label}:")
            yield Bullets(items=fact.texts)


def _data(shown: Mapping[str, Any]) -> Iterator[Block]:
    data = shown["data"]
    yield Paragraph(text=" ".join([f"{data['records']} {data['whose']}, {data['profiles']}.", *data["sentences"]]))
    if data["own"]:
        yield Paragraph(text="There is no other population: the recipient is taken to know the people of the records.")
    else:
        also = [text for text in (data["unmatched"], data["estimated"]) if text]
        yield Paragraph(text=" ".join([f"A recipient could look a record up among {data['population']}.", *also]))
    rows = [(one["name"], one["title"], str(len(one["levels"])), one["weight"]) for one in shown["attributes"]]
    yield Paragraph(text="Quasi-identifiers, which can be looked up and are generalized where needed:")
    yield Grid(headings=("attribute", "meaning", "levels", "weight"), rows=tuple(rows))
    kept = ", ".join(data["kept"]) if data["kept"] else "none"
    yield Paragraph(text=f"Columns released as they are: {kept}. {data['dropped']}")
    yield Paragraph(text=f"Missing values: {shown['missing']} Records that match no one: {shown['unmatched']}")


def _method(shown: Mapping[str, Any]) -> Iterator[Block]:
    yield Paragraph(text=f"The {shown['game']['name']}: {shown['game']['rules']}")
    yield Bullets(items=tuple(shown["formulas"]))
    yield Paragraph(text=f"{shown['method']} {shown['search']}")
    if shown["mechanism_words"]:
        yield Bullets(items=tuple(shown["mechanism_words"]))
    does = "; ".join(f"{name}, {what}" for name, what in shown["policy"]["does"])
    yield Paragraph(text=f"Compared with {shown['policy']['words']}: {does}.")
    if shown["policy"]["law"]:
        yield Bullets(items=shown["policy"]["law"])


def _parameters(shown: Mapping[str, Any]) -> Iterator[Block]:
    rows = [
        (
            f"{one['name']} ({one['symbol']})" if one["symbol"] else one["name"],
            one["means"],
            one["value"],
            (one["source"] or "not stated") + (" Changed for this run." if one["overridden"] else ""),
        )
        for one in shown["stakes"]
    ]
    yield Grid(headings=("stake", "meaning", "dollars", "source"), rows=tuple(rows))
    yield Paragraph(text=shown["attack_words"])
    if shown["recipient_rows"]:
        yield Grid(headings=shown["stake_columns"], rows=tuple(shown["recipient_stakes"]))
    if shown["limit_rows"]:
        yield Paragraph(text="Limits on the whole dataset, and their values for the release:")
        yield Grid(headings=shown["limit_columns"], rows=tuple(shown["limit_rows"]))
        yield Bullets(items=tuple(shown["limit_words"]))


def _warnings(shown: Mapping[str, Any]) -> Iterator[Block]:
    if not shown["warnings"]:
        yield Paragraph(text="The run gave no warnings.")
        return
    yield Paragraph(text="Warnings of the run, each to be judged before the determination is signed:")
    yield Bullets(items=tuple(shown["warnings"]))


def _results(shown: Mapping[str, Any]) -> Iterator[Block]:
    yield Bullets(items=tuple(shown["verdict"]))
    if shown["verdict_rows"]:
        yield Grid(headings=shown["verdict_columns"], rows=tuple(shown["verdict_rows"]))
    yield Bullets(items=tuple(shown["answer"]))
    if shown["recipient_rows"]:
        yield Paragraph(text=f"Attacks of each recipient. {shown['recipient_note']}")
        yield Grid(headings=shown["recipient_columns"], rows=tuple(shown["recipient_rows"]))
    headings = [f"{one['heading']} (released)" if one["played"] else one["heading"] for one in shown["columns"]]
    by = f" The games are played by {shown['played_by']}." if shown["played_by"] else ""
    also = "".join(f" {words}" for words in shown["games_notes"])
    yield Paragraph(text=f"The policy and each game on the same records:{by}{also}")
    rows = [(one["name"], *one["cells"]) for one in shown["measures"]]
    yield Grid(headings=("measure", *headings), rows=tuple(rows))


def _sensitivity(shown: Mapping[str, Any]) -> Iterator[Block]:
    ranges = shown["ranges"]
    if ranges is None:
        yield Paragraph(text=shown["sensitivity_words"] or "No robust ranges were computed.")
        return
    yield Paragraph(text=shown["robust"])
    headings = (
        "stake",
        "chosen",
        f"{ranges['share']} of the records keep their strategy",
        "no two policies change places",
    )
    yield Grid(headings=headings, rows=tuple(ranges["rows"]))


def _risk(shown: Mapping[str, Any]) -> Iterator[Block]:
    rows = [(one.name, *one.cells) for one in shown["risks"]]
    yield Grid(headings=("measure", *shown["risk_columns"]), rows=tuple(rows))
    yield Paragraph(text="If the recipient knows how the release was made: " + " ".join(shown["aware_words"]))
    if shown["aware"]:
        yield Grid(headings=shown["aware_columns"], rows=tuple(shown["aware"]))
    if shown["thresholds"]:
        yield Paragraph(text="Compared with the thresholds of the scenario:")
        yield Grid(headings=shown["threshold_columns"], rows=tuple(shown["thresholds"]))
        yield Paragraph(text=shown["analogy"])
    else:
        yield Paragraph(text="The scenario names no thresholds, so none is applied.")
    yield from (Paragraph(text=words) for words in shown["diversity_words"])
    if shown["diversity"]:
        yield Grid(headings=shown["diversity_columns"], rows=tuple(shown["diversity"]))


def _files(manifest: Mapping[str, Any]) -> Iterator[Block]:
    yield Paragraph(
        text="SHA-256 of the release and of its documentation. The digests of the input files and of the strategies "
        "are in manifest.json only, which stays with the publisher."
    )
    public = [(name, digest) for name, digest in manifest["outputs"].items() if not name.startswith("strategies")]
    yield Grid(headings=("file", "SHA-256"), rows=tuple(public))


def principles(shown: Mapping[str, Any], risks: Mapping[str, Any], recipients: Mapping[str, Any]) -> Iterator[Block]:
    """Return a paragraph for each principle, with lines for facts that only people know.

    Parameters
    ----------
    shown : see :func:`gamedeid.report.view.view`.
    risks : those of the release, its policy and the raw data, as ``report.json`` has them.
    recipients : ``recipients`` of ``summary.json``; empty where it names none.
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
        f"The scenario treats {attributes} as observable again in a person, and generalizes them. "
        + (
            f"It treats {kept} as not observable again, and releases them as they are."
            if kept
            else "No other column is released as it is."
        )
    )
    yield Blank(label="Why each attribute and each kept column is replicable or is not")
    yield Heading(level=2, text="Data source availability")
    yield Paragraph(text=" ".join(_availability(shown["data"], attributes, recipients)))
    yield Blank(label="Data sources with names and these attributes or a kept column, and their users")
    yield Heading(level=2, text="Distinguishability")
    yield Paragraph(text=" ".join(_distinguishability(risks, attributes)))
    yield Blank(label="Whether the kept columns distinguish people further")


def _availability(data: Mapping[str, Any], attributes: str, recipients: Mapping[str, Any]) -> Iterator[str]:
    yield "Which sources have the person's identity together with such features, and who may use them?"
    if data["own"]:
        yield f"The scenario names no source. It assumes a recipient who knows {attributes} of all people in the data."
    else:
        yield (f"The scenario assumes one with {attributes} of {data['population']}. Part 2 names its origin.")
    if recipients:
        yield f"Part 4 describes the source of each recipient: {joined(recipients, 'and')}."
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
            yield f"{name} {alike}; no record matches a person of {whom}."
            continue
        one = percent(found["distinct"]["1"]) if "1" in found["distinct"] else None
        yield (
            f"{name} {alike}, and a record matches at least {number_of(found['k_map'], 'person')} of {whom}"
            + (f"; {one} of the records match one person only." if one else ".")
        )
