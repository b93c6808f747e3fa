"""Table files: valid ones are read exactly, odd ones are refused without quoting their values."""

import bz2
import csv
import gzip
import lzma
import os
import random
import subprocess
import sys
from contextlib import suppress
from encodings.aliases import aliases
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from depth import tries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from questions import message

from gamedeid.data.files.headers import LINE_LIMIT
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError
from gamedeid.results.tables import write_blocks


def make(folder: Path, content: bytes | str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path, columns=None, *, coded=(), **how) -> dict[str, list[str]]:
    file = TableFile.open(path, **how)
    return file.read(columns or file.names, coded=coded).to_pydict()


def refusal(path: Path, columns=None, **how) -> str:
    text = message(InvalidDataError, read, path, columns, **how)
    assert text.startswith(f"{path}: ")
    return text.removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n1,x\n2,y\n", {"a": ["1", "2"], "b": ["x", "y"]}),
        ("a,b\n1,x\n2,y", {"a": ["1", "2"], "b": ["x", "y"]}),
        ("a,b\r\n1,x\r\n\r\n2,y\r\n", {"a": ["1", "2"], "b": ["x", "y"]}),
        ("a,b\r1,x\r2,y\r", {"a": ["1", "2"], "b": ["x", "y"]}),
        ("a;b\n1,5;x\n", {"a": ["1,5"], "b": ["x"]}),
        ("a\tb\n1;2\tx\n", {"a": ["1;2"], "b": ["x"]}),
        ("a|b\n1|x\n", {"a": ["1"], "b": ["x"]}),
        (' a , b \n"1",x\n', {"a": ["1"], "b": ["x"]}),
        ('"a,b,c";d\n1;x\n', {"a,b,c": ["1"], "d": ["x"]}),
        ('"a\nb",c\n1,x\n', {"a\nb": ["1"], "c": ["x"]}),
        ('a,b\n1,"x, y"\n2,"x\ny"\n3,"x ""y"""\n', {"a": ["1", "2", "3"], "b": ["x, y", "x\ny", 'x "y"']}),
        ('a,b\n1,5" pipe\n2,x\n', {"a": ["1", "2"], "b": ['5" pipe', "x"]}),
        ("a,b\n01,NA\nnull,\n", {"a": ["01", "null"], "b": ["NA", ""]}),
        (",a\n0,x\n", {"": ["0"], "a": ["x"]}),
        ("a\n1\n\n2\n", {"a": ["1", "", "2"]}),
        ("\ufeffa,b\n1,x\n", {"a": ["1"], "b": ["x"]}),
        ("a,b\n1,größe\n", {"a": ["1"], "b": ["größe"]}),
    ],
)
def test_a_table_is_read_exactly(tmp_path, content, expected):
    assert expected == read(make(tmp_path, content))


def test_a_space_after_each_delimiter_is_not_part_of_the_values(tmp_path):
    path = make(tmp_path, "a, b, c\n 1, 2 , x\n")

    assert {"a": [" 1"], "b": ["2 "], "c": ["x"]} == read(path)
    assert {"a": [" 1"], "b": ["2 "], "c": ["x"]} == read(path, coded=("a", "b"))
    assert ("a", "b") == TableFile.open(make(tmp_path, '"a", "b"\n1, 2\n')).names


def test_only_the_named_columns_are_read_in_the_order_of_the_file(tmp_path):
    path = make(tmp_path, "a,b,c\n1,2,3\n")

    assert ["a", "c"] == list(read(path, ["c", "a"]))


def test_coded_columns_hold_the_same_values(tmp_path):
    path = make(tmp_path, "a,b\n1,x\n1,y\n")
    table = TableFile.open(path).read(["a", "b"], coded=["a"])

    assert pa.types.is_dictionary(table.schema.field("a").type)
    assert pa.string() == table.schema.field("b").type
    assert {"a": ["1", "1"], "b": ["x", "y"]} == table.to_pydict()


