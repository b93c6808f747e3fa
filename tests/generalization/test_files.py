"""Hierarchy files: their forms, the shipped ones, one clear line for each fault, and writing and reading again."""

import csv
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from case_study import ARX_HIERARCHIES, CENSUS_2010, POPULATION
from hierarchy_laws import faults_of, labels_of
from hypothesis import given
from hypothesis import strategies as st

from gamedeid.errors import InvalidDataError, InvalidHierarchyError, InvalidScenarioError, OutputError
from gamedeid.generalization import files as room
from gamedeid.generalization.files import find_hierarchy, hierarchy_csv, read_hierarchy, write_hierarchy
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.shipped import prefix_list, restricted_prefixes, shipped_files, shipped_folder
from gamedeid.scenario.sections import Policy

SMALL_2010 = "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893"
SMALL_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
LABELS = st.text('ab;,"\n\r é=', min_size=1, max_size=4).filter(lambda text: text.strip() == text and text != "*")


def ship(name: str) -> Hierarchy | OpenHierarchy:
    return read_hierarchy(find_hierarchy(name, Path.cwd()))


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fault_of(path: Path) -> str:
    (fault,) = faults_of(read_hierarchy, path)
    assert "\n" not in fault
    assert fault.startswith(f"{path}: ")
    return fault.removeprefix(f"{path}: ")


# Shipped hierarchies


def test_the_shipped_hierarchies_are_known_by_name():
    assert ["age", "icd10", "race", "sex", "us_zip", "zip"] == sorted(shipped_files("hierarchies"))


ALONE = "expected at least a value and the root `*`, in a CSV file with `;` or `,` between them"


@pytest.mark.parametrize(
    ("name", "role", "counts"),
    [
        ("age", "age", [121, 24, 8, 4, 2, 1]),
        ("race", "other", [5, 4, 2, 1]),
        ("sex", "other", [2, 1]),
        ("zip", "zip", [628, 113, 16, 3, 2, 1]),
    ],
)
def test_the_case_study_has_its_levels_and_groups(name, role, counts):
    found = ship(name)

    assert (name, role, counts) == (found.name, found.role, found.group_counts.tolist())


def test_the_last_age_groups_are_those_of_the_case_study():
    assert ["[115-120]", "[105-120]", "[90-120]", "[60-120]"] == [labels[-1] for labels in ship("age").labels[1:-1]]


def test_every_chapter_of_icd_10_holds_its_codes():
    codes = {"A01.0": "A00-B99", "C7A.00": "C00-D49", "D50": "D50-D89", "H59.1": "H00-H59", "H60": "H60-H95"}
    codes |= {"O9A.21": "O00-O9A", "T88.7XXA": "S00-T98", "U07.1": "U00-U99", "V00.01": "V00-Y99", "Z3A.01": "Z00-Z99"}
    tree = ship("icd10").close(codes)

    assert list(codes.values()) == [tree.label(3, tree.code(code.replace(".", ""))) for code in codes]
    assert ["C7A.00", "C7A.0*", "C7A*", "C00-D49", "*"] == labels_of(tree, "C7A00")
    (chapters,) = ship("icd10").rule.ranges
    assert 22 == len(chapters)
    assert sorted(chapters) == list(chapters)


@pytest.mark.parametrize("leaf", ["42223", "42602", "72338"])
def test_the_small_prefixes_of_the_case_study_are_one_group_from_level_two_on(leaf):
    tree = ship("zip")

    labels = [leaf, f"{leaf[:4]}*", "[422**, 426**, 723**]", "[42***, 72***]", "[4****, 7****]", "*"]
    assert labels == labels_of(tree, leaf)
    assert [1, 1, 3, 3, 3, 628] == tree.sizes[:, tree.code(leaf)].tolist()


def test_races_are_published_as_in_the_case_study():
    tree = ship("race")

    assert ["Other", "[Amer-Indian-Eskimo, Other]", "Non-White", "*"] == labels_of(tree, "Other")
    assert ["White", "White", "White", "*"] == labels_of(tree, "White")


