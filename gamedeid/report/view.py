"""The content of a report's page and of a determination's draft: the stored results as texts, by name."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from gamedeid.amounts import dollars, exact_percent, money, number_of, percent, range_words
from gamedeid.catalogue import catalogue, sentence
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.signed import Document, signed_content
from gamedeid.report.words import aware, risks
from gamedeid.report.words.certificate import examples, recipient_bars
from gamedeid.report.words.detail import column_grid, column_words
from gamedeid.report.words.limits import limit_grid, limit_notes
from gamedeid.report.words.measures import LEGEND, MARK, MEASURES, Grid, heading_words
from gamedeid.report.words.recipients import (
    background_words,
    known_kept,
    outcome_grid,
    read_recipients,
    stake_grid,
    undeterred,
    with_population,
)
from gamedeid.report.words.run import QuestionKind, earlier_words, person_words, question_kind, run_facts, run_words
from gamedeid.report.words.verdict import measure_rows, verdict_of, verdict_on
from gamedeid.reprs import frozen
from gamedeid.scenario.limits import Groups
from gamedeid.scenario.recipients import Recipient, active_recipients
from gamedeid.study.warnings import counted_words, estimate_words, unmatched_words, warning_sentences

KEY_MEASURES = {
    "unmodified": "Released unmodified",
    "expected_reidentifications": "Expected re-identifications, if the recipient counts",
    "attacked": "Records worth attacking, if the recipient counts",
    "unmatched": "Match no one in the population",
    "publisher_payoff": "Publisher\u2019s payoff per record",
}
"""The measures at the head of the page -> their names."""

LEAST_BAR = 0.01
"""Smallest share with a bar; a shorter bar would be invisible."""


@frozen(slots=False)
class ReportDocuments:
    """The contents of the three files of a run that the report needs, as written.

    Parameters
    ----------
    summary, content : the contents of ``summary.json`` and ``report.json``.
    manifest : the content of ``manifest.json``; the digest of ``report.html`` itself is not used, since no page can
        contain it.
    """

    summary: dict[str, Any]
    content: dict[str, Any]
    manifest: dict[str, Any]

    @cached_property
    def view(self) -> dict[str, Any]:
        """The content of a report except its figures, by name."""
        return report_view(self.summary, self.content, self.manifest)


def report_view(summary: Document, content: Document, manifest: Document) -> dict[str, Any]:
    """Return the content of a report except its figures, by name."""
    scenario, kind = manifest["scenario"], question_kind(summary)
    recipients = active_recipients(read_recipients(manifest)) if kind.recipients else {}
    separate = with_population(recipients)
    looks_up_records = "a recipient without a separate population" if separate else "the recipient"
    run_texts = run_words(run_facts(summary, undeterred(recipients), looks_up_records))
    data = {**_data(summary, content, scenario), "looks_up_records": looks_up_records, "separate": separate}
    return {
        "title": summary["title"] or "Records",
        "version": manifest["gamedeid"],
        "played": summary["game"],
        **run_texts,
        **_answer(summary, content, run_texts["answer"], recipients),
        "game": {"name": f"{summary['game']} game", "rules": run_texts["rules"]},
        "policy": _policy(summary),
        **_question(summary, manifest, recipients),
        "data": data,
        "attributes": [_attribute(one, scenario) for one in content["attributes"]],
        **_release(summary, content, shapes=data["shapes"]),
        **_compared(summary, content, kind),
        **_risks(summary, content, known_kept(manifest, recipients)),
        **_solvers(summary, content),
        **signed_content(
            summary, content, manifest, recipients=recipients, records=f"{data['records']} {data['whose']}"
        ),
        "notes": catalogue("run")["notes"],
    }


def _answer(
    summary: Document, content: Document, answer: Sequence[str], recipients: Mapping[str, Recipient]
) -> dict[str, Any]:
    """Return the content of the head of the page: the verdict, warnings and the main measures."""
    verdict = verdict_on(summary)
    policy = {row["policy"]: row for row in content["comparison"]}[summary["policy"]["name"]]
    return {
        "verdict": verdict_of(summary),
        "verdict_table": verdict.recipients,
        "warnings": warning_sentences(summary["warnings"]),
        "keys": list(_key_measures(summary, policy)),
        "answer": [
            *person_words(summary["data"])[:1],
            *answer,
            *background_words(recipients, summary.get("recipients", {}), summary["game"]),
        ],
        **recipient_bars(verdict, content["risks"]),
    }


def _question(summary: Document, manifest: Document, recipients: Mapping[str, Recipient]) -> dict[str, Any]:
    """Return the limits, recipients, earlier releases and groups of the question, and how its inputs are read."""
    scenario, run = manifest["scenario"], catalogue("run")
    groups = None if scenario.get("groups") is None else Groups.model_validate(scenario["groups"])
    return {
        "limit_table": limit_grid(summary),
        "limit_words": limit_notes(summary, manifest) if question_kind(summary).limits else [],
        "recipient_table": outcome_grid(summary.get("recipients", {})),
        "recipient_note": sentence("recipients.outcomes", {}) if recipients else "",
        "stake_table": stake_grid(recipients, scenario["payoffs"], scenario["records"]["keep"]),
        "earlier_words": earlier_words(summary),
        "mechanism_words": aware.mechanism_notes(
            summary["mechanism"],
            groups,
            unit=counted_words(summary["data"])[1],
            own=summary["data"]["population_is_the_records"],
        )
        if "mechanism" in summary
        else [],
        "missing": run["missing"][scenario["records"]["missing"]],
        "unmatched": run["unmatched"][(scenario["population"] or {"unmatched": "error"})["unmatched"]],
        "overridden": manifest["overridden"],
        "repeated": sentence(
            "run.repeated",
            {
                "drawn": "person" in scenario["records"] and scenario["records"].get("pseudonyms") == "random",
                "timed": "mechanism" in summary and bool((scenario.get("groups") or {}).get("seconds")),
            },
        ),
    }


def _release(summary: Document, content: Document, *, shapes: bool) -> dict[str, Any]:
    """Return the strategies that are chosen most, rows before and after, and the detail left of each column."""
    return {
        "strategies": [_strategy(row, content["attributes"]) for row in summary["strategies"]],
        "strategies_cover": percent(sum(row["share"] for row in summary["strategies"])),
        **examples(content["examples"], shapes=shapes),
        "detail_table": column_grid(summary["columns"]),
        "detail_note": column_words(summary),
    }


def _compared(summary: Document, content: Document, kind: QuestionKind) -> dict[str, Any]:
    """Return the measures and risks next to those of the policy and the other games, and the robust ranges."""
    robustness = summary.get("robustness")
    return {
        "columns": [
            {"heading": heading_words(row["policy"]), "played": row["policy"] == summary["game"]}
            for row in content["comparison"]
        ],
        "measures": list(_measures(summary["policies"], kind)),
        "mark": MARK,
        "legend": LEGEND,
        "risk_columns": ["Raw data", heading_words(content["risks"]["policy"]["name"]), "This release"],
        "risks": list(risks.risk_rows(content["risks"], kind)),
        "ranges": _range_grid(robustness) if robustness else None,
        "ranking": [heading_words(name) for name in robustness["ranking"]] if robustness else [],
    }


def _risks(summary: Document, content: Document, known: Sequence[str]) -> dict[str, Any]:
    """Return the risk from a recipient who knows the method, and the disclosure by kept columns."""
    data, found = summary["data"], content["risks"]
    unit, released = counted_words(data)[1], summary["measures"]["withheld"] < 1
    diversity, uniqueness = found["kept_diversity"], found.get("kept_uniqueness")
    own = data["population_is_the_records"]
    return {
        "aware_words": aware.aware_words(content["aware"], unit=unit, released=released, own=own),
        "aware_table": aware.aware_grid(content["aware"]),
        "diversity_table": risks.diversity_grid(diversity),
        "diversity_words": risks.diversity_words(diversity, data["records"], of_people="persons" in data),
        "uniqueness_table": risks.uniqueness_grid(uniqueness),
        "uniqueness_words": risks.uniqueness_words(uniqueness, data["records"], of_game=not known),
        "known_kept": known,
    }


def _policy(summary: Document) -> dict[str, Any]:
    name = summary["policy"]["name"]
    return {
        "words": policy_words(name),
        "heading": heading_words(name),
        "does": list(summary["policy"]["does"].items()),
        "law": catalogue("law")["policies"].get(name, ()),
    }


def _key_measures(summary: Document, policy: Document) -> Iterator[dict[str, str]]:
    units = {
        "unmodified": "of the records",
        "expected_reidentifications": f"of {number_of(*counted_words(summary['data']))}",
        "attacked": "of the records",
        "publisher_payoff": f"of {money(summary['payoffs']['benefit'])} at most",
    }
    if summary["measures"]["unmatched"] or policy["unmatched"]:
        units["unmatched"] = "of the records: counted as safe from a recipient who looks all attributes up there"
    aware = summary["policies"][summary["game"]]["aware"]  # of a recipient who knows the method, or a reason
    known = () if isinstance(aware, str) else ("attacked", "expected_reidentifications")
    for key, name in KEY_MEASURES.items():
        if key in units:
            form = MEASURES[key].form
            value, against = (form(row[key]) for row in (summary["measures"], policy))
            also = sentence("verdict.also", {"value": form(aware[key])}) if key in known else ""
            yield {"name": name, "value": value, "against": against, "unit": units[key], "also": also}


def _data(summary: Document, content: Document, scenario: Document) -> dict[str, Any]:
    data, counted = summary["data"], number_of(*counted_words(summary["data"]))
    dropped = len(scenario["records"]["drop"]) + ("persons" in data)
    return {
        "records": number_of(data["records"], "record"),
        "whose": f"of {counted}" if "persons" in data else "about people",
        "counted": counted,
        "profiles": number_of(data["profiles"], "distinct combination"),
        "population": number_of(data["population"], "person"),
        "strategies": "One is" if data["strategies"] == 1 else f"{data['strategies']:,} are",
        "unmatched": unmatched_words(data),
        "sentences": person_words(data),
        "own": data["population_is_the_records"],
        "estimated": estimate_words(data["population_levels"], data["sampling_fraction"]),
        "kept": scenario["records"]["keep"],
        "dropped_count": dropped,
        "dropped": sentence("data.left_out", {"columns": dropped}),
        "order": sentence("data.order", {"keep_order": summary["keep_order"]}),
        "shapes": any(attribute["from_data"] for attribute in content["attributes"]),
    }


def _attribute(attribute: Document, scenario: Document) -> dict[str, Any]:
    return {
        "name": attribute["name"],
        "title": attribute["title"],
        "levels": [{"groups": f"{one['groups']:,}", "example": one["example"]} for one in attribute["levels"]],
        "weight": f"{scenario['attributes'][attribute['name']]['weight']:g}",
    }


def _strategy(row: Document, attributes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    cells = []
    for attribute in attributes:
        level, levels = row["levels"][attribute["name"]], attribute["levels"]
        cells.append({"level": level, "top": level == len(levels) - 1, "example": levels[level]["example"]})
    share = row["share"]
    bar = f"{100 * share:.1f}" if share >= LEAST_BAR else None
    return {"cells": cells, "records": f"{row['records']:,}", "share": percent(share), "bar": bar}


def _measures(policies: Mapping[str, Mapping[str, Any]], kind: QuestionKind) -> Iterator[dict[str, Any]]:
    """Yield each measure as a row: name, meaning, a cell for each game or policy, and whether each is the best."""
    for key, words, cells, best in measure_rows(policies):
        name = words.replace("'", "\u2019")
        name = name.replace("... over", "the same over") if key else name.removeprefix("... ")
        means = ""
        if key:
            measure = MEASURES[key]
            means = measure.means_for_several if kind.recipients else measure.means
        yield {"name": capitalized(name), "means": means, "cells": cells, "best": best}


def _solvers(summary: Document, content: Document) -> dict[str, Any]:
    """Return the payoffs of the best strategies and of a solver without proof, game by game."""
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
    solver = summary["search"]["solver"] if rows else None
    return {"played_by": solver, "best": Grid(("game", f"{solver}", "exact", "found the best"), rows)}


def _range_grid(robustness: Document) -> Grid:
    """Return how far each stake can move alone."""
    rows = [
        (
            catalogue("run")["stakes"][name][0],
            money(one["chosen"]),
            *(range_words(one[key], one["chosen"], one[f"{key}_open"]) for key in ("keeps", "ranking")),
        )
        for name, one in robustness["ranges"].items()
    ]
    keeps = f"{exact_percent(robustness['share'])} of the records keep their strategy"
    return Grid(("figure", "chosen", keeps, "no two policies change places"), rows)
