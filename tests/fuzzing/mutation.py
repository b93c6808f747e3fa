"""Changes that make an input odd: of bytes, text, tables and nested values."""

import datetime
import json
import math
from copy import deepcopy
from random import Random
from typing import Any

import tomlkit

ODD_NUMBERS = (
    *("0", "-1", "1", "-0", "+5", "1.5", "12.0000000001", "1e308", "1e309", "-1e308", "1e-320", "4.0", "0x10", "1_000"),
    *(" 12 ", "1,000", "$5", "1/2", "true", "nan", "NaN", "inf", "-inf", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775809", "18446744073709551616", "4294967296", "9" * 30, "9" * 400, "٣", "½", "1e5", "007"),
)
HUGE = ("1e400", "-1e400", "9" * 5000, "1" + "0" * 310, "0." + "0" * 400 + "1", "1e-400", "1e300", "9" * 30, "-0")
ODD_TEXTS = (
    *("", " ", *"*\0\ufeff-+'\"\\\n\r\t,;|.~/é", "**", '""', "=1+1", "@x", "..", "../x", "[0-4]", "[a**]", "%s", "{}"),
    *("日本", "a b"),
    *"NULL NA N/A None null -9 99999 00000 a.b marital.status record withheld count People COUNT nul.csv CON".split(),
    *("\u202e", "\x1b[31m", "[bold]x[/bold]", "{{7*7}}", "<script>alert(1)</script>", "__gamedeid_rows"),
    *("a" * 300, "x" * 5000, "2020-01-31", "31/01/2020", "\U0001f600", "e\u0301", "\u00a0", "ß", "İ", "\u2028", "\x7f"),
)
ODD_BYTES = (
    *(b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\r", b"\n"),
    *(b"\r\n", b'"', b"'", b",", b";", b"\t", b"\x1a", b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"[", b"]", b"=", b"#"),
    *(b"\n\n", b'""', b"{", b"}", b".", b" ", b"\\", b"\\u0000", b"\\ud800", b"9" * 25, b"-", b"nan", b"1e999"),
)
ENCODINGS = (
    *("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "ascii", "utf-7", "idna", "punycode"),
    *("hz", "gb18030", "shift_jis", "iso2022_jp", "euc_kr", "big5", "cp037", "rot13", "hex", "base64", "zlib", "mbcs"),
    *("raw_unicode_escape", "unicode_escape", "undefined", "charmap", "koi8-r", "", " ", "utf-8\0", "x" * 90, "UTF8"),
)

_PLAUSIBLE = (
    *("safe", "unique", "error", "suppress", "age", "sex", "zip", "date", "other", "us_zip", "race", "*", "general"),
    *("safe-harbor", "limited-data-set", "people.csv", "records.csv", "ages.csv", "latin-1", "population", "income"),
)

_MOST_CHANGES = 3
_WHOLE = 1e300  # beyond it, numbers are not made larger


def odd_value(rng: Random, depth: int = 0) -> Any:
    """Return a value of any type that TOML and JSON have."""
    which = rng.randrange(12 if depth < 2 else 9)
    match which:
        case 0 | 1:
            return rng.choice(ODD_TEXTS)
        case 2:
            return rng.choice(ODD_NUMBERS)
        case 3:
            return rng.choice((0, 1, -1, 2, 3, 99, 10**6, 2**31, 2**63 - 1, 2**63, -(2**63), 10**19, 10**400))
        case 4:
            return rng.choice((0.0, -0.0, 0.5, 1.5, -1.0, 1e-320, 1e-9, 1e15, 1e308, 1.7e308, math.inf, math.nan))
        case 5:
            return rng.random() < 0.5
        case 6:
            return rng.choice(([], {}, [""], [0], [[]], [{}], ["a", "a"], [1, "1"], [True], {"": ""}, {"a": {"b": {}}}))
        case 7:
            return rng.choice((datetime.date(2020, 2, 29), datetime.time(1, 2), datetime.datetime(2020, 1, 1)))  # noqa: DTZ001
        case 8:
            return rng.choice(
                ("age", "sex", "zip", "income", "name", "count", "safe-harbor", "general", "raw", "basic")
            )
        case 9 | 10:
            return [odd_value(rng, depth + 1) for _ in range(rng.randrange(4))]
        case _:
            return {rng.choice(ODD_TEXTS): odd_value(rng, depth + 1) for _ in range(rng.randrange(3))}


def change_tree(rng: Random, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of nested values with some of them replaced, removed, added, doubled or called otherwise."""
    changed = deepcopy(tree)
    for _ in range(rng.choice((1, 1, 1, 2, _MOST_CHANGES))):
        _change_one(rng, changed)
    return changed


def _change_one(rng: Random, tree: dict[str, Any]) -> None:
    places = list(_places(tree))
    holder, key = rng.choice(places) if places else (tree, "odd")
    which = rng.randrange(16)
    if which <= 4 or not places:
        holder[key] = odd_value(rng)
    elif which == 5:
        del holder[key]
    elif which == 6 and isinstance(holder, dict):
        holder[rng.choice((*ODD_TEXTS, "path", "count", "levels", "role", f"{key}s"))] = holder.pop(key)
    elif which == 7 and isinstance(holder, dict):
        holder[rng.choice(ODD_TEXTS)] = odd_value(rng)
    elif which == 8:
        other, its = rng.choice(places)
        if its in other if isinstance(other, dict) else its < len(other):
            holder[key] = deepcopy(other[its])
    elif isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), deepcopy(holder[key]))
    else:
        value = holder[key]
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _WHOLE:
            holder[key] = rng.choice((-value, value + 1, value - 1, value * 1e6, value / 1e6, str(value), float(value)))
        elif isinstance(value, str):
            holder[key] = rng.choice(_PLAUSIBLE)
        else:
            holder[key] = [value]


def _places(tree: Any) -> Any:
    pairs = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree))
    for key, value in pairs:
        yield tree, key
        if isinstance(value, dict | list):
            yield from _places(value)


def change_bytes(rng: Random, data: bytes) -> bytes:
    """Return bytes with some of them flipped, removed, doubled, overwritten, moved or cut off."""
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.choice((1, 1, 2, 4, 8, 30, 200)))
        match rng.randrange(8):
            case 0:
                data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :] if at < end else data
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + data[at:end] * rng.choice((2, 3, 50)) + data[end:]
            case 3 | 4:
                data = data[:at] + rng.choice(ODD_BYTES) + data[at:]
            case 5:
                data = data[:at] + rng.choice(ODD_BYTES) + data[end:]
            case 6:
                to = rng.randint(0, len(data))
                piece = data[at:end]
                rest = data[:at] + data[end:]
                data = rest[:to] + piece + rest[to:]
            case _:
                data = data[:at] if rng.randrange(3) == 0 else data[:at] + bytes([rng.randrange(256)]) + data[end:]
    return data


def to_toml(tree: dict[str, Any]) -> bytes:
    """Return nested values as a TOML file."""
    return tomlkit.dumps(tree).encode("utf-8", "surrogatepass")


def as_json(value: Any) -> Any:
    """Return a value after a round trip through JSON, as in a page's request or a saved input."""
    return json.loads(json.dumps(value, default=str))
