"""Reports within limits, of recipients and of aware games: each sentence holds, in questions of many shapes."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from depth import tries
from html_pages import Page
from small_world import RECORDS, SCENARIO, gamedeid_says, small_world

from gamedeid.amounts import dollars, number, percent
from gamedeid.report.words.limits import loosened
from gamedeid.report.words.run import run_facts, run_words
from gamedeid.report.words.verdict import verdict_of

ONE = "".join(RECORDS.splitlines(keepends=True)[:2])
ALONE = SCENARIO.replace('[population]\npath = "people.csv"\ncount = "count"\n', "")
SEVERAL = """
[recipients.researcher]
[recipients.neighbour]
probability = 0.5
knows = ["age"]
covers = 0.7
gain = 60
[recipients.neighbour.learns]
knows = ["sex"]
probability = 0.25
"""
THIEF = """
[recipients.thief]
probability = 0.1
cost = 0
loss = 50
"""
FEW = ("--set", "limits.expected_reidentifications=0.25")
AWARE = ("--game", "aware-no-attack")
WEIGHED = ("--game", "aware-basic")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A question: what is changed in the small world, and on the command line."""

    words: tuple[str, ...] = ()
    scenario: str = SCENARIO
    records: str = RECORDS


SHAPES = {
    "a limit that binds": Shape(words=FEW),
    "a limit that does not": Shape(words=("--set", "limits.expected_reidentifications=9")),
    "limits, withheld": Shape(words=("--set", "limits.record_risk=0.01")),
    "limits, a game without any": Shape(words=("--set", "limits.publisher_payoff=70")),
    "limits, no population": Shape(scenario=ALONE, words=("--set", "limits.attacked=0.5")),
    "limits, uniform": Shape(words=("--set", "limits.uniform=true", "--set", "limits.smallest_cell=2")),
    "limits, one record": Shape(records=ONE, words=("--set", "limits.list_price=10", "--policy", "pairs")),
    "limits, ties": Shape(words=(*FEW, "--set", "payoffs.cost=45", "--game", "no-attack")),
    "recipients": Shape(scenario=SCENARIO + SEVERAL),
    "recipients, a thief": Shape(scenario=SCENARIO + SEVERAL + THIEF, words=("--game", "no-attack")),
    "a thief alone": Shape(scenario=SCENARIO + THIEF),
    "recipients, withheld": Shape(
        scenario=SCENARIO + SEVERAL + THIEF, words=("--set", "payoffs.cost=1", "--game", "no-attack")
    ),
    "recipients, nobody attacked": Shape(scenario=SCENARIO + SEVERAL, words=("--set", "payoffs.cost=91")),
    "recipients, no population": Shape(scenario=ALONE + SEVERAL + THIEF),
    "recipients, lattice search": Shape(scenario=SCENARIO + SEVERAL, words=("--solver", "lattice-search")),
    "recipients, one record": Shape(scenario=SCENARIO + THIEF, records=ONE, words=("--policy", "pairs")),
    "recipients within limits": Shape(scenario=SCENARIO + SEVERAL + THIEF, words=FEW),
    "aware": Shape(words=AWARE),
    "aware, for the records": Shape(words=(*AWARE, "--set", "groups.planned_for=records")),
    "aware, withheld": Shape(words=(*AWARE, "--set", "payoffs.cost=1")),
    "aware, no population": Shape(scenario=ALONE, words=(*AWARE, "--set", "payoffs.cost=40")),
    "aware, one record": Shape(records=ONE, words=(*AWARE, "--policy", "pairs")),
    "aware, nobody attacked": Shape(words=(*AWARE, "--set", "payoffs.cost=91")),
    "aware-basic": Shape(words=WEIGHED),
    "aware-basic, withheld": Shape(words=(*WEIGHED, "--set", "payoffs.loss=100000")),
    "aware-basic, no population": Shape(scenario=ALONE, words=WEIGHED),
    "aware-basic, one record": Shape(records=ONE, words=(*WEIGHED, "--policy", "pairs")),
    "aware-basic, nobody attacked": Shape(words=(*WEIGHED, "--set", "payoffs.cost=91")),
}


