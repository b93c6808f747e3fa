"""Sentences of the terminal and the report against the numbers in summary.json, in questions of many shapes."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from html_pages import Page
from small_world import RECORDS, SCENARIO, gamedeid_says, small_world

from gamedeid.amounts import dollars, expectation, four, number, percent, range_words
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.words.names import heading_words
from gamedeid.report.words.risks import COLUMNS, knowledge, risk_rows
from gamedeid.report.words.verdict import risk_words, verdict_of, verdict_on

ALONE = SCENARIO.replace('[population]\npath = "people.csv"\ncount = "count"\n', "")
ONE_ATTRIBUTE = SCENARIO.replace('[attributes.sex]\nhierarchy = "sex"\n', "").replace(
    'drop = ["name"]', 'drop = ["name", "sex"]'
)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A question: what is changed in the small world, and on the command line."""

    words: tuple[str, ...] = ()
    scenario: str = SCENARIO
    records: str = RECORDS
    people: str | None = None


SHAPES = {
    "plain": Shape(),
    "withheld in basic": Shape(words=("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=9000")),
    "withheld in no-attack": Shape(words=("--set", "payoffs.cost=1", "--game", "no-attack")),
    "withheld in sh-friendly": Shape(
        words=("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=9000", "--game", "sh-friendly", "--policy", "pairs")
    ),
    "some withheld": Shape(words=("--set", "payoffs.cost=0.1", "--set", "payoffs.loss=600")),
    "nobody attacked": Shape(words=("--set", "payoffs.cost=91")),
    "no population": Shape(scenario=ALONE),
    "no population, no attack": Shape(scenario=ALONE, words=("--game", "no-attack", "--set", "payoffs.cost=30")),
    "lattice search": Shape(words=("--solver", "lattice-search", "--set", "payoffs.loss=200")),
    "withheld by lattice search": Shape(
        words=("--solver", "lattice-search", "--set", "payoffs.cost=1", "--game", "no-attack")
    ),
    "one record": Shape(records="".join(RECORDS.splitlines(keepends=True)[:2])),
    "one record, no population": Shape(scenario=ALONE, records="".join(RECORDS.splitlines(keepends=True)[:2])),
    "ties": Shape(words=("--set", "payoffs.cost=45", "--set", "payoffs.loss=90")),
    "one attribute": Shape(
        scenario=ONE_ATTRIBUTE.replace("[population]", '[population]\ndrop = ["sex"]'),
    ),
    "unmatched, safe": Shape(
        words=("--set", "population.unmatched=safe"), people="age,sex,count\n40,Male,1\n41,Male,5\n50,Female,2\n"
    ),
    "sampling fraction": Shape(
        scenario=SCENARIO.replace('path = "people.csv"\ncount = "count"\n', "sampling_fraction = 0.1\n")
    ),
    "levels": Shape(
        scenario=SCENARIO.replace('count = "count"\n', 'count = "count"\nlevels = { age = 1 }\n'),
        people="age,sex,count\n[40-41],Male,6\n[50-51],Female,4\n[50-51],Male,10\n",
    ),
}


@dataclass(frozen=True, kw_only=True)
class RunTexts:
    """What a run said and stored."""

    shape: str
    terminal: str
    page: str
    summary: dict[str, Any]
    content: dict[str, Any]


@pytest.fixture(scope="module", params=SHAPES)
def run_texts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunTexts:
    """Run a question with its report."""
    shape = SHAPES[request.param]
    folder = tmp_path_factory.mktemp("sentences")
    files = {"scenario": shape.scenario, "records": shape.records}
    if shape.people is not None:
        files["people"] = shape.people
    out = folder / "out"
    said = gamedeid_says("run", small_world(folder, **files), "-o", out, *shape.words)
    assert (0, "") == (said.code, said.err)
    return RunTexts(
        shape=request.param,
        terminal=said.out,
        page=Page((out / "report.html").read_text("utf-8")).text,
        summary=read(out / "summary.json"),
        content=read(out / "report.json"),
    )


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def test_the_terminal_shows_the_measures_as_they_are(run_texts: RunTexts) -> None:
    measures = run_texts.summary["measures"]

    for words, shown in (
        ("publisher's payoff per record", dollars(measures["publisher_payoff"])),
        ("released unmodified", percent(measures["unmodified"])),
        ("withheld", percent(measures["withheld"])),
        ("attacked", percent(measures["attacked"])),
        ("re-identification probability", four(measures["reidentification_probability"])),
        ("expected re-identifications", number(measures["expected_reidentifications"], 1)),
    ):
        [line] = [line for line in run_texts.terminal.splitlines() if re.match(rf"│ {re.escape(words)} +│", line)]
        assert shown == line.split("│")[2].strip()


