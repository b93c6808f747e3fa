"""The transformer for scikit-learn: the release of rows, in pipelines and under its own checks."""

import pickle

import pandas as pd
import polars as pl
import pytest
from questions import message
from registry import registry, several_stays

from gamedeid import InvalidDataError, InvalidScenarioError, Scenario, apply, solve

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

from gamedeid.integrations.scikit_learn import ReleaseTransformer


@pytest.fixture
def made(tmp_path):
    """Return the scenario and its rows as a data frame."""
    scenario = registry(tmp_path / "registry", unmatched="error")
    return scenario, pd.read_csv(scenario.with_name("records.csv"), dtype=str, na_filter=False)


@pytest.mark.parametrize("game", ["basic", "no-attack", "sh-friendly"])
def test_rows_are_released_as_by_the_commands(made, tmp_path, game):
    scenario, rows = made
    expected = solve(scenario, game=game).release(keep_order=True)
    transformer = ReleaseTransformer(scenario, game=game)

    pd.testing.assert_frame_equal(expected, transformer.fit_transform(rows), check_dtype=False)
    assert list(expected.columns) == transformer.get_feature_names_out().tolist()
    solve(scenario, game=game).write(tmp_path / "out", report=False)
    later = apply(tmp_path / "out", rows[10:20].reset_index(drop=True), scenario).solution.release(keep_order=True)
    again = transformer.transform(rows[10:20])
    assert rows.index[10:20].tolist() == again.index.tolist()
    pd.testing.assert_frame_equal(later, again.reset_index(drop=True), check_dtype=False)


def test_withheld_rows_stay_as_rows_without_values(tmp_path):
    path = registry(tmp_path / "registry", loss=4_700)
    scenario = Scenario.read(path, {"payoffs.gain": 20_000})
    rows = pd.read_csv(path.with_name("records.csv"), dtype=str, na_filter=False)
    solution = solve(scenario)
    withheld = solution.withheld[solution.study.instance.profiles.of_record]
    released = ReleaseTransformer(scenario).fit_transform(rows)

    assert withheld.any()
    assert len(rows) == len(released)
    assert {"*"} == set(released.loc[withheld, ["age", "sex", "area"]].to_numpy().ravel())
    assert released.loc[withheld, ["note", "stay"]].isna().all(axis=None)
    assert released.loc[~withheld].notna().all(axis=None)


def test_it_works_in_a_pipeline(made):
    scenario, rows = made
    line = make_pipeline(
        ReleaseTransformer(scenario, game="no-attack"),
        OneHotEncoder(handle_unknown="ignore"),
        RandomForestClassifier(n_estimators=2, random_state=0),
    )
    line.fit(rows[:30], rows["stay"][:30])

    assert 10 == len(clone(line).fit(rows[:30], rows["stay"][:30]).predict(rows[30:]))


def test_it_passes_the_checks_that_apply_to_it():
    """Checks that fit arrays of numbers do not: columns have names here, and a scenario says what each is."""
    results = check_estimator(ReleaseTransformer(), on_skip=None, on_fail=None)
    failed = {one["check_name"] for one in results if one["status"] == "failed"}
    passed = {one["check_name"] for one in results if one["status"] == "passed"}

    assert {
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
    } <= passed
    for one in results:
        if one["check_name"] in failed:
            assert "scenario: expected a scenario" in told(one["exception"]), one


def told(error: BaseException | None) -> str:
    """Return the messages of an error and of its causes."""
    return "" if error is None else f"{error} {told(error.__cause__ or error.__context__)}"


def test_questions_that_depend_on_other_rows_are_refused(made):
    scenario, rows = made
    own = ReleaseTransformer(Scenario.read(scenario, {"population": None}))
    assert "a release of rows by themselves needs a population" in message(InvalidScenarioError, own.fit, rows)
    with pytest.raises(NotFittedError):
        own.transform(rows)
    fitted = ReleaseTransformer(scenario).fit(rows)
    odd = rows.assign(area="555")
    assert "does not know" in message(InvalidDataError, fitted.transform, odd)
    assert "555" not in repr(fitted)
    several_stays(scenario)
    assert "could separate the rows of a" in message(InvalidScenarioError, ReleaseTransformer(scenario).fit, rows)


def test_a_pickle_holds_the_arguments_and_a_fitted_transformer_is_not_pickled(made):
    scenario, rows = made
    transformer = pickle.loads(pickle.dumps(ReleaseTransformer(scenario, game="no-attack")))  # noqa: S301  (made here)
    released = transformer.fit_transform(rows)

    assert ReleaseTransformer(scenario, game="no-attack").fit_transform(rows).equals(released)
    with pytest.raises(InvalidScenarioError, match="a fitted transformer, because they hold the rows") as caught:
        pickle.dumps(transformer)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("gain", [400, 20_000])
def test_rows_keep_an_index_that_names_several_rows_alike(tmp_path, gain):
    scenario = registry(tmp_path / "registry", loss=4_700)
    rows = pd.read_csv(scenario.with_name("records.csv"), dtype=str, na_filter=False)
    transformer = ReleaseTransformer(Scenario.read(scenario, {"payoffs.gain": gain}))
    expected = transformer.fit_transform(rows)
    index = pd.Index([place // 2 for place in range(len(rows))], name="bed")
    released = transformer.transform(rows.set_axis(index))

    assert (gain > 4_700) == bool(expected.isna().any(axis=None))
    pd.testing.assert_frame_equal(expected.set_axis(index), released)


def test_rows_other_than_pandas_frames_and_games_of_all_rows_are_refused(made):
    scenario, rows = made
    transformer = ReleaseTransformer(scenario, game="aware-no-attack").fit(rows)

    assert "not for aware-no-attack" in message(InvalidScenarioError, transformer.transform, rows)
    for given in (rows.to_numpy(), pl.from_pandas(rows)):
        for call in (transformer.fit, transformer.transform):
            assert "X: expected a pandas data frame, not " in message(InvalidDataError, call, given)


def test_no_repr_shows_a_row_of_the_population(made):
    scenario, rows = made
    people = pd.read_csv(scenario.with_name("people.csv"), dtype=str)
    people.loc[len(people)] = ["69", "Male", "371", "8675309"]
    transformer = ReleaseTransformer(scenario, people, game="no-attack")
    line = make_pipeline(transformer, OneHotEncoder())
    shown = [show(one) for one in (transformer, line) for show in (repr, lambda one: one._repr_html_())]

    assert transformer.fit_transform(rows).equals(clone(transformer).fit_transform(rows))
    for one in shown:
        assert "DataFrame" in one
        assert "no-attack" in one
        assert "8675309" not in one
        assert "Male" not in one
