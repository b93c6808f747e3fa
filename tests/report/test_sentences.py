"""Sentences of terminal, report and draft against the numbers in summary.json, in questions of many shapes."""

import re

import pytest
from depth import tries
from report_shapes import OTHERS, PLAIN, RunTexts, flat
from small_world import gamedeid_says

from gamedeid.amounts import dollars, expectation, number, percent, range_words
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.words.limits import gain_of_loosening, limit_grid, limit_words, policy_limit_words
from gamedeid.report.words.measures import heading_words, risk_words
from gamedeid.report.words.risks import COLUMNS, adversary_knowledge, risk_rows
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
    headline = verdict[0]
    mine = policies[played]
    assert (mine["withheld"] == 1) == (" withholds every record: there is nothing to attack." in headline)
    shown = policies[plain.summary["policy"]["name"] if mine["withheld"] == 1 else played]
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
    assert isinstance(aware, str) == (plain.shape in {"sampling fraction", "levels"}) == unknown
    assert f"among the records: {risk_words(shown['highest_risk'])}" in headline
    assert (", by estimate: " in headline) == (plain.shape in {"sampling fraction", "levels"})


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


def test_shares_are_said_as_they_are(plain):
    measures, page = plain.summary["measures"], plain.page
    for key, sentence in (
        ("unmodified", r"(No record is|Every record is|([<>]?[\d.]+%) of the records are) released unmodified;"),
        ("attacked", r"an attack would pay on (no record|every record|([<>]?[\d.]+%) of the records);"),
    ):
        [(words, share)] = re.findall(sentence, page)
        if measures[key] in {0, 1}:
            assert words.casefold().startswith("every" if measures[key] else "no ")
        else:
            assert percent(measures[key]) == share


def test_withheld_records_are_told_and_the_reason_is_the_games(plain):
    measures, page = plain.summary["measures"], plain.page
    withheld = measures["withheld"]

    assert (withheld == 1) == ("Every record is withheld: " in page) == ("No record is released at all." in page)
    assert (0 < withheld < 1) == (f"{percent(withheld)} of the records are not released at all." in page)
    if withheld == 1:
        [reason] = re.findall(r"Every record is withheld: (.*?)\. ", page)
        assert ("worth attacking" in reason) == (plain.summary["game"] == "no-attack")
        assert ("worth its risk" in reason) == (plain.summary["game"] != "no-attack")
        assert ("found by" in reason) == (not plain.summary["search"]["proved"])
        assert f"A record is worth {dollars(0)} to the publisher, since none is released" in page
        assert "A released record is worth" not in page


def test_what_a_released_record_is_worth_is_the_mean_of_the_released_ones(plain):
    measures = plain.summary["measures"]
    if measures["withheld"] == 1:
        return
    [worth] = re.findall(r"(?:A|a) released (?:record is worth|one) (-?\$[\d,.]+\d)", plain.page)

    assert dollars(measures["publisher_payoff"] / (1 - measures["withheld"])) == worth
    assert (0 < measures["withheld"]) == ("withheld ones counted as 0" in plain.page)


def test_expected_reidentifications_are_said_as_they_are(plain):
    measures = plain.summary["measures"]
    words = number(measures["expected_reidentifications"], 1)
    count = f"{measures['records']:,} record{'s' * (measures['records'] != 1)}"
    [said] = re.findall(r"If that recipient makes every attack that pays, expect (.*?) among (?:\d)", plain.page)

    assert f"expect {said} among {count};" in plain.page
    assert (measures["expected_reidentifications"] == 0) == (said == "no re-identification")
    assert said == "no re-identification" or words.removeprefix("<") in said


