"""What the reader of a release is warned of, as far as identifiers are concerned."""

from collections.abc import Iterator

from gamedeid.amounts import number_of
from gamedeid.errors import quoted
from gamedeid.intake.identifiers.findings import IdentifierCheck, IdentifierFinding
from gamedeid.intake.identifiers.releases import finding_words
from gamedeid.intake.identifiers.scenario_parts import part_of
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.warnings import ResultWarning


def identifier_warnings(found: IdentifierCheck, scenario: Scenario, records: int) -> list[ResultWarning]:
    """Return a warning for each kind that the scenario accepts, each finding that it says nothing of, and each gap.

    Parameters
    ----------
    found : what the release was checked for.
    scenario : which may accept findings by name.
    records : how many rows there are.
    """
    open_findings = [ResultWarning("identifier", _open_words(finding)) for finding in found.unhandled]
    gaps = [ResultWarning("not-searched", words) for words in _gaps(found, scenario, records)]
    return [*_accepted(found, scenario), *open_findings, *gaps]


def _accepted(found: IdentifierCheck, scenario: Scenario) -> Iterator[ResultWarning]:
    """Yield what is released because the scenario accepts it, whether the search finds it or not."""
    findings = {(finding.column, finding.kind): finding for finding in found.findings}
    for column, kinds in scenario.identifiers.accept.items():
        part = part_of(scenario, column)
        for kind in dict.fromkeys(kinds) if part is not None else ():
            finding = findings.get((column, kind))
            said_to = f"{part} column {quoted(column)} is said to hold {kind}"
            what = said_to if finding is None else finding_words(finding)
            words = _sentence(f"{what}; the scenario accepts that it is released")
            yield ResultWarning("accepted-identifier", words)


def _open_words(finding: IdentifierFinding) -> str:
    refused = "; gamedeid run does not release it unless the scenario accepts it" if finding.strong else ""
    return _sentence(f"{finding_words(finding)}: look whether it may be released{refused}")


def _gaps(found: IdentifierCheck, scenario: Scenario, records: int) -> Iterator[str]:
    """Yield which values were not searched for identifiers."""
    for column in found.unread:
        yield _sentence(f"column {quoted(column)} holds bytes that were not searched for identifiers")
    if not scenario.records.keep:
        return
    if found.rows is None:
        yield "Values of kept columns were not searched for identifiers, since rows stay where they are."
    elif found.rows < records:
        yield f"Kept columns were searched for identifiers in the first {number_of(found.rows, 'record')} only."


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
