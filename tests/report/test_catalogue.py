"""Each sentence of the catalogue is shown by a question in which it holds, and not by one in which it does not."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from printed_sentences import PRINTED
from report_folders import documents
from report_shapes import RunTexts, flat, noted

from gamedeid import catalogue as source
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.explorer.setting import varied_recipients_words
from gamedeid.pictures.risk_utility import risk_utility_words
from gamedeid.report.determination.content import determination
from gamedeid.report.html.stored import ReportDocuments
from gamedeid.report.warnings import kept_words
from gamedeid.report.words.aware import mechanism_words
from gamedeid.report.words.certificate import examples, signature_words, validity
from gamedeid.report.words.detail import detail_words, model_words, utility_words
from gamedeid.report.words.limits import cost_words, limit_rows, limit_words
from gamedeid.report.words.risks import diversity_words, table_game_words, uniqueness_words
from gamedeid.report.words.run import earlier_words
from gamedeid.report.words.verdict import Verdict
from gamedeid.risk.detail import release_detail
from gamedeid.study.solve import solve
from gamedeid.study.warnings import data_warnings

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
    *("withheld in basic", "withheld in no-attack", "limits, uniform by sex", "limits, a game without any"),
    *("limits, withheld", "recipients, lattice search", "recipients, withheld", "recipients, nobody attacked"),
    *("recipients, a price", "recipients, a club + limits, uniform"),
)
"""Questions that show every sentence of a run."""


EARLIER = {"releases": 2, "found": 1, "new": 8, "changed": 2, "as_before": 0, "exposed": 3}
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


def frontier(mine: float = 48.1, name: str = "safe-harbor", *, people: bool = False, **changed: Any) -> list[str]:
    uniform = {key: changed.pop(key) for key in UNIFORM if key in changed}
    return risk_utility_words(
        {
            "risk": {"name": "adversary", "measure": "expected_reidentifications"},
            "policy": {"name": name, "is_uniform": True, "levels": {"age": [0]}, **changed},
            "releases": {name: place(0.7084, mine)},
            "uniform": UNIFORM | uniform,
            "at_policy_risk": {"uniform": place(0.859, mine), "record_level": place(0.98148, mine), "bound": 0.99},
            "at_policy_information": {"uniform": place(0.7215, mine / 20), "record_level": place(0.97, 0.0)},
            "data": {"persons": {}} if people else {},
        }
    )


def warned(**changed: Any) -> list[str]:
    """Return the warnings of data."""
    plain = {"records": 4, "repeated_keys": [], "unmatched_records": 0, "unmatched": "unique"}
    return [one.says for one in data_warnings({**plain, "population_levels": {}, "sampling_fraction": None, **changed})]


def kept(*warnings: dict[str, Any], rows: int | None = 4) -> list[str]:
    """Return the warnings of kept columns, of which one gives sex back where the warning says nothing else."""
    plain = {"column": "wife", "why": "gives back", "attribute": "sex", "share": 0.5}
    found = [{**plain, **one} for one in warnings]
    return kept_words({"columns": 1, "rows_looked_at": rows, "warnings": found}, 4)


def unique(columns: int, **people: float) -> dict[str, Any]:
    """Return what a summary has of kept columns, half of whose released rows are unique."""
    names = [f"c{place}" for place in range(columns)]
    together = {"columns": names, "values": 30, "unique": 20, "share": 0.5, **people}
    pairs = [{"columns": names[:2], "values": 9, "unique": 8, "share": 0.2}] if columns > 2 else []
    found = {"rows_looked_at": 50, "released": 40, "people": 30, "columns": [], "pairs": pairs, "together": together}
    return {"columns": columns, "rows_looked_at": 100, "warnings": [], "uniqueness": found}


PLANNED = {"planned_for": "population", "publisher_payoff": 5.0, "payoff_bound": 6.0, "bound_by": "prices"}
OUTCOMES = {"as_planned": 3, "joined": 1, "withheld_as_planned": 0, "no_group": 0, "group_too_small": 0}
ALIKE = {"name": "In this release", "whom": "the population", "nothing": False, "unmatched": False, "known": False}
ALIKE |= {"k_anonymity": 2, "k_map": 1}
UNMEASURED = {"rows_looked_at": None, "columns": [], "released": 0, "classes": 0}
KEPT = {"rows_looked_at": 4, "columns": ["a"], "released": 4, "classes": 2}

STAKES = {"benefit": 1200.0, "loss": 300.0, "gain": 300.0, "cost": 4.0}
TABLE_GAME = {"stakes": STAKES, "information_loss": 0.5, "uniform": False, "prosecutor": {}}


def coefficient(name: str, *, flipped: bool = False, overlap: float = 0.5) -> SimpleNamespace:
    return SimpleNamespace(name=name, sign_flipped=flipped, overlap=overlap)


def fitted(form: str, *coefficients: Any, uncompared: int = 0, why_not: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(form=form, rows=5, why_not=why_not, coefficients=coefficients, not_compared=uncompared)


SAID = {
    "a limit without a shadow price": (
        lambda: limit_words(limited()),
        (
            "Limit expected_reidentifications: 1.50 expected re-identifications, at most 2 allowed (at most $2.00 of "
            "total payoff could be gained without it)."
        ),
        "The cost of the limits was not computed; no strategies within them pay more.",
    ),
    "its row": (lambda: list(next(limit_rows(limited()))), "at most $2.00, however much looser"),
    "limits that are not proved": (
        lambda: [cost_words(limited(proved=False, gap=0.5, payoff_without_limits=30.0))],
        (
            "The limits cost $20.00 of total payoff ($5.00 per record); other strategies within them pay at most $0.50 "
            "more in total."
        ),
    ),
    "limits between groups that are not proved": (
        lambda: [cost_words(limited(asked=BETWEEN, proved=False, gap=0.5, payoff_without_limits=30.0))],
        "other efficient strategies within them pay at most $0.50 more in total.",
    ),
    "a finished plan": (
        lambda: mechanism_words({**PLANNED, "optimal": False, "applied": OUTCOMES}),
        (
            "No group was opened. Records: 3 released by the finished run's strategy for the same values; 1 "
            "with other values, released in groups that the finished run opened."
        ),
        "the publisher is paid $5.00 per record; no strategies pay more than $6.00.",
    ),
    "groups, some of them small": (
        lambda: detail_words(release_detail(solve("quickstart", game="no-attack"), by=["age:1"])),
        "Shares are of all records",
        "Above 1, the group carries more",
        "Groups of fewer than 11 records",
        "attributes.sex.weight",
    ),
    "an analysis of the release": (
        lambda: [
            *utility_words(SimpleNamespace(records=9, released=8, original_rows=7)),
            *model_words(fitted("midpoints", coefficient("a"), coefficient("b", flipped=True, overlap=0.0))),
            *model_words(fitted("labels", uncompared=1)),
            *model_words(fitted("labels", why_not="too few rows")),
            *model_words(fitted("labels", why_not="dependent columns")),
            *model_words(fitted("labels", why_not="no estimate")),
        ],
        "For the publisher only: ",
        "9 records, 8 released rows. The model used 7 records of the original data",
        "Overlap: ",
        "rows with a suppressed value left out: 5 released rows used.",
        "Labels as they are released",
        "Not shown: 1 coefficient of one table only",
        "the sign of b flipped",
        "the confidence intervals of b have nothing in common",
        "no more rows than coefficients",
        "some of its columns are sums of others there",
        "the estimation finds no coefficients",
    ),
    "rows elsewhere": (lambda: diversity_words(UNMEASURED, 4), "was not measured"),
    "rows of people": (
        lambda: diversity_words(KEPT, 4, of_people=True),
        "4 released rows, in 2 classes",
        "all rows of",
    ),
    "rows of a table as it is": (
        lambda: diversity_words(KEPT, 4, of_game=False),
        "learns the values of its kept columns.",
    ),
    "records that match no one": (
        lambda: [sentence("determination.alike", {**ALIKE, "unmatched": True})],
        "In this release the smallest class has 2 records; no record matches a person of the population.",
    ),
    "no share of one": (
        lambda: [sentence("determination.alike", ALIKE)],
        "In this release the smallest class has 2 records, and a record matches at least 1 person of the population.",
    ),
    "some games": (
        lambda: (
            Verdict(policies={"safe-harbor": ROW}, played="safe-harbor", policy="safe-harbor", benefit=9.0).sentences
        ),
        "The basic game, the sh-friendly game and the no-attack game were not played.",
    ),
    "uniform policies that beat the policy": (
        frontier,
        "20 of 288 uniform policies (one strategy for all records) beat Safe Harbor, with less risk and more inform",
        "20 uniform policies are on the frontier: no other uniform policy beats them; 5 of them beat Safe Harbor.",
        "Safe Harbor keeps 70.84% of the information, at 48.1 expected re-identifications; at no more risk the best",
        "uniform policy keeps 85.90%, and a strategy for each record keeps 98.15%.",
        "To keep no less information than Safe Harbor, a uniform policy needs 2.4 expected re-identifications, and a",
    ),
    "uniform policies, some on one axis": (
        lambda: frontier(name="pairs", people=True, beat_policy_on_both=18),
        "(one strategy for all people) beat the policy \u201cpairs\u201d: 18 with less risk and more information, 2 as",
        "The policy \u201cpairs\u201d keeps",
        "a strategy for each person keeps",
    ),
    "uniform policies, all on one axis": (
        lambda: frontier(beat_policy=1, beat_policy_on_both=0),
        "1 of 288 uniform policies (one strategy for all records) beats Safe Harbor, as good on one axis and better",
    ),
    "uniform policies that do not beat the policy": (
        lambda: frontier(beat_policy=0, beat_policy_on_both=0, on_frontier=1, on_frontier_and_beat_policy=0),
        "None of 288 uniform policies (one strategy for all records) beats Safe Harbor",
        "1 uniform policy is on the frontier: no other uniform policy beats it.",
    ),
    "one uniform policy": (
        lambda: frontier(mine=0.0, policies=1, beat_policy=0, beat_policy_on_both=0, equal_policy=1),
        "The only uniform policy (one strategy for all records) does not beat Safe Harbor.",
        "1 uniform policy has the same risk and the same information as Safe Harbor.",
        "No release can have less risk than Safe Harbor, with no expected re-identification.",
    ),
    "a policy with several levels": (
        lambda: frontier(is_uniform=False, levels={"age": [0, 3], "sex": [0]}),
        "Safe Harbor is not a uniform policy itself: it releases age at level 0 or 3, by the value.",
    ),
    "a policy with missing values": (
        lambda: frontier(is_uniform=False),
        "Safe Harbor is not a uniform policy itself, because of values that are missing or differ.",
    ),
    "keys of persons": (
        lambda: warned(repeated_keys=[{"column": one, "rows": 60, "values": 1} for one in (None, "id")]),
        "A dropped column repeats like a person's key (60 rows, 1 value)",
        'write person = "..." with its name under [records], and remove it from drop.',
        "Column id repeats like a person's key",
        'write person = "id" under [records], and remove it from keep.',
    ),
    "records unlike the population": (
        lambda: [
            *warned(unmatched_records=1),
            *warned(unmatched_records=2, unmatched="safe"),
            *warned(records=1, unmatched_records=1, unmatched="safe"),
        ],
        "1 of 4 records (25.00%) matches no one in the population; it counts as one of a kind.",
        "1 of 1 record (100.00%) matches no one in the population; released as it is, it counts as safe only because",
        "2 of 4 records (50.00%) match no one in the population; released as they are, they count as safe only because",
    ),
    "levels of the population": (
        lambda: warned(population_levels={"age": 1, "zip": 2}),
        "Estimated: the population has age at level 1 and zip at level 2 only; below, people are taken to be spread",
    ),
    "missing values that are shown": (
        lambda: [
            *warned(missing_is_shown=True),
            *warned(missing_is_shown=True, population_is_the_records=True),
            sentence("risks.columns", {"shown": True}),
        ],
        "so that a missing value matches every person.",
        "so that a missing value matches only people without one.",
        "there was none, and the release shows it.",
    ),
    "kept columns": (
        lambda: kept({}, {"why": "unique"}, {"why": "identifier"}, {"why": "identifier", "share": None}, rows=2),
        "Kept column wife gives sex back in 50.00% of the released rows, where it was generalized.",
        "Kept column wife has a value that no other row has in 50.00% of the released rows",
        "Kept column wife looks like a direct identifier by its name, with a value in 50.00% of the released rows.",
        "Kept column wife looks like a direct identifier by its name.",
        "Shares of kept columns are of the released rows among the first 2 records.",
    ),
    "kept columns elsewhere": (
        lambda: kept(rows=None),
        "Kept columns were not checked for giving generalized attributes back",
    ),
    "uniqueness elsewhere": (
        lambda: uniqueness_words({"rows_looked_at": None, "released": 0, "columns": [], "together": None}, 4),
        "The uniqueness of kept columns was not measured: rows are not collected from their engine.",
    ),
    "uniqueness in a table as it is": (
        lambda: uniqueness_words(unique(3, unique_people=7, share_of_people=0.25)["uniqueness"], 50, of_game=False),
        "20 of 40 released rows (50.00%) are unique by 3 kept columns.",
        "7 of 30 people in the release (25.00%) are unique",
    ),
    "the game of a table": (
        lambda: [
            words
            for more in ({}, {"journalist": {}}, {"journalist": {}, "uniform": True})
            for words in table_game_words({**TABLE_GAME, **more})
        ],
        "The game: a benefit of $1,200.00, a loss of $300.00, a gain of $300.00, a cost of $4.00. The mean information",
        "If the records are the whole population, a recipient who knows the method counts the records of the class",
        "Records have different levels: a recipient who knows the levels of all people counts at most the people",
        "All records have the same levels: a recipient who knows the method counts the same people",
    ),
    "unique kept columns": (
        lambda: [*kept_words(unique(1), 100), *kept_words(unique(3, share_of_people=0.25), 100)],
        "Kept column c0 has a value that no other row has in 50.00% of 40 released rows among the first 50 records",
        "The 3 kept columns together are unique in 50.00% of 40 released rows among the first 50 records",
        "Two kept columns, c0 and c1, are unique in 20.00% of 40 released rows among the first 50 records.",
        "25.00% of 30 people in the release are unique by the set of kept values in all their rows",
    ),
    "recipients of the explorer": (
        lambda: varied_recipients_words(
            SimpleNamespace(
                recipients={
                    "club": SimpleNamespace(gain=1.0, cost=None, loss=2.0),
                    "thief": SimpleNamespace(gain=None, cost=None, loss=None),
                }
            )
        ),
        "The sliders change the stakes of the recipients club and thief.",
        "club has an individual gain and loss, which no slider changes.",
    ),
    "rows of the population of which only the shapes are shown": (
        lambda: examples(
            [
                {
                    "before": {"age": "##"},
                    "levels": {"age": 0},
                    "released": {"age": "##"},
                    "withheld": False,
                    "people": 3,
                }
            ],
            shapes=True,
        )["examples_words"],
        "1 row of the population is shown",
        "each character is shown as #.",
    ),
    "nothing left out": (lambda: [sentence("data.left_out", {"columns": 0})], "None was declared to be left out."),
    "earlier releases that cost something": (
        lambda: earlier_words(
            {"earlier": EARLIER | {"cost": MEANS | {"as_without": 1, "generalized": 2, "withheld": 1, "other": 3}}}
        ),
        "The recipient has 2 earlier releases: 1 record is of a person with a row there, and 8 records are not.",
        "2 records have a value that an earlier row rules out;",
        "Because of them, 2 records are generalized further, 1 more record is withheld and 3 records have other",
        "; 1 record has the strategy that it would have without them.",
        "3 records cannot be made safe:",
    ),
    "earlier releases that cost nothing": (
        lambda: earlier_words(
            {"earlier": EARLIER | {"cost": MEANS | {"as_without": 9, "generalized": 0, "withheld": 0, "other": 0}}}
        ),
        "The earlier releases cost nothing:",
    ),
    "earlier releases of a policy": (
        lambda: earlier_words({"earlier": EARLIER | {"cost": None}}),
        "The cost of the earlier releases is computed for the games basic,",
    ),
    "a certificate": (
        lambda: [
            *(signature_words(signed=signed, key=key) for signed, key in ((False, ""), (True, ""), (True, "e.pub"))),
            signature_words(key="e.pub", faults=["manifest.json.sig is not there"]),
            signature_words(signed=True, signer={"by": "A. Expert", "on": "2026-02-28"}),
            *sentences("certificate.altered", {"files": ["release.csv has another digest"]}),
            *(validity({"valid_from": one, "valid_until": other}) for one, other in (("a", "b"), ("a", ""), ("", "b"))),
        ],
        "not signed",
        "manifest.json.sig exists; it was not checked, because no public key was given.",
        "manifest.json.sig is the signature of manifest.json by the key of e.pub.",
        "The signature does not hold: manifest.json.sig is not there.",
        "A. Expert, 2026-02-28, as the signer states. manifest.json.sig exists;",
        "This certificate does not hold: release.csv has another digest. Run again.",
        "from a until b\nfrom a; its end is not named\nuntil b; its beginning is not named",
    ),
    "limits without strategies": (
        lambda: [sentence("run.withheld", {"limited": True, "proved": False})],
        "Every record is withheld: no strategies were found that pay more in total.",
    ),
    **PRINTED,
}
"""Sentences that no small question shows: what says them, and parts of what is said."""

ROW = {"records": 4, "withheld": 0.0, "proved": None, "gap": None, "attacked": 0.5, "spread": None, "highest_risk": 0.5}
ROW |= {"expected_reidentifications": 1.0, "publisher_payoff": 5.0, "aware": "the population is estimated"}
ROW |= {"marketer": {"reidentifications": 2.0, "spread": None}}


def shown_by_runs(run_shape: Callable[[str], RunTexts]) -> dict[str, Mapping[tuple[str, int], str]]:
    """Return what the runs show, and drafts of their results that were changed."""
    runs = {shape: run_shape(shape) for shape in SHOWING}
    found = {shape: run.shown for shape, run in runs.items()}
    plain = runs["thresholds + withheld in sh-friendly"]
    summary, content, manifest = documents(plain.out)
    with noted() as shown:
        determination(ReportDocuments(summary={**summary, "robustness": None}, content=content, manifest=manifest))
    found["a draft without ranges"] = shown
    club = runs["recipients, a club + limits, uniform"]
    summary, content, manifest = documents(club.out)
    scenario = manifest["scenario"]
    one = next(iter(scenario["recipients"].values()))
    one |= {"knows": scenario["records"]["keep"][:1], "levels": {}, "population": None}
    with noted() as shown:
        determination(ReportDocuments(summary=summary, content=content, manifest=manifest))
    found["a draft with known kept columns"] = shown
    return found


def test_every_sentence_is_as_it_should_be_where_it_holds_and_is_shown_only_there(run_shape):
    missing = []
    shown_by = shown_by_runs(run_shape)
    for case, (said, *parts) in SAID.items():
        with noted() as shown:
            text = "\n".join(said())
        shown_by[case] = shown
        missing += [(case, part, text) for part in parts if part not in text]
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
