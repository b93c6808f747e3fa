"""Changes of game, limits or stakes that meet the thresholds of a scenario, and the cost of the cheapest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise
from math import ceil, inf
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from gamedeid._version import __version__
from gamedeid.analysis.comparison import MOST_PAIRS
from gamedeid.analysis.stretches import best_solution, instance_at, study_stretches
from gamedeid.capabilities import Operation, refusal_words
from gamedeid.choices import GAMES, GameName
from gamedeid.errors import InvalidScenarioError, UnmetLimitsError
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Count, Dollars, Flag, Number, RangeEnds, Result, Share, Text
from gamedeid.risk.records import record_risks
from gamedeid.risk.thresholds import JudgedThreshold, criteria, judged_thresholds
from gamedeid.scenario.determination import Thresholds
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.limits import Limits
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.scenario.sections import DOLLARS
from gamedeid.study.facts import DataFacts, study_warnings
from gamedeid.study.solution import Solution
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

LEAST_RANGES, MOST_RANGES = 64, 1_000_000
"""Fewest ranges of a stake that are tried, and most ranges times profiles: of more, evenly spaced ones are tried, and
then those before the first hit."""

_APART = 1e-8
"""Least relative difference between the ends of a range of a stake: in a shorter one, strategies tie."""


@frozen
class SuggestedQuestion(Result):
    """A question that was solved, and the thresholds that its release meets.

    Parameters
    ----------
    game : the game played.
    changes : dotted key of the scenario -> its value, for keys that differ from the present question.
    thresholds : of the scenario; empty where the question has no release.
    publisher_payoff : mean over the records, dollars, at the stakes of this question; None without a release.
    attacked, expected_reidentifications : by a recipient who counts matching people and makes only attacks that pay;
        None without a release.
    cost : dollars per record that the present release pays more, at the same stakes; below 0 where it pays less.
    proved : whether no release of this question pays more.
    unsolved : the reason for no release.
    """

    game: GameName
    changes: Mapping[str, Any]
    thresholds: tuple[JudgedThreshold, ...]
    publisher_payoff: Amount | None
    attacked: Share | None
    expected_reidentifications: Number | None
    cost: Amount | None
    proved: Flag | None
    unsolved: Text | None = None

    @property
    def met(self) -> bool:
        """Whether every threshold is met."""
        return self.unsolved is None and all(one.verdict == "met" for one in self.thresholds)


@frozen
class SuggestedStake(Result):
    """The nearest value of one stake, in one direction, with which the present game meets the thresholds.

    Parameters
    ----------
    stake, direction : the stake that is moved, and its direction.
    present : its value in the scenario, dollars.
    value : a value with few digits within ``range``, which was solved; None where no range meets the thresholds.
    range : between these dollars strategies and replies are the same; None of both where none meets the thresholds.
    publisher_payoff : mean over the records, dollars, at the changed stakes: not comparable with the present one.
    tried, ranges : number of solved ranges, and of all ranges in this direction.
    """

    stake: StakeName
    direction: Literal["higher", "lower"]
    present: Dollars
    value: Dollars | None
    range: RangeEnds
    publisher_payoff: Amount | None
    tried: Count
    ranges: Count


@frozen
class Suggestions(Result):
    """The changes that were tried to meet the thresholds of a scenario.

    Parameters
    ----------
    title : of the scenario.
    present : the question as it is.
    tried : games and limits that were tried, the present question too: first those that meet the thresholds, the
        cheapest first. The first is the suggestion if it meets them.
    stakes : for each stake and direction the nearest value. A stake is a fact about the world, or the publisher's
        valuation: other stakes have no cost that can be compared with that of another game.
    left_out : the questions that were not tried, with reasons.
    data : facts of the data.
    warnings : of the data, and of the three games.
    """

    document = "suggestions"
    shown = ("present", "tried", "stakes")
    keys = ("title", "present", "tried", "stakes", "left_out", "data", "warnings", "gamedeid")

    title: Text
    present: SuggestedQuestion
    tried: tuple[SuggestedQuestion, ...]
    stakes: tuple[SuggestedStake, ...]
    left_out: tuple[Text, ...]
    data: DataFacts
    warnings: tuple[ResultWarning, ...]

    @property
    def gamedeid(self) -> Text:
        """The version."""
        return __version__

    @property
    def cheapest(self) -> SuggestedQuestion | None:
        """The cheapest question with another game or limits, or the present one, that meets all thresholds."""
        return self.tried[0] if self.tried[0].met else None

    @property
    def change(self) -> SuggestedQuestion | None:
        """The cheapest question, where it is not the present one."""
        return None if self.cheapest == self.present else self.cheapest


def suggest(
    scenario: ScenarioLike | Study,
    records: Any = None,
    population: Any = None,
    *,
    game: GameName | None = None,
    progress: Phases | None = None,
) -> Suggestions:
    """Find the cheapest change of game or limits that meets the scenario's thresholds, and stakes that meet them.

    The three games are tried, each within the limits of the scenario, within the limits that the thresholds amount to,
    and within these with one strategy for all records: a threshold of the highest journalist risk or of k-map is a
    limit ``record_risk``, one of the highest prosecutor risk or of k-anonymity a ``smallest_cell``, one of ``attacked``
    or ``expected_reidentifications`` the limit of that name; a threshold of a mean risk is met where the highest risk
    is no greater. Each is solved, and its release measured. Each stake is moved alone, up and down,
    through every range between its breakpoints in the present game.

    Parameters
    ----------
    scenario, records, population : as in :func:`gamedeid.solve`; the scenario has ``[thresholds]``.
    game : the present game (default: the scenario's).
    progress : opens a phase by name.

    Returns
    -------
    the questions tried; ``cheapest`` is the suggestion.

    Raises
    ------
    InvalidDataError : the data are wrong.
    InvalidScenarioError : no threshold is named, or none of these games; or the question is wrong.
    """
    study = Study.prepare(scenario, records, population)
    asked = study.scenario.thresholds
    if asked is None or not (asked.presets or asked.own):
        raise InvalidScenarioError(
            "thresholds: no threshold is named, so nothing can be suggested; name one of thresholds.presets, such as "
            'presets = ["0.09"], or a measure and its bound in [[thresholds.own]]'
        )
    game = study.scenario.game_of_records(game)
    left_out = ["the games aware-basic and aware-no-attack, with or without groups.k: each takes a search"]
    progress = progress or no_progress
    limits = _limits_to_try(study, asked, left_out)
    questions = [(one, some) for some in limits for one in sorted(GAMES, key=lambda name: name != game)]
    tried: list[SuggestedQuestion] = []
    for one, some in questions:
        report = progress(f"{one} game{'' if some is study.scenario.limits else ' within limits'}")
        tried.append(_solve_question(study, one, some, tried[0] if tried else None, report))
    stakes: tuple[SuggestedStake, ...] = ()
    if (why := refusal_words(Operation.BREAKPOINTS, study.features)) is not None:
        left_out.append(why)
    else:
        stakes = tuple(_suggest_stakes(study, game, progress))
    order = sorted(
        tried,
        key=lambda one: (not one.met, -round(one.publisher_payoff, 9) if one.publisher_payoff is not None else inf),
    )
    return Suggestions(
        title=study.scenario.title,
        present=tried[0],
        tried=tuple(order),
        stakes=stakes,
        left_out=tuple(left_out),
        data=DataFacts.of(study),
        warnings=study_warnings(study),
    )


def _limits_to_try(study: Study, asked: Thresholds, left_out: list[str]) -> list[Limits | None]:
    """Return the limits of the scenario, those with the thresholds, and these with one strategy for all records."""
    present = study.scenario.limits
    given = {} if present is None else present.given()
    named = limits_from_thresholds(asked)
    closer = {"smallest_cell": max}
    with_named = {
        **given,
        **{key: closer.get(key, min)(value, given.get(key, value)) for key, value in named.items()},
    }
    if (why := refusal_words(Operation.WITHIN_LIMITS, study.features)) is not None:
        left_out.append(why)
        return [present]
    found = [present]
    for content in (with_named, {**with_named, "uniform": True}):
        try:
            limits = Limits.model_validate(content)
        except ValidationError:  # such as a smallest cell together with limits on groups
            left_out.append(f"limits: {', '.join(content)} cannot be set together")
            continue
        pairs = study.instance.profiles.count * study.instance.lattice.size
        if limits.couples_cells and pairs > MOST_PAIRS and limits != present:
            left_out.append("limits.smallest_cell: with so many profiles and strategies it is tried with uniform only")
        elif limits.given() and limits not in found:
            found.append(limits)
    return found


def limits_from_thresholds(thresholds: Thresholds) -> dict[str, float]:
    """Return key of ``[limits]`` -> value, of limits within which a release meets thresholds, as far as there are any.

    Parameters
    ----------
    thresholds : of a scenario.
    """
    found: dict[str, float] = {}
    for _, one in criteria(thresholds):
        key: str
        value: float | None
        match one.measure:
            case "attacked" | "expected_reidentifications":
                key, value = one.measure, one.bound
            case "journalist_highest" | "journalist_mean":
                key, value = "record_risk", one.bound
            case "k_map":
                key, value = "record_risk", 1 / one.bound if one.bound else None
            case "k_anonymity":
                key, value = "smallest_cell", one.bound
            case _:
                key, value = "smallest_cell", _smallest_size(one.bound) if one.bound else None
        if value is None or (key == "attacked" and value > 1):
            continue
        if key == "record_risk" and not 0 < value <= 1:
            continue
        if key == "smallest_cell":
            found[key] = max(ceil(value), 1, found.get(key, 1))
        else:
            found[key] = min(value, found.get(key, value))
    return found


def _smallest_size(most: float) -> int:
    """Return the smallest size n with 1 / n at most ``most``, more than 0."""
    size = ceil(1 / most)
    return size - 1 if size > 1 and 1 / (size - 1) <= most else size


def _solve_question(
    study: Study, game: GameName, limits: Limits | None, present: SuggestedQuestion | None, report: Progress
) -> SuggestedQuestion:
    """Solve the question with another game and other limits; ``present`` is None for the present one."""
    own = {} if study.scenario.limits is None else study.scenario.limits.given()
    given = {} if limits is None else limits.given()
    question, unsolved = study, None
    if limits != study.scenario.limits:
        question = study.with_scenario(study.scenario.model_copy(update={"limits": limits}))
    try:
        solution = solve(question, game=game, progress=report)
    except UnmetLimitsError as error:
        solution, unsolved = None, str(error)
    payoff = None if solution is None else float(solution.measures["publisher_payoff"])
    before = payoff if present is None else present.publisher_payoff
    return SuggestedQuestion(
        game=game,
        changes={f"limits.{key}": value for key, value in given.items() if own.get(key) != value},
        thresholds=() if solution is None else _thresholds(solution),
        publisher_payoff=payoff,
        attacked=None if solution is None else float(solution.measures["attacked"]),
        expected_reidentifications=None if solution is None else float(solution.measures["expected_reidentifications"]),
        cost=None if before is None or payoff is None else before - payoff,
        proved=None if solution is None else bool(solution.search["proved"]),
        unsolved=unsolved,
    )


def _thresholds(solution: Solution) -> tuple[JudgedThreshold, ...]:
    asked = solution.study.scenario.thresholds or Thresholds()
    return judged_thresholds(asked, {"release": record_risks(solution).as_dict()}, solution.measures)


def _meets(solution: Solution) -> bool:
    return all(one.verdict == "met" for one in _thresholds(solution))


def _suggest_stakes(study: Study, game: GameName, progress: Phases) -> Iterator[SuggestedStake]:
    payoffs = study.instance.payoffs
    stakes: tuple[StakeName, ...] = ("benefit", "loss", "cost", *(() if payoffs.gain is None else ("gain",)))
    for stake in stakes:
        report = progress(f"values of the {stake}")
        present = getattr(payoffs, stake)
        stretches = study_stretches(study, game, stake, progress=report)
        ends = np.unique(stretches.lows)
        above = _ranges([present, *ends[ends > present].tolist(), DOLLARS.most])
        below = _ranges([DOLLARS.least, *ends[(ends > DOLLARS.least) & (ends < present)].tolist(), present])[::-1]
        yield _nearest_value(study, game, stake, "higher", above, report)
        yield _nearest_value(study, game, stake, "lower", below, report)


def _ranges(ends: Sequence[float]) -> list[tuple[float, float]]:
    """Return the ranges between rising ends, without those in which strategies tie."""
    return [(low, high) for low, high in pairwise(ends) if high > low * (1 + _APART)]


def _nearest_value(
    study: Study,
    game: GameName,
    stake: StakeName,
    direction: Literal["higher", "lower"],
    ranges: Sequence[tuple[float, float]],
    report: Progress,
) -> SuggestedStake:
    """Return the first of the ranges, nearest first, with which the game meets the thresholds."""
    tried: dict[int, Solution | None] = {}
    values = [round_value(low, high, upwards=direction == "higher") for low, high in ranges]

    def meets(place: int) -> bool:
        if place not in tried:
            report(len(tried), len(ranges))
            there = replace(study, instance=instance_at(study, {stake: values[place]}))
            quick = best_solution(there, game)
            solution = solve(there, game=game) if _meets(quick) else None  # by the solver that a run takes
            tried[place] = solution if solution is not None and _meets(solution) else None
        return tried[place] is not None

    first, last, most = 0, len(ranges), max(LEAST_RANGES, MOST_RANGES // study.instance.profiles.count)
    while True:
        places = np.linspace(first, last - 1, min(most, last - first)).round().astype(int).tolist()
        hit = next((place for place in places if meets(place)), None)
        if hit is None or hit - 1 in (*tried, -1):
            break
        first, last = max((place for place in tried if place < hit), default=-1) + 1, hit + 1
    found = None if hit is None else tried[hit]
    return SuggestedStake(
        stake=stake,
        direction=direction,
        present=float(getattr(study.instance.payoffs, stake)),
        value=None if hit is None else values[hit],
        range=(None, None) if hit is None else ranges[hit],
        publisher_payoff=None if found is None else float(found.measures["publisher_payoff"]),
        tried=len(tried),
        ranges=len(ranges),
    )


def round_value(low: float, high: float, *, upwards: bool) -> float:
    """Return a value between two, with few digits, two at least, that is near the lower one, or near the upper one.

    Parameters
    ----------
    low, high : the ends, 0 < low < high, more than a ten-millionth apart.
    upwards : whether it is the nearest to ``low``.

    Examples
    --------
    >>> round_value(41.02, 180, upwards=True), round_value(41.02, 41.04, upwards=False)
    (42.0, 41.03)
    """
    inner, outer = (Decimal(repr(float(end))) for end in (low * (1 + _APART / 10), high * (1 - _APART / 10)))
    near, rounding = (inner, ROUND_CEILING) if upwards else (outer, ROUND_FLOOR)
    for digits in range(2, 16):
        value = near.quantize(Decimal(1).scaleb(near.adjusted() - digits + 1), rounding=rounding)
        if inner <= value <= outer:
            return float(value)
    return (low + high) / 2