def test_a_file_without_a_header_gets_its_names_from_the_scenario(tmp_path):
    assert {"x": ["1", "2"], "y": ["a", "b"]} == read(make(tmp_path, "1,a\n2,b\n"), names=["x", "y"])
    assert {"x": ["1"], "y": ["a"]} == read(make(tmp_path, "\ufeff1,a\n"), names=["x", "y"])
    assert {"x": ["1\n2"], "y": ["a"]} == read(make(tmp_path, '"1\n2",a\n'), names=["x", "y"])
    assert {"x": ["1,5", "1"], "y": ["2,5", "2"]} == read(make(tmp_path, "1,5;2,5\n1;2\n"), names=["x", "y"])
    assert {"x": ['5" a'], "y": ["b"]} == read(make(tmp_path, '5" a,b\n'), names=["x", "y"])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["x"], "the scenario names 1 column, but the first row has 2"),
        (["x", "y", "z"], "the scenario names 3 columns, but the first row has 2"),
        (["x", "x"], "columns 1 and 2 have the same name"),
    ],
)
def test_the_scenario_names_as_many_columns_as_there_are(tmp_path, names, said):
    assert refusal(make(tmp_path, "secret,1\n"), names=names).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty; expected a header and rows"),
        *(
            (one, "its first line is empty; expected the names of the columns")
            for one in ("\n1,2\n", "  \n1\n", "\ufeff")
        ),
        *((one, "has no rows") for one in ("a,b\n", "a,b", "a\n")),
        ("secret,b,secret\n1,2,3\n", "columns 1 and 3 have the same name"),
        ("a\0,b\n1,2\n", "is not text; expected a CSV file, or one that ends in .parquet"),
        (b"PK\x03\x04rest", "is a ZIP or Excel file; save it as CSV"),
        (b"ARROW1\0\0rest", "is an Arrow file, such as Feather; save it as Parquet"),
        *(
            (packed, "is compressed in another way than gzip; unpack it")
            for packed in (bz2.compress(b"a,b"), lzma.compress(b"a,b"), b"\x28\xb5\x2f\xfd\0")
        ),
        (b"\xd0\xcf\x11\xe0rest", "is an old Excel file (.xls); save it as CSV"),
        (b"%PDF-1.4\n1\n", "is a PDF file; save it as CSV"),
        ('a,"b\n1,2\n', "line 1 has a quote that does not end where a value ends"),
        ('a,"b"c\n1,2\n', "line 1 has a quote that does not end where a value ends"),
        ('a, b\n1, "secret"\n', "line 2 has a quote after a space; leave out the spaces between values"),
        (
            "a,b\n1,2\n".encode("utf-16"),
            'is UTF-16 text; save it as UTF-8, or set encoding = "utf-16" in the scenario',
        ),
    ],
)
def test_an_invalid_table_is_refused(tmp_path, content, said):
    text = refusal(make(tmp_path, content))

    assert text.startswith(said)
    assert "secret" not in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n1,2\nsecret\n", "row 2 has 1 value, expected 2 (line 3, delimiter `,`)"),
        ("a,b\n1,2\n\n1,secret,3\n", "row 2 has 3 values, expected 2 (line 4, delimiter `,`)"),
        ('a,b\n"x\ny",3\n1,secret,3\n', "row 2 has 3 values, expected 2 (line 4, delimiter `,`)"),
        (
            "a;b\n" + "1;x\n" * 300_000 + "secret;2;3\n",
            "row 300001 has 3 values, expected 2 (line 300002, delimiter `;`)",
        ),
    ],
)
def test_an_uneven_row_is_counted_and_not_shown(tmp_path, content, said):
    for columns in (None, ["b"]):
        text = refusal(make(tmp_path, content), columns)
        assert text.startswith(said)
        assert "secret" not in text


def test_an_uneven_row_after_a_long_value_has_no_line(tmp_path):
    text = refusal(make(tmp_path, f"a,b\n1,{'x' * 140_000}\n1\n"))
    assert text.startswith("row 2 has 1 value, expected 2 (delimiter `,`)")


def test_rows_without_a_header_are_counted_from_the_first(tmp_path):
    assert refusal(make(tmp_path, "1,2\n1\n"), names=["a", "b"]).startswith("row 2 has 1 value, expected 2")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('a,b\n1,"secret\n2,def\n3,ghi\n', 4),
        ('a,b\n1,"secret\n2,de"f\n3,ghi\n', 3),
        ('a,b\n1,x\n2,"y" \n', 3),
        ('a,b\n1,5" pipe\n2,"secret\n', 3),
        pytest.param('a,b\n1,"secret\n' + "2,def\n" * 300_000, 21_847, id="128 KiB"),  # all that is held of a value
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp037"])  # in the other one quotes are other bytes
def test_a_quoted_value_without_an_end_is_refused_before_it_swallows_rows(tmp_path, content, line, encoding):
    text = refusal(make(tmp_path, content.encode(encoding)), ["a"], encoding=encoding)

    assert text.startswith(f"a quoted value does not end where a value ends (line {line}); ")
    assert "secret" not in text


