"""The content of a report that people state and sign: stakes, facts, thresholds, the question, and files by digest."""

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from gamedeid.amounts import money, number_of
from gamedeid.catalogue import catalogue
from gamedeid.report.words.certificate import fact_strip, threshold_checks, validity
from gamedeid.report.words.determination import OF_A_POPULATION, facts, threshold_grid
from gamedeid.report.words.measures import Grid
from gamedeid.report.words.recipients import gain_follows_loss
from gamedeid.results.manifest import is_document
from gamedeid.results.stored import GRID, OF_STRATEGIES, REPORT, SUMMARY

Document: TypeAlias = Mapping[str, Any]
"""A stored JSON document, or a part of one."""

SIGNER = {"expert": "Name", "credentials": "Credentials"}
"""The scenario's facts about the signer -> their names above the signature."""


def signed_content(
    summary: Document, content: Document, manifest: Document, *, recipients: Collection[str], records: str
) -> dict[str, Any]:
    """Return the content that people state and sign, by name.

    Parameters
    ----------
    recipients : their names in the scenario; empty for the paper's one adversary.
    records : their number, and their people, in words.
    """
    known, stored, stakes = facts(summary, manifest), _stored_files(manifest), _stakes(summary, manifest)
    given = {fact.key: "; ".join(fact.texts) for fact in known}
    thresholds, law = threshold_grid(summary, content, manifest), catalogue("law")
    return {
        "facts": known,
        "population_facts": [fact for fact in known if fact.key in OF_A_POPULATION and fact.texts],
        "determination_facts": [fact for fact in known if fact.key not in SIGNER],
        "signer": [replace(fact, label=SIGNER[fact.key]) for fact in known if fact.key in SIGNER],
        **stored,
        "strip": fact_strip(given, list(recipients), records, stored["foot"]),
        "checks": list(threshold_checks(thresholds.rows)),
        "valid": validity(given),
        "decides": catalogue("certificate")["pages"]["decides"],
        "threshold_table": thresholds,
        "stakes": stakes,
        "unsourced": next((row["key"] for row in stakes if not row["source"]), None),
        "certified_table": Grid(
            ("stake", "dollars", "source"),
            [(one["name"], one["value"], one["source"] or "not stated") for one in stakes],
        ),
        "files": _files(manifest),
        "scenario": json.dumps(_without_dropped(manifest["scenario"]), indent=2, ensure_ascii=False),
        "analogy": catalogue("determination")["analogy"],
        "expert_determination": law["expert_determination"],
        "references": law["references"],
    }


def _stakes(summary: Document, manifest: Document) -> list[dict[str, Any]]:
    sources, rows = manifest["scenario"]["sources"], []
    for key, (name, symbol, means) in catalogue("run")["stakes"].items():
        follows = key == "gain" and gain_follows_loss(manifest)
        rows.append(
            {
                "name": name,
                "symbol": symbol,
                "means": means,
                "value": money(summary["payoffs"][key]),
                "source": sources[key] or (catalogue("run")["notes"]["gain_is_loss"] if follows else ""),
                "overridden": f"payoffs.{key}" in manifest["overridden"],
                "key": key,
            }
        )
    return rows


def _stored_files(manifest: Document) -> dict[str, str | None]:
    """Return the file of the drawn numbers, and the foot of printed pages: a file's digest.

    The digest links a printed page to the release; for a release in several parts it is the summary's.
    """
    outputs = manifest["outputs"]
    releases = [name for name in outputs if name.startswith("release.") and not is_document(name)]
    name = releases[0] if len(releases) == 1 else SUMMARY
    return {
        "grid_file": GRID if GRID in outputs else None,
        "foot": f"{name}, SHA-256 {outputs[name]}" if name in outputs else None,
    }


def _files(manifest: Document) -> list[dict[str, Any]]:
    inputs = [{"name": name, "path": file["path"]} for name, file in manifest["inputs"].items()]
    outputs = [
        {"path": name, "sha256": "in manifest.json" if name.startswith(OF_STRATEGIES) else digest}
        for name, digest in manifest["outputs"].items()
        if name != REPORT and not is_document(name)
    ]
    return [
        {"id": "inputs-caption", "caption": "Input files", "named": True, "rows": inputs},
        {"id": "outputs-caption", "caption": "Output files", "named": False, "rows": outputs},
    ]


def _without_dropped(scenario: Document) -> dict[str, Any]:
    """Return the scenario of a manifest with the names of columns that are not released replaced by their number."""
    tables = [scenario["records"], scenario["population"], *scenario.get("recipients", {}).values()]
    sections = [one.get("population") or one for one in tables if one is not None]
    hidden = {column for one in sections for column in (*(one.get("drop") or ()), one.get("person"))} - {None}
    return _unnamed(scenario, hidden)


def _unnamed(content: Document, hidden: Collection[str]) -> dict[str, Any]:
    """Return a part of a scenario with the names of some columns replaced, wherever a key names columns."""
    bare = dict(content)
    for key, value in content.items():
        if isinstance(value, Mapping):
            bare[key] = _unnamed(value, hidden)
        elif isinstance(value, int):
            continue  # the level of an attribute that is called like one of these keys
        elif key == "drop":
            bare[key] = number_of(len(value or ()), "column")
        elif key == "person" and value is not None:
            bare[key] = number_of(1, "column")
        elif key == "columns" and value:
            bare[key] = ["(left out)" if one in hidden else one for one in value]
        elif key in {"born", "at", "key"} and value in hidden:
            bare[key] = "(left out)"
    return bare
