"""Levels of groups in tree order, compiled from rows of labels, widths of intervals, or categories in order."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.errors import InvalidHierarchyError, quoted, quoted_shape
from gamedeid.generalization.claims import refuse
from gamedeid.reprs import brief

ROOT = "*"
MISSING = "missing"  # the label of a missing value, where the publisher shows which values are
MOST_LABELS = 6_000_000  # values times levels: a greater table takes many seconds
MOST_LEAVES = 1_000_000  # a greater domain is a typing error, and would exhaust the memory

MOST_LEVELS = 127
"""A level is a number of one byte in the compiled loops."""

MOST_NAMED = 6
"""Most labels of a level that are all shown to readers."""

Show: TypeAlias = Callable[[object], str]
"""A function that shows a value, or a label made of it, in a message."""


@brief
class CompiledLevels(NamedTuple):
    """The levels of one attribute in tree order: `leaves` (n), `groups` (levels, n) int32, `labels[level][group]`."""

    leaves: tuple[str, ...]
    groups: IntArray
    labels: tuple[tuple[str, ...], ...]


def compile_label_rows(
    rows: Sequence[Sequence[str]], *, integer: bool = False, noun: str = "row", show: Show = quoted
) -> CompiledLevels:
    """Compile one row of labels per leaf, level 0 first; a group is identified by its label at its level.

    Spaces around labels are dropped. A row without cells (a blank line) is skipped, and counted in the row numbers.
    Leaves are sorted so that groups are contiguous, in order of first appearance from the top level down.
    """
    numbered = [
        (number, tuple([cell.strip() for cell in row])) for number, row in enumerate(rows, start=1) if len(row) > 0
    ]
    if not numbered:
        raise InvalidHierarchyError(f"no {noun}s: expected one {noun} of labels for each value, from it up to `{ROOT}`")
    first_number, first = numbered[0]
    if len(first) < 2:  # noqa: PLR2004 - a value and the root
        raise InvalidHierarchyError(
            f"{noun} {first_number}: {show(first[0])} is alone: expected at least a value and the root `{ROOT}`, "
            "in a CSV file with `;` or `,` between them"
        )
    whole = [(number, cells) for number, cells in numbered if len(cells) == len(first)]
    faults = [
        (number, f"{show(cells[0])}: expected {len(first)} labels as in {noun} {first_number}, got {len(cells)}")
        for number, cells in numbered
        if len(cells) != len(first)
    ]
    last = {cells[-1] for _, cells in whole}
    if not last & {ROOT, ""}:
        remedy = f"write `{ROOT}` for it in every {noun}" if len(last) == 1 else f"add a last column of `{ROOT}`"
        ends = f"{show(first[0])} ends in {show(first[-1])}, and no {noun} in the one root `{ROOT}`"
        faults.append((first_number, f"{ends}: {remedy} (and no header line)"))
        whole = [(number, (*cells, ROOT)) for number, cells in whole]
    faults += [(number, fault) for number, cells in whole for fault in _label_faults(cells, show, integer=integer)]
    faults += _tree_faults(whole, noun, show)
    refuse(f"{noun} {number}: {fault}" for number, fault in sorted(faults))
    return _sort_into_tree([cells for _, cells in numbered])


def compile_label_columns(columns: Sequence[Sequence[str]], *, show: Show = quoted) -> CompiledLevels:
    """Compile columns of the labels of all values, level 0 first; the root is added."""
    root = [ROOT] * len(columns[0])
    return compile_label_rows(list(zip(*columns, root, strict=True)), noun="value", show=show)


def compile_data_levels(compile_: Callable[[Show], CompiledLevels]) -> CompiledLevels:
    """Return levels of values of the data; messages show only the shapes of values, errors carry the values."""
    shown: list[str] = []

    def shape(value: object) -> str:
        shown.append(str(value))
        return quoted_shape(value)

    try:
        return compile_(shape)
    except InvalidHierarchyError as error:
        raise InvalidHierarchyError(*error.faults, values=dict.fromkeys(shown)) from None


def _label_faults(cells: tuple[str, ...], show: Show, *, integer: bool) -> Iterator[str]:
    top = len(cells) - 1
    for level, label in enumerate(cells[:top]):
        if not label:
            hint = " (a missing value needs none: leave it out)" if level == 0 else ""
            yield f"{show(cells[0])} has an empty label at level {level}{hint}"
        elif label == ROOT:
            yield f"{show(cells[0])} is `{ROOT}` at level {level}: only the top level {top} may be"
    if cells[top] != ROOT:
        yield f"{show(cells[0])} ends in {show(cells[top])}: expected the one root `{ROOT}` (and no header line)"
    if integer and not re.fullmatch("0|-?[1-9][0-9]*", cells[0]):
        yield f"{show(cells[0])} is not a plain whole number such as 48"


def _tree_faults(numbered: Sequence[tuple[int, tuple[str, ...]]], noun: str, show: Show) -> Iterator[tuple[int, str]]:
    rows: dict[str, int] = {}
    parents: dict[tuple[int, str], tuple[str, int]] = {}
    for number, cells in numbered:
        if rows.setdefault(cells[0], number) != number and cells[0]:
            yield number, f"{show(cells[0])} is already {noun} {rows[cells[0]]}: each value needs one {noun} only"
            continue
        for level in range(1, len(cells) - 2):
            label, above = cells[level], cells[level + 1]
            parent, earlier = parents.setdefault((level, label), (above, number))
            if parent != above and label and above:
                split = f"{show(label)} of level {level} is in {show(above)} at level {level + 1}"
                other = f"in {show(parent)} by {noun} {earlier}"
                yield number, f"{split}, but {other}: a level may not split a group"


def _sort_into_tree(rows: Sequence[tuple[str, ...]]) -> CompiledLevels:
    columns = list(zip(*rows, strict=True))
    numbers: list[dict[str, int]] = [{label: i for i, label in enumerate(dict.fromkeys(column))} for column in columns]
    codes = np.array(
        [[known[label] for label in column] for known, column in zip(numbers, columns, strict=True)], dtype=np.int32
    )
    order = np.lexsort(tuple(codes))  # the last key, the top level, leads
    codes = codes[:, order]
    starts = np.diff(codes, axis=1, prepend=-1) != 0
    labels = tuple(
        tuple([columns[level][order[leaf]] for leaf in np.flatnonzero(row)]) for level, row in enumerate(starts)
    )
    return CompiledLevels(labels[0], np.cumsum(starts, axis=1, dtype=np.int32) - np.int32(1), labels)


def abbreviate_labels(labels: Sequence[str]) -> str:
    """Return the labels of a level for readers: all of a few, otherwise the first, the last and their number."""
    if len(labels) <= MOST_NAMED:
        return ", ".join(labels)
    return f"{', '.join(labels[: MOST_NAMED - 2])}, ..., {labels[-1]} ({len(labels)} groups)"


def closed_label(low: object, high: object) -> str:
    """Return the label of the values from low to high, both included: `[30-34]`, or the value if there is only one."""
    return f"{low}" if low == high else f"[{low}-{high}]"


def half_open_label(low: object, high: object) -> str:
    """Return the label of the numbers from low up to high, which is not included: `[18.5-<25]`."""
    return f"[{low}-<{high}]"


def below_label(high: object) -> str:
    """Return the label of all values below one: `<18.5`."""
    return f"<{high}"


def at_least_label(low: object) -> str:
    """Return the label of a value and all above it: `90+`."""
    return f"{low}+"


def with_unlisted(levels: CompiledLevels, name: str) -> CompiledLevels:
    """Return the levels with one more leaf, the last one: the group of all values that are not listed."""
    if name != name.strip() or name in ("", ROOT):
        raise InvalidHierarchyError(f"`unlisted` is {quoted(name)}: expected `error`, or a name for a group")
    if any(name in labels for labels in levels.labels):
        raise InvalidHierarchyError(f"`unlisted` is {quoted(name)}, which is a value or a group already")
    groups = levels.groups
    last = np.append(groups[:-1, -1] + 1, 0).astype(groups.dtype)
    labels = (*((*row, name) for row in levels.labels[:-1]), levels.labels[-1])
    return CompiledLevels((*levels.leaves, name), np.column_stack([groups, last]), labels)


def compile_intervals(low: int, high: int, widths: Sequence[int], *, open_from: int | None) -> CompiledLevels:
    """Compile the whole numbers low..high and groups of `widths` values above them.

    The groups of a level start at `low`; the last one takes the remainder. A group of one value is published as the
    value, others as `[45-59]`.
    """
    refuse(_interval_faults(low, high, widths, open_from))
    count = high - low + 1
    groups = [count // width for width in widths]
    if open_from is not None:
        groups = [min(most, (open_from - low) // width + 1) for most, width in zip(groups, widths, strict=True)]
    starts = [range(0, most * width, width) for most, width in zip(groups, widths, strict=True)]

    def label(first: str, last: str) -> str:
        return at_least_label(first) if open_from is not None and last == str(high) else closed_label(first, last)

    return _compile_runs([str(value) for value in range(low, high + 1)], starts, label)


def _compile_runs(
    values: Sequence[str], starts: Sequence[Sequence[int]], label: Callable[[str, str], str]
) -> CompiledLevels:
    """Compile values in their order, and runs of neighbours above them.

    The runs of levels 1, 2, ... begin at the places ``starts``, from 0; ``label`` publishes the first and the last
    value of a run.
    """
    groups, labels = [np.arange(len(values))], [tuple(values)]
    for level in starts:
        ends = [*level[1:], len(values)]
        groups.append(np.repeat(np.arange(len(ends)), np.subtract(ends, level)))
        labels.append(tuple(label(values[first], values[end - 1]) for first, end in zip(level, ends, strict=True)))
    groups.append(np.zeros(len(values), np.int64))
    return CompiledLevels(labels[0], np.stack(groups).astype(np.int32), (*labels, (ROOT,)))


def _interval_faults(low: int, high: int, widths: Sequence[int], open_from: int | None) -> Iterator[str]:
    count = high - low + 1
    if count < 1:
        yield f"`low` is {low} and `high` is {high}: expected low <= high"
    elif count > MOST_LEAVES:
        yield f"{low}..{high} has {count} values: expected at most {MOST_LEAVES}"
    elif count * (len(widths) + 2) > MOST_LABELS:
        yield (
            f"{low}..{high} has {count} values, each with {len(widths) + 2} levels: expected at most {MOST_LABELS} "
            "labels; use fewer `widths`, or round the values in the data"
        )
    else:
        yield from _size_faults("widths", widths, count)
        if open_from is not None and not low < open_from <= high:
            yield f"`open_from` is {open_from}: expected a value above {low}, up to {high}"


def compile_categories(
    values: Sequence[str], *, sizes: Sequence[int] = (), starts: Sequence[Sequence[str]] = ()
) -> CompiledLevels:
    """Compile categories in their order, and groups of neighbours above them.

    A group of one category is published as the category, others as `[primary to master]`,
    and as `[1-3]` if the first and the last are whole numbers.
    ``starts``, instead of sizes, lists for each level the categories at which a new group begins, without the first.
    """
    values = [value.strip() for value in values]
    faults = [*_value_faults(values), *_size_faults("sizes", sizes, len(values)), *_start_faults(starts, values)]
    if sizes and starts:
        faults.append("both `sizes` and `starts`: expected one of them")
    refuse(faults)
    cuts = [list(range(0, len(values) // size * size, size)) for size in sizes]  # the last takes the remainder
    cuts += [sorted({0, *(values.index(start.strip()) for start in level)}) for level in starts]

    def label(first: str, last: str) -> str:
        are_numbers = first.isdecimal() and last.isdecimal()
        return closed_label(first, last) if are_numbers or first == last else f"[{first} to {last}]"

    return _compile_runs(values, cuts, label)


def _value_faults(values: Sequence[str]) -> Iterator[str]:
    if not values:
        yield "no `values`: expected at least one"
    for place, value in enumerate(values, start=1):
        if value in ("", ROOT):
            yield f"`values` value {place} is {quoted(value)}: expected a category"
        elif values.index(value) < place - 1:
            yield f"`values` value {place}: {quoted(value)} is already value {values.index(value) + 1}"


def _size_faults(key: str, sizes: Sequence[int], count: int) -> Iterator[str]:
    for place, size in enumerate(sizes, start=1):
        before = sizes[place - 2] if place > 1 else 1
        if not 1 <= size <= max(count, 1):
            yield f"`{key}` value {place} is {size}: expected 1 to {count}, the number of values"
        elif before >= 1 and size % before:
            yield (
                f"`{key}` value {place} is {size}: expected a multiple of {before}, the one before, so that no "
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
