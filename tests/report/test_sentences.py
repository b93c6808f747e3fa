"""Sentences of terminal, report and draft against the numbers in summary.json, in questions of many shapes."""

import re

import pytest
from depth import tries
from report_shapes import OTHERS, PLAIN, RunTexts, flat
from small_world import gamedeid_says

from gamedeid.amounts import number
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.words.limits import limit_grid, limit_words, policy_limit_words
from gamedeid.report.words.verdict import verdict_of, verdict_on

FEW_PLAIN = (
    "withheld in no-attack",
    "some withheld",
    "no population",
    "lattice search",
    "unmatched, safe",
    "sampling fraction",
)
FEW_OTHERS = ("a limit that binds", "limits, withheld", "recipients, a thief", "aware, for the records", "aware-basic")


@pytest.fixture(params=tries(FEW_PLAIN, tuple(PLAIN)), name="plain", scope="module")
def _plain(request, run_shape) -> RunTexts:
    return run_shape(request.param)


@pytest.fixture(params=tries(FEW_OTHERS, tuple(OTHERS)), name="other", scope="module")
def _other(request, run_shape) -> RunTexts:
    return run_shape(request.param)


def test_the_terminal_opens_with_the_verdict_of_the_summary(plain):
    verdict = verdict_of(plain.summary)

    assert verdict == plain.terminal.splitlines()[1 : 1 + len(verdict)]
    policies, played = plain.summary["policies"], plain.summary["game"]
    groups = AWARE_GAMES if plain.summary["data"]["population_is_the_records"] else ()
    assert [plain.summary["policy"]["name"], *GAMES, *groups] == list(policies)
    assert plain.summary["measures"].items() <= policies[played].items()
    assert plain.content["comparison"] == [
        {**{key: policies[row["policy"]][key] for key in plain.summary["measures"]}, **row}
        for row in plain.content["comparison"]
    ]


def test_the_verdict_s_figures_stand_in_report_and_terminal(plain):
    verdict = verdict_on(plain.summary)

    assert (plain.summary["measures"]["withheld"] == 1) == (verdict.rows == [])
    for row in verdict.rows:
        assert " ".join(cell for cell in row if cell) in plain.page
        assert any(
            [cell.strip() for cell in line.strip("│").split("│")] == list(row) for line in plain.terminal.splitlines()
        )
    assert verdict.headline in plain.page


def test_the_highest_risk_the_spread_and_the_attacks_on_everybody_are_those_of_the_release(plain):
    mine, risks = plain.summary["policies"][plain.summary["game"]], plain.content["risks"]["release"]
    [line] = [line for line in plain.terminal.splitlines() if "│ ... if all were attacked" in line]

    assert risks["prosecutor"]["highest"] == mine["highest_risk"]
    assert (risks["spread"], risks["spread_if_all"]) == (mine["spread"], mine["marketer"]["spread"])
    assert risks["journalist"]["highest"] == pytest.approx(mine["marketer"]["spread"]["highest"])
    marketer = {key: pytest.approx(value, rel=1e-12) for key, value in risks["marketer"]["journalist"].items()}
    assert marketer == {key: mine["marketer"][key] for key in marketer}
    assert number(mine["marketer"]["reidentifications"], 1) == line.split("│")[2].strip()
    aware = plain.content["aware"]
    assert mine["aware"] == (aware if isinstance(aware, str) else {key: aware["aware"][key] for key in mine["aware"]})


def test_no_number_of_one_has_a_plural(plain):
    for text in (plain.terminal, plain.page):
        assert [] == re.findall(
            r"(?<![\w.,])1 (?:records|people|profiles|strategies|columns|rows|combinations)\b(?!\.)", text
        )
        assert [] == re.findall(r"none of (?:1|the one)\b", text)


def test_all_numbers_of_one_solver_agree(plain):
    summary, content = plain.summary, plain.content
    played = {row["policy"]: row for row in content["comparison"]}
    best = {**played, **{row["policy"]: row for row in content["best"]}}

    assert summary["measures"].items() <= played[summary["game"]].items()
    assert (not summary["search"]["proved"]) == bool(content["best"])
    for drawn, stake in ((content["map"], "loss"), *((content["lines"][stake], stake) for stake in content["lines"])):
        chosen = summary["payoffs"]
        rows = [
            place
            for place, policy in enumerate(drawn["policy"])
            if all(drawn[name][place] == chosen[name] for name in {stake, "benefit", "loss"} & drawn.keys())
        ]
        assert 4 == len(rows)
        for row in rows:
            expected = best[drawn["policy"][row]]["publisher_payoff"]
            assert expected == pytest.approx(drawn["publisher_payoff"][row], rel=1e-5, abs=1e-6)
    ranked = [best[name]["publisher_payoff"] for name in summary["robustness"]["ranking"]]
    assert ranked == sorted(ranked, reverse=True)
    assert "exact" == summary["robustness"]["solver"]


def test_terminal_page_and_draft_open_with_the_same_verdict(other):
    said = verdict_of(other.summary)

    assert said == other.terminal.splitlines()[1 : 1 + len(said)]
    for sentence in said:
        assert sentence in flat(other.page)
        assert sentence in flat(other.draft)


def test_a_report_made_again_is_the_same(other):
    before = (other.out / "report.html").read_bytes()

    assert 0 == gamedeid_says("report", other.out).code
    assert before == (other.out / "report.html").read_bytes()
    assert "sensitivity.csv" not in {path.name for path in other.out.iterdir()}


def test_a_sample_is_no_census(run_shape):
    text = flat(run_shape("sampling fraction").page)

    assert "The records are taken for a random sample of the population." in text
    assert "The population is the right one." not in text


def test_knowing_the_method_is_not_said_to_find_more_where_it_finds_the_same(run_shape):
    run = run_shape("nobody attacked")

    assert "no further record is worth attacking" in flat(run.page)
    assert "may find more" in flat(run.page)
    assert "and finds more" not in flat(run.page)


def test_a_limit_on_cells_is_kept_where_nothing_is_released_and_the_policy_is_judged_by_its_smallest_cell(run_shape):
    summary = run_shape("limits, uniform").summary
    policy = summary["policies"][summary["policy"]["name"]]
    for smallest, words in (
        (1, "would break the limit on the records in the smallest cell (1)."),
        (2, "keeps to the limit on the records in the smallest cell, too."),
    ):
        row = {**policy, "highest_risk": 1 / smallest}
        changed = {**summary, "policies": {**summary["policies"], summary["policy"]["name"]: row}}
        assert words in policy_limit_words(changed)

    alone = {**summary, "limits": {**summary["limits"], "asked": {}}}  # one strategy for all: whose is not in figures
    assert policy_limit_words(alone).endswith("may keep to them or not.")

    asked = {"smallest_cell": {**summary["limits"]["asked"]["smallest_cell"], "reached": 0.0}}
    nothing = {**summary, "limits": {**summary["limits"], "asked": asked}}
    assert limit_words(nothing)[0] == "Limit smallest_cell: no cell is released, so none has fewer than 2 records."
    assert limit_grid(nothing).rows[0][2] == "none"
