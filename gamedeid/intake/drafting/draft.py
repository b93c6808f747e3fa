"""The draft of a scenario for a file: the part of each column, and the files that state it."""

import logging
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, get_args

from gamedeid.amounts import joined
from gamedeid.choices import OUTCOMES
from gamedeid.data.column_names import holds_birth_years
from gamedeid.errors import (
    InvalidDataError,
    InvalidScenarioError,
    OutputError,
    listed,
    quoted,
    refuse_unknown,
)
from gamedeid.intake.drafting.levels import KINDS, DraftedHierarchy, HierarchyRequest, NoHierarchy, draft_hierarchy
from gamedeid.intake.drafting.parts import DraftedColumn, Part, propose_part
from gamedeid.intake.drafting.population import Agreement, absent_column, combine_columns, draft_population
from gamedeid.intake.drafting.scenario_text import SCENARIO_FILE, DraftedScenario, hierarchy_files, scenario_text
from gamedeid.intake.identifiers.column_signs import OLD_AGE
from gamedeid.intake.identifiers.counts import stands_for
from gamedeid.intake.identifiers.tables import refuse_no_year
from gamedeid.intake.recognition.forms import numbers_of
from gamedeid.intake.recognition.observed import ObservedTable, observe
from gamedeid.intake.recognition.recognise import UNDECIDED_KINDS, Recognised, recognise
from gamedeid.intake.recognition.redcap import redcap_columns
from gamedeid.reprs import frozen
from gamedeid.results.folder import writing_folder
from gamedeid.results.result import Count, FilePath, Result, Text
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import RESERVED_PREFIX

_LOG = logging.getLogger(__name__)

RARE_COUNT = 5
"""Default of ``rare``: a draft's files hold no value of fewer rows than this."""

_CLASH = "a text for a missing value in it is a value of another attribute"


@frozen
class DraftFacts(Result):
    """The document that ``gamedeid init --json`` prints.

    Parameters
    ----------
    rows, encoding, delimiter : of the table; None for one that has no text.
    questions : number of columns in doubt.
    columns : the recognised columns.
    scenario : path of the written scenario; None if it was not written.
    """

    document = "draft"

    rows: Count
    encoding: Text | None
    delimiter: Text | None
    questions: Count
    columns: tuple[DraftedColumn, ...]
    scenario: FilePath | None


