"""The rules of a released group for its records, and how many records of each profile have each kept value."""

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.columns import to_column
from gamedeid.errors import InvalidScenarioError, did_you_mean
from gamedeid.game.groups.problem import NO_RULES
from gamedeid.kernels import group_rules
from gamedeid.kernels.group_rules import KeptTables
from gamedeid.scenario.limits import KeptRule
from gamedeid.study.study import Study


def kept_tables(study: Study) -> KeptTables:
    """Return the rules of the scenario for groups, and the records of each profile with each kept value."""
    asked = study.scenario.groups
    if asked is None or (asked.k == 1 and not asked.kept):
        return NO_RULES
    if asked.kept:
        refuse_unsupported(Operation.KEPT_RULE, study.features)
    counts: list[IntArray] = [study.instance.profiles.records[:, None].astype(np.int64)]
    counts += [_counts(study, name, rule) for name, rule in asked.kept.items()]
    rules = [[(group_rules.RECORDS, (float(asked.k), 0.0))], *map(_rules, asked.kept.values())]
    ends = np.cumsum([0, *(table.shape[1] for table in counts)]).tolist()
    spans = [ends[place : place + 2] for place, some in enumerate(rules) for _ in some]
    return KeptTables(
        counts=np.concatenate(counts, axis=1),
        kinds=np.array([kind for some in rules for kind, _ in some], np.int64),
        spans=np.array(spans, np.int64),
        limits=np.array([limit for some in rules for _, limit in some], np.float64),
        overall=np.concatenate([table.sum(axis=0) / max(int(table.sum()), 1) for table in counts]),
    )


def _rules(rule: KeptRule) -> list[tuple[int, tuple[float, float]]]:
    """Return (kind, limits) of each rule of a column."""
    distance = group_rules.ORDERED if rule.distance == "ordered" else group_rules.EQUAL
    asked = {
        group_rules.DISTINCT: rule.distinct,
        group_rules.ENTROPY: rule.entropy,
        group_rules.RECURSIVE: rule.recursive,
        distance: rule.t,
    }
    given = {kind: limit for kind, limit in asked.items() if limit is not None}
    return [(kind, limit if isinstance(limit, tuple) else (limit, 0.0)) for kind, limit in given.items()]


def _counts(study: Study, name: str, rule: KeptRule) -> IntArray:
    """Return how many records of each profile have each value, or none, of a kept column, (q, s)."""
    keep, profiles = study.scenario.records.keep, study.instance.profiles
    if name not in keep:
        raise InvalidScenarioError(f"groups.kept.{name}: expected a column of records.keep{did_you_mean(name, keep)}")
    number_of_value: dict[str | None, int] = {value: number for number, value in enumerate(rule.order)}
    numbers = []
    for piece in study.rows.columns([name]):
        column = to_column(piece.values, name, "records", study.scenario.records.missing_values)
        listed = [*(str(value) for value in column.values), None]
        unknown = {listed[code] for code in np.unique(column.codes)} - set(rule.order)
        if rule.distance == "ordered" and unknown:
            be = "is" if len(unknown) == 1 else "are"
            raise InvalidScenarioError(
                f"groups.kept.{name}.order: {number_of(len(unknown), 'value')} of the column {be} not in it"
                f"{', a missing one among them' if None in unknown else ''}; list all from the lowest to the highest",
                values=sorted(value for value in unknown if value is not None),
            )
        of_code = np.array([number_of_value.setdefault(value, len(number_of_value)) for value in listed])
        numbers.append(of_code[column.codes])
    counts = np.zeros((profiles.count, len(number_of_value)), np.int64)
    np.add.at(counts, (profiles.of_record, np.concatenate(numbers)), 1)
    return counts[:, counts.any(axis=0)]
