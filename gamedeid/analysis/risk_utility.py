"""Risk against utility: uniform policies, a strategy for each record, the policy and the games, side by side."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from gamedeid._version import __version__
from gamedeid.analysis.risk_utility_curve import RiskUtilityCurve, record_level_curve
from gamedeid.analysis.risk_utility_positions import (
    MEASURED,
    RISK_MEASURES,
    Dominance,
    Positions,
    find_dominating,
    measure_sums,
    on_pareto_front,
    uniform_strategy,
    uniform_sums,
)
from gamedeid.analysis.study_table import check_attributes
from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GAMES, RISKS, RiskName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, quoted, refuse_unknown
from gamedeid.game.frontier import Frontier
from gamedeid.game.solvers import exact
from gamedeid.lazy_imports import registered_function
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Count, Flag, Level, Mean, Result, Share, Text
from gamedeid.results.tables import csv_bytes
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.facts import DataFacts, PolicyWords, StakeFacts, study_warnings, write_manifest
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study

WITHIN_LIMITS = "within limits"
"""Name of the basic game's release within the limits of the scenario, where it has any."""

MOST_POINTS = 600
"""Most releases of the curve in its table."""


@frozen
class RiskWords(Result):
    """A risk of a release: its name, and how it is measured."""

    name: RiskName
    measure: Text


@frozen
class PolicyLevels(PolicyWords):
    """The policy, whether it is a uniform one itself, and at which levels it releases each attribute."""

    is_uniform: Flag
    levels: Mapping[str, tuple[Level, ...]]


@frozen
class PositionFacts(Result):
    """The position of a release between risk and utility, by the measures of :data:`MEASURED`."""

    information_kept: Share
    expected_reidentifications: Mean
    marketer_reidentifications: Mean
    attacked: Share
    withheld: Share
    publisher_payoff: Amount


@frozen
class UniformPosition(PositionFacts):
    """The position of a uniform policy, and its level of each attribute."""

    keys = ("levels", *MEASURED)

    levels: Mapping[str, Level]


@frozen
class UniformCounts(Result):
    """Numbers of uniform policies: of all, and of those that beat the scenario's policy or are on the Pareto front."""

    policies: Count
    beat_policy: Count
    beat_policy_on_both: Count
    equal_policy: Count
    on_frontier: Count
    on_frontier_and_beat_policy: Count


@frozen
class SameInformation(Result):
    """The releases of least risk that keep as much information as the policy.

    Parameters
    ----------
    uniform : the best uniform policy; None if there is none.
    record_level : the best release at hand with a strategy for each record: on the curve, or uniform, or the policy.
    """

    uniform: UniformPosition | None
    record_level: PositionFacts


@frozen
class WithinRisk(SameInformation):
    """The releases that keep most within the policy's risk, and the share that none can exceed."""

    bound: Share


@frozen
class CurveEnds(Result):
    """The releases with a strategy for each record: how many, and the first and the last of them."""

    releases: Count
    least_risk: PositionFacts
    most_information: PositionFacts


@frozen
class RiskUtilityFacts(Result):
    """Risk against utility: the content of ``frontier.json``."""

    document = "frontier"

    title: Text
    warnings: tuple[ResultWarning, ...]
    risk: RiskWords
    payoffs: StakeFacts
    policy: PolicyLevels
    releases: Mapping[str, PositionFacts]
    uniform: UniformCounts
    at_policy_risk: WithinRisk
    at_policy_information: SameInformation
    record_level: CurveEnds
    data: DataFacts
    gamedeid: Text


