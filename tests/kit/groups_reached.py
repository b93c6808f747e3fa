"""Compares the answers of the group games with the optimum on tiny worlds, where every mechanism can be tried.

``python tests/kit/groups_reached.py [WORLDS]`` solves WORLDS worlds of each kind of rule (default: 250) and prints
how often the optimum is reached, how often it is called optimal, and the largest gaps.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd
from aware_worlds import strategies_of
from group_worlds import KINDS, random_group_world, solved
from oracle_groups import GroupWorld, Mechanism, best_by_groups, faults, mean_payoff
from oracles import seen

SAME = 1e-6
"""Share of the benefit by which payoffs may differ: sums of logarithms round."""

CALLED_OPTIMAL = 1e-4
"""Share of the optimum by which an answer called optimal may fall short."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """An answer compared with the optimum, in dollars per person of the maximized sum, and per record.

    Parameters
    ----------
    asked, own : the world, and the mechanism found.
    best, reached : the greatest payoff of all permitted mechanisms, and of the one found.
    best_of_records, paid, found, bound : means over the records: the greatest, that of the mechanism found, and the
        answer's payoff and bound.
    optimal : whether the answer calls itself so.
    released : the released rows, (attributes, kept columns).
    """

    asked: GroupWorld
    own: Mechanism
    best: float
    reached: float
    best_of_records: float
    paid: float
    found: float
    bound: float
    optimal: bool
    released: pd.DataFrame

    @classmethod
    def of(cls, asked: GroupWorld) -> "Verdict":
        """Solve a world, and try all mechanisms."""
        solution = solved(asked)
        said = solution.mechanism
        own = strategies_of(said)
        best_of_records, _ = best_by_groups(asked, "records")
        planned = asked.planned_for
        return cls(
            asked=asked,
            own=own,
            best=best_of_records if planned == "records" else best_by_groups(asked, planned)[0],
            reached=mean_payoff(asked, own, planned),
            best_of_records=best_of_records,
            paid=mean_payoff(asked, own, "records"),
            found=said.facts.publisher_payoff,
            bound=said.facts.payoff_bound,
            optimal=said.facts.optimal,
            released=solution.release(keep_order=True),
        )

    @property
    def is_optimum(self) -> bool:
        """Whether no permitted mechanism pays more."""
        return self.reached >= self.best - self._tolerance

    def broken(self) -> Iterator[str]:
        """Yield the promises that the answer breaks."""
        yield from faults(self.asked, self.own)
        if abs(self.paid - self.found) > self._tolerance:
            yield f"it pays {self.paid}, and says {self.found}"
        if self.reached > self.best + self._tolerance:
            yield f"it pays {self.reached}, more than all that is permitted, {self.best}"
        if self.bound < self.best_of_records - self._tolerance:
            yield f"a mechanism pays {self.best_of_records}, more than the bound {self.bound}"
        if self.optimal and self.reached < self.best * (1 - CALLED_OPTIMAL) - self._tolerance:
            yield f"{self.reached} is called optimal, and {self.best} is"
        rows = self.released[[*self.asked.world.ladders, *self.asked.kept]].itertuples(index=False, name=None)
        if self._rows() != Counter(rows):
            yield "other rows are released than the mechanism says"

    @property
    def _tolerance(self) -> float:
        return SAME * self.asked.world.benefit

    def _rows(self) -> Counter[tuple[object, ...]]:
        """Count the rows that the mechanism releases: labels, and kept values as they are."""
        world = self.asked.world
        return Counter(
            (*seen(world, values, strategy), *(column[row] for column in self.asked.kept.values()))
            for row, values in enumerate(world.records)
            for strategy in [self.own[tuple(values.values())]]
            if strategy is not None
        )


def line(kind: str, verdicts: list[Verdict]) -> str:
    """Return the table's row of a kind of rule."""
    reached = sum(one.is_optimum for one in verdicts)
    optimal = sum(one.optimal for one in verdicts)
    gap = max(one.best - one.reached for one in verdicts)
    above = sum(one.bound - one.best_of_records for one in verdicts) / len(verdicts)
    return f"{kind:12}{len(verdicts):8}{reached:9}{optimal:16}{gap:13.2f}{above:18.2f}\n"


def main(worlds: int = 250) -> None:
    """Print how often the optimum is reached with each kind of rule; gaps are in dollars, the benefit is 100."""
    show = sys.stdout.write
    show(f"{'rules':12}{'worlds':>8}{'reached':>9}{'called optimal':>16}{'largest gap':>13}{'mean bound above':>18}\n")
    everything: list[Verdict] = []
    for kind in KINDS:
        verdicts = [Verdict.of(random_group_world(seed, kind)) for seed in range(worlds)]
        for seed, verdict in enumerate(verdicts):
            for broken in verdict.broken():
                show(f"BROKEN: {kind} {seed}: {broken}\n")
        show(line(kind, verdicts))
        everything += verdicts
    show(line("all", everything))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
