"""A picture of any kind in one call."""

from itertools import pairwise
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from questions import message
from sample_pictures import KINDS, along_axis, identified, quickstart, small_study

import gamedeid
from gamedeid.choices import PictureKind
from gamedeid.errors import InvalidScenarioError
from gamedeid.pictures.people import demographics_picture, uniqueness_picture
from gamedeid.pictures.picture import Area
from gamedeid.pictures.plot import plot
from gamedeid.risk.uniqueness.classes import ClassSizes
from gamedeid.risk.uniqueness.simulation import StudyPlan, study_uniqueness
from gamedeid.scenario.grid import Axis


def test_every_kind_is_tried():
    assert {*get_args(PictureKind)} == {*KINDS} - {"many strategies"} | {"uniqueness"}


def test_a_person_is_named_by_values_or_by_a_study_of_one_person():
    study, person = small_study(), {"values": {"age": "41", "sex": "Male"}}

    assert plot(study, "lattice", **person) == plot(study.alone(**person), "lattice")
    assert "age=41,sex=Male" in plot(study, "record-map", **person, vary=["loss=10,90", "benefit=100"]).title


def test_borders_of_a_record_are_bent_where_one_axis_alone_is_logarithmic():
    drawn = plot(small_study(), "record-map", record=0, game="basic", vary=["loss=0:500:100", "benefit=10:1000:log5"])
    areas = [layer for layer in drawn.panels[0].layers if isinstance(layer, Area)]

    assert (False, True) == (drawn.panels[0].x.log, drawn.panels[0].y.log)
    for area in areas:
        for (loss, benefit), (loss_next, benefit_next) in pairwise(zip(area.x, area.y, strict=True)):
            half_way = (benefit * benefit_next) ** 0.5  # as drawn; in dollars the border is straight
            in_dollars = np.interp(half_way, *zip(*sorted([(benefit, loss), (benefit_next, loss_next)]), strict=True))
            assert benefit == benefit_next or abs(in_dollars - (loss + loss_next) / 2) < 0.01 * 500
    assert any(len(set(area.x)) > 2 for area in areas)


@pytest.mark.parametrize("kind", ["strategies", "lattice"])
@pytest.mark.parametrize("missing", ["suppress", "show"])
def test_the_chosen_strategy_of_a_record_is_drawn_as_it_is_released(tmp_path, kind, missing):
    rows = [("41", "Male", "p"), ("41", "", "q"), ("42", "Female", "r"), ("42", "", "s")]
    content = {
        "records": {"path": "rows.csv", "missing": missing, "drop": ["id"]},
        "attributes": {"age": {"hierarchy": "age", "role": "age"}, "sex": {"hierarchy": "sex"}},
        "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
        "floor": "limited-data-set",
    }
    pd.DataFrame(rows, columns=["age", "sex", "id"]).to_csv(tmp_path / "rows.csv", index=False)
    before = gamedeid.solve(gamedeid.Scenario.parse(content, folder=tmp_path), game="basic")
    before.write(tmp_path / "before", report=False)
    content |= {"earlier": {"releases": ["before"], "key": "id"}}
    solution = gamedeid.solve(gamedeid.Scenario.parse(content, folder=tmp_path), game="basic")

    for record, row in enumerate(solution.release(keep_order=True).itertuples()):
        table = plot(solution.study, kind, record=record, game="basic").table
        assert f"age {row.age}, sex {row.sex}" == table["released"][table["chosen"].index("yes")]


def test_the_deviation_at_each_value_of_a_stake_is_that_of_the_solvers_compared_there():
    reported = []
    axis, study = Axis.parse("loss=500,2000"), quickstart()
    drawn = plot(study, "deviation", game="basic", vary=[axis], progress=lambda _: lambda *done: reported.append(done))

    expected = [row for one in along_axis(study, axis) for row in one.rows if row["solver"] == "lattice-search"]
    _, values, publisher, adversary, optimal = drawn.table.values()
    assert [row["loss"] for row in expected] == values
    assert [row["publisher_difference"] for row in expected] == publisher
    assert [row["adversary_difference"] for row in expected] == adversary
    assert [100 * row["optimal"] for row in expected] == optimal
    assert 0 < publisher[0] < publisher[1]
    assert [(1, 2), (2, 2)] == reported