@frozen(eq=False, slots=False)
class RiskUtility(Shown):
    """The positions of releases of one dataset between risk and utility.

    Utility is the information kept, the mean of 1 - IL over the records; times the benefit it is the value of the
    release in dollars per record, attacks aside.

    Parameters
    ----------
    study : the question.
    risk_name : "adversary", "marketer" or "attacked".
    names : of the policy, of the three games without limits, and, where the scenario has limits on the whole dataset,
        of the basic game's release within them.
    releases : (4,) or (5,) their positions.
    uniform : (r,) positions of the uniform policies, by node number.
    curve : the positions that a strategy for each record can reach.
    """

    shown = ("risk_name", "names")
    table_of = "placed"

    study: Study
    risk_name: RiskName
    names: tuple[str, ...]
    releases: Positions
    uniform: Positions
    curve: RiskUtilityCurve

    @property
    def placed(self) -> dict[str, dict[str, float]]:
        """The position of each release, by name and by the names of the measures."""
        return {name: self.releases.at(place) for place, name in enumerate(self.names)}

    @property
    def policy(self) -> dict[str, float]:
        """The position of the policy that the uniform ones are compared with, by the names of the measures."""
        return self.releases.at(0)

    @cached_property
    def beaten(self) -> Dominance:
        """Which uniform policies beat the scenario's policy, (r,) each."""
        risk = self.uniform.risk(self.risk_name)
        return find_dominating(risk, self.uniform.information_kept, self._policy_place, float(risk.max()))

    @cached_property
    def on_frontier(self) -> BoolArray:
        """Which uniform policies no other one beats, (r,)."""
        return on_pareto_front(self.uniform.risk(self.risk_name), self.uniform.information_kept)

    @property
    def _policy_place(self) -> tuple[float, float]:
        """The policy's risk, and the information that it keeps."""
        return float(self.releases.risk(self.risk_name)[0]), float(self.releases.information_kept[0])

    def as_dict(self) -> dict[str, Any]:
        """Return the content of ``frontier.json``."""
        study = self.study
        risk, kept = self._policy_place
        beats, measure = self.beaten.better, RISK_MEASURES[self.risk_name]
        risks, kept_by = self.uniform.risk(self.risk_name), self.uniform.information_kept
        least_risk, most_kept = (risks, float(risks.max())), (-kept_by, 1.0)
        within = self._first(risks <= risk + ROUNDING * risks.max(), [most_kept, least_risk])
        as_much = self._first(kept_by >= kept - ROUNDING, [least_risk, most_kept])
        return RiskUtilityFacts(
            title=study.scenario.title,
            warnings=study_warnings(study),
            risk=RiskWords(name=self.risk_name, measure=measure),
            payoffs=StakeFacts.of(study.scenario),
            policy=self._policy_levels,
            releases={name: PositionFacts(**found) for name, found in self.placed.items()},
            uniform=UniformCounts(
                policies=len(beats),
                beat_policy=int(beats.sum()),
                beat_policy_on_both=int(self.beaten.better_on_both.sum()),
                equal_policy=int(self.beaten.equal.sum()),
                on_frontier=int(self.on_frontier.sum()),
                on_frontier_and_beat_policy=int((self.on_frontier & beats).sum()),
            ),
            at_policy_risk=WithinRisk(
                uniform=within,
                record_level=self._best(self.curve.at_risk(risk), within, lambda one: one.information_kept),
                bound=self.curve.bound(risk),
            ),
            at_policy_information=SameInformation(
                uniform=as_much,
                record_level=self._best(self.curve.at_information(kept), as_much, lambda one: -getattr(one, measure)),
            ),
            record_level=CurveEnds(
                releases=len(self.curve.risk), least_risk=self._of_curve(0), most_information=self._of_curve(-1)
            ),
            data=DataFacts.of(study),
            gamedeid=__version__,
        ).as_dict()

    def _of_curve(self, place: int) -> PositionFacts:
        return PositionFacts(**self.curve.positions.at(place))

    @property
    def _policy_levels(self) -> PolicyLevels:
        """Whether the policy is a uniform one itself, and at which levels it releases each attribute."""
        instance, levels = self.study.instance, self.study.scenario_policy.levels
        own = (levels > instance.base) | (instance.base == 0)  # and not at the level of a missing value
        policy = self.study.scenario_policy
        return PolicyLevels(
            name=policy.name,
            does=policy.in_words,
            is_uniform=uniform_strategy(instance, levels) is not None,
            levels={
                name: tuple(np.unique(levels[own[:, place], place]).tolist())
                for place, name in enumerate(instance.hierarchies)
            },
        )

    def _best(
        self, corner: int, uniform: UniformPosition | None, worth: Callable[[PositionFacts], float]
    ) -> PositionFacts:
        """Return a corner of the curve, or the policy or a uniform policy if it is better, between two corners."""
        found = [self._of_curve(corner), PositionFacts(**self.policy), *([] if uniform is None else [uniform])]
        best = max(found, key=lambda one: round(worth(one), 9))  # the corner, if they differ by rounding alone
        return PositionFacts(**{name: getattr(best, name) for name in MEASURED})

    def _first(self, some: BoolArray, least: list[tuple[FloatArray, float]]) -> UniformPosition | None:
        """Return the one of ``some`` uniform policies with the least numbers, compared in order, each at its scale."""
        if not some.any():
            return None
        for numbers, scale in least:
            some = some & (numbers <= numbers[some].min() + ROUNDING * scale)
        lattice = self.study.instance.lattice
        nodes = np.flatnonzero(some)
        node = int(nodes[lattice.walk_keys(nodes).argmin()])
        return UniformPosition(levels=self.study.instance.levels_of(node), **self.uniform.at(node))

    @cached_property
    def uniform_rows(self) -> dict[str, list[Any]]:
        """The columns of ``uniform.csv``: every uniform policy in walk order.

        The level of each attribute, ``information_kept``, ``value`` (dollars per record), the risks,
        ``publisher_payoff``, ``beats_policy`` and ``on_frontier``.
        """
        lattice = self.study.instance.lattice
        order = lattice.walk_order()
        levels = lattice.levels(order)
        columns: dict[str, list[Any]] = {
            name: levels[:, place].tolist() for place, name in enumerate(self.study.instance.hierarchies)
        }
        columns |= self._columns(self.uniform, order)
        del columns["withheld"]
        return columns | {
            "beats_policy": self.beaten.better[order].tolist(),
            "on_frontier": self.on_frontier[order].tolist(),
        }

    @cached_property
    def curve_rows(self) -> dict[str, list[Any]]:
        """The columns of ``curve.csv``: at most ``MOST_POINTS`` releases of the curve, by rising risk.

        The measures, ``value`` (dollars per record), and ``price``: total dollars of value for one more unit of
        risk, at the next step of the curve; None at its end. For the risk of the one adversary also ``shadow_price``:
        total dollars of the publisher's payoff for one more expected re-identification.
        """
        curve, stakes = self.curve, self.study.instance.payoffs
        places = curve.shown(MOST_POINTS)
        columns = self._columns(curve.positions, places)
        prices = [float(curve.prices[place]) if place < len(curve.prices) else None for place in places]
        columns["price"] = prices
        if self.risk_name == "adversary" and self.study.instance.recipients.is_paper_adversary:
            columns["shadow_price"] = [max((price or 0.0) - float(stakes.loss), 0.0) for price in prices]
        return columns

    def _columns(self, positions: Positions, places: Any) -> dict[str, list[Any]]:
        measures = {name: getattr(positions, name)[places].tolist() for name in MEASURED}
        kept = measures.pop("information_kept")
        benefit = float(self.study.instance.payoffs.benefit)
        return {"information_kept": kept, "value": [benefit * share for share in kept], **measures}

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        folder.write_json("frontier.json", self.as_dict())
        folder.write_bytes("uniform.csv", csv_bytes(self.uniform_rows))
        folder.write_bytes("curve.csv", csv_bytes(self.curve_rows))
        folder.write_bytes("frontier.svg", registered_function("picture")(self, "frontier"))
        return write_manifest(self.study, folder, {"risk": self.risk_name}, study_warnings(self.study))


