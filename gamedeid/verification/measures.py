"""Check the measures of summary and report against the outcomes of the records, and these against the limits."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import CONTENT, SUMMARY
from gamedeid.scenario.limits import OF_GROUPS, GroupLimits, Limits
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.outcomes import GAIN_PREFIX, ExaminedRun, Recomputed
from gamedeid.verification.people import UNKNOWN
from gamedeid.verification.recipients import adversary_gain
from gamedeid.verification.tables import column_of, distinct_rows

_SUMS = 1e-9
"""Relative difference up to which measures are equal: sums may be added in another order."""

_LISTED = 10
"""Most strategies that a summary lists."""

_OVER = 1e-8
"""Relative excess up to which sums are within limits: they may be added in another order."""


def compare_summary(run: ExaminedRun, people: IntArray, facts: Mapping[str, Any], smallest_class: int | None) -> None:
    """Compare ``summary.json``, and the report's comparison, with the recomputed measures.

    Parameters
    ----------
    people : (p,) the first record of each person.
    facts : key under ``data`` -> the expected value, as far as known.
    smallest_class : fewest records that are released alike, 0 if none is released; None if the release is missing.
    """
    scenario, summary, log, stored = run.scenario, run.claims.summary, run.log, run.stored
    if not summary:
        return
    found, stakes = run.found.of(people), scenario.payoffs
    of_manifest: dict[str, Any] = {
        "title": scenario.title,
        "game": stored.game,
        "gamedeid": stored.manifest["gamedeid"],
        "payoffs.benefit": stakes.benefit,
        "payoffs.loss": stakes.loss,
        "payoffs.gain": adversary_gain(stakes),
        "payoffs.cost": stakes.cost,
        "policy.name": scenario.floor,
        "search.solver": stored.solver,
        **_of_search(run),
    }
    of_earlier = _of_earlier(run, people)
    attributes = len(scenario.attributes)
    measures, least = expected_measures(found), _SUMS * max(stakes.benefit, stakes.loss, 1.0)
    _compare(summary, of_manifest, log, says=f"is not as {MANIFEST} has it")
    _compare(summary, of_earlier, log)
    _compare(summary.get("measures"), measures, log, least, before="measures.")
    _compare(summary.get("data"), facts, log, before="data.")
    _compare_strategies(summary, list(scenario.attributes), run.strategies.levels[people][:, :attributes], found, log)
    others = len(facts) + len(of_manifest) + len(of_earlier)
    log.did(f"{len(measures)} measures and {others} other figures of {SUMMARY}")
    policies = summary.get("policies")
    played = policies.get(stored.game) if isinstance(policies, Mapping) else None
    of_verdict: dict[str, float | int] = _marketer(found) if found.replies_are_known else {}
    if not scenario.recipients:
        of_verdict |= _spreads(found)
    if smallest_class is not None and (played or {}).get("highest_risk") is not None:
        of_verdict["highest_risk"] = 1 / smallest_class if smallest_class else 0.0
    _compare(played, {**measures, **of_verdict}, log, least, before=f"policies.{stored.game}.")
    log.did(f"the row of this game in the policies of {SUMMARY}")
    of_recipients = "recipients, spread, " if scenario.recipients else ""
    searched = f"other figures of search{' and mechanism' if stored.knows_mechanism else ''}"
    unknown = f"other policies, {of_recipients}columns, kept_columns, {searched}, robustness, policy.does"
    log.skip(f"{SUMMARY}: {unknown}", "they are compared by digest only")
    log.skip(f"{SUMMARY}: aware", "gamedeid audit computes the risk from a recipient who knows the method")
    _compare_report(run.claims, measures, log, least)


def _of_earlier(run: ExaminedRun, people: IntArray) -> dict[str, int]:
    """Return the facts of the earlier releases, if known, by the first record of each person, (p,)."""
    classes = run.evidence.earlier
    if classes is None:
        return {}
    run.log.skip(f"{SUMMARY}: earlier.as_before, exposed and cost", "they are compared by digest only")
    found, changed = (int(one[people].sum()) for one in (classes.found, classes.changed))
    return {"earlier.found": found, "earlier.new": len(people) - found, "earlier.changed": changed}


def _compare_report(claims: Claims, measures: Mapping[str, float | int], log: CheckLog, least: float) -> None:
    """Compare the row of this game in the report's comparison, if there is a report."""
    rows = claims.report.get("comparison")
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("policy") == claims.stored.game:
            there = {name: value for name, value in measures.items() if name in row}
            _compare(row, there, log, least, file=CONTENT, before="comparison.")
            log.did(f"the row of this game in the comparison of {CONTENT}")
    if claims.report:
        log.skip(f"{CONTENT}: other games, risks, lines and maps", "they are compared by digest only")


