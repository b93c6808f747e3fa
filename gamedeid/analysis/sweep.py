"""How the answer moves with the benefit, the loss, the cost and the gain: a grid of stakes, all games, the policy."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.choices import GAMES, MEASURES, GameName
from gamedeid.game.frontier import NOBODY, Frontier
from gamedeid.kernels import frontier as loops
from gamedeid.progress import Progress
from gamedeid.reprs import html_table, repr_of, short_repr
from gamedeid.scenario.grid import Axis, check_grid
from gamedeid.scenario.payoffs import TIE, Payoffs
from gamedeid.study.solution import Solution, policy_solution
from gamedeid.study.study import Study

BLOCK = 2**20
"""Sums that are held at a time: the grid is worked through in blocks, so that memory does not grow with it."""

FIRST_ROWS = 10
"""Rows of a sweep that a notebook shows."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SweepBlock:
    """Some consecutive rows of a sweep as columns of equal length.

    Parameters
    ----------
    columns : ``benefit``, ``loss``, ``cost``, ``gain``, ``policy``, and the measures as ``Solution.measures`` has them.
    points : how many points of the grid the rows stand for.
    """

    columns: dict[str, list[float] | list[str]]
    points: int

    def __repr__(self) -> str:
        return repr_of(self, columns=list(self.columns), points=self.points, rows=self._rows)

    def _repr_html_(self) -> str:
        rows = islice(zip(*self.columns.values(), strict=True), FIRST_ROWS)
        return html_table("Sweep", list(self.columns), rows, more=max(self._rows - FIRST_ROWS, 0))

    @property
    def _rows(self) -> int:
        return len(next(iter(self.columns.values()), ()))


def sweep(study: Study, axes: Sequence[Axis], *, progress: Progress | None = None) -> Iterator[SweepBlock]:
    """Yield the measures of the policy and of the three games at every point of a grid, block by block.

    Points are ordered by the axes, the benefit quickest and the first of the others slowest; a point's rows are the
    policy's and the games'. The gain follows the loss unless it is varied or the scenario gives it. At every point the
    strategies are those of backward induction.

    Parameters
    ----------
    study : the question; its own stakes stand where nothing is varied.
    axes : one for each stake that is varied, each stake once.
    progress : told (points done, points in all).

    Raises
    ------
    InvalidScenarioError : no axis, a stake named twice, or more than ``MOST_POINTS`` points.

    References
    ----------
    wan2015, "Sensitivity Analysis of the Game" (Figures 10 and 11); the frontier's page in the documentation.
    """
    check_grid(axes)
    grid = _Grid(study, axes)
    total = prod(len(axis.values) for axis in axes)
    policy = policy_solution(study, study.floor)
    done = 0
    frontiers = [study.frontier(name) for name in GAMES]  # one after another, since they count as they go
    with ThreadPoolExecutor(len(GAMES)) as pool:  # the loops let go of Python's lock
        for lines in grid.blocks():
            games = pool.map(partial(_game_sums, lines=lines, benefits=grid.benefits), GAMES, frontiers)
            of_policy = {study.floor.name: _policy_sums(policy, lines, grid.benefits)}
            block = grid.rows(lines, of_policy | dict(zip(GAMES, games, strict=True)))
            done += block.points
            if progress is not None:
                progress(done, total)
            yield block


def columns_of(blocks: Iterable[SweepBlock]) -> dict[str, list[Any]]:
    """Return all rows of a sweep as columns of equal length."""
    columns: dict[str, list[Any]] = {}
    for block in blocks:
        for name, values in block.columns.items():
            columns.setdefault(name, []).extend(values)
    return columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lines:
    """Combinations of loss, cost and gain, (l,) each, with their attack limits."""

    loss: FloatArray
    cost: FloatArray
    gain: FloatArray
    limits: IntArray

    __repr__ = short_repr


