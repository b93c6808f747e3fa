"""Sentences of terminal, report and draft against the numbers in summary.json, in questions of many shapes."""

import re

import pytest
from depth import tries
from printed_sentences import distinct
from questions import question
from report_folders import stored_results
from report_shapes import OTHERS, PLAIN, RunTexts, flat
from small_world import ALONE, SCENARIO, gamedeid_prints, gamedeid_says, small_world

from gamedeid.amounts import number
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.words.aware import aware_words, mechanism_notes
from gamedeid.report.words.limits import limit_grid, limit_words, policy_limit_words
from gamedeid.report.words.recipients import background_words, together_words
from gamedeid.report.words.run import data_words, run_facts, run_words
from gamedeid.report.words.verdict import verdict_of, verdict_on
from gamedeid.scenario.recipients import Recipient
from gamedeid.study.warnings import game_warnings, recipient_warnings

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

    assert (plain.summary["measures"]["withheld"] == 1) == (not verdict.recipients)
    for row in verdict.recipients.rows:
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


def test_a_count_of_one_has_no_plural(plain):
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


def test_a_sample_is_not_called_a_census(run_shape):
    run = run_shape("sampling fraction")
    text, draft = flat(run.page), flat(run.draft)

    assert "The records are taken for a random sample of the population." in text
    assert "The population is the right one." not in text
    assert "at least: one over the estimated chance of a right guess, rounded down." in text
    assert "a right guess is no likelier than among" in draft
    assert "a record matches at least" not in draft


def test_knowing_the_method_is_not_said_to_find_more_where_it_finds_the_same(run_shape):
    run = run_shape("nobody attacked")

    assert "no further record is worth attacking" in flat(run.page)
    assert "may find more" in flat(run.page)
    assert "and finds more" not in flat(run.page)


def test_a_limit_on_cells_is_kept_where_nothing_is_released_and_the_policy_is_judged_by_its_smallest_cell(run_shape):
    summary = run_shape("limits, uniform").summary
    policy_name = summary["policy"]["name"]
    policy = summary["policies"][policy_name]
    for smallest, words in (
        (1, "would break the limit on the records in the smallest cell (1)."),
        (2, "keeps to the limit on the records in the smallest cell, too."),
    ):
        row = {**policy, "highest_risk": 1 / smallest}
        changed = {**summary, "policies": {**summary["policies"], policy_name: row}}
        assert words in policy_limit_words(changed)

    for unknown in (
        {"policies": {**summary["policies"], policy_name: {**policy, "highest_risk": None}}},
        {"earlier": {}},
    ):
        assert policy_limit_words({**summary, **unknown}).endswith("may keep to them or not.")

    alone = {**summary, "limits": {**summary["limits"], "asked": {}}}  # figures do not say for whom it is uniform
    assert policy_limit_words(alone).endswith("may keep to them or not.")

    asked = {"smallest_cell": {**summary["limits"]["asked"]["smallest_cell"], "reached": 0.0}}
    nothing = {**summary, "limits": {**summary["limits"], "asked": asked}}
    assert limit_words(nothing)[0] == "Limit smallest_cell: no cell is released, so none has fewer than 2 records."
    assert limit_grid(nothing).rows[0][2] == "none"


def test_strategies_without_a_gap_are_not_said_to_be_unproved(tmp_path, run_shape):
    printed = gamedeid_prints("run", small_world(tmp_path), "--solver", "lattice-search", "--set", "payoffs.cost=91")
    run = run_shape("lattice search")
    without_gap = {**run.summary, "search": {**run.summary["search"], "gap": 0.0, "gap_most": 0.0}}
    said = run_words(run_facts(without_gap, undeterred=()))

    assert "lattice-search: proved optimal;" in printed
    assert "Other strategies pay at most" not in printed
    assert "Other strategies pay at most $18.33 more per record on average" in run.terminal
    assert "It is not proved" in flat(run.page)
    assert said["search"].startswith("It is proved")
    assert not [one for one in said["answer"] if "does not prove" in one]
    assert "by an exact search, not by the lattice-search of this release" in said["robust"]


def test_a_draft_says_what_limits_demand_that_no_figure_measures(tmp_path):
    out = stored_results(tmp_path, "--set", "limits.uniform=true")
    gamedeid_prints("determination", out, "-o", tmp_path / "draft.md")
    draft = (tmp_path / "draft.md").read_text()

    assert "All released records have one strategy, as the scenario demands." in draft
    assert "The cost of the limits was not computed; no strategies within them pay more." in draft


