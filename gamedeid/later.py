"""Names and modules that are loaded when they are first used: the command line must not wait for what it skips."""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


class Later:
    """A module that is not loaded yet.

    Type checkers are shown the module itself::

        if TYPE_CHECKING:
            import narwhals as nw
        else:
            nw = Later("narwhals")

    Parameters
    ----------
    name : of the module, with its packages.

    Examples
    --------
    >>> fractions = Later("fractions")
    >>> fractions.Fraction(1, 2) + 1
    Fraction(3, 2)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Return what the module has; whatever loading it raises is raised here."""
        return getattr(import_module(self._name), attribute)

    def __repr__(self) -> str:
        """Return the module's name."""
        return f"Later({self._name!r})"


_SUPPLIED: dict[str, str] = {}


def supply(**functions: str) -> None:
    """Say which functions do what rooms ask of those above them, which they cannot name.

    Parameters
    ----------
    functions : what is asked for -> "MODULE:FUNCTION", loaded when it is first asked for.
    """
    _SUPPLIED.update(functions)


def supplied(what: str) -> Callable[..., Any]:
    """Return the function that a room above has supplied for this."""
    module, _, name = _SUPPLIED[what].partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def public_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package whose public names stand in the stub beside it.

    Type checkers read the same lines, ``from MODULE import NAME as NAME``; the module is the package itself where the
    name is one of its packages. A line with several names is for type checkers only: its names are not public.
    """

    @cache
    def homes() -> dict[str, str]:
        """Return public name -> its module."""
        stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi").read_text("utf-8")
        return {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)}

    def get(name: str) -> Any:
        if name != "__all__" and name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name == "__all__":
            value: Any = sorted(homes())
        elif homes()[name] == package:
            value = import_module(f"{package}.{name}")
        else:
            value = getattr(import_module(homes()[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(homes())
