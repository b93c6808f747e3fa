"""Parquet tables of other types, with other parts, or damaged."""

import datetime
import decimal
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from fuzzing.case import Case
from fuzzing.mutation import ODD_NUMBERS, ODD_TEXTS, change_bytes
from fuzzing.questions import STORED, TOKENS, Table, parquet_bytes
from fuzzing.words import command

_FLOAT_ODD = (float("nan"), -0.0, 1e308, 40.5)
_WHOLE_ODD = (-1, 0, 2**31, 2**63 - 1, -(2**63))


def draw_parquet(rng: Random) -> Case:
    """Return a question whose records, population or both are odd Parquet files, or folders of them."""
    files = STORED.files()
    for name, table in (("records.parquet", STORED.records), ("people.parquet", STORED.people)):
        if rng.randrange(3) == 0:
            continue
        if rng.randrange(6) == 0:
            del files[name]
            for part in range(rng.randint(1, 3)):
                files[f"{name}/{rng.choice(('', '', '', '_', '.'))}part-{part}.parquet"] = _file(rng, table)
        else:
            files[name] = _file(rng, table)
    return Case(kind="parquet", words=command(rng), files=files, tokens=TOKENS)


def _file(rng: Random, table: Table) -> bytes:
    columns: dict[str, Any] = {name: list(values) for name, *values in zip(*table, strict=True)}
    if "count" in columns:
        columns["count"] = [int(one) for one in columns["count"]]
    odd = rng.sample(list(columns), rng.choice((0, 1, 1, 1, 2)))
    arrays = {name: _column(rng, values) if name in odd else pa.array(values) for name, values in columns.items()}
    if rng.randrange(12) == 0:
        arrays.pop(rng.choice(list(arrays)))
    if rng.randrange(12) == 0:
        arrays[rng.choice((*ODD_TEXTS, "Age", "AGE", "age ", "weight"))] = pa.array([1] * len(table[1:]))
    made = pa.table(arrays)
    if rng.randrange(20) == 0:
        made = made.slice(0, rng.randrange(3))
    if rng.randrange(15) == 0:
        made = made.rename_columns([rng.choice((*arrays, *ODD_TEXTS)) for _ in arrays])
    how: dict[str, Any] = {
        "compression": rng.choice(("snappy", "none", "zstd", "gzip", "brotli", "lz4")),
        "use_dictionary": rng.random() < 0.7,
        "row_group_size": rng.choice((1, 3, 1000)),
        "data_page_version": rng.choice(("1.0", "2.0")),
    }
    try:
        content = parquet_bytes(made, **how)
    except pa.ArrowException:  # Arrow itself cannot write such a column
        content = parquet_bytes(pa.table({name: pa.array(values) for name, values in columns.items()}))
    match rng.randrange(8):
        case 0:
            content = change_bytes(rng, content)
        case 1:  # the footer, which describes the pages
            at = rng.randint(max(0, len(content) - 1200), len(content))
            content = content[:at] + change_bytes(rng, content[at:])
        case 2:  # the pages
            at = rng.randint(4, 400)
            content = content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
        case _:
            pass
    return content


def _column(rng: Random, values: list[Any]) -> Any:
    """Return the same values in another type, or others."""
    texts = [str(one) for one in values]
    whole = [int(one) if one.lstrip("-").isdigit() else len(one) for one in texts]
    return _COLUMNS[rng.randrange(len(_COLUMNS))](rng, texts, whole)


_COLUMNS: tuple[Callable[[Random, list[str], list[int]], Any], ...] = (
    lambda _, texts, __: pa.nulls(len(texts)),
    lambda _, texts, __: pa.array(texts).dictionary_encode(),
    lambda _, texts, __: pa.array(texts, pa.large_string()),
    lambda _, texts, __: pa.array(texts, pa.binary()),
    lambda rng, texts, _: pa.array(_with(rng, texts, None)),
    lambda rng, texts, _: pa.array(_with(rng, texts, rng.choice((*ODD_TEXTS, *ODD_NUMBERS)))),
    lambda rng, _, whole: pa.array(whole, rng.choice((pa.int32(), pa.int64(), pa.uint32(), pa.uint64()))),
    lambda rng, _, whole: pa.array([float(one) for one in whole], rng.choice((pa.float32(), pa.float64()))),
    lambda rng, _, whole: pa.array(_with(rng, [float(one) for one in whole], rng.choice(_FLOAT_ODD))),
    lambda rng, _, whole: pa.array(_with(rng, whole, rng.choice(_WHOLE_ODD)), pa.int64()),
    lambda _, __, whole: pa.array([one % 2 == 0 for one in whole]),
    lambda _, __, whole: pa.array([datetime.date(2000, 1, 1 + one % 28) for one in whole]),
    lambda rng, _, whole: _moments(rng, whole),
    lambda _, __, whole: pa.array([decimal.Decimal(one) / 100 for one in whole], pa.decimal128(20, 2)),
    lambda _, texts, __: pa.array([[one] for one in texts]),
    lambda _, texts, __: pa.array([{"a": one, "b": None} for one in texts]),
    lambda _, __, whole: pa.array([one % 10**5 for one in whole], pa.duration("ms")),
    lambda _, __, whole: pa.array([one % 86400 for one in whole], pa.time32("s")),
    lambda _, texts, __: pa.array([[("k", one)] for one in texts], pa.map_(pa.string(), pa.string())),
    lambda rng, texts, _: _invalid(texts, rng),
    lambda _, __, whole: _coded([one % 2 for one in whole], ["Male", None]),
    lambda _, __, whole: _coded([None, *[0] * (len(whole) - 1)], ["Male"]),
    lambda _, __, whole: _coded([0] * len(whole), [1.5, 2.5]),
    lambda _, __, whole: _coded(range(len(whole)), ["a"] * len(whole)),
    lambda _, __, whole: pa.array(np.array([one % 60000 for one in whole], np.float16)),
    lambda _, texts, __: pa.array(texts, pa.string_view()),
    lambda _, texts, __: pa.array([one.encode()[:5].ljust(5) for one in texts], pa.binary(5)),
    lambda _, texts, __: pa.chunked_array([pa.array(texts[:2]), pa.array([], pa.string()), pa.array(texts[2:])]),
    lambda _, texts, __: pa.array([f" {one} " for one in texts]),
    lambda rng, texts, _: pa.array([rng.choice(ODD_TEXTS) for _ in texts]),
)
"""Columns of other types: what is drawn, the values as texts, and as whole numbers."""


def _moments(rng: Random, whole: list[int]) -> Any:
    zone = rng.choice((None, "UTC", "Europe/Berlin"))
    return pa.array([one % 10**6 for one in whole], pa.timestamp(rng.choice(("s", "ms", "us", "ns")), zone))


def _coded(codes: Any, values: list[Any]) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(values))


def _with(rng: Random, values: list[Any], odd: Any) -> list[Any]:
    at = rng.randrange(len(values))
    return [*values[:at], odd, *values[at + 1 :]]


def _invalid(texts: list[str], rng: Random) -> Any:
    """Return invalid text: its bytes are not UTF-8, and its writer does not check them."""
    broken = [one.encode() for one in texts]
    broken[rng.randrange(len(broken))] += rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80"))
    return pa.array(broken, pa.binary()).view(pa.string())