def test_strategies_planned_for_records_that_are_the_population_are_said_to_be_planned_for_them(run_shape):
    found = run_shape("aware, no population").summary["mechanism"]
    for planned_for in ("population", "records"):
        notes = " ".join(mechanism_notes({**found, "planned_for": planned_for}, None, unit="record", own=True))
        assert "planned for the records, which are their own population" in notes
        assert "not that of the records" not in notes
    asked = question({"groups.planned_for": "records"})
    assert not game_warnings(asked, ["aware-no-attack"], own=True)
    assert "telling-choice" == game_warnings(asked, ["aware-no-attack"], own=False)[0].kind


def test_one_attribute_has_the_singular(run_shape):
    assert "distinct combinations of the attribute age ." in flat(run_shape("one attribute").page)


def test_an_attack_that_pays_for_one_of_several_recipients_is_not_said_to_pay_for_one_on_all_records():
    """One recipient attacks the first of four records, and another the second."""
    naive = {"attacked": 0.0, "expected_reidentifications": 0.0, "publisher_payoff": 9.0}
    aware = {"attacked": 0.5, "expected_reidentifications": 1.5, "publisher_payoff": 8.0}
    found = {"records": 4, "naive": naive, "aware": aware, "recipients": {}, "without_aware_people": 0}
    said = aware_words(found, unit="record", released=True, own=False)

    assert said[0].endswith("an attack pays for at least one of them on no record.")
    assert aware_words(found, unit="person", released=True, own=False)[0].endswith("at least one of them on no person.")
    assert "an attack pays for at least one of them on 2 of 4 records (50.00%); 1.5 re-ident" in said[1]


@pytest.mark.parametrize("recipients", [{}, {"recipients": {}}])
def test_what_knowing_the_method_adds_is_not_rounded_away(recipients):
    naive = {"attacked": 0.5, "expected_reidentifications": 4.01, "publisher_payoff": 9.001}
    aware = {**naive, "expected_reidentifications": 4.03, "publisher_payoff": 8.999}
    found = {"records": 4, "naive": naive, "aware": aware, "without_aware_people": 0, **recipients}
    said = aware_words(found, unit="record", released=True, own=False)

    assert said[-1].endswith("4.03 re-identifications are expected instead of 4.01.")


def test_figures_of_one_recipient_have_the_digits_of_the_verdict():
    found = {"club": {"expected_reidentifications": 0.9947}, "thief": {"expected_reidentifications": 0.04}}
    thief = {"thief": Recipient(cost=0)}

    assert together_words(found).endswith("by each: club 0.99 and thief 0.04.")
    assert "one recipient, club, weighted by the probability" in together_words({"club": found["club"]})
    assert "This is background risk: 0.04 expected re-identifications." in background_words(thief, found, "basic")[0]


def test_the_other_games_are_said_to_keep_to_the_limits_too(run_shape):
    summary = run_shape("a limit that binds").summary

    assert verdict_on(summary).games_heading.startswith("Games within the limits and ")


def test_a_policy_that_breaks_a_limit_is_not_said_to_reach_it_exactly():
    asked = {"expected_reidentifications": {"limit": 2.0}, "attacked": {"limit": 0.1}}
    row = {"expected_reidentifications": 2.04, "attacked": 0.10004}
    summary = {"limits": {"asked": asked}, "policy": {"name": "safe-harbor"}, "policies": {"safe-harbor": row}}

    assert "expected re-identifications (2.04) and records worth attacking (10.004%)" in policy_limit_words(summary)


def test_a_gain_that_follows_the_loss_is_said_to_move_with_it(run_shape):
    summary = run_shape("plain").summary
    ranges = summary["robustness"]["ranges"]
    with_gain = {**summary, "robustness": {**summary["robustness"], "ranges": {**ranges, "gain": ranges["loss"]}}}

    assert run_words(run_facts(summary, undeterred=()))["robust"].endswith(
        "each changed alone, and the gain with the loss."
    )
    assert run_words(run_facts(with_gain, undeterred=()))["robust"].endswith("each changed alone.")


