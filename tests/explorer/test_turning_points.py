"""Where the answer changes along a stake: the breakpoints and ranges of the commands."""

from itertools import pairwise

import pytest
from explorer_client import ExplorerClient, as_shown
from small_world import QUICKSTART

from gamedeid.amounts import range_words
from gamedeid.analysis.breakpoints import breakpoint_table
from gamedeid.analysis.robustness import robust_ranges
from gamedeid.explorer.compiled import Urgency
from gamedeid.explorer.session import Session
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

SETTING = {"benefit": 900, "loss": 1700, "game": "basic"}


@pytest.fixture(scope="module")
def study():
    return Study.prepare(Scenario.read(QUICKSTART, {"payoffs.benefit": 900, "payoffs.loss": 1700}))


@pytest.mark.parametrize("stake", ["benefit", "loss", "cost"])
def test_the_nearest_are_those_of_the_table_of_breakpoints(quick_client, study, stake):
    table = breakpoint_table(study, stake)
    rows = [row for row in zip(*table.values(), strict=True) if row[0] == "basic"]
    value = getattr(study.scenario.payoffs, stake)

    found = quick_client.ask("breakpoints", setting=SETTING, stake=stake)

    assert value == found["value"]
    below = max((row for row in rows if row[1] < value), key=lambda row: row[1], default=None)
    above = min((row for row in rows if row[1] > value), key=lambda row: row[1], default=None)
    for expected, point in ((below, found["below"]), (above, found["above"])):
        assert (expected is None) == (point is None)
        if point is not None:
            assert expected[1] == point["value"]
            assert [as_shown(expected[2]), as_shown(expected[3])] == [point["strategies"], point["replies"]]


@pytest.mark.parametrize("stake", ["benefit", "loss", "cost"])
def test_the_range_that_keeps_the_strategies_is_that_of_the_report(quick_client, study, stake):
    expected = robust_ranges(study, "basic").ranges[stake]

    found = quick_client.ask("breakpoints", setting=SETTING, stake=stake)["keeps"]

    assert (0.95, *expected.keeps) == (found["share"], found["from"], found["to"])
    assert range_words(expected.keeps, expected.chosen, expected.keeps_open) == found["words"]


def test_the_parts_of_the_way_cover_the_slider_and_count_each_record_once(quick_client, study):
    ends = quick_client.ask("question")["sliders"]["loss"]
    bins = quick_client.ask("breakpoints", setting=SETTING, stake="loss")["bins"]

    assert (ends["least"], ends["most"]) == pytest.approx((bins[0]["from"], bins[-1]["to"]))
    assert all(one["to"] == other["from"] for one, other in pairwise(bins))
    assert all(one["records"] is None or one["records"] in range(study.records + 1) for one in bins)
    assert any(one["records"] for one in bins)


def test_breakpoints_along_one_stake_are_not_used_at_another_setting(quick_client):
    first = quick_client.ask("breakpoints", setting=SETTING, stake="loss")
    quick_client.ask("breakpoints", setting=SETTING | {"benefit": 500}, stake="loss")
    quick_client.ask("breakpoints", setting=SETTING | {"game": "no-attack"}, stake="loss")

    assert first == quick_client.ask("breakpoints", setting=SETTING, stake="loss")
    moved = quick_client.ask("breakpoints", setting=SETTING | {"loss": 100}, stake="loss")
    assert first["bins"] == moved["bins"]
    assert first["below"] != moved["below"]


@pytest.mark.parametrize(("stake", "status"), [("benefit", 409), ("cost", 409), ("loss", 200)])
def test_breakpoints_of_a_setting_that_was_left_are_not_looked_for_any_longer(stake, status, monkeypatch):
    """Along the stake that moves they stay the same, and are found."""
    session = Session.open(Scenario.read(QUICKSTART))
    client = ExplorerClient(session)
    client.ask("answer", setting=SETTING)
    asked = []

    def turned_meanwhile(_):
        if not asked:
            asked.append(1)
            session.answer({**SETTING, "loss": 1800})

    monkeypatch.setattr("gamedeid.analysis.stretches.STRETCHES_PER_CALL", 64)
    monkeypatch.setattr(Urgency, "wait_until_quiet", turned_meanwhile)
    answered = client.post("breakpoints", {"setting": SETTING, "stake": stake})

    assert (status, [1]) == (answered.status_code, asked)
    if status == 409:
        assert f"breakpoints along the {stake}: the setting has changed since" == answered.json()["error"]
        assert 1800 == client.ask("breakpoints", setting={**SETTING, "loss": 1800}, stake="loss")["value"]
