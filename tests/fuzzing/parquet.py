"""Parquet tables of other types, with other parts, or damaged."""

import datetime
import decimal
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
        case 1:  # the footer, where the pages are told of
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
    count = len(values)
    whole = [int(one) if one.lstrip("-").isdigit() else len(one) for one in texts]
    match rng.randrange(30):
        case 0:
            return pa.nulls(count)
        case 1:
            return pa.array(texts).dictionary_encode()
        case 2:
            return pa.array(texts, pa.large_string())
        case 3:
            return pa.array(texts, pa.binary())
        case 4:
            return pa.array(_with(rng, texts, None))
        case 5:
            return pa.array(_with(rng, texts, rng.choice((*ODD_TEXTS, *ODD_NUMBERS))))
        case 6:
            return pa.array(whole, rng.choice((pa.int32(), pa.int64(), pa.uint32(), pa.uint64())))
        case 7:
            return pa.array([float(one) for one in whole], rng.choice((pa.float32(), pa.float64())))
        case 8:
            return pa.array(_with(rng, [float(one) for one in whole], rng.choice(_FLOAT_ODD)))
        case 9:
            return pa.array(_with(rng, whole, rng.choice(_WHOLE_ODD)), pa.int64())
        case 10:
            return pa.array([one % 2 == 0 for one in whole])
        case 11:
            return pa.array([datetime.date(2000, 1, 1 + one % 28) for one in whole])
        case 12:
            zone = rng.choice((None, "UTC", "Europe/Berlin"))
            return pa.array([one % 10**6 for one in whole], pa.timestamp(rng.choice(("s", "ms", "us", "ns")), zone))
        case 13:
            return pa.array([decimal.Decimal(one) / 100 for one in whole], pa.decimal128(20, 2))
        case 14:
            return pa.array([[one] for one in texts])
        case 15:
            return pa.array([{"a": one, "b": None} for one in texts])
        case 16:
            return pa.array([one % 10**5 for one in whole], pa.duration("ms"))
        case 17:
            return pa.array([one % 86400 for one in whole], pa.time32("s"))
        case 18:
            return pa.array([[("k", one)] for one in texts], pa.map_(pa.string(), pa.string()))
        case 19:
            return _invalid(texts, rng)
        case 20:
            return pa.DictionaryArray.from_arrays(
                pa.array([one % 2 for one in whole], pa.int8()), pa.array(["Male", None])
            )
        case 21:
            return pa.DictionaryArray.from_arrays(pa.array([None, *[0] * (count - 1)], pa.int8()), pa.array(["Male"]))
        case 22:
            return pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int8()), pa.array([1.5, 2.5]))
        case 23:
            return pa.DictionaryArray.from_arrays(pa.array(range(count), pa.int8()), pa.array(["a"] * count))
        case 24:
            return pa.array(np.array([one % 60000 for one in whole], np.float16))
        case 25:
            return pa.array(texts, pa.string_view())
        case 26:
            return pa.array([one.encode()[:5].ljust(5) for one in texts], pa.binary(5))
        case 27:
            return pa.chunked_array([pa.array(texts[:2]), pa.array([], pa.string()), pa.array(texts[2:])])
        case 28:
            return pa.array([f" {one} " for one in texts])
        case _:
            return pa.array([rng.choice(ODD_TEXTS) for _ in texts])


def _with(rng: Random, values: list[Any], odd: Any) -> list[Any]:
    at = rng.randrange(len(values))
    return [*values[:at], odd, *values[at + 1 :]]


def _invalid(texts: list[str], rng: Random) -> Any:
    """Return text that is none: its bytes are not UTF-8, nor looked at by whoever writes them."""
    broken = [one.encode() for one in texts]
    broken[rng.randrange(len(broken))] += rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80"))
    return pa.array(broken, pa.binary()).view(pa.string())
