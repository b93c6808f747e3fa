"""Helpers for tests of outputs: small disks, and lists of the files in a folder."""

import json
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamedeid.errors import OutputError
from gamedeid.results.folder import writing_folder

RESULTS = ["manifest.json", "release.csv"]
"""The files that ``results`` writes."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 256 KiB."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=755", "tmpfs", str(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"this system cannot mount a small disk: {mounted.stderr.splitlines()[0]}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def results(path: Path, text: str, *, overwrite: bool = False, names: tuple[str, ...] = ("release.csv",)) -> None:
    """Write a folder of results."""
    with writing_folder(path, overwrite=overwrite) as folder:
        for name in names:
            folder.write_text(name, text)
        folder.write_text("manifest.json", json.dumps({"gamedeid": "0", "outputs": folder.digests}))


def refused_before_any_work(folder: Path, why: str) -> None:
    """Check that a folder is refused before anything is written."""
    with pytest.raises(OutputError, match=why), writing_folder(folder):
        pytest.fail("the block must not be entered")
