"""Check that the folder holds the warnings that follow from its documents and its records."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from gamedeid.amounts import joined
from gamedeid.arrays import TABLE_ROWS, BoolArray, IntArray
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.data.column_names import looks_like_identifier
from gamedeid.data.columns import plain_columns
from gamedeid.data.persons import repeated_keys
from gamedeid.errors import GamedeidError, quoted, shown
from gamedeid.lazy_imports import registered_function
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import SUMMARY
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.attributes import labels_at
from gamedeid.verification.evidence import Evidence, OriginalRecords
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.outcomes import ExaminedRun
from gamedeid.verification.people import matching_people
from gamedeid.verification.tables import Strategies

_ROWS, _ALONE, _AGREEING, _RARER, _SHARE, _UNIQUE = 20, 0.9, 0.95, 10, 0.01, 1 / 11
"""The documented rules for kept columns: least rows, shares, and how much rarer exceptions are; the share of rows, or
people, that may be unique."""

_WORDS = ("kind", "says")
"""Keys of a warning."""

_Expected: TypeAlias = tuple[str, tuple[str, ...], str | None]
"""A required warning: its kind, a text that it must contain, and the column that it is about."""


def compare_warnings(run: ExaminedRun) -> None:
    """Note warnings that the manifest or the summary lacks."""
    summary, log = run.claims.summary, run.log
    if not summary or not run.stored.is_of_this_version:
        return
    stated = stated_warnings(summary.get("warnings"))
    if stated is None:
        log.find(SUMMARY, "has no list of warnings as gamedeid writes it")
        return
    if run.stored.manifest.get("warnings") != stated:
        log.find(MANIFEST, f"its warnings are not those of {SUMMARY}")
    _compare_with_summary(summary, stated, log)
    of_scenario = _of_scenario(run.scenario, str(summary.get("game")), applied=run.stored.is_applied)
    expected = [*of_scenario, *_of_records(run)]
    for kind, holds, column in dict.fromkeys(expected):
        if not any(one["kind"] == kind and all(words in one["says"] for words in holds) for one in stated):
            says = [f'"{shown(words.strip())}"' for words in holds]
            which = f" that says {joined(says, 'and')}" if says else ""
            log.find(SUMMARY, f"lacks a warning of the kind {kind}{which}", column=column)
    log.did(f"{len(stated)} warnings of {MANIFEST} and {SUMMARY}, and {len(expected)} that must be among them")


def stated_warnings(found: Any) -> list[Mapping[str, str]] | None:
    """Return a stored list of warnings; None if it is not one."""
    if not isinstance(found, list):
        return None
    texts = [isinstance(one, Mapping) and all(isinstance(one.get(key), str) for key in _WORDS) for one in found]
    return found if all(texts) else None


def _compare_with_summary(summary: Mapping[str, Any], stated: Sequence[Mapping[str, str]], log: CheckLog) -> None:
    """Note warnings that follow from other parts of the summary and are not in its list, or the reverse."""
    warnings_of = registered_function("warnings")
    try:
        made = [one.as_dict() for one in warnings_of(summary)]
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        log.find(SUMMARY, "lacks the figures from which its warnings follow")
        return
    of_scenario = {"identifier", "accepted-identifier", "not-searched", "groups-unused", "telling-choice"}
    if made != [one for one in stated if one["kind"] not in of_scenario]:
        log.find(SUMMARY, "its warnings are not those that its data, kept_columns and recipients give rise to")


def _of_scenario(claimed: Scenario, game: str, *, applied: bool) -> Iterator[_Expected]:
    """Yield the warnings that follow from the scenario, the game and the application of a finished run alone."""
    section = claimed.population
    if section is not None and (section.sampling_fraction is not None or any(section.levels.values())):
        yield ("estimate", (), None)
    if claimed.records.missing == "show":
        yield ("missing-shown", (), None)
    groups = claimed.groups
    if groups is not None and (groups.k > 1 or groups.kept) and (applied or game not in AWARE_GAMES):
        yield ("groups-unused", () if applied else (game,), None)
    yield from _of_choice(claimed, game)
    for column, kinds in claimed.identifiers.accept.items():
        if column in claimed.attributes or column in claimed.records.keep:
            for kind in kinds:
                yield ("accepted-identifier", (quoted(column), kind), column)


def _of_choice(claimed: Scenario, game: str) -> Iterator[_Expected]:
    """Yield the warnings of strategies that depend on who has a record, or on kept values."""
    groups, limits = claimed.groups, claimed.limits
    by_records, columns = False, []
    if game in AWARE_GAMES and groups is not None:
        by_records, columns = groups.planned_for == "records" or groups.k > 1 or bool(groups.kept), list(groups.kept)
    elif game in GAMES and limits is not None:
        by_records, compared = limits.is_one_strategy, limits.groups
        columns = [compared.column] if compared is not None and compared.column not in claimed.attributes else []
    if by_records and claimed.population is not None:
        yield ("telling-choice", (game, "have a record"), None)
    if columns:
        yield ("telling-choice", (game, *map(shown, columns)), None)


def _of_records(run: ExaminedRun) -> Iterator[_Expected]:
    """Yield the warnings that follow from the records, if they are there."""
    records, claimed, log = run.evidence.records, run.scenario, run.log
    if records is None:
        log.skip("warnings of kept columns, identifiers and records that match no one", "the records are not there")
        return
    if _matches_nobody(records, run.evidence):
        yield ("unmatched", (), None)
    yield from _of_unlisted_values(records)
    looked_at = run.claims.summary.get("kept_columns")
    if not records.kept or not isinstance(looked_at, Mapping) or looked_at.get("rows_looked_at") is None:
        return  # rows were not collected: the summary and a warning say so
    released = pa.table(dict(records.kept))
    kept = released.slice(0, TABLE_ROWS)
    for key in repeated_keys(claimed.records.keep, (), claimed.records.missing_values, kept.select):
        yield ("rows-as-people", (f"Column {key.column} ",), key.column)
    yield from _of_kept_columns(kept, run.strategies, run.evidence)
    yield from _of_uniqueness(released, ~run.strategies.withheld, records.persons, looked_at)
    person = claimed.records.person
    if person and person not in released.column_names:
        released = released.append_column(person, pa.array(records.persons))
    try:
        found = registered_function("identifiers")(released, claimed)
    except GamedeidError as error:
        log.skip("warnings of identifiers", f"kept columns cannot be searched for them: {error}")
        return
    for column in found.unread:
        yield ("not-searched", (quoted(column),), column)
    for finding in found.open_findings:
        yield ("identifier", (quoted(finding.column), finding.kind), finding.column)


def _of_unlisted_values(records: OriginalRecords) -> Iterator[_Expected]:
    """Yield that columns have values that their hierarchies do not list."""
    for name, count in records.unlisted.items():
        if count:
            yield ("unlisted", (f"Column {name} ", f" in {count:,} of "), name)


def _matches_nobody(records: OriginalRecords, evidence: Evidence) -> bool:
    """Return whether a record without missing values matches no one in full detail; False if not known."""
    people, attributes = evidence.people, evidence.attributes
    if people is None or attributes is None or evidence.scenario.population is None:
        return False
    if people.known or records.persons is not None:
        return False
    whole = np.stack([records.values[:, at] != one.missing for at, one in enumerate(attributes)], axis=1).all(axis=1)
    levels = [0] * len(attributes)
    labels = labels_at(attributes, levels, records.values[whole])
    return bool((matching_people(people, attributes, levels, labels) == 0).any())


def _of_kept_columns(kept: pa.Table, strategies: Strategies, evidence: Evidence) -> Iterator[_Expected]:
    """Yield the warnings of kept columns that name people, or give a generalized attribute back."""
    records, attributes = evidence.records, evidence.attributes
    if records is None or attributes is None:
        return
    released = ~strategies.withheld[: kept.num_rows]
    for name, column in plain_columns(kept, kept.column_names):
        if not len(column.values):
            continue
        if looks_like_identifier(name):
            yield ("kept-column", (f"Kept column {name} looks like",), name)
        rows_of = np.append(np.bincount(column.codes[column.codes >= 0], minlength=len(column.values)), 0)[column.codes]
        if released.any() and kept.num_rows >= _ROWS and (rows_of == 1).sum() >= _ALONE * kept.num_rows:
            yield ("kept-column", (f"Kept column {name} has a value that no other row has",), name)
        for place, one in enumerate(attributes):
            values = records.values[: kept.num_rows, place]
            least = np.where(values == one.missing, one.top, 0)
            generalized = released & (strategies.levels[: kept.num_rows, place] > least)
            leaves = np.where(values == one.missing, -1, values)
            given_back = _gives_back(column.codes.astype(np.int64), leaves, generalized)
            if given_back.sum() >= _SHARE * max(int(released.sum()), 1):
                yield ("kept-column", (f"Kept column {name} gives {one.name} back",), name)


def _of_uniqueness(
    kept: pa.Table, released: BoolArray, persons: IntArray | None, looked_at: Mapping[str, Any]
) -> Iterator[_Expected]:
    """Yield the warning of too many unique rows by all kept columns together, among the rows that the summary examined.

    ``persons``, (r,), has the person of each row; None if each row is a person.
    """
    stated = looked_at.get("uniqueness")
    claimed = stated.get("rows_looked_at") if isinstance(stated, Mapping) else None
    count = max(claimed if isinstance(claimed, int) else 0, min(TABLE_ROWS, kept.num_rows))
    kept, released = kept.slice(0, count), released[:count]
    cells, read = np.zeros(int(released.sum()), np.int64), 0
    for _, column in plain_columns(kept, kept.column_names):
        cells = np.unique(cells * (len(column.values) + 1) + column.codes[released] + 1, return_inverse=True)[1]
        read += 1
    if not read or len(cells) < _ROWS:
        return
    alone = np.bincount(cells) == 1
    words = " has a value that no other row has" if read == 1 else "kept columns together are unique"
    if alone.sum() > _UNIQUE * len(cells):
        yield ("kept-column", (words,), None)
    if persons is not None:
        held: dict[Any, set[int]] = {}
        for person, cell in zip(persons[:count][released].tolist(), cells.tolist(), strict=True):
            held.setdefault(person, set()).add(cell)
        sets = Counter(map(frozenset, held.values()))
        if sum(rows == 1 for rows in sets.values()) > _UNIQUE * len(held):
            yield ("kept-column", ("are unique by the set of kept values",), None)


def _gives_back(codes: IntArray, leaves: IntArray, generalized: BoolArray) -> BoolArray:
    """Return the rows, (n,), whose kept value gives back the generalized leaf; both are below 0 for none."""
    found = np.zeros(len(codes), np.bool_)
    known = leaves >= 0
    if not known.any():
        return found
    usual = np.bincount(leaves[known]).max() / known.sum()
    there, base = known & (codes >= 0), int(leaves.max()) + 1
    pairs, counts = np.unique(codes[there] * base + leaves[there], return_counts=True)
    rows, most = np.zeros((2, len(codes) + 1))
    np.add.at(rows, pairs // base, counts)
    np.maximum.at(most, pairs // base, counts)
    exceptions = 1 - most / np.maximum(rows, 1)
    determining = (rows >= _ROWS) & (exceptions <= 1 - _AGREEING) & (exceptions * _RARER <= 1 - usual) & (usual < 1)
    found[there] = determining[codes[there]] & generalized[there]
    return found
