"""Prepare the data of a scenario phase by phase: read the tables, code their values, count the people."""

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.capabilities import Feature
from gamedeid.data.encode import LeafCache, count_unlisted, encode
from gamedeid.data.hierarchies import close_hierarchy, known_levels
from gamedeid.data.persons import Persons, RepeatedKey, profiles_of_people
from gamedeid.data.profiles import PopulationCells, Profiles
from gamedeid.data.question_tables import ReadTables
from gamedeid.data.tables import AttributeTable
from gamedeid.errors import InvalidScenarioError, listed, one_line, quoted
from gamedeid.game.compiled_data import CompiledData
from gamedeid.game.instance import Instance
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.population.choose import CountedPopulation, OwnPeople
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.recipients import OwnPopulation, known_kept_columns, own_population
from gamedeid.scenario.scenario import Scenario, refuse_combinations

if TYPE_CHECKING:
    from gamedeid.study.earlier import EarlierClasses
    from gamedeid.study.kept_classes import KeptClasses

_LOG = logging.getLogger(__name__)


@frozen(eq=False)
class CodedTables:
    """The tables of a question as leaf codes.

    Parameters
    ----------
    hierarchies : attribute -> its hierarchy, with the values of the data if it takes these.
    population : the people who can be looked up; the records themselves if no table of them was read.
    persons : the person of each record; None if each record is a person.
    own : name of a recipient -> the people of its separate population.
    earlier : the classes that earlier releases distinguish; None without these.
    """

    hierarchies: Mapping[str, Hierarchy]
    profiles: Profiles
    population: CountedPopulation
    persons: Persons | None = None
    own: Mapping[str, OwnPeople] = field(default_factory=dict)
    earlier: "EarlierClasses | None" = None


def refuse_other_data(read: Scenario, asked: Scenario) -> None:
    """Refuse a question that needs other data, or other counts of people."""
    before, now = (dict(_data_keys(scenario)) for scenario in (read, asked))
    changed = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    changed += [
        f"attributes.{name}.hierarchy"
        for name in read.attributes.keys() & asked.attributes.keys()
        if not same_hierarchy(read.attributes[name].hierarchy, asked.attributes[name].hierarchy)
    ]
    if changed:
        raise InvalidScenarioError(
            f"the data were read for another scenario, which differs in {listed(sorted(changed))}; "
            "prepare the question anew with Study.prepare"
        )


def _data_keys(scenario: Scenario) -> Iterator[tuple[str, object]]:
    """Yield the keys, except hierarchies, on which the data and the counts of people depend, with their values."""
    yield "records", scenario.records
    yield "population", scenario.population
    yield "earlier", scenario.earlier
    yield "attributes", tuple(scenario.attributes)
    for name, attribute in scenario.attributes.items():
        if attribute.is_computed:
            yield f"attributes.{name}.born", (attribute.born, attribute.at, attribute.formats)
    for name, recipient in scenario.recipients.items():
        least = recipient.levels_known(dict.fromkeys(scenario.attributes, sys.maxsize), learned=True)
        if recipient.population is not None:
            yield own_population(name), (recipient.population, recipient.attributes_known(scenario.attributes), least)
        if kept := known_kept_columns(recipient, scenario.records.keep):
            yield f"recipients.{name}.knows", (recipient.probability > 0, kept, least)


def same_hierarchy(one: str | Hierarchy | OpenHierarchy, other: str | Hierarchy | OpenHierarchy) -> bool:
    """Return whether two hierarchies read the same values, and put them into the same groups."""
    if not (isinstance(one, Hierarchy) and isinstance(other, Hierarchy)) or one is other:
        return one == other
    parts = ("name", "role", "leaves", "labels", "reading", "integer", "unlisted", "spellings")
    return np.array_equal(one.groups, other.groups) and all(getattr(one, at) == getattr(other, at) for at in parts)


