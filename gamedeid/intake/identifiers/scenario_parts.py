"""How a scenario takes care of a finding: it accepts it by name, or generalizes the attribute."""

from dataclasses import replace

from gamedeid.choices import IdentifierRule
from gamedeid.data.hierarchies import hierarchy_of
from gamedeid.generalization.hierarchy import Role
from gamedeid.intake.identifiers.findings import IdentifierFinding, Part
from gamedeid.intake.identifiers.kinds import kind_called
from gamedeid.scenario.built_in import LIMITED_DATA_SET, SAFE_HARBOR
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Policy

_KINDS_OF_ROLE: dict[Role, tuple[str, ...]] = {
    "zip": ("places",),
    "city": ("places", "street addresses"),
    "county": ("places", "street addresses"),
    "date": ("dates", "ages over 89"),
    "age": ("ages over 89",),
}
"""Role -> the kinds that Safe Harbor's level for it takes care of."""


def rule_of(scenario: Scenario | None) -> IdentifierRule:
    """Return whose list of identifiers a scenario is checked by: that of its floor, if it is the limited data set."""
    return "limited-data-set" if scenario is not None and scenario.floor == LIMITED_DATA_SET else "safe-harbor"


def refuse_unknown_kinds(scenario: Scenario) -> None:
    """Check that what the scenario accepts is a kind of identifier.

    Raises
    ------
    InvalidScenarioError : one is not.
    """
    for column, kinds in scenario.identifiers.accept.items():
        for words in kinds:
            kind_called(words, f"identifiers.accept.{column}")


def part_of(scenario: Scenario, column: str) -> Part | None:
    """Return what a scenario makes of a column that it does not drop."""
    if column in scenario.attributes:
        return "attribute"
    return "kept" if column in scenario.records.keep else None


def with_part(finding: IdentifierFinding, scenario: Scenario) -> IdentifierFinding:
    """Return a finding with what the scenario makes of its column, and how it takes care of the finding.

    Raises
    ------
    GamedeidError : the hierarchy of the attribute cannot be read.
    """
    part = part_of(scenario, finding.column)
    if finding.kind in scenario.identifiers.accept.get(finding.column, ()):
        return replace(finding, part=part, handled="accepted in the scenario")
    return replace(finding, part=part, handled=_generalized(finding, scenario) if part == "attribute" else "")


def _generalized(finding: IdentifierFinding, scenario: Scenario) -> str:
    """Return how the floor of the scenario generalizes an attribute so that the kind is no more told."""
    name = finding.column
    attribute = scenario.attributes[name]
    level = scenario.policy.get(scenario.floor, Policy()).levels.get(name, 0)
    if scenario.floor == SAFE_HARBOR:
        role = attribute.role or hierarchy_of(scenario, name).role
        if attribute.safe_harbor is not None:
            level = max(level, attribute.safe_harbor)
        elif role is not None and finding.kind in _KINDS_OF_ROLE.get(role, ()):
            return f"attribute of the role {role}, which Safe Harbor generalizes"
    return f"attribute, at level {level} at least under {scenario.floor}" if level else ""