@dataclass(frozen=True, kw_only=True)
class RunTexts:
    """What a run said and stored."""

    terminal: str
    page: str
    draft: str
    summary: dict[str, Any]
    content: dict[str, Any]
    out: Path


FEW_SHAPES = (
    "a limit that binds",
    "limits, withheld",
    "limits, a game without any",
    "recipients, a thief",
    "recipients, withheld",
    "aware, for the records",
    "aware, withheld",
    "aware-basic",
)
"""Those that are tried in every run."""


@pytest.fixture(scope="module", params=tries(FEW_SHAPES, tuple(SHAPES)), name="run_texts")
def _run_texts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunTexts:
    """Run a question with its report."""
    shape, folder = SHAPES[request.param], tmp_path_factory.mktemp("kinds")
    out = folder / "out"
    question = small_world(folder, scenario=shape.scenario, records=shape.records)
    said = gamedeid_says("run", question, "-o", out, *shape.words)
    assert (0, "") == (said.code, said.err)
    assert 0 == gamedeid_says("determination", out, "-o", folder / "draft.md").code
    return RunTexts(
        terminal=said.out,
        page=Page((out / "report.html").read_text("utf-8")).text,
        draft=(folder / "draft.md").read_text("utf-8"),
        summary=json.loads((out / "summary.json").read_text("utf-8")),
        content=json.loads((out / "report.json").read_text("utf-8")),
        out=out,
    )


def flat(text: str) -> str:
    return " ".join(text.split())


def test_terminal_page_and_draft_open_with_the_same_verdict(run_texts: RunTexts) -> None:
    said = verdict_of(run_texts.summary)

    assert said == run_texts.terminal.splitlines()[1 : 1 + len(said)]
    for sentence in said:
        assert sentence in flat(run_texts.page)
        assert sentence in run_texts.draft.replace("\\", "")
    mine = run_texts.summary["measures"]
    assert ("withholds every record" in said[0]) == (mine["withheld"] == 1)
    if mine["withheld"] < 1:
        assert bool(re.search(r": none \(0.00% worth attacking; ", said[0])) == (mine["attacked"] == 0)
        aware = run_texts.summary["policies"][run_texts.summary["game"]]["aware"]
        assert isinstance(aware, str) == ("; not computed (" in said[0] or "; not computed if" in said[0])


def test_a_report_made_again_is_the_same(run_texts: RunTexts) -> None:
    before = (run_texts.out / "report.html").read_bytes()

    assert 0 == gamedeid_says("report", run_texts.out).code
    assert before == (run_texts.out / "report.html").read_bytes()
    assert "sensitivity.csv" not in {path.name for path in run_texts.out.iterdir()}


def test_what_is_not_known_of_other_figures_is_said(run_texts: RunTexts) -> None:
    page = flat(run_texts.page)
    if "recipients" in run_texts.summary and "limits" not in run_texts.summary:
        assert "Lines and maps are of one adversary, and not drawn here." in page
        assert "The ranges are exact" in page
        assert "At least 95% of the records keep" in page
        assert "At least 95% of the records keep" in run_texts.draft
        assert {"benefit", "loss", "cost"} == set(run_texts.summary["robustness"]["ranges"])
        return
    assert "How far the answer depends on them is not shown here" in page
    assert "The ranges are exact" not in page
    assert "At least 95% of the records keep" not in page
    assert "the sensitivity analysis shows what other figures would change" not in page
    assert "How far the answer depends on them is not shown here" in run_texts.draft
    assert run_texts.summary["robustness"] is None


