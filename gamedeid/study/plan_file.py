"""The file ``plan.csv`` of a folder of results: the strategies of everybody in a game of the whole population.

It has a row for each distinct profile of the population and of the records, in the order of their values in the
hierarchies: levels and no values. Who has the population can tell whose each row is; nobody else can.
"""

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from gamedeid.arrays import BoolArray, IntArray, sealed
from gamedeid.choices import PLAN
from gamedeid.errors import InvalidDataError
from gamedeid.game.mechanism.aware_people import Everybody
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.results.file import read_regular
from gamedeid.results.folder import FolderWriter
from gamedeid.results.tables import write_blocks
from gamedeid.study.study import Study


@frozen(eq=False)
class StoredPlan:
    """A strategy for everybody, as a folder of results has it.

    Parameters
    ----------
    everybody : who has a strategy.
    nodes : (p,) int64, the strategy of each; ``WITHHELD`` where there is none.
    """

    everybody: Everybody
    nodes: IntArray

    @property
    def nodes_of_records(self) -> IntArray:
        """The strategy of each profile of the records, (q,) int64."""
        return self.nodes[self.everybody.of_record_profile]


def write_plan(folder: FolderWriter, everybody: Everybody, nodes: IntArray, *, defuse: bool = False) -> None:
    """Write the strategies of everybody into a folder of results.

    Parameters
    ----------
    nodes : (p,) the strategy of each; ``WITHHELD`` where there is none.
    """
    instance, nodes = everybody.instance, nodes[_listed(everybody)]
    withheld = nodes == WITHHELD
    levels = instance.lattice.levels(np.where(withheld, 0, nodes))
    levels[withheld] = np.array(instance.lattice.levels_of(instance.lattice.size - 1))
    columns = {name: pa.array(levels[:, place]) for place, name in enumerate(instance.hierarchies)}
    table = pa.table([*columns.values(), pa.array(withheld)], names=[*columns, "withheld"])
    with folder.open(PLAN) as stream:
        write_blocks([table], stream, "csv", defuse=defuse)


def read_plan(folder: Path, study: Study) -> StoredPlan:
    """Read the strategies of everybody from a folder of results."""
    everybody = Everybody.of(study.instance, study.population.cells)
    listed, lattice = np.flatnonzero(_listed(everybody)), study.instance.lattice
    tops = np.array(lattice.levels_of(lattice.size - 1))
    wrong = InvalidDataError(f"{folder / PLAN}: does not hold the strategies of this population and these records")
    try:
        table = pyarrow.csv.read_csv(io.BytesIO(read_regular(folder / PLAN)))
        *columns, withheld = (column.to_numpy(zero_copy_only=False) for column in table.columns)
        levels = np.stack(columns, axis=1).astype(np.int64)
    except (OSError, ValueError, pa.ArrowException):
        raise wrong from None
    if levels.shape != (len(listed), len(tops)) or withheld.dtype != np.bool_ or (levels > tops).any():
        raise wrong
    nodes = np.full(everybody.instance.profiles.count, WITHHELD, np.int64)
    nodes[listed] = np.where(withheld, WITHHELD, lattice.nodes(levels))
    return StoredPlan(everybody=everybody, nodes=sealed(nodes, np.int64))


def _listed(everybody: Everybody) -> BoolArray:
    """Return which profiles, (p,), have a row: those of people, and those of records."""
    listed: BoolArray = (everybody.people > 0) | (everybody.records > 0)
    return listed