def code_tables(
    scenario: Scenario,
    hierarchies: Mapping[str, Hierarchy | OpenHierarchy],
    tables: ReadTables,
    known_leaves: LeafCache | None = None,
) -> CodedTables:
    """Code the values of both tables by hierarchies, open or not, and count the rows, or people, of each record."""
    records, population, section = tables.records, tables.population, tables.section
    known = known_levels(section, hierarchies)
    attributes = {name: close_hierarchy(name, hierarchy, tables.by_name) for name, hierarchy in hierarchies.items()}
    shows, allowed = scenario.records.missing == "show", scenario.records.may_be_missing
    if shows:
        attributes = {name: one.showing_missing() for name, one in attributes.items()}
    codes = encode(
        records.columns,
        attributes,
        table_name="records",
        allow_missing=allowed,
        counted=records.counted,
        known=known_leaves,
    )
    earlier, kept = _fixed_classes(scenario, records, codes, attributes)
    full, of_rows, persons = attributes, codes, None
    classes = kept if earlier is None else earlier
    if classes is not None:
        full = {**attributes, classes.hierarchy.name: classes.hierarchy}
        of_rows = np.concatenate([codes, classes.of_row[:, None].astype(np.int32)], axis=1)
    if records.person_of_row is None:
        profiles = Profiles.of(of_rows, list(full.values()), records.counted)
    else:
        profiles, persons = profiles_of_people(of_rows, records.person_of_row, full)
    profiles = replace(profiles, unlisted=count_unlisted(records.columns, attributes, records.counted))
    codes, people = _coded_people(scenario, tables, codes, attributes, known, known_leaves)
    if kept is not None:
        cells = kept.of_people(codes, people, list(full.values()))
    elif population is None:
        cells = PopulationCells.of_profiles(profiles)
    else:
        cells = PopulationCells.of(codes, people, list(attributes.values()))
        if earlier is not None:
            earlier = replace(earlier, population=cells)
            cells = earlier.of_people(codes, people, list(full.values()))
    own = {name: _own_people(scenario, name, table, full, allowed=allowed) for name, table in tables.own.items()}
    for name, groups in ({} if kept is None else kept.groups).items():
        own_cells, least = PopulationCells.of_profiles(profiles), _least_levels(scenario, name, full)
        own[name] = OwnPeople(cells=own_cells, levels=least, unmatched="error", classes=groups)
    return CodedTables(
        hierarchies=full,
        profiles=profiles,
        population=CountedPopulation(
            cells=cells,
            unmatched=section.unmatched if section is not None else "error",
            known=known,
            sampling_fraction=section.sampling_fraction if section is not None else None,
            people=int(population.people.sum()) if population is not None and (earlier is not None or shows) else None,
        ),
        persons=persons,
        own=own,
        earlier=earlier,
    )


def _coded_people(
    scenario: Scenario,
    tables: ReadTables,
    codes: IntArray,
    attributes: Mapping[str, Hierarchy],
    known: Mapping[str, int],
    known_leaves: LeafCache | None,
) -> tuple[IntArray, IntArray]:
    """Return leaf codes of the people who can be looked up, (c, a), and how many have them, (c,).

    If missing values are shown, a table of the population does not show which people's values the records, with leaf
    codes (r, a), lack. Each person is included once for each set of values that a record lacks, and so matches the
    records that lack them. ``known`` has the level of attributes that the population has only at a level.
    """
    records, population = tables.records, tables.population
    if population is None:
        return codes, records.people
    found = encode(
        population.columns,
        attributes,
        table_name="population",
        allow_missing=scenario.records.missing == "suppress",
        levels=known,
        counted=population.counted,
        known=known_leaves,
    )
    if scenario.records.missing != "show":
        return found, population.people
    lacking = np.array([len(one.leaves) for one in attributes.values()], found.dtype)
    patterns = np.unique(codes == lacking, axis=0)
    masked = np.where(patterns[:, None, :], lacking, found)
    return masked.reshape(-1, len(attributes)), np.tile(population.people, len(patterns))


def _fixed_classes(
    scenario: Scenario, records: AttributeTable, codes: IntArray, attributes: Mapping[str, Hierarchy]
) -> "tuple[EarlierClasses | None, KeptClasses | None]":
    """Return the classes of the records by earlier releases, and by kept columns that recipients know."""
    earlier = kept = None
    if scenario.earlier is not None:
        from gamedeid.study.earlier import classes_of_earlier  # noqa: PLC0415  (few questions have any)

        earlier = classes_of_earlier(scenario, records, codes, attributes)
    if Feature.KEPT in scenario.features:
        from gamedeid.study.kept_classes import KeptClasses  # noqa: PLC0415  (few recipients know any)

        kept = KeptClasses.of(scenario, records)
    return earlier, kept


def without_classes(data: CompiledData, earlier: "EarlierClasses") -> CodedTables:
    """Return data without the classes of people that earlier releases distinguish, which come last."""
    hierarchies = {name: one for name, one in data.hierarchies.items() if not one.is_fixed}
    attributes, before = len(hierarchies), data.profiles
    floors = None if before.floors is None else before.floors[:, :attributes]
    profiles = Profiles.of(before.codes[:, :attributes], list(hierarchies.values()), before.records, floors)
    profiles = replace(profiles, of_record=sealed(profiles.of_record[before.of_record], np.int64), unit=before.unit)
    profiles = replace(profiles, unlisted=before.unlisted)
    cells = PopulationCells.of_profiles(profiles) if earlier.population is None else earlier.population
    population = replace(data.population, cells=cells, people=None)
    return CodedTables(hierarchies=hierarchies, profiles=profiles, population=population)


