"""One scenario opened in the explorer: what is compiled for it, and the answers to what the page asks."""

from collections import OrderedDict
from contextlib import suppress
from threading import Lock, Thread
from time import perf_counter
from typing import Any

from gamedeid.choices import GAMES
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import GamedeidError
from gamedeid.explorer.answers import Answer
from gamedeid.explorer.question import describe_question
from gamedeid.explorer.setting import Setting
from gamedeid.game.frontier import check_frontier
from gamedeid.progress import Phases
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

KEPT = 8
"""Combinations of weights and policy whose frontiers are kept: whoever turns back need not wait again."""


class Session:
    """One scenario opened in the explorer.

    Parameters
    ----------
    study : the question as opened.

    Raises
    ------
    InvalidScenarioError : there are more strategies than frontiers can be compiled of.
    """

    def __init__(self, study: Study) -> None:
        check_frontier(study.instance)
        self.opened = Setting(scenario=study.scenario, game="basic")
        self._study = study
        self._studies: OrderedDict[object, Study] = OrderedDict({_compiled_for(study.scenario): study})
        self._compiling = Lock()
        self._ready = False

    @classmethod
    def open(
        cls, scenario: Scenario, *, read_options: ReadOptions = AUTOMATIC, progress: Phases | None = None
    ) -> "Session":
        """Read the data of a scenario.

        Raises
        ------
        GamedeidError : what is wrong with which input, in one line.
        """
        return cls(Study.prepare(scenario, read_options=read_options, progress=progress))

    def compile_in_background(self) -> Thread:
        """Compile frontiers and loops for the setting as opened, while the page opens; return the thread that does."""
        thread = Thread(target=self._compile_opened, name="gamedeid-explorer-compiles", daemon=True)
        thread.start()
        return thread

    def _compile_opened(self) -> None:
        with suppress(GamedeidError):  # whoever asks is told
            self.answer({})

    def question(self) -> dict[str, Any]:
        """Return the question as opened, and whether answers are quick by now (``compiled``)."""
        return {**describe_question(self._study, self.opened), "compiled": self._ready}

    def answer(self, asked: object) -> dict[str, Any]:
        """Return the answer to a setting.

        Parameters
        ----------
        asked : a setting as :meth:`Setting.parse` reads it.

        Raises
        ------
        InvalidScenarioError : the setting means nothing.
        """
        begun = perf_counter()
        setting = Setting.parse(asked, self.opened.scenario)
        answer = Answer.of(self._study_of(setting.scenario))
        self._ready = True
        return {
            "setting": setting.as_dict(),
            "policies": answer.as_list(),
            "milliseconds": round(1000 * (perf_counter() - begun), 1),
        }

    def _study_of(self, scenario: Scenario) -> Study:
        """Return the question at a setting, with its frontiers compiled; those of the last few are kept."""
        key = _compiled_for(scenario)
        with self._compiling:
            known = self._studies.get(key)
            if known is None:
                known = self._nearest(scenario).with_scenario(scenario)
                self._studies[key] = known
                if len(self._studies) > KEPT:
                    self._studies.popitem(last=False)
            self._studies.move_to_end(key)
            for game in GAMES:
                known.frontier(game)
            known.scenario_policy  # noqa: B018  (computed when first asked for)
        return known.with_scenario(scenario)

    def _nearest(self, scenario: Scenario) -> Study:
        """Return a study with the same weights, whose frontier of all strategies is there already; else the opened."""
        same = (study for study in self._studies.values() if _weights(study.scenario) == _weights(scenario))
        return next(same, self._study)


def _weights(scenario: Scenario) -> tuple[float, ...]:
    return tuple(attribute.weight for attribute in scenario.attributes.values())


def _compiled_for(scenario: Scenario) -> object:
    """Return what frontiers depend on: the stakes are no part of it."""
    return _weights(scenario), scenario.floor
