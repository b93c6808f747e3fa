"""Damaged or changed stored documents give one line and no page, even if all digests fit."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from depth import tries
from small_world import contents, gamedeid_says, refused, small_world

from gamedeid.errors import OutputError
from gamedeid.report.html.page import report_page
from gamedeid.report.html.stored import check_documents, read_results
from gamedeid.report.view import ReportDocuments
from gamedeid.report.words.risks import risk_rows
from gamedeid.report.words.run import data_words

PARTS = {"summary.json": "summary", "report.json": "content", "manifest.json": "manifest"}
STORED = tuple(PARTS)
NOTHING = "summary.json, report.json and manifest.json do not fit together, and no report can be made of them"


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("stored")
    assert 0 == gamedeid_says("run", small_world(home), "-o", home / "out").code
    return home / "out"


@pytest.fixture(scope="module", name="stored")
def _stored(folder: Path) -> dict[str, Any]:
    return {name: json.loads((folder / name).read_text()) for name in STORED}


def put(folder: Path, documents: dict[str, Any]) -> None:
    """Write documents into a folder, the manifest last and with digests that match."""
    manifest = documents["manifest.json"]
    for name in STORED[:2]:
        text = json.dumps(documents[name]).encode()
        (folder / name).write_bytes(text)
        if isinstance(manifest, dict) and isinstance(manifest.get("outputs"), dict) and name in manifest["outputs"]:
            manifest["outputs"][name] = hashlib.sha256(text).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def places(document: Any, *above: str) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key of a document; of a list only the first item."""
    if isinstance(document, list):
        document = dict(zip(("0",), document, strict=False))
    for key, inside in document.items() if isinstance(document, dict) else ():
        yield (*above, key)
        yield from places(inside, *above, key)


def test_every_key_that_is_read_is_checked(stored):
    wrong = cycle([None, {}, "other"])  # one of them for each key, all when deep
    changed = {"summary.json": stored["summary.json"], "report.json": {"risks": stored["report.json"]["risks"]}}
    for name, document in changed.items():
        for way, _ in product(list(places(document)), range(tries(1, 3))):
            place = document
            for key in way[:-1]:
                place = place[int(key) if isinstance(place, list) else key]
            key = int(way[-1]) if isinstance(place, list) else way[-1]
            right, place[key] = place[key], next(wrong)
            whole = {other: stored[other] for other in STORED} | {name: {**stored[name], **document}}
            try:
                with suppress(OutputError):
                    check_documents(ReportDocuments(**{PARTS[other]: whole[other] for other in STORED}), Path("folder"))
                    list(risk_rows(whole["report.json"]["risks"]))
                    data_words(whole["summary.json"]["data"])
            finally:
                place[key] = right


@pytest.mark.parametrize(
    ("name", "place", "value", "said"),
    [
        ("summary.json", ("game",), "best", NOTHING),
        ("summary.json", ("measures", "attacked"), 1.5, "summary.json is not as gamedeid wrote it (at `measures.att"),
        ("summary.json", ("payoffs", "loss"), float("nan"), "summary.json is not JSON as gamedeid writes it"),
        ("summary.json", ("title",), "\ud800", "summary.json is not JSON as gamedeid writes it"),
        ("summary.json", ("strategies", 0, "levels", "age"), 9, NOTHING),
        ("summary.json", ("policy", "name"), "other", NOTHING),
        *(
            ("summary.json", ("data", "persons"), odd, "data.persons")
            for odd in (None, 7, {}, {"count": 0, "differing": {}}, {"count": 5, "differing": {"age": "two"}})
        ),
        ("report.json", ("risks", "raw", "distinct"), {}, NOTHING),
        ("report.json", ("risks", "release", "k_map"), "2", "report.json is not as gamedeid wrote it (at `risks.rel"),
        ("report.json", ("lines", "loss", "loss"), [1.0], NOTHING),
        ("manifest.json", ("scenario", "records", "keep"), 5, NOTHING),
        ("manifest.json", ("overridden",), [5], "manifest.json is not as gamedeid wrote it (at `overridden.0`)"),
    ],
)
def test_the_error_names_the_file_and_key(name, place, value, said, folder, stored):
    documents = deepcopy(stored)
    where = documents[name]
    for key in place[:-1]:
        where = where[key]
    where[place[-1]] = value
    put(folder, documents)
    before = contents(folder)
    assert said in refused("report", folder)
    assert before == contents(folder)


def test_lines_of_other_policies_make_no_determination(folder, stored, tmp_path):
    documents = deepcopy(stored)
    documents["report.json"]["lines"]["cost"]["policy"][-1] = "other"
    put(folder, documents)

    assert NOTHING in refused("determination", folder, "-o", tmp_path / "draft.md")
    assert not (tmp_path / "draft.md").exists()


def test_documents_of_a_run_pass_and_read_back_unchanged(folder, stored):
    put(folder, deepcopy(stored))
    results = read_results(folder)

    assert stored["summary.json"] == results.summary
    assert stored["report.json"] == results.content
    assert "<html" in report_page(results)
