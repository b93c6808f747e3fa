"""ZIP prefixes with too few people by a table, and every fault of such a table."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from case_study import CENSUS_2010
from hierarchy_laws import check_laws
from hypothesis import given
from hypothesis import strategies as st
from questions import message

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.files import read_hierarchy, table_of_hierarchy
from gamedeid.generalization.kinds import build_hierarchy
from gamedeid.generalization.shipped import restricted_prefixes

RULE = {"kind": "prefix", "length": 5, "keep": [4, 3, 2], "role": "zip"}
ZIPS = st.text("0123", min_size=5, max_size=5)


def written(folder: Path, table: str, keys: str = "") -> Path:
    (folder / "people.csv").write_text(table)
    path = folder / "zips.toml"
    path.write_text(
        'kind = "prefix"\nlength = 5\nkeep = [4, 3]\nrole = "zip"\n[merge_small]\npopulations = "people.csv"\n' + keys
    )
    return path


@given(st.dictionaries(ZIPS, st.integers(0, 50)), st.sets(ZIPS.filter(lambda text: text != "00000"), min_size=1))
def test_codes_of_small_and_of_unknown_prefixes_are_one_group(people, codes):
    small = {"people": people, "limit": 60, "label": "000**"}
    tree = build_hierarchy(RULE | {"merge_small": small}, name="h").close(codes)
    totals = Counter()
    for code, count in people.items():
        totals[code[:3]] += count

    for code in codes:
        leaf = tree.code(code)
        is_small = totals[code[:3]] <= 60
        assert ("000**" if is_small else f"{code[:3]}**") == tree.label(2, leaf)
        assert f"{code[:4]}*" == tree.label(1, leaf)
    check_laws(tree)


def test_a_table_of_zip_codes_is_summed_to_prefixes(tmp_path):
    path = written(tmp_path, "ZIP,name,Population\n37201,a,15000\n37202,b,5001\n\n38001,c,20000\n", 'label = "small"\n')
    tree = read_hierarchy(path).close(["37299", "38001", "39000"])

    assert tmp_path / "people.csv" == table_of_hierarchy(path)
    assert ["372**", "small", "small"] == [tree.label(2, tree.code(code)) for code in ("37299", "38001", "39000")]


def test_listed_codes_need_not_have_every_small_prefix():
    values = ["37201", "38001"]
    small = {"people": {"372": 5, "380": 30_000}}
    tree = build_hierarchy(RULE | {"values": values, "merge_small": small}, name="h")
    assert ("372**", "380**") == tree.labels[2]
    build_hierarchy(RULE | {"values": values, "merge_small": {"people": {"372": 30_000, "380": 30_000}}}, name="h")


def test_the_census_table_gives_the_list_of_its_year(tmp_path):
    with CENSUS_2010.open() as file:
        known = [row["zip3"] for row in csv.DictReader(file)]
    path = written(tmp_path, CENSUS_2010.read_text(), 'label = "000**"\n')
    tree = read_hierarchy(path).close([f"{prefix}01" for prefix in known])

    merged = {leaf[:3] for place, leaf in enumerate(tree.leaves) if tree.label(2, place) == "000**"}
    assert restricted_prefixes("2010").restricted & set(known) == merged


@pytest.mark.parametrize(
    ("table", "keys", "fault"),
    [
        ("zip3,state\n372,TN\n", "", "expected one column called `population`, `pop`, `people` or `count`"),
        ("zip,zip3,pop\n", "", "expected one column called `zip`, `zip3`, `zip5`, `zcta` or `zcta5`"),
        ("zip3,pop\n372\n", "", "row 2: expected 2 cells as in row 1, got 1"),
        ("zip3,pop\nx,1\n372,1.5\n", "", "row 2: `x` is no ZIP code: expected digits"),
        ("zip3,pop\n36,5\n372,7\n", "", "merge_small: 1 of the 2 codes have fewer than 3 digits"),
        ("zip3,pop\n372,7\n", "digits = 5", "merge_small: `digits` is 5: expected 1 to 4"),
        ("zip3,pop\n372,7\n", "digits = 2", "merge_small: `digits` is 2: no level below the root keeps so few"),
        ("zip3,pop\n372,7\n", "limit = -1", "merge_small: `limit` is -1: expected 0 or more"),
        ("zip3,pop\n372,7\n", "people = {}", "both `people` and `populations`: expected one of them"),
        ("zip3,pop\n372,7\n", "least = 5", "merge_small: unknown key `least`"),
    ],
)
def test_every_fault_of_the_table_or_its_keys_is_reported(tmp_path, table, keys, fault):
    assert fault in message(InvalidHierarchyError, read_hierarchy, written(tmp_path, table, keys))


def test_letters_have_no_small_prefixes_and_a_merge_needs_people():
    with pytest.raises(InvalidHierarchyError, match="`merge_small` is for codes of digits"):
        build_hierarchy(RULE | {"alphabet": "letters", "merge_small": {"people": {}}}, name="h")
    with pytest.raises(InvalidHierarchyError, match="merge_small: `people` is missing: expected a table of ZIP codes"):
        build_hierarchy(RULE | {"merge_small": {}}, name="h")
