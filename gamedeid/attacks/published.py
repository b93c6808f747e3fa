"""Read a folder of results for simulated attacks: the release as published, the people, and the truth."""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.candidates import NO_PERSON, find_rows
from gamedeid.attacks.labels import UNKNOWN_TEXT, PublishedTexts
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.errors import InvalidDataError, InvalidScenarioError, OutputError, quoted
from gamedeid.file_identity import InputFile, Inputs
from gamedeid.generalization.readings import as_text
from gamedeid.reprs import frozen
from gamedeid.results.manifest import MANIFEST
from gamedeid.results.stored import RELEASE, STRATEGIES
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.attributes import AttributeLabels
from gamedeid.verification.claims import Claims, compare_scenarios, find_inputs, read_claims
from gamedeid.verification.evidence import Evidence, read_evidence
from gamedeid.verification.findings import CheckLog, InputState
from gamedeid.verification.people import People, rows_by_levels
from gamedeid.verification.recipients import played_stakes
from gamedeid.verification.tables import Strategies, column_of, read_columns, read_output, strategies_of


@frozen(eq=False)
class Published:
    """A release and the world that it was made in.

    The recipients see ``texts`` and the people; the rest serves to judge them and to compute the formulas.

    Parameters
    ----------
    texts : (n, a) number of the text of each attribute in each released row; ``UNKNOWN_TEXT`` for an unknown one.
    values : (n, a) number of the record's own value of each attribute.
    cell : (n,) row of the people who have these values; ``NO_PERSON`` if there are none.
    levels : (n, a) of the strategy that is stated for the record.
    attacked : (n,) whether the record is stated to be attacked.
    success : (n,) stated chance that an attack finds its person.
    records : how many records there are, the withheld ones included.
    people : the people that the adversary can look up, in rows of distinct values.
    evidence : the data of records, people and hierarchies.
    notes : notes for the reader of the results, a line each.
    inputs : the files of the release and of the people, as they were before they were read.
    total : how many people there are; ``people`` has a person once for each class of earlier releases.
    person : (n,) number of the person behind each row in a register, negative if not in it; None if persons are drawn.
    """

    claims: Claims
    scenario: Scenario
    labels: Sequence[PublishedTexts]
    texts: IntArray
    values: IntArray
    cell: IntArray
    levels: IntArray
    attacked: BoolArray
    success: FloatArray
    records: int
    attributes: Sequence[AttributeLabels]
    people: People
    evidence: Evidence
    current_scenario: Scenario
    notes: Sequence[str]
    inputs: Inputs
    total: int
    person: IntArray | None

    @property
    def rows(self) -> int:
        """Return how many rows were released, n."""
        return len(self.texts)

    @property
    def judged(self) -> BoolArray:
        """Return which rows, (n,), are those of a person in the population; guesses for others cannot be judged."""
        known: BoolArray = (self.cell if self.person is None else self.person) != NO_PERSON
        return known

    @property
    def row_levels(self) -> IntArray:
        """Return the level, (n, a), at which a recipient reads each text: the lowest that has it."""
        return np.stack([one.levels[self.texts[:, place]] for place, one in enumerate(self.labels)], axis=1)

    @property
    def row_labels(self) -> IntArray:
        """Return the number, (n, a), of each label at that level; negative for an unknown text."""
        found = np.stack([one.numbers[self.texts[:, place]] for place, one in enumerate(self.labels)], axis=1)
        found[self.texts == UNKNOWN_TEXT] = UNKNOWN_TEXT
        return found


