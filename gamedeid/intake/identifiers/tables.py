"""Check a file or a data frame for the kinds of identifiers that a rule lists, and how a scenario handles them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from gamedeid.choices import IDENTIFIER_RULES, IdentifierRule, Role
from gamedeid.data.column_names import looks_like_person_key
from gamedeid.data.engines.rows import ColumnPiece, pieces_of
from gamedeid.data.files.streams import detect_encoding
from gamedeid.data.files.tables import TableFile
from gamedeid.data.frames import Frame
from gamedeid.data.hierarchies import hierarchy_of
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.intake.identifiers.column_signs import ColumnSigns
from gamedeid.intake.identifiers.columns import column_findings_from_signs
from gamedeid.intake.identifiers.counts import sample_column, stands_for
from gamedeid.intake.identifiers.findings import KINDS, IdentifierCheck, IdentifierFinding, Part
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.sections import LIMITED_DATA_SET, SAFE_HARBOR, Policy, Records
from gamedeid.scenario.shipped import scenario_of

_KINDS_OF_ROLE: dict[Role, tuple[str, ...]] = {
    "zip": ("places",),
    "city": ("places", "street addresses"),
    "county": ("places", "street addresses"),
    "date": ("dates", "ages over 89"),
    "age": ("ages over 89",),
}
"""Role -> the kinds that Safe Harbor's level for it removes."""


def identifier_rule(scenario: Scenario | None) -> IdentifierRule:
    """Return the rule for the check of a scenario: the limited data set if that is its floor, else Safe Harbor."""
    return "limited-data-set" if scenario is not None and scenario.floor == LIMITED_DATA_SET else "safe-harbor"


def refuse_unknown_kinds(scenario: Scenario) -> None:
    """Check that the scenario accepts kinds of identifiers only."""
    for column, kinds in scenario.identifiers.accept.items():
        for words in kinds:
            if words not in KINDS:
                raise InvalidScenarioError(
                    f"identifiers.accept.{column}: {quoted(words)} is no kind of identifier"
                    f"{did_you_mean(words, KINDS)}; the kinds are {', '.join(KINDS)}"
                )


def column_part(scenario: Scenario, column: str) -> Part | None:
    """Return the part of a column in a scenario that does not drop it."""
    if column in scenario.attributes:
        return "attribute"
    return "kept" if column in scenario.records.keep else None


def add_column_part(
    finding: IdentifierFinding, scenario: Scenario, hierarchy: Hierarchy | None = None
) -> IdentifierFinding:
    """Return a finding with the part of its column in the scenario, and the scenario's remedy.

    Parameters
    ----------
    hierarchy : of an attribute; None if it has not been read yet.
    """
    part = column_part(scenario, finding.column)
    if finding.kind in scenario.identifiers.accept.get(finding.column, ()):
        return replace(finding, part=part, handled="accepted in the scenario")
    handled = _generalized(finding, scenario, hierarchy) if part == "attribute" else None
    return replace(finding, part=part, handled=handled)


def _generalized(finding: IdentifierFinding, scenario: Scenario, hierarchy: Hierarchy | None) -> str | None:
    """Return how the floor of the scenario generalizes an attribute so that the kind is no longer visible."""
    name = finding.column
    attribute = scenario.attributes[name]
    level = scenario.policy.get(scenario.floor, Policy()).levels.get(name, 0)
    if scenario.floor == SAFE_HARBOR:
        role = attribute.stated_role(hierarchy or hierarchy_of(scenario, name))
        if attribute.safe_harbor is not None:
            level = max(level, attribute.safe_harbor)
        elif role is not None and finding.kind in _KINDS_OF_ROLE.get(role, ()):
            who = "Safe Harbor and the sh-friendly game generalize; other games may not"
            return f"attribute of the role {role}, which {who}"
    return f"attribute, at level {level} at least under {scenario.floor}" if level else None


_YEARS = range(1900, 2201)  # of releases


def refuse_no_year(year: int) -> None:
    """Check the year of a release."""
    if year not in _YEARS:
        raise InvalidScenarioError(
            f"year: expected a whole number from {_YEARS[0]} to {_YEARS[-1]}, not {quoted(year)}", arguments=["year"]
        )