def test_the_terminal_opens_with_the_verdict_of_the_summary(run_texts: RunTexts) -> None:
    verdict = verdict_of(run_texts.summary)

    assert verdict == run_texts.terminal.splitlines()[1 : 1 + len(verdict)]
    policies, played = run_texts.summary["policies"], run_texts.summary["game"]
    groups = AWARE_GAMES if run_texts.summary["data"]["population_is_the_records"] else ()
    assert [run_texts.summary["policy"]["name"], *GAMES, *groups] == list(policies)
    assert run_texts.summary["measures"].items() <= policies[played].items()
    assert run_texts.content["comparison"] == [
        {**{key: policies[row["policy"]][key] for key in run_texts.summary["measures"]}, **row}
        for row in run_texts.content["comparison"]
    ]
    headline = verdict[0]
    mine = policies[played]
    assert (mine["withheld"] == 1) == (" withholds every record: there is nothing to attack." in headline)
    shown = policies[run_texts.summary["policy"]["name"] if mine["withheld"] == 1 else played]
    aware, everybody = shown["aware"], shown["marketer"]["reidentifications"]
    known = None if isinstance(aware, str) else aware["expected_reidentifications"]
    for case, expected in (
        ("counts matching people and makes only attacks that pay", shown["expected_reidentifications"]),
        ("also knows how the release was made", known),
        ("counts and attacks every released record", everybody),
    ):
        words = "not computed" if expected is None else expectation(expected)
        assert re.search(rf"[:;] {re.escape(words)}( \([^()]*\))? if the recipient {case}[;.]", headline)
    unknown = "needs a population with every attribute as it is, and this one is estimated" in verdict[-1]
    assert isinstance(aware, str) == (run_texts.shape in {"sampling fraction", "levels"}) == unknown
    assert f"among the records: {risk_words(shown['highest_risk'])}" in headline
    assert (", by estimate: " in headline) == (run_texts.shape in {"sampling fraction", "levels"})


def test_the_verdict_s_figures_stand_in_report_and_terminal(run_texts: RunTexts) -> None:
    verdict = verdict_on(run_texts.summary)

    assert (run_texts.summary["measures"]["withheld"] == 1) == (verdict.rows == [])
    for row in verdict.rows:
        assert " ".join(cell for cell in row if cell) in run_texts.page
        assert any(
            [cell.strip() for cell in line.strip("│").split("│")] == list(row)
            for line in run_texts.terminal.splitlines()
        )
    assert verdict.headline in run_texts.page


def test_the_highest_risk_and_the_spread_are_those_of_the_release(run_texts: RunTexts) -> None:
    mine, risks = run_texts.summary["policies"][run_texts.summary["game"]], run_texts.content["risks"]["release"]

    assert risks["prosecutor"]["highest"] == mine["highest_risk"]
    assert (risks["spread"], risks["spread_if_all"]) == (mine["spread"], mine["marketer"]["spread"])
    assert risks["journalist"]["highest"] == pytest.approx(mine["marketer"]["spread"]["highest"])
    aware = run_texts.content["aware"]
    assert mine["aware"] == (aware if isinstance(aware, str) else {key: aware["aware"][key] for key in mine["aware"]})


def test_attacks_on_everybody_find_what_the_marketers_risk_says(run_texts: RunTexts) -> None:
    summary, risks = run_texts.summary, run_texts.content["risks"]
    stored = risks["release"]["marketer"]["journalist"]

    marketer = summary["policies"][summary["game"]]["marketer"]
    for key in stored:
        assert pytest.approx(stored[key], rel=1e-12) == marketer[key]
    shown = number(summary["policies"][summary["game"]]["marketer"]["reidentifications"], 1)
    [line] = [line for line in run_texts.terminal.splitlines() if "│ ... if all were attacked" in line]
    assert shown == line.split("│")[2].strip()


@pytest.mark.parametrize(
    "words",
    [
        "who has this program, the scenario and the population can compute how each person would have been released",
        "(attribute disclosure)",
        "A recipient with other data, who can look up a kept column, link another release",
        "Its counts are taken as exact",
        "They are equal for all records",
        "Attacks succeed independently of each other",
        "an expectation of 2.7 is a chance of about 93% of at least one",
    ],
)
def test_limitations_name_what_the_figures_leave_out(run_texts: RunTexts, words: str) -> None:
    assert words in run_texts.page


def test_no_number_of_one_has_a_plural(run_texts: RunTexts) -> None:
    for text in (run_texts.terminal, run_texts.page):
        assert [] == re.findall(
            r"(?<![\w.,])1 (?:records|people|profiles|strategies|columns|rows|combinations)\b(?!\.)", text
        )
        assert [] == re.findall(r"none of (?:1|the one)\b", text)


def test_shares_are_said_as_they_are(run_texts: RunTexts) -> None:
    measures, page = run_texts.summary["measures"], run_texts.page
    for key, sentence in (
        ("unmodified", r"(No record is|Every record is|([<>]?[\d.]+%) of the records are) released unmodified;"),
        ("attacked", r"an attack would pay on (no record|every record|([<>]?[\d.]+%) of the records);"),
    ):
        [(words, share)] = re.findall(sentence, page)
        if measures[key] in {0, 1}:
            assert words.casefold().startswith("every" if measures[key] else "no ")
        else:
            assert percent(measures[key]) == share


