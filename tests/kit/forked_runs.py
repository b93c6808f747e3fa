"""Runs of the command line without a start: a server that has loaded everything forks a process for each."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from schema_checks import note_printed
from small_world import Said, process_environment


class ForkedRuns:
    """A server that runs the command line on request; see forking_server.py.

    Parameters
    ----------
    scenario : the question that the server answers once, to load everything.
    without : packages that are hidden from it, as if they were not installed.
    """

    def __init__(self, scenario: Path | str, *, without: Iterable[str] = ()) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forking_server.py")), str(scenario), ",".join(without)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=process_environment(PYTHONIOENCODING="utf-8"),
        )

    def run(
        self,
        words: list[str],
        folder: Path,
        *,
        variables: Mapping[str, str] | None = None,
        merged: bool = False,
        first: str = "",
        send: str | None = None,
        moment: float = 0.0,
        terminal: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Run the command in a folder, send it a signal at a moment, and return its exit code and output.

        Its process executes Python statements first, which know `os` and `sys`.

        With a terminal, the number of its columns and which streams are on it, return what was shown there.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {
            "words": words,
            "folder": str(folder),
            "variables": None if variables is None else dict(variables),
            "merged": merged,
            "first": first,
            "signal": send,
            "moment": moment,
            "terminal": terminal,
        }
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def says(self, *words: object, folder: Path, **how: Any) -> Said:
        """Run the command in a folder as a separate process would, and return its exit code and output."""
        ended = self.run([str(word) for word in words], folder, variables=process_environment(), **how)
        note_printed(words, ended["code"], ended["out"])
        return Said(code=ended["code"], out=ended["out"], err=ended["err"])

    def end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        assert 0 == self._process.wait()
        self._process.stdout.close()
