"""What the page shows, as texts: the stored results turned into the words and rows of the template."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gamedeid.amounts import dollars, exact_percent, money, number_of, percent, range_words
from gamedeid.choices import GAMES
from gamedeid.report.aware_words import COLUMNS as AWARE_COLUMNS
from gamedeid.report.aware_words import aware_rows, aware_words
from gamedeid.report.best_values import LEGEND, MARK, best_values
from gamedeid.report.data_words import counted, key_words, person_words
from gamedeid.report.determination_words import OF_A_POPULATION, THRESHOLD_COLUMNS, facts, threshold_rows
from gamedeid.report.html import wording
from gamedeid.report.html.figures import Figure
from gamedeid.report.kept_diversity import COLUMNS as DIVERSITY_COLUMNS
from gamedeid.report.kept_diversity import diversity_rows, diversity_words
from gamedeid.report.kept_words import kept_words
from gamedeid.report.limit_words import COLUMNS as LIMIT_COLUMNS
from gamedeid.report.limit_words import limit_notes, limit_rows, proof_words
from gamedeid.report.mechanism_words import BESIDE_COLUMNS, UNVERIFIED, beside_rows, mechanism_words, planned_words
from gamedeid.report.pictures.words import capital
from gamedeid.report.policy_words import heading_words, policy_words
from gamedeid.report.question_kind import QuestionKind, kind_of
from gamedeid.report.recipient_words import (
    OUTCOME_COLUMNS,
    OUTCOME_NOTE,
    OWN_STAKES,
    STAKE_COLUMNS,
    background_words,
    not_found_words,
    outcome_rows,
    recipients_of,
    stake_rows,
    thieves,
)
from gamedeid.report.release_risks import COLUMNS, risk_rows
from gamedeid.report.terminal.results import estimate_words, shown_measures, unmatched_words
from gamedeid.report.verdict import verdict_of
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.recipients import Recipient


@frozen
class Part:
    """A part of the page: the id of its element, and its heading."""

    id: str
    name: str


SUMMARY, REPORT, GRID, STRATEGIES = "summary.json", "report.html", "sensitivity.csv", "strategies"
KEYS = {
    "unmodified": "Released unmodified",
    "expected_reidentifications": "Expected re-identifications",
    "attacked": "Records worth attacking",
    "unmatched": "Match nobody in the population",
    "publisher_payoff": "Publisher\u2019s payoff per record",
}
"""The measures that stand at the head of the report."""

PARTS = (
    Part(id="answer", name="The verdict"),
    Part(id="assumptions", name="Assumptions and sources"),
    Part(id="results", name="Results"),
    Part(id="sensitivity", name="If the figures were different"),
    Part(id="risk", name="Risk by other measures"),
    Part(id="limits", name="Limitations and method"),
    Part(id="determination", name="Determination"),
    Part(id="tables", name="Tables"),
)
"""The parts of the page, in its order; the template of each has the name of its id."""

LEAST_BAR = 0.01
"""Share from which a bar is drawn beside it; a shorter one would be a speck."""

SIGNER = {"expert": "Name", "credentials": "Credentials"}
"""What the scenario says of whoever signs, and what it is called above the signature."""

_SOLVERS = {
    "exact": "an exact search",
    "backward-induction": "looking at every strategy (backward induction)",
    "lattice-search": "a quick search that may miss it (lattice search)",
    "replying": "replies of everybody in turn, and of groups together, until none pays more (replying)",
    "regrouping": "forming groups greedily and improving them by local search (regrouping)",
}


def view(
    summary: Mapping[str, Any], content: Mapping[str, Any], manifest: Mapping[str, Any], figures: Sequence[Figure]
) -> dict[str, Any]:
    """Return everything that the template needs, by name; see :func:`gamedeid.report.html.page.report_page`."""
    scenario, kind = manifest["scenario"], kind_of(summary)
    recipients = recipients_of(manifest) if kind.recipients else {}
    policy = next(row for row in content["comparison"] if row["policy"] == summary["policy"]["name"])
    robustness = summary.get("robustness")
    return {
        "title": summary["title"] or "Records",
        "parts": PARTS,
        "version": manifest["gamedeid"],
        "question": wording.question(summary),
        "played": summary["game"],
        "game": {
            "name": wording.GAME_WORDS[summary["game"]][0],
            "rules": wording.rules(summary, thieves(recipients)),
        },
        "policy": _policy(summary),
        "verdict": verdict_of(summary),
        "keys": list(_keys(summary, policy)),
        "answer": [
            *person_words(summary["data"])[:1],
            *wording.answer(summary, policy),
            *filter(None, [unmatched_words(summary["data"])]),
            *background_words(recipients, summary.get("recipients", {}), summary["game"]),
            *not_found_words(summary.get("recipients", {})),
        ],
        **_beyond(summary, content, manifest, recipients),
        "robust": wording.robust_sentence(robustness, summary["search"]) if robustness else None,
        "data": _data(summary, content, scenario),
        "attributes": [_attribute(one, scenario) for one in content["attributes"]],
        **_stakes(summary, manifest, kind),
        "missing": wording.MISSING[scenario["records"]["missing"]],
        "unmatched": wording.UNMATCHED[(scenario["population"] or {"unmatched": "error"})["unmatched"]],
        "overridden": manifest["overridden"],
        "strategies": [_strategy(row, content["attributes"]) for row in summary["strategies"]],
        "withheld": wording.withheld_sentence(summary["game"], summary["search"], policy["policy"], kind),
        "strategies_cover": percent(sum(row["share"] for row in summary["strategies"])),
        **_search(summary),
        "columns": [_column(row, summary["game"]) for row in content["comparison"]],
        "measures": list(_measures(content["comparison"], kind)),
        "games_words": wording.games_words(summary, thieves(recipients)),
        "mark": MARK,
        "legend": LEGEND,
        "risk_columns": _risk_columns(content["risks"]),
        "risks": list(risk_rows(content["risks"], kind)),
        "aware_columns": AWARE_COLUMNS,
        "aware_words": aware_words(
            content["aware"],
            unit=counted(summary["data"])[1],
            released=summary["measures"]["withheld"] < 1,
            kind=kind,
        ),
        "aware": list(aware_rows(content["aware"])),
        "diversity_columns": DIVERSITY_COLUMNS,
        "diversity": list(diversity_rows(content["risks"]["kept_diversity"])),
        "diversity_words": diversity_words(
            content["risks"]["kept_diversity"],
            summary["data"]["records"],
            of_people="persons" in summary["data"],
        ),
        "ranges": _ranges(robustness) if robustness else None,
        "figures": list(_shown(figures, summary["game"], content, summary["search"]["solver"])),
        **_solvers(summary, content),
        "sensitivity_words": wording.sensitivity_words(kind, has_ranges=bool(robustness)),
        "choices": [(game, f"the {wording.GAME_WORDS[game][0]}") for game in GAMES],
        "limits": wording.limits(summary, thieves(recipients)),
        **_facts(summary, manifest),
        **_stored_files(manifest),
        "thresholds": threshold_rows(summary, content, manifest),
        "threshold_columns": THRESHOLD_COLUMNS,
        "files": _files(manifest),
        "scenario": json.dumps(without_dropped(scenario), indent=2, ensure_ascii=False),
    }


def without_dropped(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario of a manifest with the names of columns that do not leave replaced by their number."""
    bare = dict(scenario)
    sections = {name: scenario[name] for name in ("records", "population")}
    named = {
        column
        for section in sections.values()
        if section is not None
        for column in (*section["drop"], section.get("person"))
    }
    for name, section in sections.items():
        if section is not None:
            dropped = section["drop"]
            columns = section["columns"] and [
                "(left out)" if column in named else column for column in section["columns"]
            ]
            bare[name] = {**section, "drop": number_of(len(dropped), "column"), "columns": columns}
            if section.get("person") is not None:
                bare[name]["person"] = number_of(1, "column")
    if "recipients" in scenario:
        bare["recipients"] = {name: _without_dropped(one, named) for name, one in scenario["recipients"].items()}
    return bare