@frozen(eq=False)
class Draft:
    """A scenario and its hierarchies, drafted from a table; nothing is written before `write`.

    Parameters
    ----------
    table : the observed data.
    columns : each column with its part, in order.
    rare : the draft's files hold no value of fewer rows than this.
    year : of the release.
    found : column -> its recognised kind, with the values that a population has in the column of its name.
    hierarchies : column -> its possible hierarchy.
    people : the observed population; None if the records are their own.
    """

    table: ObservedTable = field(repr=False)
    columns: tuple[DraftedColumn, ...]
    rare: int
    year: int
    found: Mapping[str, Recognised] = field(repr=False)
    hierarchies: Mapping[str, DraftedHierarchy | NoHierarchy] = field(repr=False)
    people: ObservedTable | None = field(default=None, repr=False)

    @property
    def questions(self) -> tuple[DraftedColumn, ...]:
        """The columns in doubt, for a person who knows the data."""
        return tuple(column for column in self.columns if column.doubtful)

    @property
    def persons(self) -> int:
        """The number of people of the records by their key; the number of records without a key."""
        keys = {column.name for column in self.columns if column.part == "person"}
        return next((len(one.counts) for one in self.table.columns if one.name in keys), self.table.rows)

    @property
    def strategies(self) -> int:
        """The number of strategies: the product of the attributes' levels."""
        chosen = [self.hierarchies[column.name] for column in self.columns if column.part == "attribute"]
        return prod(one.levels for one in chosen if isinstance(one, DraftedHierarchy))

    def with_parts(self, parts: Mapping[str, Part]) -> "Draft":
        """Return the same draft with the part of some columns decided.

        Parameters
        ----------
        parts : column -> ``attribute``, ``keep``, ``drop`` or ``person``; one column can be ``person``, and an earlier
            one is then dropped.

        Raises
        ------
        InvalidScenarioError : an unknown column, or an attribute without a hierarchy.
        """
        known = [column.name for column in self.columns]
        for name, part in parts.items():
            if part not in get_args(Part):
                raise InvalidScenarioError(
                    f"column {quoted(name)} has the part {quoted(part)}, expected {joined(get_args(Part), 'or')}",
                    arguments=["parts"],
                )
            refuse_unknown("column", name, known)
            if part == "attribute" and (why := self.no_attribute(name)) is not None:
                raise InvalidScenarioError(f"column {quoted(name)} cannot be an attribute: {why}")
        keys = [name for name, part in parts.items() if part == "person"]
        if len(keys) > 1:
            raise InvalidScenarioError(f"one column can be the key of persons, not {listed(keys)}")
        decided = []
        for column in self.columns:
            if column.name in parts:
                reason = f"{self.found[column.name].because}; decided by hand"
                decided.append(replace(column, part=parts[column.name], reason=reason, doubtful=False))
            elif keys and column.part == "person":
                decided.append(replace(column, part="drop"))
            else:
                decided.append(column)
        return replace(self, columns=tuple(decided))

    def no_attribute(self, name: str) -> str | None:
        """Return why a column cannot be an attribute, without any of its values; None if it can.

        Parameters
        ----------
        name : of the column.
        """
        if name in ("record", *OUTCOMES) or name.casefold().startswith(RESERVED_PREFIX) or not name:
            return "results have a column of this name, or it has no name; rename it in the data"
        if self.people is not None and (why := absent_column(name, self.people)):
            return why
        drafted = self.hierarchies[name]
        return drafted.reason if isinstance(drafted, NoHierarchy) else None

    def write(self, folder: str | PathLike[str]) -> Path:
        """Write the scenario and its hierarchies into a new folder, readable by its owner only.

        Parameters
        ----------
        folder : must be new or empty, in a folder that exists.

        Returns
        -------
        The path of the scenario.

        Raises
        ------
        InvalidDataError : no column is an attribute, so that there is nothing to decide.
        OutputError : the folder is not empty, or cannot be written; nothing is written then.
        """
        target = Path(folder)
        if target.is_dir() and any(target.iterdir()):
            raise OutputError(
                f"{target} already exists and is not empty, and a draft replaces nothing, since someone may have "
                "changed it; choose another folder"
            )
        section = self._section()
        files = hierarchy_files(section)
        text = scenario_text(section, files, target)
        Scenario.parse(tomllib.loads(text), where=SCENARIO_FILE)
        with writing_folder(target) as written:
            written.write_text(SCENARIO_FILE, text)
            for name, content in files.items():
                written.write_text(name, content)
        return target / SCENARIO_FILE

    def _section(self) -> DraftedScenario:
        names = [column.name for column in self.columns if column.part == "attribute"]
        if not names:
            self._refuse_without_attributes()
        for name in names:
            if _clashes(self.found, name, names):
                raise InvalidDataError(
                    f"{self.table.table_name}: column {quoted(name)} cannot be an attribute: {_CLASH}"
                )
        seen = {column.name: column for column in self.table.columns}
        found = [self.found[name] for name in names]
        people = None if self.people is None else draft_population(self.table, self.people, names, self.hierarchies)
        hierarchies = {
            name: drafted for name in names if isinstance(drafted := self.hierarchies[name], DraftedHierarchy)
        }
        return DraftedScenario(
            table=self.table,
            columns=self.columns,
            hierarchies=hierarchies,
            missing_values=sorted({code for one in found for code in one.missing}),
            empty=sum(seen[name].empty for name in names)
            + sum(seen[name].counts.get(code, 0) for name in names for code in self.found[name].missing),
            year=self.year,
            persons=self.persons,
            value_labels={
                column.name: labels
                for column in self.columns
                if column.part in {"attribute", "keep"}
                and (labels := self.found[column.name].declared.value_labels)
                and not labels.keys().isdisjoint(self.found[column.name].present)
            },
            people=people,
        )

    def _refuse_without_attributes(self) -> NoReturn:
        why_not = [self.no_attribute(column.name) for column in self.columns]
        where = f"{self.table.table_name}: no column is an attribute"
        if None in why_not:
            raise InvalidDataError(
                f"{where}, so there is nothing to decide record by record; "
                "say which columns a recipient could know of a person (parts)",
                arguments=["parts"],
            )
        if self.table.rows == 1:
            raise InvalidDataError(f"{where}: it has one row, and one record cannot be hidden among others")
        reasons = "; ".join(why for why in dict.fromkeys(why_not) if why is not None)
        raise InvalidDataError(f"{where}, and none can be one ({reasons}); write the scenario by hand to release it")