def risk_utility(
    scenario: ScenarioLike | Study,
    records: Any = None,
    population: Any = None,
    *,
    risk: RiskName = "adversary",
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> RiskUtility:
    """Set risk against utility: all uniform policies, a strategy for each record, the scenario's policy and the games.

    Only one release keeps to limits on the whole dataset, that of the basic game within them; all others ignore them.

    Parameters
    ----------
    scenario, records, population, read_options : as in :func:`gamedeid.solve`.
    risk : the risk of a release: "adversary", the re-identifications expected of the scenario's adversary;
        "marketer", those expected if all records are attacked; "attacked", the share of records that are attacked.
    progress : opens a phase by name, and returns its callback for (done, total).

    Returns
    -------
    the positions of all; ``write`` writes the folder that ``gamedeid frontier`` writes.

    Raises
    ------
    InvalidScenarioError : no such risk, more strategies than tables can hold, or an attribute named like a column of
        the tables.
    InvalidDataError : a kept column with a rule for groups holds values that cannot be distinguished.
    UnmetLimitsError : no strategies are within the limits of the scenario.

    References
    ----------
    Xia et al. 2015, "R-U policy frontiers for health data de-identification"; the documentation's page on risk and
    utility.
    """
    refuse_unknown("risk", risk, RISKS, arguments=["risk"])
    study = Study.prepare(scenario, records, population, read_options=read_options)
    refuse_unsupported(Operation.RISK_UTILITY, study.features)
    if study.scenario.has_limits and study.scenario_policy.name == WITHIN_LIMITS:
        raise InvalidScenarioError(f"policy: {quoted(WITHIN_LIMITS)} is the name of the limited release; rename it")
    check_attributes(study, (*MEASURED, "value", "beats_policy", "on_frontier"), "a table of uniform policies")
    instance, policy = study.instance, study.scenario_policy
    rows = int(instance.profiles.records.sum())
    progress("frontiers of the profiles")
    frontier = Frontier.of(instance, instance.base)
    uniform = uniform_sums(instance, progress("uniform policies"))
    chosen: dict[str, IntArray] = {
        policy.name: policy_solution(study, policy).choice.nodes,
        **{game: exact(instance, study.game(game), progress=progress(f"{game} game")).nodes for game in GAMES},
    }
    if study.scenario.has_limits:
        chosen[WITHIN_LIMITS] = solve(study, game="basic", progress=progress(WITHIN_LIMITS)).choice.nodes
    progress("a strategy for each record")
    releases = np.stack([measure_sums(instance, nodes) for nodes in chosen.values()])
    return RiskUtility(
        study=study,
        risk_name=risk,
        names=tuple(chosen),
        releases=Positions.of(releases, rows, instance.payoffs.benefit),
        uniform=Positions.of(uniform, rows, instance.payoffs.benefit),
        curve=record_level_curve(instance, frontier, risk),
    )
