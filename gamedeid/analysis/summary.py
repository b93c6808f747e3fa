"""What a run found, as plain values for ``summary.json``."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np
import pyarrow as pa
from pydantic import Field

from gamedeid._version import __version__
from gamedeid.analysis.comparison import Comparison, ReleaseFacts, compared_with, plays_all
from gamedeid.analysis.earlier_cost import EarlierFacts
from gamedeid.analysis.robustness import Robustness
from gamedeid.arrays import BoolArray, IntArray
from gamedeid.choices import GAMES, GameName, SearchName
from gamedeid.data.column_names import looks_like_identifier
from gamedeid.data.columns import to_column
from gamedeid.errors import InvalidDataError
from gamedeid.game.limits.within import LimitReached, WithinLimits
from gamedeid.game.mechanism.plan import PlanFacts
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.quantities import Amount, Count, Flag, Level, Mean, Share, Text
from gamedeid.results.result import Result
from gamedeid.risk.detail import ColumnDetail, release_detail
from gamedeid.scenario.limits import LIMIT_NAMES
from gamedeid.schema_names import SchemaName
from gamedeid.study.applied import Applied
from gamedeid.study.facts import DataFacts, Measures, PolicyWords, RecipientFacts, Stakes
from gamedeid.study.kept import KeptUniqueness
from gamedeid.study.solution import Solution

LEAST_ROWS = 20
"""A kept value that fewer rows have tells nothing: that they agree may be chance. So does a column of fewer rows."""

AGREEING = 0.95
"""Share of a kept value's rows that have one value of an attribute, for the one to give back the other."""

FEWER_EXCEPTIONS = 10
"""The other rows of a kept value must be so many times rarer among its rows than among all rows."""

LEAST_SHARE = 0.01
"""A kept column that gives back an attribute in fewer of the released rows is not warned of."""

ALONE = 0.9
"""Share of the rows with a value that no other row has, for a column to be nearly unique for each row."""

Why: TypeAlias = Literal["gives back", "unique", "identifier"]
"""What a kept column does: gives an attribute back, has a value for nearly each row, or names people by its name."""


@frozen
class KeptWarning(Result):
    """What is wrong with a kept column.

    Parameters
    ----------
    column : its name.
    why : it "gives back" an attribute, is "unique" for nearly each row, or an "identifier" by its name.
    attribute : the one that is given back.
    share : of the released rows that were looked at, in [0, 1]: those in which the attribute was generalized and is
        given back, that have a value of their own, or that have a value at all; None where no row was looked at.
    """

    column: Text
    why: Text
    attribute: Text | None
    share: Share | None


@frozen
class KeptColumns(Result):
    """What was found of the kept columns of a release; nothing of a single record.

    Parameters
    ----------
    columns : how many are kept.
    rows_looked_at : how many records, the first ones; None where they stay elsewhere: only names were looked at.
    warnings : in the order of the columns.
    uniqueness : how many released rows are unique by the columns; None where no column is kept.
    """

    columns: Count
    rows_looked_at: Count | None
    warnings: tuple[KeptWarning, ...]
    uniqueness: KeptUniqueness | None = None


def check_kept_columns(solution: Solution) -> KeptColumns:
    """Return which kept columns of a release undo the work, as far as its first rows tell.

    A kept value gives an attribute back if at least ``LEAST_ROWS`` rows have it, ``AGREEING`` of them have one value of
    the attribute, and exceptions are ``FEWER_EXCEPTIONS`` times rarer among them than among all rows, so that the value
    is not just what nearly everybody has. Rows of lazy frames are not looked at.
    """
    study = solution.study
    kept = study.scenario.records.keep
    first = study.first_rows() if kept else None
    uniqueness = solution.kept_uniqueness if kept else None
    if first is None:
        named = [name for name in kept if looks_like_identifier(name)]
        warnings = [KeptWarning(column=name, why="identifier", attribute=None, share=None) for name in named]
        return KeptColumns(columns=len(kept), rows_looked_at=None, warnings=tuple(warnings), uniqueness=uniqueness)
    instance = study.instance
    table, profile_of, codes_of = first
    released = ~solution.withheld[profile_of]
    leaves, generalized = {}, {}
    for place, (attribute, hierarchy) in enumerate(instance.hierarchies.items()):
        missing = codes_of[:, place] == len(hierarchy.leaves)
        leaves[attribute] = np.where(missing, -1, codes_of[:, place])
        least = np.where(missing, hierarchy.levels - 1, 0)
        generalized[attribute] = (solution.levels[profile_of, place] > least) & released
    found: list[KeptWarning] = []
    for name in kept:
        codes, count = _codes(table.column(name), name)
        if count:
            found += _warnings(name, codes, count, released)
            found += _given_back(name, codes, count, leaves, generalized, int(released.sum()))
    return KeptColumns(columns=len(kept), rows_looked_at=table.num_rows, warnings=tuple(found), uniqueness=uniqueness)


