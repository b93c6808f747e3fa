"""Data frames of every kind: what is read from them, and that the same kind is returned."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from questions import message, question

from gamedeid import InvalidDataError, solve
from gamedeid.data.frames import Frame

ROWS = {"age": [48, 93], "name": ["Ann", "Bob"], "city": ["X", None]}
MAKES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}


def plain(frame) -> dict[str, list[object]]:
    """Return the values of a frame of any kind, missing ones as None."""
    if isinstance(frame, pd.DataFrame):
        frame = pa.Table.from_pandas(frame, preserve_index=False)
    return frame.to_pydict() if isinstance(frame, pa.Table) else frame.to_dict(as_series=False)


def collected(frame, columns) -> Frame:
    return Frame.of(frame, "records").select(columns).collected()


@pytest.fixture(params=MAKES, name="make")
def _make(request):
    return MAKES[request.param]


def test_the_named_columns_are_read_in_the_order_of_the_frame(make):
    assert ("age", "name", "city") == Frame.of(make(ROWS), "records").names
    assert {"age": [48, 93], "city": ["X", None]} == collected(make(ROWS), ["city", "age"]).to_arrow().to_pydict()


def test_a_frame_of_the_same_kind_is_returned_with_other_columns_in_place_and_without_left_out_rows(make):
    frame = make(ROWS)
    rows = collected(frame, ["age", "city"])

    back = rows.released(np.array([1, 0]), {"age": pa.array(["*", "[45-49]"])})
    assert type(back) is type(frame)
    assert {"age": ["*", "[45-49]"], "city": [None, "X"]} == plain(back)
    assert {"age": ["*"], "city": [None]} == plain(rows.released(np.array([1]), {"age": pa.array(["*"])}))
    nothing = rows.released(np.array([], np.int64), {"age": pa.array([], pa.string())})
    assert {"age": [], "city": []} == plain(nothing)


def test_a_frame_without_rows_is_refused(make):
    assert "records: has no rows" == message(InvalidDataError, collected(make({"age": []}), ["age"]).to_arrow)


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["Ann", "Bob"], name="name"),
        pd.Index(["Ann", "Bob"]),
        pd.Index([7, 8], name="patient"),
        pd.MultiIndex.from_arrays([["Ann", "Bob"], [7, 8]], names=["name", "patient"]),
    ],
)
def test_an_index_of_pandas_is_neither_read_nor_released(index):
    frame = pd.DataFrame({"age": [48, 93], "city": ["X", "Y"]}, index=index)
    rows = collected(frame, ["age", "city"])
    back = rows.released(np.array([0, 1]), {"age": pa.array(["*", "*"])})

    assert ["age", "city"] == rows.to_arrow().column_names
    assert ["age", "city"] == list(back.columns)
    assert pd.RangeIndex(2).equals(back.index)
    assert back.index.name is None
    assert [0] == list(rows.released(np.array([1]), {"age": pa.array(["*"])}).index)


def test_kept_columns_of_pandas_keep_their_types():
    frame = pd.DataFrame(
        {
            "age": pd.Categorical(["48", "93"]),
            "whole": pd.array([1, None], dtype="Int64"),
            "kind": pd.Categorical(["u", None], categories=["v", "u"], ordered=True),
            "when": pd.to_datetime(["2020-01-01", None]).tz_localize("UTC"),
            "real": [1.5, np.nan],
            "word": np.array(["x", None], dtype=object),
            "text": pd.array(["x", None], dtype="str"),
        }
    )
    kept = [name for name in frame.columns if name != "age"]
    back = collected(frame, frame.columns).released(np.array([0, 1]), {"age": pa.array(["*", "*"])})

    frame["kind"] = frame["kind"].cat.remove_categories("v")
    pd.testing.assert_frame_equal(frame[kept], back[kept])
    assert ["*", "*"] == list(back["age"])


def test_kept_columns_of_polars_keep_their_types():
    frame = pl.DataFrame(
        {
            "age": [48],
            "kind": pl.Series(["u"], dtype=pl.Enum(["v", "u"])),
            "list": [[1, 2]],
            "real": [float("nan")],
        }
    )
    back = collected(frame, frame.columns).released(np.array([0]), {"age": pa.array(["*"])})

    kind = pl.Series(["u"], dtype=pl.Enum(["u"]))
    assert frame.with_columns(age=pl.Series(["*"]), kind=kind).equals(back)
    assert {**frame.schema, "age": pl.String, "kind": pl.Enum(["u"])} == dict(back.schema)


def test_arrow_text_of_the_newer_layout_can_be_read():
    frame = pa.table(
        {"age": pa.array(["48", "93"], pa.string_view()), "city": pa.array([b"x", b"y"], pa.binary_view())}
    )
    back = collected(frame, ["age", "city"]).released(np.array([1]), {"age": pa.array(["*"])})

    assert {"age": ["*"], "city": [b"y"]} == back.to_pydict()


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (
            "records.csv",
            "expected a pandas, Polars or Arrow table, not str; a file is named by [records] path",
        ),
        ({"age": [1]}, "expected a pandas, Polars or Arrow table, not dict"),
        ([[1]], "expected a pandas, Polars or Arrow table, not list"),
        (pd.Series([1]), "expected a pandas, Polars or Arrow table, not Series"),
        (pl.Series([1]), "expected a pandas, Polars or Arrow table, not Series"),
        (5, "expected a pandas, Polars or Arrow table, not int"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "column `a` is named twice; give each column another name"),
        (pa.table([[1], [2]], names=["a", "a"]), "column `a` is named twice; give each column another name"),
        (duckdb.sql("SELECT 1 AS a, 2 AS a"), "column `a` is named twice; give each column another name"),
        (pd.DataFrame([[1]]), "columns are named by texts, but one is `0` (int); rename it"),
        (
            pd.DataFrame([[1]], columns=pd.Index(["a\udcff"], dtype=object)),
            r"the name of column `a\udcff` holds a character that no text can hold; rename it",
        ),
    ],
    ids=str,
)
def test_an_object_without_named_columns_is_refused(frame, said):
    assert f"records: {said}" == message(InvalidDataError, Frame.of, frame, "records")


def test_a_column_of_mixed_kinds_is_named_and_not_shown_and_one_that_is_not_read_may_hold_anything():
    frame = pd.DataFrame({"age": [1, 2], "city": np.array(["secret", object()], dtype=object)})

    assert "records: column `city` mixes kinds of values; make it one kind, such as text" == message(
        InvalidDataError, collected(frame, ["age", "city"]).to_arrow
    )
    assert {"age": [1, 2]} == collected(frame, ["age"]).to_arrow().to_pydict()


@pytest.mark.parametrize(
    "values",
    [
        [date(2000, 1, 1), 2],
        [2, np.True_],
        [date(2000, 1, 1), datetime(2000, 1, 1, 3)],  # noqa: DTZ001
        [datetime(2000, 1, 1, 3), datetime(2000, 1, 1, 3, tzinfo=UTC)],  # noqa: DTZ001
        [time(3), UUID(int=3)],
        [np.datetime64("2000-01-01"), UUID(int=3)],
    ],
    ids=str,
)
def test_no_value_of_python_becomes_one_of_another_kind(values):
    """Arrow makes a date of 2 where the first value is one, and the release would say 1970-01-03."""
    column = pd.Series([*values, None], dtype=object)
    for frame in (pd.DataFrame({"stay": column}), pd.DataFrame({"stay": column.astype("category")})):
        said = message(InvalidDataError, collected(frame, ["stay"]).to_arrow)
        assert "records: column `stay` mixes kinds of values; make it one kind, such as text" == said


@pytest.mark.parametrize(
    ("values", "same"),
    [
        ([Decimal("1.5"), 2, None], [Decimal("1.5"), Decimal(2), None]),
        ([[1], (2, 3), np.array([4])], [[1], [2, 3], [4]]),
        ([date(2000, 1, 1), None, pd.NaT], [date(2000, 1, 1), None, None]),
        ([True, np.False_, pd.NA], [True, False, None]),
    ],
    ids=str,
)
def test_values_of_python_of_one_kind_are_taken(values, same):
    frame = pd.DataFrame({"stay": pd.Series(values, dtype=object)})

    assert same == collected(frame, ["stay"]).to_arrow()["stay"].to_pylist()


def test_a_type_that_arrow_does_not_have_is_named():
    for values in (np.array([1j]), pd.arrays.SparseArray([1])):
        frame = pd.DataFrame({"stay": values})
        said = message(InvalidDataError, collected(frame, ["stay"]).to_arrow)
        assert f"records: column `stay` must hold plain values, not `{frame['stay'].dtype}`" == said


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("kind", [pl.Object, pl.Int128])
def test_a_type_of_polars_that_arrow_does_not_have_is_named(kind, lazy):
    """Arrow once took the addresses of Python objects, and a release held them."""
    frame = pl.DataFrame({"age": [48], "stay": pl.Series([1], dtype=kind), "name": pl.Series([1], dtype=kind)})
    frame = frame.lazy() if lazy else frame
    scenario = question({"records.keep": ["stay"], "records.drop": ["name"]})
    said = message(InvalidDataError, Frame.of(frame, "records").select, ["age", "stay"])

    assert f"records: column `stay` must hold plain values, not `{kind.__name__}`" == said
    with pytest.raises(InvalidDataError, match="must hold plain values"):
        solve(scenario, frame.with_columns(sex=pl.lit("Male")), game="basic")


YEARS = pa.array(pd.array(pd.PeriodIndex(["2020", "2021"], freq="Y")))
"""Values of a type that a library added."""


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([["Male"], ["Male"]], "column `sex` must hold plain values, not `List(String)`"),
        ([{"a": 1}, {"a": 2}], "column `sex` must hold plain values, not `Struct({'a': Int64})`"),
        ([b"a", b"b"], "column `sex` must hold plain values, not `Binary`"),
        (YEARS, "columns `age`, `sex` cannot all be counted as text; make them text or numbers"),
    ],
    ids=["lists", "structures", "bytes", "periods"],
)
def test_a_lazy_column_of_an_unsupported_type_is_refused(values, said):
    people = pl.from_arrow(pa.table({"age": ["40", "41"], "sex": values})).lazy()

    assert f"records: {said}" == message(InvalidDataError, solve, question(), people)