def test_the_case_study_has_every_zip_code_of_its_population():
    pandas = pytest.importorskip("pandas")
    population = pandas.read_csv(POPULATION, dtype=str, usecols=["zip"])

    assert sorted(set(population["zip"])) == sorted(ship("zip").leaves)


def test_us_zip_publishes_the_restricted_prefixes_as_one_group():
    tree = ship("us_zip").close(["37203", "37010", "03601", "89300", "03799"])

    assert ["03601", "0360*", "000**", "000**", "000**", "*"] == labels_of(tree, "03601")
    assert [1, 1, 2, 2, 2, 5] == tree.sizes[:, tree.code("03601")].tolist()
    assert ["03799", "0379*", "037**", "03***", "0****", "*"] == labels_of(tree, "03799")


def test_us_zip_merges_just_the_prefixes_of_the_default_list_which_is_that_of_the_newest_census():
    (merge,) = ship("us_zip").rule.merge

    assert restricted_prefixes(Policy().census).restricted == frozenset(merge.prefixes)
    assert 2 == merge.from_level
    assert Policy().census == max(get_args(Policy.model_fields["census"].annotation))


def test_no_census_list_restricts_the_prefixes_that_the_case_study_counts_as_small():
    tree, small = ship("zip"), {"422", "426", "723"}

    assert small == {leaf[:3] for leaf in tree.leaves if "," in tree.label(2, tree.code(leaf))}
    for census in ("2000", "2010", "2020"):
        found = restricted_prefixes(census)
        assert small <= found.known
        assert not small & found.restricted


# The Safe Harbor list


@pytest.mark.parametrize(("census", "restricted"), [("2000", SMALL_2000), ("2010", SMALL_2010), ("2020", SMALL_2010)])
def test_each_census_restricts_its_prefixes_and_knows_all_of_them(census, restricted):
    prefixes = restricted_prefixes(census)

    assert frozenset(restricted.split()) == prefixes.restricted
    assert 891 == len(prefixes.known)
    assert prefixes.restricted < prefixes.known


def test_the_2010_list_is_the_rule_of_twenty_thousand_applied_to_the_census():
    with CENSUS_2010.open() as file:
        people = {row["zip3"]: int(row["pop"]) for row in csv.DictReader(file)}

    assert frozenset(people) == restricted_prefixes("2010").known
    assert (
        frozenset(zip3 for zip3, count in people.items() if count <= 20_000) == restricted_prefixes("2010").restricted
    )


@pytest.mark.parametrize("census", ["2010", "2020"])
def test_the_list_names_each_prefix_once_per_census_and_tells_no_population(census):
    with prefix_list(census).open() as file:
        rows = list(csv.DictReader(file))

    assert {"census", "zip3", "restricted"} == set(rows[0])
    assert {1} == set(Counter((row["census"], row["zip3"]) for row in rows).values())
    assert {"true", "false"} == {row["restricted"] for row in rows}


def test_another_census_is_an_error_that_lists_those_there_are():
    with pytest.raises(
        InvalidScenarioError, match=r"census `201` .* expected `2000`, `2010` or `2020`; did you mean `2010`\?"
    ):
        restricted_prefixes("201")


# Where shipped files are


def test_an_installed_package_reads_its_own_copies(tmp_path, monkeypatch):
    inside = tmp_path / "gamedeid" / "_shipped" / "hierarchies"
    (tmp_path / "hierarchies").mkdir()
    monkeypatch.setattr("gamedeid.generalization.shipped._PACKAGE", tmp_path / "gamedeid")

    assert tmp_path / "hierarchies" == shipped_folder("hierarchies")
    inside.mkdir(parents=True)
    (inside / "own.toml").touch()
    (inside / "README.md").touch()
    (inside / "folder.csv").mkdir()
    assert {"own": inside / "own.toml"} == shipped_files("hierarchies")


def test_a_package_without_its_files_says_where_it_looked(tmp_path, monkeypatch):
    monkeypatch.setattr("gamedeid.generalization.shipped._PACKAGE", tmp_path / "gamedeid")

    with pytest.raises(InvalidDataError, match=r"the shipped scenarios are neither in .*_shipped.* nor in .*scenarios"):
        shipped_folder("scenarios")


