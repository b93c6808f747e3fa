"""Each sentence of the catalogue is shown for a question in which it holds, and not for one in which it does not.

`PYTHONPATH=tests/kit python tests/report/test_catalogue.py` renews tests/gold/sentences.txt: read the difference.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from printed_sentences import PRINTED
from printed_verdicts import VERDICTS, lines_of, unproved
from questions import question
from report_folders import documents
from report_shapes import RunTexts, flat, noted

from gamedeid import catalogue as source
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.explorer.setting import varied_recipients_words
from gamedeid.pictures.risk_utility import risk_utility_words
from gamedeid.report.determination.content import determination
from gamedeid.report.terminal.release import detail_words, model_words, utility_words
from gamedeid.report.view import ReportDocuments
from gamedeid.report.warnings import kept_words
from gamedeid.report.words.aware import mechanism_notes, mechanism_words, with_unplayed
from gamedeid.report.words.certificate import examples, signature_words, validity
from gamedeid.report.words.detail import column_words
from gamedeid.report.words.limits import cost_words, limit_grid, limit_notes, limit_words
from gamedeid.report.words.risks import diversity_words, table_game_words, uniqueness_words
from gamedeid.report.words.run import earlier_words
from gamedeid.report.words.verdict import Verdict
from gamedeid.risk.detail import release_detail
from gamedeid.scenario.limits import Groups
from gamedeid.study.solve import solve
from gamedeid.study.warnings import data_warnings, game_warnings, warning_sentences

GOLD = Path(__file__).parents[1] / "gold" / "sentences.txt"

ENTRIES = [
    (f"{path.stem}.{name}", place)
    for path in sorted(source.FOLDER.glob("*.toml"))
    for name, entries in catalogue(path.stem).items()
    if isinstance(entries, list) and isinstance(entries[0], dict)
    for place in range(len(entries))
]

SHOWING = (
    *("aware, no population", "aware, for the records", "aware-basic", "a thief alone + limits between groups"),
    *("unmatched, safe", "sampling fraction + limits, ties", "after an earlier release"),
    *("persons + a limit that does not + nobody attacked", "thresholds + withheld in sh-friendly"),
    *(
        "withheld in basic",
        "withheld in no-attack",
        "aware-basic, withheld",
        "limits, uniform by sex",
        "limits, a game without any",
    ),
    *("limits, withheld", "recipients, lattice search", "recipients, withheld", "recipients, nobody attacked"),
    *("recipients, a price", "recipients, a club + limits, uniform"),
)
"""Questions that show every sentence of a run."""


ALONE = {"records": 9, "population_is_the_records": False}
EARLIER = {"releases": 2, "found": 1, "new": 8, "changed": 2, "as_before": 0, "exposed": 3}
COSTS = {"as_without": 1, "generalized": 2, "withheld": 1, "other": 3}
MEANS = dict.fromkeys(
    ("publisher_payoff", "publisher_payoff_without", "information_loss", "information_loss_without"), 0.5
)


def limited(**changed: Any) -> dict[str, Any]:
    """Return a summary with one limit."""
    one = {"limit": 2.0, "reached": 1.5, "binding": True, "shadow_price": 0.0}
    limits = {"payoff": 10.0, "bound_by_prices": 12.0, "proved": True, "gap": 0.0, "payoff_without_limits": None}
    asked = {"asked": {"expected_reidentifications": one}, "unmet_in": []}
    return {"limits": {**limits, **asked, **changed}, "data": {"records": 4}}


BETWEEN = {"groups.attacked": {"limit": 0.1, "reached": 0.1, "binding": True, "shadow_price": 0.0}}
UNIFORM = {
    "policies": 288,
    "beat_policy": 20,
    "beat_policy_on_both": 20,
    "equal_policy": 0,
    "on_frontier": 20,
    "on_frontier_and_beat_policy": 5,
}


def place(kept: float, risk: float) -> dict[str, Any]:
    return {"information_kept": kept, "expected_reidentifications": risk}


def frontier(
    mine: float = 48.1, name: str = "safe-harbor", *, people: bool = False, within: bool = True, **changed: Any
) -> list[str]:
    uniform = {key: changed.pop(key) for key in UNIFORM if key in changed}
    return risk_utility_words(
        {
            "risk": {"name": "adversary", "measure": "expected_reidentifications"},
            "policy": {"name": name, "is_uniform": True, "levels": {"age": [0]}, **changed},
            "releases": {name: place(0.7084, mine)},
            "uniform": UNIFORM | uniform,
            "at_policy_risk": {
                "uniform": place(0.859, mine) if within else None,
                "record_level": place(0.98148, mine),
                "bound": 0.99,
            },
            "at_policy_information": {"uniform": place(0.7215, mine / 20), "record_level": place(0.97, 0.0)},
            "data": {"persons": {}} if people else {},
        }
    )


def warned(**changed: Any) -> list[str]:
    """Return the warnings of data."""
    plain = {"records": 4, "repeated_keys": [], "unmatched_records": 0, "unmatched": "unique"}
    return [one.says for one in data_warnings({**plain, "population_levels": {}, "sampling_fraction": None, **changed})]


def kept(*warnings: dict[str, Any], rows: int | None = 4) -> list[str]:
    """Return the warnings of kept columns; one column discloses sex unless the warning names another attribute."""
    plain = {"column": "wife", "why": "gives back", "attribute": "sex", "share": 0.5}
    found = [{**plain, **one} for one in warnings]
    return kept_words({"columns": 1, "rows_looked_at": rows, "warnings": found}, 4)


def unique(columns: int, **people: float) -> dict[str, Any]:
    """Return the summary's entry on kept columns with half of the released rows unique."""
    names = [f"c{place}" for place in range(columns)]
    together = {"columns": names, "values": 30, "unique": 20, "share": 0.5, **people}
    pairs = [{"columns": names[:2], "values": 9, "unique": 8, "share": 0.2}] if columns > 2 else []
    found = {"rows_looked_at": 50, "released": 40, "people": 30, "columns": [], "pairs": pairs, "together": together}
    return {"columns": columns, "rows_looked_at": 100, "warnings": [], "uniqueness": found}