def test_each_limit_stands_with_what_was_reached_and_what_loosening_gains(run_texts: RunTexts) -> None:
    limits = run_texts.summary.get("limits")
    if limits is None:
        assert "Limits on the whole dataset" not in run_texts.page
        assert "the limits" not in run_texts.terminal
        return
    page = flat(run_texts.page)
    assert "Limits on the whole dataset" in page
    assert "no permitted strategy is better for any record" not in page
    assert "no permitted strategy is better." not in page
    for name, one in limits["asked"].items():
        worth = loosened(name, limits)
        if worth is None or worth < 0.005:
            assert "the best strategies could gain at most" not in page or len(limits["asked"]) > 1
        else:
            assert dollars(worth) in page
            assert dollars(worth) in run_texts.terminal
        if one["binding"] and worth is not None:
            assert worth >= one["shadow_price"] * 0.001
    if limits["payoff_without_limits"] is None:
        assert "The cost of the limits was not computed" in page
    else:
        cost = limits["payoff_without_limits"] - limits["payoff"]
        assert ("The limits cost nothing" in page) == (cost < 0.005)
    assert ("no strategies within them pay more" in page) == limits["proved"]
    for game in limits["unmet_in"]:
        assert game not in run_texts.summary["policies"]
        assert f"he {game} game has no strategies within the limits" in page
    assert "other games would take long" not in run_texts.terminal
    policy = run_texts.summary["policies"][run_texts.summary["policy"]["name"]]
    few = limits["asked"].get("expected_reidentifications")
    if few is not None:
        assert ("would break the limit on expected re-identifications" in page) == (
            policy["expected_reidentifications"] > few["limit"]
        )


def test_each_recipient_stands_with_what_she_does(run_texts: RunTexts) -> None:
    found = run_texts.summary.get("recipients")
    if found is None:
        assert "all recipients together" not in run_texts.page
        return
    page, measures = flat(run_texts.page), run_texts.summary["measures"]
    for name, one in found.items():
        assert f"{name} " in page
        assert percent(one["attacked"]) in page
        assert dollars(one["publisher_loss"]) in page
    total = sum(one["expected_reidentifications"] for one in found.values())
    assert pytest.approx(measures["expected_reidentifications"], rel=1e-9) == total
    for text in (page, flat(run_texts.draft)):
        assert ("This is background risk" in text) == ("thief" in found)
    if "thief" in found:
        assert "An attacker who acts out of curiosity, spite or by accident is not in the model" not in page
        assert "what nobody gains from attacking" not in page
    assert "an attack pays where" not in page
    assert "Source of the stakes and knowledge of each recipient" in run_texts.draft


def test_an_aware_game_says_for_whom_it_was_planned_and_how_good_it_is(run_texts: RunTexts) -> None:
    mechanism = run_texts.summary.get("mechanism")
    if mechanism is None:
        assert "planned for" not in run_texts.page
        return
    page = flat(run_texts.page)
    for text in (page, flat(run_texts.draft)):
        assert f"The strategies were planned for the {mechanism['planned_for']}:" in text
        assert ("can identify the people who only fill a group" in text) == (mechanism["planned_for"] == "records")
        assert f"strategies pay more than {dollars(mechanism['payoff_bound'])}" in text
        assert "gamedeid verify computes the release and its measures again" in text
        chosen = mechanism["smallest_group"] > 0
        assert (f"The smallest released group has {mechanism['smallest_group']:,} p" in text) == chosen
        assert ("optimal: within 0.01%" in text) == mechanism["optimal"]
        assert f"; proved by the {mechanism['bound_by']}." in text
    knowing = run_texts.content["aware"]["aware"]
    if run_texts.summary["game"] == "aware-no-attack":
        assert 0 == knowing["attacked"]
        assert "; none (0.00% worth attacking" in verdict_of(run_texts.summary)[0] or not chosen
    else:
        assert knowing["publisher_payoff"] == pytest.approx(mechanism["publisher_payoff"])
        assert knowing["attacked"] == pytest.approx(mechanism["attacked"])
        assert f"the publisher is paid {dollars(mechanism['publisher_payoff'])} per record" in page
        assert f"{percent(knowing['attacked'])} worth attacking" in verdict_of(run_texts.summary)[0]
    for beside in run_texts.summary["policies"].values():
        for side in (beside, beside["aware"]):
            assert number(side["expected_reidentifications"], 1) in page
            assert dollars(side["publisher_payoff"]) in page


def test_the_method_is_that_of_the_question(run_texts: RunTexts) -> None:
    facts = run_facts(run_texts.summary)

    assert not facts["plain"]
    for formula in run_words(facts)["formulas"]:
        assert re.sub(r"\W", "", formula) in re.sub(r"\W", "", run_texts.draft)
