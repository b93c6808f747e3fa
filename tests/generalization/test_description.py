"""Descriptions to hierarchies: the three kinds, every fault of the keys, and rules closed over data."""

import pytest
from hierarchy_laws import faults_of, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid import Hierarchy, InvalidHierarchyError, OpenHierarchy
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.prefixes import Merge, PrefixRule

INTERVAL = {"kind": "interval", "low": 0, "high": 120, "widths": [5, 15, 30, 60]}
PREFIX = {"kind": "prefix", "length": 3}
TABLE = {"kind": "table", "rows": [["7", "*"], ["8", "*"]]}


ALPHABETS = "expected `digits`, `letters`, `alphanumeric`, or the characters themselves, each once and no `*`"
KINDS = "`interval`, `number`, `date`, `age`, `codes`, `prefix`, `ordered`, `tree` or `table`"


def prefix_rule(**rule) -> OpenHierarchy:
    return OpenHierarchy(name="h", rule=PrefixRule(**{"length": 3, "keep": (1,)} | rule))


def test_an_interval_description_is_the_ladder_of_its_widths():
    age = build_hierarchy(INTERVAL | {"role": "age", "title": "Age"}, name="age")

    assert isinstance(age, Hierarchy)
    assert ("age", "age", "Age", True) == (age.name, age.role, age.title, age.integer)
    assert ["48", "[45-49]", "[45-59]", "[30-59]", "[0-59]", "*"] == labels_of(age, 48)


def test_a_prefix_description_with_values_is_closed():
    tree = build_hierarchy(PREFIX | {"values": ["123", "145"], "keep": [1]}, name="h")

    assert isinstance(tree, Hierarchy)
    assert (("123", "145"), ("1**",), ("*",)) == tree.labels
    assert (None, "", False) == (tree.role, tree.title, tree.integer)


def test_a_prefix_description_without_values_takes_its_leaves_from_the_data():
    rule = build_hierarchy(
        PREFIX | {"role": "zip", "merge": [{"from_level": 2, "prefixes": ["2", "3"], "label": "0**"}]}, name="h"
    )

    assert isinstance(rule, OpenHierarchy)
    assert 4 == rule.levels
    assert (2, 1) == rule.rule.keep
    tree = rule.close([" 345", "123", "234", "123"])
    assert ("zip", ("123", "234", "345")) == (tree.role, tree.leaves)
    assert (("12*", "23*", "34*"), ("1**", "0**")) == tree.labels[1:3]


@given(st.sets(st.text("0123", min_size=3, max_size=3), min_size=1), st.randoms())
def test_closing_does_not_depend_on_the_order_or_number_of_the_values(values, random):
    rule = prefix_rule(keep=(2, 1), merge=(Merge(from_level=2, prefixes=("0", "1")),))
    shuffled = [*values, *values]
    random.shuffle(shuffled)

    assert rule.close(sorted(values)).labels == rule.close(shuffled).labels


def test_a_merge_of_prefixes_without_data_is_valid():
    rule = prefix_rule(merge=(Merge(from_level=1, values=("999",), prefixes=("8",)),))

    assert (("123",), ("1**",), ("*",)) == rule.close(["123"]).labels


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "no values: expected at least one"),
        (
            ["12", "1234", "", "1**", "12a", "123"],
            "codes of 3 digits, but 5 of the 6 distinct values in the data are none",
        ),
        (
            ["123", "NA", "-9"],
            'if `-9` or `NA` stands for a missing value, write [records] missing_values = ["-9", "NA"]',
        ),
        (
            ["000", "123"],
            "merge 1: its label `0**` at level 2 is also that of values outside it: give the merge another",
        ),
    ],
)
def test_values_that_do_not_fit_the_rule_are_counted(values, message):
    rule = prefix_rule(keep=(2, 1), merge=(Merge(from_level=2, prefixes=("1",), label="0**"),))

    with pytest.raises(InvalidHierarchyError) as caught:
        rule.close(values)
    assert str(caught.value).startswith("hierarchy `h`: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "values", "said"),
    [
        ({"length": 5}, ["37201", "99999"], 'write [records] missing_values = ["99999"]'),
        ({"length": 5}, ["37201", "00000"], 'write [records] missing_values = ["00000"]'),
        (
            {"length": 3, "role": "zip"},
            ["372", "999"],
            "1 of the 2 distinct codes in the data is well known for missing",
        ),
        ({"length": 2, "alphabet": "letters"}, ["TN", "NA"], "`NA` stands for a missing value"),
    ],
)
def test_codes_that_are_well_known_for_missing_values_are_refused_unless_they_are_listed(rule, values, said):
    with pytest.raises(InvalidHierarchyError) as caught:
        build_hierarchy({"kind": "prefix", **rule}, name="h").close(values)
    assert said in str(caught.value)
    assert str(caught.value).endswith("; else list all codes as `values` of the hierarchy")
    listed = build_hierarchy({"kind": "prefix", "values": values, **rule}, name="h")
    assert set(values) == set(listed.leaves)


