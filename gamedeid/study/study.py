"""A scenario with its data: the input of games and releases."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, cast

import pyarrow as pa

from gamedeid.arrays import IntArray
from gamedeid.capabilities import Feature, Features, Operation, refuse_unsupported
from gamedeid.choices import GameName
from gamedeid.data.columns import is_missing, to_column
from gamedeid.data.encode import codes_of, count_unlisted, encode, leaves_of_values
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.data.engines.rows import ReadRows, Rows
from gamedeid.data.persons import Persons, RepeatedKey
from gamedeid.data.profiles import Column, ProfileFinder, Profiles
from gamedeid.data.question_tables import read_tables
from gamedeid.data.roles import refuse_unstated_roles
from gamedeid.data.tables import read_records
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.file_identity import Inputs
from gamedeid.game.instance import Instance
from gamedeid.game.policies import AppliedPolicy, compile_policy, find_restricted, policy_inputs
from gamedeid.game.rules import Game
from gamedeid.game.safe_harbor import Restricted
from gamedeid.generalization.claims import WHOLE_NUMBER
from gamedeid.generalization.levels import ROOT
from gamedeid.lazy_imports import LazyModule
from gamedeid.population.choose import CountedPopulation
from gamedeid.progress import Phases, no_progress
from gamedeid.reprs import Shown, frozen
from gamedeid.scenario.inputs import list_inputs_again, read_inputs
from gamedeid.scenario.scenario import Scenario, ScenarioLike, open_explorer, refuse_combinations
from gamedeid.scenario.shipped import scenario_of
from gamedeid.study.prepare import (
    attribute_weights,
    build_instance,
    code_tables,
    compile_data,
    count_unmatched,
    log_doubts,
    log_sizes,
    refuse_other_data,
    without_classes,
)

if TYPE_CHECKING:
    from gamedeid.game import frontier as frontiers
    from gamedeid.study.earlier import EarlierClasses
else:  # many questions need none
    frontiers = LazyModule("gamedeid.game.frontier")


@frozen(eq=False, slots=False)
class Study(Shown):
    """One question with its data, compiled.

    Parameters
    ----------
    scenario : the question.
    instance : the compiled question that the games are played on.
    rows : the records, where they are.
    population_rows : rows of the population's table; None if no population was read.
    unmatched_records : how many records, or people if they are named, match no one in the population before
        generalization; 0 in a study of one person.
    repeated_keys : columns of the records that repeat like a person's key, though each row is counted as a person.
    is_own_population : whether the records are their own population.
    inputs : the files that were read, each as it was before it was opened.
    persons : the person of each record; None if each record is a person.
    earlier : the classes of people that earlier releases distinguish; None if the recipient has no such release.
    person : in a study of one person, the ``record`` or ``values`` that name the person, as given.
    """

    shown = (
        *("scenario.title", "instance.hierarchies", "records", "people", "population_rows", "unmatched_records"),
        *("instance.profiles", "instance.lattice"),
    )

    scenario: Scenario
    instance: Instance
    rows: Rows
    is_own_population: bool
    inputs: Inputs = field(default_factory=lambda: Inputs(files={}))
    population_rows: int | None = None
    unmatched_records: int = 0
    repeated_keys: tuple[RepeatedKey, ...] = ()
    persons: Persons | None = None
    person: Mapping[str, object] = field(default_factory=dict)
    earlier: "EarlierClasses | None" = None

    @property
    def population(self) -> CountedPopulation:
        """The people that the adversary can look up."""
        return self.instance.data.population

    @property
    def people(self) -> int:
        """How many people the population has."""
        return self.population.size

    @property
    def records(self) -> int:
        """How many records there are, several of one person each counted."""
        return int(self.instance.profiles.records.sum()) if self.persons is None else self.persons.records

    @classmethod
    def prepare(
        cls,
        scenario: "ScenarioLike | Study",
        records: Any = None,
        population: Any = None,
        *,
        read_options: ReadOptions = AUTOMATIC,
        progress: Phases | None = None,
    ) -> "Study":
        """Read, check and compile the data of a scenario.

        Parameters
        ----------
        scenario : the question; or the path of its file, the name of a shipped one, or a dict with its sections. A
            prepared study is returned as it is.
        records, population : data frames to use instead of the scenario's files. Without a population of either kind
            the records are their own population.
        read_options : how files are read (default: as suits their size).
        progress : called with the name of each phase; returns its callback for (done, total).

        Raises
        ------
        GamedeidError : an input is wrong, or data are given in addition to a study.
        """
        if isinstance(scenario, Study):
            if records is not None or population is not None:
                raise InvalidScenarioError("a prepared study has its data; hand over either the study or data frames")
            return scenario
        progress = progress or no_progress
        scenario = scenario_of(scenario, reads_data=records is None)
        refuse_combinations(scenario)
        inputs, hierarchies = read_inputs(scenario, records=records is None, population=population is None)
        refuse_unstated_roles(scenario, hierarchies)
        tables = read_tables(scenario, records, population, read_options, progress)
        progress("counting people")
        coded = code_tables(scenario, hierarchies, tables)
        data = compile_data(scenario, coded)
        study = cls(
            scenario=scenario,
            instance=build_instance(scenario, data),
            rows=cast("Rows", tables.records.rows),
            is_own_population=tables.section is None,
            inputs=inputs,
            repeated_keys=tables.records.repeated_keys,
            population_rows=None if tables.population is None else tables.population.total_rows,
            unmatched_records=count_unmatched(data),
            persons=coded.persons,
            earlier=coded.earlier,
        )
        inputs.check()
        log_sizes(data, study.persons)
        log_doubts(
            unmatched=study.unmatched_records,
            repeated_keys=study.repeated_keys,
            unlisted=data.profiles.unlisted,
            estimated=data.population.estimate is not None,
        )
        return study

    def __reduce__(self) -> NoReturn:
        """Refuse a pickle, which would hold the rows of the records."""
        raise InvalidScenarioError(
            "a study is not pickled, and neither is a solution or a fitted transformer, because they hold the rows of "
            "the records: pickle the scenario or an unfitted clone, and prepare or fit it where it is loaded"
        )

    def __deepcopy__(self, memo: object = None) -> "Study":
        """Return the study itself, which does not change: also as the copy of what holds it."""
        return self

    __copy__ = __deepcopy__

    @cached_property
    def restricted(self) -> Restricted:
        """The rule for three-digit ZIP prefixes that Safe Harbor may not publish."""
        return find_restricted(self.scenario, self.instance.hierarchies, self.population.cells)

    def policy(self, name: str) -> AppliedPolicy:
        """Return a policy's strategy for every profile.

        Parameters
        ----------
        name : "safe-harbor", "limited-data-set" or one of the scenario's own.

        Raises
        ------
        InvalidScenarioError : there is no such policy, or it asks for levels or values that a hierarchy does not have.
        """
        compiled = compile_policy(name, self.scenario, self.instance.hierarchies, self.restricted)
        return compiled.apply(self.instance.profiles)

    @cached_property
    def scenario_policy(self) -> AppliedPolicy:
        """The policy that the scenario compares with; its levels are the floor of the sh-friendly game."""
        scenario = self.scenario
        key = ("policy", str(scenario.folder), repr(policy_inputs(scenario)))
        return self.instance.data.memoized(key, lambda: self.policy(scenario.floor))

    def game(self, name: GameName) -> Game:
        """Return one of the three games on this study's profiles; ``name`` is "basic", "no-attack" or "sh-friendly"."""
        return Game.of(name, self.instance, self.scenario_policy.levels)

    @property
    def features(self) -> Features:
        """Features of the scenario and of its data that an operation may refuse."""
        found = {**self.scenario.features, **self.instance.lattice.features}
        if not self.is_own_population:
            found.pop(Feature.SELF, None)
            if self.instance.profiles.floors is not None:
                found[Feature.DIFFERING_ROWS] = "records.person"
        else:
            found[Feature.SELF] = "population"
        if self.person:
            found[Feature.PERSON] = "person"
        return {**found, **self.rows.features}

    def frontier(self, name: GameName) -> "frontiers.Frontier":
        """Return the strategies that can be best under any stakes in the game of this ``name``, compiled once.

        Raises
        ------
        InvalidScenarioError : there are limits on the whole dataset, on which the answer to other stakes depends too,
            or more strategies than tables can hold.
        """
        refuse_unsupported(Operation.OTHER_STAKES, self.features)
        return frontiers.Frontier.of(self.instance, self.game(name).floors)

    def without_earlier(self) -> "Study":
        """Return the same question with the same data for a recipient without earlier releases.

        Raises
        ------
        InvalidScenarioError : as :meth:`prepare` does, for the parts that are compiled anew.
        """
        if self.earlier is None:
            return self
        scenario, data = self.scenario.model_copy(update={"earlier": None}), self.instance.data
        compiled = compile_data(scenario, without_classes(data, self.earlier))
        return replace(
            self,
            scenario=scenario,
            instance=build_instance(scenario, compiled),
            earlier=None,
            unmatched_records=count_unmatched(compiled),
        )

    def encoded(self, columns: Mapping[str, Column]) -> IntArray:
        """Return the leaf codes, (k, a), of columns of the attributes.

        Parameters
        ----------
        columns : attribute -> its values, (k,) each.

        Raises
        ------
        InvalidDataError : values that are missing where none may be, or that a hierarchy lacks.
        """
        return encode(
            columns, self.instance.hierarchies, table_name="records", allow_missing=self.scenario.records.may_be_missing
        )

    def codes_of_rows(self, table: pa.Table) -> IntArray:
        """Return the leaf codes, (n, a), of rows of the records, each row separately even if a person has several.

        Parameters
        ----------
        table : attributes and kept columns of n rows, as they were read.

        Raises
        ------
        InvalidDataError : as :meth:`encoded` does.
        """
        return self.encoded(self.attribute_columns(table))

    def attribute_columns(self, table: pa.Table) -> dict[str, Column]:
        """Return attribute -> its values, (k,), in k rows of the records.

        Parameters
        ----------
        table : attributes and kept columns of the rows, as they were read.

        Raises
        ------
        InvalidDataError : a column has values of a kind that no attribute has.
        """
        missing = self.scenario.records.missing_values
        return {name: to_column(table.column(name), name, "records", missing) for name in self.instance.hierarchies}

    @property
    def is_by_row(self) -> bool:
        """Whether a record's profile does not follow from its attributes alone, but from its person or its class."""
        of_person = self.persons is not None or bool(self.person)
        return of_person or any(one.is_fixed for one in self.instance.data.hierarchies.values())

    def profiles_of(self, columns: Mapping[str, Column]) -> IntArray:
        """Return the profiles, (k,), of records given as ``columns`` of the attributes, as for :meth:`encoded`.

        Raises
        ------
        InvalidDataError : as :meth:`encoded` does.
        InvalidScenarioError : persons may have several records, and a single record does not determine the profile.
        """
        refuse_unsupported(Operation.ONE_PROFILE, self.features)
        names, allowed = list(self.instance.hierarchies), self.scenario.records.may_be_missing
        leaves = leaves_of_values(columns, self.instance.hierarchies, table_name="records", allow_missing=allowed)
        return self._finder.find([leaves[name] for name in names], [columns[name].codes for name in names])

    @cached_property
    def _finder(self) -> ProfileFinder:
        bases = [len(hierarchy.leaves) + 1 for hierarchy in self.instance.hierarchies.values()]
        return ProfileFinder(self.instance.profiles.codes, bases)

    def with_scenario(self, scenario: Scenario) -> "Study":
        """Return the same question with other stakes, weights or another policy: nothing is read or counted again.

        Parameters
        ----------
        scenario : that of this study, with any changes except to the keys that decide which data are read and counted:
            ``records``, ``population``, ``earlier``, the recipients' own populations and known kept columns, and the
            attributes with their hierarchies.

        Raises
        ------
        GamedeidError : it needs other data, a file of its policy cannot be read, or the weights leave nothing to lose.
        """
        refuse_other_data(self.scenario, scenario)
        data = self.instance.data.with_weights(attribute_weights(scenario))
        instance = build_instance(scenario, data)
        inputs, same = self.inputs, policy_inputs(scenario) == policy_inputs(self.scenario)
        if not same:
            refuse_unstated_roles(scenario, instance.hierarchies)
        if not same or scenario.file not in (None, self.scenario.file):
            inputs = list_inputs_again(inputs, scenario, instance.hierarchies)
        return replace(self, scenario=scenario, instance=instance, inputs=inputs)

    explore = open_explorer

    def alone(self, *, record: int | None = None, values: Mapping[str, object] | None = None) -> "Study":
        """Return the same question about one person only, in the same population.

        If a person has several records, the study is about the person with all of them; a release has the named row.

        Parameters
        ----------
        record : its number, from 0, as in ``strategies.csv``.
        values : or attribute -> value, written as in the data, of a person who may have no record; ``*``, too, is a
            missing value, if the scenario suppresses these. The kept columns are then unknown.

        Raises
        ------
        InvalidScenarioError : both, neither, no such record, values that are not one for each attribute, limits on the
            whole dataset, or a recipient who knows kept columns; of values also earlier releases, or missing values
            that are shown; of a record's number also a lazy frame.
        UnmatchedRecordError : the values match no one in the population, and ``population.unmatched`` is "error".
        """
        refuse_unsupported(Operation.ONE_RECORD if values is None else Operation.ONE_PERSON, self.features)
        hierarchies = self.instance.hierarchies
        if (record is None) == (values is None):
            raise InvalidScenarioError("one person is named by either a record's number or values; give one of them")
        if values is not None:
            section = self.scenario.records
            values = {name: ROOT if is_missing(one, section.missing_values) else one for name, one in values.items()}
            codes = codes_of(values, hierarchies, allow_missing=section.may_be_missing)
            table = pa.table({name: [None if values[name] == ROOT else str(values[name])] for name in hierarchies})
            floors = None
        else:
            last, known = self.records - 1, self.instance.profiles
            if not WHOLE_NUMBER.holds(record) or not 0 <= (number := int(record or 0)) <= last:
                raise InvalidScenarioError(f"there is no record {quoted(record)}; they are numbered from 0 to {last}")
            table = self.rows.row(number)
            which = int(known.of_record[number]) if self.is_by_row else None
            codes = self.codes_of_rows(table)[0] if which is None else known.codes[which]
            floors = None if which is None or known.floors is None else known.floors[which]
        profiles = Profiles.of(codes[None, :], list(self.instance.data.hierarchies.values()))
        if floors is not None:
            profiles = replace(profiles, floors=floors[None, :], unit="person")
        person = {"record": record} if values is None else {"values": dict(values)}
        return self._about(profiles, ReadRows(source=table), persons=None, person=person)

    def of_rows(self, records: Any) -> "Study":
        """Return the same question about other rows, in the same population and with the same hierarchies.

        Parameters
        ----------
        records : a data frame with the columns of the scenario's records.

        Raises
        ------
        GamedeidError : a strategy depends on all rows, or these rows are wrong.
        """
        refuse_unsupported(Operation.OTHER_ROWS, self.features)
        table = read_records(self.scenario, records)
        codes, hierarchies = self.encoded(table.columns), list(self.instance.data.hierarchies.values())
        unlisted = count_unlisted(table.columns, self.instance.hierarchies, table.counted)
        profiles = replace(Profiles.of(codes, hierarchies, table.counted), unlisted=unlisted)
        return self._about(profiles, cast("Rows", table.rows), repeated_keys=table.repeated_keys)

    def _about(self, profiles: Profiles, rows: Rows, **changes: Any) -> "Study":
        """Return the same question about other profiles and their rows; refuse profiles that match no one, if asked."""
        instance = self.instance.for_profiles(profiles)
        instance.data.check_matches()
        return replace(self, instance=instance, rows=rows, unmatched_records=0, **changes)
