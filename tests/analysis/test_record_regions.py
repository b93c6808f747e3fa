"""The regions of one record over loss and benefit: each point is in the region of its solution."""

import numpy as np
import pytest
from sample_pictures import small_study

from gamedeid import Axis, InvalidScenarioError, sweep
from gamedeid.analysis.record_regions import record_regions

LOSSES, BENEFITS = (20.0, 40_000.0), (60.0, 24_000.0)


def is_inside(region, loss, benefit):
    """Return whether a point is in a region, by counting the borders between it and infinity, in logarithms."""
    corners = [(np.log(one), np.log(other)) for one, other in region.corners]
    x, y = np.log(loss), np.log(benefit)
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            inside = not inside
    return inside


@pytest.mark.parametrize("policy", ["basic", "sh-friendly", "no-attack", "safe-harbor"])
def test_a_point_is_in_the_region_of_its_strategy_and_reply(study, policy):
    study = study.alone(record=26)
    regions = record_regions(study, policy, LOSSES, BENEFITS)
    rng = np.random.default_rng(5)
    points = [
        Axis(name=name, values=tuple(np.exp(rng.uniform(*np.log(ends), 12)).tolist()))
        for name, ends in (("loss", LOSSES), ("benefit", BENEFITS))
    ]
    columns = sweep(study, points, per_record=True).columns
    names = list(study.instance.hierarchies)

    for row, who in enumerate(columns["policy"]):
        if who == policy:
            found = [one for one in regions if is_inside(one, columns["loss"][row], columns["benefit"][row])]
            expected = (tuple(columns[name][row] for name in names), columns["attacked"][row], columns["withheld"][row])
            assert [expected] == [(one.levels, one.attacked, one.withheld) for one in found]
            assert columns["generalization_intensity"][row] == found[0].generalization_intensity


def test_borders_are_straight_between_few_points(study):
    regions = record_regions(study.alone(record=26), "basic", LOSSES, BENEFITS)

    assert sum(len(region.corners) for region in regions) < 12 * len(regions)


@pytest.mark.parametrize(
    ("asked", "ends", "says"),
    [
        (small_study, (LOSSES, BENEFITS), "regions are of one record"),
        (lambda: small_study().alone(record=0), (LOSSES, (0.0, 10.0)), "benefits above 0"),
        (lambda: small_study().alone(record=0), ((5.0, 5.0), BENEFITS), "neither of them empty"),
    ],
)
def test_a_question_without_regions_is_refused(asked, ends, says):
    with pytest.raises(InvalidScenarioError, match=says):
        record_regions(asked(), "basic", *ends)
