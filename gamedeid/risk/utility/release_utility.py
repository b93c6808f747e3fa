"""The results of an analysis of a release, compared with those of the original data."""

from itertools import combinations
from os import PathLike
from typing import Literal, get_args

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray
from gamedeid.capabilities import Operation
from gamedeid.errors import InvalidDataError, InvalidScenarioError, quoted, refuse_unknown
from gamedeid.extras import require
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Flag, Number, OneOrMore, Result, Share, Text
from gamedeid.risk.thresholds import SMALLEST_GROUP
from gamedeid.risk.utility.fits import Fit, Formula, Model, ModelFamily, NotFitted, read_formula
from gamedeid.risk.utility.variables import (
    AssociationMeasure,
    Pair,
    Pairs,
    association,
    association_measure,
    attribute_shares,
    hellinger,
    kept_shares,
    read_pairs,
    total_variation,
    with_labels,
)
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.applied import finished_study
from gamedeid.study.stored_release import StoredRelease
from gamedeid.study.study import Study

ValueForm = Literal["midpoints", "labels"]
"""Form of generalized values: numbers at midpoints and other labels as categories, or every label as a category."""

_BINARY = 2  # values of a response in the family logistic


@frozen
class Estimate(Result):
    """A coefficient of one table.

    Parameters
    ----------
    value : the estimate; a logarithm in the families logistic and cox.
    low, high : its 95% confidence interval.
    """

    value: Number
    low: Number
    high: Number


@frozen
class CoefficientPair(Result):
    """A coefficient in both tables.

    Parameters
    ----------
    name : the column, with the label where it has categories.
    original, released : the estimate in each table.
    overlap : mean share of both intervals that they have in common (Karr et al. 2006); 0 where they do not meet.
    sign_flipped : whether both estimates have different signs, and one of the intervals is without 0.
    """

    name: Text
    original: Estimate
    released: Estimate
    overlap: Share
    sign_flipped: Flag


@frozen
class ReleasedModel(Result):
    """The model fitted to the release, in one form of its values.

    Parameters
    ----------
    form : form of generalized values.
    rows : number of rows used: those with a value in every column of the model.
    why_not : why there are no coefficients; None if there are.
    coefficients : those that at least `SMALLEST_GROUP` records determine in each table.
    not_compared : number of other coefficients, among them those that the release does not determine.
    """

    form: ValueForm
    rows: Count
    why_not: NotFitted | None
    coefficients: tuple[CoefficientPair, ...]
    not_compared: Count


@frozen
class ColumnDistance(Result):
    """The distance of a released column from the original.

    Parameters
    ----------
    column : attribute or kept column.
    original_rows, released_rows : number of rows with a value that is neither missing nor suppressed.
    total_variation, hellinger : distances of the shares of values, those of a group in equal parts; None without
        values.
    """

    column: Text
    original_rows: Count
    released_rows: Count
    total_variation: Share | None
    hellinger: Share | None


@frozen
class Association(Result):
    """The association of two columns.

    Parameters
    ----------
    columns : both columns.
    measure : the measure of association.
    original, released : the association in each table; None if a column does not vary.
    """

    columns: tuple[Text, Text]
    measure: AssociationMeasure
    original: Number | None
    released: Number | None


@frozen
class ReleaseUtility(Result):
    """An analysis of a release compared with that of the original data, for the publisher.

    Parameters
    ----------
    name : name of the game or policy.
    model : the formula.
    family : the model of the response.
    records : number of records in the original data.
    released : number of records in the release.
    original_rows : number of original records that the model uses.
    models : the model fitted to the release; by midpoints, and by labels if an attribute explains the response.
    columns : all attributes and kept columns.
    associations : all pairs of attributes and columns of the model.
    """

    document = "utility"
    shown = ("name", "model", "family", "records", "released")

    name: Text
    model: Text
    family: ModelFamily
    records: OneOrMore
    released: Count
    original_rows: Count
    models: tuple[ReleasedModel, ...]
    columns: tuple[ColumnDistance, ...]
    associations: tuple[Association, ...]