def read_published(folder: Path, scenario: Scenario | None, identity: str | None) -> Published:
    """Read a folder of results and its inputs.

    Parameters
    ----------
    scenario : gives the paths of the inputs (default: the folder's own, with paths from the current folder).
    identity : column in which records and register name each person; None: the person behind a row is drawn.
    """
    notes = CheckLog()
    claims = read_claims(folder, notes)
    if claims.scenario is None or not claims.stored.is_run:
        raise OutputError(f"{folder} holds no results of a run: attacks need its release and its strategies")
    refuse_unsupported(Operation.ATTACK, claims.scenario.features)
    if identity is not None:
        refuse_unsupported(Operation.SIMULATED_MORE, claims.scenario.features)
    if "records" not in claims.stored.input_digests:
        raise InvalidDataError(f"{folder}: its records were a data frame, and attacks need them; run again from a file")
    current_scenario = scenario or claims.scenario
    if scenario is not None:
        compare_scenarios(claims, scenario, notes)
    files = _input_files(claims, current_scenario)
    inputs = {
        name: _accept_existing(name, state, current_scenario)
        for name, state in find_inputs(claims, current_scenario, notes).items()
    }
    faults = [f"{one.file}: {one.says.partition(': expected')[0]}" for one in notes.findings]
    found = CheckLog()
    evidence = read_evidence(claims, claims.scenario, current_scenario, inputs, found)
    _refuse(found)
    attributes, total = evidence.attributes, evidence.total
    if attributes is None or evidence.records is None or evidence.people is None or total is None:
        raise InvalidDataError(f"attacks need records, people and hierarchies: {_first_reason(found)}")
    labels = [PublishedTexts.of(one) for one in attributes]
    release, stated = read_output(claims, RELEASE, found), read_output(claims, STRATEGIES, found)
    strategies = None if stated is None else strategies_of(stated, list(claims.scenario.attributes), claims, found)
    _refuse(found)
    if release is None or strategies is None:
        raise OutputError(f"{folder} holds no release that can be read")
    strategies = strategies.wide(len(attributes))
    _check_levels(strategies, labels)
    of_row = strategies.released
    if strategies.records != len(evidence.records.values) or release.num_rows != len(of_row):
        raise OutputError(
            f"{folder} cannot be judged: {number_of(len(evidence.records.values), 'record')}, "
            f"{number_of(strategies.records, 'strategy')} of which {len(of_row):,} release a record, and "
            f"{number_of(release.num_rows, 'released row')}"
        )
    texts = _read_texts(claims, labels[: len(claims.scenario.attributes)], release)
    if evidence.earlier is not None:  # the recipient has the earlier rows
        texts = np.concatenate([texts, evidence.earlier.of_record[of_row, None]], axis=1)
    people = evidence.people.living()
    values = evidence.records.values[of_row]
    return Published(
        claims=claims,
        scenario=claims.scenario.model_copy(update={"payoffs": played_stakes(claims.scenario)}),
        labels=labels,
        texts=texts,
        values=values,
        cell=find_rows(values, people),
        levels=strategies.levels[of_row],
        attacked=strategies.outcomes["attacked"][of_row],
        success=strategies.outcomes["success_probability"][of_row],
        records=strategies.records,
        attributes=attributes,
        people=people,
        evidence=evidence,
        current_scenario=current_scenario,
        notes=faults,
        inputs=files,
        total=total,
        person=None
        if identity is None
        else persons_by_identity(identity, current_scenario, labels, people, evidence.records.values)[of_row],
    )


def _input_files(claims: Claims, current_scenario: Scenario) -> Inputs:
    """Return the files that are read, by their names in the manifest."""
    paths = {
        name: claims.stored.folder / name
        for name in (MANIFEST, *claims.stored.parts(RELEASE), *claims.stored.parts(STRATEGIES))
    }
    for name, section in (("records", current_scenario.records), ("population", current_scenario.population)):
        if section is not None and section.path is not None:
            paths[name] = current_scenario.folder / section.path
    return Inputs(files={name: InputFile.at(path) for name, path in paths.items()})


def _accept_existing(name: str, state: InputState, scenario: Scenario) -> InputState:
    """Return "equal" for an input that exists, which is read even if it differs from the manifest's."""
    if state == "absent":
        section = scenario.population if name == "population" else scenario.records
        hint = "; give the scenario, which says where it is" if section is not None else ""
        raise InvalidDataError(f"attacks need the input {quoted(name)}, and it is not there{hint}")
    return "equal"


