"""gamedeid decides how much detail of each person's record can be shared.

It plays a Stackelberg game for every record: the publisher gains from detail and pays when somebody is re-identified;
the adversary attacks only when it pays. Start with :func:`solve` and :func:`compare`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamedeid._version import __version__

if TYPE_CHECKING:
    from gamedeid.comparison import Comparison, compare
    from gamedeid.engines.means import Means
    from gamedeid.errors import GamedeidError
    from gamedeid.hierarchy import Hierarchy
    from gamedeid.lattice import Lattice
    from gamedeid.payoffs import Payoffs
    from gamedeid.scenario import Scenario
    from gamedeid.sections import Attribute, Policy, Population, Records
    from gamedeid.solution import Solution, solve
    from gamedeid.study import Study

_HOMES = {
    "Attribute": "sections",
    "Comparison": "comparison",
    "GamedeidError": "errors",
    "Hierarchy": "hierarchy",
    "Lattice": "lattice",
    "Means": "engines.means",
    "Payoffs": "payoffs",
    "Policy": "sections",
    "Population": "sections",
    "Records": "sections",
    "Scenario": "scenario",
    "Solution": "solution",
    "Study": "study",
    "compare": "comparison",
    "solve": "solution",
}

__all__ = [
    "Attribute",
    "Comparison",
    "GamedeidError",
    "Hierarchy",
    "Lattice",
    "Means",
    "Payoffs",
    "Policy",
    "Population",
    "Records",
    "Scenario",
    "Solution",
    "Study",
    "__version__",
    "compare",
    "solve",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: the command line must not wait for what it does not need."""
    if name not in _HOMES:
        raise AttributeError(f"module 'gamedeid' has no attribute {name!r}")
    value = getattr(import_module(f"gamedeid.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
