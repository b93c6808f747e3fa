"""The question at any setting, with frontiers: compiled once for weights and policy, whatever the stakes."""

from collections import OrderedDict
from threading import Lock
from typing import TypeAlias

from gamedeid.choices import GAMES
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.explorer.setting import Setting
from gamedeid.game.frontier import check_frontier
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

KEPT = 4
"""Combinations of weights and policy whose frontiers are kept: whoever turns back need not wait again."""


Key: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[float, ...], str]
"""Edited hierarchies, weights and policy: what frontiers depend on; the stakes are no part of it."""


class CompiledStudies:
    """The last few studies whose frontiers were compiled.

    Parameters
    ----------
    opened : the question as opened.
    read_options : how files are read again, where a hierarchy is another one.
    """

    def __init__(self, opened: Study, read_options: ReadOptions = AUTOMATIC) -> None:
        self._opened = opened
        self._read_options = read_options
        self._studies: OrderedDict[Key, Study] = OrderedDict()
        self._compiling = Lock()

    def of(self, setting: Setting) -> Study:
        """Return the question at a setting.

        Compiles, which takes a second or two, where weights or policy are new; reads everything again where a
        hierarchy is.

        Raises
        ------
        GamedeidError : the setting cannot be answered, such as values that an edited hierarchy lacks.
        """
        scenario, key = setting.scenario, compiled_for(setting)
        with self._compiling:
            known = self._studies.get(key)
            if known is None:
                known = self._nearest(setting).with_scenario(scenario)
            known.scenario_policy  # noqa: B018  (computed when first asked for)
            for game in GAMES:
                known.frontier(game)
            self._studies[key] = known
            self._studies.move_to_end(key)
            if len(self._studies) > KEPT:
                self._studies.popitem(last=False)
        return known.with_scenario(scenario)

    def _nearest(self, setting: Setting) -> Study:
        """Return a study with the same hierarchies, and the same weights if there is one: quickest to change."""
        texts, weights = _hierarchies(setting), _weights(setting.scenario)
        alike = [study for key, study in self._studies.items() if key[0] == texts]
        same = [study for study in alike if _weights(study.scenario) == weights]
        if same or alike:
            return (same or alike)[-1]
        if not texts:
            return self._opened
        study = Study.prepare(setting.scenario, read_options=self._read_options)
        check_frontier(study.instance)
        return study


def compiled_for(setting: Setting) -> Key:
    """Return what frontiers depend on, to compare."""
    return _hierarchies(setting), _weights(setting.scenario), setting.scenario.floor


def _hierarchies(setting: Setting) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(setting.hierarchies.items()))


def _weights(scenario: Scenario) -> tuple[float, ...]:
    return tuple(attribute.weight for attribute in scenario.attributes.values())
