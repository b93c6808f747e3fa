"""gamedeid decides how much detail of each person's record can be shared.

It plays a Stackelberg game for every record: the publisher gains from detail and pays when somebody is re-identified;
the adversary attacks only when it pays. Start with :func:`solve` and :func:`compare`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gamedeid._version import __version__

if TYPE_CHECKING:
    from gamedeid.analysis.comparison import Comparison, compare
    from gamedeid.data.engines.options import ReadOptions
    from gamedeid.errors import GamedeidError
    from gamedeid.generalization.hierarchy import Hierarchy
    from gamedeid.generalization.lattice import Lattice
    from gamedeid.scenario.payoffs import Payoffs
    from gamedeid.scenario.scenario import Scenario
    from gamedeid.scenario.sections import Attribute, Policy, Population, Records
    from gamedeid.study.solution import Solution, solve
    from gamedeid.study.study import Study

_HOMES = {
    "Attribute": "scenario.sections",
    "Comparison": "analysis.comparison",
    "GamedeidError": "errors",
    "Hierarchy": "generalization.hierarchy",
    "Lattice": "generalization.lattice",
    "ReadOptions": "data.engines.options",
    "Payoffs": "scenario.payoffs",
    "Policy": "scenario.sections",
    "Population": "scenario.sections",
    "Records": "scenario.sections",
    "Scenario": "scenario.scenario",
    "Solution": "study.solution",
    "Study": "study.study",
    "compare": "analysis.comparison",
    "solve": "study.solution",
}

__all__ = [
    "Attribute",
    "Comparison",
    "GamedeidError",
    "Hierarchy",
    "Lattice",
    "Payoffs",
    "Policy",
    "Population",
    "ReadOptions",
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
