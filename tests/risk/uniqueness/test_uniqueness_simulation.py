"""The study of the estimators: its draws, its figures, and that only the question changes a digit."""

import os
import signal
from multiprocessing import Pipe

import numpy as np
import pytest

from gamedeid.choices import ESTIMATORS
from gamedeid.errors import GamedeidError, OutputError
from gamedeid.pictures.people import uniqueness_picture
from gamedeid.pictures.saving import picture_content as picture_bytes
from gamedeid.risk.uniqueness import simulation
from gamedeid.risk.uniqueness.classes import ClassSizes
from gamedeid.risk.uniqueness.estimates import estimate_uniqueness, pitman_given
from gamedeid.risk.uniqueness.simulation import STUDIED, StudyPlan, draw_block, study_uniqueness

POPULATION = ClassSizes.parse("1:300,2:100,3:40,5:20,9:10,40:3")


def plan(**changed) -> StudyPlan:
    return StudyPlan(**({"population": POPULATION, "fractions": (0.1, 0.5), "samples": 23, "seed": 4} | changed))


def test_each_sample_has_the_people_asked_for_and_is_drawn_from_its_own_stream():
    rows = draw_block(POPULATION, 4, (81, 2, 5))
    each = POPULATION.each()
    for number, row in zip(range(2, 5), rows, strict=True):
        generator = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(81, number)))
        drawn = ClassSizes.of(generator.multivariate_hypergeometric(each, 81, method="marginals"))
        assert 81 == drawn.people
        said = estimate_uniqueness(drawn, POPULATION.people)
        assert [*said.estimates.values(), pitman_given(drawn, POPULATION.people), said.e1_uses] == row


def test_a_row_tells_the_median_and_the_quartiles_of_the_relative_bias():
    asked = plan()
    drawn = draw_block(POPULATION, 4, (asked.size(0.5), 0, 23))
    row = next(row for row in study_uniqueness(asked).rows if (0.5, "zayatz") == (row["fraction"], row["estimator"]))
    biases = sorted((shares[0] - asked.truth) / asked.truth for shares in drawn)
    assert biases[11] == pytest.approx(row["median_relative_bias"], abs=1e-12)
    assert (biases[5] + biases[6]) / 2 == pytest.approx(row["lower_quartile"], abs=1e-12)
    assert (biases[16] + biases[17]) / 2 == pytest.approx(row["upper_quartile"], abs=1e-12)
    assert row["upper_quartile"] - row["lower_quartile"] == row["interquartile_range"]
    assert sorted(map(abs, biases))[11] == pytest.approx(row["median_absolute_error"], abs=1e-12)
    assert (23, 0.0) == (row["samples"], row["no_solution"])
    assert sum(shares[-1] == "zayatz" for shares in drawn) / 23 == row["used_by_e1"]


def test_there_is_a_row_for_each_fraction_and_estimator_in_their_order():
    rows = study_uniqueness(plan(fractions=(0.5, 0.1))).rows
    expected = [(fraction, name) for fraction in (0.5, 0.1) for name in STUDIED]
    assert [*ESTIMATORS, "pitman_given"] == list(STUDIED)
    assert expected == [(row["fraction"], row["estimator"]) for row in rows]
    assert {POPULATION.people // 2} == {row["sample_size"] for row in rows[:6]}


def test_samples_without_a_solution_are_counted_and_left_out_of_the_bias():
    rows = study_uniqueness(plan(population=ClassSizes.parse("1:40,3:4"), fractions=(0.1, 0.9), samples=30)).rows
    by_key = {(row["fraction"], row["estimator"]): row for row in rows}
    assert 0 < by_key[0.9, "snb"]["no_solution"] <= 1
    assert 0 == by_key[0.9, "zayatz"]["no_solution"]
    none = study_uniqueness(plan(population=ClassSizes.parse("1:5"), fractions=(0.5,))).rows[2]
    assert ("snb", 1.0, None, None) == (
        none["estimator"],
        none["no_solution"],
        none["median_relative_bias"],
        none["interquartile_range"],
    )


def test_other_fractions_change_no_draws():
    one = study_uniqueness(plan()).rows
    assert one[6:] == study_uniqueness(plan(fractions=(0.5,))).rows
    assert one != study_uniqueness(plan(seed=5)).rows


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"fractions": ()}, "expected numbers between 0 and 1"),
        ({"fractions": (1.0,)}, "1 is not between"),
        ({"fractions": (float("nan"),)}, "nan is not between"),
        ({"fractions": (0.5, 0.5)}, "0.5 is given twice"),
        ({"fractions": (0.9999,)}, "nothing to estimate"),
        ({"samples": 0}, "samples must be at least 1, not 0"),
        ({"seed": -1}, "at least 0, not -1"),
        ({"population": ClassSizes.parse("2:9")}, "18 people: none is unique in these attributes"),
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(changed, words):
    with pytest.raises(GamedeidError, match=words):
        plan(**changed)


