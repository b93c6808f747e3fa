"""Who is behind each record where a register names everybody: the judge need not draw it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.attacks.candidates import NOBODY, Cells, cells_of
from gamedeid.attacks.labels import Labels
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.generalization.missing_codes import as_text
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population, Records
from gamedeid.verification.tables import Values, read_columns


def persons_by_identity(identity: str, scenario: Scenario, labels: Sequence[Labels], cells: Cells) -> IntArray:
    """Return the number of the person of each record, (records,); negative for one whom the register does not have.

    Parameters
    ----------
    identity : name of the column in which records and register name each person.
    scenario : says where both are.
    labels : of the attributes.
    cells : the people of the register.

    Raises
    ------
    InvalidScenarioError : the population is no register, with a row for each person.
    InvalidDataError : a file has no such column, or names somebody twice.
    """
    register = scenario.population
    if register is None or register.path is None or scenario.records.path is None:
        raise InvalidScenarioError("identity needs files of records and of a population, to which it belongs")
    if register.count is not None:
        raise InvalidScenarioError(
            "identity needs a register with a row for each person, not a population with a count"
        )
    names = list(scenario.attributes)
    places = _places(scenario.folder / scenario.records.path, scenario.records, identity, scenario)
    table = read_columns(scenario.folder / register.path, register, [*names, identity])
    missing = scenario.records.missing_values
    values = np.stack(
        [one.meaning.values_at(Values.of(table.column(one.meaning.name), missing)) for one in labels], axis=1
    )
    cell = cells_of(values, cells)
    order = np.argsort(cell, kind="stable")
    number = np.zeros(len(cell), np.int64)
    number[order] = np.arange(
        len(cell)
    )  # cells are in the order of their people's numbers, and every row is one person
    known = _places(scenario.folder / register.path, register, identity, scenario)
    return np.array([number[known[key]] if key in known else NOBODY for key in places], np.int64)


def _places(path: Path, section: Records | Population, identity: str, scenario: Scenario) -> dict[str, int]:
    """Return whom a file names -> in which row."""
    column = Values.of(read_columns(path, section, [identity]).column(identity), scenario.records.missing_values)
    if (column.places == len(column.distinct)).any():
        raise InvalidDataError(f"{path}: the column of identities has no value in some rows")
    names = [as_text(one) for one in column.distinct]
    if len(set(names)) < len(column.places):
        raise InvalidDataError(f"{path}: the column of identities names somebody in several rows")
    return {names[place]: row for row, place in enumerate(column.places.tolist())}
