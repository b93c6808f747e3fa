"""Does a plain search through all strategies of fewer attributes confirm the solution of ten attributes of Adult?"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from depth import tries

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from doublings import HALVES, doublings
from ten_attributes import ATTRIBUTES, complete_records, study_of

from gamedeid import Hierarchy, Study, solve
from gamedeid.choices import GAMES
from gamedeid.population.scan import ScannedCounts


def sample(records: int, attributes: int, *, halved: bool) -> Study:
    """Return the question about some records, drawn by a seed, and the first of the ten attributes."""
    everybody = complete_records()
    assert 30_162 == len(everybody)
    some = everybody.take(np.random.default_rng(6).choice(len(everybody), records, replace=False))
    ladders = {name: Hierarchy.intervals(*HALVES[name], name=name) for name in HALVES} if halved else {}
    return study_of(some, ATTRIBUTES[:attributes], ladders)


@pytest.mark.parametrize("game", tries(("no-attack", "sh-friendly"), GAMES))
def test_six_attributes_are_solved_as_by_trying_every_strategy(game):
    study = sample(40, 6, halved=True)
    instance = study.instance
    counts = ScannedCounts(study.population.cells, instance.hierarchy_tables, 0)
    scanned = replace(study, instance=replace(instance, data=replace(instance.data, counts=counts)))
    every = solve(study, game=game, solver="backward-induction")
    proved, quick = (solve(scanned, game=game, solver=solver) for solver in ("exact", "lattice-search"))

    assert 3 * 4 * 3 * 3 * 5 * 3 == instance.lattice.size
    assert every.choice.nodes.tolist() == proved.choice.nodes.tolist()
    assert every.publisher_payoff.tolist() == proved.publisher_payoff.tolist()
    assert solve(study, game=game, solver="lattice-search").choice.nodes.tolist() == quick.choice.nodes.tolist()
    assert (quick.choice.bounds >= every.publisher_payoff).all()
    assert quick.search["gap"] < instance.payoffs.benefit / 2


def test_more_than_a_million_strategies_are_proved_and_few_of_them_counted():
    study = sample(60, 10, halved=False)
    solution = solve(study, game="basic")
    quick = solve(study, game="basic", solver="lattice-search")

    assert 1_399_680 == study.instance.lattice.size
    assert solution.choice.proved
    assert solution.search["searched"] < study.instance.lattice.size / 20
    assert (solution.publisher_payoff >= quick.publisher_payoff - study.instance.payoffs.tolerance).all()
    assert (solution.publisher_payoff <= quick.choice.bounds).all()


def test_the_doublings_are_doublings():
    rows = list(doublings(complete_records().slice(0, 5)))

    assert [87_480 * 2**step for step in range(5)] == [row["size"] for row in rows if row["what"] == "strategies"]
    assert [6, 7, 8, 9, 10] == [row["size"] for row in rows if row["what"] == "attributes"]
    assert all(row["seconds"] > 0 < row["megabytes"] for row in rows)
