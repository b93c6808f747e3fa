"""The command ``gamedeid risk distinct``: how many people a policy leaves distinct, to whom, at what price."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gamedeid.cli.options import Json, Overrides, ScenarioPath, print_json, read_scenario
from gamedeid.cli.progress import progress
from gamedeid.cli.risk.options import Distinct, ListPrice, group_sizes
from gamedeid.errors import InvalidScenarioError, quoted

if TYPE_CHECKING:
    from gamedeid.risk.matches import Exposure, Whose


def distinct(
    scenario: ScenarioPath,
    *,
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="How rows are released: safe-harbor, limited-data-set, raw or your own."),
    ],
    attacker: Annotated[
        str,
        typer.Option(metavar="NAME", help="Attacker: general, with all attributes, or one of the scenario."),
    ] = "general",
    distinct: Distinct = "1,3,5,10",
    by: Annotated[
        str | None,
        typer.Option(metavar="ATTRIBUTE[:LEVEL]", help="A row for each group of an attribute, such as zip:2."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another policy; adds how many times its risk this one's is.")
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", metavar="", help="Release the records instead of everybody in the population.")
    ] = False,
    list_price: ListPrice = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> None:
    """Count the people whom a policy leaves distinct to an attacker, and the re-identifications to expect."""
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.distinctness import distinct_summary, print_distinct
    from gamedeid.risk.matches import exposure
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides)
    sizes = group_sizes(distinct)
    price = list_price
    if price is None and attacker in question.attacker:
        price = question.attacker[attacker].price
    with progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        phase("counting people")
        whose: Whose = "records" if records else "population"
        found = exposure(study, policy, attacker, whose)
        other = None if against is None else exposure(study, against, attacker, whose)
        groups = None if by is None else _groups(found, by)
        summary = distinct_summary(found, sizes, against=other, by=groups, list_price=price)
    if as_json:
        print_json(summary, "distinct")
    else:
        print_distinct(summary, study.scenario.title or "Risk", console())


def _groups(found: "Exposure", by: str) -> tuple[str, int, dict[str, Any]]:
    """Return the attribute, the level and the groups that ``--by`` asks for; a name may have a colon in it."""
    attribute, colon, level = by.rpartition(":")
    if by in found.instance.hierarchies or not colon:
        return by, *found.by(by)
    if not (level.isascii() and level.isdigit()):
        raise InvalidScenarioError(f"--by: expected ATTRIBUTE or ATTRIBUTE:LEVEL, such as zip:2, not {quoted(by)}")
    return attribute, *found.by(attribute, int(level))
