"""One scenario opened in the explorer: its computations, and the answers to requests of the page."""

import gc
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from gamedeid.analysis.comparison import Comparison
from gamedeid.analysis.examples import example_rows
from gamedeid.analysis.stretches import StakeStretches, study_stretches
from gamedeid.analysis.suggestions import suggest
from gamedeid.analysis.sweep import with_separate_stakes
from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.errors import GamedeidError, InvalidScenarioError, quoted
from gamedeid.explorer.answers import (
    answer_measures,
    answer_table,
    answer_verdict,
    compare_compiled,
    describe_person,
    describe_suggestions,
)
from gamedeid.explorer.changes import describe_changes, describe_turning_points
from gamedeid.explorer.compiled import CompiledStudies, SupersededError, Urgency, compilation_key
from gamedeid.explorer.outputs import Outputs
from gamedeid.explorer.setting import STAKES, Setting, describe_question, game_to_show
from gamedeid.explorer.stake_map import StakeMap
from gamedeid.progress import Phases, Progress, no_progress
from gamedeid.report.words.certificate import examples
from gamedeid.scenario.grid import StakeName, parse_stake
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import DOLLARS
from gamedeid.study.study import Study

STRETCHES_KEPT = 3
"""Number of stakes whose breakpoints are kept: they do not depend on the value of the stake itself."""


