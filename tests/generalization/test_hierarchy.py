"""The value type: tree order, codes, sizes, and every fault of a table of labels."""

import pickle

import numpy as np
import pytest
from hierarchy_laws import check_laws, faults_of, labels_of
from hypothesis import given
from hypothesis import strategies as st
from questions import message

from gamedeid import GamedeidError, Hierarchy, InvalidHierarchyError


def age() -> Hierarchy:
    return Hierarchy.intervals(0, 120, [5, 15, 30, 60], name="age", role="age")


def rows_faults(rows, **kwargs) -> tuple[str, ...]:
    return faults_of(Hierarchy.from_rows, rows, name="h", **kwargs)


# Laws


@st.composite
def hierarchy_rows(draw, max_leaves=12, max_levels=5):
    """One row of labels per leaf of a random tree, the rows in random order."""
    leaves = draw(st.integers(1, max_leaves))
    between = draw(st.integers(0, max_levels - 2))
    columns = [list(range(leaves))]
    for _ in range(between):
        above = draw(st.lists(st.integers(0, max_leaves), min_size=max_leaves + 1, max_size=max_leaves + 1))
        columns.append([above[group] for group in columns[-1]])
    rows = [[*(f"{level}:{group}" for level, group in enumerate(groups)), "*"] for groups in zip(*columns, strict=True)]
    return draw(st.permutations(rows))


@st.composite
def nested_widths(draw, count):
    """Widths of interval levels over `count` values, each a multiple of the one before."""
    widths, width = [], 1
    for factor in draw(st.lists(st.integers(1, 4), max_size=4)):
        width *= factor
        if width > count:
            break
        widths.append(width)
    return widths


@given(st.data())
def test_rows_become_the_same_tree_whatever_their_order_each_group_one_run_of_leaves(data):
    rows = data.draw(hierarchy_rows())
    tree, other = (Hierarchy.from_rows(some, name="h") for some in (rows, data.draw(st.permutations(rows))))

    check_laws(tree)
    for groups in tree.groups:
        assert groups[0] == 0
        assert set(np.diff(groups).tolist()) <= {0, 1}
    assert {row[0] for row in rows} == set(tree.leaves) == set(other.leaves)
    for row in rows:
        here, there = tree.code(row[0]), other.code(row[0])
        assert row == labels_of(tree, row[0]) == labels_of(other, row[0])
        assert tree.sizes[:, here].tolist() == other.sizes[:, there].tolist()


@given(st.data())
def test_intervals_cover_every_value_once_in_groups_of_their_width_but_the_last(data):
    low = data.draw(st.integers(-50, 50))
    count = data.draw(st.integers(1, 80))
    widths = data.draw(nested_widths(count))
    tree = Hierarchy.intervals(low, low + count - 1, widths, name="h")

    assert tuple(str(value) for value in range(low, low + count)) == tree.leaves
    for level, width in enumerate(widths, start=1):
        sizes = np.bincount(tree.groups[level]).tolist()
        assert count == sum(sizes)
        assert [width] * (len(sizes) - 1) == sizes[:-1]
        assert width <= sizes[-1] < 2 * width


# Facts


def test_a_group_of_one_value_is_published_as_the_value():
    tree = Hierarchy.intervals(7, 9, [1, 2], name="h")

    assert (("7", "8", "9"), ("7", "8", "9"), ("[7-9]",), ("*",)) == tree.labels


def test_leaves_are_in_tree_order_by_first_appearance_from_the_top_down():
    tree = Hierarchy.from_rows(
        [["a", "x", "1", "*"], ["b", "y", "2", "*"], ["c", "z", "1", "*"], ["d", "y", "2", "*"], ["e", "x", "1", "*"]],
        name="h",
    )

    assert ("a", "e", "c", "b", "d") == tree.leaves
    assert [[0, 1, 2, 3, 4], [0, 0, 1, 2, 2], [0, 0, 0, 1, 1], [0] * 5] == tree.groups.tolist()
    assert (("a", "e", "c", "b", "d"), ("x", "z", "y"), ("1", "2"), ("*",)) == tree.labels


def test_integer_hierarchies_read_a_whole_number_in_any_writing():
    tree = age()

    for writing in ("48", "048", " 48 ", "+48", "48.0", 48, 48.0, np.int64(48), np.float32(48)):
        assert 48 == tree.code(writing)
    for other in ("", "48.5", 48.5, "forty", None, float("nan"), np.float32("nan"), True, 121, -1, "9" * 30, "٤٨"):
        assert tree.code(other) is None


def test_other_hierarchies_read_text_as_it_is_and_whole_numbers_as_their_text():
    tree = Hierarchy.from_rows([["1", "*"], ["2.0", "*"], ["2", "*"], ["nan", "*"], ["None", "*"]], name="h")

    assert ["1", "1", "2.0", "2"] == [tree.leaves[tree.code(value)] for value in (" 1 ", 1.0, 2.0, 2)]
    for other in ("01", "1.0", 1.5, None, float("nan")):
        assert tree.code(other) is None


