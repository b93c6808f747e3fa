"""What risk and utility come to in sentences, in every case that there is."""

from typing import Any

import pytest

from gamedeid.pictures.risk_utility import _stairs
from gamedeid.pictures.risk_utility_words import risk_amount, risk_utility_words
from gamedeid.pictures.scales import Scale, rising_from_zero

UNIFORM = {
    "policies": 288,
    "beat_policy": 20,
    "beat_policy_on_both": 20,
    "equal_policy": 0,
    "on_frontier": 20,
    "on_frontier_and_beat_policy": 5,
}


def place(kept: float, risk: float) -> dict[str, Any]:
    return {
        "information_kept": kept,
        "expected_reidentifications": risk,
        "marketer_reidentifications": risk,
        "attacked": risk,
    }


def said(
    risk: str = "adversary", mine: float = 48.1, name: str = "safe-harbor", people: bool = False, **changed: Any
) -> list[str]:
    measures = {"adversary": "expected_reidentifications", "marketer": "marketer_reidentifications"}
    uniform = {key: changed.pop(key) for key in UNIFORM if key in changed}
    return risk_utility_words(
        {
            "risk": {"name": risk, "measure": measures.get(risk, "attacked")},
            "policy": {"name": name, "is_uniform": True, "levels": {"age": [0]}, **changed},
            "releases": {name: place(0.7084, mine)},
            "uniform": UNIFORM | uniform,
            "at_policy_risk": {"uniform": place(0.859, mine), "record_level": place(0.98148, mine), "bound": 0.99},
            "at_policy_information": {"uniform": place(0.7215, mine / 20), "record_level": place(0.97, 0.0)},
            "data": {"persons": {}} if people else {},
        }
    )


def test_the_first_sentence_counts_who_beats_the_policy():
    assert said()[0] == (
        "Of 288 uniform policies, each with one strategy for all records, 20 beat Safe Harbor: with less risk and more "
        "information."
    )
    assert said(beat_policy=1, beat_policy_on_both=1)[0].endswith(
        ", 1 beats Safe Harbor: with less risk and more information."
    )
    assert said(beat_policy_on_both=18)[0].endswith(
        ", 20 beat Safe Harbor: 18 with less risk and more information, 2 as good in one and better in the other."
    )
    assert said(beat_policy_on_both=0)[0].endswith(", 20 beat Safe Harbor: 20 as good in one and better in the other.")
    assert said(beat_policy=0, beat_policy_on_both=0)[0].endswith(
        ", none beats Safe Harbor: none is as good on both axes and better in one of them."
    )
    assert said(policies=1, beat_policy=0, on_frontier=1)[0].startswith(
        "Of 1 uniform policy, which has one strategy for all records, none beats"
    )
    assert "one strategy for all people, " in said(people=True)[0]


def test_the_second_sentence_is_on_the_uniform_frontier():
    assert said()[1] == (
        "20 are on the uniform frontier: beaten by no other uniform policy; 5 of them beat Safe Harbor."
    )
    alone = said(on_frontier=1, on_frontier_and_beat_policy=0, equal_policy=1)[1]
    assert alone == (
        "1 is on the uniform frontier: beaten by no other uniform policy. 1 stands where Safe Harbor does."
    )
    assert said(on_frontier_and_beat_policy=1)[1].endswith("; 1 of them beats Safe Harbor.")


@pytest.mark.parametrize(
    ("risk", "mine", "words", "needs"),
    [
        ("adversary", 48.1, "48.1 expected re-identifications", "2.4 expected re-identifications"),
        ("adversary", 0.0, "no expected re-identification", "no expected re-identification"),
        (
            "marketer",
            73.93,
            "73.9 expected re-identifications if all are attacked",
            "3.7 expected re-identifications if all are attacked",
        ),
        ("attacked", 0.0256, "2.56% of records attacked", "0.13% of records attacked"),
        ("adversary", 0.05, "0.05 expected re-identifications", "0.0025 expected re-identifications"),
        (
            "adversary",
            1e-6,
            "fewer than 0.0001 expected re-identifications",
            "fewer than 0.0001 ",
        ),
    ],
)
def test_the_risk_is_told_in_words_and_units(risk, mine, words, needs):
    at_risk, at_information = said(risk, mine)[2:4]

    assert at_risk == (
        f"Safe Harbor keeps 70.84% of the information, at {words}; at no more risk the best uniform policy keeps "
        "85.90%, and a strategy for each record keeps 98.15%."
    )
    assert at_information.startswith(f"To keep no less information than Safe Harbor, a uniform policy needs {needs}")
    assert at_information.endswith(", and a strategy for each record none.")


def test_a_policy_that_is_not_uniform_says_why_and_one_without_risk_that_nobody_can_have_less():
    several = said(is_uniform=False, levels={"age": [0, 3], "sex": [0]})
    assert several[-1] == "Safe Harbor is no uniform policy itself: it releases age at level 0 or 3, by the value."
    missing = said(is_uniform=False, levels={"age": [0], "sex": [0]})
    assert missing[-1] == "Safe Harbor is no uniform policy itself, because of values that are missing or differ."
    assert said(mine=0.0)[-1] == "Nothing can have less risk than Safe Harbor, with no expected re-identification."
    assert 4 == len(said())


def test_own_policies_are_named_as_such_and_people_are_people():
    assert "20 beat the policy \u201cpairs\u201d:" in said(name="pairs")[0]
    assert said(name="pairs")[2].startswith("The policy \u201cpairs\u201d keeps")
    assert "a strategy for each person keeps" in said(people=True)[2]
    assert "of people attacked" in said("attacked", 0.5, people=True)[2]


def test_a_risk_that_is_not_0_does_not_read_as_0():
    assert ["no", "fewer than 0.0001", "0.94", "1.0"] == [
        risk_amount("adversary", value) for value in (0.0, 1e-9, 0.94, 0.996)
    ]
    assert "<0.01%" == risk_amount("attacked", 1e-9)


def test_no_risk_stands_apart_on_a_logarithmic_axis_and_where_it_belongs_on_a_linear_one():
    apart = rising_from_zero([0.0, 2.0, 900.0], "risk")
    assert apart.log
    assert apart.zero is not None
    assert apart.limits[0] < apart.zero < 2.0
    assert ["0", "10", "100", "1,000"] == [apart.text(tick) for tick in apart.ticks]
    never = rising_from_zero([2.0, 900.0], "risk")
    assert never.log
    assert never.zero is None
    for linear in (rising_from_zero([0.0, 2.0, 9.0], "risk"), rising_from_zero([0.0, 0.0], "risk")):
        assert not linear.log
        assert 0.0 == linear.limits[0] or linear.only == (0.0,)
    assert "0" == Scale(label="risk").text(0.0)


def test_the_uniform_frontier_stays_at_what_is_reached_until_more_is():
    assert ([1.0, 2.0, 2.0, 5.0, 5.0], [0.1, 0.1, 0.4, 0.4, 0.9]) == _stairs([1.0, 2.0, 5.0], [0.1, 0.4, 0.9])
    assert ([1.0], [0.1]) == _stairs([1.0], [0.1])
