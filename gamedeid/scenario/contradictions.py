"""Contradictions between the sections of a scenario, each fault in a line."""

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from gamedeid.choices import OUTCOMES, PLAYED_GAMES, RELEASE_ROW
from gamedeid.errors import did_you_mean, nearest_word_hint, quoted
from gamedeid.scenario.earlier import CLASS_NAME, Earlier
from gamedeid.scenario.limits import Limits
from gamedeid.scenario.recipients import KEPT_NAME, Recipient, active_recipients, known_kept_columns
from gamedeid.scenario.sections import (
    GENERAL,
    LIMITED_DATA_SET,
    RAW,
    RESERVED_PREFIX,
    SAFE_HARBOR,
    Attacker,
    Attribute,
    Identifiers,
    Policy,
    Population,
    Records,
    Regions,
)

PSEUDONYM_COLUMNS = ("person", "pseudonym")
"""Names for the release's column of pseudonyms."""


class Sections(Protocol):
    """The sections of a scenario that can contradict each other."""

    records: Records
    population: Population | None
    attributes: dict[str, Attribute]
    floor: str
    policy: dict[str, Policy]
    attacker: dict[str, Attacker]
    recipients: dict[str, Recipient]
    identifiers: Identifiers
    limits: Limits | None
    regions: Regions | None
    earlier: Earlier | None


def contradictions(scenario: Sections) -> Iterator[str]:
    """Yield the contradictions between sections."""
    for faults in (_names, _columns, _ages, _persons, _populations, _policies, _limits, _knowledge, earlier_faults):
        yield from faults(scenario)


def _names(scenario: Sections) -> Iterator[str]:
    """Yield policies and attackers that have a reserved name."""
    for name in scenario.policy:
        if name in (LIMITED_DATA_SET, RAW, *PLAYED_GAMES):
            what = "is a game" if name in PLAYED_GAMES else "is built in"
            yield f"policy: {quoted(name)} {what}; give your policy another name"
    if GENERAL in scenario.attacker:
        yield f"attacker: {quoted(GENERAL)} is built in; give your attacker another name"


def _columns(scenario: Sections) -> Iterator[str]:
    """Yield columns that are in two places, in none, or have a name reserved by gamedeid."""
    attributes, records, population = scenario.attributes, scenario.records, scenario.population
    identifiers = scenario.identifiers
    places: dict[str, str] = {}
    for place, names in (
        ("[attributes]", tuple(attributes)),
        ("records.keep", records.keep),
        ("records.drop", records.drop),
        ("records.person", () if records.person is None else (records.person,)),
    ):
        for name in names:
            if name in places:
                yield f"column {quoted(name)} is in {places[name]} and in {place}; it can have one part only"
            places[name] = place
    count = population.count if population is not None else None
    person = records.person
    for name in (*attributes, *records.keep, *filter(None, [person, count])):
        if name.casefold().startswith(RESERVED_PREFIX):
            yield (
                f"column {quoted(name)} begins with {quoted(RESERVED_PREFIX)}, as columns of gamedeid's own do; "
                "rename the one in the data"
            )
    for name in attributes:
        if name in ("record", *OUTCOMES, RELEASE_ROW):
            yield f"attributes.{name}: results have a column of this name; rename the one in the data"
    named_columns = {"identifiers.accept": identifiers.accept, "records.value_labels": records.value_labels}
    for place, name in ((place, name) for place, names in named_columns.items() for name in names):
        if name not in attributes and name not in records.keep:
            why = "is dropped" if name in records.drop else "is neither an attribute nor kept"
            hint = did_you_mean(name, (*attributes, *records.keep))
            yield f"{place} names {quoted(name)}, which {why}{hint}"


def _ages(scenario: Sections) -> Iterator[str]:
    """Yield ages that are computed from other ages."""
    computed = {name: attribute for name, attribute in scenario.attributes.items() if attribute.is_computed}
    for name, attribute in computed.items():
        for key in ("born", "at"):
            if getattr(attribute, key) in computed:
                yield f"attributes.{name}.{key} names an attribute that is computed itself; name a column of dates"


def _persons(scenario: Sections) -> Iterator[str]:
    """Yield pseudonyms without a key of persons, or without a free name for their column."""
    records = scenario.records
    if records.person is None and "pseudonyms" in records.model_fields_set:
        yield "records.pseudonyms replace records.person, which names no column"
    if records.person is not None and records.pseudonyms is not False and pseudonym_column(scenario) is None:
        yield (
            f"records.pseudonyms: the release has columns {' and '.join(map(quoted, PSEUDONYM_COLUMNS))} already; "
            "rename one of them, or set pseudonyms = false"
        )


def pseudonym_column(scenario: Sections) -> str | None:
    """Return the first name for the release's column of pseudonyms that no other column has; None if there is none."""
    taken = {name.casefold() for name in (*scenario.attributes, *scenario.records.keep)}
    return next((name for name in PSEUDONYM_COLUMNS if name not in taken), None)


def _populations(scenario: Sections) -> Iterator[str]:
    """Yield columns that a table of people names and that are not in the scenario."""
    population, attributes = scenario.population, scenario.attributes
    for recipient, one in scenario.recipients.items():
        if one.population is not None:
            known = one.attributes_known(attributes)
            yield from _faults_of_people(f"recipients.{recipient}.population", one.population, known, attributes)
    if population is None:
        return
    yield from _faults_of_people("population", population, attributes, attributes)
    others = [key for key in ("path", "columns", "count", "drop", "levels") if getattr(population, key)]
    if population.sampling_fraction is not None and others:
        yield (f"population.{others[0]} describes a table, and sampling_fraction replaces one; choose one of them")


