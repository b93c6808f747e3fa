"""The integer program over groups: facility location with enough people in each open group, solved by HiGHS."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, dot
from gamedeid.game.groups.problem import GroupListing
from gamedeid.grouping import distinct_rows, examples_of
from gamedeid.kernels.group_opening import NO_GROUP
from gamedeid.kernels.group_prices import GroupTables
from gamedeid.reprs import frozen

_MOST_NODES = 2_000
"""Most nodes of the search tree; unlike seconds, the same on every machine."""


@frozen(eq=False)
class ProgramSolution:
    """The solution of the program."""

    group_of: IntArray  # (p,) the group of each profile; NO_GROUP where it is in none
    worth: float  # dollars, of these groups
    bound: float  # dollars that no choice among the groups of the program exceeds


def solve_program(
    listing: GroupListing, begin: IntArray, prices: FloatArray, most_lost: float
) -> ProgramSolution | None:
    """Return the best choice among groups; None if the program was not solved.

    A group is open if it holds a person. It costs its fee, unless it is *large* and holds enough people.

    Parameters
    ----------
    begin : (p,) the group of each profile in a known choice.
    prices : (p,) price of a person of each profile, dollars.
    most_lost : most dollars that a profile may lose in a group at these prices; a pair that loses more is left out,
        unless it is in ``begin``. The bound holds for the other pairs only.
    """
    groups = listing.groups
    count, has_fee = len(groups.values), groups.fee < np.inf
    member = groups.members.astype(np.int64)
    group = np.repeat(np.arange(count), np.diff(groups.starts))
    lost = groups.people[member] * (prices[member] - groups.weights[member] * groups.values[group])
    some = np.flatnonzero((lost <= most_lost) | (begin[member] == group))
    member, group = member[some], group[some]
    held = np.bincount(group, groups.people[member], count)
    can_be_large = np.flatnonzero(held >= groups.least)
    # a variable is how many profiles of a kind are in a group; with fees each profile is a kind, and may be split
    kind = np.arange(len(begin)) if has_fee else _kinds(groups, member, group)
    kinds = np.bincount(kind)
    keys, pair = np.unique(group * len(kinds) + kind[member], return_inverse=True)
    begun = np.bincount(pair, begin[member] == group)
    group, of_kind = keys // len(kinds), keys % len(kinds)
    member = examples_of(kind, len(kinds))[of_kind]
    pairs, large = len(keys), len(can_be_large)
    first_open, first_large = pairs, pairs + count
    row_large = np.full(count, -1)
    row_large[can_be_large] = np.arange(large)
    couples = np.flatnonzero(row_large[group] >= 0)
    worth = groups.people[member] * groups.weights[member] * groups.values[group]
    fee = groups.fee if has_fee else 0.0
    rows = _Rows()
    rows.add(of_kind, np.arange(pairs), np.ones(pairs), len(kinds), kinds)  # in one group at most
    rows.at_most(np.arange(pairs), first_open + group, kinds[of_kind])  # groups that hold a person are open
    enough = np.arange(large)
    rows.add(  # large groups hold enough people
        np.concatenate([row_large[group[couples]], enough]),
        np.concatenate([couples, first_large + enough]),
        np.concatenate([-groups.people[member[couples]].astype(float), np.full(large, float(groups.least))]),
        large,
        0.0,
    )
    rows.at_most(first_large + enough, first_open + can_be_large)  # and are open
    if not has_fee:
        rows.at_most(first_open + can_be_large, first_large + enough)  # all open groups are large
        for one in range(count):  # the members of a group have enough people for this many groups
            within = np.isin(of_kind, of_kind[group == one])
            inside = np.flatnonzero(np.bincount(group, within, count) == np.bincount(group, minlength=count))
            most = held[one] // groups.least
            if len(inside) > most:
                rows.add(np.zeros(len(inside), np.int64), first_open + inside, np.ones(len(inside)), 1, most)
    objective = np.concatenate([worth, np.full(count, -fee), np.full(large, fee)])
    integer = np.arange(pairs + count + large) >= pairs if has_fee else np.ones(pairs + count + large, np.bool_)
    most_of = np.concatenate([kinds[of_kind], np.ones(count + large)])
    held = np.bincount(group, groups.people[member] * begun, count)
    hint = np.concatenate([begun, held > 0, held[can_be_large] >= groups.least]).astype(float)
    solution = _solve(objective, integer, most_of, rows, hint)
    if solution is None:
        return None
    values, bound = solution
    chosen = np.repeat(np.arange(pairs), np.round(values[:pairs]).astype(np.int64))
    chosen = chosen[np.argsort(of_kind[chosen], kind="stable")]
    profiles, placed = np.argsort(kind, kind="stable"), of_kind[chosen]
    earlier = np.arange(len(placed)) - np.searchsorted(placed, placed)  # of the same kind
    group_of = np.full(len(begin), NO_GROUP, np.int64)
    group_of[profiles[np.searchsorted(kind[profiles], placed) + earlier]] = group[chosen]
    return ProgramSolution(group_of=group_of, worth=worth_of(listing, group_of), bound=bound)


def worth_of(listing: GroupListing, group_of: IntArray) -> float:
    """Return the worth of a choice of groups, dollars; -infinity if one is open that may not be."""
    groups = listing.groups
    placed = np.flatnonzero(group_of != NO_GROUP)
    held = np.bincount(group_of[placed], groups.people[placed], len(groups.values))
    small = int(((held > 0) & (held < groups.least)).sum())
    total = dot((groups.people * groups.weights)[placed], groups.values[group_of[placed]])
    return float(total - small * groups.fee) if small else float(total)


class _Rows:
    """Linear constraints, each a sum of variables that is at most a number."""

    def __init__(self) -> None:
        self.rows: list[IntArray] = []
        self.columns: list[IntArray] = []
        self.factors: list[FloatArray] = []
        self.most: list[FloatArray] = []
        self.count = 0

    def add(self, rows: IntArray, columns: IntArray, factors: FloatArray, count: int, most: float | IntArray) -> None:
        """Add ``count`` constraints, whose entries are numbered from 0 by ``rows``."""
        self.rows.append(rows + self.count)
        self.columns.append(columns)
        self.factors.append(factors)
        self.most.append(np.full(count, most, np.float64))
        self.count += count

    def at_most(self, one: IntArray, other: IntArray, times: IntArray | None = None) -> None:
        """Let each of some variables, (n,), be at most another one, (n,), or ``times``, (n,), that one."""
        count = len(one)
        factors = np.concatenate([np.ones(count), -np.ones(count) if times is None else -times])
        self.add(np.tile(np.arange(count), 2), np.concatenate([one, other]), factors, count, 0.0)


def _kinds(groups: GroupTables, member: IntArray, group: IntArray) -> IntArray:
    """Return a number for each profile, (p,): the same for those that can be in the same groups and count the same."""
    some, place = np.unique(member, return_inverse=True)
    rows = np.zeros((len(some), 2 + len(groups.values)), np.int64)
    rows[:, 0] = groups.people[some]
    rows[:, 1] = np.unique(groups.weights[some], return_inverse=True)[1]
    rows[place, 2 + group] = 1
    kind = np.full(len(groups.people), len(some))  # those that can be in none are of one kind
    kind[some] = distinct_rows(rows)[1]
    return kind


_OUTPUT_LOCK = Lock()


@contextmanager
def _standard_output_to_error() -> Iterator[None]:
    """Redirect standard output to standard error: HiGHS prints a line that no option suppresses.

    No output of other threads is lost.
    """
    with _OUTPUT_LOCK:
        try:
            kept = os.dup(1)
        except OSError:  # it is closed
            yield
            return
        try:
            with suppress(OSError):  # there is none for errors
                os.dup2(2, 1)
            yield
        finally:
            with suppress(OSError, TypeError, AttributeError):  # Windows names no library of the process
                ctypes.CDLL(None).fflush(None)  # otherwise buffered output is printed when the process ends
            os.dup2(kept, 1)
            os.close(kept)


def _solve(
    objective: FloatArray, integer: BoolArray, most: FloatArray, rows: _Rows, hint: FloatArray
) -> tuple[FloatArray, float] | None:
    """Return (the variables, the bound) of the program; None where there is no solution."""
    from ortools.math_opt import model_pb2  # noqa: PLC0415  (it takes a while, and most commands solve no program)
    from ortools.math_opt.python import mathopt  # noqa: PLC0415
    from ortools.math_opt.solvers import highs_pb2  # noqa: PLC0415

    proto, count = model_pb2.ModelProto(), len(objective)
    numbers = range(count)
    proto.variables.ids.extend(numbers)
    proto.variables.lower_bounds.extend([0.0] * count)
    proto.variables.upper_bounds.extend(most.tolist())
    proto.variables.integers.extend(integer.tolist())
    proto.objective.maximize = True
    used = np.flatnonzero(objective)
    proto.objective.linear_coefficients.ids.extend(used.tolist())
    proto.objective.linear_coefficients.values.extend(objective[used].tolist())
    proto.linear_constraints.ids.extend(range(rows.count))
    proto.linear_constraints.lower_bounds.extend([-np.inf] * rows.count)
    proto.linear_constraints.upper_bounds.extend(np.concatenate(rows.most).tolist())
    row, column = np.concatenate(rows.rows), np.concatenate(rows.columns)
    order = np.lexsort((column, row))
    proto.linear_constraint_matrix.row_ids.extend(row[order].tolist())
    proto.linear_constraint_matrix.column_ids.extend(column[order].tolist())
    proto.linear_constraint_matrix.coefficients.extend(np.concatenate(rows.factors)[order].tolist())
    model = mathopt.Model.from_model_proto(proto)
    variables = list(model.variables())
    start = mathopt.SolutionHint(variable_values=dict(zip(variables, hint.tolist(), strict=True)))
    with _standard_output_to_error():
        result = mathopt.solve(
            model,
            mathopt.SolverType.HIGHS,
            params=mathopt.SolveParameters(
                random_seed=1,
                node_limit=_MOST_NODES,
                relative_gap_tolerance=1e-7,
                highs=highs_pb2.HighsOptionsProto(int_options={"mip_pscost_minreliable": 0}),
            ),
            model_params=mathopt.ModelSolveParameters(solution_hints=[start]),
        )
    if not result.has_primal_feasible_solution():
        return None
    return np.array(result.variable_values(variables)), float(result.best_objective_bound())
