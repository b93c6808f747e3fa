"""Differences of payoff between each game and the policy: shares of records in bins, and pairs of payoffs."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sample_pictures import comparison

from gamedeid.analysis import payoff_differences as differences
from gamedeid.analysis.comparison import compare
from gamedeid.analysis.payoff_differences import (
    PLAYERS,
    Histogram,
    bin_edges,
    payoff_differences,
    payoff_pairs,
    player_payoffs,
)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
@example([5e-324])
@example([-1e-306, 0.0])
def test_bins_hold_every_value_and_zero_is_in_the_middle_of_one(values):
    edges = bin_edges(np.array(values))

    assert edges[0] <= min(values)
    assert max(values) <= edges[-1]
    assert 1 <= len(edges) - 1 <= differences.MOST_BINS + 2
    middle = np.searchsorted(edges, 0.0)
    assert pytest.approx(0, abs=1e-9 * (edges[1] - edges[0])) == edges[middle - 1] + edges[middle]


def test_equal_payoffs_have_one_bin():
    assert [-0.5, 0.5] == bin_edges(np.zeros(3)).tolist()


def test_the_shares_are_those_counted_record_by_record(study):
    compared = compare(study)
    histogram = payoff_differences(compared)
    of_record = study.instance.profiles.of_record
    for game, players in histogram.games.items():
        for player in PLAYERS:
            change = player_payoffs(compared.solutions[game], player) - player_payoffs(
                compared.solutions["safe-harbor"], player
            )
            by_record = change[of_record]
            spread = players.of(player)
            counted = np.histogram(by_record, bins=np.array(histogram.edges[player]))[0] / len(by_record)
            assert counted.tolist() == pytest.approx(spread.shares)
            assert np.mean(by_record) == pytest.approx(spread.mean)
            assert np.mean(by_record >= 1.2e-6) == pytest.approx(spread.more)
            assert np.mean(by_record <= -1.2e-6) == pytest.approx(spread.less)
            assert 1 == pytest.approx(spread.more + spread.equal + spread.less)
            assert 1 == pytest.approx(sum(spread.shares))
    assert (400, "safe-harbor") == (histogram.records, histogram.policy)


def test_a_histogram_read_back_from_json_is_unchanged():
    histogram = payoff_differences(comparison())

    assert histogram == Histogram.from_dict(json.loads(json.dumps(histogram.as_dict())))


def test_pairs_of_the_same_payoffs_are_counted_together():
    pairs = payoff_pairs(comparison(), "basic", "publisher")

    assert pairs.exact
    assert 4 == pairs.records.sum()
    solutions = comparison().solutions
    expected = zip(solutions["pairs"].publisher_payoff, solutions["basic"].publisher_payoff, strict=True)
    assert {(round(x, 6), round(y, 6)) for x, y in expected} == {
        (round(x, 6), round(y, 6)) for x, y in zip(pairs.policy.tolist(), pairs.game.tolist(), strict=True)
    }


def test_too_many_pairs_are_gathered_in_cells_without_losing_a_record_or_moving_the_mean(study, monkeypatch):
    compared = compare(study)
    whole = payoff_pairs(compared, "basic", "publisher")
    monkeypatch.setattr(differences, "MOST_POINTS", 10)
    monkeypatch.setattr(differences, "BINS_PER_AXIS", 5)
    gathered = payoff_pairs(compared, "basic", "publisher")

    assert whole.exact
    assert not gathered.exact
    assert len(gathered.records) < len(whole.records)
    assert 400 == whole.records.sum() == gathered.records.sum()
    for side in ("policy", "game"):
        means = [np.average(getattr(pairs, side), weights=pairs.records) for pairs in (whole, gathered)]
        assert means[0] == pytest.approx(means[1])