@pytest.mark.parametrize("cut", range(-3, 4))
def test_quotes_are_seen_across_the_blocks_of_a_file(tmp_path, cut):
    row = '1,"x, ""y"""\n'
    fill = "z" * ((LINE_LIMIT + cut) % len(row))
    whole = f"a,b\n1,{fill}\n" + row * (LINE_LIMIT // len(row) + 9)
    path = make(tmp_path, whole)

    TableFile.open(path).content.refuse_stray_quotes()
    broken = TableFile.open(make(tmp_path, whole + '1,"x\n', "broken.csv")).content
    assert "does not end" in message(InvalidDataError, broken.refuse_stray_quotes)


def test_quotes_in_a_dropped_column_in_another_encoding_are_no_trouble(tmp_path):
    assert {"a": ["1"]} == read(make(tmp_path, b'a,b\n1,\xe9 5" pipe\n'), ["a"])


def test_another_encoding_is_named_in_the_scenario(tmp_path):
    latin = "a,b\n1,x\n2,größe\n".encode("latin-1")
    advice = 'name its encoding in the scenario, if one reads it (encoding = "latin-1")'
    said = f"is not utf-8 text; save the file as UTF-8, or {advice}"

    assert {"a": ["1", "2"], "b": ["x", "größe"]} == read(make(tmp_path, latin), encoding="latin-1")
    assert f"line 3 {said}" == refusal(make(tmp_path, latin))
    assert f"line 1 {said}" == refusal(make(tmp_path, "größe,b\n1,2\n".encode("latin-1")))
    assert {"a": ["1", "2"]} == read(make(tmp_path, latin), ["a"])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "UTF-8", "utf_8_sig", "cp1252"])
def test_an_encoding_goes_by_any_of_its_names(tmp_path, encoding):
    path = make(tmp_path, "a,b\n1,größe\n".encode(encoding))

    assert {"a": ["1"], "b": ["größe"]} == read(path, encoding=encoding)


@pytest.mark.parametrize("encoding", sorted({*aliases.values(), "idna", "punycode", "undefined", "unicode_escape"}))
def test_with_any_declared_encoding_a_table_is_read_or_refused_in_one_line(tmp_path, encoding, monkeypatch):
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    draw = random.Random(encoding)  # noqa: S311  (no secret)
    escapes = bytes(draw.choice(b"~{}+-/\\xu\x1b$B(J\n,") for _ in range(90))
    for content in (b"a,b\n1,2\n", b"a,b\n1,\xff\n2\n", b"a,b\n" + draw.randbytes(90), draw.randbytes(90), escapes):
        path = make(tmp_path, content)
        with suppress(InvalidDataError):
            read(path, encoding=encoding)
        with suppress(InvalidDataError):
            file = TableFile.open(path, encoding=encoding)
            list(file.blocks(file.names))
    assert [] == ignored


NOT_READ = (
    "tables in the encoding `{}` are not read; save the file as UTF-8, or name the encoding that it is in (encoding = "
    '"latin-1")'
)
UNKNOWN = "is no known encoding; try utf-8 or latin-1"


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        *((one, NOT_READ) for one in ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "UTF7")),
        *((one, UNKNOWN) for one in ("utf-9", "base64", "", "idna\0")),
    ],
)
def test_an_unknown_or_unsuitable_encoding_is_refused(tmp_path, encoding, said):
    assert refusal(make(tmp_path, "a,b\n1,2\n"), encoding=encoding).endswith(said.format(encoding))


@pytest.mark.parametrize(
    ("encoding", "content", "line"),
    [
        ("ascii", b"a,b\n1,x\n2,\xe9\n", 3),
        ("shift_jis", b"a,b\n1,x\n2,\x81\n", 3),
        ("utf-16", b"a,b\n1,2\n", 1),
        ("utf-16-le", "a,b\n1,x\n".encode("utf-16-le") + b"\x00\xd8\x00\x00", 3),
        ("hz", b"a,b\n1,~{\xff\xff~}\n", 2),
        pytest.param("utf-8", b"a,b\n1,x\n2,\xc3", 3, id="a character cut off at the end"),
        pytest.param("utf-8", b"a,b\n" + b"1,x\n" * 400_000 + b"2,\xe9\n", 400_002, id="far into the file"),
    ],
)
def test_the_line_that_is_not_in_another_encoding_is_found(tmp_path, encoding, content, line):
    assert refusal(make(tmp_path, content), encoding=encoding).startswith(f"line {line} is not {encoding} text; ")


def test_an_undecodable_uneven_row_is_only_counted(tmp_path, monkeypatch):
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)

    assert refusal(make(tmp_path, b"a,b\n1,2\n\xff\n"), ["a"]).startswith("row 2 has 1 value, expected 2")
    assert [] == ignored


def test_a_gzipped_file_is_known_by_its_content(tmp_path):
    packed = gzip.compress(b"a,b\n1,x\n") + gzip.compress(b"2,y\n")

    for name in ("t.csv.gz", "t.csv", "T.CSV.GZ"):
        assert {"a": ["1", "2"], "b": ["x", "y"]} == read(make(tmp_path, packed, name))
    assert {"a": ["1"]} == read(make(tmp_path, "a\n1\n", "plain.csv.gz"))


