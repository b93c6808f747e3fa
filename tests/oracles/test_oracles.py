"""Does the oracle agree with games solved by hand?"""

from dataclasses import replace

import pytest
from oracles import (
    GAMES,
    Game,
    Outcome,
    World,
    algorithm_1,
    algorithm_2,
    information_loss,
    measures,
    people,
    policy_outcome,
    publisher_payoff,
    start,
    strategy_graph,
    walk_order,
)


def ladder(*rows: str) -> list[list[str]]:
    """Write `"p pq *"` for one row of labels."""
    return [row.split() for row in rows]


PAIR = ladder("p *", "q *")
FOUR = ladder("p pq *", "q pq *", "r rs *", "s rs *")
ALONE = World(
    ladders={"x": FOUR},
    weights={"x": 1.0},
    records=[{"x": "p"}],
    population=[({"x": "p"}, 1), ({"x": "q"}, 3), ({"x": "r"}, 4)],
    benefit=100.0,
    loss=60.0,
    gain=60.0,
    cost=20.0,
)


def test_strategies_are_walked_from_the_most_specific_and_children_are_in_the_order_of_the_attributes() -> None:
    graph = strategy_graph((2, 3))

    assert walk_order(graph) == [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (1, 2)]
    assert list(graph.successors((0, 0))) == [(1, 0), (0, 1)]
    assert list(graph.successors((1, 2))) == []
    assert graph.number_of_edges() == 7


def test_people_are_counted_by_released_labels() -> None:
    assert [people(ALONE, 0, (level,)) for level in range(3)] == [1, 4, 8]


def test_a_person_with_a_missing_value_is_found_only_under_the_star() -> None:
    world = replace(ALONE, population=[({"x": "p"}, 1), ({"x": None}, 5)])

    assert [people(world, 0, (level,)) for level in range(3)] == [1, 1, 6]


def test_without_a_population_the_records_are_each_others_neighbours() -> None:
    world = replace(ALONE, population=None, records=[{"x": "p"}, {"x": "p"}, {"x": "q"}, {"x": None}], floors=[{}] * 4)

    assert [people(world, 0, (level,)) for level in range(3)] == [2, 3, 4]


def test_information_loss_is_the_share_of_the_weighted_logarithms() -> None:
    world = replace(ALONE, ladders={"x": FOUR, "y": PAIR}, weights={"x": 1.0, "y": 3.0}, records=[{"x": "p", "y": "q"}])

    # ln 4 = 2 ln 2, so the most there is to lose is 5 ln 2
    losses = [information_loss(world, 0, strategy) for strategy in [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)]]
    assert losses == pytest.approx([0, 1 / 5, 2 / 5, 3 / 5, 1])


def test_an_adversary_whose_gain_equals_the_cost_does_not_attack() -> None:
    tie = replace(ALONE, gain=80.0)  # 80 against 20 * 4

    assert algorithm_1(tie, 0, "no-attack").strategy == (1,)
    assert algorithm_1(replace(tie, gain=80.25), 0, "no-attack").strategy == (2,)


def test_the_adversary_decides_by_the_gain_and_the_publisher_pays_the_loss() -> None:
    outcome = algorithm_1(replace(ALONE, gain=21.0, loss=8.0), 0, "basic")

    assert (outcome.strategy, outcome.attacked) == ((0,), True)
    assert (outcome.publisher_payoff, outcome.adversary_payoff) == (92.0, 1.0)


def test_among_equals_the_first_in_walk_order_is_taken() -> None:
    free = replace(ALONE, ladders={"x": FOUR, "y": PAIR}, weights={"x": 1.0, "y": 0.0}, records=[{"x": "p", "y": "q"}])
    world = replace(free, population=[({"x": "p", "y": "q"}, 3)])  # no record is attacked, y is worth nothing

    assert publisher_payoff(world, 0, (0, 0)) == publisher_payoff(world, 0, (0, 1)) == 100
    assert algorithm_1(world, 0, "basic").strategy == (0, 0)


