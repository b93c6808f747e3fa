"""One strategy for all records, or for all records of a group: the sums of each, and the records that it withholds."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.game.instance import Instance
from gamedeid.game.limits.items import SumLimits, permitted_at_record_risk
from gamedeid.game.limits.knapsack import Knapsack
from gamedeid.game.mechanism.aware_people import released_rows
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.rules import Game
from gamedeid.grouping import distinct_rows, examples_of
from gamedeid.kernels.equivalence_classes import ListedProfiles, add_by_key, allocate_slots, number_classes
from gamedeid.kernels.tables import WITHHELD, HierarchyTables
from gamedeid.population.rows import listed_profiles
from gamedeid.reprs import frozen
from gamedeid.scenario.limits import Limits

AIM = 1 / 5
"""Share of the way from the best sum found to the greatest bound: the next strategy is one whose value is there."""


@frozen(eq=False, slots=False)
class UniformRelease:
    """The release of records with one strategy for each group of them."""

    instance: Instance
    game: Game
    limits: Limits  # ``uniform``, by which attributes records are grouped, ``record_risk`` and ``smallest_cell``

    @cached_property
    def group_of(self) -> IntArray:
        """The group of each profile, (q,) from 0: the records with the same values of the attributes.

        People whose rows differ are grouped only with people whose rows agree in the same groups.
        """
        profiles, attributes = self.instance.profiles, self.limits.uniform
        if not isinstance(attributes, tuple) or not attributes:
            return np.zeros(profiles.count, np.int64)
        places = np.array([list(self.instance.hierarchies).index(name) for name in attributes])
        return distinct_rows(profiles.keys[:, [*places, *places + profiles.codes.shape[1]]])[1]

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.group_of.max()) + 1

    def nodes(self, strategy: int) -> IntArray:
        """Return the strategy of each profile, (q,), if all are released at one; -1 where it is withheld.

        A missing value is released as ``*``. A profile is withheld if the game does not permit it at the strategy, if
        it pays less than 0, if its risk is above that of a record, or if its equivalence class is too small.
        """
        evaluated = self.evaluate(strategy, self.instance.all_profiles, self.instance.profiles.records)
        return np.where(evaluated.released, evaluated.outcomes.nodes, WITHHELD)

    def best(self) -> tuple[IntArray, int]:
        """Return the best strategy of each group, (groups,), and how many strategies were evaluated to prove it.

        Of equal sums, the first strategy in walk order is best. No strategy pays more than v(g) of all records. The
        payoff of a strategy bounds the finer ones too: they release no record that it may not release, and lose no less
        by attacks, so that they only add v(g). Strategies are evaluated between the greatest bound and the best found.
        """
        search = _Search(self)
        while (strategy := search.next()) is not None:
            search.evaluate(strategy)
        return search.chosen, int(search.done.sum())

    def evaluate(self, strategy: int, profiles: IntArray, records: IntArray) -> "_Evaluated":
        """Return the outcomes of profiles, (k,), each of which represents ``records``, (k,), all released at one node.

        No other profile has the released values of one of these.
        """
        instance = self.instance
        levels = np.maximum(instance.lattice.levels(np.array([strategy])), instance.base[profiles])
        outcomes = Outcomes(instance=instance, profiles=profiles, nodes=instance.lattice.nodes(levels))
        permitted = permitted_at_record_risk(self.game, outcomes, self.limits.record_risk)
        released = permitted & instance.payoffs.as_good(outcomes.publisher_payoff, 0.0)
        if self.limits.smallest_cell is not None:
            class_of = distinct_rows(released_rows(instance, profiles, outcomes.nodes))[1]
            permitted, released = (
                some & (np.bincount(class_of, records * some)[class_of] >= self.limits.smallest_cell)
                for some in (permitted, released)
            )
        return _Evaluated(outcomes=outcomes, permitted=permitted, released=released)

    def knapsack(self, like: Knapsack, rows: SumLimits) -> Knapsack:
        """Return the choice of a strategy for each group: its strategies in walk order, then withholding."""
        instance, groups = self.instance, self.groups
        walk = instance.lattice.walk_order()
        worth, uses = np.empty((groups, len(walk) + 1)), np.empty((len(like.allowed), groups, len(walk) + 1))

        def add_up(amounts: FloatArray) -> FloatArray:
            sums: FloatArray = np.bincount(self.group_of, amounts * instance.profiles.records, groups).astype(float)
            return sums

        for place, strategy in enumerate([*walk.tolist(), WITHHELD]):
            nodes = np.full(len(self.group_of), WITHHELD) if strategy == WITHHELD else self.nodes(strategy)
            outcomes = Outcomes(instance=instance, profiles=instance.all_profiles, nodes=nodes)
            worth[:, place] = add_up(outcomes.publisher_payoff)
            for row, used in enumerate(rows.uses(outcomes)):
                uses[row, :, place] = add_up(used)
        return replace(
            like,
            starts=np.arange(groups + 1) * (len(walk) + 1),
            worth=worth.ravel(),
            uses=uses.reshape(len(uses), worth.size),
        )

    def strategies(self, items: IntArray) -> IntArray:
        """Return the strategy of each group, (groups,), -1 for withholding, from its item of :meth:`knapsack`."""
        walk = np.append(self.instance.lattice.walk_order(), WITHHELD)
        strategies: IntArray = walk[items % len(walk)]
        return strategies

    def chosen(self, strategies: IntArray) -> IntArray:
        """Return the strategy of each profile, (q,), -1 where withheld, from that of each group, (groups,)."""
        nodes = np.full(len(self.group_of), WITHHELD, np.int64)
        for strategy in np.unique(strategies[strategies != WITHHELD]).tolist():
            at_strategy = strategies[self.group_of] == strategy
            nodes[at_strategy] = self.nodes(strategy)[at_strategy]
        return nodes


@frozen(eq=False)
class _Evaluated:
    """The outcomes of some profiles, (k,) each, at one strategy: which may be released, and which also pay."""

    outcomes: Outcomes
    permitted: BoolArray
    released: BoolArray


class _Search:
    """The search for the best strategy of each group: bounds on the payoffs, (groups, n), and which are done."""

    def __init__(self, release: UniformRelease) -> None:
        instance = release.instance
        self._release, self._instance = release, instance
        self._levels = np.ascontiguousarray(instance.hierarchy_tables.levels.T)
        self._places = np.argsort(instance.lattice.walk_order())
        self._equal = instance.payoffs.tolerance * float(instance.profiles.records.sum())
        self._is_monotone = _is_monotone(instance)
        self._columns = _with_group_column(release)
        self._room = (np.empty(instance.profiles.count, np.int64), *allocate_slots(instance.profiles.count))
        self._sums = _ValueSums(instance, release.group_of, release.groups)
        self._values = self._sums.of(instance.profiles.records, np.arange(instance.lattice.size))
        self._bounds, self._worth = self._values.copy(), np.full_like(self._values, -np.inf)
        self._best = np.full(release.groups, -np.inf)
        self._first = np.full(release.groups, instance.lattice.size)
        self.done = np.zeros(instance.lattice.size, np.bool_)

    @property
    def chosen(self) -> IntArray:
        """The first strategy in walk order, (groups,), of those found whose payoff equals the best."""
        chosen: IntArray = self._instance.lattice.walk_order()[self._first]
        return chosen

    def next(self) -> int | None:
        """Return a strategy that is worth evaluating, or that bounds such a strategy; None if none can be better."""
        best, first = self._best[:, None], self._first[:, None]
        may_tie = (self._bounds >= best - self._equal) & (self._places < first)
        is_open = ((self._bounds > best) | may_tie) & ~self.done
        if not is_open.any():
            return None
        group = int(is_open.any(axis=1).argmax())
        bounds, found = self._bounds[group], max(float(self._best[group]), 0.0)
        greatest = int(np.where(is_open[group], bounds, -np.inf).argmax())
        if not self._is_monotone:
            return greatest
        above = np.flatnonzero((self._levels >= self._levels[:, greatest, None]).all(axis=0) & is_open[group])
        aim = found + AIM * (bounds[greatest] - found)
        return int(above[np.abs(self._values[group, above] - aim).argmin()])

    def evaluate(self, strategy: int) -> None:
        """Compute the payoff of a strategy, and bound the finer ones."""
        release, instance = self._release, self._instance
        keys = self._room[0]
        count = number_classes(*self._columns, strategy, *self._room)  # one profile represents a class
        profiles = examples_of(keys, count)
        records = np.bincount(keys, instance.profiles.records, count).astype(np.int64)
        evaluated = release.evaluate(strategy, profiles, records)
        payoff = np.maximum(evaluated.outcomes.publisher_payoff, 0.0) * records
        groups = release.group_of[profiles]

        def add_up(some: BoolArray) -> FloatArray:
            sums: FloatArray = np.bincount(groups[some], payoff[some], release.groups).astype(float)
            return sums

        self._worth[:, strategy] = add_up(evaluated.released)
        self.done[strategy] = True
        self._best = np.maximum(self._best, self._worth[:, strategy])
        equal = self._worth >= self._best[:, None] - self._equal
        self._first = np.where(equal, self._places, len(self._places)).min(axis=1)
        if self._is_monotone:
            finer = np.flatnonzero((self._levels <= self._levels[:, strategy, None]).all(axis=0))
            values = self._sums.of(instance.profiles.records * evaluated.permitted[keys], finer)
            more = values - values[:, finer == strategy] + add_up(evaluated.permitted)[:, None]
            self._bounds[:, finer] = np.minimum(self._bounds[:, finer], more)


class _ValueSums:
    """Sums of v(g) over some of the records of each group, from a part for each attribute and level."""

    def __init__(self, instance: Instance, group_of: IntArray, groups: int) -> None:
        tables, self._benefit = instance.hierarchy_tables, float(instance.payoffs.benefit)
        self._tables, self._group_of, self._groups = tables, group_of, groups
        leaves, height = tables.groups.shape[2], tables.groups.shape[1]
        keys = (group_of * leaves + instance.profiles.codes.T) * height + instance.base.T
        self._keys = np.ascontiguousarray(keys)
        levels = np.maximum(np.arange(height)[:, None], np.arange(height))  # of a level and a floor
        self._losses = [
            losses[levels].transpose(2, 1, 0).reshape(leaves * height, height) for losses in tables.raw_losses
        ]

    def of(self, records: IntArray, nodes: IntArray) -> FloatArray:
        """Return the sums, (groups, k), at some nodes, (k,), over ``records``, (q,), of each profile."""
        held = np.zeros((len(self._keys), self._groups * len(self._losses[0])))
        add_by_key(self._keys, records.astype(float), held)
        lost = np.zeros((self._groups, len(nodes)))
        for place, (sums_of_keys, losses) in enumerate(zip(held, self._losses, strict=True)):
            of_levels = np.einsum("gk,kh->gh", sums_of_keys.reshape(self._groups, -1), losses)
            lost += of_levels[:, self._tables.levels[nodes, place]]
        whole = np.bincount(self._group_of, records, self._groups)[:, None]
        sums: FloatArray = self._benefit * (whole - lost / self._tables.total_loss)
        return sums


def _with_group_column(release: UniformRelease) -> tuple[ListedProfiles, HierarchyTables]:
    """Return profiles as cells, with one more attribute that no strategy changes: group, floors and missing values."""
    instance, tables = release.instance, release.instance.hierarchy_tables
    least, floors = instance.lattice.nodes(instance.base), instance.lattice.nodes(release.game.floors)
    rows = np.stack([release.group_of, least, floors], axis=1)
    part = distinct_rows(rows)[1].astype(np.int32)
    shape = (1, tables.groups.shape[1], 1)
    cells = listed_profiles(tables, instance.profiles.codes, instance.profiles.records)
    return (
        cells._replace(
            groups=np.concatenate([cells.groups, np.tile(part, shape)]),
            widths=np.concatenate([cells.widths, np.full(shape[:2], int(part.max()) + 1)]),
        ),
        tables._replace(heights=np.append(tables.heights, 1), strides=np.append(tables.strides, 1)),
    )


def _is_monotone(instance: Instance) -> bool:
    """Return whether records are surely safer at coarser strategies: all are found, and no one pays to learn more."""
    people = instance.replies(instance.all_profiles, instance.lattice.nodes(instance.base)).people
    return all((some > 0).all() for some in people) and not any(one.price for one in instance.adversaries)
