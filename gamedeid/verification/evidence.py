"""The evidence for a verification: records, population and hierarchies, each if it has the manifest's digest."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.data.engines.options import IN_MEMORY
from gamedeid.data.tables import AttributeTable, read_population, read_records
from gamedeid.errors import GamedeidError
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import kept_knowledge, own_population
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population, Records
from gamedeid.verification.attributes import NO_LABEL, AttributeLabels, read_attributes
from gamedeid.verification.claims import Claims
from gamedeid.verification.earlier import EARLIER_CHECKS, ClassesOfPeople, classes_of_people
from gamedeid.verification.findings import CheckLog, InputState
from gamedeid.verification.people import People
from gamedeid.verification.tables import column_of


@frozen(eq=False)
class OriginalRecords:
    """The original records of a release.

    Parameters
    ----------
    names : their columns without the dropped ones, in order.
    values : (n, a) number of the value of each attribute.
    kept : name -> its column, (n,).
    persons : (n,) number of each record's person; None if each record is a person.
    standing : (n, a) number of the value for all records of the person: the record's value if they agree.
    floors : (n, a) least level at which the records of the person agree.
    unlisted : attribute -> number of records with a value that its hierarchy does not list, and puts into a group.
    known : kept column that a recipient knows -> (n,) number of the value; missing ones have a number too.
    """

    names: list[str]
    values: IntArray
    kept: Mapping[str, pa.ChunkedArray]
    persons: IntArray | None
    standing: IntArray
    floors: IntArray
    unlisted: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, IntArray] = field(default_factory=dict)

    def among(self, classes: ClassesOfPeople) -> "OriginalRecords":
        """Return the same with the class of each record as the value of one more attribute, which is known in full."""
        own = classes.of_record[:, None]
        return replace(
            self,
            values=np.concatenate([self.values, own], axis=1),
            standing=np.concatenate([self.standing, own], axis=1),
            floors=np.concatenate([self.floors, np.zeros_like(own)], axis=1),
        )

    @property
    def first(self) -> IntArray:
        """Return the number of the first record of each person, (p,)."""
        if self.persons is None:
            return np.arange(len(self.values))
        return np.unique(self.persons, return_index=True)[1]

    def people(self, known: Sequence[str] = ()) -> People:
        """Return those of the records; their values of these kept columns are known in full."""
        first: IntArray = self.first
        one_each = np.ones(len(first), np.int64)
        own = [numbers[first, None] for name, numbers in self.known.items() if name in known]
        values = np.concatenate([self.standing[first], *own], axis=1)
        floors = np.concatenate([self.floors[first], *(np.zeros_like(one) for one in own)], axis=1)
        return People.of(values, one_each, {}, "error", floors=floors)

    @property
    def profiles(self) -> IntArray:
        """Return the game's input for each record: its values, least levels, and known kept values."""
        kept = [numbers[:, None] for numbers in self.known.values()]
        return np.concatenate([self.standing, self.floors, *kept], axis=1)


@frozen(eq=False)
class Evidence:
    """The evidence of a verification.

    Parameters
    ----------
    known_attributes : the attributes whose hierarchies are there.
    attributes : all attributes, in order; None if a hierarchy is missing. After earlier releases the last one, if
        known, has the classes of people that these distinguish, also in records and people.
    records : the records of the release; None if missing.
    people : the people whom the adversary can look up; None if missing, or only estimated.
    population_rows : number of rows of the population's table; None for no table.
    total : number of people in it; None if they are not counted.
    earlier : the classes of people that earlier releases distinguish; None if not known, or for no earlier release.
    own : name of a recipient -> the people whom it can look up, for each recipient with another population, if all are
        there; for each who knows kept columns, the records, with these columns after the attributes.
    """

    scenario: Scenario
    known_attributes: Mapping[str, AttributeLabels]
    attributes: Sequence[AttributeLabels] | None
    records: OriginalRecords | None
    people: People | None
    population_rows: int | None
    total: int | None
    earlier: ClassesOfPeople | None
    own: Mapping[str, People]

    @property
    def classes_are_known(self) -> bool:
        """Whether records that look alike here are alike for the game; false if earlier rows are not known."""
        return self.scenario.earlier is None or self.earlier is not None

    def with_kept(
        self, attributes: Sequence[AttributeLabels], levels: IntArray, values: IntArray, rows: IntArray
    ) -> tuple[Sequence[AttributeLabels], IntArray, IntArray]:
        """Return the same with the kept columns that recipients know, as attributes that are never generalized.

        Parameters
        ----------
        levels, values : (k, a) levels, and numbers of values or labels.
        rows : (k,) number of the record of each.
        """
        for name, numbers in ({} if self.records is None else self.records.known).items():
            attributes = [*attributes, AttributeLabels.fixed(name, numbers)]
            levels = np.pad(levels, ((0, 0), (0, 1)))
            values = np.concatenate([values, numbers[rows, None]], axis=1)
        return attributes, levels, values


