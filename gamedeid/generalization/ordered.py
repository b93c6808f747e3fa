"""How categories that have an order become groups of neighbours."""

from collections.abc import Iterator, Sequence

from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.levels import ROOT, Ladder, table_ladder


def ordered_ladder(values: Sequence[str], *, sizes: Sequence[int] = (), starts: Sequence[Sequence[str]] = ()) -> Ladder:
    """Compile categories in their order, and groups of neighbours above them.

    A group of one category is published as the category, others as `[primary to master]`.
    ``starts`` has, instead of sizes, a list a level of the categories at which a new group begins, the first left out.
    """
    values = [value.strip() for value in values]
    faults = [*_value_faults(values), *_size_faults(sizes, len(values)), *_start_faults(starts, values)]
    if sizes and starts:
        faults.append("both `sizes` and `starts`: expected one of them")
    if faults:
        raise InvalidHierarchyError(*faults)
    cuts = [_cuts_of_size(size, len(values)) for size in sizes] + [
        sorted({0, *(values.index(start.strip()) for start in level)}) for level in starts
    ]
    columns = [values, *(_labels(values, level) for level in cuts), [ROOT] * len(values)]
    return table_ladder(list(zip(*columns, strict=True)), noun="value")


def _cuts_of_size(size: int, count: int) -> list[int]:
    """Return where groups of a size begin; the last one takes the remainder."""
    return [group * size for group in range(count // size)]


def _labels(values: Sequence[str], cuts: Sequence[int]) -> list[str]:
    labels: list[str] = []
    for first, end in zip(cuts, [*cuts[1:], len(values)], strict=True):
        one = values[first] if end - first == 1 else f"[{values[first]} to {values[end - 1]}]"
        labels += [one] * (end - first)
    return labels


def _value_faults(values: Sequence[str]) -> Iterator[str]:
    if not values:
        yield "no `values`: expected at least one"
    for place, value in enumerate(values, start=1):
        if value in ("", ROOT):
            yield f"`values` value {place} is {quoted(value)}: expected a category"
        elif values.index(value) < place - 1:
            yield f"`values` value {place}: {quoted(value)} is already value {values.index(value) + 1}"


def _size_faults(sizes: Sequence[int], count: int) -> Iterator[str]:
    for place, size in enumerate(sizes, start=1):
        before = sizes[place - 2] if place > 1 else 1
        if not 1 <= size <= max(count, 1):
            yield f"`sizes` value {place} is {size}: expected 1 to {count}, the number of values"
        elif before >= 1 and size % before:
            yield (
                f"`sizes` value {place} is {size}: expected a multiple of {before}, the one before, so that no "
                "group is split"
            )


def _start_faults(starts: Sequence[Sequence[str]], values: Sequence[str]) -> Iterator[str]:
    for place, level in enumerate(starts, start=1):
        before = values if place == 1 else [start.strip() for start in starts[place - 2]]
        for start in level:
            if start.strip() not in values:
                yield f"`starts` list {place}: {quoted(start)} is not among the values"
            elif start.strip() not in before:
                yield (
                    f"`starts` list {place}: a group begins at {quoted(start)}, and in list {place - 1} none does: it "
                    "would split a group"
                )