def test_arrays_are_read_only_copies():
    groups = np.array([[0, 1], [0, 0]])
    tree = Hierarchy(name="h", leaves=("a", "b"), groups=groups, labels=(("a", "b"), ("*",)))
    groups[:] = 7

    assert [[0, 1], [0, 0]] == tree.groups.tolist()
    for array in (tree.groups, tree.sizes, tree.group_counts):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    assert [np.int32, np.int64, np.int64] == [tree.groups.dtype, tree.sizes.dtype, tree.group_counts.dtype]


def test_a_hierarchy_survives_a_trip_to_another_process():
    assert age().labels == pickle.loads(pickle.dumps(age())).labels  # noqa: S301 - our own bytes


# Faults of rows


ALONE = "expected at least a value and the root `*`, in a CSV file with `;` or `,` between them"
NO_HEADER = "(and no header line)"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([], "no rows: expected one row of labels for each value, from it up to `*`"),
        ([[], []], "no rows: expected one row of labels for each value, from it up to `*`"),
        ([[], ["a"]], f"row 2: `a` is alone: {ALONE}"),
        ([["a", "*"], ["b"]], "row 2: `b`: expected 2 labels as in row 1, got 1"),
        ([["a", "*"], ["b", "*", "*"]], "row 2: `b`: expected 2 labels as in row 1, got 3"),
        ([["a", "x", "*"], ["b", " ", "*"]], "row 2: `b` has an empty label at level 1"),
        ([["", "x", "*"]], "row 1: `` has an empty label at level 0 (a missing value needs none: leave it out)"),
        ([["a", "All"], ["b", "*"]], "row 1: `a` ends in `All`: expected the one root `*` (and no header line)"),
        (
            [["a", "****"], ["b", "****"]],
            f"row 1: `a` ends in `****`, and no row in the one root `*`: write `*` for it in every row {NO_HEADER}",
        ),
        (
            [["a", "x"], ["b", "x"], ["c", "y"]],
            f"row 1: `a` ends in `x`, and no row in the one root `*`: add a last column of `*` {NO_HEADER}",
        ),
        ([["a", "*", "*"]], "row 1: `a` is `*` at level 1: only the top level 2 may be"),
        ([["a", "*"], [], ["a", "*"]], "row 3: `a` is already row 1: each value needs one row only"),
        (
            [["a", "x", "1", "*"], ["b", "x", "2", "*"]],
            "row 2: `x` of level 1 is in `2` at level 2, but in `1` by row 1: a level may not split a group",
        ),
    ],
)
def test_a_fault_names_its_row_and_value(rows, fault):
    assert (fault,) == rows_faults(rows)


def test_every_fault_is_collected_in_the_order_of_the_rows():
    faults = rows_faults([["a", "x", "1", "*"], ["b", "x", "2", "+"], ["c"], ["a", "", "1", "*"]])

    assert [2, 2, 3, 4, 4] == [int(fault.split(":")[0].removeprefix("row ")) for fault in faults]


def test_faults_besides_an_absent_root_are_collected_too():
    faults = rows_faults([["a", "x", "1"], ["b", "x", "2"], ["b", "y", "2"], ["c", "", "2"]])

    words = ("ends in `1`, and no row in the one root", "is in `2`", "already row 2", "an empty label at level 1")
    assert all(expected in fault for expected, fault in zip(words, faults, strict=True))


def test_the_message_is_the_first_fault_and_the_number_of_others():
    with pytest.raises(GamedeidError, match=r"^row 1: .* \(and 1 more: `faults` lists all\)$"):
        Hierarchy.from_rows([["a", "x"], ["b", "y"], ["c", "*"]], name="h")


@pytest.mark.parametrize("leaf", ["048", "4 8", "-0", "-", "4.0", "٤٨", "+4"])
def test_leaves_of_an_integer_table_are_plain_whole_numbers(leaf):
    assert (f"row 2: `{leaf}` is not a plain whole number such as 48",) == rows_faults(
        [["-12", "*"], [leaf, "*"], ["0", "*"]], integer=True
    )


# Faults of intervals