def check_identifiers(
    data: Any,
    scenario: ScenarioLike | None = None,
    *,
    rule: IdentifierRule | None = None,
    encoding: str | None = None,
    year: int | None = None,
) -> IdentifierCheck:
    """Return which columns of a table may hold identifiers, by their names and by their values.

    Every value of every row is searched for identifiers within it, a block of 524,288 rows at a time. The
    share of values that are identifiers is estimated, for a column with more than 20,000 distinct values in a
    block, or more than four million characters in them, from evenly spaced values; the result says so.

    Parameters
    ----------
    data : the path of a file of CSV, Parquet, SAS, SPSS, Stata or Excel, or of a folder of Parquet files; or a data
        frame.
    scenario : the treatment of the columns: dropped ones are not read, the key of persons only to find columns that go
        one to one with it, and findings state the treatment.
    rule : "safe-harbor", the 18 kinds of 45 CFR 164.514(b)(2)(i), or "limited-data-set", the 16 of 164.514(e)(2)
        (default: that of the scenario's floor, "safe-harbor" without a scenario).
    encoding : of a CSV file (default: that of the scenario, detected without one, as for a draft).
    year : of the release, from which ages of years of birth are counted back (default: that of the scenario's Safe
        Harbor).

    Raises
    ------
    InvalidScenarioError : an invalid scenario, or an unknown rule.
    InvalidDataError : the table cannot be read, has no rows, or has no names of columns in its first row.
    InvalidHierarchyError : the hierarchy of an attribute is invalid.

    Examples
    --------
    >>> import pyarrow as pa
    >>> found = check_identifiers(pa.table({"contact": ["a@example.org", "b@example.org"], "ward": ["A", "B"]}))
    >>> [(finding.column, finding.kind, finding.safe_harbor) for finding in found.findings]
    [('contact', 'e-mail addresses', 'F')]
    """
    question = None if scenario is None else scenario_of(scenario)
    if question is not None:
        refuse_unknown_kinds(question)
    if rule is not None and rule not in IDENTIFIER_RULES:
        raise InvalidScenarioError(f"rule: expected {' or '.join(map(quoted, IDENTIFIER_RULES))}, not {quoted(rule)}")
    section = Records() if question is None else question.records
    if year is not None:
        refuse_no_year(year)
    if encoding is None and question is None and isinstance(data, str | PathLike):
        encoding = detect_encoding(Path(data))
    source = _open_source(data, section, encoding)
    wanted = [name for name in source.names if name not in (*section.drop, section.person)]
    persons = [section.person] if section.person else [name for name in source.names if looks_like_person_key(name)]
    tables = source.blocks([*wanted, *(name for name in persons if name not in wanted)])
    first = next(tables)
    return check_columns(
        wanted,
        pieces_of(table.select(wanted) for table in chain([first], tables)),
        rule=rule,
        year=year,
        scenario=question,
        keys=[
            name
            for name in wanted
            if any(name != key and stands_for(first.column(name), first.column(key)) for key in persons)
        ],
    )


def check_columns(
    names: Sequence[str],
    pieces: Iterable[ColumnPiece],
    *,
    rule: IdentifierRule | None = None,
    year: int | None = None,
    scenario: Scenario | None,
    keys: Iterable[str],
) -> IdentifierCheck:
    """Return the findings in some columns of a table that come in pieces (default rule: the scenario's)."""
    rule = rule or identifier_rule(scenario)
    missing = () if scenario is None else scenario.records.missing_values
    if year is None and scenario is not None:
        year = scenario.safe_harbor.year
    signs = {name: ColumnSigns(name, year, missing) for name in names}
    unread: dict[str, None] = {}
    rows: Counter[str] = Counter()
    for piece in pieces:
        rows[piece.name] += len(piece.values) if piece.rows is None else int(pc.sum(piece.rows).as_py() or 0)
        counted = sample_column(piece.values, piece.rows)
        if counted is None:
            unread[piece.name] = None
        else:
            signs[piece.name].add(counted)
    person_keys = set(keys)
    found = [
        finding
        for name in names
        for finding in column_findings_from_signs(signs[name], is_key=name in person_keys)
        if KINDS[finding.kind].place(rule) is not None
    ]
    return IdentifierCheck(
        rule=rule,
        rows_looked_at=max(rows.values(), default=None),
        columns=len(names),
        sampled=tuple(name for name in names if signs[name].sampled),
        unread=tuple(name for name in names if name in unread),
        findings=tuple(found if scenario is None else (add_column_part(one, scenario) for one in found)),
    )


def _open_source(data: Any, section: Records, encoding: str | None) -> TableFile | Frame:
    """Return the table to check; a first row with values instead of names is refused."""
    if not isinstance(data, str | PathLike):
        frame = Frame.of(data, "data")
        frame.refuse_no_header()
        return frame
    declared = (*section.keep, *section.drop, *([section.person] if section.person else []))
    encoding = encoding or section.encoding
    file = TableFile.open(Path(data), names=section.columns, encoding=encoding, expected=declared)
    file.refuse_no_header()
    file.refuse_absent(declared)
    return file