def _of_search(run: ExaminedRun) -> dict[str, Any]:
    """Return the proof that the summary should state, unless the search may end before there is one, and its gap."""
    if not run.stored.is_game:
        return {"search.proved": None}
    if run.stored.knows_mechanism or run.scenario.has_limits:
        return {}
    gaps = {"search.gap": 0.0, "search.gap_most": 0.0} if run.stored.is_proved else {}
    return {"search.proved": run.stored.is_proved, **gaps}


def expected_measures(found: Recomputed) -> dict[str, float | int]:
    """Return the measures as the documentation of results defines them, as far as they follow from known facts."""
    outcomes = found.outcomes
    chance, attacked = outcomes["success_probability"], outcomes["attacked"]
    risk = np.where(attacked, chance, 0.0)
    unmatched = ~outcomes["withheld"] & (found.people == 0)
    of_unmatched = {"unmatched": float(unmatched.mean()), "unmatched_records": int(unmatched.sum())}
    intensity = outcomes["generalization_intensity"]
    return {
        "publisher_payoff": float(outcomes["publisher_payoff"].mean()),
        "adversary_payoff": float(outcomes["adversary_payoff"].mean()),
        "suppressed": float((intensity == 1).mean()),
        "unmodified": float((intensity == 0).mean()),
        "withheld": float(outcomes["withheld"].mean()),
        "generalization_intensity": float(intensity.mean()),
        "attacked": float(attacked.mean()),
        "reidentification_probability": float(risk.mean()),
        "reidentification_probability_attacked": float(risk[attacked].mean()) if attacked.any() else 0.0,
        "expected_reidentifications": float(risk.sum()),
        "records": len(chance),
        **({} if (found.people == UNKNOWN).any() else of_unmatched),
    }


def _marketer(found: Recomputed) -> dict[str, float]:
    """Return the successes of attacks on all released records, by the keys of the summary."""
    chance = found.outcomes["if_all_attacked"]
    return {
        "marketer.share": float(chance[chance > 0].mean()) if chance.any() else 0.0,
        "marketer.reidentifications": float(chance.sum()),
    }


def _spreads(found: Recomputed) -> dict[str, float | int]:
    """Return the spread of the successful attacks of one recipient, by the keys of the summary."""
    chance, attacked = found.outcomes["success_probability"], found.outcomes["attacked"]
    spreads = {"spread": success_spread(np.where(attacked, chance, 0.0)), "marketer.spread": success_spread(chance)}
    return {f"{name}.{key}": value for name, spread in spreads.items() for key, value in spread.items()}


def _compare_strategies(
    summary: Mapping[str, Any], attributes: list[str], levels: IntArray, found: Recomputed, log: CheckLog
) -> None:
    """Compare the list of the strategies chosen for most records."""
    released = ~found.outcomes["withheld"]
    distinct, counts = np.unique(levels[released], axis=0, return_counts=True)
    chosen = sorted(
        zip(counts.tolist(), distinct.tolist(), strict=True), key=lambda one: (-one[0], sum(one[1]), one[1])
    )
    expected = [
        {"levels": dict(zip(attributes, one, strict=True)), "records": count, "share": count / len(levels)}
        for count, one in chosen[:_LISTED]
    ]
    _compare(summary, {"strategies": expected}, log)


def _compare(
    document: Any,
    expected: Mapping[str, Any],
    log: CheckLog,
    least: float = 0.0,
    *,
    file: str = SUMMARY,
    before: str = "",
    says: str = "does not follow from the records",
) -> None:
    """Note dotted keys with unexpected values; ``before`` is the place of the document."""
    for key, follows in expected.items():
        found = document
        for part in key.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if not _equal(follows, found, least):
            are_numbers = isinstance(follows, int | float) and isinstance(found, int | float)
            figures = f": expected {follows!r}, found {found!r}" if are_numbers else ""
            log.find(file, f"{before}{key} {says}{figures}")