def test_the_gain_of_the_only_recipient_is_not_said_to_follow_the_loss(tmp_path):
    path = small_world(tmp_path, scenario=SCENARIO + "[recipients.registry]\ngain = 50\n")
    gamedeid_prints("run", path, "-o", tmp_path / "out")
    gamedeid_prints("determination", tmp_path / "out", "-o", tmp_path / "draft.md")
    draft = (tmp_path / "draft.md").read_text("utf-8")

    assert "| Gain | recipient\u2019s gain from a re-identified record | $50 | not stated |" in draft
    assert "- Source of the gain" in draft


def test_rules_of_groups_that_leave_no_release_are_not_said_to_be_a_risk_that_is_not_worth_it(run_shape):
    summary = run_shape("aware-basic").summary
    ruled = {**summary, "measures": {**summary["measures"], "withheld": 1.0}}

    assert run_words(run_facts(ruled, undeterred=()))["withheld"].endswith("and keeps any rules of [groups].")


def test_people_whom_a_recipient_cannot_find_are_counted_as_people():
    data = {"records": 5, "persons": {"count": 3}}
    (one,) = recipient_warnings({"club": 2}, data)

    assert one.says.startswith("2 people match no one in the population of club")
    assert one.says.endswith("this recipient cannot find these people.")


def test_a_sample_of_people_with_several_rows_is_a_share_of_people():
    data = {"records": 5, "profiles": 2, "persons": {"count": 3, "differing": {}, "pseudonyms": None}}
    words = data_words({**data, "sampling_fraction": 0.1, "population": 30})

    assert (
        "5 records of 3 people, 2 profiles; population estimated: 30 people; these people are a share of 0.1 of them"
        == words
    )


def test_a_recipient_with_a_separate_population_is_not_said_to_look_people_up_among_the_records(tmp_path):
    people = '[recipients.club]\n[recipients.club.population]\npath = "people.csv"\ncount = "count"\n'
    path = small_world(tmp_path, scenario=ALONE + people)
    gamedeid_prints("run", path, "-o", tmp_path / "out")
    gamedeid_prints("determination", tmp_path / "out", "-o", tmp_path / "draft.md")

    for text in ((tmp_path / "out" / "report.html").read_text("utf-8"), (tmp_path / "draft.md").read_text("utf-8")):
        assert "a recipient without a separate population is taken to know the people of the records" in text
        assert "A recipient without a separate population is taken to know who is in the data" in text
    assert "The scenario names the population of club only." in text


def test_a_limit_that_is_kept_does_not_read_as_if_it_were_broken(run_shape):
    summary = run_shape("a limit that binds").summary
    name = "expected_reidentifications"
    one = {**summary["limits"]["asked"][name], "limit": 0.5054, "reached": 0.5051}
    kept = {**summary, "limits": {**summary["limits"], "asked": {name: one}}}

    assert f"Limit {name}: 0.5051 expected re-identifications, at most 0.5054 allowed" in limit_words(kept)[0]


def test_games_of_one_strategy_for_all_are_not_said_to_decide_record_by_record(tmp_path):
    gamedeid_prints("run", small_world(tmp_path), "--set", "limits.uniform=true", "-o", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text("utf-8")

    assert "All released records have one strategy, as the scenario demands." in page
    assert "The three games choose the strategies of all records together" in page


def test_a_recipient_who_is_never_active_is_not_among_the_recipients_of_the_report(tmp_path):
    path = small_world(
        tmp_path, scenario=SCENARIO + "[recipients.club]\nprobability = 0.5\n[recipients.thief]\ncost = 0\n"
    )
    gamedeid_prints("run", path, "--set", "recipients.thief.probability=0", "-o", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text("utf-8")

    assert "an attack costs nothing" not in page
    assert "club and thief" not in page


def test_a_report_on_recipients_speaks_of_no_lines_and_maps_that_it_lacks(run_shape):
    for shape, words in (
        ("recipients, lattice search", "Ranges and ranking of this section are of the best strategies"),
        ("lattice search", "Ranges, ranking, lines and maps of this section are of the best strategies"),
    ):
        assert words in flat(run_shape(shape).page)


def test_records_that_match_no_one_have_no_share_of_distinct_ones():
    assert "none match" in "\n".join(distinct("records", people=1, unmatched=1))
    assert "none match" not in "\n".join(distinct("records", people=2, unmatched=1))