def release_utility(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    model: str,
    family: ModelFamily = "linear",
    event: str | None = None,
    progress: Phases = no_progress,
) -> ReleaseUtility:
    """Return the fit of a model to a release, compared with its fit to the original data.

    The model is fitted to the original data and to the release. Rows in which a column of the model is missing or
    suppressed are left out. The result also has the distance of each column, and the association of pairs of columns.
    It is for the publisher: it describes the records before the release. Categories of fewer than 11 records are
    combined, and coefficients of fewer are left out.

    Parameters
    ----------
    folder : a folder that ``gamedeid run -o`` or ``Solution.write`` has written, of records in a file.
    scenario : the question of the folder, which gives the paths of its inputs; without it, they are searched for from
        the current folder.
    model : a formula such as ``"y ~ age + C(ward) * sex"``, of attributes and kept columns; it is not evaluated.
    family : "linear" (least squares), "logistic" (a response of two values, the greater or the later in the alphabet
        counts as 1) or "cox" (the response is the time; Efron's rule for ties).
    event : for the family "cox", the column of two values that says whether the event was observed.
    progress : opens a phase by name, and returns its callback for (done, total).

    Raises
    ------
    InvalidScenarioError : the model is invalid or names another column, or a column does not suit the family.
    InvalidDataError : the model cannot be fitted to the original data, or an input has changed.
    OutputError : the folder holds no results of a run, or a file of it has changed.
    MissingExtraError : statsmodels is not installed.

    References
    ----------
    Karr, Kohnen, Oganian, Reiter, Sanil (2006). A framework for evaluating the utility of data altered to protect
    confidentiality. The American Statistician 60(3).
    """
    require("utility", Operation.UTILITY.value)
    finished, study = finished_study(folder, scenario, operation=Operation.UTILITY, progress=progress)
    columns = (*study.instance.hierarchies, *study.scenario.records.keep)
    formula = read_formula(model, columns)
    _check_event(family, event, formula, columns)
    progress("analyses")
    release = StoredRelease.read(folder, study.scenario)
    pairs = read_pairs(study, release)
    original, released = _fit_both(formula, family, event, pairs, release)
    named = (*study.instance.hierarchies, formula.response, *(one.column for one in formula.factors))
    folded = {name: pairs[name].folded for name in named}
    return ReleaseUtility(
        name=finished.game,
        model=model,
        family=family,
        records=study.records,
        released=len(release.rows),
        original_rows=original.rows,
        models=tuple(_compared(form, original, fit) for form, fit in released.items()),
        columns=tuple(_distance(name, pair, study, release) for name, pair in pairs.items()),
        associations=tuple(_association(one, other, folded) for one, other in combinations(folded, 2)),
    )


def _check_event(family: ModelFamily, event: str | None, formula: Formula, columns: tuple[str, ...]) -> None:
    if family not in get_args(ModelFamily):
        raise InvalidScenarioError(f"family: expected {' or '.join(get_args(ModelFamily))}, not {quoted(family)}")
    if (family == "cox") != (event is not None):
        raise InvalidScenarioError(
            "event: the family cox needs the column that says if the event was observed"
            if event is None
            else "event: it is of the family cox; leave it out, or take this family"
        )
    if event is None:
        return
    refuse_unknown("attribute or kept column", event, columns, "event: ")
    if event == formula.response or event in {factor.column for factor in formula.factors}:
        raise InvalidScenarioError(f"event: {quoted(event)} is in the model too")


def _fit_both(
    formula: Formula, family: ModelFamily, event: str | None, pairs: Pairs, release: StoredRelease
) -> tuple[Fit, dict[ValueForm, Fit]]:
    """Return the model fitted to the original data, and to the release in each form."""
    used = {one.column: pairs[one.column].as_category if one.category else pairs[one.column] for one in formula.factors}
    forms: dict[ValueForm, Pairs] = {"midpoints": used}
    if generalized := [name for name in used if name in release.hierarchies]:
        forms["labels"] = used | {name: with_labels(used[name], name, release) for name in generalized}
    forms = {form: {name: pair.folded for name, pair in those.items()} for form, those in forms.items()}
    references = {name: _reference(one) for name, one in forms["midpoints"].items() if one.original.numbers is None}
    model = Model(formula=formula, family=family, references=references)
    response = _response(formula.response, family, pairs)
    events = (None, None) if event is None else _binary(event, pairs)
    before = {name: pair.original for name, pair in forms["midpoints"].items()}
    original = model.fit(before, response[0], events[0])
    if (why_not := "dependent columns" if original.dependent else original.why_not) is not None:
        hint = ": a category may have one response alone; leave its column out" if why_not == "no estimate" else ""
        raise InvalidDataError(f"model: it cannot be fitted to the original data ({why_not}{hint})")
    released = {}
    for form, those in forms.items():
        after = {name: pair.released for name, pair in those.items()}
        released[form] = model.fit(after, response[1], events[1])
    return original, released


