"""Checks every JSON document that a test writes or prints against its schema."""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gamedeid.cli import printing
from gamedeid.cli.commands import DONE, FINDINGS
from gamedeid.results.folder import FolderWriter
from gamedeid.results.manifest import MANIFEST
from gamedeid.schema_names import KEY, schema_id
from gamedeid.schemas.listed import SCHEMAS, schema

sys.modules.setdefault("rfc3987_syntax", None)  # takes seconds to import, for formats that our schemas do not use
from jsonschema import Draft202012Validator  # noqa: E402
from jsonschema.exceptions import best_match  # noqa: E402

FILES = {described.file: name for name, described in SCHEMAS.items() if described.file is not None}
"""Files of results that are JSON, and their schemas."""


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a schema."""
    return Draft202012Validator(schema(name))


SEEN: dict[tuple[str, bytes], str] = {}
"""Schema and digest of a text -> its faults: many tests make the same document, or a folder that holds it."""


def faults_of_text(name: str, text: bytes) -> str:
    """Return the schema faults of a document's text."""
    key = name, hashlib.sha256(text).digest()
    if key not in SEEN:
        SEEN[key] = faults(name, _read(text))
    return SEEN[key]


def faults(name: str, document: Any) -> str:
    """Return the first schema faults of a document; empty if it is valid."""
    found = best_match(validator(name).iter_errors(thinned(document)))
    return "" if found is None else f"{name}: {found.json_path}: {found.message[:300]}"


LONG = 50
"""Lists with more values are thinned: a report has tens of thousands of numbers."""


def thinned(document: Any) -> Any:
    """Return a document whose long lists keep only what can violate a schema: the least and greatest number of each
    type, and each text once.
    """
    if isinstance(document, dict):
        return {key: thinned(inside) for key, inside in document.items()}
    if not isinstance(document, list):
        return document
    kinds = {type(one) for one in document}
    if len(document) <= LONG or not kinds <= {int, float, str, bool, type(None)}:
        return [thinned(inside) for inside in document]
    kept = [None, None] if type(None) in kinds else []
    for kind in kinds & {int, float, bool}:
        some = [one for one in document if type(one) is kind]
        kept += [min(some), max(some)]
    return kept + sorted({one for one in document if type(one) is str})


def name_of(document: Any) -> str | None:
    """Return the schema that a printed document names, None if it names no known schema.

    Rows of a sweep are a list and name none.
    """
    if isinstance(document, list):
        return "sweep"
    named = document.get(KEY) if isinstance(document, dict) else None
    return next((name for name in SCHEMAS if schema_id(name) == named), None)


FOUND: list[str] = []
"""Faults of the documents made since the last check."""


def note_faults(name: str, text: str) -> None:
    """Keep the schema faults of a document: an error now would be the command's, and hide its output."""
    FOUND.extend(filter(None, [faults_of_text(name, text.encode(errors="surrogatepass"))]))


def faults_below(folder: Path) -> list[str]:
    """Return the faults of all documents in a folder and those below it, from any process.

    A file is checked if it names a schema, or if its digest is in the manifest next to it: gamedeid wrote such a file,
    and it must name its schema. Other files of these names belong to a test.
    """
    found = []
    for path in sorted(folder.rglob("*.json")):
        if (name := FILES.get(path.name)) is None:
            continue
        try:
            content = path.read_bytes()
            if SEEN.get((name, hashlib.sha256(content).digest())) == "":
                continue
            document = json.loads(content)
        except (OSError, ValueError, RecursionError):
            continue
        named = isinstance(document, dict) and document.get(KEY) == schema_id(name)
        if named or _of_a_manifest(path, content):
            found += filter(None, [faults_of_text(name, content)])
    return found


def _of_a_manifest(path: Path, content: bytes) -> bool:
    try:
        outputs = json.loads(path.with_name(MANIFEST).read_bytes())["outputs"]
        return bool(outputs[path.name] == hashlib.sha256(content).hexdigest())
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def note_printed(words: Sequence[object], code: int, out: str) -> None:
    """Note the faults of the JSON that a process of the command line printed, if asked for JSON and successful."""
    if "--json" not in map(str, words) or code not in {DONE, FINDINGS}:
        return
    _note_told(out)


def _note_told(text: str) -> None:
    if (name := name_of(_read(text))) is None:
        FOUND.append("--json: a document that names no schema")
    else:
        note_faults(name, text)


def _read(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return "not JSON"


@contextmanager
def every_document_checked() -> Iterator[None]:
    """Note, for a block, the faults of each document that this process prints or writes into a folder of results."""
    write_text, json_words = FolderWriter.write_text, printing.json_words

    def checked_file(folder: FolderWriter, name: str, text: str) -> None:
        if name in FILES:
            note_faults(FILES[name], text)
        write_text(folder, name, text)

    def checked_words(content: Any) -> str:
        words = json_words(content)
        told = json.loads(words)
        if not (isinstance(told, dict) and "$schema" in told):  # a schema itself
            _note_told(words)
        return words

    with patch.object(FolderWriter, "write_text", checked_file), patch.object(printing, "json_words", checked_words):
        yield
