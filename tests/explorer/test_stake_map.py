"""The map over benefit and loss: rows arrive as they are computed, and are those of a sweep."""

from time import monotonic

from explorer_client import whole_map

from gamedeid.analysis.sweep import sweep
from gamedeid.explorer.compiled import Urgency
from gamedeid.explorer.stake_map import MEASURES
from gamedeid.scenario.grid import Axis
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study


def test_the_whole_map_is_that_of_a_sweep(small_client, small_scenario):
    found, rows = whole_map(small_client, {"cost": 11})
    study = Study.prepare(Scenario.read(small_scenario.file.path, {"payoffs.cost": 11}))
    axes = [Axis(name="loss", values=tuple(found["losses"])), Axis(name="benefit", values=tuple(found["benefits"]))]
    expected = {}
    for block in sweep(study, axes, measures=MEASURES):
        names = list(block.columns)
        for values in zip(*block.columns.values(), strict=True):
            row = dict(zip(names, values, strict=True))
            expected[row["loss"], row["benefit"], row["policy"]] = [row[measure] for measure in MEASURES]

    assert list(range(25)) == sorted(rows)
    assert expected == {
        (loss, benefit, policy): [measures[measure][place] for measure in MEASURES]
        for row, loss in enumerate(found["losses"])
        for policy, measures in rows[row].items()
        for place, benefit in enumerate(found["benefits"])
    }
    assert (90.0, 100.0) == (found["losses"][12], found["benefits"][12])


def test_benefit_and_loss_do_not_begin_another_map_and_the_other_stakes_do(small_client):
    first, _ = whole_map(small_client, {"cost": 12})
    same = small_client.ask("map", setting={"cost": 12, "loss": 5, "benefit": 7}, key=first["key"], have=25)
    other = small_client.ask("map", setting={"cost": 13}, key=first["key"], have=25)

    assert (first["key"], [], True) == (same["key"], same["rows"], same["complete"])
    assert other["key"] != first["key"]
    assert 0 == other["first"]


def test_other_work_waits_while_an_answer_is_under_way():
    urgency = Urgency()
    begun = monotonic()
    with urgency.answering():
        pass
    urgency.wait_until_quiet()

    assert monotonic() - begun >= 0.3
