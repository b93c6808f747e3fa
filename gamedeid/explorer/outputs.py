"""The files that the page can write: a setting as a scenario, and its release."""

import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from gamedeid.choices import AWARE_GAMES
from gamedeid.errors import GamedeidError, InvalidScenarioError, OutputError, quoted
from gamedeid.explorer.saving import save_setting
from gamedeid.explorer.setting import Setting
from gamedeid.intake.identifiers.releases import refuse_identifiers
from gamedeid.progress import Phases, Progress
from gamedeid.results.file import read_regular
from gamedeid.results.staging import write_failure_reason
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.toml import is_writable
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

DOWNLOADS = {"release.csv": "text/csv; charset=utf-8", "report.html": "text/html; charset=utf-8"}
"""Files of a folder of results that the page can download, with their media types."""


class EndedError(GamedeidError):
    """The explorer was ended during writing; nothing was written."""


class Outputs:
    """The writer of settings and releases below one folder, one at a time.

    Parameters
    ----------
    opened : the scenario as opened.
    root : folder below which the page may write, absolute.
    overrides : dotted key -> value, the overrides of the scenario's file.
    prepare : function from a scenario and progress phases to the study, with the data of the opened scenario.
    """

    def __init__(
        self,
        opened: Setting,
        *,
        root: Path,
        overrides: Mapping[str, Any],
        prepare: Callable[[Scenario, Phases], Study],
    ) -> None:
        self.root = root
        self._opened = opened
        self._overrides = overrides
        self._prepare = prepare
        self._saved: tuple[Setting, Scenario] | None = None
        self._working = Lock()
        self._phase: tuple[str, int, int] | None = None
        self._ended = False
        self._written: Path | None = None

    def save(self, setting: Setting, path: object, overwrite: object) -> dict[str, Any]:
        """Save a setting as a scenario file.

        Parameters
        ----------
        path : path of a .toml file below the root, from the page.
        overwrite : whether an existing file is replaced; True or False.

        Raises
        ------
        GamedeidError : the file may not or cannot be written.
        """
        target = permitted_path(self.root, path, suffix=".toml")
        replaces = _replaces(overwrite)
        save_setting(setting, self._opened, target, overrides=self._overrides, overwrite=replaces)
        self._saved = (setting, Scenario.read(target))
        return {"path": str(target)}

    def write(self, setting: Setting, folder: object, overwrite: object) -> dict[str, Any]:
        """Write the release and the report of a setting, the same bytes as ``gamedeid run``.

        Parameters
        ----------
        setting : the setting as opened or as last saved; its game is solved.
        folder : path below the root, from the page; new or empty.
        overwrite : whether an earlier folder of results is replaced; True or False.

        Raises
        ------
        GamedeidError : the setting is not saved, the scenario plays an aware game, other long work is running, or the
            release may not or cannot be written.
        """
        target = permitted_path(self.root, folder)
        scenario, game = self._scenario_of(setting), setting.game
        if scenario.game in AWARE_GAMES:
            raise InvalidScenarioError(
                f"the scenario plays {scenario.game}, which this page does not; gamedeid run writes its release"
            )
        replaces = _replaces(overwrite)
        with self.under_way() as begin:
            study = self._prepare(scenario, begin)
            refuse_identifiers(study)
            solution = solve(study, game=game, solver="exact", progress=begin(f"{game} game"))
            made = solution.write(target, overwrite=replaces, progress=begin)
            self._written = target
        files = sorted([*made["outputs"], "manifest.json"])
        return {"folder": str(target), "files": files, "downloads": [name for name in DOWNLOADS if name in files]}

    @contextmanager
    def under_way(self) -> Iterator[Phases]:
        """Allow one block at a time to do long work, and yield its progress phases."""
        if not self._working.acquire(blocking=False):
            raise OutputError("a release is being written, or changes are being tried; wait until that is done")
        try:
            yield self._begin
        finally:
            self._phase = None
            self._working.release()

    def end(self) -> None:
        """Cancel the current writing."""
        self._ended = True

    @property
    def saved(self) -> dict[str, Any] | None:
        """The last saved setting, in the form of the page; None if none was saved."""
        return None if self._saved is None else self._saved[0].as_dict()

    @property
    def progress(self) -> dict[str, Any]:
        """The phase of the writing, with done and total; a phase of None if nothing is being written."""
        phase, done, total = self._phase or (None, 0, 0)
        return {"phase": phase, "done": done, "total": total}

    def download(self, name: str) -> bytes | None:
        """Return a file of the last written folder; None if there is no such file."""
        if self._written is None or name not in DOWNLOADS:
            return None
        try:
            return read_regular(self._written / name)
        except (OSError, OutputError):
            return None

    def _begin(self, name: str) -> Progress:
        def report_progress(done: int, total: int) -> None:
            if self._ended:
                raise EndedError("the explorer was ended; nothing was written")
            self._phase = (name, done, total)

        report_progress(0, 0)
        return report_progress

    def _scenario_of(self, setting: Setting) -> Scenario:
        """Return the scenario of a setting, as read from its file."""
        if setting.as_dict() == self._opened.as_dict():
            return self._opened.scenario
        if self._saved is not None and setting.as_dict() == self.saved:
            return self._saved[1]
        raise InvalidScenarioError("save the scenario first: a release names the scenario that it follows from")


def _replaces(overwrite: object) -> bool:
    if not isinstance(overwrite, bool):
        raise InvalidScenarioError(f"overwrite: expected true or false, not {quoted(overwrite)}")
    return overwrite


def permitted_path(root: Path, asked: object, *, suffix: str = "") -> Path:
    """Return the path that the page asks for, with symbolic links in its folder resolved.

    Parameters
    ----------
    root : folder that must contain the path.
    asked : a path that starts from ``root``, or an absolute one.
    suffix : required suffix of the name, such as ".toml".

    Raises
    ------
    OutputError : the path is not below ``root``, its folder does not exist, or it is itself a symbolic link.
    """
    if not isinstance(asked, str) or not asked.strip() or not is_writable(asked):
        raise OutputError(f"expected a path below {root}, not {quoted(asked)}")
    path = root / asked.strip()
    if path.name in {"", "..", "."} or path.suffix.lower() != (suffix or path.suffix.lower()):
        raise OutputError(f"expected the name of a{' ' + suffix if suffix else ''} file or folder, not {quoted(asked)}")
    try:
        folder = path.parent.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a loop of links
        raise OutputError(f"{quoted(asked)}: there is no such folder below {root}; create it first") from None
    if not folder.is_relative_to(root.resolve()):
        raise OutputError(f"{quoted(asked)} is not below {root}, and the explorer writes nowhere else")
    found = folder / path.name
    try:
        linked = stat.S_ISLNK(found.lstat().st_mode)
    except FileNotFoundError:
        linked = False
    except OSError as error:
        raise OutputError(f"cannot write {quoted(asked)}: {write_failure_reason(error)}") from None
    if linked:
        raise OutputError(f"{quoted(asked)} is a symbolic link; choose another name")
    return found