class _Grid:
    """The grid as lines along the benefit, and the way back to the order of its points."""

    def __init__(self, study: Study, axes: Sequence[Axis]) -> None:
        self._study = study
        self._axes = axes
        own = study.instance.payoffs
        varied = {axis.name: axis.values for axis in axes}
        fixed = {"benefit": own.benefit, "loss": own.loss, "cost": own.cost, "gain": own.gain}
        self.benefits = np.unique(np.array(varied.get("benefit", (fixed["benefit"],)), float))
        self._fixed = fixed
        self._others = [axis for axis in axes if axis.name != "benefit"]

    def blocks(self) -> Iterator[_Lines]:
        """Yield the lines, a bounded number at a time, in an order in which whole rows can be written."""
        size = max(1, BLOCK // (len(self.benefits) * (len(_FEATURES) + 2)))
        combinations = list(product(*(axis.values for axis in self._others)))
        for start in range(0, len(combinations), size):
            yield self._lines(combinations[start : start + size])

    def _lines(self, combinations: Sequence[tuple[float, ...]]) -> _Lines:
        columns: dict[str, list[float]] = {"loss": [], "cost": [], "gain": []}
        limits = []
        for values in combinations:
            stakes = self._fixed | dict(zip((axis.name for axis in self._others), values, strict=True))
            loss, cost, gain = stakes["loss"], stakes["cost"], stakes["gain"]
            assert loss is not None  # noqa: S101  (only the gain may be left open)
            assert cost is not None  # noqa: S101
            payoffs = Payoffs(benefit=1.0, loss=loss, cost=cost, gain=gain)
            limits.append(payoffs.attack_limit)
            for name, value in (("loss", loss), ("cost", cost), ("gain", payoffs.adversary_gain)):
                columns[name].append(value)
        arrays = {name: np.array(values, float) for name, values in columns.items()}
        return _Lines(**arrays, limits=np.array(limits, np.int64))

    def rows(self, lines: _Lines, sums: dict[str, FloatArray]) -> SweepBlock:
        """Return the rows of some lines: benefits within a line in the order in which the axis has them."""
        axis = next((axis for axis in self._axes if axis.name == "benefit"), None)
        wanted = np.searchsorted(self.benefits, np.array(axis.values if axis else self.benefits))
        names = list(sums)
        line: IntArray = np.repeat(np.arange(len(lines.loss)), len(wanted))
        place: IntArray = np.tile(wanted, len(lines.loss))
        columns: dict[str, list[float] | list[str]] = {}
        for name, values in (
            ("benefit", self.benefits[place]),
            ("loss", lines.loss[line]),
            ("cost", lines.cost[line]),
            ("gain", lines.gain[line]),
        ):
            columns[name] = np.repeat(values, len(names)).tolist()
        columns["policy"] = names * len(line)
        stacked = np.stack([_measured(sums[name][line, place], self, line, place, lines) for name in names], axis=1)
        for feature, name in enumerate(MEASURES):
            columns[name] = stacked[:, :, feature].ravel().tolist()
        return SweepBlock(columns=columns, points=len(line))


_FEATURES = ("kept", "suppressed", "unmodified", "withheld", "unmatched", "generalization_intensity")


def _game_sums(name: GameName, frontier: Frontier, *, lines: _Lines, benefits: FloatArray) -> FloatArray:
    """Return sums over records, (l, b, features + 2)."""
    lattice, profiles = frontier.instance.lattice, frontier.instance.profiles
    climbed = (lattice.ranks(np.arange(lattice.size)) / lattice.steps)[frontier.nodes]
    entries = frontier.entries
    chosen = [entries.kept, climbed == 1, climbed == 0, np.zeros(len(climbed)), entries.people == NOBODY, climbed]
    features = loops.Features(
        chosen=np.stack(chosen, axis=1).astype(float),
        withheld=np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
        records=profiles.records.astype(float),
    )
    order = np.argsort(lines.limits, kind="stable")
    sums = np.empty((len(order), len(benefits), len(_FEATURES) + 2))
    loops.sum_along_benefit(
        entries,
        loops.Lines(lines.loss[order], lines.limits[order]),
        benefits,
        TIE,
        name == "no-attack",
        features,
        sums,
    )
    back = np.empty_like(sums)
    back[order] = sums
    return back


def _policy_sums(policy: Solution, lines: _Lines, benefits: FloatArray) -> FloatArray:
    """Return the same for a policy, whose strategies do not move."""
    records = policy.study.instance.profiles.records
    intensity, people = policy.generalization_intensity, policy.people
    sums = np.empty((len(lines.loss), len(benefits), len(_FEATURES) + 2))
    none = np.zeros(len(records))
    fixed = [1 - policy.information_loss, intensity == 1, intensity == 0, none, people == 0, intensity]
    for feature, values in enumerate(fixed):
        sums[:, :, feature] = float((values * records).sum())
    for line, limit in enumerate(lines.limits):
        attacked = (people > 0) & (people <= limit)
        sums[line, :, -2] = float((attacked * records).sum())
        sums[line, :, -1] = float((records[attacked] / people[attacked]).sum())
    return sums


def _measured(sums: FloatArray, grid: _Grid, line: IntArray, place: IntArray, lines: _Lines) -> FloatArray:
    """Return the measures, (rows, measures), from sums over records, (rows, features + 2)."""
    records = float(grid._study.instance.profiles.records.sum())  # noqa: SLF001  (one room)
    kept, suppressed, unmodified, withheld, unmatched, intensity, attacks, risk = sums.T
    publisher = grid.benefits[place] * kept - lines.loss[line] * risk
    adversary = lines.gain[line] * risk - lines.cost[line] * attacks
    risk = np.where(attacks > 0, risk, 0.0)  # numbers of records are exact, sums of chances leave a trace of rounding
    over_attacked = np.divide(risk, attacks, out=np.zeros_like(risk), where=attacks > 0)
    means = [publisher, adversary, suppressed, unmodified, withheld, unmatched, intensity, attacks, risk]
    return np.stack([*(values / records for values in means), over_attacked, risk], axis=1)
