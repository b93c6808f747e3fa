"""Hierarchies of numbers, whole or with decimals: bands of any width with open ends."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from gamedeid.generalization.claims import refuse
from gamedeid.generalization.levels import (
    ROOT,
    CompiledLevels,
    abbreviate_labels,
    at_least_label,
    below_label,
    compile_label_columns,
    half_open_label,
)
from gamedeid.generalization.readings import NumberReading, Reading, missing_values_hint, plain_number
from gamedeid.reprs import frozen


@frozen
class NumberRule:
    """Numbers in bands; the leaves are the numbers in the data.

    Parameters
    ----------
    bands : the edges of levels 1, 2, ...; rising, and each level has only edges of the one before. A band includes its
        lower edge and not its upper one; the bands below the first edge and from the last one on are open.
    reading : how numbers are written in the data; labels have a decimal point.

    Raises
    ------
    InvalidHierarchyError : edges that do not rise, or that the level before does not have; carries every fault.
    """

    bands: tuple[tuple[Decimal, ...], ...]
    reading: NumberReading
    notes = ()

    def __post_init__(self) -> None:
        refuse(_edge_faults(self.bands))

    def leaf_of(self, value: object) -> str | None:
        """Return a number in its shortest form; None for a value that is no number."""
        return self.reading.leaf_of(value)

    def reading_of(self, leaves: Collection[str]) -> Reading:  # noqa: ARG002  (the rule alone says how)
        """Return how values are read."""
        return self.reading

    def fault_of(self, invalid: Sequence[str], total: int) -> str:
        """Return the fault of values of the data that are no numbers."""
        return (
            f"expected {self.reading.words}, but {len(invalid):,} of the {total:,} distinct values in the data are "
            f"none: correct them{missing_values_hint(invalid)}"
        )

    def compile_levels(self, leaves: Collection[str]) -> CompiledLevels:
        """Return the levels of some numbers, in rising order."""
        numbers = sorted(map(Decimal, leaves))
        columns = [[plain_number(number) for number in numbers]]
        for edges in self.bands:
            labels = band_labels(edges)
            columns.append([labels[bisect_right(edges, number)] for number in numbers])
        return compile_label_columns(columns)

    def published(self) -> list[str]:
        """Return the labels of each level, in words."""
        return ["the number", *(abbreviate_labels(band_labels(edges)) for edges in self.bands), ROOT]

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values."""
        bands = [[float(edge) for edge in edges] for edges in self.bands]
        return {"kind": "number", "bands": bands, "decimal": self.reading.decimal}


def band_labels(edges: Sequence[Decimal]) -> list[str]:
    """Return the names of the bands between some edges, from the lowest up: `<18.5`, `[18.5-<25]`, `25+`."""
    words = [plain_number(edge) for edge in edges]
    return [
        below_label(words[0]),
        *(half_open_label(low, high) for low, high in pairwise(words)),
        at_least_label(words[-1]),
    ]


def _edge_faults(bands: Sequence[Sequence[Decimal]]) -> Iterator[str]:
    for place, edges in enumerate(bands, start=1):
        where = f"`bands` list {place}"
        if not edges:
            yield f"{where} has no edges: expected at least one"
        elif any(low >= high for low, high in pairwise(edges)):
            yield f"{where} does not rise: expected each edge above the one before"
        elif place > 1:
            before = bands[place - 2]
            other = [plain_number(edge) for edge in edges if edge not in before]
            if other:
                yield (
                    f"{where} has the edge {other[0]}, which list {place - 1} does not have: it would split a band; "
                    "expected some of the edges before"
                )
            elif len(edges) == len(before):
                yield f"{where} has all edges of list {place - 1}: expected fewer at each level"