def read_evidence(
    claims: Claims, claimed: Scenario, current_scenario: Scenario, inputs: Mapping[str, InputState], log: CheckLog
) -> Evidence:
    """Read the inputs; a missing input, or one that does not match the manifest, is noted as unchecked.

    Parameters
    ----------
    inputs : name of an input -> whether it has the manifest's digest.
    """
    section, needed = claimed.population, list(claimed.attributes)
    wanted: dict[str, Sequence[str]] = {"records": needed}
    if section is not None and section.sampling_fraction is None:
        wanted["population"] = needed
    for name, recipient in claimed.recipients.items():
        if recipient.population is not None:
            wanted[own_population(name)] = recipient.attributes_known(needed)
    read = {name: _read(name, known, claimed, current_scenario, inputs, log) for name, known in wanted.items()}
    known_attributes = read_attributes(claimed, current_scenario, inputs, read, log)
    attributes = [known_attributes[name] for name in needed] if len(known_attributes) == len(needed) else None
    records, population = read["records"], read.get("population")
    original = None if attributes is None or records is None else _original(records, claimed, attributes, log)
    people = None
    if section is None and not _is_own_population(claims):
        log.skip("the people who match", "the population came as a data frame")
    elif section is None and original is not None:
        people = original.people()
    elif section is not None and section.sampling_fraction is not None:
        log.skip("the people who match", "they are estimated from a sample, and estimates are not recomputed")
    elif section is not None and population is not None and attributes is not None:
        people = _people("population", population, section, attributes, log)
    total = None if people is None else people.total
    if people is not None and section is not None and claimed.records.missing == "show" and attributes is not None:
        people = None if original is None else _with_patterns(people, original, attributes, log)
    evidence = Evidence(
        scenario=claimed,
        known_attributes=known_attributes,
        attributes=attributes,
        records=original,
        people=people,
        population_rows=None if population is None else population.total_rows,
        total=total,
        earlier=None,
        own={}
        if attributes is None
        else _own_lists(claimed, read, attributes, None if people is None else original, log),
    )
    return evidence if claimed.earlier is None else _with_classes(evidence, current_scenario, inputs, log)


def _with_classes(
    found: Evidence, current_scenario: Scenario, inputs: Mapping[str, InputState], log: CheckLog
) -> Evidence:
    """Return the same with the classes of people that earlier releases distinguish; without people if unknown."""
    if found.attributes is None or found.records is None:
        log.skip(EARLIER_CHECKS, "records or hierarchies are not there", first=True)
        return replace(found, people=None)
    classes = classes_of_people(found.scenario, current_scenario, inputs, found.attributes, found.records.values, log)
    if classes is None:
        return replace(found, people=None)
    records, people = found.records.among(classes), found.people
    if people is not None:
        people = records.people() if found.scenario.population is None else classes.people(people)
        if people is None:
            log.skip(EARLIER_CHECKS, "earlier rows match too many rows of the population together", first=True)
    attributes = [*found.attributes, classes.attribute]
    return replace(found, attributes=attributes, records=records, people=people, earlier=classes)


def _own_lists(
    claimed: Scenario,
    read: Mapping[str, AttributeTable | None],
    attributes: Sequence[AttributeLabels],
    records: OriginalRecords | None,
    log: CheckLog,
) -> dict[str, People]:
    """Return the people of recipients with another population, and the records for those who know kept columns."""
    own: dict[str, People] = {}
    for name, recipient in claimed.recipients.items():
        table, listed = read.get(own_population(name)), recipient.population
        if table is not None and listed is not None:
            found = _people(own_population(name), table, listed, attributes, log)
            own |= {} if found is None else {name: found}
    if records is not None:
        for name, columns in kept_knowledge(claimed.recipients, claimed.records.keep).items():
            own[name] = records.people(columns)
            log.did(f"the records that share the kept values known to the recipient {name}")
    return own


def _is_own_population(claims: Claims) -> bool:
    """Return whether the records are their own population by the summary: a data frame may have been handed over."""
    data = claims.summary.get("data")
    return not isinstance(data, Mapping) or data.get("population_is_the_records") is not False