@pytest.mark.parametrize(
    ("low", "high", "widths", "faults"),
    [
        (5, 4, [], ["`low` is 5 and `high` is 4: expected low <= high"]),
        (0, 10**6, [], ["0..1000000 has 1000001 values: expected at most 1000000"]),
        (0, 9, [0], ["`widths` value 1 is 0: expected 1 to 10, the number of values"]),
        (0, 9, [11], ["`widths` value 1 is 11: expected 1 to 10, the number of values"]),
        (
            0,
            9,
            [-1, 2, 3, 12],
            [
                "`widths` value 1 is -1: expected 1 to 10, the number of values",
                "`widths` value 3 is 3: expected a multiple of 2, the one before, so that no group is split",
                "`widths` value 4 is 12: expected 1 to 10, the number of values",
            ],
        ),
    ],
)
def test_interval_faults_name_the_key_and_the_value(low, high, widths, faults):
    assert tuple(faults) == faults_of(Hierarchy.intervals, low, high, widths, name="h")


# Faults of the parts


@pytest.mark.parametrize(
    ("groups", "labels", "fault"),
    [
        ([[0, 1]], (("a", "b"), ("*",)), "groups of shape (1, 2): expected (2, 2), with at least 2 levels and 1 leaf"),
        ([[0, 1]], (("a", "b"),), "groups of shape (1, 2): expected (1, 2), with at least 2 levels and 1 leaf"),
        ([[1, 0], [0, 0]], (("a", "b"), ("*",)), "the leaves are not in tree order"),
        ([[0, 0], [0, 1], [0, 0]], (("a",), ("x", "y"), ("*",)), "level 1 splits a group of level 0"),
        ([[0, 1], [0, 1]], (("a", "b"), ("*",)), "the groups of level 0 are not the leaves, or those of the top"),
        ([[0, 1], [0, 1], [0, 0]], (("a", "b"), ("x", "x"), ("*",)), "level 1 has 2 labels: expected one for each"),
        ([[0, 1], [0, 0]], (("a", "c"), ("*",)), "the labels of level 0 are not the leaves, or the top label is not"),
    ],
)
def test_parts_that_are_not_one_tree_in_tree_order_are_refused(groups, labels, fault):
    faults = faults_of(Hierarchy, name="h", leaves=("a", "b"), groups=np.array(groups), labels=labels)

    assert any(one.startswith("hierarchy `h`: ") and fault in one for one in faults)


@pytest.mark.parametrize(
    "rows",
    [
        [("40", "40", "*"), ("41", "40", "*")],
        [("Other", "Rest", "*"), ("Red", "Rest", "*"), ("White", "Other", "*")],
        [("a", "x", "b", "*"), ("b", "x", "b", "*"), ("c", "y", "y", "*")],
    ],
)
def test_a_group_that_is_called_like_a_value_is_refused_unless_it_is_that_value_alone(rows):
    with pytest.raises(InvalidHierarchyError, match="which is also a value, and the group is not that value alone"):
        Hierarchy.from_rows(rows, name="h")
    assert (
        3 == Hierarchy.from_rows([("40", "40", "*"), ("41", "[41-42]", "*"), ("42", "[41-42]", "*")], name="h").levels
    )


@pytest.mark.parametrize(
    ("build", "fault"),
    [
        (lambda: Hierarchy.intervals(0, 9, "x", name="h"), "`widths` is `x`: expected a list of whole numbers"),
        (lambda: Hierarchy.intervals(0, 9, [1.5], name="h"), "`widths` is `[1.5]`: expected a list of whole numbers"),
        (lambda: Hierarchy.intervals("0", 9, [2], name="h"), "`low` is `0`: expected a whole number"),
        (lambda: Hierarchy.prefixes(7, length=2, name="h"), "`values` is `7`: expected a list of texts"),
        (lambda: Hierarchy.prefixes(["12"], length="2", name="h"), "`length` is `2`: expected a whole number"),
        (lambda: Hierarchy.prefixes(["12"], length=2, keep=True, name="h"), "`keep` is `True`: expected a list of"),
        (lambda: Hierarchy.from_rows([1.0], name="h"), "`rows` is `[1.0]`: expected a list of lists of texts"),
        (lambda: Hierarchy.from_rows([["a", "*"]], name=3), "`name` is `3`: expected a text"),
    ],
)
def test_an_argument_of_another_type_is_named(build, fault):
    assert message(InvalidHierarchyError, build).startswith(fault)


def test_values_may_come_as_any_collection():
    codes = np.array(["12", "13"])

    assert ("12", "13") == Hierarchy.prefixes(codes, length=2, name="h").leaves
    assert 10 == len(Hierarchy.intervals(np.int64(0), 9, np.array([2, 4]), name="h").leaves)


@pytest.mark.parametrize("levels", [127, 128, 129, 300])
def test_more_levels_than_the_loops_can_number_are_refused(levels):
    rows = [[str(value), *(f"{level}/{value}" for level in range(1, levels - 1)), "*"] for value in range(3)]
    if levels == 127:
        assert 127 == Hierarchy.from_rows(rows, name="deep").levels
        return
    said = message(InvalidHierarchyError, Hierarchy.from_rows, rows, name="deep")

    assert f"`deep`: has {levels} levels, the value and the root included: expected at most 127" in said
