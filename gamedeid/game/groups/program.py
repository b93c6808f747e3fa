"""The integer program over groups: facility location with enough people in each open group, solved by HiGHS."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, dot
from gamedeid.game.groups.problem import GroupListing
from gamedeid.kernels.group_opening import NO_GROUP
from gamedeid.reprs import frozen

_NODES = 2_000
"""Nodes of the search tree at most; unlike seconds they are the same on every machine."""


@frozen(eq=False)
class ProgramSolution:
    """The solution of the program."""

    group_of: IntArray  # (p,) the group of each profile; NO_GROUP where it is in none
    worth: float  # dollars, of these groups
    bound: float  # dollars that no choice among the groups of the program exceeds


def solve_program(
    listing: GroupListing, begin: IntArray, prices: FloatArray, most_lost: float
) -> ProgramSolution | None:
    """Return the best choice among groups; None where the program was not solved.

    A group is open where somebody is in it. It costs its fee, unless it is *large* and holds enough people.

    Parameters
    ----------
    begin : (p,) a choice that is known.
    prices : (p,) dollars that each person of a profile asks.
    most_lost : dollars that a profile may lose in a group at these prices; else it is not put there, unless it is there
        to begin with. The bound is one for these pairs only.
    """
    groups = listing.groups
    profiles, count = len(groups.people), len(groups.values)
    member = groups.members.astype(np.int64)
    group = np.repeat(np.arange(count), np.diff(groups.starts))
    lost = groups.people[member] * (prices[member] - groups.weights[member] * groups.values[group])
    some = np.flatnonzero((lost <= most_lost) | (begin[member] == group))
    member, group = member[some], group[some]
    held = np.bincount(group, groups.people[member], count)
    can_be_large = np.flatnonzero(held >= groups.least)
    has_fee = groups.fee < np.inf
    pairs, large = len(member), len(can_be_large)
    first_open, first_large = pairs, pairs + count
    row_large = np.full(count, -1)
    row_large[can_be_large] = np.arange(large)
    couples = np.flatnonzero(row_large[group] >= 0)
    worth = groups.people[member] * groups.weights[member] * groups.values[group]
    fee = groups.fee if has_fee else 0.0
    rows = _Rows()
    rows.add(member, np.arange(pairs), np.ones(pairs), profiles, 1.0)  # in one group at most
    rows.at_most(np.arange(pairs), first_open + group)  # groups with somebody in them are open
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
    objective = np.concatenate([worth, np.full(count, -fee), np.full(large, fee)])
    integer = np.arange(pairs + count + large) >= pairs if has_fee else np.ones(pairs + count + large, np.bool_)
    solution = _solve(objective, integer, rows, _hint(groups, group, member, begin, count, can_be_large))
    if solution is None:
        return None
    values, bound = solution
    group_of = np.full(profiles, NO_GROUP, np.int64)
    taken = np.flatnonzero(np.round(values[:pairs]))
    group_of[member[taken]] = group[taken]
    return ProgramSolution(group_of=group_of, worth=worth_of(listing, group_of), bound=bound)


def worth_of(listing: GroupListing, group_of: IntArray) -> float:
    """Return the worth of a choice of groups, dollars; -infinity where one is open that may not be."""
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

    def add(self, rows: IntArray, columns: IntArray, factors: FloatArray, count: int, most: float) -> None:
        """Add ``count`` constraints, whose entries are numbered from 0 by ``rows``."""
        self.rows.append(rows + self.count)
        self.columns.append(columns)
        self.factors.append(factors)
        self.most.append(np.full(count, most))
        self.count += count

    def at_most(self, one: IntArray, other: IntArray) -> None:
        """Let each of some variables, (n,), be no more than another one, (n,)."""
        count = len(one)
        self.add(np.tile(np.arange(count), 2), np.concatenate([one, other]), np.repeat([1.0, -1.0], count), count, 0.0)


def _hint(
    groups: Any, group: IntArray, member: IntArray, begin: IntArray, count: int, can_be_large: IntArray
) -> FloatArray:
    """Return the variables of a choice that is known."""
    taken = begin[member] == group
    held = np.bincount(group[taken], groups.people[member[taken]], count)
    return np.concatenate([taken, held > 0, held[can_be_large] >= groups.least]).astype(float)


_ONE_AT_A_TIME = Lock()


@contextmanager
def _standard_output_to_error() -> Iterator[None]:
    """Turn the descriptor of standard output to that of errors: HiGHS prints a line that no option leaves out.

    Nothing that other threads print is lost.
    """
    with _ONE_AT_A_TIME:
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
                ctypes.CDLL(None).fflush(None)  # else what waits in a buffer comes out when the process ends
            os.dup2(kept, 1)
            os.close(kept)


def _solve(objective: FloatArray, integer: Any, rows: _Rows, hint: FloatArray) -> tuple[FloatArray, float] | None:
    """Return (the variables, the bound) of the program; None where there is no solution."""
    from ortools.math_opt import model_pb2  # noqa: PLC0415  (it takes a while, and most commands solve no program)
    from ortools.math_opt.python import mathopt  # noqa: PLC0415

    proto, count = model_pb2.ModelProto(), len(objective)
    numbers = range(count)
    proto.variables.ids.extend(numbers)
    proto.variables.lower_bounds.extend([0.0] * count)
    proto.variables.upper_bounds.extend([1.0] * count)
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
            params=mathopt.SolveParameters(random_seed=1, node_limit=_NODES, relative_gap_tolerance=1e-7),
            model_params=mathopt.ModelSolveParameters(solution_hints=[start]),
        )
    if not result.has_primal_feasible_solution():
        return None
    return np.array(result.variable_values(variables)), float(result.best_objective_bound())
