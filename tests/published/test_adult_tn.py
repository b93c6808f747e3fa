"""Does the case study of wan2015 have the results of an independent program?"""

import gzip
import hashlib
import json
from math import log
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pandas as pd
import pytest
from case_study import POPULATION, RECORDS, SCENARIO, TESTS, write_adult
from oracles import GAMES

import gamedeid
from gamedeid import Comparison, solve
from gamedeid.choices import GameName
from gamedeid.data.datasets import DATASETS

GOLD = json.loads((TESTS / "gold" / "adult_tn.json").read_text("utf-8"))
HALF_OF_THE_LAST_DECIMAL = 0.5 * 10 ** -GOLD["decimals"]


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compared("exact")


@pytest.fixture(scope="module")
def searched() -> Comparison:
    return compared("lattice-search")


def compared(solver: Any) -> Comparison:
    if numba.config.DISABLE_JIT:
        pytest.skip("uncompiled, the case study takes too long")
    return gamedeid.compare(SCENARIO, solver=solver)


def row(found: Comparison, policy: str) -> dict[str, Any]:
    return next(one for one in found.rows if one["policy"] == policy)


def test_the_inputs_are_those_of_the_gold_numbers(comparison: Comparison) -> None:
    contents = {"adult_tn.csv": gzip.decompress(RECORDS.read_bytes()), POPULATION.name: POPULATION.read_bytes()}
    assert GOLD["inputs"] == {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    assert comparison.study.people == 6_346_105


def test_the_records_are_ucis_own_but_for_the_zip_codes_and_the_ages_of_the_top_code(tmp_path: Path) -> None:
    assert DATASETS["adult"].sha256 == hashlib.sha256(write_adult(tmp_path).read_bytes()).hexdigest()


def test_the_question_is_that_of_the_gold_numbers(comparison: Comparison) -> None:
    instance, scenario = comparison.study.instance, comparison.study.scenario

    assert GOLD["records"] == len(instance.profiles.of_record)
    assert GOLD["profiles"] == instance.profiles.count
    assert GOLD["strategies"] == instance.lattice.size
    assert GOLD["weights"] == {name: attribute.weight for name, attribute in scenario.attributes.items()}
    assert GOLD["payoffs"] == {name: getattr(scenario.payoffs, name) for name in GOLD["payoffs"]}
    assert scenario.payoffs.gain in (None, scenario.payoffs.loss)


@pytest.mark.parametrize(
    ("policy", "measure"), [(policy, measure) for policy, found in GOLD["policies"].items() for measure in found]
)
def test_every_figure_of_the_table(policy: str, measure: str, comparison: Comparison) -> None:
    expected = pytest.approx(GOLD["policies"][policy][measure], abs=HALF_OF_THE_LAST_DECIMAL)

    assert expected == row(comparison, policy)[measure]


@pytest.mark.parametrize("measure", GOLD["lattice-search"])
def test_every_figure_of_lattice_search(measure: str, searched: Comparison) -> None:
    expected = pytest.approx(GOLD["lattice-search"][measure], abs=HALF_OF_THE_LAST_DECIMAL)

    assert expected == row(searched, "basic")[measure]


def test_lattice_search_is_best_for_the_gold_share_of_records(searched: Comparison) -> None:
    assert 0.99705 == pytest.approx(row(searched, "basic")["optimal"], abs=0.000005)


@pytest.mark.parametrize("game", GAMES)
def test_exact_searches_no_more_than_lattice_search(
    game: GameName, comparison: Comparison, searched: Comparison
) -> None:
    assert row(comparison, game)["searched"] <= row(searched, game)["searched"]
    assert 1.0 == row(comparison, game)["optimal"]


@pytest.mark.parametrize("game", GAMES)
def test_exact_and_backward_induction_choose_the_same_for_every_record(game: GameName, comparison: Comparison) -> None:
    everything = solve(comparison.study, game=game, solver="backward-induction").choice
    enough = comparison.solutions[game].choice

    assert np.array_equal(everything.nodes, enough.nodes)
    assert (enough.searched <= everything.searched).all()


# The worked example: neighbours of our own making, as many as the printed probabilities say (tests/gold/README.md).
SOMEBODY = {"age": 48, "race": "Asian-Pac-Islander", "sex": "Female", "zip": "38363"}
NEIGHBOURS = [SOMEBODY, *[{**SOMEBODY, "zip": "38305"}] * 6, *[{**SOMEBODY, "race": "White", "sex": "Male"}] * 95]


@pytest.fixture(scope="module")
def example() -> Comparison:
    study = gamedeid.Scenario.read(SCENARIO)
    scenario = gamedeid.Scenario(attributes=study.attributes, payoffs=study.payoffs)
    return gamedeid.compare(scenario, pd.DataFrame([SOMEBODY]), pd.DataFrame(NEIGHBOURS))


def test_the_domains_are_the_papers(example: Comparison) -> None:
    hierarchies = example.study.instance.hierarchies

    assert [121, 5, 2, 628] == [len(hierarchy.leaves) for hierarchy in hierarchies.values()]
    assert 59 == hierarchies["zip"].sizes[2, hierarchies["zip"].code("38363")]
    assert "383**" == hierarchies["zip"].label(2, hierarchies["zip"].code("38363"))


def test_the_basic_game_releases_age_and_zip(example: Comparison) -> None:
    basic = example.solutions["basic"]

    assert [[0, 3, 1, 0]] == basic.levels.tolist()
    assert [1200 * (1 - log(5) / log(121 * 5 * 628))] == pytest.approx(basic.publisher_payoff.tolist())
    assert [1049.68] == pytest.approx(basic.publisher_payoff.tolist(), abs=0.005)
    assert [1 / 96] == basic.success_probability.tolist()
    assert [4 / 14] == basic.generalization_intensity.tolist()
    assert [False] == basic.attacked.tolist()


def test_safe_harbor_pays_what_the_paper_says(example: Comparison) -> None:
    policy = example.solutions["safe-harbor"]

    assert [[0, 0, 0, 2]] == policy.levels.tolist()
    assert [1200 * (1 - log(59) / log(121 * 5 * 628)) - 300 / 7] == pytest.approx(policy.publisher_payoff.tolist())
    assert [776.30] == pytest.approx(policy.publisher_payoff.tolist(), abs=0.005)
    assert [38.86] == pytest.approx(policy.adversary_payoff.tolist(), abs=0.005)
    assert [True] == policy.attacked.tolist()
