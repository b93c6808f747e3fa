"""Check the columns to be released: refuse identifiers that the scenario does not accept, and warn of others."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of, percent
from gamedeid.errors import InvalidDataError, one_line, quoted
from gamedeid.intake.identifiers.column_signs import ColumnSigns
from gamedeid.intake.identifiers.columns import column_findings_from_signs
from gamedeid.intake.identifiers.counts import sample_counts, stands_for
from gamedeid.intake.identifiers.findings import KINDS, IdentifierCheck, IdentifierFinding
from gamedeid.intake.identifiers.tables import (
    add_column_part,
    check_columns,
    column_part,
    identifier_rule,
    refuse_unknown_kinds,
)
from gamedeid.results.manifest import ResultWarning, WarningKind
from gamedeid.scenario.scenario import Scenario, ScenarioLike
from gamedeid.scenario.toml import toml_key, toml_value
from gamedeid.study.study import Study

_LOG = logging.getLogger(__name__)

GAME_KINDS = frozenset({"places", "street addresses", "dates", "ages over 89"})
"""Kinds that are allowed for an attribute: the game decides how much of it is released."""

_MOST_LISTED = 10  # findings in a message
_LONGEST_LINE = 1000  # characters of a line to paste


def check_release(scenario: ScenarioLike | Study) -> IdentifierCheck:
    """Return which columns that a study is about to release may hold identifiers.

    Every value of kept columns is searched, in any engine; the engine of a lazy frame counts distinct values. Every
    value of attributes that occurs is searched, at any released level; places, dates and ages are left to the game.

    Parameters
    ----------
    scenario : whose records are released, or a study of it.

    Raises
    ------
    InvalidScenarioError : the scenario accepts an unknown kind of identifier.
    InvalidDataError : the records cannot be read.
    InvalidHierarchyError : the hierarchy of an attribute is invalid.
    """
    study = Study.prepare(scenario)
    refuse_unknown_kinds(study.scenario)
    kept = study.scenario.records.keep
    rows = study.rows.columns(kept) if kept else ()
    of_kept = check_columns(kept, rows, scenario=study.scenario, keys=_person_keys(study))
    findings = (*_attribute_findings(study), *of_kept.findings)
    return replace(of_kept, columns=len(kept) + len(study.scenario.attributes), findings=findings)


def _person_keys(study: Study) -> Iterator[str]:
    """Yield the kept columns whose values are one to one with persons, if records have a key of persons."""
    if study.persons is None:
        return
    persons = pa.chunked_array([study.persons.of_record])
    for name in study.scenario.records.keep:
        values = [chunk for piece in study.rows.columns([name]) for chunk in piece.values.chunks]
        if stands_for(pa.chunked_array(values), persons):
            yield name


def _attribute_findings(study: Study) -> Iterator[IdentifierFinding]:
    """Yield the kinds of the values of attributes among the records, except those that the game decides on."""
    scenario, instance = study.scenario, study.instance
    every_code, records = instance.profiles.codes, instance.profiles.records
    if study.persons is not None and (table := study.rows.rows_in_memory()) is not None:
        every_code = study.codes_of_rows(table)  # a profile has only the detail on which a person's records agree
        records = np.ones(len(every_code), np.int64)
    for place, (name, hierarchy) in enumerate(instance.hierarchies.items()):
        rows = np.bincount(every_code[:, place], records, minlength=len(hierarchy.leaves) + 1)[:-1]
        signs = ColumnSigns(name)
        signs.add(sample_counts({hierarchy.leaves[leaf]: int(rows[leaf]) for leaf in np.flatnonzero(rows).tolist()}))
        for finding in column_findings_from_signs(signs):
            if finding.kind not in GAME_KINDS and KINDS[finding.kind].place(identifier_rule(scenario)) is not None:
                yield add_column_part(finding, scenario, hierarchy)


def refuse_identifiers(study: Study) -> IdentifierCheck:
    """Refuse to release values that can hardly be anything but identifiers; return the other findings.

    Parameters
    ----------
    study : whose records are released.

    Raises
    ------
    InvalidDataError : a column shows strong evidence of a kind of identifier that the scenario does not accept; the
        message names column, kind and share, and the lines to write.
    InvalidScenarioError : the scenario accepts an unknown kind of identifier.
    InvalidHierarchyError : the hierarchy of an attribute is invalid.
    """
    found = check_release(study)
    strong = [finding for finding in found.open_findings if finding.strong]
    if strong:
        line = accept_line(study.scenario.identifiers.accept, strong)
        shown = len(line) <= _LONGEST_LINE and line.isprintable()
        named = "; ".join(finding_words(finding) for finding in strong[:_MOST_LISTED])
        more = f"; and {number_of(len(strong) - _MOST_LISTED, 'finding')} more" if len(strong) > _MOST_LISTED else ""
        raise InvalidDataError(
            f"{named}{more}. Drop columns that must not be released "
            "([records] drop), or accept them by name in the scenario: [identifiers] "
            + (line if shown else 'accept = { COLUMN = "KIND" }')
        )
    for finding in found.open_findings:
        _LOG.warning("%s", one_line(finding_words(finding)))
    return found


def finding_words(finding: IdentifierFinding) -> str:
    """Return the findings in words, without any value."""
    column = f"{finding.part or ''} column {quoted(finding.column)}".strip()
    kind = f"{finding.kind}{f' ({finding.safe_harbor})' if finding.safe_harbor else ''}"
    if finding.share is None:
        return f"{column} looks like {kind} by its name"
    by_name = " and by its name" if finding.evidence == "name and values" else ""
    rows = "" if finding.rows is None else f" ({number_of(finding.rows, 'row')})"
    return f"{column} looks like {kind} in {percent(finding.share)} of its values{rows}{by_name}"


def accept_line(accepted: Mapping[str, Iterable[str]], findings: Iterable[IdentifierFinding]) -> str:
    """Return the line of a scenario that accepts findings, and those accepted already, column -> kinds."""
    kinds = {column: list(words) for column, words in accepted.items()}
    for finding in findings:
        kinds.setdefault(finding.column, []).append(finding.kind)
    once = {column: list(dict.fromkeys(words)) for column, words in kinds.items()}
    parts = (f"{toml_key(name)} = {toml_value(kinds if kinds[1:] else kinds[0])}" for name, kinds in once.items())
    return f"accept = {{ {', '.join(parts)} }}"


def identifier_warnings(found: IdentifierCheck, scenario: Scenario) -> list[ResultWarning]:
    """Return a warning for each accepted kind, each finding that is not accepted, and each column of bytes."""
    findings = {(finding.column, finding.kind): finding for finding in found.findings}
    said: list[tuple[WarningKind, str]] = []
    for column, kinds in scenario.identifiers.accept.items():
        part = column_part(scenario, column)
        for kind in dict.fromkeys(kinds) if part is not None else ():
            finding = findings.get((column, kind))
            declared = f"{part} column {quoted(column)} is said to hold {kind}"
            what = declared if finding is None else finding_words(finding)
            said.append(("accepted-identifier", f"{what}; the scenario accepts that it is released"))
    for finding in found.open_findings:
        refused = "; gamedeid run does not release it unless the scenario accepts it" if finding.strong else ""
        said.append(("identifier", f"{finding_words(finding)}: see whether it may be released{refused}"))
    unread = "holds bytes that were not searched for identifiers"
    said += [("not-searched", f"column {quoted(column)} {unread}") for column in found.unread]
    return [ResultWarning(kind=kind, says=f"{words[0].upper()}{words[1:]}.") for kind, words in said]
