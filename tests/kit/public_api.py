"""Every public name, of the package and of its namespaces."""

from types import ModuleType
from typing import Any

import gamedeid


def public_names() -> dict[str, str]:
    """Return public name -> its home, "gamedeid" or one of its packages; the packages are left out."""
    found = {}
    for package in [
        gamedeid,
        *(one for name in gamedeid.__all__ if isinstance(one := getattr(gamedeid, name), ModuleType)),
    ]:
        found |= {
            name: package.__name__
            for name in package.__all__
            if name != "__version__" and not isinstance(getattr(package, name), ModuleType)
        }
    return found


HOMES = public_names()
"""Public name -> the package that has it."""


def public_value(name: str) -> Any:
    """Return the value of a public name."""
    package = gamedeid
    for part in HOMES[name].split(".")[1:]:
        package = getattr(package, part)
    return getattr(package, name)
