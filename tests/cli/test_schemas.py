"""JSON Schemas: what they refuse, that all documents have one, and that a schema changes with its version only."""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from schema_checks import FILES, FOUND, faults, faults_below, note_printed
from small_world import all_commands, gamedeid_process_says, gamedeid_says, small_world

from gamedeid.schema_names import KEY, VERSIONS, schema_id
from gamedeid.schemas.listed import SCHEMAS, schema

HOME = Path(__file__).parents[2]
GOLD = HOME / "tests" / "gold" / "schemas.json"

WORDS_ONLY = {"title", "description"}
"""Keys of a schema that do not change what it accepts."""


def accepts(part: Any, *, of_names: bool = False) -> Any:
    """Return a schema without its descriptions and without the order of its required keys.

    ``of_names``: keys of the part are names of the document's own.
    """
    if isinstance(part, list):
        return [accepts(inside) for inside in part]
    if not isinstance(part, dict):
        return part
    return {
        key: sorted(inside)
        if key == "required" and not of_names
        else accepts(inside, of_names=key in {"properties", "$defs"} and not of_names)
        for key, inside in part.items()
        if of_names or key not in WORDS_ONLY
    }


def digest(name: str) -> str:
    return hashlib.sha256(json.dumps(accepts(schema(name)), sort_keys=True).encode()).hexdigest()


def test_a_schema_changes_with_its_version_only():
    """If this fails: raise the number in gamedeid/schema_names.py, name the schema in the changelog, and store what
    `python tests/cli/test_schemas.py` prints as tests/gold/schemas.json, the lines of older versions kept.
    """
    stored = json.loads(GOLD.read_text("utf-8"))

    assert {schema_id(name): digest(name) for name in SCHEMAS} == {
        schema_id(name): stored.get(schema_id(name)) for name in SCHEMAS
    }


def test_titles_and_descriptions_are_not_a_schema_change_and_all_else_is():
    one = {"title": "a", "properties": {"title": {"description": "b", "type": "string"}}}

    assert {"properties": {"title": {"type": "string"}}} == accepts(one)


@pytest.mark.parametrize("name", VERSIONS)
def test_every_schema_is_one_of_its_draft_and_has_a_name_and_version(name):
    found = schema(name)
    Draft202012Validator.check_schema(found)

    assert "https://json-schema.org/draft/2020-12/schema" == found["$schema"]
    assert schema_id(name) == found["$id"]
    # a validator ignores a keyword that JSON Schema does not know, and accepts any key of an open object
    assert [] == [(way, key) for way, part in places(found) for key in part if key not in KEYWORDS]
    assert ANYTHING.get(name, []) == [way for way, part in places(found) if takes_anything(part)]


def places(part: Any, *above: str, of_names: bool = False) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the schemas of all places in a document, with the keys above each; names of the document are no schemas."""
    if isinstance(part, list):
        for inside in part:
            yield from places(inside, *above)
    elif isinstance(part, dict):
        if not of_names:
            yield above, part
        for key, inside in part.items():
            if of_names or key not in {"default", "const", "enum"}:
                names = key in {"properties", "patternProperties", "$defs"} and not of_names
                yield from places(inside, *above, key, of_names=names)


KEYWORDS = {
    *("$schema", "$id", "$defs", "$ref", "title", "description", "default", "type", "enum", "const", "anyOf"),
    *("properties", "required", "additionalProperties", "propertyNames", "patternProperties", "minProperties"),
    *("items", "prefixItems", "minItems", "maxItems", "pattern", "minLength", "uniqueItems", "format"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
}

ANYTHING = {
    "manifest": [("properties", "scenario")],
    "hierarchy": [("anyOf", "properties", "rule")],
    "suggestions": [("properties", *way, "properties", "changes") for way in (("present",), ("tried", "items"))],
    "picture": [("properties", "table", "additionalProperties", "items")],
    "changes": [("properties", "scenario", "items", "properties", key) for key in ("old", "new")],
}
"""Schema -> places that accept anything, such as the keys of a user's scenario."""


