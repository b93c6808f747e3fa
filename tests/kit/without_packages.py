"""Packages as if they were not installed."""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from typing import Any


class Absent(MetaPathFinder):
    """Hides some packages from this and all later finders."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = frozenset(packages)

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide(packages: Sequence[str]) -> None:
    """Hide packages from this process, whether they are installed or not."""
    absent = Absent(packages)
    sys.meta_path.insert(0, absent)
    find = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> Any:
        return None if name.partition(".")[0] in absent.packages else find(name, package)

    importlib.util.find_spec = find_spec
