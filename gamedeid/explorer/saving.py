"""Saving of a setting as a scenario: the original text with other values."""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tomlkit
from tomlkit.exceptions import TOMLKitError

from gamedeid.errors import InvalidScenarioError, OutputError
from gamedeid.explorer.setting import STAKES, Setting
from gamedeid.generalization.files import find_hierarchy
from gamedeid.reprs import brief
from gamedeid.results.file import write_file
from gamedeid.results.stored import StoredResults
from gamedeid.scenario.earlier import EarlierRelease
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.toml import key_parts


@brief
class Change(NamedTuple):
    """A key of a scenario and its new value.

    Parameters
    ----------
    key : the parts of the key, sections first.
    value : the new value; None removes the key.
    """

    key: Sequence[str]
    value: Any


def changed_text(text: str, changes: Iterable[Change]) -> str:
    """Return a text of TOML with other values, and nothing else changed.

    Raises
    ------
    InvalidScenarioError : the text cannot be changed without a loss of content.
    """
    changes = list(changes)
    if not changes:
        return text
    expected = tomllib.loads(text)
    try:
        document = tomlkit.parse(text)
        for change in changes:
            _set_value(document, change, tomlkit.table)
            _set_value(expected, change, dict)
        changed = tomlkit.dumps(document)
        if tomllib.loads(changed) == expected:
            return changed
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, AttributeError, KeyError):
        pass
    keys = ", ".join(".".join(change.key) for change in changes)
    raise InvalidScenarioError(f"the text cannot be changed in its form; change it by hand: {keys}")


def _set_value(place: Any, change: Change, new_section: Any) -> None:
    *path, last = change.key
    for part in path:
        if part not in place:
            if change.value is None:
                return
            place[part] = new_section()
        place = place[part]
    if change.value is not None:
        place[last] = _plain(change.value)
    elif last in place:
        del place[last]


def _plain(value: Any) -> Any:
    """Return a number in its usual notation: 1200, not 1200.0."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 10**15 else value


def save_setting(
    setting: Setting,
    opened: Setting,
    path: Path,
    *,
    overrides: Mapping[str, Any],
    overwrite: bool,
) -> None:
    """Write a setting as a scenario file, whole or not at all.

    Relative paths in the scenario are rewritten so that they lead from the new file to the same data.

    Parameters
    ----------
    opened : the setting that the page shows first; its scenario was read from a file.
    path : path of the new scenario file, absolute; its folder must exist.
    overrides : dotted key -> value, the overrides of the file when it was opened.

    Raises
    ------
    InvalidScenarioError : the scenario was not read from a file, or its text cannot be changed.
    OutputError : the file exists, or cannot be written.
    """
    scenario = opened.scenario
    if scenario.file is None:
        raise InvalidScenarioError("the scenario was not read from a file, so that there is no text to change")
    original = Path(scenario.file.path)
    overriding = [Change(key_parts(key), value) for key, value in overrides.items()]
    moved = [] if _real_path(original).parent == path.parent else list(_moved_paths(scenario, path.parent))
    changes = [*overriding, *moved, *_differences(opened, setting)]
    text = changed_text(original.read_text("utf-8-sig"), changes)
    if os.path.lexists(path) and not overwrite:
        raise OutputError(f"{path} already exists; choose another name, or allow it to be replaced")
    write_file(path, text, overwrite=overwrite, follow_links=False)


def _differences(opened: Setting, setting: Setting) -> Iterator[Change]:
    """Yield the stakes, weights, policy and game that differ from the setting as opened."""
    before, after = opened.scenario, setting.scenario
    for name in STAKES:
        value = getattr(after.payoffs, name)
        if value != getattr(before.payoffs, name):
            yield Change(("payoffs", name), value)
    for name, attribute in after.attributes.items():
        if attribute.weight != before.attributes[name].weight:
            yield Change(("attributes", name, "weight"), attribute.weight)
    if after.floor != before.floor:
        yield Change(("floor",), after.floor)
    if setting.game != opened.game:
        yield Change(("game",), setting.game)


def _moved_paths(opened: Scenario, folder: Path) -> Iterator[Change]:
    """Yield the paths of a scenario relative to another folder; absolute paths and shipped names are unchanged."""
    tables: dict[tuple[str, ...], Any] = {("records",): opened.records, ("population",): opened.population}
    tables |= {("recipients", name, "population"): one.population for name, one in opened.recipients.items()}
    paths: list[tuple[tuple[str, ...], Any]] = [
        ((*section, "path"), table.path) for section, table in tables.items() if table is not None
    ]
    for name, policy in opened.policy.items():
        zips = policy.zip_populations
        paths.append((("policy", name, "zip_populations"), None if zips == "population" else zips))
    for name, attribute in opened.attributes.items():
        named = attribute.hierarchy
        if isinstance(named, str) and _real_path(find_hierarchy(named, opened.folder)) == _real_path(
            opened.folder / named
        ):
            paths.append((("attributes", name, "hierarchy"), named))
    for key, path in paths:
        if path is not None and not Path(path).is_absolute():
            yield Change(key, _relative_path(folder, opened.folder / path))
    if opened.earlier is not None:
        releases = opened.earlier.releases
        yield Change(("earlier", "releases"), [_moved_release(one, opened.folder, folder) for one in releases])


def _moved_release(release: EarlierRelease, before: Path, folder: Path) -> dict[str, Any]:
    """Return an earlier release as named from another folder; its records are named too."""
    records = release.records or StoredResults.read_run(before / release.folder).question["records"]["path"]
    paths = {"folder": release.folder, "records": Path(records)}
    moved = {key: str(one) if one.is_absolute() else _relative_path(folder, before / one) for key, one in paths.items()}
    return {**moved, **({"rises": dict(release.rises)} if release.rises else {})}


def _relative_path(folder: Path, path: Path) -> str:
    """Return a path relative to a folder, with slashes on every system."""
    try:
        return Path(os.path.relpath(_real_path(path), folder)).as_posix()
    except ValueError:  # on another disk
        return _real_path(path).as_posix()


def _real_path(path: Path) -> Path:
    return Path(os.path.realpath(path))
