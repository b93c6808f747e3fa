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
    records : their number, and whose they are, in words.
    """
    known, stored, stakes = _facts(summary, manifest), _stored_files(manifest), _stakes(summary, manifest)
    given = {fact.key: "; ".join(fact.texts) for fact in known["facts"]}
    thresholds, law = threshold_grid(summary, content, manifest), catalogue("law")
    return {
        **known,
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


def _facts(summary: Document, manifest: Document) -> dict[str, Any]:
    """Return the facts that only people know: all, those about the population, and those above the signature."""
    known = facts(summary, manifest)
    return {
        "facts": known,
        "population_facts": [fact for fact in known if fact.key in OF_A_POPULATION and fact.texts],
        "determination_facts": [fact for fact in known if fact.key not in SIGNER],
        "signer": [replace(fact, label=SIGNER[fact.key]) for fact in known if fact.key in SIGNER],
    }


def _stakes(summary: Document, manifest: Document) -> list[dict[str, Any]]:
    sources, rows = manifest["scenario"]["sources"], []
    for key, (name, symbol, means) in catalogue("run")["stakes"].items():
        follows = key == "gain" and manifest["scenario"]["payoffs"]["gain"] is None
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


_LEFT_OUT = "(left out)"


def _without_dropped(scenario: Document) -> dict[str, Any]:
    """Return the scenario of a manifest with the names of columns that are not released replaced by their number."""
    bare = dict(scenario)
    sections = {name: scenario[name] for name in ("records", "population") if scenario[name] is not None}
    hidden = {column for section in sections.values() for column in section["drop"]}
    hidden |= {section["person"] for section in sections.values() if section.get("person") is not None}
    for name, section in sections.items():
        bare[name] = _without(section, hidden)
        if section.get("person") is not None:
            bare[name]["person"] = number_of(1, "column")
    bare["attributes"] = {name: _unnamed(one, hidden) for name, one in scenario["attributes"].items()}
    if "earlier" in scenario:
        bare["earlier"] = _unnamed(scenario["earlier"], hidden)
    if "recipients" in scenario:
        bare["recipients"] = {
            name: {**one, "population": _without(one["population"], {*hidden, *(one["population"].get("drop") or ())})}
            if one.get("population")
            else dict(one)
            for name, one in scenario["recipients"].items()
        }
    return bare


def _without(section: Document, hidden: Collection[str]) -> dict[str, Any]:
    """Return a section with the names of some columns replaced."""
    columns = section.get("columns") and [_LEFT_OUT if one in hidden else one for one in section["columns"]]
    bare = {**section, "drop": number_of(len(section.get("drop") or ()), "column")}
    return {**bare, "columns": columns} if "columns" in section else bare


def _unnamed(section: Document, hidden: Collection[str]) -> dict[str, Any]:
    """Return the same of a section whose keys ``born``, ``at`` and ``key`` each name a column of the records."""
    return {
        key: _LEFT_OUT if key in {"born", "at", "key"} and value in hidden else value for key, value in section.items()
    }