def takes_anything(part: dict[str, Any]) -> bool:
    """Return whether a schema takes any value, or an object of any keys."""
    if part.get("type") == "object":
        return part.get("additionalProperties", "patternProperties" not in part) is True
    return not {"type", "enum", "const", "anyOf", "$ref"} & part.keys()


def test_every_name_is_described_once():
    assert sorted(VERSIONS) == sorted(SCHEMAS)


def test_every_command_that_prints_json_has_a_schema_and_no_other():
    printed = {command for described in SCHEMAS.values() for command in described.commands}

    takes_json = {name for name, one in all_commands().items() if any("--json" in option.opts for option in one.params)}
    assert printed == takes_json


@pytest.fixture(scope="module", name="documents")
def _documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("documents")
    scenario = small_world(home)
    assert 0 == gamedeid_says("run", scenario, "-o", home / "out").code
    assert 0 == gamedeid_says("compare", scenario, "-o", home / "compared").code
    found = {FILES[path.name]: json.loads(path.read_text()) for path in sorted((home / "out").glob("*.json"))}
    comparison = json.loads((home / "compared" / "comparison.json").read_text())
    return found | {"comparison": comparison, "scenario": tomllib.loads(scenario.read_text())}


def at(document: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        document = document[key]
    return document


@pytest.mark.parametrize(
    ("name", "way", "value"),
    [
        ("summary", ("measures", "attacked"), 1.5),
        ("summary", ("payoffs", "loss"), 0),
        ("summary", ("data", "profiles"), -1),
        ("summary", ("data", "profiles"), 1.5),
        ("summary", (KEY,), "urn:gamedeid:schema:summary:0"),
        ("summary", ("robustness", "ranges", "loss", "keeps"), [1.0]),
        ("manifest", ("outputs", "release.csv"), "0" * 63),
        ("report", ("lines", "loss", "attacked", 40), "much"),
        ("report", ("risks", "release", "k_map"), "2"),
        ("comparison", ("policies", "basic", "withheld"), None),
        ("comparison", ("policies", "basic", "wihtheld"), 0.0),
        ("scenario", ("payoffs", "los"), 5),
        ("scenario", ("payoffs", "loss"), "5"),
        ("scenario", ("payoffs", "loss"), -5),
        ("scenario", ("attributes", "age", "wieght"), 1),
        ("scenario", ("attributes", "age", "weight"), -1),
        ("scenario", ("records", "missing"), "drop"),
        ("scenario", ("titel",), "x"),
        ("scenario", ("folder",), "x"),
    ],
)
def test_a_value_of_another_type_or_range_and_an_unknown_key_are_refused(name, way, value, documents):
    copied = deepcopy(documents[name])
    at(copied, way[:-1])[way[-1]] = value

    assert "" == faults(name, documents[name])
    assert "" != faults(name, copied)


def test_every_document_that_a_test_makes_is_held_against_its_schema(tmp_path, monkeypatch):
    """As the fixture for all tests does: a document that violates its schema fails the test that makes it."""
    scenario = small_world(tmp_path)
    monkeypatch.setattr("gamedeid.analysis.summary.chosen_strategies", lambda _: [{"levels": {}, "records": 1}])
    assert 0 == gamedeid_says("run", scenario, "--json").code

    assert ["summary: $.strategies[0]: 'share' is a required property"] == FOUND
    FOUND.clear()


WRITES_WRONGLY = """
from gamedeid.results.folder import FolderWriter

def write_text(self, name, text, write=FolderWriter.write_text):
    write(self, name, text.replace({was!r}, {now!r}, 1))

FolderWriter.write_text = write_text
"""
"""First statements of a command that replace a text in its documents."""


@pytest.mark.own_documents
@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ('"records"', '"recrods"', "'rec(or|ro)ds'"),
        (f'"{KEY}": "urn:gamedeid:schema:comparison:8",', "", f"'{KEY}' is a required property"),
        ("urn:gamedeid:schema:comparison:8", "urn:gamedeid:schema:comparison:0", "comparison:8' was expected"),
    ],
)
def test_a_wrong_document_of_a_child_process_is_found_even_without_a_schema_name(tmp_path, forked, was, now, fault):
    words = ("compare", small_world(tmp_path), "-o", tmp_path / "out")
    assert 0 == forked.says(*words, folder=tmp_path, first=WRITES_WRONGLY.format(was=was, now=now)).code

    (found,) = faults_below(tmp_path)
    assert found.startswith("comparison: ")
    assert re.search(fault, found)


