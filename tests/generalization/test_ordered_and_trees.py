"""Ordered categories and nested groups: their hierarchies, and every fault."""

import pytest
from hierarchy_laws import check_laws, faults_of, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.kinds import build_hierarchy

SCHOOL = ["none", "primary", "secondary", "bachelor", "master"]
NAMES = st.text("abcd", min_size=1, max_size=3)


def build(kind, **keys) -> Hierarchy:
    return build_hierarchy({"kind": kind, **keys}, name="h")


# Ordered categories


def test_neighbours_are_grouped_by_sizes_and_the_last_group_takes_the_remainder():
    tree = build("ordered", values=SCHOOL, sizes=[2, 4])

    assert (tuple(SCHOOL), ("[none to primary]", "[secondary to master]"), ("[none to master]",), ("*",)) == tree.labels


def test_groups_of_whole_numbers_have_the_label_of_intervals():
    assert ("[1-2]", "3") == build("ordered", values=["1", "2", "3"], starts=[["3"]]).labels[1]
    assert ("[-1 to 0]", "low") == build("ordered", values=["-1", "0", "low"], starts=[["low"]]).labels[1]


def test_neighbours_are_grouped_by_where_a_group_starts():
    tree = build("ordered", values=SCHOOL, starts=[["secondary", "master"], ["master"]])

    assert ("[none to primary]", "[secondary to bachelor]", "master") == tree.labels[1]
    assert ("[none to bachelor]", "master") == tree.labels[2]


@given(st.lists(st.integers(0, 99), min_size=1, unique=True), st.data())
def test_groups_are_the_runs_between_the_starts(numbers, data):
    values = [f"v{number}" for number in numbers]
    fine = data.draw(st.sets(st.sampled_from(values)))
    coarse = data.draw(st.sets(st.sampled_from(sorted(fine)))) if fine else set()
    tree = build("ordered", values=values, starts=[sorted(fine), sorted(coarse)])

    assert values == list(tree.leaves)
    for level, starts in enumerate((fine, coarse), start=1):
        run = 0
        for value in values:
            run += value in starts and value != values[0]
            assert run == tree.groups[level, tree.code(value)]
    check_laws(tree)


@pytest.mark.parametrize(
    ("keys", "faults"),
    [
        ({"values": []}, ["no `values`: expected at least one"]),
        (
            {"values": ["a", " a", "*", ""]},
            [
                "`values` value 2: `a` is already value 1",
                "`values` value 3 is `*`: expected a category",
                "`values` value 4 is ``: expected a category",
            ],
        ),
        (
            {"values": SCHOOL, "sizes": [0, 6, 4]},
            [
                "`sizes` value 1 is 0: expected 1 to 5, the number of values",
                "`sizes` value 2 is 6: expected 1 to 5, the number of values",
                "`sizes` value 3 is 4: expected a multiple of 6, the one before, so that no group is split",
            ],
        ),
        (
            {"values": SCHOOL, "starts": [["master", "doctor"], ["bachelor"]]},
            [
                "`starts` list 1: `doctor` is not among the values",
                "`starts` list 2: a group begins at `bachelor`, and in list 1 none does: it would split a group",
            ],
        ),
        (
            {"values": SCHOOL, "starts": [["master"]], "sizes": [2]},
            ["both `sizes` and `starts`: expected one of them"],
        ),
    ],
)
def test_every_fault_of_an_order_is_reported(keys, faults):
    assert tuple(faults) == faults_of(build, "ordered", **keys)


# Trees


def test_a_tree_is_read_from_its_tables_and_shorter_branches_stay_in_their_group():
    tree = build("tree", tree={"Asia": ["Chinese", "Thai"], "Europe": {"Nordic": ["Danish"], "Romance": ["French"]}})

    assert ("Chinese", "Thai", "Danish", "French") == tree.leaves
    assert (("Asia", "Nordic", "Romance"), ("Asia", "Europe"), ("*",)) == tree.labels[1:]


@given(
    st.recursive(
        st.integers(1, 3),
        lambda inside: st.lists(inside, min_size=1, max_size=3),
        max_leaves=20,
    )
)
def test_a_tree_has_the_groups_of_its_tables(shape):
    groups: dict[str, set[str]] = {}

    def grown(shape, path):
        groups[path] = set()
        if isinstance(shape, int):
            values = [f"{path}v{number}" for number in range(shape)]
            for value in values:
                for end in range(1, len(path) + 1):
                    groups[path[:end]].add(value)
            return values
        return {f"{path}{number}": grown(one, f"{path}{number}") for number, one in enumerate(shape)}

    tree = build("tree", tree={"g": grown(shape, "g")})
    for level in range(1, tree.levels - 1):
        for leaf, value in enumerate(tree.leaves):
            group = tree.label(level, leaf)
            assert value in groups[group]
            assert len(groups[group]) == tree.sizes[level, leaf]
    assert set(groups) == {label for labels in tree.labels[1:-1] for label in labels}
    check_laws(tree)


@pytest.mark.parametrize(
    ("tree", "faults"),
    [
        ({}, ["`tree` has no groups: expected tables, and lists of texts in them"]),
        (
            {"a": [], "b": {}, "c": 5, "d": ["x", 1], "e": "xy"},
            [
                "`tree`, `a` has no values: expected at least one",
                "`tree`, `b` has no groups: expected tables, and lists of texts in them",
                "`tree`, `c` is `5`: expected a table of groups, or a list of texts",
                "`tree`, `d` is `['x', 1]`: expected a table of groups, or a list of texts",
                "`tree`, `e` is `xy`: expected a table of groups, or a list of texts",
            ],
        ),
        ({"a": ["x"], "b": ["x"]}, ["value 2: `x` is already value 1: each value needs one value only"]),
        (
            {"a": {"c": ["x"]}, "b": {"c": ["y"]}},
            ["value 2: `c` of level 1 is in `b` at level 2, but in `a` by value 1: a level may not split a group"],
        ),
    ],
)
def test_every_fault_of_a_tree_is_reported(tree, faults):
    assert tuple(faults) == faults_of(build, "tree", tree=tree)


def test_excessive_nesting_is_refused():
    tree: dict = {"a": ["x"]}
    for _ in range(60):
        tree = {"a": tree}
    assert faults_of(build, "tree", tree=tree)[0].endswith("is nested more than 50 tables deep")


# Values that are not listed


@given(NAMES, st.lists(NAMES, min_size=1, unique=True))
def test_unlisted_values_are_a_leaf_of_their_own(value, listed):
    tree = build("ordered", values=listed, sizes=[1], unlisted="Other values")
    expected = value if value in listed else "Other values"
    assert [expected, expected, "*"] == labels_of(tree, value)
    assert (None, len(listed)) == (tree.code(None), tree.code("Other values"))
    assert (listed.index(value) if value in listed else None) == tree.listed_code(value)
    assert tuple(listed) == tree.listed_part().leaves
    check_laws(tree)


@pytest.mark.parametrize(
    "keys", [{"unlisted": "*"}, {"unlisted": ""}, {"unlisted": "none"}, {"unlisted": 5}, {"unlisted": " x"}]
)
def test_the_name_of_the_unlisted_is_a_text_of_its_own(keys):
    (fault,) = faults_of(build, "ordered", values=SCHOOL, **keys)
    assert fault.startswith("`unlisted` is ")


def test_the_default_policy_for_unlisted_values_is_error():
    assert build("ordered", values=SCHOOL, unlisted="error").unlisted is None