def _read(
    name: str,
    attributes: Sequence[str],
    claimed: Scenario,
    current_scenario: Scenario,
    inputs: Mapping[str, InputState],
    log: CheckLog,
) -> AttributeTable | None:
    """Return an input table by its name, with these attributes; None unless it has the manifest's digest."""
    section, place = claimed.table_sections[name], current_scenario.table_sections.get(name)
    if section is None or place is None or place.path is None or inputs.get(name) != "equal":
        why = {"changed": "the file is another than the manifest's", "absent": "the file is not there"}
        log.skip(f"checks that need the {name}", why.get(str(inputs.get(name)), "no file of it is named"))
        return None
    here = section.model_copy(update={"path": place.path})
    asked = claimed.model_copy(update={"folder": current_scenario.folder})
    try:
        if isinstance(here, Records):
            return read_records(asked.model_copy(update={"records": here}), read_options=IN_MEMORY)
        return read_population(asked, here, read_options=IN_MEMORY, attributes=attributes, place=name)
    except (GamedeidError, pa.ArrowException):  # without the error's words, which may name dropped columns
        log.find(name, "cannot be read as the scenario says; a run with this scenario says why")
        return None


def _original(
    read: AttributeTable, claimed: Scenario, attributes: Sequence[AttributeLabels], log: CheckLog
) -> OriginalRecords | None:
    values = np.stack([one.values_at(read.columns[one.name]) for one in attributes], axis=1)
    for place, one in enumerate(attributes):
        if log.find_rows("records", one.name, values[:, place] == NO_LABEL, "has a value that its hierarchy lacks"):
            return None
        missing = values[:, place] == one.missing
        if claimed.records.missing == "error" and log.find_rows("records", one.name, missing, "has no value"):
            return None
    rows: Any = read.rows  # records have these columns
    table, persons = rows.rows_in_memory(), read.person_of_row
    kept = {name: table.column(name) for name in claimed.records.keep}
    try:
        known = {
            name: column_of(kept[name], claimed.records.missing_values).codes.astype(np.int64) + 1
            for columns in kept_knowledge(claimed.recipients, claimed.records.keep).values()
            for name in columns
        }
    except GamedeidError as error:
        log.find("records", f"cannot be read as the scenario says: {error}")
        return None
    standing, floors = (
        (values, np.zeros_like(values)) if persons is None else agreed_values(attributes, values, persons)
    )
    return OriginalRecords(
        names=table.column_names,
        values=values,
        kept=kept,
        persons=persons,
        standing=standing,
        floors=floors,
        unlisted={one.name: one.count_unlisted(read.columns[one.name]) for one in attributes},
        known=known,
    )


def _people(
    name: str, read: AttributeTable, section: Population, attributes: Sequence[AttributeLabels], log: CheckLog
) -> People | None:
    """Return the people of a table; all have the same value of an attribute that it lacks."""
    known = {name: level for name, level in section.levels.items() if level}
    values: IntArray = np.zeros((len(read.people), len(attributes)), np.int64)
    for place, one in enumerate(attributes):
        if one.name in read.columns:
            values[:, place] = one.values_at(read.columns[one.name], known.get(one.name, 0))
        if log.find_rows(name, one.name, values[:, place] == NO_LABEL, "has a value that its hierarchy lacks"):
            return None
    if known and name == "population":
        log.skip("people at finer levels than the population has", "they are estimates, which are not recomputed")
    return People.of(values, read.people, known, section.unmatched)


def _with_patterns(
    people: People, records: OriginalRecords, attributes: Sequence[AttributeLabels], log: CheckLog
) -> People | None:
    """Return people once for each set of values that a record lacks: the recipient does not know a person's set."""
    missing = np.array([one.missing for one in attributes])
    for place, one in enumerate(attributes):
        if log.find_rows("population", one.name, people.values[:, place] == missing[place], "has no value"):
            return None
    patterns = np.unique(records.values == missing, axis=0)
    values = np.concatenate([np.where(pattern, missing, people.values) for pattern in patterns])
    return People.of(values, np.tile(people.counts, len(patterns)), people.known, people.unmatched)


def agreed_values(
    attributes: Sequence[AttributeLabels], values: IntArray, persons: IntArray
) -> tuple[IntArray, IntArray]:
    """Return for each record the values for its person's records, and the least levels at which they agree.

    If the records of a person differ, the first value of the group in which they agree is used for all of them.

    Parameters
    ----------
    values : (n, a) number of the value of each attribute.
    persons : (n,) number of each record's person.

    Returns
    -------
    (n, a) values, and (n, a) levels.
    """
    standing, floors = values.copy(), np.zeros(values.shape, np.int64)
    count = int(persons.max(initial=-1)) + 1
    for place, attribute in enumerate(attributes):
        differ = np.ones(count, np.bool_)
        for level in range(attribute.top + 1):
            labels = attribute.label_numbers[level][values[:, place]]
            least, most = np.full(count, attribute.missing + 1), np.full(count, -2)
            np.minimum.at(least, persons, labels)
            np.maximum.at(most, persons, labels)
            rows = (differ & (least == most))[persons]
            differ &= least != most
            if level > 0:
                floors[rows, place] = level
                standing[rows, place] = np.searchsorted(attribute.label_numbers[level][:-1], labels[rows])
    return standing, floors
