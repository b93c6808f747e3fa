"""A recipient who knows kept columns: people counted among the records that share them, by a plain loop."""

import itertools
import math

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions import message
from small_world import gamedeid_says, small_world

import gamedeid
from gamedeid.generalization.hierarchy import Hierarchy

LADDERS = {
    "age": {"20": ["20", "2x", "*"], "21": ["21", "2x", "*"], "34": ["34", "3x", "*"]},
    "sex": {"F": ["F", "*"], "M": ["M", "*"]},
}
TOPS = {"age": 2, "sex": 1}
BENEFIT, LOSS, COST = 100.0, 90.0, 20.0
RECIPIENTS = {
    "registry": {"knows": ["age", "sex", "time"], "probability": 0.5},
    "clinic": {"knows": ["time", "drug"], "levels": {"age": 1}, "probability": 0.75, "cost": 30.0},
    "neighbour": {"knows": ["age"], "probability": 0.25, "gain": 200.0},
}
KEEP = ["time", "drug"]
Row = dict[str, object]


def scenario(recipients: dict, **more) -> dict:
    return {
        "records": {"keep": KEEP},
        "attributes": {
            name: {"hierarchy": Hierarchy.from_rows(list(rows.values()), name=name)} for name, rows in LADDERS.items()
        },
        "payoffs": {"benefit": BENEFIT, "loss": LOSS, "cost": COST},
        "floor": "limited-data-set",
        "recipients": recipients,
        **more,
    }


def finds(row: Row, levels: dict[str, int], recipient: dict, records: list[Row], people: list[Row]) -> int:
    """Return how many people a recipient finds for a record that is released at some levels."""
    known = {name: recipient["levels"].get(name, TOPS[name]) if "levels" in recipient else TOPS[name] for name in TOPS}
    known |= {name: 0 for name in recipient["knows"] if name in TOPS}
    kept = [name for name in recipient["knows"] if name in KEEP]
    return sum(
        all(row[name] == other[name] for name in kept)
        and all(
            LADDERS[name][row[name]][max(level, known[name])] == LADDERS[name][other[name]][max(level, known[name])]
            for name, level in levels.items()
        )
        for other in (records if kept else people)
    )


def best_of(row: Row, recipients: dict, records: list[Row], people: list[Row]) -> float:
    """Return the publisher's best payoff by trying every strategy, and by withholding the record."""
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
            if one.get("gain", LOSS) > one.get("cost", COST) * found:
                payoff -= one["probability"] * LOSS / found
        best = max(best, payoff)
    return best


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            **{name: st.sampled_from(list(rows)) for name, rows in LADDERS.items()},
            "time": st.sampled_from([1, 2, 3]),
            "drug": st.sampled_from("ab"),
        }
    ),
    min_size=1,
    max_size=14,
)


@given(records=ROWS, others=ROWS, known=st.sets(st.sampled_from(sorted(RECIPIENTS)), min_size=1), own=st.booleans())
def test_every_record_is_paid_as_by_trying_every_strategy_and_counting_by_hand(records, others, known, own):
    recipients = {name: one for name, one in RECIPIENTS.items() if name in known}
    people = records if own else [*records, *others]
    frame = None if own else pd.DataFrame(people)[list(LADDERS)]
    solution = gamedeid.solve(scenario(recipients), pd.DataFrame(records), frame, game="basic")

    expected = [best_of(row, recipients, records, people) for row in records]
    assert pytest.approx(expected) == solution.strategies["publisher_payoff"].tolist()


def test_a_missing_kept_value_is_one_value_and_the_classes_of_the_release_stay_the_same():
    rows = pd.DataFrame({"age": ["20"] * 4, "sex": ["F"] * 4, "time": [1, 1, None, None], "drug": ["a"] * 4})
    solution = gamedeid.solve(scenario({"registry": {"knows": ["time"], "probability": 0.5}}), rows, game="basic")

    assert 4 == gamedeid.risk.release_risks(solution).release.k_anonymity
    assert pytest.approx(0.5 * 4 / 2) == solution.measures["expected_reidentifications"]
    assert {1.0} == set(solution.strategies["attacked"])


def test_one_who_knows_a_unique_value_finds_the_record_whatever_is_generalized():
    rows = pd.DataFrame({"age": ["20", "21", "34"] * 9, "sex": ["F"] * 27, "time": range(27), "drug": ["a"] * 27})
    recipients = {"registry": {"knows": ["time"]}}
    solution = gamedeid.solve(scenario(recipients), rows, game="no-attack")
    assert 1.0 == solution.measures["withheld"]


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ({"knows": ["tme"]}, "which is no attribute"),
        ({"knows": ["age"], "levels": {"time": 1}}, "which is no attribute"),
        ({"knows": ["time"], "population": {"path": "list.csv"}}, "leave the population or the column out"),
    ],
)
def test_what_cannot_be_known_is_refused(section, complaint):
    rows = pd.DataFrame({"age": ["20"], "sex": ["F"], "time": [1], "drug": ["a"]})
    assert complaint in message(gamedeid.InvalidScenarioError, gamedeid.solve, scenario({"r": section}), rows)


def test_rows_that_stay_elsewhere_are_refused_and_no_other_question_is_answered_by_the_counts():
    rows = pd.DataFrame({"age": ["20"], "sex": ["F"], "time": [1], "drug": ["a"]})
    asked = scenario({"registry": {"knows": ["time"]}})
    refused = message(gamedeid.InvalidScenarioError, gamedeid.solve, asked, pl.from_pandas(rows).lazy())
    assert "knowledge of kept columns needs the rows in memory" in refused
    study = gamedeid.Study.prepare(scenario({"registry": {"knows": ["age"]}}), rows)
    other = gamedeid.Scenario.parse(asked).model_copy(update={"attributes": study.scenario.attributes})
    assert "recipients.registry.knows" in message(gamedeid.InvalidScenarioError, study.with_scenario, other)


def test_a_run_is_written_and_says_among_whom_people_are_counted(tmp_path):
    scenario = small_world(tmp_path)
    text = scenario.read_text() + '\n[recipients.registry]\nknows = ["age", "income"]\n'
    scenario.write_text(text)
    said = gamedeid_says("run", scenario, "-o", tmp_path / "out")
    assert (0, "") == (said.code, said.err)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "age, income" in page
    assert "the people of the records" in page
    uncounted = "A missing value is one value more. The game does not count this."
    assert uncounted not in page
    assert uncounted not in gamedeid_says("risk", "release", tmp_path / "out").out.replace("\n", " ")
    assert 0 == gamedeid_says("determination", tmp_path / "out", "-o", tmp_path / "draft.md").code
    draft = (tmp_path / "draft.md").read_text()
    assert "For recipients who know income, people are counted among the records." in draft.replace("\n", " ")
    checked = gamedeid_says("verify", tmp_path / "out", scenario)
    assert 0 == checked.code
    assert "a recipient knows kept columns" in checked.out