def _without_dropped(recipient: Mapping[str, Any], named: Collection[str]) -> dict[str, Any]:
    """Return a recipient of a manifest with the names of columns that are not read replaced by their number."""
    population = recipient.get("population")
    if population is None:
        return dict(recipient)
    dropped = population.get("drop") or ()
    hidden = {*named, *dropped}
    columns = population.get("columns") and ["(left out)" if one in hidden else one for one in population["columns"]]
    bare = {**population, "drop": number_of(len(dropped), "column")}
    return {**recipient, "population": {**bare, "columns": columns} if "columns" in population else bare}


def _policy(summary: Mapping[str, Any]) -> dict[str, Any]:
    name = summary["policy"]["name"]
    return {
        "words": policy_words(name),
        "heading": heading_words(name),
        "does": list(summary["policy"]["does"].items()),
    }


def _keys(summary: Mapping[str, Any], policy: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    units = {
        "unmodified": "of the records",
        "expected_reidentifications": f"of {number_of(*counted(summary['data']))}",
        "attacked": "of the records",
        "publisher_payoff": f"of {money(summary['payoffs']['benefit'])} at most",
    }
    if summary["measures"]["unmatched"] or policy["unmatched"]:
        units["unmatched"] = "of the records: counted as safe only because the population lacks them"
    for key, name in KEYS.items():
        if key not in units:
            continue
        value, against = (wording.measure(key, row[key]) for row in (summary["measures"], policy))
        also = wording.all_attacked(summary) if key == "expected_reidentifications" else ""
        yield {"name": name, "value": value, "against": against, "unit": units[key], "also": also}


def _data(summary: Mapping[str, Any], content: Mapping[str, Any], scenario: Mapping[str, Any]) -> dict[str, Any]:
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
        "sentences": [*person_words(data), *key_words(data)],
        "kept_words": kept_words(summary["kept_columns"], data["records"]),
        "own": data["population_is_the_records"],
        "estimated": estimate_words(data["population_levels"], data["sampling_fraction"]),
        "kept": scenario["records"]["keep"],
        "dropped_count": dropped,
        "dropped": left_out.get(dropped, f"{dropped} columns are left out."),
        "shapes": any(attribute["from_data"] for attribute in content["attributes"]),
    }


