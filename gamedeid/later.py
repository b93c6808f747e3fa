"""Modules that are loaded when something of them is first used: the command line must not wait for what it skips."""

from importlib import import_module
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
