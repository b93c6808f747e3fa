"""The tools that make and check a release, from the extra `release`."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from browser import unavailable

ROOT = Path(__file__).parents[2]


def tool(name: str) -> str:
    """Return the path of a tool."""
    path = shutil.which(name, path=Path(sys.executable).parent) or shutil.which(name)
    return path or unavailable(f'no {name}: python -m pip install ".[release]"')


def unpacked_sdist(folder: Path) -> Path:
    """Build the sdist, unpack it, and return its root."""
    tool("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (packed,) = folder.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        known = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on
        archive.extractall(folder, **known)  # noqa: S202  (it was built here)
    return folder / packed.name.removesuffix(".tar.gz")


def marked_commands(page: Path, mark: str) -> str:
    """Return the commands in a page's block of code after a mark, `<!-- mark -->`."""
    _, _, after = page.read_text("utf-8").partition(f"<!-- {mark} -->\n```sh\n")
    commands, end, _ = after.partition("```")
    assert end, f"{page.name} has no commands marked {mark}"
    return commands