def _codes(column: pa.ChunkedArray, name: str) -> tuple[IntArray, int]:
    """Return a number for each row's value, (n,), -1 where it is missing, and how many values there are: nested, 0."""
    try:
        found = to_column(column, name, "records", [""])
    except InvalidDataError:
        return np.full(len(column), -1), 0
    return found.codes, len(found.values)


def _warnings(name: str, codes: IntArray, count: int, released: BoolArray) -> list[KeptWarning]:
    """Return what a column is warned of by itself."""
    there = codes >= 0
    rows = int(released.sum())
    alone = np.append(np.bincount(codes[there], minlength=count) == 1, False)[codes]
    found: list[tuple[Why, float]] = []
    if looks_like_identifier(name):
        found.append(("identifier", _share(there & released, rows)))
    if len(codes) >= LEAST_ROWS and alone.sum() >= ALONE * len(codes):
        found.append(("unique", _share(alone & released, rows)))
    return [KeptWarning(column=name, why=why, attribute=None, share=share) for why, share in found]


def _given_back(
    name: str,
    codes: IntArray,
    count: int,
    leaves: Mapping[str, IntArray],
    generalized: Mapping[str, BoolArray],
    rows: int,
) -> list[KeptWarning]:
    """Return the attributes that a column gives back where they were generalized."""
    often = np.append(np.bincount(codes[codes >= 0], minlength=count) >= LEAST_ROWS, False)[codes]
    found = []
    for attribute, target in generalized.items():
        if _share(target & often, rows) < LEAST_SHARE:
            continue
        known = leaves[attribute] >= 0
        some = often & known
        telling = _telling(codes[some], leaves[attribute][some], count, leaves[attribute][known])
        share = _share(target & some & np.append(telling, False)[codes], rows)
        if share >= LEAST_SHARE:
            found.append(KeptWarning(column=name, why="gives back", attribute=attribute, share=share))
    return found


def _telling(codes: IntArray, leaves: IntArray, count: int, everybody: IntArray) -> BoolArray:
    """Return which kept values, (count,), give back a leaf: of rows, (k,), beside the leaves of all rows, (n,)."""
    if not len(codes):
        return np.zeros(count, np.bool_)
    first, _, together = distinct_rows(np.stack([codes, leaves], axis=1), [count, int(leaves.max()) + 1])
    most, rows = np.zeros(count, np.int64), np.zeros(count, np.int64)
    np.maximum.at(most, codes[first], together)
    np.add.at(rows, codes[first], together)
    usual = np.bincount(everybody).max() / len(everybody)
    exceptions = (rows - most) / np.maximum(rows, 1)
    agreeing = (rows >= LEAST_ROWS) & (exceptions <= 1 - AGREEING)
    telling: BoolArray = agreeing & (exceptions * FEWER_EXCEPTIONS <= 1 - usual) & (usual < 1)
    return telling


def _share(rows: BoolArray, of: int) -> float:
    return float(rows.sum()) / of if of else 0.0


MOST_CHOSEN = 10
"""How many strategies a summary lists by name."""

LimitName: TypeAlias = Annotated[str, Field(strict=True, pattern=f"^({'|'.join(map(re.escape, LIMIT_NAMES))})$")]


@frozen
class SearchFacts(Result):
    """How the strategies were found, as :attr:`gamedeid.Solution.search` has it; None for a policy."""

    solver: SearchName | None
    searched: Mean | None
    searched_most: Count | None
    proved: Flag | None
    gap: Amount | None
    gap_most: Amount | None


@frozen
class LimitFacts(Result):
    """What limits on the whole dataset come to.

    Parameters
    ----------
    asked : what became of each limit.
    payoff, bound, gap, bound_by_prices, proved, payoff_without_limits : as for
        :class:`gamedeid.game.limits.within.WithinLimits`.
    unmet_in : games of which no strategies are within them.
    """

    asked: Mapping[LimitName, LimitReached]
    payoff: Amount
    bound: Amount
    gap: Amount
    bound_by_prices: Amount
    proved: Flag
    payoff_without_limits: Amount | None
    unmet_in: tuple[GameName, ...]

    @classmethod
    def of(cls, found: WithinLimits, unmet_in: Iterable[GameName]) -> "LimitFacts":
        """Return what limits come to in the game that was played."""
        return cls(
            asked={limit.name: limit for limit in found.limits},
            payoff=found.payoff,
            bound=found.bound,
            gap=found.gap,
            bound_by_prices=found.by_prices,
            proved=found.choice.proved,
            payoff_without_limits=found.without,
            unmet_in=tuple(unmet_in),
        )


