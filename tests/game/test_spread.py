"""Does adding up attacks one by one give the chance of at least one re-identification, and the range of the number?"""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import game_of, instance_of
from oracles import GAMES
from recipient_instances import instance_with, with_recipients
from scipy import stats
from worlds import worlds

from gamedeid.game import spread as spread_room
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.solvers import exact
from gamedeid.game.spread import HIGH, LOW, AttackLaw, AttackLaws, Spread, attack_laws, spread_of

CHANCES = st.one_of(st.integers(1, 400).map(lambda people: 1 / people), st.floats(0, 1))
ATTACKS = st.lists(st.tuples(CHANCES, st.integers(1, 12)), max_size=8)
RECIPIENTS = st.lists(st.tuples(st.sampled_from([1.0, 0.5, 0.001]), ATTACKS), min_size=1, max_size=3)


def one_by_one(recipients: list[tuple[float, list[float]]]) -> tuple[float, int, int]:
    """Return the chance of at least one success and both quantiles, the distribution built attack by attack."""
    numbers = np.ones(1)
    for probability, chances in recipients:
        there = reduce(lambda found, one: np.convolve(found, [1 - one, one]), chances, np.ones(1)) * probability
        there[0] += 1 - probability
        numbers = np.convolve(numbers, there)
    upto = np.cumsum(numbers) + 1e-9
    return 1 - float(numbers[0]), int((upto < LOW).sum()), int((upto < HIGH).sum())


def law(attacks: list[tuple[float, int]]) -> AttackLaw:
    chances, records = zip(*attacks, strict=True) if attacks else ((), ())
    return AttackLaw.of(np.array(chances, float), np.array(records, np.int64))


def spread_of_all(*recipients: tuple[float, AttackLaw]) -> Spread:
    return spread_of(AttackLaws(laws=recipients, highest=0.0))


def same(found: Spread, expected: tuple[float, int, int]) -> None:
    assert expected == (pytest.approx(found.at_least_one, abs=1e-9), found.low, found.high)


@given(RECIPIENTS)
def test_the_distribution_is_that_of_one_attack_after_another(recipients):
    chances = [(there, [one for one, many in attacks for _ in range(many)]) for there, attacks in recipients]

    same(spread_of_all(*((there, law(attacks)) for there, attacks in recipients)), one_by_one(chances))


@pytest.mark.parametrize(
    ("records", "chance"),
    [
        (1, 1.0),
        (7, 0.5),
        (400, 1 / 150),
        (30_000, 1 / 31),
        (30_000, 1 / 32),
        (30_000, 1 / 33),
        (10**7, 0.5),
        (10**9, 3e-9),
    ],
)
def test_equal_chances_are_binomial(records, chance):
    binomial = stats.binom(records, chance)

    same(
        spread_of_all((1.0, law([(chance, records)]))),
        (binomial.sf(0), int(binomial.ppf(LOW)), int(binomial.ppf(HIGH))),
    )


def test_small_chances_are_as_exact_by_power_sums_as_one_by_one(monkeypatch):
    chances, records = 1 / np.arange(2, 3000), np.arange(2, 3000) % 7 + 1
    by_powers = spread_of_all((1.0, AttackLaw.of(chances, records)))
    monkeypatch.setattr(spread_room, "_SMALL", 0.0)
    alone = spread_of_all((1.0, AttackLaw.of(chances, records)))

    assert (alone.low, alone.high) == (by_powers.low, by_powers.high)
    assert pytest.approx(alone.at_least_one, abs=1e-12) == by_powers.at_least_one


def test_an_expectation_of_2_7_is_a_chance_of_93_percent_of_at_least_one():
    found = spread_of_all((1.0, law([(2.7 / 400, 400)])))

    assert pytest.approx(0.9335, abs=5e-4) == found.at_least_one
    assert (0, 6) == (found.low, found.high)


@given(ATTACKS, ATTACKS)
def test_the_law_of_two_parts_is_that_of_all(one, other):
    together, apart = spread_of_all((1.0, law(one + other))), spread_of_all((1.0, law(one).plus(law(other))))

    same(together, (apart.at_least_one, apart.low, apart.high))


@given(world=worlds(), name=st.sampled_from(GAMES), everybody=st.booleans())
def test_attacks_are_those_of_each_record(world, name, everybody):
    instance = instance_of(world)
    nodes = exact(instance, game_of(world, instance, name)).nodes
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=nodes)
    attacked = outcomes.people > 0 if everybody else outcomes.attacked
    chances = np.repeat(outcomes.success_probability * attacked, instance.profiles.records).tolist()

    found = spread_of(attack_laws(instance, nodes, all_attacked=everybody))

    same(found, one_by_one([(1.0, chances)]))
    assert found.highest == max(chances)


@given(drawn=with_recipients())
def test_a_recipient_attacks_all_records_or_does_not_exist(drawn):
    world, recipients = drawn
    instance = instance_with(world, recipients)
    nodes = exact(instance, game_of(world, instance, "basic")).nodes
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=nodes)
    chances: dict[str, list[float]] = {}
    there = {one.name: one.recipient.probability for one in instance.recipients.types}
    names = [one.name for one in instance.recipients.types]
    replies = outcomes.replies
    for name, probability in there.items():
        mine = [place for place, one in enumerate(names) if one == name]
        for profile, many in enumerate(instance.profiles.records.tolist()):
            right = sum(
                float(
                    replies.adversaries[place].success_probability(
                        replies.people_decided_among[place][profile : profile + 1]
                    )[0]
                )
                for place in mine
                if replies.attacks[place][profile]
            )
            chances.setdefault(name, []).extend([min(right / probability, 1.0)] * many)

    found = spread_of(attack_laws(instance, nodes))

    same(found, one_by_one([(there[name], chances[name]) for name in there]))
    of_each = zip(*chances.values(), strict=True)  # the chances of one record after another
    named = [one_by_one([(there[name], [one]) for name, one in zip(there, each, strict=True)])[0] for each in of_each]
    assert pytest.approx(max(named), abs=1e-12) == found.highest
    expected = float((replies.reidentifications * instance.profiles.records).sum())
    assert found.at_least_one <= expected + 1e-9
