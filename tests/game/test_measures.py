"""Do sums over records give the same measures in every part of the package?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_worlds import game_of, instance_of
from oracles import GAMES
from worlds import worlds

from gamedeid.choices import MEASURES
from gamedeid.game.measures import WITHHELD_RECORD, Features, Sums, Totals, features_of, measures_at
from gamedeid.game.outcomes import Outcomes, strategy_totals
from gamedeid.game.solvers import exact
from gamedeid.kernels.tables import WITHHELD


def sums_of(outcomes: Outcomes) -> Sums[float]:
    """Return the sums over the records of some profiles, added up one by one."""
    features = features_of(
        benefit_share=1 - outcomes.information_loss,
        intensity=outcomes.generalization_intensity,
        withheld=outcomes.withheld,
        unmatched=outcomes.unmatched,
    )
    records = outcomes.instance.profiles.records[outcomes.profiles]
    risks = outcomes.success_probability * outcomes.attacked
    rows = zip(*features, outcomes.attacked, risks, strict=True)
    weighted = [[count * value for value in row] for count, row in zip(records.tolist(), rows, strict=True)]
    return Sums(*(float(sum(column)) for column in zip(*weighted, strict=True)))


@given(world=worlds(), name=st.sampled_from(GAMES))
def test_a_sweeps_sums_have_the_meaning_of_a_solutions_totals(world, name):
    instance = instance_of(world)
    nodes = exact(instance, game_of(world, instance, name)).nodes
    totals = strategy_totals(instance, nodes).measures
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=nodes)
    stakes = {"benefit": world.benefit, "loss": world.loss, "cost": world.cost}
    at = {key: np.array([float(value)]) for key, value in stakes.items()}
    gain = np.array([float(instance.payoffs.adversary_gain)])

    sums = Sums(*(np.array([value]) for value in sums_of(outcomes)))
    found = measures_at(sums, int(totals["records"]), gain=gain, **at)

    assert list(MEASURES) == list(found) == list(totals)[: len(MEASURES)]
    for measure in MEASURES:
        assert totals[measure] == pytest.approx(found[measure][0], abs=1e-9 * world.benefit)


def test_sums_begin_with_the_features():
    assert Features._fields == Sums._fields[: len(Features._fields)]


@given(worlds())
def test_a_withheld_record_counts_as_one_of_which_all_is_lost(world):
    instance = instance_of(world)
    withheld = np.full(instance.profiles.count, WITHHELD)
    outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=withheld)
    records = int(instance.profiles.records.sum())

    assert (*(records * value for value in WITHHELD_RECORD), 0.0, 0.0) == tuple(sums_of(outcomes))
    assert Totals(records=records, suppressed=records, withheld=records, generalization_intensity=records) == (
        outcomes.totals
    )


def test_without_attacks_there_is_no_trace_of_a_risk():
    sums = Sums(*(np.array([value]) for value in (1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1e-17)))
    one = np.ones(1)

    measures = measures_at(sums, 1, benefit=one, loss=one, cost=one, gain=one)

    risks = ("reidentification_probability", "reidentification_probability_attacked", "expected_reidentifications")
    assert [0.0, 0.0, 0.0] == [measures[name][0] for name in risks]
