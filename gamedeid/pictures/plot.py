"""A picture of any kind in one call: its subject, its stakes, and its computations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, TypeAlias, cast

from gamedeid.analysis.comparison import Comparison, compare
from gamedeid.analysis.payoff_differences import payoff_differences
from gamedeid.analysis.record_regions import record_regions
from gamedeid.analysis.risk_utility import RiskUtility, risk_utility
from gamedeid.analysis.solver_comparison import compare_solvers
from gamedeid.analysis.sweep import sweep
from gamedeid.choices import GAMES, GameName, PictureKind
from gamedeid.errors import InvalidScenarioError, nearest_word_hint, quoted, refuse_unknown
from gamedeid.pictures.differences import histogram_picture, scatter_picture
from gamedeid.pictures.lines import SOLVER, deviation_picture, lines_picture
from gamedeid.pictures.maps import map_picture
from gamedeid.pictures.people import demographics_picture, uniqueness_picture
from gamedeid.pictures.picture import Picture
from gamedeid.pictures.risk_utility import frontier_picture
from gamedeid.pictures.saving import picture_content
from gamedeid.pictures.strategies import lattice_picture, strategies_picture
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.tables import rows_to_columns
from gamedeid.risk.census.identifiable import Identifiable
from gamedeid.risk.uniqueness.simulation import UniquenessStudy
from gamedeid.scenario.grid import Axis, StakeName, check_grid, grid_points, refuse_recipient_axes, values_around
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.facts import study_warnings
from gamedeid.study.study import Study
from gamedeid.study.warnings import warning_sentences

FACTOR = 20
"""Default range of a varied stake: from the chosen value divided by this to the chosen value times this."""

Axes: TypeAlias = Mapping[StakeName, Axis]
"""The stakes that a picture varies, in the order of drawing."""


@frozen(eq=False)
class _Kind:
    """The inputs of a kind of picture, and the function that draws it: of a study, a game or policy, and stakes."""

    draw: Callable[[Study, GameName, Axes, Phases], Picture]
    of_one: bool = False
    of_a_game: bool = False
    stakes: tuple[StakeName, ...] = ()
    points: int = 0  # default number of values of each of these stakes
    is_plane: bool = False  # both stakes together, and no other


def plot(
    question: Study | ScenarioLike | Comparison | RiskUtility | Identifiable | UniquenessStudy,
    kind: PictureKind,
    *,
    record: int | None = None,
    values: Mapping[str, object] | None = None,
    game: str | None = None,
    vary: Sequence[Axis | str] = (),
    progress: Phases = no_progress,
) -> Picture:
    """Draw a picture of a question or of a result, as ``gamedeid plot``.

    Parameters
    ----------
    question : a study with its data; or a scenario, the path of its file, or a dict with its sections; or a result: for
        "differences" and "scatter" that of :func:`gamedeid.compare`, for "frontier" that of
        :func:`gamedeid.risk_utility`. "demographics" takes only a result of :func:`gamedeid.risk.demographics`,
        "uniqueness" only one of :func:`gamedeid.risk.study_uniqueness`.
    kind : for one record "lattice", "strategies" or "record-map"; for all records "differences", "scatter", "map",
        "lines", "deviation" or "frontier"; for tables of people "demographics" or "uniqueness".
    record, values : the person in a picture of one record, as for :meth:`gamedeid.Study.alone`; not needed if the study
        is of one person.
    game : the game that is shown (default: the scenario's); for maps also the policy by its name. For "lattice",
        "strategies", "deviation" and the maps.
    vary : stakes and their values, each as for :func:`gamedeid.sweep` (default: values around the chosen
        ones). For "lines" and "deviation", which vary each alone, and for the maps, which vary loss and benefit.
    progress : callback for each phase of the work.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.

    Raises
    ------
    InvalidScenarioError : an unknown kind, game, record or stake, an argument that this kind of picture does not take,
        or too many strategies or points for it.
    InvalidDataError : the data cannot be read.
    UnmatchedRecordError : a record matches no one in the population, and the scenario does not allow that.

    Examples
    --------
    >>> picture = plot("scenarios/quickstart.toml", "differences")
    >>> picture.title
    'Changes by the games against Safe Harbor'
    """
    refuse_unknown("kind of picture", kind, (*_KINDS, *_OF_PEOPLE))
    if not isinstance(question, Study | Scenario | str | PathLike | Mapping) or kind in _OF_PEOPLE:
        return _of_result(
            question, kind, {"record": record, "values": values, "game": game, "vary": list(vary) or None}
        )
    needs = _KINDS[kind]
    scenario = question.scenario if isinstance(question, Study) else scenario_of(question)
    alone = isinstance(question, Study) and bool(question.person)
    named = {name: one for name, one in (("record", record), ("values", values)) if one is not None}
    _check_person(kind, needs, named, alone=alone)
    shown = _checked_game(kind, needs, game, scenario)
    axes = _axes(kind, needs, scenario, vary)
    if isinstance(question, Study):
        study = question
    else:
        progress("reading the data")
        study = Study.prepare(scenario)
    study = study.alone(record=record, values=values) if named else study
    warnings = study_warnings(study, [shown] if shown in GAMES else [] if shown else GAMES)
    return _about(needs.draw(study, cast("GameName", shown), axes, progress), study, warnings)


def picture_bytes(result: object, kind: PictureKind) -> bytes:
    """Return the bytes of an SVG picture of a result, for the result's folder."""
    return picture_content(_of_result(result, kind, {}), "svg")


def _of_result(result: object, kind: str, asked: Mapping[str, object]) -> Picture:
    """Return a picture of a result, without further computation."""
    if kind not in _RESULTS:
        raise InvalidScenarioError(f"a picture of kind {quoted(kind)} is of a study or a scenario")
    of, function, draw = _RESULTS[kind]
    given = [name for name, one in asked.items() if one is not None]
    if given:
        whom = "people in tables" if kind in _OF_PEOPLE else "a result"
        raise InvalidScenarioError(f"a picture of kind {quoted(kind)} is of {whom}; leave out {' and '.join(given)}")
    if not isinstance(result, of):
        raise InvalidScenarioError(f"a picture of kind {quoted(kind)} is of the result of gamedeid.{function}")
    study = getattr(result, "study", None)
    return _about(draw(result), study, study_warnings(study)) if isinstance(study, Study) else draw(result)


def _about(drawn: Picture, study: Study, warnings: tuple[ResultWarning, ...]) -> Picture:
    """Return a picture with the title of its study, and with warnings of its data and games."""
    caption = " ".join((drawn.caption, *warning_sentences(warnings)))
    return replace(drawn, subject=study.scenario.title, warnings=warnings, caption=caption)


def _check_person(kind: str, needs: _Kind, named: Mapping[str, object], *, alone: bool) -> None:
    """Check that a person is named for a picture of one record, and no person for a picture of all."""
    if needs.of_one and not named and not alone:
        raise InvalidScenarioError(
            "this picture is of one record; say which with record=... or values={...}",
            arguments=["record=...", "values={...}"],
        )
    if named and not needs.of_one:
        raise InvalidScenarioError(
            f"a picture of kind {quoted(kind)} is of all records; leave out {' and '.join(named)}"
        )


def _checked_game(kind: str, needs: _Kind, game: str | None, scenario: Scenario) -> str:
    """Return the game to show, or the policy's name if the picture can show it; "" if it shows all games."""
    if game is not None and not needs.of_a_game:
        raise InvalidScenarioError(f"a picture of kind {quoted(kind)} shows the policy and all games; leave out game")
    if not needs.of_a_game:
        return ""
    known = (*GAMES, *([scenario.floor] if needs.is_plane else []))
    if game is None:
        return scenario.game_of_records()
    if game not in known:
        what = "game or policy" if needs.is_plane else "game"
        raise InvalidScenarioError(f"there is no {what} {quoted(game)} to show{nearest_word_hint(game, known)}")
    return game


def _axes(kind: str, needs: _Kind, scenario: Scenario, given: Sequence[Axis | str]) -> Axes:
    """Return the varied stakes and their values: as given, or around the chosen ones."""
    if not given:
        return _around(needs, scenario)
    if not needs.stakes:
        raise InvalidScenarioError(f"in a picture of kind {quoted(kind)} no stake is varied; leave out vary")
    parsed = [Axis.parse(one) if isinstance(one, str) else one for one in given]
    refuse_recipient_axes(axis.name for axis in parsed)
    check_grid([Axis(name=axis.name, values=axis.values[:1]) for axis in parsed])  # each axis alone is a grid
    axes = {cast("StakeName", axis.name): axis for axis in parsed}
    if not needs.is_plane:
        return axes
    others = [name for name in axes if name not in needs.stakes]
    if others:
        raise InvalidScenarioError(
            f"a map is drawn over loss and benefit; leave out vary {others[0]}, or override payoffs.{others[0]} in the "
            "scenario",
            arguments=["vary"],
        )
    return _around(needs, scenario) | axes


def _around(needs: _Kind, scenario: Scenario) -> dict[StakeName, Axis]:
    chosen = _chosen_stakes(scenario)
    return {name: values_around(name, chosen[name], needs.points, FACTOR) for name in needs.stakes}


def _chosen_stakes(scenario: Scenario, *more: str) -> dict[str, float]:
    """Return the scenario's own stakes; the gain only if it differs from the loss, or is in ``more``."""
    own = Payoffs.of(scenario.payoffs, scenario.recipients)
    stakes = {"benefit": own.benefit, "loss": own.loss, "cost": own.cost}
    if not own.gain_follows_loss or "gain" in more:
        stakes["gain"] = own.adversary_gain
    return stakes


def _record_map(study: Study, game: GameName, axes: Axes, progress: Phases) -> Picture:
    ends = [(min(one.values), max(one.values)) for one in (axes["loss"], axes["benefit"])]
    drawable = all(low < high for low, high in ends) and ends[1][0] > 0
    columns = sweep(study, list(axes.values()), per_record=True, progress=progress("points")).columns
    regions = record_regions(study, game, ends[0], ends[1]) if drawable else ()
    chosen = _chosen_stakes(study.scenario)
    return map_picture(columns, chosen, game, record=_called(study.person), regions=regions)


def _map(study: Study, game: GameName, axes: Axes, progress: Phases) -> Picture:
    columns = sweep(study, list(axes.values()), progress=progress("points")).columns
    return map_picture(columns, _chosen_stakes(study.scenario), game)


def _lines(study: Study, _game: GameName, axes: Axes, progress: Phases) -> Picture:
    along = {name: sweep(study, [axis], progress=progress(name)).columns for name, axis in axes.items()}
    return lines_picture(along, _chosen_stakes(study.scenario, *along))


def _deviation(study: Study, game: GameName, axes: Axes, progress: Phases) -> Picture:
    along = {name: _solvers_along(study, game, axis, progress(name)) for name, axis in axes.items()}
    return deviation_picture(along, _chosen_stakes(study.scenario, *along))


def _solvers_along(study: Study, game: GameName, axis: Axis, progress: Progress) -> dict[str, list[Any]]:
    """Return the columns of a comparison of lattice search with `exact` at every value of a stake."""
    rows: list[dict[str, Any]] = []
    for done, payoffs in enumerate(grid_points(study.instance.payoffs, [axis]), start=1):
        there = replace(study, instance=replace(study.instance, payoffs=payoffs))
        rows += compare_solvers(there, game, (SOLVER, "exact")).rows
        progress(done, len(axis.values))
    return rows_to_columns(rows)


def _compared(study: Study, progress: Phases) -> Comparison:
    return compare(study, progress=lambda game: progress(f"{game} game"))


def _called(person: Mapping[str, Any]) -> str:
    """Return the name of a person: the record's number, or the values."""
    if "record" in person:
        return f"record {person['record']}"
    return ",".join(f"{name}={value}" for name, value in person["values"].items())


_OF_PEOPLE = ("demographics", "uniqueness")
"""Kinds of pictures of tables of people, without a game."""

_RESULTS: Mapping[str, tuple[type, str, Callable[[Any], Picture]]] = {
    "demographics": (Identifiable, "risk.demographics", demographics_picture),
    "uniqueness": (UniquenessStudy, "risk.study_uniqueness", lambda one: uniqueness_picture(one.rows, one.plan.truth)),
    "differences": (Comparison, "compare", lambda one: histogram_picture(payoff_differences(one))),
    "scatter": (Comparison, "compare", scatter_picture),
    "frontier": (RiskUtility, "risk_utility", frontier_picture),
}
"""Kind of picture of a result -> the class, the function that returns it, and the drawing function."""

_MAP = _Kind(draw=_map, of_a_game=True, stakes=("loss", "benefit"), points=31, is_plane=True)

_KINDS: Mapping[str, _Kind] = {
    "lattice": _Kind(draw=lambda study, game, *_: lattice_picture(study, game), of_one=True, of_a_game=True),
    "strategies": _Kind(draw=lambda study, game, *_: strategies_picture(study, game), of_one=True, of_a_game=True),
    "differences": _Kind(
        draw=lambda study, _game, _axes, progress: histogram_picture(payoff_differences(_compared(study, progress)))
    ),
    "scatter": _Kind(draw=lambda study, _game, _axes, progress: scatter_picture(_compared(study, progress))),
    "record-map": replace(_MAP, draw=_record_map, of_one=True),
    "map": _MAP,
    "lines": _Kind(draw=_lines, stakes=("benefit", "loss", "cost"), points=41),
    "deviation": _Kind(draw=_deviation, of_a_game=True, stakes=("benefit", "loss"), points=21),
    "frontier": _Kind(
        draw=lambda study, _game, _axes, progress: frontier_picture(risk_utility(study, progress=progress))
    ),
}