def _faults_of_people(
    place: str, section: Population, needed: Collection[str], attributes: Collection[str]
) -> Iterator[str]:
    """Yield the faults of a table of people from which the ``needed`` attributes are read."""
    for name in section.drop:
        if name in needed or name == section.count:
            yield f"{place}.drop: {quoted(name)} is needed; it is an attribute or the count"
    yield from _no_attributes(f"{place}.levels", section.levels, attributes)
    for name in section.levels:
        if name not in needed:
            yield f"{place}.levels names {quoted(name)}, which is not known; add it to knows or levels"
    if section.count in attributes:
        yield f"{place}.count: {quoted(section.count)} is an attribute; it cannot be the count too"


def _policies(scenario: Sections) -> Iterator[str]:
    """Yield a floor that is no policy, and policies that name something other than an attribute."""
    known = (SAFE_HARBOR, LIMITED_DATA_SET, *scenario.policy)
    if scenario.floor not in known:
        yield f"floor names no policy: {quoted(scenario.floor)}{nearest_word_hint(scenario.floor, known)}"
    for name, policy in scenario.policy.items():
        of_rules = (key for rule in policy.rules for key in (*rule.when, *rule.levels))
        yield from _no_attributes(f"policy.{name}", (*policy.levels, *of_rules), scenario.attributes)
        keys = ("census", "limit", "year", "zip_populations")
        lists = [key for key in keys if getattr(policy, key) != Policy.model_fields[key].default]
        if lists and name != SAFE_HARBOR:
            yield f"policy.{name}.{lists[0]} is a key of policy.{SAFE_HARBOR} only"
        if "limit" in lists and policy.zip_populations is None:
            yield f"policy.{name}.limit needs zip_populations: the lists hold prefixes of 20,000 people or fewer"
        if "census" in lists and policy.zip_populations is not None:
            yield f"policy.{name} has both census and zip_populations; choose one"


def _knowledge(scenario: Sections) -> Iterator[str]:
    """Yield attackers and recipients who know a column that is no attribute or kept, and recipients never active."""
    recipients, attributes = scenario.recipients, scenario.attributes
    for name, attacker in scenario.attacker.items():
        yield from _no_attributes(f"attacker.{name}", (*attacker.knows, *attacker.levels), attributes)
    if recipients and not active_recipients(recipients):
        yield "recipients: none of them is ever active; give one a probability above 0, or leave the section out"
    for name, recipient in recipients.items():
        place, learns = f"recipients.{name}", recipient.learns
        kept = known_kept_columns(recipient, scenario.records.keep)
        yield from _no_attributes(place, (*(recipient.knows or ()), *recipient.levels), {*attributes, *kept})
        if kept and KEPT_NAME in attributes:
            yield f"attributes.{KEPT_NAME}: classes of records have this name; rename the column in the data"
        if kept and recipient.population is not None:
            yield (
                f"{place}.population: for a recipient who knows {quoted(kept[0])}, a kept column, people are counted "
                "among the records; leave the population or the column out"
            )
        if learns is not None:
            yield from _no_attributes(f"{place}.learns", (*learns.knows, *learns.levels), attributes)
            if recipient.knows_all:
                yield f"{place} knows all attributes, and has nothing to learn; give knows or levels"


def _limits(scenario: Sections) -> Iterator[str]:
    """Yield limits, and regions, that name something other than an attribute."""
    if scenario.regions is not None:
        yield from _no_attributes("regions.attribute", (scenario.regions.attribute,), scenario.attributes)
    limits, records, attributes = scenario.limits, scenario.records, scenario.attributes
    shared = limits.uniform if limits is not None and isinstance(limits.uniform, tuple) else ()
    for name in shared:
        if name in records.keep:
            yield (
                f"limits.uniform names {quoted(name)}, a kept column: records that agree in all "
                "attributes get one strategy, whatever else is known of them; name attributes"
            )
    yield from _no_attributes("limits.uniform", shared, attributes)
    if limits is None or limits.groups is None:
        return
    column = limits.groups.column
    if column not in (*attributes, *records.keep):
        yield (
            f"limits.groups.column: {quoted(column)} is neither an attribute nor kept"
            f"{did_you_mean(column, (*attributes, *records.keep))}"
        )
    if column in records.keep and limits.groups.level is not None:
        yield f"limits.groups.level: {quoted(column)} is a kept column, which has no levels; leave the level out"


def _no_attributes(place: str, names: Iterable[str], attributes: Collection[str]) -> Iterator[str]:
    """Yield the names in a place that are no attributes."""
    for name in names:
        if name not in attributes:
            yield f"{place} names {quoted(name)}, which is no attribute{nearest_word_hint(name, attributes)}"


def earlier_faults(scenario: Sections) -> Iterator[str]:
    """Yield the conditions of earlier releases on columns that are not met."""
    earlier, records, attributes = scenario.earlier, scenario.records, scenario.attributes
    if earlier is None:
        return
    if CLASS_NAME in attributes:
        yield f"attributes.{CLASS_NAME}: classes of people have this name; rename the column in the data"
    if earlier.key is None and records.person is None:
        yield "earlier.key: names no column by which people are found in both extracts; name one of records.drop"
    if earlier.key is not None and earlier.key not in (*records.drop, records.person):
        yield f"earlier.key: expected a column of records.drop, or records.person, not {quoted(earlier.key)}"
    for number, release in enumerate(earlier.releases):
        for name in release.rises:
            if name not in attributes:
                hint = nearest_word_hint(name, attributes)
                yield f"earlier.releases.{number}.rises: {quoted(name)} is no attribute{hint}"