# Finding


def test_a_file_next_to_the_scenario_comes_before_a_shipped_name(tmp_path):
    own = written(tmp_path, "age", "a;*")

    assert own == find_hierarchy("age", tmp_path)
    assert shipped_folder("hierarchies") / "sex.toml" == find_hierarchy("sex", tmp_path)
    assert own == find_hierarchy(str(own), Path("elsewhere"))


@pytest.mark.parametrize(
    ("name", "said"),
    [("uszip.toml", "is no file, {shipped}; did you mean `us_zip`?"), ("ladders", "is a folder, {shipped}")],
)
def test_an_unknown_name_or_a_folder_lists_the_shipped_ones_with_the_nearest(tmp_path, name, said):
    (tmp_path / "ladders").mkdir()
    shipped = "and the shipped ones are age, icd10, race, sex, us_zip, zip"

    with pytest.raises(InvalidHierarchyError) as caught:
        find_hierarchy(name, tmp_path)
    assert f"hierarchy `{name}`: {tmp_path / name} {said.format(shipped=shipped)}" == str(caught.value)


# The forms


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("age", [100, 20, 10, 5, 1]),
        ("education", [16, 5, 3, 1]),
        ("marital-status", [7, 2, 1]),
        ("native-country", [41, 5, 1]),
        ("occupation", [14, 3, 1]),
        ("race", [5, 1]),
        ("salary-class", [2, 1]),
        ("sex", [2, 1]),
        ("workclass", [8, 3, 1]),
    ],
)
def test_hierarchies_of_another_tool_load_and_are_written_unchanged_except_for_the_order_of_rows(
    name, counts, tmp_path
):
    path, out = ARX_HIERARCHIES / f"{name}.csv", tmp_path / "out.csv"
    tree, rows = read_hierarchy(path), path.read_text().splitlines()

    assert (name, None, counts) == (tree.name, tree.role, tree.group_counts.tolist())
    for row in (line.split(";") for line in rows):
        assert row == labels_of(tree, row[0])
    write_hierarchy(tree, out)
    assert sorted(rows) == sorted(out.read_text().splitlines())
    assert out.read_bytes().endswith(b"\n")
    assert out.read_text() == hierarchy_csv(read_hierarchy(out))


@pytest.mark.parametrize(
    "content",
    [
        "a;x, y;*\nb;x, y;*\n",
        'a,"x, y",*\nb,"x, y",*',
        "\ufeffa;x, y;*\r\nb;x, y;*\r\n",
        "\n  \na ; x, y ; *\n\nb;x, y;*\n\n",
        'a,"x, y",*\rb,"x, y",*\r',
    ],
)
def test_a_csv_file_is_read_with_either_separator_and_any_line_end(tmp_path, content):
    tree = read_hierarchy(written(tmp_path, "h.CSV", content))

    assert (("a", "b"), ("x, y",), ("*",)) == tree.labels


def test_a_semicolon_inside_quotes_does_not_separate(tmp_path):
    tree = read_hierarchy(written(tmp_path, "h.csv", '"a;b",x,*\nc,x,*\n'))

    assert ("a;b", "c") == tree.leaves


def test_a_toml_file_may_take_its_rows_from_a_file_next_to_it_and_come_from_windows(tmp_path):
    written(tmp_path, "rows.csv", "7;*\n8;*\n")
    tree = read_hierarchy(
        written(tmp_path, "h.toml", 'kind = "table"\npath = "rows.csv"\nrole = "age"\ninteger = true\n')
    )

    assert ("h", "age", 1) == (tree.name, tree.role, tree.code("08"))
    tree = read_hierarchy(
        written(tmp_path, "h.toml", b'\xef\xbb\xbfkind = "interval"\r\nlow = 1\r\nhigh = 4\r\nwidths = [2]\r\n')
    )

    assert ("[1-2]", "[3-4]") == tree.labels[1]