# --- parts ------------------------------------------------------------------------------------------------------------


def test_a_study_that_was_interrupted_goes_on_from_its_parts_to_the_same_rows(tmp_path, monkeypatch):
    expected = study_uniqueness(plan()).rows
    drawn = []

    def until_told(*task):
        if len(drawn) == 3:
            raise KeyboardInterrupt
        drawn.append(task)
        return draw_block(*task)

    monkeypatch.setattr(simulation, "draw_block", until_told)
    with pytest.raises(KeyboardInterrupt):
        study_uniqueness(plan(), parts=plan().parts(tmp_path / "parts"))
    assert 3 == len(list((tmp_path / "parts").glob("*.json")))
    drawn.clear()
    keep, reported = plan().parts(tmp_path / "parts"), []
    assert expected == study_uniqueness(plan(), parts=keep, progress=lambda *counts: reported.append(counts)).rows
    assert 1 == len(drawn)
    assert [(done, 46) for done in (0, 20, 23, 43, 46)] == reported
    keep.clear()
    assert not (tmp_path / "parts").exists()


def test_parts_of_another_seed_are_not_taken(tmp_path):
    study_uniqueness(plan(), parts=plan().parts(tmp_path / "parts"))
    other = plan(seed=5)
    assert study_uniqueness(other).rows == study_uniqueness(other, parts=other.parts(tmp_path / "parts")).rows


def test_parts_that_cannot_be_kept_are_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot keep finished parts"):
        study_uniqueness(plan(), parts=plan().parts(tmp_path / "file" / "parts"))


# --- workers ----------------------------------------------------------------------------------------------------------


def test_a_worker_leaves_ctrl_c_to_its_parent_and_ends_with_the_parent(monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    ours, theirs = Pipe()
    theirs.close()
    monkeypatch.setattr(simulation.multiprocessing, "parent_process", lambda: type("", (), {"sentinel": ours}))
    monkeypatch.setattr(simulation.threading, "Thread", Now)
    try:
        simulation._prepare_worker()  # noqa: SLF001
        assert signal.SIG_IGN == signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert [1] == ended


class Now:
    """A thread that runs in the calling thread."""

    def __init__(self, *, target, args, daemon) -> None:
        assert daemon
        self._run = lambda: target(*args)

    def start(self) -> None:
        self._run()


# --- the picture ------------------------------------------------------------------------------------------------------


def test_the_picture_has_a_panel_for_each_fraction_and_a_mark_for_each_estimator_that_has_a_solution():
    rows = [dict(row) for row in study_uniqueness(plan()).rows]
    rows[2].update(median_relative_bias=None, lower_quartile=None, upper_quartile=None)
    picture = uniqueness_picture(rows, plan().truth)
    assert ["10% sampled", "50% sampled"] == [panel.title for panel in picture.panels]
    assert [1 + 2 * 5, 1 + 2 * 6] == [len(panel.layers) for panel in picture.panels]
    assert [row["median_relative_bias"] for row in rows] == picture.table["median relative bias"]
    best = min(abs(row["median_relative_bias"]) for row in [*rows[6:10], rows[11]])
    assert f"{best:.3f}. The decision rule has" in picture.finding
    assert picture_bytes(picture, "svg") == picture_bytes(picture, "svg")


def test_where_the_rule_has_no_solution_the_finding_is_silent_about_it():
    rows = [dict(row) for row in study_uniqueness(plan(fractions=(0.5,))).rows]
    rows[4]["median_relative_bias"] = None
    assert "decision rule" not in uniqueness_picture(rows, plan().truth).finding
