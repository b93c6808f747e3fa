"""The draft of an expert determination, block by block, from stored results only."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from gamedeid.amounts import joined
from gamedeid.catalogue import entries, sentence
from gamedeid.pictures.picture import Picture
from gamedeid.report.html.figures import figures
from gamedeid.report.view import ReportDocuments
from gamedeid.report.words.determination import Fact, missing_facts
from gamedeid.report.words.measures import Grid
from gamedeid.report.words.risks import adversary_knowledge
from gamedeid.reprs import frozen
from gamedeid.results.manifest import is_document
from gamedeid.results.stored import OF_STRATEGIES


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
    """A list of plain texts; formulas become equations if the document format has them."""

    items: tuple[str, ...]
    are_formulas: bool = False


@frozen
class Blank:
    """A line to fill in by hand, with its label."""

    label: str


@frozen
class Image:
    """A picture, for document formats with pictures, and its caption."""

    picture: Picture
    caption: str


Block: TypeAlias = Heading | Paragraph | Bullets | Grid | Blank | Image


def determination(results: ReportDocuments) -> tuple[Block, ...]:
    """Return the blocks of the draft, in the order of the catalogue."""
    shown = _document_facts(results)
    given = {fact.key: fact for fact in shown["facts"]}
    return tuple(block for entry in entries("determination.draft", shown) for block in _blocks(entry, shown, given))


def _blocks(entry: Mapping[str, Any], shown: Mapping[str, Any], given: Mapping[str, Fact]) -> Iterator[Block]:
    """Yield the blocks of one entry: its text, then its picture, table, items, facts and blank."""
    if "level" in entry:
        yield Heading(level=entry["level"], text=entry["says"])
    elif "says" in entry:
        yield Paragraph(text=entry["says"])
    if "picture" in entry and shown[entry["picture"]]:
        yield Image(picture=shown[entry["picture"]].picture, caption=shown[entry["picture"]].caption)
    if "table" in entry:
        yield shown[entry["table"]]
    if "items" in entry and shown[entry["items"]]:
        yield Bullets(items=tuple(shown[entry["items"]]), are_formulas=entry["items"] == "formulas")
    for fact in (given[key] for key in entry.get("facts", ()) if key in given):
        if not fact.texts:
            yield Blank(label=fact.label)
        elif len(fact.texts) == 1:
            yield Paragraph(text=f"{fact.label}: {fact.texts[0]}")
        else:
            yield Paragraph(text=f"{fact.label}:")
            yield Bullets(items=fact.texts)
    if "blank" in entry:
        yield Blank(label=entry["blank"])


def _document_facts(results: ReportDocuments) -> dict[str, Any]:
    """Return the content of the report page as words and rows of the draft."""
    shown = results.view
    data, policy, ranges = shown["data"], shown["policy"], shown["ranges"]
    played = f"The games are played by {shown['played_by']}." if shown["played_by"] else ""
    outputs = results.manifest["outputs"].items()
    return shown | {
        "lines": next((one for one in figures(results.content, results.summary) if one.name == "lines"), None),
        "to_fill_in": missing_facts(results.summary, results.manifest),
        "own_population": data["own"],
        "separate": data["separate"],
        "has_kept": bool(data["kept"]),
        "columns_kept": len(data["kept"]),
        "kept": joined(data["kept"], "and") or "none",
        "names": joined((one["name"] for one in shown["attributes"]), "and"),
        "recipient_names": joined(results.summary.get("recipients", ()), "and"),
        "data": {**data, "said": " ".join(data["sentences"])},
        "policy": {**policy, "said": "; ".join(f"{name}, {does}" for name, does in policy["does"])},
        "law": policy["law"],
        "notes_on_games": " ".join([played, *shown["games_notes"]]),
        "aware_said": " ".join(shown["aware_words"]),
        "limits_said": [f"{short} {follows}" for short, follows in shown["limits"]],
        "raw_alike": _class_size_facts("In the original data", results, "raw"),
        "release_alike": _class_size_facts("In this release", results, "release"),
        "attribute_table": Grid(
            ("attribute", "meaning", "levels", "weight"),
            [(one["name"], one["title"], str(len(one["levels"])), one["weight"]) for one in shown["attributes"]],
        ),
        "parameter_table": Grid(("stake", "meaning", "dollars", "source"), list(map(_parameter, shown["stakes"]))),
        "measure_table": Grid(
            ("measure", *(f"{one['heading']}{' (released)' * one['played']}" for one in shown["columns"])),
            [(one["name"], *one["cells"]) for one in shown["measures"]],
        ),
        "range_table": ranges and Grid(("stake", *ranges.headings[1:]), ranges.rows),
        "risk_table": Grid(("measure", *shown["risk_columns"]), [(one.name, *one.cells) for one in shown["risks"]]),
        "file_table": Grid(
            ("file", "SHA-256"),
            [item for item in outputs if not (item[0].startswith(OF_STRATEGIES) or is_document(item[0]))],
        ),
    }


def _parameter(one: Mapping[str, Any]) -> tuple[str, ...]:
    name = f"{one['name']} ({one['symbol']})" if one["symbol"] else one["name"]
    source = (one["source"] or "not stated") + (" Changed for this run." if one["overridden"] else "")
    return name, one["means"], one["value"], source


def _class_size_facts(name: str, results: ReportDocuments, key: str) -> str:
    """Return a sentence on the class sizes of the data or of the release."""
    risks = results.content["risks"]
    found = risks[key]
    facts = {
        "name": name,
        "whom": adversary_knowledge(risks)["whom"],
        "nothing": not found["released"],
        "unmatched": found["k_map"] is None,
        "left_out": found["unmatched"],
        "estimated": risks["population_is_estimated"],
        "one_of_a_kind": results.summary["data"]["unmatched_records"] > 0 and not found["unmatched"],
        "k_anonymity": found["k_anonymity"],
        "k_map": found["k_map"],
        "known": "1" in found["distinct"],
        "share": found["distinct"].get("1"),
    }
    return sentence("determination.alike", facts)