def test_payoffs_that_differ_only_by_rounding_are_equal() -> None:
    ten, five = [[str(leaf), "*"] for leaf in range(10)], [[str(leaf), "*"] for leaf in range(5)]
    world = replace(
        ALONE,
        ladders={"x": ten, "y": [["0", "*"], ["1", "*"]], "z": five},
        weights={"x": 1.0, "y": 1.0, "z": 1.0},
        records=[{"x": "0", "y": "0", "z": "0"}],
        population=[
            ({"x": "0", "y": "0", "z": "0"}, 1),
            ({"x": "1", "y": "0", "z": "0"}, 2),
            ({"x": "0", "y": "1", "z": "1"}, 2),
        ],
        loss=1200.0,
    )

    assert publisher_payoff(world, 0, (1, 0, 0)) < publisher_payoff(world, 0, (0, 1, 1))  # ln 10 against ln 2 + ln 5
    assert publisher_payoff(world, 0, (1, 0, 0)) == pytest.approx(50)
    assert algorithm_1(world, 0, "basic").strategy == (1, 0, 0)


WITHHELD = Outcome(
    strategy=None,
    withheld=True,
    attacked=False,
    publisher_payoff=0.0,
    adversary_payoff=0.0,
    information_loss=1.0,
    generalization_intensity=1.0,
    success_probability=0.0,
    searched=3,
)


@pytest.mark.parametrize("game", GAMES)
def test_a_record_that_costs_more_than_it_is_worth_is_withheld_but_a_policy_releases_it(game: Game) -> None:
    # attacked everywhere: 100 - 900, 50 - 900 / 4, 0 - 900 / 8
    world = replace(ALONE, loss=900.0, gain=900.0, floors=[{"x": 1}])

    assert algorithm_1(world, 0, game) == replace(WITHHELD, searched=2 if game == "sh-friendly" else 3)
    assert algorithm_2(world, 0, game).withheld
    assert policy_outcome(world, 0).publisher_payoff == pytest.approx(-175)


def test_nothing_gained_and_nothing_lost_is_released_as_a_star_and_not_withheld() -> None:
    outcome = algorithm_1(replace(ALONE, loss=900.0, gain=160.0), 0, "basic")  # 160 against 20 * 8

    assert (outcome.strategy, outcome.withheld, outcome.publisher_payoff) == ((2,), False, 0.0)
    assert measures([outcome, WITHHELD])["suppressed"] == 1
    assert measures([outcome, WITHHELD])["withheld"] == 0.5


def test_lattice_search_stops_where_every_child_looks_worse_even_if_the_adversary_would_leave_it() -> None:
    # level 0: 100 - 60 = 40; level 1 looks like 50 - 60 / 4 = 35, but is not attacked: 50
    found = algorithm_2(ALONE, 0, "basic")

    assert (found.strategy, found.publisher_payoff, found.attacked, found.searched) == ((0,), 40.0, True, 2)
    assert algorithm_1(ALONE, 0, "basic").publisher_payoff == pytest.approx(50)


def test_lattice_search_of_the_no_attack_game_passes_through_an_attacked_strategy() -> None:
    near, far = ALONE, replace(ALONE, cost=10.0)  # 60 against 10 * 4: attacked at level 1 too

    assert (algorithm_2(near, 0, "no-attack").strategy, algorithm_2(near, 0, "no-attack").searched) == ((1,), 2)
    assert (algorithm_2(far, 0, "no-attack").strategy, algorithm_2(far, 0, "no-attack").searched) == ((2,), 3)
    assert algorithm_2(replace(ALONE, cost=1.0), 0, "no-attack") == WITHHELD
    assert algorithm_2(replace(ALONE, cost=1.0, loss=0.0), 0, "no-attack") == WITHHELD  # harmless, but not permitted


def test_lattice_search_returns_an_unattacked_start_at_once() -> None:
    found = algorithm_2(replace(ALONE, cost=60.0), 0, "basic")

    assert (found.strategy, found.searched) == ((0,), 1)