def _equal(expected: Any, found: Any, least: float) -> bool:
    if isinstance(expected, float) and isinstance(found, int | float) and not isinstance(found, bool):
        return abs(expected - found) <= max(least, _SUMS * abs(expected))
    return type(expected) is type(found) and bool(expected == found)


_AWAY = 12.0
"""Numbers of successes are computed up to the mean plus this many standard deviations, this number and 40."""

_ROUNDING = 1e-9
"""Sums of chances that differ by less are equal."""


def success_spread(chances: FloatArray) -> dict[str, float | int]:
    """Return the chance of at least one success, the 2.5% and the 97.5% quantile of their number, the highest chance.

    One binomial distribution for each distinct chance, convolved one after another.

    Parameters
    ----------
    chances : (n,) of the attacks, in [0, 1]; 0 for no attack.
    """
    values, counts = np.unique(chances[chances > 0], return_counts=True)
    mean = float((values * counts).sum())
    away = _AWAY * float(np.sqrt((values * (1 - values) * counts).sum()))
    most = min(int(counts.sum()), int(mean + away + _AWAY) + 40)
    log_factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, counts.sum() + 1)))])
    law = np.ones(1)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        numbers = np.arange(min(count, most) + 1)
        if value == 1:
            one = (numbers == count).astype(float)
        else:
            ways = log_factorials[count] - log_factorials[numbers] - log_factorials[count - numbers]
            one = np.exp(ways + numbers * np.log(value) + (count - numbers) * np.log1p(-value))
        law = np.convolve(law, one)[: most + 1]
    upto = np.cumsum(law) + _ROUNDING
    return {
        "at_least_one": 1.0 - float(law[0]),
        "low": int(np.searchsorted(upto, 0.025)),
        "high": int(np.searchsorted(upto, 0.975)),
        "highest": float(values.max(initial=0.0)),
    }


def compare_limits(run: ExaminedRun, people: IntArray) -> None:
    """Note limits that the release exceeds, and the statements of the summary on them.

    Whether other strategies within the limits pay more is not examined.

    Parameters
    ----------
    people : (p,) the first record of each person.
    """
    scenario, log, limits = run.scenario, run.log, run.scenario.limits
    if limits is None or not scenario.has_limits or not run.stored.is_game:
        return
    if not run.found.replies_are_known:
        log.skip("the limits on the whole dataset", "the people whom each recipient finds are not known")
        return
    levels, labels, found = run.strategies.levels[people], run.labels[people], run.found.of(people)
    stated = run.claims.summary.get("limits")
    asked = stated.get("asked") if isinstance(stated, dict) else None
    group = None if limits.groups is None else _group_of_each(run, limits.groups, people)
    count = 0
    for name, limit, reached, exceeded in _reached(limits, levels, labels, found, scenario.payoffs, group):
        if name in OF_GROUPS and group is None:
            log.skip(f"the limit {name}", "the values that make the groups are not known")
            continue
        if name == "smallest_cell" and run.evidence.attributes is None:
            log.skip(f"the limit {name}", "a hierarchy is not known, and with it which rows share their labels")
            continue
        count += 1
        if exceeded:
            log.find(SUMMARY, f"the limit {name} is {limit:g}, and the release has {reached:.9g}")
        said = asked.get(name) if isinstance(asked, dict) else None
        if not isinstance(said, Mapping) or not _equal(reached, said.get("reached"), _OVER * max(1.0, abs(reached))):
            log.find(SUMMARY, f"limits.asked.{name}.reached is not {reached:.9g}, which the release has")
    if limits.is_uniform:
        _compare_uniform(run, limits, levels, found)
    log.did(f"{number_of(count, 'limit')} on the whole dataset")
    log.skip("the bound and the prices of the limits", "no other strategies within the limits are looked for")


