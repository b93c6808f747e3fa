"""The map over benefit and loss, computed row by row while the page shows the finished rows."""

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
"""Number of values of each stake, in equal ratios; the middle one is the scenario's own."""

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
    """A map that is computed in a separate thread.

    Parameters
    ----------
    study : the question; its benefit and loss are varied, its other stakes are fixed.
    benefit, loss : the ends of their sliders, both included, dollars.
    pause : function called before each row; it returns when there is no more urgent work.
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
        """Stop after the rows that are being computed."""
        self._stopped = True

    def rows(self, have: int) -> tuple[list[dict[str, Any]], bool]:
        """Return the rows computed after the first ``have``, and whether the map is complete.

        A row has its position among the losses, and for the policy and each game a list for each measure.
        """
        with self._lock:
            return self._rows[have:], len(self._rows) == len(self.losses)

    def _compute(self) -> None:
        places = _from_the_middle(len(self.losses))
        losses = tuple(self.losses[place] for place in places)
        axes = [Axis(name="loss", values=losses), Axis(name="benefit", values=self.benefits)]
        self._pause()
        with ThreadPoolExecutor(max(1, cores() // 2)) as pool:  # leaves cores free for answers in the meantime
            for place, block in zip(places, sweep_rows(self._study, axes, pool), strict=True):
                with self._lock:
                    self._rows.append(_row(place, block))
                self._pause()
                if self._stopped:
                    return


def _ratios(ends: tuple[float, float]) -> tuple[float, ...]:
    """Return ``POINTS`` rising values between two ends, both included."""
    return tuple(float(f"{value:.6g}") for value in np.geomspace(*ends, POINTS))


def _row(place: int, block: SweepBlock) -> dict[str, Any]:
    """Return the row of the map at this position among the losses."""
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
