"""The claims of a folder of results: its documents, its digests, and the inputs that it names."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gamedeid.errors import GamedeidError, quoted
from gamedeid.file_identity import digest_path
from gamedeid.generalization.shipped import prefix_list
from gamedeid.reprs import frozen
from gamedeid.results.manifest import MANIFEST, SIGNATURE, release_digest
from gamedeid.results.stored import CONTENT, SUMMARY, StoredResults, parse_json
from gamedeid.scenario.earlier import EARLIER_RELEASE
from gamedeid.scenario.inputs import RESTRICTED_PREFIXES, input_paths
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.findings import CheckLog, InputState

_HIERARCHIES = ("hierarchy ", "table of hierarchy ")
_PATHS = {"records": "records.path", "population": "population.path"}


@frozen(eq=False)
class Claims:
    """A folder and its documents.

    Parameters
    ----------
    summary : the content of ``summary.json``; empty if it cannot be read.
    report : the content of ``report.json``; empty for no report.
    scenario : the scenario of the manifest; None if it is invalid.
    """

    stored: StoredResults
    summary: Mapping[str, Any]
    report: Mapping[str, Any]
    scenario: Scenario | None


def read_claims(folder: Path, log: CheckLog) -> Claims:
    """Read the claims of a folder, and compare its files with the digests of its manifest."""
    stored = StoredResults.read(folder)
    for name, says in stored.changes():
        log.find(name, says)
    for path in sorted(folder.iterdir()):
        if path.name not in stored.outputs and path.name not in {MANIFEST, SIGNATURE}:
            log.find(path.name, f"is there, and {MANIFEST} does not name it")
    log.did(f"the digests of {len(stored.outputs)} output files")
    summary, report = (_document(stored, name, log) for name in (SUMMARY, CONTENT))
    return Claims(stored=stored, summary=summary, report=report, scenario=_scenario(stored, log))


def _document(stored: StoredResults, name: str, log: CheckLog) -> Mapping[str, Any]:
    if name not in stored.outputs:
        return {}
    try:
        content = stored.content(name)
    except (OSError, GamedeidError):
        return {}  # one of its changes
    try:
        found = parse_json(content, stored.folder / name)
    except GamedeidError:
        found = None
    if not isinstance(found, dict):
        log.find(name, "is not JSON as gamedeid writes it")
        return {}
    return found


def _scenario(stored: StoredResults, log: CheckLog) -> Scenario | None:
    """Return the scenario of a manifest; None for no scenario, as after simulated attacks."""
    content = stored.question
    if not stored.is_run:
        content = {key: value for key, value in stored.manifest["scenario"].items() if key in Scenario.model_fields}
        if "payoffs" not in content:
            log.skip("the inputs", f"{MANIFEST} holds no scenario, which would say where they are")
            return None
    try:
        return Scenario.parse(content, where=f"{MANIFEST}, scenario")
    except GamedeidError as error:
        log.find(MANIFEST, f"its scenario is invalid: {error}")
        return None


def compare_scenarios(claims: Claims, given: Scenario, log: CheckLog) -> None:
    """Compare the scenario of the manifest with one at hand, key by key; findings name keys and no values.

    Keys that were overridden for the run may differ, and are listed as not compared; those that are overridden here
    too are compared.
    """
    if claims.scenario is None:
        return
    stated, current_scenario = _flat(claims.scenario.resolved()), _flat(given.resolved())
    for key in dict.fromkeys([*stated, *current_scenario]):
        if stated.get(key, "nothing") == current_scenario.get(key, "nothing"):
            continue
        if _is_left_open(key, claims, given):
            log.skip(f"scenario {key}", "it was overridden for the run, as the manifest says")
        else:
            log.find(MANIFEST, f"its scenario differs from the one at hand in {key}")
    log.did("the scenario of the manifest with the one at hand")


def _is_left_open(key: str, claims: Claims, given: Scenario) -> bool:
    """Return whether a key was overridden for the run, alone or in an added section, and is not overridden at hand."""
    section, then = key.partition(".")[0], claims.stored.overridden
    added = getattr(given, section, None) is None and any(_is_within(one, [section]) for one in then)
    return (added or _is_within(key, then)) and not _is_within(key, given.overridden)


def _is_within(key: str, names: Iterable[str]) -> bool:
    """Return whether a dotted key is one of these, or a key below one."""
    return any(key == name or key.startswith(f"{name}.") for name in names)


def find_inputs(claims: Claims, scenario: Scenario, log: CheckLog) -> dict[str, InputState]:
    """Look for every input of the manifest at the scenario's path, and compare digests.

    An input that the scenario names and the manifest lacks is a finding: nothing could be compared with it.
    """
    found: dict[str, InputState] = {}
    current_scenario, places = scenario is not claims.scenario, input_paths(scenario)
    for name in [] if claims.scenario is None else places:
        read = current_scenario or not name.startswith(_HIERARCHIES)  # a manifest does not say which of them were files
        if read and name not in claims.stored.input_digests:
            log.find(MANIFEST, f"names no input {quoted(name)}, and the scenario does")
    if RESTRICTED_PREFIXES in claims.stored.input_digests:
        places[RESTRICTED_PREFIXES] = prefix_list(scenario.safe_harbor.census)
    for name, stated in claims.stored.input_digests.items():
        key = "earlier.releases" if name.startswith(EARLIER_RELEASE) else _PATHS.get(name)
        if current_scenario and key is not None and _is_left_open(key, claims, scenario):
            log.skip(f"input: {name}", f"{key} was overridden for the run, as the manifest says")
            found[name] = "absent"
            continue
        path, digest = places.get(name), None
        why = "the scenario names no such file" if path is None else f"{path} is not there"
        try:
            if path is not None and os.path.exists(path):  # noqa: PTH110 - Path.exists raises for a name too long
                digest = release_digest(path) if name.startswith(EARLIER_RELEASE) else digest_path(path)
        except GamedeidError as error:
            why = str(error)
        if digest is None:
            log.skip(f"input: {name}", why)
            found[name] = "absent"
            continue
        found[name] = "equal" if digest == stated else "changed"
        if digest != stated:
            digests = f"expected {stated}, found {digest}"
            log.find(str(path), f"is not the file ({name}) that {MANIFEST} names: {digests}")
    equal = sum(state == "equal" for state in found.values())
    log.did(f"the digests of {equal} of {len(found)} input files")
    return found


def _flat(content: object, before: str = "") -> dict[str, object]:
    """Return nested tables as dotted key -> value; lists are values."""
    if not isinstance(content, Mapping) or not content:
        return {before: content}
    flat: dict[str, object] = {}
    for key, value in content.items():
        flat |= _flat(value, f"{before}.{key}" if before else str(key))
    return flat