PRINTED = f'{{"{KEY}": "urn:gamedeid:schema:scenarios:1", "scenarios": [{{"nmae": "x"}}]}}'


@pytest.mark.parametrize(
    ("code", "out", "found"),
    [
        (0, PRINTED, ["scenarios: "]),
        (3, PRINTED, ["scenarios: "]),
        (0, '{"scenarios": []}', ["--json: a document that names no schema"]),
        (0, "Four scenarios", ["--json: a document that names no schema"]),
        (2, "", []),
    ],
)
def test_wrong_output_of_a_child_process_is_noted_if_it_succeeded(code, out, found):
    note_printed(["scenarios", "--json"], code, out)
    noted, FOUND[:] = list(FOUND), []

    assert len(found) == len(noted)
    assert all(one.startswith(start) for one, start in zip(noted, found, strict=True))


def test_output_of_a_child_process_is_noted(monkeypatch, forked, tmp_path):
    printing = (gamedeid_process_says, partial(forked.says, folder=tmp_path))
    assert [0, 0] == [says("scenarios", "--json").code for says in printing]
    assert [] == FOUND
    monkeypatch.setattr("schema_checks.name_of", lambda _: None)
    assert 0 == printing[1]("scenarios", "--json").code
    noted, FOUND[:] = list(FOUND), []
    assert ["--json: a document that names no schema"] == noted


@pytest.mark.parametrize("path", sorted((HOME / "scenarios").glob("*.toml")), ids=lambda path: path.stem)
def test_every_shipped_scenario_is_as_its_schema_says(path):
    assert "" == faults("scenario", tomllib.loads(path.read_text("utf-8")))


def test_the_command_prints_a_schema_or_lists_them():
    said, listed, wrong = gamedeid_says("schema", "summary"), gamedeid_says("schema"), gamedeid_says("schema", "sumary")

    assert (0, schema("summary")) == (said.code, json.loads(said.out))
    assert 0 == listed.code
    assert [] == [name for name in VERSIONS if name not in listed.out]
    assert (2, "") == (wrong.code, wrong.out)
    assert "there is no schema `sumary`" in wrong.complaint


def test_the_pages_name_each_schema_with_its_version():
    pages = [page.read_text("utf-8") for page in (HOME / "docs").rglob("*.md")]
    found = {one for text in pages for one in re.findall(r"urn:gamedeid:schema:[a-z-]+:\d+", text)}

    assert found
    assert found <= {schema_id(name) for name in VERSIONS}


def test_the_page_of_schemas_lists_all_with_version_commands_and_file():
    page = (HOME / "docs" / "reference" / "schemas.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]

    assert [row(name) for name in SCHEMAS] == rows


def row(name: str) -> str:
    described = SCHEMAS[name]
    told = "plot KIND" if name == "picture" else None
    printed = ", ".join(f"`{command} --json`" for command in ([told] if told else described.commands))
    file = f"`{described.file}`" if described.file else ""
    return f"| `{name}` | {schema_id(name).rpartition(':')[2]} | {described.title} | {printed} | {file} |"


if __name__ == "__main__":
    print(json.dumps({schema_id(name): digest(name) for name in SCHEMAS}, indent=2))  # noqa: T201
