"""The question at any setting, with frontiers: compiled once for weights and policy, whatever the stakes."""

from collections import OrderedDict
from threading import Lock

from gamedeid.choices import GAMES
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

KEPT = 8
"""Combinations of weights and policy whose frontiers are kept: whoever turns back need not wait again."""


class CompiledStudies:
    """The last few studies whose frontiers were compiled.

    Parameters
    ----------
    opened : the question as opened.
    """

    def __init__(self, opened: Study) -> None:
        self._opened = opened
        self._studies: OrderedDict[object, Study] = OrderedDict({compiled_for(opened.scenario): opened})
        self._compiling = Lock()

    def of(self, scenario: Scenario) -> Study:
        """Return the question at a setting; compiles, which takes seconds, where weights or policy are new.

        Parameters
        ----------
        scenario : the one as opened, but for stakes, weights and policy.

        Raises
        ------
        InvalidScenarioError : the weights leave nothing that could be lost, or the policy cannot be applied.
        """
        key = compiled_for(scenario)
        with self._compiling:
            known = self._studies.get(key) or self._nearest(scenario).with_scenario(scenario)
            known.scenario_policy  # noqa: B018  (computed when first asked for)
            for game in GAMES:
                known.frontier(game)
            self._studies[key] = known
            self._studies.move_to_end(key)
            if len(self._studies) > KEPT:
                self._studies.popitem(last=False)
        return known.with_scenario(scenario)

    def _nearest(self, scenario: Scenario) -> Study:
        """Return a study with the same weights, whose frontier of all strategies is there already; else the opened."""
        same = (study for study in self._studies.values() if _weights(study.scenario) == _weights(scenario))
        return next(same, self._opened)


def compiled_for(scenario: Scenario) -> object:
    """Return what frontiers depend on, to compare: the stakes are no part of it."""
    return _weights(scenario), scenario.floor


def _weights(scenario: Scenario) -> tuple[float, ...]:
    return tuple(attribute.weight for attribute in scenario.attributes.values())
