"""A recipient who knows kept columns: a plain loop counts people among the records that share them."""

import itertools
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_worlds import BENEFIT, COST, KEEP, LADDERS, LOSS, RECIPIENTS, ROWS, TOPS, Row, finds, scenario
from questions import message
from small_world import gamedeid_prints, gamedeid_says, small_world

import gamedeid

FRACTION = 0.3


def estimated(found: int) -> int:
    """Return the estimated people of the population for people of the sample: one over the mean of 1 / people."""
    chance = sum(
        math.comb(people - 1, found - 1) * FRACTION**found * (1 - FRACTION) ** (people - found) / people
        for people in range(found, 400)
    )
    return max(found, math.floor((1 + 1e-9) / chance))


def best_of(row: Row, recipients: dict, records: list[Row], people: list[Row], *, sampled: bool = False) -> float:
    """Return the publisher's best payoff by trying every strategy, and by withholding the record.

    In a sample, a recipient who knows no kept column finds the estimated people of the population.
    """
    sizes = {name: len(rows) for name, rows in LADDERS.items()}
    best = 0.0
    for chosen in itertools.product(range(3), range(2)):
        levels = dict(zip(TOPS, chosen, strict=True))
        lost = sum(
            math.log(sum(rows[str(row[name])][levels[name]] == one[levels[name]] for one in rows.values()))
            for name, rows in LADDERS.items()
        ) / sum(map(math.log, sizes.values()))
        payoff = BENEFIT * (1 - lost)
        for one in recipients.values():
            found = finds(row, levels, one, records, people)
            if sampled and not {*KEEP} & {*one["knows"]}:
                found = estimated(found)
            if one.get("gain", LOSS) > one.get("cost", COST) * found:
                payoff -= one["probability"] * LOSS / found
        best = max(best, payoff)
    return best


@given(records=ROWS, others=ROWS, known=st.sets(st.sampled_from(sorted(RECIPIENTS)), min_size=1), own=st.booleans())
def test_every_record_is_paid_as_by_trying_every_strategy_and_counting_by_hand(records, others, known, own):
    recipients = {name: one for name, one in RECIPIENTS.items() if name in known}
    people = records if own else [*records, *others]
    frame = None if own else pd.DataFrame(people)[list(LADDERS)]
    solution = gamedeid.solve(scenario(recipients), pd.DataFrame(records), frame, game="basic")

    expected = [best_of(row, recipients, records, people) for row in records]
    assert pytest.approx(expected) == solution.strategies["publisher_payoff"].tolist()


@given(records=ROWS, known=st.sets(st.sampled_from(sorted(RECIPIENTS)), min_size=1))
def test_a_sampling_fraction_raises_the_counts_of_those_who_know_no_kept_column_only(records, known):
    recipients = {name: one for name, one in RECIPIENTS.items() if name in known}
    asked = scenario(recipients, population={"sampling_fraction": FRACTION})
    solution = gamedeid.solve(asked, pd.DataFrame(records), game="basic")

    expected = [best_of(row, recipients, records, records, sampled=True) for row in records]
    assert pytest.approx(expected) == solution.strategies["publisher_payoff"].tolist()


def test_how_many_of_a_sample_are_unique_depends_on_no_kept_column_that_a_recipient_knows():
    rows = pd.DataFrame({"age": ["20", "21", "34"] * 3, "sex": ["F"] * 9, "time": range(9), "drug": ["a"] * 9})[:8]
    of_knowledge = []
    for known in (["age", "sex"], ["age", "sex", "time"]):
        asked = scenario({"registry": {"knows": known}}, population={"sampling_fraction": FRACTION})
        of_knowledge.append(gamedeid.risk.release_risks(gamedeid.solve(asked, rows, game="basic")).raw)

    one, other = of_knowledge
    assert one.uniqueness == other.uniqueness
    assert one.distinct == pytest.approx(other.distinct)
    assert 0 < one.distinct["3"] < 1


def test_a_missing_kept_value_is_one_value_and_the_classes_of_the_release_stay_the_same():
    rows = pd.DataFrame({"age": ["20"] * 4, "sex": ["F"] * 4, "time": [1, 1, None, None], "drug": ["a"] * 4})
    solution = gamedeid.solve(scenario({"registry": {"knows": ["time"], "probability": 0.5}}), rows, game="basic")

    assert 4 == gamedeid.risk.release_risks(solution).release.k_anonymity
    assert pytest.approx(0.5 * 4 / 2) == solution.measures["expected_reidentifications"]
    assert {1.0} == set(solution.strategies["attacked"])


