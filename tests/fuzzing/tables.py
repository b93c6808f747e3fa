"""CSV tables with odd values, form, encoding or bytes."""

import gzip
from random import Random

from fuzzing.case import Case
from fuzzing.mutation import ENCODINGS, ODD_BYTES, ODD_NUMBERS, ODD_TEXTS, change_bytes
from fuzzing.questions import KEPT, TOKENS, Table, as_csv, drawn
from fuzzing.words import command

_UNLIKE = 400  # rows of a table that is made long


def draw_csv(rng: Random) -> Case:
    """Return a question with an odd table."""
    question = drawn(rng)
    sections = [
        one for one in ("records", "population") if question.scenario.get(one, {}).get("path", "").endswith("csv")
    ]
    if not sections:  # its tables are Parquet
        question.scenario["records"]["path"] = "records.csv"
        sections = ["records"]
    section = rng.choice(sections)
    table = question.records if section == "records" else question.people
    headed = "columns" not in question.scenario[section]
    tokens, kept = TOKENS, KEPT
    if rng.randrange(3):
        table = _changed(rng, table, headed)
        kept = ()
    delimiter = rng.choice(",,,,;\t| :")
    text = as_csv(table, delimiter)
    first = text.partition(b"\n")[0]
    if rng.randrange(3) == 0:
        text = change_bytes(rng, text)
        kept = ()
    if rng.randrange(3) == 0:
        text = _formed(rng, text)
        kept = ()
    if not text.removeprefix(b"\xef\xbb\xbf").startswith(first):  # secrets may have become names of columns
        tokens = ()
    if rng.randrange(5) == 0:
        encoding = rng.choice(ENCODINGS)
        question.scenario[section]["encoding"] = encoding
        if rng.randrange(2):
            text = _encoded(text, encoding)
    elif rng.randrange(12) == 0:
        text = _encoded(text, rng.choice(ENCODINGS))
    if rng.randrange(12) == 0:
        text = _zipped(rng, text)
    files = question.files() | {question.scenario[section]["path"]: text}
    same = table is question.records and "\t" not in delimiter and headed
    return Case(kind="csv", words=command(rng), files=files, tokens=tokens, kept=kept if same else ())


def _changed(rng: Random, table: Table, headed: bool) -> Table:
    rows = [list(row) for row in table]
    for _ in range(rng.randint(1, 3)):
        row = rows[rng.randrange(int(headed), len(rows))]
        column = rng.randrange(len(row)) if row else 0
        match rng.randrange(14):
            case 0 | 1 | 2 if row:
                row[column] = rng.choice(ODD_TEXTS)
            case 3 | 4 | 5 if row:
                row[column] = rng.choice(ODD_NUMBERS)
            case 6 if row:
                del row[column]
            case 7:
                row.insert(column, rng.choice(ODD_TEXTS))
            case 8:
                rows.remove(row) if len(rows) > 1 else None
            case 9 if headed and rows[0]:
                rows[0][rng.randrange(len(rows[0]))] = rng.choice((*ODD_TEXTS, *rows[0], "Age", "count", "n"))
            case 10:
                for one in rows:
                    one.append(rng.choice(ODD_TEXTS))
            case 11 if row:
                value = rng.choice((*ODD_TEXTS, *ODD_NUMBERS))
                for one in rows[int(headed) :]:
                    one[column : column + 1] = [value]
            case 12:
                rows += [list(row) for _ in range(_UNLIKE)]
            case _:
                row += [""] * rng.choice((1, 2, 500))
    return rows


def _formed(rng: Random, text: bytes) -> bytes:
    """Return a table whose lines, quotes or ends are others."""
    match rng.randrange(11):
        case 0:
            return text.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\n\r", b"\x0b\n", b" \n")))
        case 1:
            return b"\xef\xbb\xbf" * rng.randint(1, 2) + text
        case 2:
            return text.replace(b",", b", ").replace(b";", b" ;")
        case 3:
            lines = text.split(b"\n")
            at = rng.randrange(len(lines))
            return b"\n".join([*lines[:at], b'"' + lines[at], *lines[at + 1 :]])
        case 4:
            return text[: rng.randint(0, len(text))]
        case 5:
            return text + rng.choice(ODD_BYTES) * rng.choice((1, 5, 1000))
        case 6:
            return rng.choice(ODD_BYTES) + text
        case 7:
            return text.replace(b"TOKEN", b'"TOKEN').replace(b"NAME", b'NAME"')
        case 8:
            return b"\n" * rng.randint(1, 3) + text
        case 9:
            return text.replace(b"Male", b"x" * rng.choice((10, 2**16, 2**20)), 1)
        case _:
            return text.partition(b"\n")[0] + b"\n" * rng.randint(0, 2)


def _encoded(text: bytes, encoding: str) -> bytes:
    try:
        return text.decode().encode(encoding)
    except (LookupError, ValueError):
        return text


def _zipped(rng: Random, text: bytes) -> bytes:
    """Return a gzip file, mostly whole."""
    content = gzip.compress(text, mtime=0)
    match rng.randrange(6):
        case 0:
            return content[: rng.randint(0, len(content))]
        case 1:
            return change_bytes(rng, content)
        case 2:
            return content + content
        case 3:
            return content + b"more"
        case _:
            return content