def test_lattice_search_takes_the_last_of_equally_good_children_and_leaves_an_equal_parent() -> None:
    world = replace(
        ALONE,
        ladders={"x": PAIR, "y": PAIR, "z": FOUR},
        weights={"x": 0.0, "y": 0.0, "z": 1.0},
        records=[{"x": "p", "y": "p", "z": "p"}],
        population=[({"x": "p", "y": "p", "z": "p"}, 1), ({"x": "q", "y": "q", "z": "p"}, 1)],
    )

    # (0,0,0), (1,0,0) and (0,1,0) pay 40; (1,1,0) pays 70, and its child pays 50 - 30
    found = algorithm_2(world, 0, "basic")
    assert (found.strategy, found.searched) == ((1, 1, 0), 1 + 3 + 2 + 1)
    one_step = replace(world, weights={"x": 0.0, "y": 1.0, "z": 1.0}, records=world.records)
    assert algorithm_2(one_step, 0, "basic").strategy == (1, 0, 0)


def test_the_sh_friendly_game_starts_from_the_floor() -> None:
    world = replace(ALONE, cost=10.0, floors=[{"x": 1}])

    assert start(world, 0, "sh-friendly") == (1,)
    assert (algorithm_1(world, 0, "sh-friendly").strategy, algorithm_1(world, 0, "basic").strategy) == ((1,), (0,))
    assert (algorithm_2(world, 0, "sh-friendly").searched, policy_outcome(world, 0).strategy) == (2, (1,))


def test_a_missing_value_is_released_as_a_star_in_every_game_and_by_the_policy() -> None:
    world = replace(ALONE, records=[{"x": None}], floors=[{"x": 0}])

    strategies = [solve(world, 0, game).strategy for game in GAMES for solve in (algorithm_1, algorithm_2)]
    assert [*strategies, policy_outcome(world, 0).strategy] == [(2,)] * 7


@pytest.mark.parametrize(
    ("unmatched", "attacked", "probability", "payoff"), [("unique", True, 1.0, 40.0), ("safe", False, 0.0, 100.0)]
)
def test_a_record_without_a_match_counts_as_unique_or_safe(
    unmatched: str, attacked: bool, probability: float, payoff: float
) -> None:
    world = replace(ALONE, population=[({"x": "q"}, 1)], unmatched=unmatched)
    outcome = policy_outcome(world, 0)

    assert (outcome.attacked, outcome.success_probability, outcome.publisher_payoff) == (attacked, probability, payoff)


def test_an_unmatched_record_is_an_error_where_the_world_says_so() -> None:
    with pytest.raises(ValueError, match="matches nobody"):
        people(replace(ALONE, population=[({"x": "q"}, 1)]), 0, (0,))


def test_measures_are_taken_over_all_records() -> None:
    detailed = algorithm_2(ALONE, 0, "basic")  # attacked, the only person
    coarse = policy_outcome(replace(ALONE, cost=10.0, floors=[{"x": 1}]), 0)  # attacked, one of four
    quiet = algorithm_1(ALONE, 0, "no-attack")

    assert measures([detailed, coarse, quiet, WITHHELD]) == pytest.approx(
        {
            "publisher_payoff": (40 + 35 + 50 + 0) / 4,
            "adversary_payoff": (40 + 5 + 0 + 0) / 4,
            "suppressed": 1 / 4,
            "unmodified": 1 / 4,
            "withheld": 1 / 4,
            "generalization_intensity": (0 + 1 / 2 + 1 / 2 + 1) / 4,
            "attacked": 2 / 4,
            "reidentification_probability": (1 + 1 / 4) / 4,
            "reidentification_probability_attacked": (1 + 1 / 4) / 2,
            "expected_reidentifications": 1 + 1 / 4,
            "unmatched": 0.0,
            "unmatched_records": 0,
            "records": 4,
        }
    )
    assert measures([quiet])["reidentification_probability_attacked"] == 0
