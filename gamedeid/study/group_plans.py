"""Plan a game of the whole population on a study, with the rules of its groups for kept columns."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.capabilities import Operation, check
from gamedeid.choices import AwareGameName
from gamedeid.data.columns import to_column
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.game.groups.problem import NO_RULES
from gamedeid.game.mechanism.plan import Plan, plan_game
from gamedeid.kernels.group_rules import DISTINCT, ENTROPY, EQUAL, ORDERED, RECORDS, RECURSIVE, KeptTables
from gamedeid.progress import Progress
from gamedeid.scenario.limits import KeptRule
from gamedeid.study.study import Study


def plan_groups(study: Study, game: AwareGameName, progress: Progress | None) -> Plan:
    """Return the strategies of everybody."""
    return plan_game(game, study.instance, study.population.cells, study.scenario.groups, _kept_rules(study), progress)


def _kept_rules(study: Study) -> KeptTables:
    """Return the rules, and how many records of each profile have each kept value, (q, s)."""
    asked = study.scenario.groups
    if asked is None or (asked.k == 1 and not asked.kept):
        return NO_RULES
    if asked.kept:
        check(Operation.KEPT_RULE, study.features)
    profiles = study.instance.profiles
    columns: list[IntArray] = [profiles.records[:, None].astype(np.int64)]
    kinds, spans = [RECORDS], [(0, 1)]
    limits: list[tuple[float, float]] = [(asked.k, 0.0)]
    for name, rule in asked.kept.items():
        begin = sum(column.shape[1] for column in columns)
        columns.append(_counts(study, name, rule))
        for kind, limit in _rules(rule):
            kinds.append(kind)
            limits.append(limit)
            spans.append((begin, begin + columns[-1].shape[1]))
    counts = np.concatenate(columns, axis=1)
    overall = np.concatenate([column.sum(axis=0) / max(column.sum(), 1) for column in columns])
    return KeptTables(
        counts=counts,
        kinds=np.array(kinds, np.int64),
        spans=np.array(spans, np.int64),
        limits=np.array(limits, np.float64),
        overall=overall,
    )


def _rules(rule: KeptRule) -> list[tuple[int, tuple[float, float]]]:
    """Return (kind, limits) of each rule of a column."""
    found: list[tuple[int, tuple[float, float]]] = []
    if rule.distinct is not None:
        found.append((DISTINCT, (rule.distinct, 0.0)))
    if rule.entropy is not None:
        found.append((ENTROPY, (rule.entropy, 0.0)))
    if rule.recursive is not None:
        found.append((RECURSIVE, rule.recursive))
    if rule.t is not None:
        found.append((ORDERED if rule.distance == "ordered" else EQUAL, (rule.t, 0.0)))
    return found


def _counts(study: Study, name: str, rule: KeptRule) -> IntArray:
    """Return how many records of each profile have each value of a kept column, (q, s); a missing value is one more."""
    keep, of_record = study.scenario.records.keep, study.instance.profiles.of_record
    if name not in keep:
        raise InvalidScenarioError(f"groups.kept.{name}: expected a column of records.keep{did_you_mean(name, keep)}")
    values: dict[object, int] = {value: place for place, value in enumerate(rule.order)}
    row, counts = 0, np.zeros((study.instance.profiles.count, len(values)), np.int64)
    for piece in study.rows.columns([name]):
        column = to_column(piece.values, name, "records", study.scenario.records.missing_values)
        listed = [*(str(value) for value in column.values), None]
        strange = sorted({str(listed[code]) for code in np.unique(column.codes)} - set(rule.order))
        if rule.distance == "ordered" and strange:
            raise InvalidScenarioError(
                f"groups.kept.{name}.order: {len(strange):,} values of the column are not in it, such as "
                f"{quoted(strange[0]) if strange[0] != 'None' else 'a missing one'}; list all from the lowest to the "
                "highest"
            )
        places = np.array([values.setdefault(value, len(values)) for value in listed])
        if len(values) > counts.shape[1]:
            counts = np.pad(counts, ((0, 0), (0, len(values) - counts.shape[1])))
        np.add.at(counts, (of_record[row : row + len(column.codes)], places[column.codes]), 1)
        row += len(column.codes)
    return counts[:, counts.any(axis=0)]
