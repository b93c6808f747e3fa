"""gamedeid decides how much detail of each person's record can be shared.

It plays a Stackelberg game for every record: the publisher gains from detail and pays when somebody is re-identified;
the adversary attacks only when it pays. Start with :func:`solve` and :func:`compare`.
"""

import sys

_named = {"gamedeid", "-mgamedeid"} & set(sys.orig_argv)
if sys.argv[:1] == ["-m"] and _named and not (sys.flags.safe_path or __file__.startswith(sys.path[0])):
    # `python -m gamedeid`: Python looks for modules in the working directory before all else. From here on it
    # does so only where this package itself comes from there, as in a copy of the repository.
    del sys.path[0]

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from gamedeid._version import __version__ as __version__


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: the command line must not wait for what it does not need."""
    homes = _homes()
    if name != "__all__" and name not in homes:
        raise AttributeError(f"module 'gamedeid' has no attribute {name!r}")
    value = sorted(homes) if name == "__all__" else getattr(import_module(homes[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_homes())


@cache
def _homes() -> dict[str, str]:
    """Return public name -> its module, as the stub beside this file has them: type checkers read the same lines."""
    stub = Path(__file__).with_suffix(".pyi").read_text("utf-8")
    return {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)}
