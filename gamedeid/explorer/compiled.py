"""Cache of compiled studies; background work waits while a request is answered."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from time import monotonic
from typing import TypeAlias

from gamedeid.choices import GAMES
from gamedeid.errors import GamedeidError
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

QUIET_SECONDS = 0.3
"""Seconds without a pending answer after which other work continues: a moving slider sends requests quickly."""


class SupersededError(GamedeidError):
    """The setting of a request is no longer shown; the page sends another request for the current one."""


class Urgency:
    """The number of pending answers, and the time of the last one."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._answers = 0
        self._last = monotonic() - QUIET_SECONDS

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Make other work wait while the block runs, and for ``QUIET_SECONDS`` after it."""
        with self._changed:
            self._answers += 1
        try:
            yield
        finally:
            with self._changed:
                self._answers -= 1
                self._last = monotonic()
                self._changed.notify_all()

    def wait_until_quiet(self) -> None:
        """Wait until no answer has been pending for ``QUIET_SECONDS``."""
        with self._changed:
            while self._answers or monotonic() - self._last < QUIET_SECONDS:
                self._changed.wait(None if self._answers else QUIET_SECONDS)


MOST_KEPT = 4
"""Combinations of weights and policy whose frontiers are kept, so that a return to one takes no time."""


Key: TypeAlias = tuple[tuple[float, ...], str]
"""Weights and policy: frontiers depend on these, not on the stakes."""


class CompiledStudies:
    """A cache of the last ``MOST_KEPT`` studies with compiled frontiers."""

    def __init__(self, opened: Study) -> None:
        self._opened = opened
        self._studies: OrderedDict[Key, Study] = OrderedDict()
        self._compiling = Lock()

    def of(self, scenario: Scenario) -> Study:
        """Return the study of a scenario with other stakes, weights or policy.

        If weights or policy are new, frontiers are compiled, which takes a second or two.

        Raises
        ------
        GamedeidError : the scenario cannot be answered.
        """
        key = compilation_key(scenario)
        with self._compiling:
            known = self._studies.get(key)
            if known is None:
                known = self._nearest(scenario).with_scenario(scenario)
            known.scenario_policy  # noqa: B018  (computed when first asked for)
            for game in GAMES:
                known.frontier(game)
            self._studies[key] = known
            self._studies.move_to_end(key)
            if len(self._studies) > MOST_KEPT:
                self._studies.popitem(last=False)
        return known.with_scenario(scenario)

    def _nearest(self, scenario: Scenario) -> Study:
        """Return a study with the same weights if there is one: it is the fastest to change."""
        weights = _weights(scenario)
        same = [study for study in self._studies.values() if _weights(study.scenario) == weights]
        return same[-1] if same else self._opened


def compilation_key(scenario: Scenario) -> Key:
    """Return the key of the frontiers of a scenario."""
    return _weights(scenario), scenario.floor


def _weights(scenario: Scenario) -> tuple[float, ...]:
    return tuple(attribute.weight for attribute in scenario.attributes.values())
