"""How the proof's cost grows: strategies doubled four times, and six to ten attributes."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from measure import traced
from ten_attributes import ATTRIBUTES, study_of

from gamedeid.game.rules import Game
from gamedeid.game.solvers.large_lattices import prove_by_branching
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.population.scan import ScannedCounts
from gamedeid.study.study import Study

HALVES = {
    "capital-gain": (0, 99_999, (1_000, 10_000)),
    "capital-loss": (0, 4_999, (500,)),
    "hours-per-week": (1, 99, (20,)),
    "age": (0, 120, (30,)),
}
"""Ladders with half as many levels as the ten attributes' own."""

FEWEST = 6
"""Attributes to begin with."""


def doublings(records: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield the cost of the basic game's proof, with strategies doubled four times, and with six to ten attributes.

    Yields
    ------
    rows with ``what`` ("strategies" or "attributes"), ``size`` (their number), ``seconds`` and ``megabytes``, the peak
    of Python's and numpy's memory above the level before (MiB).
    """
    for doubled in range(len(HALVES) + 1):
        halved = list(HALVES)[doubled:]
        study = study_of(records, ladders={name: Hierarchy.intervals(*HALVES[name], name=name) for name in halved})
        yield {"what": "strategies", "size": study.instance.lattice.size, **measured(study)}
    for number in range(FEWEST, len(ATTRIBUTES) + 1):
        yield {"what": "attributes", "size": number, **measured(study_of(records, ATTRIBUTES[:number]))}


def measured(study: Study) -> dict[str, float]:
    """Return the cost of the basic game's proof, by scans even on a small lattice."""
    instance = study.instance
    counts = ScannedCounts(study.population.cells, instance.hierarchy_tables, 0)
    game = Game.of("basic", instance, instance.base)
    seconds, megabytes = traced(lambda: prove_by_branching(instance, counts.scanned, game))
    return {"seconds": seconds, "megabytes": megabytes}