def test_withheld_records_are_told_and_the_reason_is_the_games(run_texts: RunTexts) -> None:
    measures, page = run_texts.summary["measures"], run_texts.page
    withheld = measures["withheld"]

    assert (withheld == 1) == ("Every record is withheld: " in page) == ("No record is released at all." in page)
    assert (0 < withheld < 1) == (f"{percent(withheld)} of the records are not released at all." in page)
    if withheld == 1:
        [reason] = re.findall(r"Every record is withheld: (.*?)\. ", page)
        assert ("worth attacking" in reason) == (run_texts.summary["game"] == "no-attack")
        assert ("worth its risk" in reason) == (run_texts.summary["game"] != "no-attack")
        assert ("found by" in reason) == (not run_texts.summary["search"]["proved"])
        assert f"A record is worth {dollars(0)} to the publisher, since none is released" in page
        assert "A released record is worth" not in page


def test_what_a_released_record_is_worth_is_the_mean_of_the_released_ones(run_texts: RunTexts) -> None:
    measures = run_texts.summary["measures"]
    if measures["withheld"] == 1:
        return
    [worth] = re.findall(r"(?:A|a) released (?:record is worth|one) (-?\$[\d,.]+\d)", run_texts.page)

    assert dollars(measures["publisher_payoff"] / (1 - measures["withheld"])) == worth
    assert (0 < measures["withheld"]) == ("withheld ones counted as 0" in run_texts.page)


def test_expected_reidentifications_are_said_as_they_are(run_texts: RunTexts) -> None:
    measures = run_texts.summary["measures"]
    words = number(measures["expected_reidentifications"], 1)
    count = f"{measures['records']:,} record{'s' * (measures['records'] != 1)}"
    [said] = re.findall(
        r"If that recipient makes every attack that pays, (.*?) must be expected among (?:\d)", run_texts.page
    )

    assert f"must be expected among {count};" in run_texts.page
    assert (measures["expected_reidentifications"] == 0) == (said == "no re-identification")
    assert said == "no re-identification" or words.removeprefix("<") in said


def test_ranges_are_said_alike_wherever_they_stand(run_texts: RunTexts) -> None:
    robustness = run_texts.summary["robustness"]
    [sentence] = re.findall(r"At least 95% of the records keep (.*?), each changed alone\.", run_texts.page)

    for stake, ranges in robustness["ranges"].items():
        words = range_words(ranges["keeps"], ranges["chosen"], ranges["keeps_open"])
        assert f"the {stake} {'has any value' if words == 'any' else f'is {words}'}" in sentence
        assert f"{words} {range_words(ranges['ranking'], ranges['chosen'], ranges['ranking_open'])}" in run_texts.page
    assert ("by an exact search" in sentence) == (not run_texts.summary["search"]["proved"])


def test_all_numbers_of_one_solver_agree(run_texts: RunTexts) -> None:
    summary, content = run_texts.summary, run_texts.content
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


def test_what_is_of_another_solver_says_so_and_shows_both(run_texts: RunTexts) -> None:
    page, search = run_texts.page, run_texts.summary["search"]
    if search["proved"]:
        assert "which an exact search finds" not in page
        assert "and no permitted strategy is better" in page
        return
    assert "strategy of each record was searched by a quick search that may miss it" in page
    played = {row["policy"]: row for row in run_texts.content["comparison"]}

    assert f"The games of this section are played by {search['solver']}." in page
    assert 4 == page.count("The games are played with their best strategies, which an exact search finds")
    assert f"The games are played by {search['solver']}." in page
    for row in run_texts.content["best"]:
        mine = played[row["policy"]]
        cells = [dollars(mine["publisher_payoff"]), dollars(row["publisher_payoff"]), percent(mine["optimal"])]
        assert f"{heading_words(row['policy'])} {' '.join(cells)}" in page


def test_it_says_what_is_known_to_those_whose_chances_are_told(run_texts: RunTexts) -> None:
    risks, data = run_texts.content["risks"], run_texts.summary["data"]
    known = knowledge(risks)

    assert data["population_is_the_records"] == ("not the released values of each record" in known.journalist)
    assert data["population_is_the_records"] == ("There is no other population" in run_texts.page)
    for row in risk_rows(risks):
        assert row.means in run_texts.page
        assert f"{row.name} {row.means} {' '.join(row.cells)}" in run_texts.page


def test_of_nothing_released_no_share_is_told(run_texts: RunTexts) -> None:
    risks = run_texts.content["risks"]
    place = COLUMNS.index("release")
    cells = [row.cells[place] for row in risk_rows(risks) if row.name != "Records released"]

    if risks["release"]["released"] == 0:
        assert {"none"} == set(cells)
    else:
        assert "none" not in cells
