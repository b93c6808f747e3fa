"""What the page may have written: the setting as a scenario, and the release that follows from it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import InvalidScenarioError, OutputError, quoted
from gamedeid.explorer.saving import save_setting
from gamedeid.explorer.setting import Setting
from gamedeid.explorer.writing import DOWNLOADS, ReleaseWriter
from gamedeid.results.staging import reason_of
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.texts import is_writable


class Outputs:
    """Saves settings and writes releases, below one folder.

    Parameters
    ----------
    opened : the scenario as opened.
    root : folder below which the page may write, absolute.
    overrides : dotted key -> value, what was laid over the scenario's file.
    read_options : how files are read.
    """

    def __init__(
        self,
        opened: Setting,
        *,
        root: Path,
        overrides: Mapping[str, Any],
        read_options: ReadOptions,
    ) -> None:
        self.root = root
        self.writer = ReleaseWriter(read_options)
        self._opened = opened
        self._overrides = overrides
        self._saved: tuple[Setting, Scenario] | None = None

    def save(self, setting: Setting, path: object, overwrite: object) -> dict[str, Any]:
        """Save a setting as a scenario file.

        Parameters
        ----------
        setting : what is saved.
        path : of a .toml file below the root, as the page has it.
        overwrite : whether a file that is there is replaced; True or False.

        Raises
        ------
        GamedeidError : the file may not or cannot be written.
        """
        target = permitted_path(self.root, path, suffix=".toml")
        save_setting(
            setting,
            self._opened.scenario,
            target,
            overrides=self._overrides,
            overwrite=_truth(overwrite, "overwrite"),
        )
        self._saved = (setting, Scenario.read(target))
        return {"path": str(target)}

    def write(self, setting: Setting, folder: object, overwrite: object) -> dict[str, Any]:
        """Write the release and the report of a setting, as ``gamedeid run`` does.

        Parameters
        ----------
        setting : as opened, or as saved last; its game is played.
        folder : below the root, as the page has it; new or empty.
        overwrite : whether an earlier folder of results is replaced; True or False.

        Raises
        ------
        GamedeidError : the setting is not saved, or the release may not or cannot be written.
        """
        target = permitted_path(self.root, folder)
        scenario = self._scenario_of(setting)
        files = self.writer.write(scenario, setting.game, target, overwrite=_truth(overwrite, "overwrite"))
        return {"folder": str(target), "files": files, "downloads": [name for name in DOWNLOADS if name in files]}

    def _scenario_of(self, setting: Setting) -> Scenario:
        """Return the scenario that says the same as a setting, as it was read from its file."""
        if _alike(setting, self._opened):
            return self._opened.scenario
        if self._saved is not None and _alike(setting, self._saved[0]):
            return self._saved[1]
        raise InvalidScenarioError("save the scenario first: a release names the scenario that it follows from")


def _alike(one: Setting, other: Setting) -> bool:
    """Return whether two settings say the same, whichever game is looked at."""
    return {**one.as_dict(), "game": None} == {**other.as_dict(), "game": None}


def _truth(given: object, name: str) -> bool:
    if not isinstance(given, bool):
        raise InvalidScenarioError(f"{name}: expected true or false, not {quoted(given)}")
    return given


def permitted_path(root: Path, asked: object, *, suffix: str = "") -> Path:
    """Return the path that the page asks for, without symbolic links on the way to it.

    Parameters
    ----------
    root : folder below which it must be.
    asked : a path that starts from ``root``, or an absolute one.
    suffix : how the name must end, such as ".toml".

    Raises
    ------
    OutputError : it is not below ``root``, its folder is not there, or it is a symbolic link itself.
    """
    if not isinstance(asked, str) or not asked.strip() or not is_writable(asked):
        raise OutputError(f"expected a path below {root}, not {quoted(asked)}")
    path = root / asked.strip()
    if path.name in {"", "..", "."} or path.suffix.lower() != (suffix or path.suffix.lower()):
        raise OutputError(f"expected the name of a{' ' + suffix if suffix else ''} file or folder, not {quoted(asked)}")
    try:
        folder = path.parent.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: links that go in circles
        raise OutputError(f"{quoted(asked)}: there is no such folder below {root}; create it first") from None
    if not folder.is_relative_to(root.resolve()):
        raise OutputError(f"{quoted(asked)} is not below {root}, and the explorer writes nowhere else")
    found = folder / path.name
    try:
        linked = found.is_symlink()
    except OSError as error:
        raise OutputError(f"cannot write {quoted(asked)}: {reason_of(error)}") from None
    if linked:
        raise OutputError(f"{quoted(asked)} is a symbolic link; choose another name")
    return found
