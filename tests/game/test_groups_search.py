"""The search for groups itself: what an interruption leaves, and that cores do not change its answer."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import gamedeid
from gamedeid import parallel
from gamedeid.game.mechanism.plan import Plan, plan_game
from gamedeid.progress import unreported
from gamedeid.scenario.limits import Groups

QUICKSTART = Path(__file__).parents[2] / "scenarios" / "quickstart.toml"


@pytest.fixture(scope="module")
def planned() -> Callable[..., Plan]:
    tables = (pd.read_csv(QUICKSTART.with_suffix("") / name, dtype=str) for name in ("records.csv", "population.csv"))
    study = gamedeid.Study.prepare(QUICKSTART, *(table[table["zip"] == "03481"] for table in tables))

    def of(progress: Callable[[int, int], None] = unreported, **asked: float) -> Plan:
        asked_for = Groups(**asked)
        return plan_game("aware-no-attack", study.instance, study.population.cells, asked_for, progress=progress)[1]

    return of


def interrupt_at(step: int) -> Callable[[int, int], None]:
    def progress(done: int, _: int) -> None:
        if done == step:
            raise KeyboardInterrupt

    return progress


def test_an_interruption_keeps_the_best_so_far_where_seconds_are_given(planned):
    before, stopped = planned(steps=16), planned(interrupt_at(17), steps=400, seconds=1000)

    assert 17 == stopped.facts.steps
    assert before.facts.publisher_payoff <= stopped.facts.publisher_payoff <= stopped.facts.payoff_bound


def test_an_interruption_ends_a_search_by_steps(planned):
    with pytest.raises(KeyboardInterrupt):
        planned(interrupt_at(17), steps=400)


def test_cores_do_not_change_the_answer(planned, monkeypatch):
    plans = []
    for workers in (1, 2, 5):
        monkeypatch.setattr(parallel, "cores", lambda workers=workers: workers)
        plans.append(planned(steps=40))

    assert 1 == len({plan.nodes.tobytes() for plan in plans})
    assert 1 == len({(plan.facts.publisher_payoff, plan.facts.payoff_bound) for plan in plans})
    assert (planned(steps=0).nodes != plans[0].nodes).any()
