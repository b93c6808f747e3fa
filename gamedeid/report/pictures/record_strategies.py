"""Every strategy of one record, and what it would bring both players."""

import numpy as np

from gamedeid.amounts import dollars, number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.choices import GameName
from gamedeid.errors import InvalidScenarioError
from gamedeid.kernels.tables import WITHHELD
from gamedeid.reprs import frozen
from gamedeid.study.solution import solve_study
from gamedeid.study.study import Study

MOST_STRATEGIES = 5_000
"""Strategies that one picture can show."""

_TABLE = 60


@frozen(eq=False)
class RecordStrategies:
    """The strategies open to one record, in walk order.

    Parameters
    ----------
    study : of that record alone.
    game : what the publisher may do.
    nodes, levels : (n,) and (n, a).
    people : (n,) who match.
    attacked : (n,) the adversary's reply.
    permitted : (n,) by the game.
    publisher, adversary : (n,) payoffs, dollars.
    chosen : place of the strategy that the game chooses; None if the record is withheld.
    """

    study: Study
    game: GameName
    nodes: IntArray
    levels: IntArray
    people: IntArray
    attacked: BoolArray
    permitted: BoolArray
    publisher: FloatArray
    adversary: FloatArray
    chosen: int | None

    @classmethod
    def of(cls, study: Study, game: GameName) -> "RecordStrategies":
        """Evaluate every strategy of a record.

        Raises
        ------
        InvalidScenarioError : the study has more than one profile, more than ``MOST_STRATEGIES`` strategies, or there
            is no such game.
        """
        instance, lattice = study.instance, study.instance.lattice
        if instance.profiles.count != 1:
            profiles = number_of(instance.profiles.count, "profile")
            raise InvalidScenarioError(f"this picture is of one record, not of {profiles}; choose a record")
        if lattice.size > MOST_STRATEGIES:
            raise InvalidScenarioError(
                f"{lattice.size:,} strategies are too many for a picture (at most {MOST_STRATEGIES:,}); use fewer "
                "attributes or levels"
            )
        rules = study.game(game)
        nodes = lattice.walk_order()
        nodes = nodes[(lattice.levels(nodes) >= instance.base[0]).all(axis=1)]
        alone = np.zeros(len(nodes), np.int64)
        people = instance.people(alone, nodes)
        attacked = instance.payoffs.attacked(people)
        found = int(solve_study(study, game, "exact").choice.nodes[0])
        return cls(
            study=study,
            game=game,
            nodes=nodes,
            levels=lattice.levels(nodes),
            people=people,
            attacked=attacked,
            permitted=rules.permits(instance, alone, nodes, attacked),
            publisher=instance.payoffs.publisher(instance.values(alone, nodes), people),
            adversary=instance.payoffs.adversary(people),
            chosen=None if found == WITHHELD else int(np.flatnonzero(nodes == found)[0]),
        )

    def released(self, place: int) -> str:
        """Return the record as it would be published at a strategy."""
        codes = self.study.instance.profiles.codes[0]
        shown = zip(self.study.instance.hierarchies.items(), self.levels[place], codes, strict=True)
        return ", ".join(
            f"{name} {'*' if level == ladder.levels - 1 else ladder.label(int(level), int(code))}"
            for (name, ladder), level, code in shown
        )

    def hover_text(self, place: int) -> str:
        """Return a strategy with its payoffs in a few lines."""
        reply = "attacked" if self.attacked[place] else "not attacked"
        people = number_of(int(self.people[place]), "person")
        return (
            f"{self.name(place)} {self.released(place)}\n"
            f"{people} {'matches' if self.people[place] == 1 else 'match'}: {reply}\n"
            f"publisher {dollars(float(self.publisher[place]))}, adversary {dollars(float(self.adversary[place]))}"
            + ("" if self.permitted[place] else "\nnot permitted")
        )

    def name(self, place: int) -> str:
        """Return the levels of a strategy."""
        return f"({', '.join(map(str, self.levels[place].tolist()))})"

    @property
    def record(self) -> str:
        """The record in its most specific form."""
        return self.released(0)

    @property
    def finding(self) -> str:
        """What the game does to the record, and what it would have brought unmodified."""
        attacked, permitted = int(self.attacked.sum()), int(self.permitted.sum())
        text = (
            f"The adversary attacks at {attacked:,} of {number_of(len(self.nodes), 'strategy')}; the {self.game} "
            f"game permits {f'{permitted:,}' if permitted else 'none'}"
        )
        if self.chosen is None:
            why = ". Each of those would cost the publisher more than it is worth" if self.permitted.any() else ""
            text += f"{why}, so that the record is withheld."
        else:
            text += (
                f". It releases {self.released(self.chosen)}, levels {self.name(self.chosen)}, which pays the "
                f"publisher {dollars(float(self.publisher[self.chosen]))} and the adversary "
                f"{dollars(float(self.adversary[self.chosen]))}; she {self._reply(self.chosen)}."
            )
        return text + (
            f" As it is, the record would pay them {dollars(float(self.publisher[0]))} and "
            f"{dollars(float(self.adversary[0]))}."
        )

    def _reply(self, place: int) -> str:
        return "attacks" if self.attacked[place] else "does not attack"

    @property
    def listed(self) -> list[int]:
        """Places of the strategies that a table lists: those that pay the publisher most, in walk order."""
        order = np.lexsort((np.arange(len(self.nodes)), -self.publisher, ~self.permitted))
        return sorted(order[:_TABLE].tolist())

    @property
    def table(self) -> dict[str, list[object]]:
        """The listed strategies with both payoffs."""
        places = self.listed
        return {
            "levels": [self.name(place) for place in places],
            "released": [self.released(place) for place in places],
            "people": [int(self.people[place]) for place in places],
            "attacked": ["yes" if self.attacked[place] else "no" for place in places],
            "permitted": ["yes" if self.permitted[place] else "no" for place in places],
            "chosen": ["yes" if place == self.chosen else "no" for place in places],
            "publisher's payoff (dollars)": [float(self.publisher[place]) for place in places],
            "adversary's payoff (dollars)": [float(self.adversary[place]) for place in places],
        }

    @property
    def left_out(self) -> str:
        """A sentence about the strategies that the table leaves out."""
        if len(self.nodes) <= _TABLE:
            return ""
        return (
            f" The table lists the {_TABLE} permitted strategies that pay the publisher most, or as many as there are."
        )
