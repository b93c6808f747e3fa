"""A table of labels in the game: each label is read as a group of a hierarchy, whose people are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import IntArray, sealed
from gamedeid.data.encode import leaves_of_values, rows_found
from gamedeid.data.hierarchies import close_hierarchy, hierarchy_of
from gamedeid.data.profiles import Column
from gamedeid.data.question_tables import ReadTables
from gamedeid.data.tables import AttributeTable
from gamedeid.errors import InvalidDataError, InvalidHierarchyError, InvalidScenarioError, quoted
from gamedeid.game.instance import Instance
from gamedeid.game.measures import measures_of
from gamedeid.game.replies import Replies
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.lattice import information_loss
from gamedeid.generalization.levels import ROOT
from gamedeid.generalization.published_labels import label_places
from gamedeid.generalization.readings import as_text, is_missing_code
from gamedeid.reprs import frozen
from gamedeid.results.result import Amount, Flag, Number, Result, Share
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import CASE_STUDY, LIMITED_DATA_SET, Population
from gamedeid.scenario.toml import key_parts, override
from gamedeid.study.facts import StakeFacts
from gamedeid.study.prepare import build_instance, code_tables, compile_data

SUPPRESSED_TEXTS = (ROOT, "NA")
"""Texts of a suppressed value, besides a missing value, if the hierarchy has no such label."""

CHANGEABLE_SECTIONS = ("payoffs", "attributes")
"""Sections of a scenario that may be laid over the defaults."""


@frozen
class RecipientGame(Result):
    """The reply of one recipient to a table, and both payoffs, as means over the records.

    Parameters
    ----------
    attacked : share of the records that are worth an attack.
    expected_reidentifications : expected number if these are attacked.
    publisher_payoff, adversary_payoff : dollars per record.
    """

    attacked: Share
    expected_reidentifications: Number
    publisher_payoff: Amount
    adversary_payoff: Amount


@frozen
class TableGame(Result):
    """A table in the game, as the release of a publisher with these stakes.

    Parameters
    ----------
    stakes : the stakes, dollars.
    information_loss : mean over the records, in [0, 1].
    uniform : whether all records have the same level in each attribute.
    prosecutor : the recipient counts the records of the class; so does a recipient who knows the method if the records
        are the whole population.
    journalist : the recipient counts the people of the population whose values are in the groups of the labels; so does
        a recipient who knows the method if the table is uniform. None without a population.
    """

    stakes: StakeFacts
    information_loss: Share
    uniform: Flag
    prosecutor: RecipientGame
    journalist: RecipientGame | None = None


def scenario_of_folder(
    folder: str | PathLike[str], attributes: Sequence[str], overrides: Mapping[str, Any] | None
) -> Scenario:
    """Return the scenario of a table: hierarchies of a folder, and stakes of wan2015 unless overridden."""
    place = Path(folder).absolute()
    content: dict[str, Any] = {
        "attributes": {name: _file_of(place, name) for name in attributes},
        "payoffs": dict(CASE_STUDY),
        "records": {"missing": "suppress"},
        "floor": LIMITED_DATA_SET,
    }
    for key, value in (overrides or {}).items():
        if key_parts(key)[0] not in CHANGEABLE_SECTIONS:
            raise InvalidScenarioError(f"{quoted(key)}: a table has the sections payoffs and attributes only")
        override(content, key, value)
    extra = [name for name in content["attributes"] if name not in attributes]
    if extra:
        raise InvalidScenarioError(f"attributes.{extra[0]}: no such attribute of the table is named")
    absent = [name for name, section in content["attributes"].items() if "hierarchy" not in section]
    if absent:
        raise InvalidHierarchyError(
            f"{folder}: there is no hierarchy of {quoted(absent[0])}; expected a file {quoted(absent[0] + '.csv')} or "
            f"{quoted(absent[0] + '.toml')}"
        )
    return Scenario.parse(content, where="table")


def _file_of(folder: Path, attribute: str) -> dict[str, str]:
    files = [folder / f"{attribute}{suffix}" for suffix in (".csv", ".toml")]
    return next(({"hierarchy": str(file)} for file in files if file.is_file()), {})


def play_table(
    scenario: Scenario,
    classes: Mapping[str, Column],
    sizes: IntArray,
    people: AttributeTable | None,
    *,
    table_name: str,
) -> tuple[TableGame, IntArray | None]:
    """Return a table as a release in the game, and the people of a given population who match each class, (k,).

    ``classes`` are the labels of each attribute, (k,), ``sizes`` the records of each class; people have ungeneralized
    values.
    """
    hierarchies = {name: _close_hierarchy(name, scenario, people) for name in classes}
    read = {name: _read(name, classes[name], hierarchies[name], sizes, table_name) for name in classes}
    levels = np.stack([level for level, _ in read.values()], axis=1)
    records = AttributeTable(
        columns={name: leaves for name, (_, leaves) in read.items()}, people=sizes, rows=None, counted=sizes
    )
    section = None if people is None else Population(unmatched="safe")
    found = None if people is None else _as_leaves(people, hierarchies)
    tables = ReadTables(records=records, population=found, section=section, by_name={}, own={})
    coded = code_tables(scenario, {name: _of_leaves(one) for name, one in hierarchies.items()}, tables)
    instance = build_instance(scenario, compile_data(scenario, coded))
    profiles, nodes = instance.profiles.of_record, instance.lattice.nodes(levels)
    lost = information_loss(instance.hierarchy_tables, instance.profiles.codes[profiles], levels)
    matching = None if people is None else instance.people(profiles, nodes)
    game = TableGame(
        stakes=StakeFacts.of(scenario),
        information_loss=float((lost * sizes).sum() / sizes.sum()),
        uniform=bool((levels == levels[0]).all()),
        prosecutor=_play(instance, profiles, nodes, sizes, sizes),
        journalist=None if matching is None else _play(instance, profiles, nodes, sizes, matching),
    )
    return game, None if matching is None else sealed(matching, np.int64)


def _close_hierarchy(name: str, scenario: Scenario, people: AttributeTable | None) -> Hierarchy:
    hierarchy = hierarchy_of(scenario, name)
    if people is None and not isinstance(hierarchy, Hierarchy):
        raise InvalidHierarchyError(
            f"hierarchy of {quoted(name)}: takes its values from the data; give a population or listed values"
        )
    return close_hierarchy(name, hierarchy, {} if people is None else {"population": people})


def _as_leaves(people: AttributeTable, hierarchies: Mapping[str, Hierarchy]) -> AttributeTable:
    """Return a population with the leaf of each value in its place, as :func:`_read` returns the records."""
    leaves = leaves_of_values(
        people.columns, hierarchies, table_name="population", allow_missing=True, counted=people.counted
    )
    columns = {}
    for name, one in hierarchies.items():
        codes = leaves[name].take(people.columns[name].codes, mode="wrap")
        columns[name] = Column(values=one.leaves, codes=np.where(codes == len(one.leaves), -1, codes))
    return replace(people, columns=columns)


def _of_leaves(hierarchy: Hierarchy) -> Hierarchy:
    """Return a hierarchy whose values are its leaves: dates of birth, for example, are already ages."""
    return replace(hierarchy, reading=None, integer=False, spellings={})


def _read(name: str, labels: Column, hierarchy: Hierarchy, sizes: IntArray, table_name: str) -> tuple[IntArray, Column]:
    """Return the level of each label of a column, (k,), and a value of its group; no value if it is suppressed."""
    places, top = label_places(hierarchy), hierarchy.levels - 1
    found: list[tuple[int, int] | None] = []
    for value in labels.values:
        text = as_text(value)
        place, leaf = places.get(text), hierarchy.listed_code(value)
        if place is None and leaf is not None:
            place = (0, leaf)
        found.append((top, -1) if text == ROOT or (place is None and text in SUPPRESSED_TEXTS) else place)
    unread = [number for number, place in enumerate(found) if place is None]
    wrong = np.isin(labels.codes, unread)
    if wrong.any():
        values = [labels.values[number] for number in np.unique(labels.codes[wrong]).tolist()]
        codes = any(is_missing_code(value) for value in values)
        raise InvalidDataError(
            f"{table_name}: column {quoted(name)} has {number_of(len(values), 'label')} that the hierarchy "
            f"{quoted(hierarchy.name)} has at no level, in {rows_found(wrong, sizes)}; its levels are 0 to {top}, and "
            f"`*`, `NA` and a missing value are suppressed"
            + ("; write codes of missing values as one of these" if codes else ""),
            values=values,
        )
    known = np.array([*((-1, -1) if place is None else place for place in found), (top, -1)], np.int64)
    level, leaf = known[labels.codes].T
    return level, Column(values=hierarchy.leaves, codes=leaf.astype(np.int32))


def _play(instance: Instance, profiles: IntArray, nodes: IntArray, sizes: IntArray, people: IntArray) -> RecipientGame:
    """Return the attacks of a recipient who finds ``people``, (k,), for the records of each class, (k,)."""
    replies = Replies(adversaries=instance.adversaries, people=(people,))
    payoff = instance.publisher_payoffs(profiles, nodes, replies)
    measures = measures_of(
        records=int(sizes.sum()),
        attacks=int(sizes[replies.attacked].sum()),
        reidentified=float((replies.reidentifications * sizes).sum()),
        publisher_payoff=float((payoff * sizes).sum()),
        adversary_payoff=float((replies.adversary_payoff * sizes).sum()),
    )
    return RecipientGame(**{name: float(measures[name]) for name in RecipientGame.__dataclass_fields__})
