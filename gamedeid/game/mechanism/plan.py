"""What a game of the whole population ends with: a strategy for everybody, what it pays, and what none can exceed."""

from collections.abc import Mapping
from typing import Any

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.choices import AwareGameName, BoundName, PlannedFor
from gamedeid.game.groups.search import is_optimal
from gamedeid.game.mechanism.everybody import Everybody
from gamedeid.reprs import frozen


@frozen(eq=False)
class Plan:
    """A strategy for every profile of the population and of the records.

    Parameters
    ----------
    game : in which.
    everybody : who has a strategy.
    nodes : (p,) int64, the strategy of each; ``WITHHELD`` where there is none.
    planned_for : whose mean payoff was made large, the "population" or the "records".
    found, bound : mean payoff over the records against a recipient who knows the strategies, dollars: of these
        strategies, and what no others can exceed.
    bound_by : what proved the bound: "naive game", "prices" or "integer program".
    bounds : (q,) dollars that each profile of the records cannot exceed.
    facts : how it was found and what is particular to the game, as ``mechanism`` of ``summary.json``.
    """

    game: AwareGameName
    everybody: Everybody
    nodes: IntArray
    planned_for: PlannedFor
    found: float
    bound: float
    bound_by: BoundName
    bounds: FloatArray
    facts: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return what is known of it, as ``mechanism`` of ``summary.json``; payoffs are dollars per record."""
        return {
            "planned_for": self.planned_for,
            **self.facts,
            "publisher_payoff": self.found,
            "payoff_bound": self.bound,
            "bound_by": self.bound_by,
            "optimal": self.optimal,
        }

    @property
    def gap(self) -> float:
        """Dollars per record by which other strategies may pay more, at most."""
        return max(self.bound - self.found, 0.0)

    @property
    def optimal(self) -> bool:
        """Whether no strategies pay the records more, but for a ten-thousandth of the bound."""
        return is_optimal(self.found, self.bound)

    @property
    def nodes_of_records(self) -> IntArray:
        """The strategy of each profile of the records, (q,) int64."""
        return self.nodes[self.everybody.of_record_profile]