class Session:
    """One scenario opened in the explorer. Its methods may be called from several threads.

    Parameters
    ----------
    study : the question as opened.
    read_options : options for reading the files again for a release; None if they are not read again, since the data
        of the study may be frames.
    root : folder below which the page may write.
    overrides : dotted key -> value, the overrides of the scenario's file.

    Raises
    ------
    InvalidScenarioError : there are too many strategies to compile frontiers, recipients without known breakpoints, or
        limits on the whole dataset.
    """

    def __init__(
        self,
        study: Study,
        read_options: ReadOptions | None = None,
        *,
        root: Path = Path(),
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        refuse_unsupported(Operation.EXPLORER, study.features)
        self.opened = Setting(scenario=study.scenario, game=game_to_show(study.scenario))
        self._study = study
        self._compiled = CompiledStudies(study)

        def prepare(scenario: Scenario, progress: Phases) -> Study:
            if read_options is None:
                return study.with_scenario(scenario)
            return Study.prepare(scenario, read_options=read_options, progress=progress)

        self.outputs = Outputs(self.opened, root=root.absolute(), overrides=dict(overrides or {}), prepare=prepare)
        self._ends = slider_ends(study.scenario)
        self._question = describe_question(study, self.opened, self._ends)
        self._before: Comparison | None = None
        self._last: tuple[Scenario, Comparison] | None = None
        self._shown: Setting | None = None
        self._stretches: dict[object, StakeStretches] = {}
        self._finding_stretches = Lock()
        self._map: tuple[object, int, StakeMap] | None = None
        self._changing_map = Lock()
        self._urgency = Urgency()

    @classmethod
    def open(
        cls,
        scenario: Scenario,
        *,
        read_options: ReadOptions = AUTOMATIC,
        progress: Phases = no_progress,
        root: Path = Path(),
        overrides: Mapping[str, Any] | None = None,
    ) -> "Session":
        """Read the data of a scenario, and return its session."""
        study = Study.prepare(scenario, read_options=read_options, progress=progress)
        return cls(study, read_options, root=root, overrides=overrides)

    def compile_in_background(self) -> Thread:
        """Start and return a thread that compiles frontiers and loops for the opened setting, while the page opens."""
        thread = Thread(target=self._compile_opened, name="gamedeid-explorer-compiles", daemon=True)
        thread.start()
        return thread

    def _compile_opened(self) -> None:
        with suppress(GamedeidError):  # a later request reports the error
            self.answer({})
        gc.freeze()  # these objects stay: a garbage collection of them would delay an answer by a tenth of a second

    def question(self) -> dict[str, Any]:
        """Return the question as opened, the folder for writing, and the last saved setting."""
        return {**self._question, "folder": str(self.outputs.root), "saved": self.outputs.saved}

    def answer(self, asked: object) -> dict[str, Any]:
        """Return the measures of the policy and of every game at a setting, and the verdict."""
        with self._urgency.answering():
            setting = self._setting(asked)
            self._shown = setting
            answer = self._answer_to(setting)
            return {
                "setting": setting.as_dict(),
                "policies": answer_measures(answer),
                "table": answer_table(answer),
                "verdict": answer_verdict(answer, setting.game),
            }

    def changes(self, asked: object) -> dict[str, Any]:
        """Return the groups of records with other strategies in the setting's game than in the opened scenario."""
        with self._urgency.answering():
            setting = self._setting(asked)
            after = self._answer_to(setting)
            if self._before is None:
                self._before = self._answer_to(self.opened)
            return describe_changes(self._before.solutions[setting.game], after.solutions[setting.game])

    def examples(self, asked: object) -> dict[str, Any]:
        """Return rows of the population before and after the setting's game, as in the report."""
        with self._urgency.answering():
            setting = self._setting(asked)
            found = example_rows(self._answer_to(setting).solutions[setting.game])
            shapes = any(hierarchy.from_data for hierarchy in self._study.instance.hierarchies.values())
            return examples(found if isinstance(found, str) else [row.as_dict() for row in found], shapes=shapes)

    def turning_points(self, asked: object, asked_stake: object) -> dict[str, Any]:
        """Return the breakpoints of the setting's game along one stake; it waits for pending answers."""
        stake = parse_stake(str(asked_stake), "stake")
        setting, shown = self._setting(asked), self._shown
        study = with_separate_stakes(self._compiled.of(setting.scenario))
        key = _stretches_key(setting, stake)

        def give_way(done: int, total: int) -> None:  # noqa: ARG001  (as Progress has it)
            self._urgency.wait_until_quiet()
            now = self._shown
            if now is not None and now is not shown and _stretches_key(now, stake) != key:
                raise SupersededError(f"breakpoints along the {stake}: the setting has changed since")

        with self._finding_stretches:
            found = self._stretches.pop(key, None)
            if found is None:
                found = study_stretches(study, setting.game, stake, progress=give_way)
            self._stretches[key] = found
            if len(self._stretches) > STRETCHES_KEPT:
                self._stretches.pop(next(iter(self._stretches)))
        return describe_turning_points(study, setting.game, found, self._ends[stake], give_way)

    def map(self, asked: object, key: object, have: object) -> dict[str, Any]:
        """Return the computed rows of the map over benefit and loss that the page does not have yet.

        Parameters
        ----------
        asked : a setting; a change of weights, policy, cost or gain since the last one starts a new map.
        key : key of the map whose rows the page has, from an earlier answer; None for none.
        """
        if isinstance(have, bool) or not isinstance(have, int) or have < 0:
            raise InvalidScenarioError(f"map: have: expected a number of rows, not {quoted(have)}")
        setting = self._setting(asked)
        payoffs = setting.scenario.payoffs
        wanted = (compilation_key(setting.scenario), payoffs.cost, payoffs.gain)
        study = with_separate_stakes(self._compiled.of(setting.scenario))
        with self._changing_map:
            if self._map is None or self._map[0] != wanted:
                number = 0
                if self._map is not None:
                    number = self._map[1] + 1
                    self._map[2].stop()
                ends = self._ends["benefit"], self._ends["loss"]
                self._map = (wanted, number, StakeMap(study, *ends, self._urgency.wait_until_quiet))
            _, number, stake_map = self._map
        name = str(number)
        first = have if key == name else 0
        rows, complete = stake_map.rows(first)
        answer = {"key": name, "benefits": stake_map.benefits, "losses": stake_map.losses}
        return {**answer, "first": first, "rows": rows, "complete": complete}

    def person(self, asked: object, values: object) -> dict[str, Any]:
        """Return the outcomes of one person, given by values as in the data, at a setting."""
        with self._urgency.answering():
            return describe_person(self._compiled.of(self._setting(asked).scenario), values)

    def suggestions(self, asked: object) -> dict[str, Any]:
        """Return changes that make a setting meet the thresholds of the scenario; it waits for pending answers."""
        setting = self._setting(asked)
        study = self._compiled.of(setting.scenario)
        with self.outputs.under_way() as begin:

            def give_way(phase: str) -> Progress:
                report = begin(phase)

                def tell(done: int, total: int) -> None:
                    self._urgency.wait_until_quiet()
                    report(done, total)

                return tell

            return describe_suggestions(suggest(study, game=setting.game, progress=give_way))

    def save(self, asked: object, path: object, overwrite: object) -> dict[str, Any]:
        """Save a setting as a scenario file; as :meth:`Outputs.save` does."""
        setting = self._setting(asked)
        self._compiled.of(setting.scenario)  # a setting that cannot be answered is not saved
        return self.outputs.save(setting, path, overwrite)

    def write(self, asked: object, folder: object, overwrite: object) -> dict[str, Any]:
        """Write the release and the report of a setting that is saved; as :meth:`Outputs.write` does."""
        return self.outputs.write(self._setting(asked), folder, overwrite)

    def end(self) -> None:
        """Stop all computing and writing."""
        gc.unfreeze()
        self.outputs.end()
        if self._map is not None:
            self._map[2].stop()

    def _answer_to(self, setting: Setting) -> Comparison:
        """Return the answer to a setting; the last one is kept, since the page requests measures, then changes."""
        last = self._last
        if last is None or last[0] != setting.scenario:
            last = (setting.scenario, compare_compiled(self._compiled.of(setting.scenario)))
            self._last = last
        return last[1]

    def _setting(self, asked: object) -> Setting:
        return Setting.parse(asked, self.opened.scenario)


def _stretches_key(setting: Setting, stake: StakeName) -> tuple[object, ...]:
    """Return the key of the breakpoints along a stake: all of a setting except the value of that stake."""
    payoffs = setting.scenario.payoffs
    others = tuple(getattr(payoffs, name) for name in STAKES if name != stake)
    return stake, setting.game, others, payoffs.gain is None, compilation_key(setting.scenario)


FACTOR = 100.0
"""A slider covers the scenario's value divided by this to the value times this."""


def slider_ends(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """Return stake -> the ends of its slider, dollars."""
    payoffs = scenario.payoffs
    values = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
    values["gain"] = payoffs.loss if payoffs.gain is None else payoffs.gain
    return {
        name: (max(value / FACTOR, DOLLARS.least), min(value * FACTOR, DOLLARS.most)) for name, value in values.items()
    }
