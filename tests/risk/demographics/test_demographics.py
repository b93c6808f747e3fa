"""Who is identifiable by sex, place and birth: the same as a decision for each place and group."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message

from gamedeid.errors import InvalidScenarioError
from gamedeid.risk.census.counts import PlaceCounts, age_group
from gamedeid.risk.census.identifiable import IdentifiablePeople, identifiable, predicted_patients, thresholds

NAMES = ("under 3", "3-4", "5", "6+")
DETAILS = ("date", "month", "year", "two-year")
GROUPS = tuple(age_group(name) for name in NAMES)
KINDS = ("places_wholly_identifiable", "places_partly_identifiable", "places_not_identifiable")


def table(people, states=None) -> PlaceCounts:
    places = [f"place {number}" for number in range(len(people))]
    return PlaceCounts(places=places, states=states, groups=GROUPS, people=np.array(people, np.int64))


@st.composite
def tables(draw):
    """Draw places whose groups have about as many people as one of their thresholds."""
    limits = [limit for detail in DETAILS for limit in thresholds(GROUPS, detail).tolist()]
    number = st.one_of(st.integers(0, 9), st.sampled_from(limits).flatmap(lambda n: st.integers(max(n - 1, 0), n + 1)))
    people = draw(st.lists(st.lists(number, min_size=4, max_size=4), min_size=1, max_size=6))
    size = len(people)
    states = draw(st.one_of(st.none(), st.lists(st.sampled_from(["AL", "NY", "TN"]), min_size=size, max_size=size)))
    return table(people, states)


details, boundaries = st.sampled_from(DETAILS), st.sampled_from(["at-most", "below"])


@given(counts=tables(), detail=details, boundary=boundaries)
def test_a_group_is_identifiable_as_a_whole_or_not_at_all(counts, detail, boundary):
    found = identifiable(counts, detail, boundary)
    values = {"date": 365, "month": 12, "year": 1, "two-year": 0.5}[detail]
    by_state: dict[str, list[int]] = {}
    for place, row in enumerate(counts.people.tolist()):
        unique = 0
        for group, people in enumerate(row):
            limit = 2 * values * counts.groups[group].years
            few = people < limit or (people == limit and boundary == "at-most")
            assert (people if few else 0) == found.people[place, group]
            unique += people if few else 0
        assert IdentifiablePeople(population=sum(row), identifiable=unique) == found.by_place[place]
        if counts.states is not None:
            state = by_state.setdefault(counts.states[place], [0, 0])
            state[0] += sum(row)
            state[1] += unique
    expected = {
        state: IdentifiablePeople(population=by_state[state][0], identifiable=by_state[state][1]) for state in by_state
    }
    assert expected == found.by_state
    assert sorted(by_state) == list(found.state_names)
    parts = [found.by_place, found.by_group, *([found.by_state.values()] if counts.states is not None else [])]
    for shares in parts:
        assert found.total.population == sum(share.population for share in shares)
        assert found.total.identifiable == sum(share.identifiable for share in shares)


@given(counts=tables(), boundary=boundaries)
def test_a_person_identifiable_by_less_detail_is_identifiable_by_more(counts, boundary):
    fine_to_coarse = [identifiable(counts, detail, boundary).people for detail in DETAILS]
    for finer, coarser in pairwise(fine_to_coarse):
        assert (finer >= coarser).all()


@given(counts=tables(), detail=details, boundary=boundaries)
def test_every_place_that_is_lived_in_is_identifiable_wholly_partly_or_not(counts, detail, boundary):
    found = identifiable(counts, detail, boundary)
    plain, shares = found.as_dict(), [share for share in found.by_place if share.population]

    assert len(shares) == sum(plain[kind] for kind in KINDS)
    assert sum(share.identifiable == 0 for share in shares) == plain["places_not_identifiable"]
    assert sum(share.share == 1 for share in shares) == plain["places_wholly_identifiable"]
    assert plain == json.loads(json.dumps(plain, allow_nan=False))
    for row, limit, people in zip(
        plain["age_groups"], thresholds(GROUPS, detail).tolist(), counts.people.T.tolist(), strict=True
    ):
        few = [number for number in people if 0 < number < limit + (boundary == "at-most")]
        assert (limit, len(few), sum(few)) == (row["threshold"], row["places_identifiable"], row["identifiable"])


def test_without_people_there_is_no_share():
    found = identifiable(table([[0, 0, 0, 0]], ["NY"]), "date")
    plain = found.as_dict(0.5)

    assert None is found.total.share
    assert (None, None) == (plain["share"], plain["states"]["NY"]["share"])
    assert (0.0, 0.0) == (plain["patients"], plain["identified_patients"])
    assert [0, 0, 0] == [plain[kind] for kind in KINDS]


@given(counts=tables(), detail=details, rate=st.floats(0.001, 10))
def test_identified_patients_are_the_identifiable_people_at_the_rate_of_patients(counts, detail, rate):
    found = identifiable(counts, detail)
    plain = found.as_dict(rate)

    assert pytest.approx(found.total.population * rate) == plain["patients"]
    for part, share in (("in all", found.total), *found.by_state.items()):
        row = plain if part == "in all" else plain["states"][part]
        assert pytest.approx(share.identifiable * rate) == row["identified_patients"]


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_a_rate_of_patients_is_a_number_above_0(rate):
    expected = f"patients per person must be a finite number above 0, such as 0.0833, not {rate:g}"
    assert expected == message(InvalidScenarioError, predicted_patients, 100, 0.5, rate)
    assert expected == message(InvalidScenarioError, identifiable(table([[1, 1, 1, 1]]), "date").as_dict, rate)


def test_an_unknown_detail_or_boundary_is_refused():
    counts = table([[1, 1, 1, 1]])

    assert "there is no detail `dates`; did you mean `date`?" == message(
        InvalidScenarioError, identifiable, counts, "dates"
    )
    assert "there is no boundary `over`; known: at-most, below" == message(
        InvalidScenarioError, identifiable, counts, "date", "over"
    )
