"""Processes that write folders of results until they are killed, or at the same time as others."""

import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from gamedeid.errors import OutputError
from gamedeid.results.folder import writing_folder

FORKING = multiprocessing.get_context("forkserver")
"""Starts processes by a fork server that has loaded everything and runs nothing else."""
FORKING.set_forkserver_preload(["gamedeid.results.folder"])


def write_for_ever(target: Path, begun: Any) -> None:
    with writing_folder(target, overwrite=True) as folder:
        begun.set()
        with folder.open("release.csv") as stream:
            while True:
                stream.write(bytes(10_000))
                stream.flush()


def write_again_and_again(target: Path, begun: Any) -> None:
    begun.set()
    for number in count():
        with writing_folder(target, overwrite=True) as folder:
            folder.write_text("release.csv", f"{number}\n" * 1000)
            folder.write_text("summary.json", f"{number}\n" * 1000)
            folder.write_text("manifest.json", json.dumps({"gamedeid": number, "outputs": folder.digests}))


def write_until(step: int, target: Path) -> None:
    """Write a folder, and be killed after one of the last steps; end if there are fewer."""
    steps = count(1)

    def deadly(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **keywords: Any) -> Any:
            result = call(*arguments, **keywords)
            if next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return called

    with writing_folder(target, overwrite=True) as folder:
        folder.write_text("release.csv", "new")
        folder.write_text("manifest.json", '{"gamedeid": "0", "outputs": {"release.csv": ""}}')
        for place, name in (*((Path, name) for name in ("mkdir", "rename", "unlink", "rmdir")), (os, "link")):
            setattr(place, name, deadly(getattr(place, name)))


def write_and_be_asked_to_end(target: Path) -> None:
    """Write a folder, and get a request to end while the folder is renamed."""
    rename = Path.rename

    def interrupted(self: Path, new: Path) -> Path:
        os.kill(os.getpid(), signal.SIGTERM)
        return rename(self, new)

    Path.rename = interrupted  # type: ignore[method-assign]
    with writing_folder(target) as folder:
        folder.write_text("release.csv", "text")


def race(number: int, start: Any, target: Path) -> None:
    """Write a folder at the same time as others; exit with 1 if another was first."""
    start.wait()
    try:
        with writing_folder(target) as folder:
            for name in "abcdef":
                folder.write_text(name, str(number))
    except OutputError:
        sys.exit(1)