@frozen
class ChosenStrategy(Result):
    """A strategy: its levels by attribute, and records and share of them that have it."""

    levels: Mapping[str, Level]
    records: Count
    share: Share


@frozen
class Summary(Result):
    """What a run found: the content of ``summary.json``.

    Parameters
    ----------
    title, payoffs, policy, data : of the question, and what was read for it.
    game : the game or policy.
    warnings : what the reader of the results is warned of.
    measures, recipients : what became of the records, and what each of several recipients does.
    policies : the same, and more, of the policy and the other games, by name.
    search : how it was solved.
    limits : on the whole dataset, where there are some.
    earlier : of the earlier releases that the recipient has, where there are some.
    columns : what is left of each attribute, for the publisher and the signer.
    kept_columns : what was found of the kept columns.
    keep_order : whether released rows are in the order of the records, and not in that of their values.
    strategies : those chosen for most records.
    mechanism : of a game of the whole population.
    robustness : how far the stakes may move; None where that was not asked for.
    gamedeid : the version.
    """

    document: ClassVar[SchemaName | None] = "summary"

    title: Text
    game: Text
    warnings: tuple[ResultWarning, ...]
    payoffs: Stakes
    measures: Measures
    recipients: Mapping[str, RecipientFacts] = field(default_factory=dict)
    policies: Mapping[str, ReleaseFacts]
    search: SearchFacts
    limits: LimitFacts | None = None
    earlier: EarlierFacts | None = None
    policy: PolicyWords
    data: DataFacts
    columns: tuple[ColumnDetail, ...]
    kept_columns: KeptColumns
    keep_order: Flag
    strategies: tuple[ChosenStrategy, ...]
    mechanism: PlanFacts | None = None
    robustness: Robustness | None
    gamedeid: Text


@frozen
class AppliedSummary(Summary):
    """What new rows were released as: a summary, and how many rows and profiles are new."""

    document = "apply"

    applied: Applied

    @classmethod
    def of(cls, summary: Summary, applied: Applied) -> "AppliedSummary":
        """Return a summary with what was applied."""
        return cls(**{one.name: getattr(summary, one.name) for one in fields(summary)}, applied=applied)


def run_summary(
    solution: Solution,
    robustness: Robustness | None = None,
    comparison: Comparison | None = None,
    *,
    keep_order: bool = False,
) -> Summary:
    """Return what a run found, without warnings.

    Parameters
    ----------
    robustness : how far the stakes may move; None where that was not asked for.
    comparison : with the policy and the games; None where that is to be done.
    """
    study = solution.study
    policies = (comparison or compared_with(solution)).facts
    unmet = [name for name in GAMES if name not in policies] if comparison is not None or plays_all(study) else []
    measures: dict[str, Any] = solution.measures
    return Summary(
        title=study.scenario.title,
        game=solution.name,
        warnings=(),
        payoffs=Stakes.of(study.scenario),
        measures=Measures(**measures),
        recipients=RecipientFacts.by_name(solution.recipients),
        policies=policies,
        search=SearchFacts(**solution.search),
        limits=None if solution.limits is None else LimitFacts.of(solution.limits, unmet),
        earlier=EarlierFacts.of(solution),
        policy=PolicyWords.of(study.scenario_policy),
        data=DataFacts.of(study),
        columns=release_detail(solution).columns,
        kept_columns=check_kept_columns(solution),
        keep_order=keep_order,
        strategies=tuple(chosen_strategies(solution)),
        mechanism=None if solution.mechanism is None else solution.mechanism.known,
        robustness=robustness,
        gamedeid=__version__,
    )


def chosen_strategies(solution: Solution, most: int = MOST_CHOSEN) -> list[ChosenStrategy]:
    """Return the strategies chosen for most records.

    Equal numbers of records are listed in walk order; withheld records are not among them.
    """
    instance = solution.study.instance
    released = ~solution.withheld
    nodes, where = np.unique(solution.choice.nodes[released], return_inverse=True)
    records = np.zeros(len(nodes), np.int64)
    np.add.at(records, where, instance.profiles.records[released])
    order = np.lexsort((instance.lattice.walk_keys(nodes), -records))[:most]
    total = int(instance.profiles.records.sum())
    return [
        ChosenStrategy(
            levels=instance.levels_of(nodes[place]),
            records=int(records[place]),
            share=int(records[place]) / total,
        )
        for place in order
    ]