def _own_people(
    scenario: Scenario, name: str, table: AttributeTable, hierarchies: Mapping[str, Hierarchy], *, allowed: bool
) -> OwnPeople:
    """Return the people of a recipient's population; all have the same value of an attribute that it does not know."""
    recipient = scenario.recipients[name]
    section = cast("OwnPopulation", recipient.population)
    known = {one: hierarchies[one] for one in table.columns}
    codes = np.zeros((len(table.people), len(hierarchies)), np.int32)
    codes[:, [list(hierarchies).index(one) for one in known]] = encode(
        table.columns,
        known,
        table_name=own_population(name),
        allow_missing=allowed,
        levels=known_levels(section, hierarchies, own_population(name)),
        counted=table.counted,
    )
    return OwnPeople(
        cells=PopulationCells.of(codes, table.people, list(hierarchies.values())),
        levels=_least_levels(scenario, name, hierarchies),
        unmatched=section.unmatched,
    )


def _least_levels(scenario: Scenario, name: str, hierarchies: Mapping[str, Hierarchy]) -> IntArray:
    """Return the least levels, (a,), at which a recipient knows the attributes, or may learn them."""
    tops = {one: of.levels - 1 for one, of in hierarchies.items()}
    least = scenario.recipients[name].levels_known(tops, learned=True)
    levels: IntArray = sealed([least[one] for one in hierarchies], np.int64)
    return levels


def attribute_weights(scenario: Scenario) -> dict[str, float]:
    """Return attribute -> its weight in the information loss."""
    return {name: attribute.weight for name, attribute in scenario.attributes.items()}


def compile_data(scenario: Scenario, coded: CodedTables) -> CompiledData:
    """Compile the data of a scenario."""
    data = CompiledData.compile(
        coded.hierarchies,
        weights=attribute_weights(scenario),
        profiles=coded.profiles,
        population=coded.population,
        own=coded.own,
    )
    refuse_combinations(scenario, data.lattice.features)
    return data


def build_instance(scenario: Scenario, data: CompiledData) -> Instance:
    """Return the instance for the games of a scenario."""
    return Instance.of(data, Payoffs.of(scenario.payoffs, scenario.recipients), scenario.recipients)


def count_unmatched(data: CompiledData) -> int:
    """Return how many records, or people, match no one as they are, whatever their treatment by the scenario."""
    if data.population.unmatched == "error":
        return 0
    if data.population.unmatched == "unique":
        data = replace(data, population=replace(data.population, unmatched="safe")).uncounted()
    return int(data.profiles.records[data.unmatched()].sum())


def count_unmatched_by_recipient(data: CompiledData) -> dict[str, int]:
    """Return recipient -> how many records, or people, match no one in its own population, if these are safe."""
    safe = [name for name, one in data.own.items() if one.unmatched == "safe"]
    return {name: int(data.profiles.records[data.unmatched(name)].sum()) for name in safe}


def log_sizes(data: CompiledData, persons: Persons | None) -> None:
    """Log the size of a question; ``persons`` is None if each record is a person."""
    profiles, lattice, people = data.profiles, data.lattice, data.population.size
    records = int(profiles.records.sum()) if persons is None else persons.records
    _LOG.info("%d records, %d profiles; population of %d", records, profiles.count, people)
    if persons is not None:
        _LOG.info("the records are of %d people, of whom %d have several", persons.count, persons.with_several)
    levels = ", ".join(f"{name} {hierarchy.levels}" for name, hierarchy in data.hierarchies.items())
    _LOG.info("lattice of %d strategies; levels: %s", lattice.size, one_line(levels))
    _LOG.debug("people who match are counted by %s", type(data.counts).__name__)


def log_doubts(
    *, unmatched: int, repeated_keys: Sequence[RepeatedKey], unlisted: Mapping[str, int], estimated: bool
) -> None:
    """Log the facts of the data that the reader of an answer needs."""
    if unmatched:
        _LOG.warning("%d records match no one in the population", unmatched)
    for key in repeated_keys:
        column = "a dropped column" if key.column is None else f"column {quoted(key.column)}"
        _LOG.warning("%s may be a person's key: %d rows, %d values read", one_line(column), key.rows, key.values)
    for name, rows in unlisted.items():
        _LOG.warning("column %s: %d rows have values that its hierarchy does not list", one_line(quoted(name)), rows)
    if estimated:
        _LOG.warning("the numbers of people who match are estimates")
