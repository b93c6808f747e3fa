"""Names and modules that are loaded at first use: a command must not wait for libraries that it does not use."""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


class LazyModule:
    """A module that is not loaded yet.

    Type checkers are shown the module itself::

        if TYPE_CHECKING:
            import narwhals as nw
        else:
            nw = LazyModule("narwhals")

    Parameters
    ----------
    name : name of the module, with its packages.

    Examples
    --------
    >>> fractions = LazyModule("fractions")
    >>> fractions.Fraction(1, 2) + 1
    Fraction(3, 2)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Load the module and return its attribute; import errors are raised here."""
        return getattr(import_module(self._name), attribute)

    def __repr__(self) -> str:
        """Return the module's name."""
        return f"LazyModule({self._name!r})"


_REGISTERED: dict[str, str] = {}


def register_functions(**functions: str) -> None:
    """Register functions of higher rooms for lower rooms, which may not import a higher room.

    Parameters
    ----------
    functions : key -> "MODULE:FUNCTION"; the module is loaded at the first request.
    """
    _REGISTERED.update(functions)


def registered_function(key: str) -> Callable[..., Any]:
    """Return the function that was registered with a key."""
    module, _, name = _REGISTERED[key].partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def public_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package whose public names are listed in its stub.

    Type checkers read the same lines, ``from MODULE import NAME as NAME``; the module is the package itself for the
    names of its packages. A line with several names is for type checkers only: its names are not public.
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