def test_a_broken_gzipped_file_is_refused(tmp_path):
    packed = gzip.compress(b"".join(b"%d,%d\n" % (row, row * row) for row in range(200_000)), 1)
    spoilt = bytearray(packed)
    spoilt[-6] ^= 1

    short = make(tmp_path, gzip.compress(b"a\n1\n")[:-9], "short.csv.gz")
    assert refusal(short).startswith("cannot be read (Compressed file ended")
    for name, content in (("cut", packed[: len(packed) // 2]), ("end", packed[:-4]), ("sum", bytes(spoilt))):
        text = refusal(make(tmp_path, content, f"{name}.csv.gz"), names=["a", "b"])
        assert text.startswith("cannot be read as CSV (")


def test_a_path_that_is_not_a_file_is_refused(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "folder.parquet").mkdir()

    for name in ("gone.csv", "gone.parquet"):
        assert "no such file" == refusal(tmp_path / name)
    for path in (tmp_path, tmp_path / "folder.parquet"):
        assert "is a folder without Parquet files in it; expected a CSV or Parquet file" == refusal(path)
    assert "is no regular file; expected a CSV or Parquet file" == refusal(pipe)
    assert "cannot be read (Not a directory)" == refusal(make(tmp_path, "a\n1\n") / "x.csv")


@pytest.mark.parametrize(
    ("begin", "call", "said", "most"),
    [
        ("age,", "", "its first line is longer than 1 MiB; is it a CSV file?", 20_000),
        (
            "a,b\n1,",
            ".read(['a', 'b'])",
            "has a line of more than 1 MiB; is it a CSV file, and does every quoted value end?",
            150_000,
        ),
    ],
)
def test_a_line_without_an_end_is_refused_in_little_memory(tmp_path, begin, call, said, most):
    path = tmp_path / "long.csv"
    with path.open("wb") as stream:
        stream.write(begin.encode())
        stream.truncate(300 * 2**20)  # a hole: 300 MB of NUL that no disk holds
    code = (
        "import sys, pathlib, resource\n"
        "from gamedeid.data.files.tables import TableFile\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"try:\n    TableFile.open(pathlib.Path(sys.argv[1])){call}\n"
        "except Exception as error:\n    print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True, cwd=Path.cwd()
    )
    printed, kilobytes = done.stdout.splitlines()

    assert f"{path}: {said}" == printed
    assert int(kilobytes) < most


def test_a_parquet_file_is_read(tmp_path):
    path = tmp_path / "t.PARQUET"
    table = pa.table({"a": [1, 2], "b": ["x", None], "v": pa.array(["x", "y"], pa.string_view())})
    pq.write_table(table, path)

    assert ("a", "b", "v") == TableFile.open(path).names
    assert {"b": ["x", None]} == read(path, ["b"])
    assert pa.large_string() == TableFile.open(path).read(["v"]).schema.field("v").type
    assert "a Parquet file names its columns; leave `columns` out" == refusal(path, names=["x", "y"])


def test_a_broken_parquet_file_is_refused(tmp_path):
    whole = tmp_path / "whole.parquet"
    pq.write_table(pa.table({"a": ["secret" * 9] * 9}), whole)
    content = whole.read_bytes()

    for name, broken in (("cut", content[:-9]), ("none", b""), ("text", b"a,b\n1,2\n")):
        path = make(tmp_path, broken, f"{name}.parquet")
        assert refusal(path).startswith("is no readable Parquet file (")
    spoilt = make(tmp_path, content[:4] + bytes(40) + content[44:], "spoilt.parquet")
    text = refusal(spoilt)
    assert text.startswith("is no readable Parquet file (")
    assert "secret" not in text


any_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@settings(max_examples=tries(40, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(any_text, any_text), min_size=1, max_size=6), form=st.sampled_from(["csv", "parquet"]))
def test_a_written_file_reads_back_the_same(tmp_path, rows, form):
    columns = {"first": [row[0] for row in rows], "second": [row[1] for row in rows]}
    path = tmp_path / f"t.{form}"
    with path.open("wb") as stream:
        write_blocks([columns], stream, form)

    assert columns == read(path)


@settings(max_examples=tries(50, 1000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text('a",\n', max_size=12))
def test_tables_are_read_as_by_the_strict_reader_of_the_standard_library(tmp_path, text):
    path = make(tmp_path, f"p,q\n{text}\n")
    try:
        with path.open(newline="") as stream:
            expected = [row for row in csv.reader(stream, strict=True) if row][1:]
    except csv.Error:
        expected = None
    if not expected or any(len(row) != 2 for row in expected):
        refusal(path)
    else:
        assert expected == [list(row) for row in zip(*read(path).values(), strict=True)]
