"""Hierarchies that coarsen oddly, or are invalid."""

from random import Random
from typing import Any

from fuzzing.case import Case
from fuzzing.mutation import ODD_TEXTS, change_bytes, change_tree, to_toml
from fuzzing.questions import AGES, GAPS, PLAIN, STATED, Question
from fuzzing.words import command

_INTERVAL = {"kind": "interval", "role": "age", "low": 40, "high": 51, "widths": [2, 4], "title": "Years"}
_PREFIX: dict[str, Any] = {
    "kind": "prefix",
    "role": "zip",
    "length": 5,
    "keep": [4, 3],
    "merge": [{"from_level": 2, "values": ["37201"], "prefixes": ["380"], "label": "joined"}],
}
_TABLE: dict[str, Any] = {
    "kind": "table",
    "integer": True,
    "rows": [["40", "[40-41]", "*"], ["41", "[40-41]", "*"], ["50", "[50-51]", "*"], ["51", "[50-51]", "*"]],
}
_DATE: dict[str, Any] = {
    "kind": "date",
    "format": "DD.MM.YYYY",
    "levels": ["month", "quarter", "year", "5 years", "decade"],
    "earliest": 1934,
    "low": "1950-01-01",
    "high": "1990-12-31",
}
_AGE: dict[str, Any] = {"kind": "age", "at": "2024-12-31", "format": "%Y%m%d", "widths": [5, 15], "open_from": 90}
_NUMBER: dict[str, Any] = {"kind": "number", "bands": [[40, 40.5, 50, 51], [40.5, 51]], "unlisted": "Other"}
_CODES: dict[str, Any] = {"kind": "codes", "keep": [4, 3, 2], "ranges": [["30-37", "38-40"]], "separators": ".- "}
_SMALL: dict[str, Any] = {
    **_PREFIX,
    "merge": [],
    "merge_small": {"people": {"372": 30000, "38001": 5}, "digits": 3, "limit": 20000, "label": "000**"},
}
_ORDERED: dict[str, Any] = {"kind": "ordered", "values": ["40", "41", "50", "51"], "starts": [["41", "50"], ["50"]]}
_SIZED: dict[str, Any] = {"kind": "ordered", "values": ["40", "41", "50", "51"], "sizes": [2, 4], "unlisted": "Other"}
_TREE: dict[str, Any] = {"kind": "tree", "tree": {"a": {"b": ["40", "41"], "c": ["50"]}, "d": ["51"]}}
_KINDS = (_INTERVAL, _PREFIX, _TABLE, _DATE, _AGE, _NUMBER, _CODES, _SMALL, _ORDERED, _SIZED, _TREE)
_ELSEWHERE: dict[str, Any] = {"kind": "table", "path": "ages.csv"}


def draw_hierarchy(rng: Random) -> Case:
    """Return a hierarchy of odd levels, keys or bytes, which is shown, checked, or used in a question."""
    name, content = _hierarchy(rng)
    if rng.randrange(2):
        words = ("hierarchy", *rng.choice((("check",), ("show",), ("show", "--groups", "1"))), name)
        if words[1] == "show" and rng.randrange(2):
            words += ("--data", "records.csv", "--column", rng.choice(("age", "zip", "zip", "sex", "none")))
        words += ("--json",) if rng.randrange(2) else ()
        files = {**PLAIN.files(), "ages.csv": AGES.encode(), name: content}
        return Case(kind="hierarchy", words=words, files=files)
    question, attribute = rng.choice(((PLAIN, "age"), (PLAIN, "zip"), (GAPS, "age"), (GAPS, "zip"), (STATED, "home")))
    changed = {**question.scenario["attributes"], attribute: {"hierarchy": name, "role": "other"}}
    used = Question(
        scenario={**question.scenario, "attributes": changed},
        records=question.records,
        people=question.people,
        hierarchies={**question.hierarchies},
    )
    return Case(kind="hierarchy", words=command(rng), files={**used.files(), name: content})


def _hierarchy(rng: Random) -> tuple[str, bytes]:
    if rng.randrange(3) == 0:
        rows = _changed_rows(rng, [line.split(";") for line in AGES.split()])
        content = "\n".join(rng.choice(";;;,\t").join(row) for row in rows).encode("utf-8", "surrogatepass")
        name = "odd.csv"
    else:
        tree = dict(rng.choice((*_KINDS, _ELSEWHERE)))
        if rng.randrange(6) == 0:
            tree["spellings"] = {"40": ["forty", rng.choice(ODD_TEXTS)], rng.choice(ODD_TEXTS): ["41"]}
        if tree["kind"] == "table" and "rows" in tree and rng.randrange(2):
            tree["rows"] = _changed_rows(rng, tree["rows"])
        elif rng.randrange(8):
            tree = change_tree(rng, tree)
        content = to_toml(tree)
        name = "odd.toml"
    return name, change_bytes(rng, content) if rng.randrange(4) == 0 else content


def _changed_rows(rng: Random, rows: list[list[str]]) -> list[list[str]]:
    rows = [list(row) for row in rows]
    for _ in range(rng.randint(0, 3)):
        row = rng.choice(rows)
        at = rng.randrange(len(row)) if row else 0
        match rng.randrange(7):
            case 0 | 1 if row:
                row[at] = rng.choice((*ODD_TEXTS, "40", "[40-41]", "[50-51]", "40.0", "040", " 40"))
            case 2 if row:
                del row[at]
            case 3:
                row.insert(at, rng.choice((*ODD_TEXTS, "*")))
            case 4:
                rows.append(list(row))
            case 5:
                rows.append([rng.choice(ODD_TEXTS), "*"])
            case _:
                for one in rows:
                    one.insert(at, rng.choice(("x", "*", "y")))
    return rows
