"""Hierarchies as CSV files for other tools: out and in again, and the files of another tool out as they came in."""

import pytest
from case_study import ARX_HIERARCHIES
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidHierarchyError, OutputError
from gamedeid.generalization.files import find_hierarchy, hierarchy_csv, read_hierarchy, write_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy

LABELS = st.text('ab;,"\n\r é=', min_size=1, max_size=4).filter(lambda text: text.strip() == text and text != "*")


@pytest.mark.parametrize(
    "name",
    [
        "age", "education", "marital-status", "native-country", "occupation", "race", "salary-class", "sex", "workclass"
    ],
)  # fmt: skip
def test_a_file_of_another_tool_comes_out_as_it_went_in_but_for_the_order_of_its_rows(name, tmp_path):
    path = ARX_HIERARCHIES / f"{name}.csv"
    write_hierarchy(read_hierarchy(path), tmp_path / "out.csv")

    normal = path.read_bytes().replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n")
    assert sorted(normal) == sorted((tmp_path / "out.csv").read_bytes().removesuffix(b"\n").split(b"\n"))
    again = read_hierarchy(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == hierarchy_csv(again)


@given(st.dictionaries(LABELS, LABELS, min_size=1, max_size=9))
def test_what_is_written_is_read_again_as_it_was(tmp_path_factory, groups):
    try:
        tree = Hierarchy.from_rows([[value, group, "*"] for value, group in groups.items()], name="h")
    except InvalidHierarchyError:
        return  # a group that is called like a value
    path = tmp_path_factory.mktemp("written") / "h.csv"
    write_hierarchy(tree, path)
    again = read_hierarchy(path)

    assert (tree.leaves, tree.labels) == (again.leaves, again.labels)
    assert tree.groups.tolist() == again.groups.tolist()


def test_a_file_is_its_owner_s_and_replaces_none_unasked(tmp_path):
    path = tmp_path / "sex.csv"
    sex = read_hierarchy(find_hierarchy("sex", tmp_path))
    write_hierarchy(sex, path)

    assert ("Male;*\nFemale;*\n", 0o600) == (path.read_text(), path.stat().st_mode & 0o777)
    with pytest.raises(OutputError, match="already exists"):
        write_hierarchy(sex, path)
    write_hierarchy(sex, path, overwrite=True)


def test_a_hierarchy_without_values_cannot_be_written(tmp_path):
    with pytest.raises(InvalidHierarchyError, match="takes its values from the data: close it over them"):
        write_hierarchy(read_hierarchy(find_hierarchy("us_zip", tmp_path)), tmp_path / "out.csv")
    assert [] == list(tmp_path.iterdir())
