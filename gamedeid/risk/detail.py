"""The detail that remains in each column, and in each group of records, with the group's share of the risk."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import InvalidScenarioError, quoted, refuse_text, refuse_unknown
from gamedeid.generalization.hierarchy import level_of
from gamedeid.lazy_imports import LazyModule
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Level, Number, OneOrMore, Result, Share, Text
from gamedeid.risk.thresholds import small_groups
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.column_groups import column_groups, records_of_profiles
from gamedeid.study.solution import Solution, solution_warnings
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.study import applied
else:  # a folder is read only if a path is given
    applied = LazyModule("gamedeid.study.applied")

FAR_ABOVE_OTHERS = 2.0
"""Least factor by which the loss of a column exceeds the mean of the others, to be far above it: a weight of about this
factor would be needed to even the loss."""

LEAST_LOSS = 0.25
"""Least loss of a reported column: a smaller loss is no reason for a weight, however small the others are."""


@frozen
class ColumnDetail(Result):
    """The remaining detail of one attribute, in shares of all records.

    The four shares and that of the withheld records add up to 1.

    Parameters
    ----------
    column : the attribute.
    as_it_is : share released at level 0.
    generalized : level -> share released at it, for the levels between 0 and the most general one, ``*``.
    suppressed : share released as ``*`` although there was a value.
    missing : share without a value, and so released as missing; for a person, without one in any row.
    information_loss : mean of the attribute's information loss, ln(group size) / ln(size of the domain); 1 if the value
        is missing or the record withheld.
    """

    column: Text
    as_it_is: Share
    generalized: Mapping[str, Share]
    suppressed: Share
    missing: Share
    information_loss: Share


@frozen
class GroupDetail(Result):
    """The detail of one group of records.

    Parameters
    ----------
    group : its value; None if the value is missing, and for all small groups together; ``(several)`` for the records of
        people whose records differ there.
    records : how many records it has.
    information_loss : mean over its records.
    withheld, attacked : shares of its records.
    risk_ratio : its share of the expected re-identifications, divided by its share of the records: above 1, its records
        are at more risk than the mean record. None where none is expected.
    """

    group: Text | None
    records: OneOrMore
    information_loss: Share
    withheld: Share
    attacked: Share
    risk_ratio: Number | None


@frozen
class GroupedDetail(Result):
    """The groups of one column.

    Parameters
    ----------
    by : an attribute or a kept column.
    level : level of the groups; None for a kept column, whose groups are its values.
    groups : the groups that are large enough, in the order of the hierarchy, or of the values; then a missing value,
        and then the people whose records differ.
    remaining : groups of fewer than `SMALLEST_GROUP` records, and groups with all records withheld, together. The
        smallest large group is added if they would have fewer records than that. None if there are none.
    """

    by: Text
    level: Level | None
    groups: tuple[GroupDetail, ...]
    remaining: GroupDetail | None


@frozen
class ReleaseDetail(Result):
    """The remaining detail of the data, for its publisher.

    Each row is counted, even if several belong to one person: an expected re-identification of that person then counts
    for each of the rows.

    Parameters
    ----------
    name : name of the game or policy.
    records : number of records.
    withheld : share of the records that is not released.
    columns : the attributes, in their order.
    groups : the groups, in the order of the request.
    warnings : those of the data and of the game.
    has_persons : whether several rows may belong to one person.
    """

    document = "release-detail"
    keys: ClassVar[tuple[str, ...]] = ("name", "records", "withheld", "columns", "groups", "warnings")
    shown = ("name", "records", "withheld")

    name: Text
    records: OneOrMore
    withheld: Share
    columns: tuple[ColumnDetail, ...]
    groups: tuple[GroupedDetail, ...]
    warnings: tuple[ResultWarning, ...]
    has_persons: bool = False

    def loss_where_known(self, column: ColumnDetail) -> float:
        """Return the mean information loss of an attribute, in [0, 1], over released records that had a value.

        Parameters
        ----------
        column : one of ``columns``. The loss is 0 where no released record had a value.
        """
        without_value = self.withheld + column.missing
        return max(column.information_loss - without_value, 0.0) / (1 - without_value) if without_value < 1 else 0.0

    @property
    def far_above_others(self) -> tuple[ColumnDetail, ...]:
        """The attributes that lose far more than the others.

        Their loss, over released records that had a value, is at least `LEAST_LOSS`, and at least `FAR_ABOVE_OTHERS`
        times the mean of the others.
        """
        lost = [self.loss_where_known(column) for column in self.columns]
        return tuple(
            column
            for column, mine in zip(self.columns, lost, strict=True)
            if len(lost) > 1 and mine >= max(LEAST_LOSS, FAR_ABOVE_OTHERS * (sum(lost) - mine) / (len(lost) - 1))
        )


def release_detail(
    release: Solution | str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    by: Sequence[str] = (),
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> ReleaseDetail:
    """Return the detail that remains in each column, and in each group of records.

    The result is for the publisher. It describes the records before the release: do not give it to a recipient.

    Parameters
    ----------
    release : a solution, or the folder of a finished one, which is solved again.
    scenario : the question of a folder, which gives the paths of its inputs; without it, they are searched for from the
        current folder.
    by : attributes and kept columns, whose values are the groups. ``NAME:LEVEL`` takes the groups of an attribute at a
        level (default: the most general one below ``*``).
    read_options : how files of a folder are read.
    progress : opens a phase by name, and returns its callback for (done, total).

    Raises
    ------
    InvalidScenarioError : no such attribute, kept column or level; or the folder has another question.
    InvalidDataError : an input of the folder has changed, or values of a kept column cannot be distinguished.
    OutputError : the folder holds no results of a run, or a file of it has changed.
    """
    refuse_text("by", by)
    if isinstance(release, Solution):
        solution = release
    else:
        solution = applied.finished_solution(release, scenario, read_options=read_options, progress=progress)
    study = solution.study
    records = records_of_profiles(study)
    total = int(records.sum())
    return ReleaseDetail(
        name=solution.name,
        records=total,
        withheld=int(records[solution.withheld].sum()) / total,
        columns=_columns(solution, records),
        groups=tuple(_grouped(solution, records, *_column_and_level(one, study)) for one in by),
        warnings=solution_warnings(solution),
        has_persons=study.persons is not None,
    )


def _columns(solution: Solution, records: IntArray) -> tuple[ColumnDetail, ...]:
    """Return the detail left of each attribute; ``records``, (q,), are the records of each profile."""
    instance, total, released = solution.study.instance, int(records.sum()), ~solution.withheld
    found = []
    for place, (name, hierarchy) in enumerate(instance.hierarchies.items()):
        levels, codes = solution.levels[:, place], instance.profiles.codes[:, place]
        missing = released & (codes == len(hierarchy.leaves))
        known = released & ~missing
        at = np.bincount(levels[known], records[known], hierarchy.levels)
        lost = np.ones(len(codes))
        lost[known] = np.log(hierarchy.sizes[levels[known], codes[known]]) / np.log(max(len(hierarchy.leaves), 2))
        shares = [int(count) / total for count in at]
        found.append(
            ColumnDetail(
                column=name,
                as_it_is=shares[0],
                generalized={str(level): share for level, share in enumerate(shares[1:-1], start=1)},
                suppressed=shares[-1],
                missing=int(records[missing].sum()) / total,
                information_loss=min(float((lost * records).sum()) / total, 1.0),
            )
        )
    return tuple(found)


def _column_and_level(asked: str, study: Study) -> tuple[str, int | None]:
    """Return the attribute and the level, or the kept column and None, named by a text such as ``zip:2``."""
    hierarchies, kept = study.instance.hierarchies, study.scenario.records.keep
    name, _, level = asked.rpartition(":")
    if asked in hierarchies:
        return asked, hierarchies[asked].levels - 2
    if asked in kept:
        return asked, None
    if name not in hierarchies:
        refuse_unknown("attribute or kept column", asked, (*hierarchies, *kept))
    if not (level.isascii() and level.isdigit()):
        raise InvalidScenarioError(f"expected ATTRIBUTE or ATTRIBUTE:LEVEL, such as zip:2, not {quoted(asked)}")
    return name, level_of(hierarchies[name], int(level), name)


def _grouped(solution: Solution, records: IntArray, name: str, level: int | None) -> GroupedDetail:
    """Return the groups of one column."""
    attacked, one = solution.attacked, np.ones(len(solution.attacked))
    expected = np.where(attacked, solution.success_probability, 0.0)
    amounts = np.stack([one, solution.information_loss, solution.withheld, attacked, expected], axis=1)
    found = column_groups(solution.study, records, name, level)
    sums = found.sums(amounts)
    total, small = sums.sum(axis=0), small_groups(sums[:, 0], sums[:, 2])
    each = zip(found.values, sums, small, strict=True)
    groups = tuple(_detail(value, row, total) for value, row, hidden in each if not hidden)
    remaining = _detail(None, sums[small].sum(axis=0), total) if small.any() else None
    return GroupedDetail(by=name, level=level, groups=groups, remaining=remaining)


def _detail(value: str | None, sums: FloatArray, total: FloatArray) -> GroupDetail:
    """Return the detail of a group, from its sums, (5,), and those of all records."""
    records, lost, withheld, attacked, expected = sums.tolist()
    return GroupDetail(
        group=value,
        records=int(records),
        information_loss=min(lost / records, 1.0),
        withheld=withheld / records,
        attacked=attacked / records,
        risk_ratio=(expected / records) / float(total[4] / total[0]) if total[4] else None,
    )