def _refuse(notes: CheckLog) -> None:
    if notes.findings:
        raise InvalidDataError(notes.findings[0].in_words())


def _first_reason(notes: CheckLog) -> str:
    return f"{notes.unchecked[0].what}: {notes.unchecked[0].why}" if notes.unchecked else "they are not there"


def _check_levels(strategies: Strategies, labels: Sequence[PublishedTexts]) -> None:
    for place, one in enumerate(labels):
        if (strategies.levels[:, place] > one.attribute.top).any():
            raise OutputError(
                f"the strategies state levels of {quoted(one.attribute.name)} that its hierarchy does not have"
            )


def _read_texts(claims: Claims, labels: Sequence[PublishedTexts], release: pa.Table) -> IntArray:
    columns = []
    for one in labels:
        name = one.attribute.name
        written = claims.stored.published(name)
        if release.column_names.count(written) != 1:
            found = "several columns" if written in release.column_names else "no column"
            raise OutputError(f"the release has {found} {quoted(name)}, which is an attribute: expected one")
        texts = one.read(column_of(release.column(written)), claims.stored.published)
        if one.ambiguous[texts[texts != UNKNOWN_TEXT]].any():
            raise InvalidScenarioError(
                f"attribute {quoted(name)} is released with labels that mean other groups at other levels: "
                "a recipient cannot know the group"
            )
        columns.append(texts)
    return np.stack(columns, axis=1)


def persons_by_identity(
    identity: str, scenario: Scenario, labels: Sequence[PublishedTexts], people: People, own: IntArray
) -> IntArray:
    """Return the number of the person of each record, (records,); negative for a person not in the register.

    Where missing values are shown, ``people`` has each person once for each set of values that a record lacks: the
    person of a record is the one without the values that the record, (records, a) ``own``, lacks.
    """
    register = scenario.population
    if register is None or register.path is None or scenario.records.path is None:
        raise InvalidScenarioError("identity needs the records and the population as files")
    if register.count is not None:
        raise InvalidScenarioError(
            "identity needs a register with a row for each person, not a population with a count"
        )
    missing, names = scenario.records.missing_values, list(scenario.attributes)
    records_path, register_path = scenario.folder / scenario.records.path, scenario.folder / register.path
    places = _rows_of_persons(records_path, read_columns(records_path, scenario.records, [identity]), identity, missing)
    table = read_columns(register_path, register, [*names, identity])
    values = np.stack(
        [one.attribute.values_at(column_of(table.column(one.attribute.name), missing)) for one in labels], axis=1
    )
    known = _rows_of_persons(register_path, table, identity, missing)
    row = np.array([known.get(key, NO_PERSON) for key in places], np.int64)
    found = np.full(len(row), NO_PERSON)
    gaps = (own == [one.attribute.missing for one in labels]) & [
        one.attribute.hierarchy.shows_missing for one in labels
    ]
    for pattern, rows in rows_by_levels(gaps.astype(np.int64)):
        in_register = rows[row[rows] != NO_PERSON]
        cell = find_rows(np.where(pattern, own[rows[0]], values), people)
        before = np.argsort(np.argsort(cell, kind="stable")) - np.searchsorted(np.sort(cell), cell)
        found[in_register] = (people.first[cell] + before)[row[in_register]]  # every row of the register is one person
    return found


def _rows_of_persons(path: Path, table: pa.Table, identity: str, missing: Collection[str]) -> dict[str, int]:
    """Return person -> row of the person in a file."""
    column = column_of(table.column(identity), missing)
    if (column.codes < 0).any():
        raise InvalidDataError(f"{path}: the column of identities has no value in some rows")
    names = [as_text(one) for one in column.values]
    if len(set(names)) < len(column.codes):
        raise InvalidDataError(f"{path}: the column of identities names a person in several rows")
    return {names[place]: row for row, place in enumerate(column.codes.tolist())}