def _reached(
    limits: Limits, levels: IntArray, labels: IntArray, found: Recomputed, stakes: Stakes, group: IntArray | None
) -> Iterator[tuple[str, float, float, bool]]:
    """Yield name, limit, value of the release, and whether this exceeds the limit, for each numeric limit."""
    outcomes = found.outcomes
    released, attacked = ~outcomes["withheld"], outcomes["attacked"]
    chance = np.where(released, outcomes["success_probability"], 0.0)
    if_all = np.where(released, outcomes["if_all_attacked"], 0.0)
    gains = [amounts for name, amounts in outcomes.items() if name.startswith(GAIN_PREFIX)]
    values_of = {
        "expected_reidentifications": chance[attacked].sum(),
        "attacked": attacked.mean(),
        "list_price": max((amounts[attacked].sum() for amounts in gains), default=0.0),
        "record_risk": if_all.max(initial=0.0),
        "information_loss": outcomes["information_loss"].mean(),
        "publisher_payoff": outcomes["publisher_payoff"].mean(),
        "smallest_cell": _smallest_cell(levels[released], labels[released]),
    }
    for name in OF_GROUPS:
        values_of[name] = _difference(limits.groups, group, outcomes[name.rpartition(".")[2]])
    sizes = {"list_price": stakes.loss, "publisher_payoff": stakes.benefit}
    for name, limit in limits.asked():
        reached = float(values_of[name])
        over = limit - reached if name in {"publisher_payoff", "smallest_cell"} else reached - limit
        empty = name == "smallest_cell" and not released.any()
        yield name, limit, reached, over > _OVER * max(abs(limit), sizes.get(name, 1.0)) and not empty


def _group_of_each(run: ExaminedRun, limits: GroupLimits, people: IntArray) -> IntArray | None:
    """Return the number of each person's group, (p,); None if not known."""
    records, column = run.evidence.records, limits.column
    if records is not None and column in records.kept:
        return column_of(records.kept[column], run.scenario.records.missing_values).codes[people]
    attribute = run.evidence.known_attributes.get(column)
    if records is None or attribute is None:
        return None
    level = max(attribute.top - 1, 0) if limits.level is None else limits.level
    place = list(run.scenario.attributes).index(column)
    values, several = records.standing[people, place], records.floors[people, place] > level
    return np.where(several, -2, np.where(values == attribute.missing, -1, attribute.label_numbers[level, values]))


def _difference(limits: GroupLimits | None, group: IntArray | None, amounts: FloatArray | BoolArray) -> float:
    """Return the greatest mean of a group less the smallest, among groups that are large enough; 0 if unknown."""
    if limits is None or group is None:
        return 0.0
    _, of_row, sizes = np.unique(group, return_inverse=True, return_counts=True)
    means = np.bincount(of_row, amounts) / sizes
    compared = means[sizes >= limits.least]
    return float(np.ptp(compared)) if len(compared) else 0.0


def _smallest_cell(levels: IntArray, labels: IntArray) -> int:
    """Return the least number of rows that share their released values; 0 for no rows."""
    if not len(levels):
        return 0
    _, cells = distinct_rows(np.concatenate([levels, labels], axis=1))
    return int(np.bincount(cells).min())


def _compare_uniform(run: ExaminedRun, limits: Limits, levels: IntArray, found: Recomputed) -> None:
    """Note groups of records that are released by several strategies."""
    log, records, attributes = run.log, run.evidence.records, run.evidence.attributes
    if records is None or run.scenario.records.person is not None:
        log.skip("that records share a strategy", "the records are not there, or several are one person's")
        return
    if attributes is None:
        log.skip("that records share a strategy", "a hierarchy is not known")
        return
    names = [one.name for one in attributes]
    missing = np.array([one.missing for one in attributes])
    released = np.flatnonzero(~found.outcomes["withheld"])
    places = [names.index(name) for name in limits.uniform] if isinstance(limits.uniform, tuple) else []
    values = records.values[released]
    of_group = distinct_rows(values[:, places])[1] if places else np.zeros(len(released), np.int64)
    for group in np.unique(of_group).tolist():
        rows = of_group == group
        for place, name in enumerate(names):
            seen = levels[released[rows], place][values[rows, place] != missing[place]]
            if len(np.unique(seen)) > 1:
                log.find(SUMMARY, f"limits.uniform: {name} has several levels among records that share a strategy")
