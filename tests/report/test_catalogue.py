"""Each sentence of the catalogue is shown by a question in which it holds, and not by one in which it does not."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from report_shapes import RunTexts, flat, noted

from gamedeid import catalogue as source
from gamedeid.attacks.result import AttackCounts
from gamedeid.catalogue import catalogue, sentence
from gamedeid.report.determination.content import determination
from gamedeid.report.html.stored import Results
from gamedeid.report.words.aware import mechanism_words
from gamedeid.report.words.checks import attack_sentences, unresolved_words, verified_words
from gamedeid.report.words.limits import cost_words, limit_rows, limit_words
from gamedeid.report.words.risks import diversity_words
from gamedeid.report.words.verdict import Verdict

ENTRIES = [
    (f"{path.stem}.{name}", place)
    for path in sorted(source.FOLDER.glob("*.toml"))
    for name, entries in catalogue(path.stem).items()
    if isinstance(entries, list) and isinstance(entries[0], dict)
    for place in range(len(entries))
]

SHOWING = (
    *("aware, no population", "aware, for the records", "aware-basic", "a thief alone", "a limit that does not"),
    *("some withheld", "unmatched, safe", "sampling fraction", "nobody attacked", "persons", "withheld in basic"),
    "thresholds",
    *("withheld in no-attack", "withheld in sh-friendly", "limits, uniform", "limits, uniform by sex", "limits, ties"),
    *("limits, a game without any", "limits, withheld", "recipients within limits", "recipients, lattice search"),
    *("recipients, withheld", "recipients, nobody attacked", "recipients, a price", "recipients, a club"),
)
"""Questions that show every sentence of a run."""


def counts(**changed: Any) -> AttackCounts:
    plain = {
        "strategy": None,
        "records": 4,
        "attacks": 10,
        "successes": 5,
        "expected_successes": 5.0,
        "random_guess_successes": 0,
    }
    return AttackCounts(**{**plain, "one_attribute_successes": None, "surprise": 0.5, "agrees": True, **changed})


def attacker(name: str, *, otherwise: int = 0, **changed: Any) -> SimpleNamespace:
    total = counts(**changed)
    more = {"recipient": name, "groups": [total], "total_agrees": total.agrees, "rows_seen_otherwise": otherwise}
    return SimpleNamespace(**{key: getattr(total, key) for key in AttackCounts.keys if hasattr(total, key)}, **more)


def attacks(*recipients: SimpleNamespace) -> list[str]:
    agree = all(one.agrees for one in recipients)
    return list(attack_sentences(SimpleNamespace(notes=["a note"], recipients=recipients, agrees=agree)))


def limited(**changed: Any) -> dict[str, Any]:
    """Return a summary with one limit."""
    one = {"limit": 2.0, "reached": 1.5, "binding": True, "shadow_price": 0.0}
    limits = {"payoff": 10.0, "bound_by_prices": 12.0, "proved": True, "gap": 0.0, "payoff_without_limits": None}
    asked = {"asked": {"expected_reidentifications": one}, "unmet_in": []}
    return {"limits": {**limits, **asked, **changed}, "data": {"records": 4}}


PLANNED = {"planned_for": "population", "publisher_payoff": 5.0, "payoff_bound": 6.0, "bound_by": "prices"}
OUTCOMES = {"as_planned": 3, "joined": 1, "withheld_as_planned": 0, "no_group": 0, "group_too_small": 0}
ALIKE = {"name": "In this release", "whom": "the population", "nothing": False, "unmatched": False, "share": ""}
ALIKE |= {"smallest": "2 records", "people": "1 person"}
UNMEASURED = {"rows_looked_at": None, "columns": [], "released": 0, "classes": 0}
KEPT = {"rows_looked_at": 4, "columns": ["a"], "released": 4, "classes": 2}

SAID = {
    "attacks that agree": (lambda: attacks(attacker("naive")), "The successes agree with the formulas: naive."),
    "nothing attacked": (
        lambda: attacks(attacker("naive", attacks=0, successes=0, expected_successes=0.0)),
        "naive: no record is worth an attack to this recipient.",
    ),
    "attacks that differ": (
        lambda: attacks(attacker("naive", successes=9, agrees=False, otherwise=2)),
        "a note",
        "naive: more successes than expected by the formulas: 9 of 10 attacks in all worlds, expected 5.0.",
        "naive: in 1 of 1 group of records the successes differ from the expected ones (1 with more, 0 with",
        "naive: the chance differs from the strategies in 2 released rows: other numbers of candidates match.",
        "The release differs from its strategies",
    ),
    "attacks without a formula": (
        lambda: attacks(attacker("noisy", expected_successes=None, surprise=None)),
        "noisy: there is no formula for a list with errors; the successes are not compared.",
    ),
    "a folder that holds": (lambda: [verified_words("out", 0)], "out: all checks passed."),
    "a folder that does not": (lambda: [verified_words("out", 2)], "out: verification failed, 2 findings."),
    "identifiers": (lambda: [unresolved_words(1)], "1 finding not resolved."),
    "no identifiers": (lambda: [unresolved_words(0)], "No unresolved findings."),
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
    "a finished plan": (
        lambda: mechanism_words({**PLANNED, "optimal": False, "applied": OUTCOMES}),
        (
            "No group was opened. Of the records: 3 released by the finished run's strategy for the same values; 1 "
            "with other values, released in groups that the finished run opened."
        ),
        "the publisher is paid $5.00 per record; no strategies pay more than $6.00.",
    ),
    "rows elsewhere": (lambda: diversity_words(UNMEASURED, 4), "was not measured"),
    "rows of people": (
        lambda: diversity_words(KEPT, 4, of_people=True),
        "4 released rows, in 2 classes",
        "all rows of",
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
    "limits without strategies": (
        lambda: [sentence("run.withheld", {"limited": True, "proved": False})],
        "Every record is withheld: no strategies were found that pay more in total.",
    ),
}
"""Sentences that no small question shows: what says them, and parts of what is said."""

ROW = {"records": 4, "withheld": 0.0, "proved": None, "gap": None, "attacked": 0.5, "spread": None, "highest_risk": 0.5}
ROW |= {"expected_reidentifications": 1.0, "publisher_payoff": 5.0, "aware": "the population is estimated"}
ROW |= {"marketer": {"reidentifications": 2.0, "spread": None}}


@pytest.mark.parametrize("case", SAID)
def test_a_sentence_that_no_small_question_shows_is_as_it_should_be(case):
    said, *parts = SAID[case]

    for part in parts:
        assert part in "\n".join(said())


@pytest.fixture(scope="session", name="shown_by")
def _shown_by(run_shape) -> dict[str, RunTexts | dict[tuple[str, int], str]]:
    """Return what shows sentences -> the run, or the sentences."""
    found: dict[str, Any] = {shape: run_shape(shape) for shape in SHOWING}
    for case, (said, *_) in SAID.items():
        with noted() as shown:
            said()
        found[case] = shown
    plain = found["thresholds"]
    manifest = json.loads((plain.out / "manifest.json").read_text("utf-8"))
    with noted() as shown:
        determination(Results(summary={**plain.summary, "robustness": None}, content=plain.content, manifest=manifest))
    found["a draft without ranges"] = shown
    return found


@pytest.mark.parametrize(("table", "place"), ENTRIES)
def test_a_sentence_is_shown_where_it_holds_and_only_there(shown_by, table, place):
    entry = (table, place)
    runs = [one for one in shown_by.values() if isinstance(one, RunTexts)]
    shown = [one.shown if isinstance(one, RunTexts) else one for one in shown_by.values()]

    assert any(entry in one for one in shown), "no scenario shows it"
    for run in runs:
        text, printed = flat(run.shown.get(entry, "")), [flat(one) for one in (run.terminal, run.page, run.draft)]
        assert any(text in one for one in printed), (run.shape, text)
    if "when" in catalogue(table.split(".")[0])[table.split(".")[1]][place]:
        assert not all(entry in one for one in shown), "it has a condition, and every scenario shows it"