@pytest.mark.parametrize(
    ("kind", "asked", "says"),
    [
        ("latice", {}, "there is no kind of picture `latice`; did you mean `lattice`?"),
        ("lattice", {}, "of one record; say which with record=... or values={...}"),
        ("map", {"record": 0}, "a picture of kind `map` is of all records; leave out record"),
        ("lines", {"game": "basic"}, "a picture of kind `lines` shows the policy and all games; leave out game"),
        ("lattice", {"record": 0, "game": "basc"}, "there is no game `basc` to show; did you mean `basic`?"),
        ("map", {"game": "basc"}, "there is no game or policy `basc` to show; did you mean `basic`?"),
        ("lattice", {"record": 0, "game": "pairs"}, "there is no game `pairs` to show"),
        ("scatter", {"vary": ["loss=1"]}, "in a picture of kind `scatter` no stake is varied; leave out vary"),
        ("map", {"vary": ["cost=1"]}, "a map is drawn over loss and benefit; leave out vary cost, or override"),
        ("lines", {"vary": ["loss=1", "loss=2"]}, "loss is varied twice"),
        ("lattice", {"record": 4}, "there is no record `4`"),
        ("lattice", {"record": 0, "values": {"age": "41", "sex": "Male"}}, "give one of them"),
        ("demographics", {}, "a picture of kind `demographics` is of the result of gamedeid.risk.demographics"),
        ("uniquenes", {}, "did you mean `uniqueness`?"),
        ("people: uniqueness", {}, "of the result of gamedeid.risk.study_uniqueness"),
        ("people: lines", {}, "a picture of kind `lines` is of a study or a scenario"),
        ("people: line", {}, "there is no kind of picture `line`; did you mean `lines`?"),
        ("people: demographics", {"game": "basic"}, "is of people in tables; leave out game"),
    ],
)
def test_options_that_a_kind_does_not_use_are_refused(kind, asked, says):
    question = identified() if kind.startswith("people: ") else small_study()
    assert says in message(InvalidScenarioError, plot, question, kind.removeprefix("people: "), **asked)


@pytest.mark.parametrize("game", ["no-attack", "sh-friendly"])
def test_the_game_of_the_scenario_is_drawn(game):
    study = small_study().with_scenario(small_study().scenario.model_copy(update={"game": game}))
    for kind, asked in [(one, {"record": 0}) for one in ("lattice", "strategies")] + [
        (one, {"vary": ["loss=90"]}) for one in ("map", "deviation")
    ]:
        assert plot(small_study(), kind, **asked, game=game) == plot(study, kind, **asked)


@pytest.mark.parametrize(("game", "says"), [(None, "no game is named"), ("aware-basic", "not for aware-basic; name")])
def test_no_game_is_drawn_or_solved_by_default(game, says):
    study = small_study().with_scenario(small_study().scenario.model_copy(update={"game": game}))
    for kind, asked in (("lattice", {"record": 0}), ("map", {}), ("deviation", {})):
        with pytest.raises(InvalidScenarioError, match=says):
            plot(study, kind, **asked)
    with pytest.raises(InvalidScenarioError, match=says):
        gamedeid.compare_solvers(study)
    assert "lines" == plot(study, "lines", vary=["loss=90"]).kind


def test_meaningless_options_are_refused_before_the_data_are_read(tmp_path):
    gone = dict(
        gamedeid.Scenario.read("scenarios/quickstart.toml").resolved(), records={"path": str(tmp_path / "gone.csv")}
    )
    with pytest.raises(InvalidScenarioError, match="no game or policy"):
        plot(gone, "map", game="basc")


def test_tables_of_people_are_drawn_in_the_same_call():
    assert demographics_picture(identified()) == plot(identified(), "demographics")
    study = StudyPlan(population=ClassSizes.parse("1:30,2:10,5:4"), fractions=(0.5,), samples=3)
    found = study_uniqueness(study)
    assert uniqueness_picture(found.rows, study.truth) == plot(found, "uniqueness")