def _attribute(attribute: Mapping[str, Any], scenario: Mapping[str, Any]) -> dict[str, Any]:
    levels = [{"groups": f"{one['groups']:,}", "example": one["example"]} for one in attribute["levels"]]
    return {
        "name": attribute["name"],
        "title": attribute["title"],
        "levels": levels,
        "weight": f"{scenario['attributes'][attribute['name']]['weight']:g}",
    }


def _beyond(
    summary: Mapping[str, Any],
    content: Mapping[str, Any],
    manifest: Mapping[str, Any],
    recipients: Mapping[str, Recipient],
) -> dict[str, Any]:
    """Return what is shown of limits, of recipients, and of strategies for the whole population."""
    shown: dict[str, Any] = {"limit_words": [], "limit_rows": [], "recipient_rows": [], "mechanism_words": []}
    if "limits" in summary:
        shown |= {"limit_words": limit_notes(summary, manifest), "limit_rows": list(limit_rows(summary))}
    if recipients:
        shown["recipient_rows"] = list(outcome_rows(summary))
        learning = any(one.learns is not None for one in recipients.values())
        shown["stake_columns"] = STAKE_COLUMNS if learning else STAKE_COLUMNS[:-1]
        stakes = stake_rows(recipients, manifest["scenario"]["payoffs"])
        shown["recipient_stakes"] = [row if learning else row[:-1] for row in stakes]
    if "mechanism" in summary:
        mechanism = summary["mechanism"]
        shown["mechanism_words"] = [planned_words(mechanism), *mechanism_words(summary["game"], mechanism), UNVERIFIED]
        shown["beside_rows"] = list(beside_rows(content["aware_beside"], summary["game"], content["aware"]))
    return shown | {
        "limit_columns": LIMIT_COLUMNS,
        "recipient_columns": OUTCOME_COLUMNS,
        "recipient_note": OUTCOME_NOTE,
        "beside_columns": BESIDE_COLUMNS,
    }


def _stakes(summary: Mapping[str, Any], manifest: Mapping[str, Any], kind: QuestionKind) -> dict[str, Any]:
    payoffs, sources = summary["payoffs"], manifest["scenario"]["sources"]
    follows = manifest["scenario"]["payoffs"]["gain"] is None
    rows = []
    for key, (name, symbol, means) in wording.STAKES.items():
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
        "ratios": wording.ratios(summary),
        "unsourced": next((row["key"] for row in rows if not row["source"]), None),
    }