def test_a_recipient_who_knows_a_unique_value_finds_the_record_at_any_strategy():
    rows = pd.DataFrame({"age": ["20", "21", "34"] * 9, "sex": ["F"] * 27, "time": range(27), "drug": ["a"] * 27})
    recipients = {"registry": {"knows": ["time"]}}
    solution = gamedeid.solve(scenario(recipients), rows, game="no-attack")
    assert 1.0 == solution.measures["withheld"]


def test_a_sweep_of_a_number_of_theirs_is_solving_again():
    rows = pd.DataFrame({"age": ["20", "21", "34"] * 3, "sex": ["F"] * 9, "time": [1, 1, 2] * 3, "drug": ["a"] * 9})
    study = gamedeid.Study.prepare(scenario(RECIPIENTS), rows)
    swept = gamedeid.sweep(study, ["recipients.registry.loss=1,500"], measures=["publisher_payoff"]).table
    for loss, paid in swept[swept["policy"] == "basic"][["recipients.registry.loss", "publisher_payoff"]].to_numpy():
        recipients = RECIPIENTS | {"registry": RECIPIENTS["registry"] | {"loss": loss}}
        assert paid == pytest.approx(gamedeid.solve(scenario(recipients), rows).measures["publisher_payoff"])


def test_a_sweep_of_the_probability_of_one_who_is_absent_in_the_scenario_says_what_to_set():
    rows = pd.DataFrame({"age": ["20", "21"], "sex": ["F"] * 2, "time": [1, 2], "drug": ["a"] * 2})
    absent = {**RECIPIENTS, "registry": RECIPIENTS["registry"] | {"probability": 0}}
    varied = ["recipients.registry.probability=0,0.5"]
    study, present = (gamedeid.Study.prepare(scenario(one), rows) for one in (absent, RECIPIENTS))
    complaint = message(gamedeid.InvalidScenarioError, lambda: gamedeid.sweep(study, varied).table)
    assert "recipients.registry: " in complaint
    assert "set its probability above 0 in the scenario" in complaint
    assert 8 == len(gamedeid.sweep(present, varied).table)


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ({"knows": ["tme"]}, "which is no attribute"),
        ({"knows": ["age"], "levels": {"time": 1}}, "which is no attribute"),
        ({"knows": ["time"], "population": {"path": "list.csv"}}, "leave the population or the column out"),
    ],
)
def test_impossible_knowledge_is_refused(section, complaint):
    rows = pd.DataFrame({"age": ["20"], "sex": ["F"], "time": [1], "drug": ["a"]})
    assert complaint in message(gamedeid.InvalidScenarioError, gamedeid.solve, scenario({"r": section}), rows)


def test_the_counts_answer_no_other_question():
    rows = pd.DataFrame({"age": ["20"], "sex": ["F"], "time": [1], "drug": ["a"]})
    study = gamedeid.Study.prepare(scenario({"registry": {"knows": ["age"]}}), rows)
    asked = gamedeid.Scenario.parse(scenario({"registry": {"knows": ["time"]}}))
    other = asked.model_copy(update={"attributes": study.scenario.attributes})
    assert "recipients.registry.knows" in message(gamedeid.InvalidScenarioError, study.with_scenario, other)


def test_a_run_is_written_and_says_among_whom_people_are_counted(tmp_path):
    scenario = small_world(tmp_path)
    text = scenario.read_text() + '\n[recipients.registry]\nknows = ["age", "income"]\n'
    scenario.write_text(text)
    gamedeid_prints("run", scenario, "-o", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "age, income" in page
    assert "the people of the records" in page
    assert "people are counted among the records. The model assumes that no one can look a record up by others" in (
        " ".join(page.split())
    )
    uncounted = "A missing value counts as a value. The game does not count this."
    assert uncounted not in page
    assert uncounted not in gamedeid_says("risk", "release", tmp_path / "out").out.replace("\n", " ")
    assert 0 == gamedeid_says("determination", tmp_path / "out", "-o", tmp_path / "draft.md").code
    draft = (tmp_path / "draft.md").read_text()
    assert "For recipients who know income, people are counted among the records." in draft.replace("\n", " ")
    checked = gamedeid_prints("verify", "--verbose", tmp_path / "out", scenario)
    assert "the records that share the kept values known to the recipient registry" in checked