def test_ranges_are_said_alike_wherever_they_stand(plain):
    robustness = plain.summary["robustness"]
    [sentence] = re.findall(r"At least 95% of the records keep (.*?), each changed alone\.", plain.page)

    for stake, ranges in robustness["ranges"].items():
        words = range_words(ranges["keeps"], ranges["chosen"], ranges["keeps_open"])
        assert f"the {stake} {'has any value' if words == 'any' else f'is {words}'}" in sentence
        assert f"{words} {range_words(ranges['ranking'], ranges['chosen'], ranges['ranking_open'])}" in plain.page
    assert ("by an exact search" in sentence) == (not plain.summary["search"]["proved"])


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


def test_what_is_of_another_solver_says_so_and_shows_both(plain):
    page, search = plain.page, plain.summary["search"]
    if search["proved"]:
        assert "which an exact search finds" not in page
        assert "and no permitted strategy is better" in page
        return
    assert "strategy of each record was searched by a quick search that may miss it" in page
    played = {row["policy"]: row for row in plain.content["comparison"]}

    assert f"The games of this section are played by {search['solver']}." in page
    assert 4 == page.count("The games are played with their best strategies, which an exact search finds")
    assert f"The games are played by {search['solver']}." in page
    for row in plain.content["best"]:
        mine = played[row["policy"]]
        cells = [dollars(mine["publisher_payoff"]), dollars(row["publisher_payoff"]), percent(mine["optimal"])]
        assert f"{heading_words(row['policy'])} {' '.join(cells)}" in page


def test_it_says_what_is_known_to_those_whose_chances_are_told(plain):
    risks, data = plain.content["risks"], plain.summary["data"]
    known = adversary_knowledge(risks)

    assert data["population_is_the_records"] == ("not the released values of each record" in known["journalist"])
    assert data["population_is_the_records"] == ("There is no other population" in plain.page)
    of_nothing = set()
    for row in risk_rows(risks):
        assert f"{row.name} {row.means} {' '.join(row.cells)}" in plain.page
        of_nothing |= {row.cells[COLUMNS.index("release")] == "none"} if row.name != "Records released" else set()
    assert {risks["release"]["released"] == 0} == of_nothing, "of nothing released no share is told"


def test_terminal_page_and_draft_open_with_the_same_verdict(other):
    said = verdict_of(other.summary)

    assert said == other.terminal.splitlines()[1 : 1 + len(said)]
    for sentence in said:
        assert sentence in flat(other.page)
        assert sentence in flat(other.draft)
    mine = other.summary["measures"]
    assert ("withholds every record" in said[0]) == (mine["withheld"] == 1)
    if mine["withheld"] < 1:
        assert bool(re.search(r": none \(0.00% worth attacking; ", said[0])) == (mine["attacked"] == 0)


def test_a_report_made_again_is_the_same(other):
    before = (other.out / "report.html").read_bytes()

    assert 0 == gamedeid_says("report", other.out).code
    assert before == (other.out / "report.html").read_bytes()
    assert "sensitivity.csv" not in {path.name for path in other.out.iterdir()}


def test_limits_are_said_as_they_are(other):
    limits, page = other.summary.get("limits"), flat(other.page)
    assert (limits is not None) == ("Limits on the whole dataset" in page)
    if limits is None:
        return
    assert "no permitted strategy is better" not in page
    for name, one in limits["asked"].items():
        worth = gain_of_loosening(name, limits)
        if worth is not None and worth >= 0.005:
            assert dollars(worth) in page
            assert dollars(worth) in other.terminal
        if one["binding"] and worth is not None:
            assert worth >= one["shadow_price"] * 0.001
    if limits["payoff_without_limits"] is not None:
        cost = limits["payoff_without_limits"] - limits["payoff"]
        assert ("The limits cost nothing" in page) == (cost < 0.005)
    assert not set(limits["unmet_in"]) & set(other.summary["policies"])
    policy = other.summary["policies"][other.summary["policy"]["name"]]
    few = limits["asked"].get("expected_reidentifications")
    if few is not None:
        assert ("would break the limit on expected re-identifications" in page) == (
            policy["expected_reidentifications"] > few["limit"]
        )


