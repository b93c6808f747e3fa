"""What the reader of a release is warned of, as far as identifiers are concerned."""

from collections.abc import Iterator

from gamedeid.errors import quoted
from gamedeid.intake.identifiers.findings import IdentifierCheck, IdentifierFinding
from gamedeid.intake.identifiers.releases import finding_words
from gamedeid.intake.identifiers.scenario_parts import part_of
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.warnings import ResultWarning


def identifier_warnings(found: IdentifierCheck, scenario: Scenario) -> list[ResultWarning]:
    """Return a warning for each accepted kind, each finding that is not accepted, and each column of bytes.

    Parameters
    ----------
    found : what the release was checked for.
    scenario : which may accept findings by name.
    """
    open_findings = [ResultWarning("identifier", _open_words(finding)) for finding in found.unhandled]
    unread = [
        ResultWarning("not-searched", f"Column {quoted(column)} holds bytes that were not searched for identifiers.")
        for column in found.unread
    ]
    return [*_accepted(found, scenario), *open_findings, *unread]


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


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