PLANNED = {"planned_for": "population", "publisher_payoff": 5.0, "payoff_bound": 6.0, "bound_by": "prices"}
OUTCOMES = {"as_planned": 3, "joined": 1, "withheld_as_planned": 0, "no_group": 0, "group_too_small": 0}
ALIKE = {"name": "In this release", "whom": "the population", "nothing": False, "unmatched": False, "known": False}
ALIKE |= {"k_anonymity": 2, "k_map": 1, "left_out": 0, "one_of_a_kind": False, "estimated": False}
UNMEASURED = {"rows_looked_at": None, "columns": [], "released": 0, "classes": 0}
KEPT = {"rows_looked_at": 4, "columns": ["a"], "released": 4, "classes": 2}

STAKES = {"benefit": 1200.0, "loss": 300.0, "gain": 300.0, "cost": 4.0}
TABLE_GAME = {"stakes": STAKES, "information_loss": 0.5, "uniform": False, "prosecutor": {}}


def coefficient(name: str, *, flipped: bool = False, overlap: float = 0.5) -> SimpleNamespace:
    return SimpleNamespace(name=name, sign_flipped=flipped, overlap=overlap)


def fitted(form: str, *coefficients: Any, uncompared: int = 0, why_not: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(form=form, rows=5, why_not=why_not, coefficients=coefficients, not_compared=uncompared)


SAID: dict[str, Callable[[], list[str]]] = {
    "a limit without a shadow price": lambda: limit_words(limited()),
    "its row": lambda: list(limit_grid(limited()).rows[0]),
    "limits that are not proved": lambda: [cost_words(limited(proved=False, gap=0.5, payoff_without_limits=30.0))],
    "limits between groups that are not proved": lambda: [
        cost_words(limited(asked=BETWEEN, proved=False, gap=0.5, payoff_without_limits=30.0))
    ],
    "one strategy for people with differing rows": lambda: limit_notes(
        limited() | {"data": {"records": 4, "persons": {"count": 4, "differing": {"age": 1, "sex": 0}}}},
        {"scenario": {"limits": {"uniform": True}}},
    ),
    "a finished plan": lambda: mechanism_notes(
        {**PLANNED, "optimal": False, "applied": OUTCOMES}, None, unit="record", own=False
    ),
    "a finished plan, of persons": lambda: mechanism_words(
        {**PLANNED, "optimal": False, "applied": OUTCOMES}, None, unit="person", own=True
    ),
    "a game that is not followed along stakes": lambda: warning_sentences(
        with_unplayed(warned(), SimpleNamespace(game="aware-basic"))
    ),
    "groups with rules": lambda: mechanism_words(
        {**PLANNED, "optimal": True, "expected_reidentifications": 0.0, "smallest_group": 5, "people_needed": 5},
        Groups(k=5),
        unit="record",
        own=False,
    ),
    "groups of people with a rule for a kept column": lambda: mechanism_words(
        {**PLANNED, "optimal": True, "expected_reidentifications": 0.0, "smallest_group": 5, "people_needed": 5},
        Groups(kept={"dose": {"distinct": 2}}),
        unit="person",
        own=True,
    ),
    "groups, some of them small": lambda: detail_words(
        release_detail(solve("quickstart", game="no-attack"), by=["age:1"])
    ),
    "groups of the rows of people": lambda: detail_words(
        replace(release_detail(solve("quickstart", game="no-attack"), by=["age:1"]), has_persons=True)
    ),
    "an analysis of the release": lambda: [
        *utility_words(SimpleNamespace(records=9, released=8, original_rows=7)),
        *model_words(fitted("midpoints", coefficient("a"), coefficient("b", flipped=True, overlap=0.0))),
        *model_words(fitted("labels", uncompared=1)),
        *model_words(fitted("labels", why_not="too few rows")),
        *model_words(fitted("labels", why_not="dependent columns")),
        *model_words(fitted("labels", why_not="no estimate")),
    ],
    "rows elsewhere": lambda: diversity_words(UNMEASURED, 4, of_people=False),
    "rows of people": lambda: diversity_words(KEPT, 4, of_people=True),
    "rows of a table as it is": lambda: diversity_words(KEPT, 4, of_game=False, of_people=False),
    "records that match no one": lambda: [sentence("determination.alike", {**ALIKE, "unmatched": True})],
    "records of which some match no one": lambda: [
        sentence("determination.alike", {**ALIKE, "k_map": 3, "left_out": left_out, "known": True, "share": 0.0})
        for left_out in (1, 2)
    ],
    "records of which some count as one of a kind": lambda: [
        sentence("determination.alike", {**ALIKE, "one_of_a_kind": True, "known": True, "share": 0.25})
    ],
    "no share of one": lambda: [sentence("determination.alike", ALIKE)],
    "some games": lambda: (
        Verdict(policies={"safe-harbor": ROW}, played="safe-harbor", policy="safe-harbor", benefit=9.0).sentences
    ),
    "uniform policies that beat the policy": frontier,
    "uniform policies, some on one axis": lambda: frontier(name="pairs", people=True, beat_policy_on_both=18),
    "uniform policies, all on one axis": lambda: frontier(beat_policy=1, beat_policy_on_both=0),
    "uniform policies that do not beat the policy": lambda: frontier(
        beat_policy=0, beat_policy_on_both=0, on_frontier=1, on_frontier_and_beat_policy=0
    ),
    "one uniform policy": lambda: frontier(mine=0.0, policies=1, beat_policy=0, beat_policy_on_both=0, equal_policy=1),
    "a policy with several levels": lambda: frontier(is_uniform=False, levels={"age": [0, 3], "sex": [0]}),
    "a policy with missing values": lambda: frontier(is_uniform=False),
    "a policy with less risk than all uniform ones": lambda: [
        *frontier(within=False),
        sentence("frontier.no_more_risk", {"at_policy_risk": None, "policy": "Safe Harbor", "unit": "record"}),
    ],
    "another policy under which people match no one": lambda: sentences(
        "distinct.against", {"policy": "raw", "unmatched": 2, "unequal": True, "whose": "records"}
    ),
    "keys of persons": lambda: warned(
        repeated_keys=[{"column": one, "rows": rows, "values": 1} for rows in (60, 0) for one in (None, "id")]
    ),
    "records unlike the population": lambda: [
        *warned(unmatched_records=1),
        *warned(unmatched_records=2, unmatched="safe"),
        *warned(records=1, unmatched_records=1, unmatched="safe"),
    ],
    "levels of the population": lambda: warned(population_levels={"age": 1, "zip": 2}),
    "rules that the game does not use, and strategies that disclose who has a record": lambda: [
        one.says
        for games in (["no-attack"], ["safe-harbor", "basic", "aware-basic"], ["aware-no-attack"])
        for one in game_warnings(
            question({"groups": {"k": 5, "kept": {"dose": {"distinct": 2, "recursive": [2.0, 3]}}}}),
            games,
            own=False,
            applied=True,
        )
    ],
    "values that a hierarchy does not list": lambda: warned(unlisted={"job": 1, "ward": 3}),
    "missing values that are shown": lambda: [
        *warned(missing_is_shown=True),
        *warned(missing_is_shown=True, population_is_the_records=True),
        column_words({"data": {"missing_is_shown": True}, "measures": {"withheld": 0.0}}),
        column_words({"data": {"persons": {}}, "measures": {"withheld": 0.0}}),
    ],
    "kept columns": lambda: kept(
        {}, {"why": "unique"}, {"why": "identifier"}, {"why": "identifier", "share": None}, rows=2
    ),
    "kept columns elsewhere": lambda: kept(rows=None),
    "uniqueness elsewhere": lambda: uniqueness_words(
        {"rows_looked_at": None, "released": 0, "columns": [], "together": None}, 4, of_game=True
    ),
    "uniqueness in a table as it is": lambda: uniqueness_words(
        unique(3, unique_people=7, share_of_people=0.25)["uniqueness"], 50, of_game=False
    ),
    "the game of a table": lambda: [
        words
        for more in ({}, {"journalist": {}}, {"journalist": {}, "uniform": True})
        for words in table_game_words({**TABLE_GAME, **more}, unmatched=2 * len(more))
    ],
    "unique kept columns": lambda: [*kept_words(unique(1), 100), *kept_words(unique(3, share_of_people=0.25), 100)],
    "recipients of the explorer": lambda: varied_recipients_words(
        SimpleNamespace(
            recipients={
                "club": SimpleNamespace(gain=1.0, cost=None, loss=2.0),
                "thief": SimpleNamespace(gain=None, cost=None, loss=None),
            }
        )
    ),
    "rows of the population of which only the shapes are shown": lambda: examples(
        [{"before": {"age": "##"}, "levels": {"age": 0}, "released": {"age": "##"}, "withheld": False, "people": 3}],
        shapes=True,
    )["examples_words"],
    "nothing left out": lambda: [sentence("data.left_out", {"columns": 0})],
    "earlier releases that cost something": lambda: earlier_words(
        {"earlier": EARLIER | {"cost": MEANS | COSTS}, "data": ALONE, "game": "basic"}
    ),
    "earlier releases that cost something, of persons": lambda: earlier_words(
        {
            "earlier": EARLIER | {"cost": MEANS | COSTS},
            "game": "basic",
            "recipients": {},
            "data": {"records": 9, "persons": {"count": 4}, "population_is_the_records": True},
        }
    ),
    "earlier releases that cost nothing": lambda: earlier_words(
        {
            "earlier": EARLIER | {"cost": MEANS | dict.fromkeys(COSTS, 0) | {"as_without": 9}},
            "data": ALONE,
            "game": "basic",
        }
    ),
    "earlier releases that change no strategy": lambda: earlier_words(
        {
            "earlier": EARLIER
            | {"cost": MEANS | dict.fromkeys(COSTS, 0) | {"as_without": 9, "publisher_payoff_without": 0.75}},
            "data": ALONE,
            "game": "sh-friendly",
        }
    ),
    "earlier releases of a policy": lambda: earlier_words(
        {"earlier": EARLIER | {"cost": None}, "data": ALONE, "game": "basic"}
    ),
    "a certificate": lambda: [
        *(
            signature_words(signed=signed, signer={}, key=key, faults=[])
            for signed, key in ((False, ""), (True, ""), (True, "e.pub"))
        ),
        signature_words(signed=False, signer={}, key="e.pub", faults=["manifest.json.sig is not there"]),
        signature_words(signed=True, signer={"by": "A. Expert", "on": "2026-02-28"}, key="", faults=[]),
        *(
            line
            for documents, signed in ((False, True), (True, False), (True, True))
            for line in sentences("certificate.altered", {"files": ["a.md"], "documents": documents, "signed": signed})
        ),
        *(validity({"valid_from": one, "valid_until": other}) for one, other in (("a", "b"), ("a", ""), ("", "b"))),
    ],
    "limits without strategies": lambda: [sentence("run.withheld", {"limited": True, "proved": False})],
    **{case: partial(lines_of, verdict) for case, verdict in VERDICTS.items()},
    "strategies of games that are not proved": lambda: [*unproved(gap=0.17), *unproved(gap=0.001), *unproved(gap=0.0)],
    **PRINTED,
}
"""Functions that print the sentences that no small question shows; tests/gold/sentences.txt has the sentences."""

ROW = {"records": 4, "withheld": 0.0, "proved": None, "gap": None, "attacked": 0.5, "spread": None, "highest_risk": 0.5}
ROW |= {"expected_reidentifications": 1.0, "publisher_payoff": 5.0, "aware": "the population is estimated"}
ROW |= {"marketer": {"reidentifications": 2.0, "spread": None}}


def shown_by_runs(run_shape: Callable[[str], RunTexts]) -> dict[str, Mapping[tuple[str, int], str]]:
    """Return the sentences of the runs, and of drafts of their changed results."""
    runs = {shape: run_shape(shape) for shape in SHOWING}
    found = {shape: run.shown for shape, run in runs.items()}
    plain = runs["thresholds + withheld in sh-friendly"]
    summary, content, manifest = documents(plain.out)
    with noted() as shown:
        determination(ReportDocuments(summary={**summary, "robustness": None}, content=content, manifest=manifest))
    found["a draft without ranges"] = shown
    club = runs["recipients, a club + limits, uniform"]
    summary, content, manifest = documents(club.out)
    own = {**summary, "data": {**summary["data"], "population_is_the_records": True}}
    with noted() as shown:
        determination(ReportDocuments(summary=own, content=content, manifest=manifest))
    found["a draft of records that are their own population, with a recipient who has another"] = shown
    scenario = manifest["scenario"]
    one = next(iter(scenario["recipients"].values()))
    one |= {"knows": scenario["records"]["keep"][:1], "levels": {}, "population": None}
    with noted() as shown:
        determination(ReportDocuments(summary=summary, content=content, manifest=manifest))
    found["a draft with known kept columns"] = shown
    return found


def said_by(case: str) -> str:
    """Return the lines of a case without tables and empty lines."""
    lines = [line.rstrip() for line in "\n".join(SAID[case]()).splitlines()]
    return "".join(f"{line}\n" for line in lines if line and line.lstrip()[0] not in "│┃┏┡└┌├┗╇━─")


def test_every_sentence_is_correct_and_shown_only_where_it_holds(run_shape):
    missing = []
    shown_by = shown_by_runs(run_shape)
    texts = {}
    for case in SAID:
        with noted() as shown:
            texts[case] = said_by(case)
        shown_by[case] = shown
    stored = dict(one.split("\n", 1) for one in GOLD.read_text("utf-8").split("## ")[1:])
    assert stored == texts
    for shape in SHOWING:
        run = run_shape(shape)
        missing += [
            (shape, entry, text)
            for entry, text in run.shown.items()
            if not any(flat(text) in one for one in run.printed)
        ]
    assert [] == missing
    assert [] == [entry for entry in ENTRIES if not any(entry in one for one in shown_by.values())]
    assert [] == [
        (table, place)
        for table, place in ENTRIES
        if "when" in catalogue(table.split(".")[0])[table.split(".")[1]][place]
        and all((table, place) in one for one in shown_by.values())
    ], "they have a condition, and every question shows them"


if __name__ == "__main__":
    GOLD.write_text("".join(f"## {case}\n{said_by(case)}" for case in SAID), "utf-8")