def _strategy(row: Mapping[str, Any], attributes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    cells = []
    for attribute in attributes:
        level, levels = row["levels"][attribute["name"]], attribute["levels"]
        cells.append({"level": level, "top": level == len(levels) - 1, "example": levels[level]["example"]})
    share = row["share"]
    bar = f"{100 * share:.1f}" if share >= LEAST_BAR else None
    return {"cells": cells, "records": f"{row['records']:,}", "share": percent(share), "bar": bar}


def _search(summary: Mapping[str, Any]) -> dict[str, Any]:
    search, kind = summary["search"], kind_of(summary)
    if kind.limits:
        limits = summary["limits"]
        return {
            "search": f"The strategies keep to the limits, and {proof_words(limits)}; {search['searched']:.2f} of "
            f"{number_of(summary['data']['strategies'], 'strategy')} could matter for a record on average.",
            "solver": _SOLVERS[search["solver"]],
            "proved": search["proved"],
            "method": f"Strategies were chosen for all records together, within the limits, and {proof_words(limits)}.",
        }
    if kind.aware:
        return {
            "search": "It is not proved that no other groups pay more; the verdict says how much more they can pay.",
            "solver": _SOLVERS[search["solver"]],
            "proved": False,
            "method": f"The strategies of the population were looked for by {_SOLVERS[search['solver']]}.",
        }
    said = "It is proved" if search["proved"] else "It is not proved"
    looked = f"{search['searched']:.2f} of {number_of(summary['data']['strategies'], 'strategy')} were looked at"
    return {
        "search": f"{said} that no permitted strategy is better for any record; {looked} for a record on average.",
        "solver": _SOLVERS[search["solver"]],
        "proved": search["proved"],
        "method": None,
    }


def _column(row: Mapping[str, Any], played: str) -> dict[str, Any]:
    return {"heading": heading_words(row["policy"]), "played": row["policy"] == played}


def _measures(rows: Sequence[Mapping[str, Any]], kind: QuestionKind) -> Iterator[dict[str, Any]]:
    for key, (words, form) in shown_measures(rows).items():
        name = words.replace("... over", "the same over").replace("'", "\u2019")
        cells = [form(row[key]) for row in rows]
        yield {
            "name": capital(name),
            "means": wording.meaning(key, kind),
            "cells": cells,
            "best": best_values(key, [row[key] for row in rows], cells),
        }


def _risk_columns(risks: Mapping[str, Any]) -> list[str]:
    names = {"raw": "Raw data", "release": "This release"}
    return [names.get(column) or heading_words(risks[column]["name"]) for column in COLUMNS]


def _ranges(robustness: Mapping[str, Any]) -> dict[str, Any]:
    rows = [
        (
            wording.STAKES[name][0],
            money(stake_range["chosen"]),
            *(
                range_words(stake_range[key], stake_range["chosen"], stake_range[f"{key}_open"])
                for key in ("keeps", "ranking")
            ),
        )
        for name, stake_range in robustness["ranges"].items()
    ]
    order = [heading_words(name) for name in robustness["ranking"]]
    return {"share": exact_percent(robustness["share"]), "rows": rows, "order": order}


def _solvers(summary: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the best strategies would bring beside those of a solver that proves nothing, game by game."""
    if not content["best"]:
        return {"played_by": None, "best": []}
    found = {row["policy"]: row for row in content["comparison"]}
    rows = [
        (
            heading_words(row["policy"]),
            dollars(found[row["policy"]]["publisher_payoff"]),
            dollars(row["publisher_payoff"]),
            percent(found[row["policy"]]["optimal"]),
        )
        for row in content["best"]
    ]
    return {"played_by": summary["search"]["solver"], "best": rows}


def _shown(figures: Sequence[Figure], game: str, content: Mapping[str, Any], solver: str) -> Iterator[dict[str, Any]]:
    chosen_among = False
    for figure in figures:
        played_by = None
        if content["best"]:
            played_by = wording.BY_EXACT if figure.exact else f"The games are played by {solver}."
        first = figure.choice == game
        yield {**figure.shown, "choices_before": chosen_among, "first": first, "played_by": played_by}
        chosen_among = chosen_among or figure.choice is not None


def _facts(summary: Mapping[str, Any], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what only people know: all of it, and what of it stands beside the data and above the signature."""
    known = facts(summary, manifest)
    return {
        "facts": known,
        "population_facts": [fact for fact in known if fact.key in OF_A_POPULATION and fact.texts],
        "determination_facts": [fact for fact in known if fact.key not in SIGNER],
        "signer": [replace(fact, label=SIGNER[fact.key]) for fact in known if fact.key in SIGNER],
    }


def _stored_files(manifest: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the file of the numbers that are drawn, and what stands at the foot of printed pages: a file's digest.

    The release is what a printed page is held against; one of several parts stands there by its summary.
    """
    outputs = manifest["outputs"]
    releases = [name for name in outputs if name.startswith("release.")]
    name = releases[0] if len(releases) == 1 else SUMMARY
    return {
        "grid_file": GRID if GRID in outputs else None,
        "foot": f"{name}, SHA-256 {outputs[name]}" if name in outputs else None,
    }


def _files(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    inputs = [{"name": name, "path": file["path"]} for name, file in manifest["inputs"].items()]
    outputs = [
        {"path": name, "sha256": "in manifest.json" if name.startswith(STRATEGIES) else digest}
        for name, digest in manifest["outputs"].items()
        if name != REPORT
    ]
    return [
        {"id": "inputs-caption", "caption": "Files that went in", "named": True, "rows": inputs},
        {"id": "outputs-caption", "caption": "Files that came out", "named": False, "rows": outputs},
    ]