def test_a_plan_is_said_as_it_is(other):
    mechanism, page = other.summary.get("mechanism"), flat(other.page)
    if mechanism is None:
        return
    chosen, knowing = mechanism["smallest_group"] > 0, other.content["aware"]["aware"]
    assert (f"The smallest released group has {mechanism['smallest_group']:,} p" in page) == chosen
    assert f"strategies pay more than {dollars(mechanism['payoff_bound'])} per record" in page
    if other.summary["game"] == "aware-no-attack":
        assert 0 == knowing["attacked"]
        assert "; none (0.00% worth attacking" in verdict_of(other.summary)[0] or not chosen
    else:
        assert knowing["publisher_payoff"] == pytest.approx(mechanism["publisher_payoff"])
        assert knowing["attacked"] == pytest.approx(mechanism["attacked"])
    for row in other.summary["policies"].values():
        for side in (row, row["aware"]):
            assert number(side["expected_reidentifications"], 1) in page
            assert dollars(side["publisher_payoff"]) in page


OWN = ("no population", "no population, no attack", "limits, no population", "aware, no population", "persons")


@pytest.mark.parametrize("shape", tries(OWN[1:2], OWN))
def test_without_a_population_no_sentence_speaks_of_one_that_a_recipient_may_lack(run_shape, shape):
    run = run_shape(shape)

    for text in (flat(run.page), flat(run.draft)):
        assert "The records are taken for the population." in text
        assert "The population is the right one." not in text
        assert "has this program, the scenario and the population" not in text


def test_a_sample_is_no_census(run_shape):
    text = flat(run_shape("sampling fraction").page)

    assert "The records are taken for a random sample of the population." in text
    assert "The population is the right one." not in text


def test_knowing_the_method_is_not_said_to_find_more_where_it_finds_the_same(run_shape):
    run = run_shape("nobody attacked")

    assert "no further record is worth attacking" in flat(run.page)
    assert "may find more" in flat(run.page)
    assert "and finds more" not in flat(run.page)


def test_the_shares_of_detail_are_of_rows_where_records_are_of_people_and_say_what_is_withheld(run_shape):
    assert "in shares of all rows." in flat(run_shape("persons").terminal)
    for shape, withheld in (("plain", False), ("some withheld", True)):
        run = run_shape(shape)
        assert withheld == (run.summary["measures"]["withheld"] > 0)
        for text in (flat(run.terminal), flat(run.page)):
            assert "in shares of all records." in text
            assert withheld == ("The rest of the records is withheld" in text)


def test_a_limit_on_cells_is_kept_where_nothing_is_released_and_the_policy_is_judged_by_its_smallest_cell(run_shape):
    summary = run_shape("limits, uniform").summary
    policy = summary["policies"][summary["policy"]["name"]]
    for smallest, words in ((1, "smallest cell (1)"), (2, "keeps to them, too")):
        row = {**policy, "highest_risk": 1 / smallest}
        changed = {**summary, "policies": {**summary["policies"], summary["policy"]["name"]: row}}
        assert words in policy_limit_words(changed)

    asked = {"smallest_cell": {**summary["limits"]["asked"]["smallest_cell"], "reached": 0.0}}
    nothing = {**summary, "limits": {**summary["limits"], "asked": asked}}
    assert limit_words(nothing)[0] == "Limit smallest_cell: no cell is released, so none has fewer than 2 records."
    assert limit_grid(nothing).rows[0][2] == "none"


def test_every_column_of_the_table_of_games_is_explained(run_shape):
    for shape in ("plain", "no population"):
        run = run_shape(shape)
        both = "aware-no-attack" in run.summary["policies"]
        assert both == (shape == "no population")
        for text in (flat(run.page), flat(run.draft)):
            assert both == ("The games aware-basic and aware-no-attack choose the strategies" in text)
