"""The map over benefit and loss, computed row by row while the page shows what is there already."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Thread
from typing import Any

import numpy as np

from gamedeid.analysis.study_table import SweepBlock
from gamedeid.analysis.sweep import sweep_rows
from gamedeid.parallel import cores
from gamedeid.scenario.grid import Axis
from gamedeid.study.study import Study

POINTS = 25
"""Values of each stake, equal ratios apart; the one in the middle is the scenario's own."""

MEASURES = (
    "publisher_payoff",
    "attacked",
    "withheld",
    "generalization_intensity",
    "reidentification_probability",
    "expected_reidentifications",
)
"""Measures that the map can show."""


class StakeMap:
    """A map that is being computed in a thread of its own.

    Parameters
    ----------
    study : the question; its benefit and loss are varied, its other stakes stand still.
    benefit, loss : the ends of their sliders, both included, dollars.
    pause : called before each row: returns when nothing more urgent is to be done.
    """

    def __init__(
        self, study: Study, benefit: tuple[float, float], loss: tuple[float, float], pause: Callable[[], None]
    ) -> None:
        self.benefits, self.losses = _ratios(benefit), _ratios(loss)
        self._study = study
        self._pause = pause
        self._rows: list[dict[str, Any]] = []
        self._lock = Lock()
        self._stopped = False
        Thread(target=self._compute, name="gamedeid-explorer-map", daemon=True).start()

    def stop(self) -> None:
        """Compute no more rows than those under way."""
        self._stopped = True

    def rows(self, have: int) -> tuple[list[dict[str, Any]], bool]:
        """Return the rows computed after the first so many, and whether all are there.

        A row has its place among the losses, and for the policy and each game a list for each measure.
        """
        with self._lock:
            return self._rows[have:], len(self._rows) == len(self.losses)

    def _compute(self) -> None:
        places = _from_the_middle(len(self.losses))
        losses = tuple(self.losses[place] for place in places)
        axes = [Axis(name="loss", values=losses), Axis(name="benefit", values=self.benefits)]
        self._pause()
        with ThreadPoolExecutor(max(1, cores() // 2)) as pool:  # an answer that comes meanwhile finds a core
            for place, block in zip(places, sweep_rows(self._study, axes, pool), strict=True):
                with self._lock:
                    self._rows.append(_row(place, block))
                self._pause()
                if self._stopped:
                    return


def _ratios(ends: tuple[float, float]) -> tuple[float, ...]:
    """Return values between two, both included, rising."""
    return tuple(float(f"{value:.6g}") for value in np.geomspace(*ends, POINTS))


def _row(place: int, block: SweepBlock) -> dict[str, Any]:
    """Return a row of the map, the one with this place among the losses."""
    policies = list(dict.fromkeys(block.columns["policy"]))
    return {
        "row": place,
        "policies": {
            policy: {measure: block.columns[measure][which :: len(policies)] for measure in MEASURES}
            for which, policy in enumerate(policies)
        },
    }


def _from_the_middle(count: int) -> list[int]:
    """Return the numbers below ``count``, the middle one first and the ends last."""
    return sorted(range(count), key=lambda place: (abs(place - count // 2), place))
