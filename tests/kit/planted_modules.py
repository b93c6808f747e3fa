"""A working directory with a module of every name that something might import; each leaves a mark when it runs."""

import subprocess
import sys
from collections.abc import Collection
from importlib.metadata import packages_distributions
from pathlib import Path

from small_world import process_environment

OF_PYTHON = frozenset(sys.stdlib_module_names) | {"sitecustomize", "usercustomize"}
OF_OTHERS = frozenset(name for name in packages_distributions() if name.isidentifier())
MARK = "ran"


def plant(folder: Path, *, without: Collection[str] = ()) -> Path:
    """Plant the modules in a new folder, and return it."""
    folder.mkdir()
    for name in (OF_PYTHON | OF_OTHERS) - set(without):
        (folder / f"{name}.py").write_text(f"open({str(folder / MARK)!r}, 'a').write(__name__ + ' ')\n")
    return folder


def that_ran(folder: Path) -> list[str]:
    """Return the names of the modules that ran since this was last asked."""
    mark = folder / MARK
    names = mark.read_text().split() if mark.exists() else []
    mark.unlink(missing_ok=True)
    return names


COMMAND = "from gamedeid.cli import main\nif __name__ == '__main__':\n    main()\n"


def script(folder: Path, content: str = COMMAND) -> Path:
    """Write a script as installers do: Python looks for modules beside it, and not in the working directory."""
    folder.mkdir()
    (folder / "script").write_text(content)
    return folder / "script"


def run_there(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run Python with some words in the folder, and with nothing in its environment of where it looks for modules."""
    names = ("PYTHONPATH", "PYTHONSAFEPATH")
    environment = {name: value for name, value in process_environment().items() if name not in names}
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env=environment, check=False, capture_output=True, text=True
    )


def loaded_before(folder: Path) -> set[str]:
    """Return what `python -m` has loaded when it begins with a package: Python looks for these by its own rules."""
    (folder / "probe").mkdir(parents=True)
    (folder / "probe" / "__init__.py").write_text("import sys\nprint(*sys.modules)\n")
    (folder / "probe" / "__main__.py").write_text("")
    return {name.partition(".")[0] for name in run_there(folder, "-m", "probe").stdout.split()}
