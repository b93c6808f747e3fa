"""The policy and the three games side by side."""

from contextlib import suppress
from dataclasses import replace

import pandas as pd
import pytest
from questions import question

import gamedeid
from gamedeid import Study, compare, solve
from gamedeid.analysis import comparison as side_by_side
from gamedeid.analysis.comparison import AWARE, optimal_share, plays_all_games
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.errors import UnmetLimitsError
from gamedeid.pictures.words import policy_words
from gamedeid.population.rows import RowCounts
from gamedeid.report.words.verdict import verdict_in

PEOPLE = pd.DataFrame({"age": [48, 48, 51, 93, 20, 21], "sex": ["Male", "Male", "Male", "Female", "Female", "Male"]})
KNOWN = tuple(f"aware_{name}" for name in AWARE)
MINE = {"policy.mine.levels": {"age": 1}, "floor": "mine"}


@pytest.fixture(scope="module")
def compared():
    return compare(question(), PEOPLE)


def test_the_policy_comes_first_and_then_the_games(compared):
    assert ["safe-harbor", *GAMES, *AWARE_GAMES] == [row["policy"] for row in compared.rows]
    assert ["safe-harbor", *GAMES, *AWARE_GAMES] == list(compared.solutions) == list(compared.table.index)
    assert ["safe-harbor", *GAMES] == list(compare(question(), PEOPLE, PEOPLE).solutions)
    mine = compare(question(MINE), PEOPLE)
    assert ["mine", *GAMES, *AWARE_GAMES] == list(mine.solutions)
    assert (mine.solutions["sh-friendly"].levels[:, 0] >= 1).all()


def test_a_policy_that_permits_everything_has_the_basic_game_for_both():
    study = Study.prepare(question({"floor": "limited-data-set"}), PEOPLE)
    basic, friendly = (compare(study).solutions[name] for name in ("basic", "sh-friendly"))

    assert "sh-friendly" == friendly.name
    assert study.frontier("sh-friendly") is study.frontier("basic")
    alone = solve(study, game="sh-friendly")
    assert alone.choice.nodes.tolist() == friendly.choice.nodes.tolist() == basic.choice.nodes.tolist()
    assert alone.search == friendly.search
    assert Study.prepare(question(MINE), PEOPLE).frontier("sh-friendly") is not study.frontier("basic")


def test_games_are_played_by_default_only_if_their_counts_take_little(monkeypatch):
    study = Study.prepare(question(), PEOPLE)
    counts = study.instance.uncounted().counts
    instance = study.instance
    data = replace(instance.data, counts=RowCounts(lambda _: None, instance.profiles, instance.hierarchy_tables, 1))
    few = replace(study, instance=replace(instance, data=data))

    assert not isinstance(counts, RowCounts)
    for room, played in ((2**30, True), (1, False)):
        monkeypatch.setattr(side_by_side, "MOST_COUNTED", room)
        assert plays_all_games(study)
        assert played == plays_all_games(few)


def test_each_row_has_the_measures_of_its_solution_and_a_policy_is_not_searched(compared):
    rows = {row["policy"]: row for row in compared.rows}
    for name, row in rows.items():
        solution = compared.solutions[name]
        assert solution.measures.items() <= row.items()
        assert {"policy", *KNOWN, "searched", "optimal"} == set(row) - set(solution.measures)
        known = gamedeid.risk.aware_risk(solution).measures
        assert {name: known[name.removeprefix("aware_")] for name in KNOWN} == {name: row[name] for name in KNOWN}
    assert rows["basic"]["publisher_payoff"] == compared.table.loc["basic", "publisher_payoff"]
    assert (None, None) == (rows["safe-harbor"]["searched"], rows["safe-harbor"]["optimal"])
    assert {1.0} == {rows[game]["optimal"] for game in GAMES}


def test_between_groups_the_optimum_is_of_efficient_strategies_only_and_not_claimed():
    between = {"column": "sex", "level": 0, "least": 1, "attacked": 0.5}
    rows = {row["policy"]: row for row in compare(question({"limits.groups": between}), PEOPLE).rows}
    assert {None} == {rows[game]["optimal"] for game in GAMES}


def test_a_recipient_who_knows_the_method_leaves_the_aware_games_the_most():
    rows = {row["policy"]: row for row in compare(question({"payoffs.loss": 200}), PEOPLE).rows}

    assert max(rows.values(), key=lambda row: row["aware_publisher_payoff"])["policy"] == "aware-basic"
    assert 0 == rows["aware-no-attack"]["aware_attacked"] == rows["aware-no-attack"]["attacked"]


def test_an_aware_game_that_the_scenario_names_is_compared_where_there_are_few_profiles(monkeypatch):
    people = pd.concat([PEOPLE] * 3)
    unnamed = list(compare(question(), PEOPLE, people).solutions)
    named = question({"game": "aware-no-attack"})
    with_it = list(compare(named, PEOPLE, people).solutions)
    monkeypatch.setattr(side_by_side, "MOST_PAIRS", 1)

    assert [*unnamed, "aware-no-attack"] == with_it
    assert unnamed == list(compare(named, PEOPLE, people).solutions)


def test_an_unknown_figure_is_empty_and_its_reason_is_stated_once():
    found = compare(question({"population.sampling_fraction": 0.5}), PEOPLE)

    for row in found.rows:
        assert [None] * 3 == [row[name] for name in KNOWN]
        assert found.as_dict()["policies"][row["policy"]]["unknown"].startswith("population.sampling_fraction: ")


def test_figures_that_a_solver_does_not_prove_are_measured(compared):
    comparison = compare(question(), PEOPLE, solver="lattice-search")

    assert set(GAMES) == set(comparison.optimal)
    for row in comparison.rows[1 : 1 + len(GAMES)]:
        assert comparison.optimal[row["policy"]] == row["optimal"]
        assert 0 <= row["optimal"] <= 1
    assert {} == compared.optimal


def test_the_share_of_optimal_records_counts_records_not_profiles():
    study = Study.prepare(question(), PEOPLE)
    best = solve(study, game="basic")
    worse = solve(study, game="no-attack")
    of_record = study.instance.profiles.of_record
    equal = (abs(best.publisher_payoff - worse.publisher_payoff) < 1e-9)[of_record]

    assert 1.0 == optimal_share(best, best)
    assert optimal_share(worse, best) == equal.mean()


def test_progress_is_asked_for_each_game():
    asked = []

    def progress(game):
        asked.append(game)
        return lambda *_: None

    compare(Study.prepare(question(), PEOPLE), progress=progress)
    assert [*GAMES, *AWARE_GAMES] == asked


def test_games_that_have_no_strategies_within_the_limits_are_left_out_and_named():
    study = Study.prepare(question({"limits.publisher_payoff": 33}), PEOPLE)
    solved = {}
    for game in GAMES:
        with suppress(UnmetLimitsError):
            solved[game] = solve(study, game=game).measures
    found = compare(study)

    assert 0 < len(solved) < len(GAMES)
    assert solved == {name: one.measures for name, one in found.solutions.items() if name in GAMES}
    assert found.solver == "exact"
    said = verdict_in(study, found.policies, "safe-harbor").sentences
    (unmet,) = (one for one in said if "within the limits." in one)
    assert all((policy_words(game).removeprefix("the ") in unmet) != (game in solved) for game in GAMES)
    with pytest.raises(UnmetLimitsError, match="publisher_payoff = 1e\\+06 cannot be met"):
        compare(question({"limits.publisher_payoff": 1e6}), PEOPLE)