def draft_scenario(
    data: Any,
    population: Any = None,
    *,
    year: int,
    rare: int = RARE_COUNT,
    parts: Mapping[str, Part] | None = None,
    redcap: str | PathLike[str] | None = None,
) -> Draft:
    """Look at a table and draft the scenario by which it could be released.

    Every column gets a part with the reason for it; in doubt it is dropped. The draft holds no value of the data
    except those that hierarchies must list, each of at least ``rare`` rows.

    Parameters
    ----------
    data : path of a CSV file, plain or gzipped, whose delimiter and encoding are detected, of a Parquet file or a
        folder of such, or of a file of SAS, SPSS, Stata or Excel; or a pandas, Polars or Arrow frame. The scenario
        names no file for a frame: hand it over again where the scenario is solved.
    population : the people whom a recipient can look up, in columns of the same kinds (default: those of the records).
        Its columns correspond to those of the same name; if both write values in different words, the column is in
        doubt.
    year : of the release, which decides the years of birth of ages of 90 and over; 1900 to 2200.
    rare : at least 1.
    parts : column -> ``attribute``, ``keep``, ``drop`` or ``person``, of columns that need no proposal.
    redcap : the data dictionary (CSV) of the REDCap project whose export the data are. It says which field is the key,
        an identifier, a date, a ZIP code, a note or a file, and the meaning of codes.

    Returns
    -------
    The draft, which ``write`` writes.

    Raises
    ------
    InvalidDataError : the data cannot be read as a table, or the dictionary is invalid, or not of these data.
    InvalidScenarioError : a column of ``parts`` is unknown or cannot have that part; ``year`` or ``rare`` out of range.
    """
    refuse_no_year(year)
    if rare < 1:
        raise InvalidScenarioError(f"rare: expected 1 row or more, not {quoted(rare)}", arguments=["rare"])
    table = observe(data)
    if redcap is not None:
        table = table.with_declared(redcap_columns(redcap), str(redcap))
    people = None if population is None else observe(population)
    others = {} if people is None else {column.name: recognise(column) for column in people.columns}
    recognised = _with_keys(table, {column.name: recognise(column) for column in table.columns})
    if people is None:
        recognised = _with_shared_codes(recognised)
    found: dict[str, Recognised] = {}
    hierarchies: dict[str, DraftedHierarchy | NoHierarchy] = {}
    columns = []
    for name, own in recognised.items():
        both = combine_columns(own, others[name]) if name in others else Agreement(found=own)
        found[name] = one = both.found
        hierarchies[name] = draft_hierarchy(
            HierarchyRequest(name=name, found=one, rare=rare, year=year, words=both.words)
        )
        proposed = propose_part(name, one, hierarchies[name])
        if proposed.part == "attribute" and both.doubt:
            proposed = replace(proposed, part="drop", reason=f"{proposed.reason}; {both.doubt}", doubtful=True)
        if one.numbers is not None and holds_birth_years(name) and one.numbers.low <= year - OLD_AGE:
            reason = f"{proposed.reason}; some of its values show ages over 89, which Safe Harbor puts into one group"
            proposed = replace(proposed, reason=reason)
        columns.append(proposed)
    draft = Draft(
        table=table, columns=tuple(columns), rare=rare, year=year, found=found, hierarchies=hierarchies, people=people
    )
    whole = _without_impossible(draft).with_parts(parts or {})
    doubtful = sum(column.doubtful for column in whole.columns)
    _LOG.info("a scenario is drafted for %d columns, %d of them in doubt", len(whole.columns), doubtful)
    return whole


def _with_keys(table: ObservedTable, found: Mapping[str, Recognised]) -> dict[str, Recognised]:
    """Return the recognised columns, those that are one to one with a key of persons as identifiers.

    They have as many distinct values as the key, and are one to one with it in the first block of rows; numbers are
    then in doubt.
    """
    counts = {column.name: len(column.counts) for column in table.columns if column.complete}
    pairs = {
        name: key
        for key, one in found.items()
        if one.kind == "person key" and one.sure and key in counts
        for name, other in found.items()
        if (other.kind in UNDECIDED_KINDS or not other.sure) and counts.get(name) == counts[key]
    }
    if not pairs:
        return dict(found)
    first = table.first_rows
    keys = {name: key for name, key in pairs.items() if stands_for(first.column(name), first.column(key))}
    taken = {
        name: replace(
            found[name],
            kind="identifier",
            because=f"it is one to one with the key {quoted(key)}",
            sure=numbers_of(found[name].present) is None,
        )
        for name, key in keys.items()
    }
    return {**found, **taken}


def _with_shared_codes(found: Mapping[str, Recognised]) -> dict[str, Recognised]:
    """Return the recognised columns; a text for a missing value in one column is one in columns of words, too."""
    known = {name for name, one in found.items() if KINDS[one.kind].known}
    codes = {code for name in known for code in found[name].missing}
    shared = dict(found)
    for name in known:
        one = found[name]
        left = {value: rows for value, rows in one.present.items() if value not in codes}
        if KINDS[one.kind].are_words and 0 < len(left) < len(one.present):
            missing = (*one.missing, *(value for value in one.present if value in codes))
            because = f"{one.because}; texts that mean a missing value in another column mean one here, too"
            shared[name] = replace(one, present=left, missing=missing, because=because)
    return shared


def _clashes(found: Mapping[str, Recognised], name: str, attributes: Iterable[str]) -> bool:
    """Return whether a code for a missing value in one of these columns is a value of another one."""
    codes = found[name].missing
    return any(code in found[other].present for other in attributes if other != name for code in codes)


def _without_impossible(draft: Draft) -> Draft:
    """Return a draft in which attributes and keys that cannot be such are dropped."""
    columns: list[DraftedColumn] = []
    attributes = [column.name for column in draft.columns if column.part == "attribute"]
    for column in draft.columns:
        why = None
        if column.part == "person" and any(other.part == "person" for other in columns):
            why = "another column is the key"
        elif column.part == "person" and not draft.table.in_memory:
            why = "rows of a person are grouped in memory only"
        elif column.part == "attribute":
            clash = _CLASH if _clashes(draft.found, column.name, attributes) else None
            why = draft.no_attribute(column.name) or clash
        dropped = replace(column, part="drop", reason=f"{column.reason}; dropped, since {why}")
        columns.append(column if why is None else dropped)
    return replace(draft, columns=tuple(columns))
