"""The question at any setting, with frontiers: compiled once for weights and policy, whatever the stakes."""

from collections import OrderedDict
from threading import Lock
from typing import TypeAlias

from gamedeid.choices import GAMES
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

KEPT = 4
"""Combinations of weights and policy whose frontiers are kept: whoever turns back need not wait again."""


Key: TypeAlias = tuple[tuple[float, ...], str]
"""Weights and policy: what frontiers depend on; the stakes are no part of it."""


class CompiledStudies:
    """The last few studies whose frontiers were compiled.

    Parameters
    ----------
    opened : the question as opened.
    """

    def __init__(self, opened: Study) -> None:
        self._opened = opened
        self._studies: OrderedDict[Key, Study] = OrderedDict()
        self._compiling = Lock()

    def of(self, scenario: Scenario) -> Study:
        """Return the question at other stakes, weights or policy.

        Compiles, which takes a second or two, where weights or policy are new.

        Parameters
        ----------
        scenario : the one as opened but for these.

        Raises
        ------
        GamedeidError : the scenario cannot be answered.
        """
        key = compiled_for(scenario)
        with self._compiling:
            known = self._studies.get(key)
            if known is None:
                known = self._nearest(scenario).with_scenario(scenario)
            known.scenario_policy  # noqa: B018  (computed when first asked for)
            for game in GAMES:
                known.frontier(game)
            self._studies[key] = known
            self._studies.move_to_end(key)
            if len(self._studies) > KEPT:
                self._studies.popitem(last=False)
        return known.with_scenario(scenario)

    def _nearest(self, scenario: Scenario) -> Study:
        """Return a study with the same weights if there is one: quickest to change."""
        weights = _weights(scenario)
        same = [study for study in self._studies.values() if _weights(study.scenario) == weights]
        return same[-1] if same else self._opened


def compiled_for(scenario: Scenario) -> Key:
    """Return what frontiers depend on, to compare."""
    return _weights(scenario), scenario.floor


def _weights(scenario: Scenario) -> tuple[float, ...]:
    return tuple(attribute.weight for attribute in scenario.attributes.values())
