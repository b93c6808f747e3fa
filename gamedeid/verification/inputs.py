"""Which of the inputs are there, and whether they are those that the manifest names."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gamedeid.data.zip3 import prefix_list
from gamedeid.errors import GamedeidError, quoted
from gamedeid.file_identity import digest_path
from gamedeid.generalization.files import find_hierarchy, table_of
from gamedeid.results.manifest import MANIFEST
from gamedeid.scenario.built_in import SAFE_HARBOR
from gamedeid.scenario.recipients import own_population
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Policy
from gamedeid.verification.claims import Claims
from gamedeid.verification.findings import InputState, Notebook

_HIERARCHY, _TABLE = "hierarchy ", "table of hierarchy "
_PATHS = {"records": "records.path", "population": "population.path"}


def compare_scenarios(claims: Claims, given: Scenario, notes: Notebook) -> None:
    """Compare the scenario of the manifest with one at hand, key by key.

    Keys that were overridden for the run may differ, and are listed as not compared; those that are overridden here
    too are compared. Names of columns and values are not shown: the keys of the scenario are.

    Parameters
    ----------
    claims : what the folder says of itself.
    given : the scenario at hand.
    notes : takes what differs.
    """
    if claims.scenario is None:
        return
    stated, at_hand = _flat(claims.scenario.resolved()), _flat(given.resolved())
    for key in dict.fromkeys([*stated, *at_hand]):
        if stated.get(key, "nothing") == at_hand.get(key, "nothing"):
            continue
        if _is_left_open(key, claims, given):
            notes.skip(f"scenario {key}", "it was overridden for the run, as the manifest says")
        else:
            notes.find(MANIFEST, f"its scenario is another than the one at hand: {key} differs")
    notes.did("the scenario of the manifest with the one at hand")


def _is_left_open(key: str, claims: Claims, given: Scenario) -> bool:
    """Return whether a key was overridden for the run, and is not overridden at hand."""
    return _is_within(key, claims.stored.overridden) and not _is_within(key, given.overridden)


def _is_within(key: str, names: Iterable[str]) -> bool:
    """Return whether a dotted key is one of these, or a key below one."""
    return any(key == name or key.startswith(f"{name}.") for name in names)


def find_inputs(claims: Claims, scenario: Scenario, notes: Notebook) -> dict[str, InputState]:
    """Look for every input that the manifest names, and compare digests.

    An input that the scenario names and the manifest lacks is a finding: nothing could be compared with it.

    Parameters
    ----------
    claims : what the folder says of itself.
    scenario : says where the files are.
    notes : takes which are not there, or others.
    """
    found: dict[str, InputState] = {}
    at_hand = scenario is not claims.scenario
    for name in [] if claims.scenario is None else _named(scenario, at_hand=at_hand):
        if name not in claims.stored.input_digests:
            notes.find(MANIFEST, f"names no input {quoted(name)}, and the scenario does")
    for name, stated in claims.stored.input_digests.items():
        if at_hand and name in _PATHS and _is_left_open(_PATHS[name], claims, scenario):
            notes.skip(f"input: {name}", f"{_PATHS[name]} was overridden for the run, as the manifest says")
            found[name] = "absent"
            continue
        path = _path_of(name, scenario)
        if path is None or not os.path.exists(path):  # noqa: PTH110 - Path.exists raises for a name too long
            where = "the scenario names no such file" if path is None else f"{path} is not there"
            notes.skip(f"input: {name}", where)
            found[name] = "absent"
            continue
        try:
            digest = digest_path(path)
        except GamedeidError as error:
            notes.skip(f"input: {name}", str(error))
            found[name] = "absent"
            continue
        found[name] = "equal" if digest == stated else "changed"
        if found[name] == "changed":
            digests = f"expected {stated}, found {digest}"
            notes.find(str(path), f"is not the file ({name}) that {MANIFEST} names: {digests}")
    equal = sum(state == "equal" for state in found.values())
    notes.did(f"the digests of {equal} of {len(found)} input files")
    return found


def _named(scenario: Scenario, *, at_hand: bool) -> Iterator[str]:
    """Yield the names of a scenario's inputs; that of a manifest does not say which hierarchies were files."""
    own = {own_population(name): one.population for name, one in scenario.recipients.items()}
    for name, section in {"records": scenario.records, "population": scenario.population, **own}.items():
        if section is not None and section.path is not None:
            yield name
    policy = scenario.policy.get(SAFE_HARBOR, Policy())
    for name, attribute in scenario.attributes.items() if at_hand else ():
        if isinstance(attribute.hierarchy, str):
            yield f"{_HIERARCHY}{name}"
            path = _hierarchy(name, scenario)
            if path is not None and table_of(path) is not None:
                yield f"{_TABLE}{name}"
    if policy.zip_populations not in {None, "population"}:
        yield "zip populations"


def _path_of(name: str, scenario: Scenario) -> Path | None:
    """Return where an input of this name should be; None where the scenario does not say."""
    own = {own_population(name): one.population for name, one in scenario.recipients.items()}
    section = {"records": scenario.records, "population": scenario.population, **own}.get(name)
    if section is not None:
        return None if section.path is None else scenario.folder / section.path
    if name.startswith(_TABLE):
        path = _hierarchy(name.removeprefix(_TABLE), scenario)
        return None if path is None else table_of(path)
    if name.startswith(_HIERARCHY):
        return _hierarchy(name.removeprefix(_HIERARCHY), scenario)
    policy = scenario.policy.get(SAFE_HARBOR, Policy())
    if name == "restricted prefixes":
        return prefix_list(policy.census)
    if name == "zip populations" and policy.zip_populations is not None:
        return scenario.folder / policy.zip_populations
    return None


def _hierarchy(attribute: str, scenario: Scenario) -> Path | None:
    named = scenario.attributes[attribute].hierarchy if attribute in scenario.attributes else None
    if not isinstance(named, str):
        return None
    try:
        return find_hierarchy(named, scenario.folder)
    except GamedeidError:
        return None


def _flat(content: object, before: str = "") -> dict[str, object]:
    """Return nested tables as dotted key -> value; lists are values."""
    if not isinstance(content, Mapping) or not content:
        return {before: content}
    flat: dict[str, object] = {}
    for key, value in content.items():
        flat |= _flat(value, f"{before}.{key}" if before else str(key))
    return flat
