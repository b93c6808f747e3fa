"""What the page shows, as texts: the stored results turned into the words and rows of the template."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gamedeid.amounts import exact_percent, money, number_of, percent, range_words
from gamedeid.choices import GAMES
from gamedeid.report.aware_words import COLUMNS as AWARE_COLUMNS
from gamedeid.report.aware_words import aware_rows, aware_words
from gamedeid.report.best_values import LEGEND, MARK
from gamedeid.report.data_words import person_words
from gamedeid.report.determination_words import ANALOGY, OF_A_POPULATION, THRESHOLD_COLUMNS, facts, threshold_rows
from gamedeid.report.html.answer_words import answer, question
from gamedeid.report.html.assumptions_view import attribute_view, data_view, stakes_view
from gamedeid.report.html.figures import Figure
from gamedeid.report.html.game_words import GAME_WORDS, games_words, rules, withheld_sentence
from gamedeid.report.html.limitation_words import MISSING, UNMATCHED, limitations
from gamedeid.report.html.measure_words import measure
from gamedeid.report.html.results_view import (
    beyond_one_adversary,
    column_view,
    measures_view,
    risk_columns,
    search_view,
    solvers_view,
    strategy_view,
)
from gamedeid.report.html.stake_words import BY_EXACT, STAKES, robust_sentence, sensitivity_words
from gamedeid.report.kept_diversity import COLUMNS as DIVERSITY_COLUMNS
from gamedeid.report.kept_diversity import diversity_rows, diversity_words
from gamedeid.report.law_words import EXPERT_DETERMINATION, REFERENCES, law_of
from gamedeid.report.policy_words import heading_words, policy_words
from gamedeid.report.question_kind import kind_of
from gamedeid.report.recipient_words import (
    background_words,
    recipients_of,
    thieves,
)
from gamedeid.report.release_risks import risk_rows
from gamedeid.report.verdict import KNOWS, figures_of, verdict_of, verdict_on
from gamedeid.reprs import frozen
from gamedeid.study.warnings import counted, said


@frozen
class Part:
    """A part of the page: the id of its element, and its heading."""

    id: str
    name: str


SUMMARY, REPORT, GRID, STRATEGIES = "summary.json", "report.html", "sensitivity.csv", "strategies"

KEYS = {
    "unmodified": "Released unmodified",
    "expected_reidentifications": "Expected re-identifications, if the recipient counts",
    "attacked": "Records worth attacking, if the recipient counts",
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

SIGNER = {"expert": "Name", "credentials": "Credentials"}
"""What the scenario says of whoever signs, and what it is called above the signature."""


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
        "question": question(summary),
        "played": summary["game"],
        "game": {
            "name": GAME_WORDS[summary["game"]][0],
            "rules": rules(summary, thieves(recipients)),
        },
        "policy": _policy(summary),
        "verdict": verdict_of(summary),
        "warnings": said(summary["warnings"]),
        "verdict_columns": verdict_on(summary).columns,
        "verdict_rows": verdict_on(summary).rows,
        "keys": list(_keys(summary, policy)),
        "answer": [
            *person_words(summary["data"])[:1],
            *answer(summary, policy),
            *background_words(recipients, summary.get("recipients", {}), summary["game"]),
        ],
        **beyond_one_adversary(summary, manifest, recipients),
        "robust": robust_sentence(robustness, summary["search"]) if robustness else None,
        "data": data_view(summary, content, scenario),
        "attributes": [attribute_view(one, scenario) for one in content["attributes"]],
        **stakes_view(summary, manifest, kind),
        "missing": MISSING[scenario["records"]["missing"]],
        "unmatched": UNMATCHED[(scenario["population"] or {"unmatched": "error"})["unmatched"]],
        "overridden": manifest["overridden"],
        "strategies": [strategy_view(row, content["attributes"]) for row in summary["strategies"]],
        "withheld": withheld_sentence(summary["game"], summary["search"], policy["policy"], kind),
        "strategies_cover": percent(sum(row["share"] for row in summary["strategies"])),
        **search_view(summary),
        "columns": [column_view(row, summary["game"]) for row in content["comparison"]],
        "measures": list(measures_view(summary["policies"], kind)),
        "games_words": games_words(summary, thieves(recipients)),
        "mark": MARK,
        "legend": LEGEND,
        "risk_columns": risk_columns(content["risks"]),
        "risks": list(risk_rows(content["risks"], kind)),
        "aware_columns": AWARE_COLUMNS,
        "aware_words": aware_words(
            content["aware"],
            unit=counted(summary["data"])[1],
            released=summary["measures"]["withheld"] < 1,
        ),
        "aware": list(aware_rows(content["aware"])),
        "diversity_columns": DIVERSITY_COLUMNS,
        "diversity": list(diversity_rows(content["risks"]["kept_diversity"])),
        "diversity_words": diversity_words(
            content["risks"]["kept_diversity"],
            summary["data"]["records"],
            of_people="persons" in summary["data"],
        ),
        "ranges": ranges_view(robustness) if robustness else None,
        "figures": list(figures_view(figures, summary["game"], content, summary["search"]["solver"])),
        **solvers_view(summary, content),
        "sensitivity_words": sensitivity_words(kind, has_ranges=bool(robustness)),
        "choices": [(game, f"the {GAME_WORDS[game][0]}") for game in GAMES],
        "limits": limitations(summary, thieves(recipients)),
        **_facts(summary, manifest),
        **_stored_files(manifest),
        "thresholds": threshold_rows(summary, content, manifest),
        "threshold_columns": THRESHOLD_COLUMNS,
        "analogy": ANALOGY,
        "expert_determination": EXPERT_DETERMINATION,
        "references": REFERENCES,
        "files": _files(manifest),
        "scenario": json.dumps(without_dropped(scenario), indent=2, ensure_ascii=False),
    }


def _policy(summary: Mapping[str, Any]) -> dict[str, Any]:
    name = summary["policy"]["name"]
    return {
        "words": policy_words(name),
        "heading": heading_words(name),
        "does": list(summary["policy"]["does"].items()),
        "law": law_of(name),
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
        value, against = (measure(key, row[key]) for row in (summary["measures"], policy))
        yield {"name": name, "value": value, "against": against, "unit": units[key], "also": _also(key, summary)}


def _also(key: str, summary: Mapping[str, Any]) -> str:
    """Return what stands beside a measure of a recipient who counts: the same of one who knows the method."""
    found = figures_of(summary["policies"][summary["game"]])
    knows = found[KNOWS]
    if knows is None or key not in {"attacked", "expected_reidentifications"}:
        return ""
    value = knows.attacked if key == "attacked" else knows.expected
    return f"{measure(key, value or 0.0)} if the recipient also knows how the release was made"


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


def ranges_view(robustness: Mapping[str, Any]) -> dict[str, Any]:
    """Return how far each stake can move alone, as rows of a table."""
    rows = [
        (
            STAKES[name][0],
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


def figures_view(
    figures: Sequence[Figure], game: str, content: Mapping[str, Any], solver: str
) -> Iterator[dict[str, Any]]:
    """Yield the pictures, each with whether choices stand before it and whether it is the first to be shown."""
    chosen_among = False
    for figure in figures:
        played_by = None
        if content["best"]:
            played_by = BY_EXACT if figure.exact else f"The games are played by {solver}."
        first = figure.choice == game
        yield {**figure.shown, "choices_before": chosen_among, "first": first, "played_by": played_by}
        chosen_among = chosen_among or figure.choice is not None


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
