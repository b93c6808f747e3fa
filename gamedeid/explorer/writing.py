"""The release and its report, written as ``gamedeid run`` writes them, while the page is told how far it is."""

from pathlib import Path
from threading import Lock
from typing import Any

from gamedeid.choices import GameName
from gamedeid.data.engines.options import ReadOptions
from gamedeid.errors import GamedeidError, OutputError
from gamedeid.intake.identifiers.releases import refuse_identifiers
from gamedeid.progress import Progress
from gamedeid.results.file import read_regular
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

DOWNLOADS = {"release.csv": "text/csv; charset=utf-8", "report.html": "text/html; charset=utf-8"}
"""Files of a folder of results that the page can download, and what they are."""


class EndedError(GamedeidError):
    """The explorer was ended while something was being written; nothing of it is there."""


class ReleaseWriter:
    """Writes one release at a time, and knows how far it is.

    Parameters
    ----------
    read_options : how files are read.
    """

    def __init__(self, read_options: ReadOptions) -> None:
        self._read_options = read_options
        self._writing = Lock()
        self._phase: tuple[str, int, int] | None = None
        self._ended = False
        self.folder: Path | None = None

    def end(self) -> None:
        """Let what is being written come to nothing."""
        self._ended = True

    @property
    def progress(self) -> dict[str, Any]:
        """What is being done, and how much of it in all; None where nothing is."""
        phase = self._phase
        if phase is None:
            return {"phase": None, "done": 0, "total": 0}
        return {"phase": phase[0], "done": phase[1], "total": phase[2]}

    def write(self, scenario: Scenario, game: GameName, folder: Path, *, overwrite: bool) -> list[str]:
        """Write what ``gamedeid run`` writes, the same bytes, and return the names of the files.

        Parameters
        ----------
        scenario : as its file has it.
        game : what is played.
        folder : where to; new or empty, and its parent must exist.
        overwrite : replace an earlier folder of results.

        Raises
        ------
        GamedeidError : as for ``gamedeid run``: identifiers that are to be released, a folder that is not empty.
        OutputError : another release is being written.
        """
        if not self._writing.acquire(blocking=False):
            raise OutputError("another release is being written; wait for it")
        try:
            study = Study.prepare(scenario, read_options=self._read_options, progress=self._begin)
            refuse_identifiers(study)
            solution = solve(study, game=game, solver="exact", progress=self._begin(f"{game} game"))
            made = solution.write(folder, overwrite=overwrite, progress=self._begin)
            self.folder = folder
            return sorted([*made["outputs"], "manifest.json"])
        finally:
            self._phase = None
            self._writing.release()

    def download(self, name: str) -> bytes | None:
        """Return a file of the folder written last; None where there is none of this name."""
        if self.folder is None or name not in DOWNLOADS:
            return None
        try:
            return read_regular(self.folder / name)
        except (OSError, OutputError):
            return None

    def _begin(self, name: str) -> Progress:
        def report_progress(done: int, total: int) -> None:
            if self._ended:
                raise EndedError("the explorer was ended; nothing was written")
            self._phase = (name, done, total)

        report_progress(0, 0)
        return report_progress