def _response(name: str, family: ModelFamily, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """Return the response, in the original data and in the release, (n,) each."""
    if family == "logistic":
        return _binary(name, pairs)
    original, released = pairs[name].original.numbers, pairs[name].released.numbers
    if original is None or released is None:
        raise InvalidScenarioError(f"model: {quoted(name)} has no numbers, which the family {family} explains")
    return original, released


def _binary(name: str, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """Return 1 for the greater of the two values of a column, 0 for the other, NaN for none."""
    pair = pairs[name]
    if pair.original.numbers is not None:
        values = np.unique(pair.original.numbers[pair.original.known]).tolist()
    else:
        values = sorted(label for label, rows in pair.original.by_label.items() if rows)
    if len(values) != _BINARY:
        raise InvalidScenarioError(f"model: {quoted(name)} has {number_of(len(values), 'value')}, and needs two")
    made = []
    for variable in (pair.original, pair.released):
        held = variable.numbers
        if held is None:
            held = np.array([*variable.labels, ""], dtype=object)[variable.codes]
        made.append(np.where(held == values[1], 1.0, np.where(held == values[0], 0.0, np.nan)))
    return made[0], made[1]


def _reference(pair: Pair) -> str:
    """Return the category with which others are compared: the most frequent one that both tables have."""
    rows, released = pair.original.by_label, pair.released.by_label
    return max(rows, key=lambda label: (released.get(label, 0) > 0, rows[label]))


def _compared(form: ValueForm, original: Fit, released: Fit) -> ReleasedModel:
    """Return the coefficients of both tables side by side."""
    both = [name for name in original.coefficients if name in released.coefficients]
    shown = [name for name in both if min(original.support[name], released.support[name]) >= SMALLEST_GROUP]
    names = len({*original.coefficients, *released.coefficients}) + released.dependent
    return ReleasedModel(
        form=form,
        rows=released.rows,
        why_not=released.why_not,
        coefficients=tuple(
            _coefficient(name, original.coefficients[name], released.coefficients[name]) for name in shown
        ),
        not_compared=names - len(shown),
    )


def _coefficient(name: str, original: tuple[float, ...], released: tuple[float, ...]) -> CoefficientPair:
    one, other = (Estimate(value=value, low=low, high=high) for value, low, high in (original, released))
    common = max(min(one.high, other.high) - max(one.low, other.low), 0.0)
    widths = [interval.high - interval.low for interval in (one, other)]
    exact = min(widths) == 0  # the model explains all
    overlap = float(one == other) if exact else sum(common / width for width in widths) / 2
    return CoefficientPair(
        name=name,
        original=one,
        released=other,
        overlap=min(overlap, 1.0),
        sign_flipped=one.value * other.value < 0 and any(end.low * end.high > 0 for end in (one, other)),
    )


def _distance(name: str, pair: Pair, study: Study, release: StoredRelease) -> ColumnDistance:
    hierarchy = study.instance.hierarchies.get(name)
    one, other = kept_shares(pair) if hierarchy is None else attribute_shares(pair, release.labels(name)[2], hierarchy)
    both_have_values = one.sum() > 0 and other.sum() > 0
    return ColumnDistance(
        column=name,
        original_rows=int(one.sum()),
        released_rows=round(other.sum()),
        total_variation=total_variation(one, other) if both_have_values else None,
        hellinger=hellinger(one, other) if both_have_values else None,
    )


def _association(one: str, other: str, pairs: Pairs) -> Association:
    first, second = pairs[one], pairs[other]
    return Association(
        columns=(one, other),
        measure=association_measure(first, second),
        original=association(first.original, second.original),
        released=association(first.released, second.released),
    )
