"""What stands in the draft of an expert determination, part by part, from stored results alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamedeid.amounts import joined, number_of, percent
from gamedeid.report.determination.blocks import Blank, Block, Bullets, Grid, Heading, Paragraph
from gamedeid.report.determination_words import ANALOGY, THRESHOLD_COLUMNS, Fact, left_to_fill_in
from gamedeid.report.html.stored import Results
from gamedeid.report.html.view import view
from gamedeid.report.kept_diversity import COLUMNS as DIVERSITY_COLUMNS
from gamedeid.report.law_words import EXPERT_DETERMINATION, REFERENCES
from gamedeid.report.question_kind import QuestionKind, kind_of
from gamedeid.report.release_risks import knowledge

VALUES = (
    (
        "Information loss of a record at strategy g: IL(g) = sum over attributes f of w_f ln size_f(g), divided by the "
        "sum of w_f ln |D_f|; size_f(g) is the number of values in the record's group, |D_f| that of the whole domain, "
        "w_f the weight of the attribute."
    ),
    "Value of the record to the publisher: v(g) = V (1 - IL(g)).",
)
"""What a record is worth, a sentence or two a step (Wan et al. 2015)."""

FORMULAS = (
    *VALUES,
    (
        "Chance that an attack names the right person: pi(g) = 1 / n_p(g); n_p(g) is the number of people in the "
        "population who match the record as it is released."
    ),
    "The recipient attacks if, and only if, gain x pi(g) is larger than the cost c.",
    (
        "The publisher's payoff is v(g), less L x pi(g) if the record is attacked; each record gets the permitted "
        "strategy with the highest payoff, and is withheld where none is worth its risk."
    ),
)
"""The method, a sentence or two a step (Wan et al. 2015)."""

SEVERAL = (
    (
        "Chance that an attack of recipient r names the right person: pi_r(g) = (1 - (1 - a_r)^n_r) / n_r; n_r is the "
        "number of people in the population who match the record as it is released in what r knows, and a_r the share "
        "of all people who are on her list. The attack counts with the probability q_r that r comes to be."
    ),
    (
        "Recipient r attacks if, and only if, gain_r / n_r is larger than her cost c_r, and somebody of them is on her "
        "list."
    ),
    (
        "The publisher's payoff is v(g), less the sum of q_r x L_r x pi_r(g) over the recipients who attack the "
        "record. A recipient who may learn something counts as two, one for each state of her knowledge; where that "
        "has a price, she tries to learn if what she then hopes for is worth more. Whoever has a population of her own "
        "counts the people in it."
    ),
)
"""Attacks and payoffs where there are several recipients."""

LESS_THE_LOSS = "The publisher's payoff is v(g), less L x pi(g) if the record is attacked."

ONE_BY_ONE = (
    "Each record gets the permitted strategy with the highest payoff, and is withheld where none is worth its risk."
)
WITHIN_LIMITS = (
    "Records get the permitted strategies with the highest total payoff of all that keep to the limits on the whole "
    "dataset; a record may be withheld. A proved bound tells how much more others could pay."
)
BY_GROUPS = {
    "aware-basic": (
        "Everybody in the population gets a strategy, or none. A recipient who knows them all attacks a released "
        "group, alike in strategy and values, that n_a people have chosen, if gain / n_a is larger than the cost; the "
        "payoff is v(g), less loss / n_a where she does. Strategies are changed as long as everybody together is paid "
        "more."
    ),
    "aware-no-attack": (
        "Everybody in the population gets a strategy, or none, such that each released group, alike in strategy and "
        "values, is chosen by n_a people with gain / n_a not larger than the cost: an attack does not pay for a "
        "recipient who knows how everybody would have been released. The payoff is v(g)."
    ),
}
"""How strategies are chosen, by the kind of the question."""


def formulas(kind: QuestionKind) -> tuple[str, ...]:
    """Return the method, a sentence or two a step.

    Parameters
    ----------
    kind : of the question.
    """
    if kind.is_plain:
        return FORMULAS
    if kind.aware:
        return (*VALUES, BY_GROUPS[kind.aware])
    replies = SEVERAL if kind.recipients else (*FORMULAS[2:4], LESS_THE_LOSS)
    return (*VALUES, *replies, WITHIN_LIMITS if kind.limits else ONE_BY_ONE)


def determination(results: Results) -> tuple[Block, ...]:
    """Return the draft, block by block.

    Parameters
    ----------
    results : what a run stored.

    Raises
    ------
    OutputError : the manifest does not hold what gamedeid wrote.
    """
    shown = view(results.summary, results.content, results.manifest, ())
    given = {fact.key: fact for fact in shown["facts"]}
    return (
        Heading(level=0, text=f"Expert determination (draft): {shown['title']}"),
        Paragraph(
            text=f"Drafted by gamedeid {shown['version']} from the results whose digests stand at the end, for a "
            "determination under 45 CFR 164.514(b)(1). It states what was computed and from what. Whether the risk is "
            "very small is for the expert to determine; this draft does not say it."
        ),
        Paragraph(text=f"The rule reads: {EXPERT_DETERMINATION}"),
        *_to_fill_in(results),
        Heading(level=1, text="1. Who determines, and for whom"),
        *_facts(given, ("publisher", "purpose", "recipients", "agreement", "expert", "credentials")),
        Heading(level=1, text="2. The data"),
        *_data(shown),
        *_facts(given, ("population_source", "population_date")),
        Heading(level=1, text="3. Method"),
        *_method(shown, kind_of(results.summary)),
        Heading(level=1, text="4. Parameters, and where they come from"),
        *_parameters(shown),
        Heading(level=1, text="5. Results, and alternatives that were considered"),
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
        Bullets(items=REFERENCES),
    )


def _to_fill_in(results: Results) -> Iterator[Block]:
    missing = left_to_fill_in(results.summary, results.manifest)
    if missing:
        yield Heading(level=1, text="Still to be filled in")
        yield Paragraph(text="The scenario does not say these; each stands as a line below, or is missing there.")
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
        yield Paragraph(text="There is no other population: the recipient is taken to know who is among the records.")
    else:
        also = [text for text in (data["unmatched"], data["estimated"]) if text]
        yield Paragraph(text=" ".join([f"A recipient could look a record up among {data['population']}.", *also]))
    rows = [(one["name"], one["title"], str(len(one["levels"])), one["weight"]) for one in shown["attributes"]]
    yield Paragraph(text="Quasi-identifiers, which can be looked up and are generalized where needed:")
    yield Grid(headings=("attribute", "what it is", "levels", "weight"), rows=tuple(rows))
    kept = ", ".join(data["kept"]) if data["kept"] else "none"
    yield Paragraph(text=f"Columns released as they are: {kept}. {data['dropped']}")
    yield Paragraph(text=f"Missing values: {shown['missing']} Records that match nobody: {shown['unmatched']}")


def _method(shown: Mapping[str, Any], kind: QuestionKind) -> Iterator[Block]:
    yield Paragraph(text=f"The {shown['game']['name']}: {shown['game']['rules']}")
    yield Bullets(items=formulas(kind))
    yield Paragraph(text=shown["method"] or f"Found by {shown['solver']}. {shown['search']}")
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
    yield Grid(headings=("stake", "what it is", "dollars", "where it comes from"), rows=tuple(rows))
    yield Paragraph(text=shown["attack_words"])
    if shown["recipient_rows"]:
        yield Grid(headings=shown["stake_columns"], rows=tuple(shown["recipient_stakes"]))
    if shown["limit_rows"]:
        yield Paragraph(text="Limits on the whole dataset, and what the release comes to:")
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
        yield Paragraph(text=f"What each recipient does. {shown['recipient_note']}")
        yield Grid(headings=shown["recipient_columns"], rows=tuple(shown["recipient_rows"]))
    headings = [f"{one['heading']} (released)" if one["played"] else one["heading"] for one in shown["columns"]]
    by = f" The games are played by {shown['played_by']}." if shown["played_by"] else ""
    also = "".join(f" {words}" for words in shown["games_words"])
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
        yield Paragraph(text="Against the thresholds that the scenario names:")
        yield Grid(headings=THRESHOLD_COLUMNS, rows=tuple(shown["thresholds"]))
        yield Paragraph(text=ANALOGY)
    else:
        yield Paragraph(text="The scenario names no thresholds, so none is applied.")
    yield from (Paragraph(text=words) for words in shown["diversity_words"])
    if shown["diversity"]:
        yield Grid(headings=DIVERSITY_COLUMNS, rows=tuple(shown["diversity"]))


def _files(manifest: Mapping[str, Any]) -> Iterator[Block]:
    yield Paragraph(
        text="SHA-256 of what was released and of what documents it. Those of the files that went in, and of the "
        "strategies, stand in manifest.json only, which stays with the publisher."
    )
    public = [(name, digest) for name, digest in manifest["outputs"].items() if not name.startswith("strategies")]
    yield Grid(headings=("file", "SHA-256"), rows=tuple(public))


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
