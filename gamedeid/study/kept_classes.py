"""Classes of records that recipients who know kept columns can distinguish, by the values of these columns."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.data.columns import to_column
from gamedeid.data.profiles import PopulationCells
from gamedeid.data.tables import AttributeTable
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import ROOT
from gamedeid.grouping import distinct_rows
from gamedeid.reprs import frozen
from gamedeid.scenario.recipients import KEPT_NAME, kept_knowledge
from gamedeid.scenario.scenario import Scenario


@frozen(eq=False)
class KeptClasses:
    """Classes of records that recipients distinguish by kept columns, e of them: those with the same kept values.

    Parameters
    ----------
    hierarchy : the classes, fixed and all in one group: a recipient who knows no kept column does not distinguish them.
    of_row : (r,) int64, the class of each record.
    groups : name of a recipient -> (e,) int64, the group of each class by the columns that it knows.
    """

    hierarchy: Hierarchy
    of_row: IntArray
    groups: Mapping[str, IntArray]

    @classmethod
    def of(cls, scenario: Scenario, records: AttributeTable) -> "KeptClasses | None":
        """Return the classes of the records; None if no recipient knows a kept column.

        A missing value counts as a value.
        """
        known = kept_knowledge(scenario.recipients, scenario.records.keep)
        columns = list(dict.fromkeys(column for names in known.values() for column in names))
        table = None if not columns or records.rows is None else records.rows.rows_in_memory()
        if table is None:
            return None
        codes = {}
        for name in columns:
            column = to_column(table.column(name), name, "records", scenario.records.missing_values)
            codes[name] = column.codes.astype(np.int64) + 1
        examples, of_row = _group_equal_codes(codes, columns)
        of_class = {name: of[examples] for name, of in codes.items()}
        classes = tuple(f"class {one}" for one in range(len(examples)))
        return cls(
            hierarchy=Hierarchy(
                name=KEPT_NAME,
                leaves=classes,
                groups=np.zeros((1, len(classes)), np.int32),
                labels=((ROOT,),),
                is_fixed=True,
            ),
            of_row=sealed(of_row, np.int64),
            groups={name: sealed(_group_equal_codes(of_class, names)[1], np.int64) for name, names in known.items()},
        )

    def of_people(self, codes: IntArray, people: IntArray, hierarchies: Sequence[Hierarchy]) -> PopulationCells:
        """Return the people, (c,) by leaf codes (c, a), for recipients who do not distinguish the classes."""
        first = np.zeros((len(people), 1), np.int32)
        return PopulationCells.of(np.concatenate([codes, first], axis=1), people, hierarchies)


def _group_equal_codes(codes: Mapping[str, IntArray], names: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the first row of each combination of codes from 0, and the number of the combination of each row."""
    chosen = [codes[name] for name in names]
    first, of_row, _ = distinct_rows(np.stack(chosen, axis=1))
    return first, of_row