def test_a_short_code_of_nines_is_a_code():
    assert ("250", "999") == prefix_rule().close(["999", "250"]).leaves


@pytest.mark.parametrize(
    ("alphabet", "codes", "others"),
    [
        ("digits", ["372"], ["C34", "3 2", "٣٧٢"]),
        ("letters", ["Abc"], ["C34", "äbc"]),
        ("alphanumeric", ["C34", "372"], ["C.4", "C-4"]),
        ("0123456789-", ["1-2"], ["1/2", "C34"]),
    ],
)
def test_codes_are_made_of_the_alphabet(alphabet, codes, others):
    rule = prefix_rule(alphabet=alphabet)

    assert tuple(sorted(codes)) == rule.close(codes).leaves
    for other in others:
        with pytest.raises(InvalidHierarchyError, match="1 of the 1 distinct values in the data are none"):
            rule.close([other])


@pytest.mark.parametrize(
    ("description", "faults"),
    [
        ({}, [f"`kind` is missing: expected {KINDS}"]),
        ({"kind": "intervall"}, [f"`kind` is `intervall`: expected {KINDS}; did you mean `interval`?"]),
        ({"kind": ["prefix"]}, [f"`kind` is `['prefix']`: expected {KINDS}; did you mean `prefix`?"]),
        (
            {"kind": "interval", "low": True, "width": [5], "high": "x" * 90, "role": "zipcode", "title": 5},
            [
                "`low` is `True`: expected a whole number",
                (
                    "unknown key `width`: expected `title`, `kind`, `role`, `unlisted`, `spellings`, `low`, `high`, "
                    "`widths` or `open_from`; did you mean `widths`?"
                ),
                f"`high` is `{'x' * 77}...`: expected a whole number",
                "`role` is `zipcode`: expected `zip`, `age`, `date`, `county`, `city`, `state` or `other`",
                "`title` is `5`: expected a text",
                "`widths` is missing: expected a list of whole numbers",
            ],
        ),
        (INTERVAL | {"widths": 5}, ["`widths` is `5`: expected a list of whole numbers"]),
        (INTERVAL | {"widths": [5, 7.5]}, ["`widths` is `[5, 7.5]`: expected a list of whole numbers"]),
        (INTERVAL | {"widths": "55"}, ["`widths` is `55`: expected a list of whole numbers"]),
        *((PREFIX | {"alphabet": odd}, [f"`alphabet` is `{odd}`: {ALPHABETS}"]) for odd in ("", "01*")),
        (PREFIX | {"alphabet": "digit"}, [f"`alphabet` is `digit`: {ALPHABETS}; did you mean `digits`?"]),
        (PREFIX | {"alphabet": 5}, ["`alphabet` is `5`: expected a text"]),
        (
            PREFIX | {"merge": [{"from_level": 1, "prefixes": ["O36"]}], "keep": [3]},
            [
                "`keep` value 1 is 3: expected a number from 1 to 2, fewer at each level",
                "merge 1: `O36` has a character outside the alphabet: no code begins so",
            ],
        ),
        (PREFIX | {"values": [37203]}, ["`values` is `[37203]`: expected a list of texts"]),
        (PREFIX | {"values": "37203"}, ["`values` is `37203`: expected a list of texts"]),
        (PREFIX | {"merge": {"from_level": 1}}, ["`merge` is `{'from_level': 1}`: expected [[merge]] tables"]),
        (
            PREFIX | {"merge": [{"from_level": 1, "values": ["123"]}, {"fromlevel": "2", "prefixes": 5}]},
            [
                (
                    "merge 2: unknown key `fromlevel`: expected `from_level`, `values`, `prefixes` or `label`; "
                    "did you mean `from_level`?"
                ),
                "merge 2: `prefixes` is `5`: expected a list of texts",
                "merge 2: `from_level` is missing: expected a whole number",
            ],
        ),
        (
            TABLE | {"rows": ["7*"], "integer": 1},
            ["`rows` is `['7*']`: expected a list of lists of texts", "`integer` is `1`: expected true or false"],
        ),
        (
            TABLE | {"rows": [["7", "x"], ["8", "*"]]},
            ["row 1: `7` ends in `x`: expected the one root `*` (and no header line)"],
        ),
    ],
)
def test_every_fault_of_a_description_names_its_key_and_value(description, faults):
    assert tuple(faults) == faults_of(build_hierarchy, description, name="h")