# Unreadable files


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("h.txt", "a;*", "expected a hierarchy file, .toml or .csv"),
        ("h.csv", "", "the file is empty"),
        ("h.toml", " \n\n", "the file is empty"),
        ("h.csv", "\ufeff", "the file is empty"),
        (
            "h.csv",
            "x" * (1 << 20) + ";*",
            "the first line is over 1 MiB: expected a hierarchy, not data or a binary file",
        ),
        ("h.csv", b"a;*\n\xe9;*", "row 2: byte 0xe9 is not UTF-8: save the file as UTF-8"),
        ("h.csv", "a;*".encode("utf-16"), "row 1: byte 0xff is not UTF-8: save the file as UTF-8"),
        ("h.csv", "a;*\nb;*".encode("utf-16-le"), "row 1: a NUL: save it as UTF-8 text"),
        ("h.csv", 'a;*\n"b;*\n', "row 2: unexpected end of data"),
        ("h.csv", "a\tx\t*", rf"row 1: `a\tx\t*` is alone: {ALONE}"),
        ("h.csv", "\na;x;*\nb;y;+", "row 3: `b` ends in `+`: expected the one root `*` (and no header line)"),
        ("h.toml", 'kind = "interval\n', "not valid TOML: Illegal character '\\n' (at line 1, column 17)"),
        ("h.toml", "low = " + "9" * 5000, "not valid TOML: a number is too large, or the nesting too deep"),
        ("h.toml", "low = " + "[" * 50_000, "not valid TOML: a number is too large, or the nesting too deep"),
        ("h.toml", 'kind = "table"\npath = "rows.csv"\nrows = []', "both `rows` and `path`: expected one of them"),
        (
            "h.toml",
            'kind = "table"\npath = 5\nrows = [["a", "*"]]',
            "unknown key `path`: expected `title`, `kind`, `role`, `unlisted`, `spellings`, `rows` or `integer`",
        ),
    ],
)
def test_an_unreadable_file_is_one_clear_line(tmp_path, name, content, fault):
    assert fault == fault_of(written(tmp_path, name, content))


def test_a_file_that_is_not_a_hierarchy_is_named(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    outer = written(tmp_path, "h.toml", 'kind = "table"\npath = "none.csv"')

    assert "no such file" == fault_of(tmp_path / "none.csv")
    assert "is a folder: expected a .toml or .csv file" == fault_of(tmp_path / "folder.csv")
    assert f"{tmp_path / 'none.csv'}: no such file" == fault_of(outer)

    outer = written(tmp_path, "h.toml", 'kind = "table"\npath = "a\\u0000b.csv"')

    assert "embedded null byte" in fault_of(outer)
    assert "cannot be read: File name too long" == fault_of(tmp_path / f"{'x' * 256}.csv")
    with pytest.raises(InvalidHierarchyError, match="is no file"):
        find_hierarchy("x" * 300, tmp_path)


def test_the_error_on_an_unreadable_file_gives_the_reason(tmp_path, monkeypatch):
    path = written(tmp_path, "h.csv", "a;*")

    def refuse(*_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert "cannot be read: Permission denied" == fault_of(path)


def test_every_fault_of_a_file_names_the_file(tmp_path):
    path = written(tmp_path, "h.csv", "a;x;*\nb;;*\na;x;*\n")

    assert (
        f"{path}: row 2: `b` has an empty label at level 1",
        f"{path}: row 3: `a` is already row 1: each value needs one row only",
    ) == faults_of(read_hierarchy, path)


def test_a_first_line_of_just_one_mebibyte_is_still_read(tmp_path):
    content = ";".join(["x" * 50_000] * 20)
    content += "y" * (room.LONGEST_FIRST_LINE - len(content) - 3) + ";*\n"

    assert room.LONGEST_FIRST_LINE == len(content)
    assert 21 == read_hierarchy(written(tmp_path, "h.csv", content)).levels


# Written and read again


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


def test_a_file_is_readable_by_its_owner_only_and_replaces_none_by_default(tmp_path):
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
