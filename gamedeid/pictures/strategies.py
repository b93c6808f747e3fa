"""The strategies of one record, and pictures of both players' payoffs: in walk order, and as a lattice."""

from dataclasses import replace
from typing import Any

import numpy as np

from gamedeid.amounts import dollars, number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.catalogue import sentences
from gamedeid.choices import GameName, PictureKind
from gamedeid.errors import InvalidScenarioError
from gamedeid.pictures.picture import Layer, Line, MarkedPlace, Panel, Picture, Points
from gamedeid.pictures.scales import Scale, colour_scale, padded_scale
from gamedeid.pictures.styles import ATTACKED, CHOSEN, CONNECTION, FORBIDDEN, NOT_ATTACKED, POLICY, Style
from gamedeid.pictures.words import capitalized, policy_name, policy_words
from gamedeid.reprs import frozen
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

MOST_STRATEGIES = 5_000
"""Most strategies in one picture."""

_TABLE = 60


@frozen(eq=False)
class RecordStrategies:
    """The strategies open to one record, in walk order.

    Parameters
    ----------
    study : the study of that record alone.
    nodes, levels : (n,) nodes and (n, a) levels of the strategies.
    people : (n,) numbers of matching people.
    attacked : (n,) whether the adversary attacks.
    permitted : (n,) whether the game permits it.
    publisher, adversary : (n,) payoffs of the players, dollars.
    chosen : position of the strategy that the game chooses; None if the record is withheld.
    policy : position of the policy's strategy; None if it is not open to the record.
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
    policy: int | None

    @classmethod
    def of(cls, study: Study, game: GameName) -> "RecordStrategies":
        """Evaluate every strategy of a record.

        Raises
        ------
        InvalidScenarioError : there are more than ``MOST_STRATEGIES`` strategies.
        """
        instance, lattice = study.instance, study.instance.lattice
        if lattice.size > MOST_STRATEGIES:
            raise InvalidScenarioError(
                f"{lattice.size:,} strategies are too many for a picture (at most {MOST_STRATEGIES:,}); use fewer "
                "attributes or levels"
            )
        rules = study.game(game)
        nodes = lattice.walk_order()
        nodes = nodes[(lattice.levels(nodes) >= instance.base[0]).all(axis=1)]
        alone = np.zeros(len(nodes), np.int64)
        replies = instance.replies(alone, nodes)
        found = int(solve(study, game=game, solver="exact").choice.nodes[0])
        return cls(
            study=study,
            game=game,
            nodes=nodes,
            levels=lattice.levels(nodes)[:, : len(instance.hierarchies)],
            people=instance.people(alone, nodes),
            attacked=replies.attacked,
            permitted=rules.permits(instance, alone, nodes, replies.deterrable),
            publisher=instance.publisher_payoffs(alone, nodes, replies),
            adversary=replies.adversary_payoff,
            chosen=_place_of(nodes, found),
            policy=_place_of(nodes, int(lattice.nodes(study.scenario_policy.levels)[0])),
        )

    def released(self, place: int) -> str:
        """Return the published labels of the record under a strategy."""
        codes = self.study.instance.profiles.codes[0]
        shown = zip(self.study.instance.hierarchies.items(), self.levels[place], codes, strict=False)
        return ", ".join(
            f"{name} {'*' if level == hierarchy.levels - 1 else hierarchy.label(int(level), int(code))}"
            for (name, hierarchy), level, code in shown
        )

    def hover_text(self, place: int) -> str:
        """Return the hover text of a strategy: labels, reply and payoffs."""
        reply = "attacked" if self.attacked[place] else "not attacked"
        people = number_of(int(self.people[place]), "person")
        roles = [words for words, at in (("chosen", self.chosen), (self.policy_name, self.policy)) if at == place]
        return (
            f"{self.name(place)} {self.released(place)}{''.join(f', {role}' for role in roles)}\n"
            f"{people} {'matches' if self.people[place] == 1 else 'match'}: {reply}\n"
            f"publisher {dollars(float(self.publisher[place]))}, adversary {dollars(float(self.adversary[place]))}"
            + ("" if self.permitted[place] else "\nnot permitted")
        )

    def name(self, place: int) -> str:
        """Return the levels of a strategy."""
        return f"({', '.join(map(str, self.levels[place].tolist()))})"

    @property
    def policy_name(self) -> str:
        """The name of the policy."""
        return policy_name(self.study.scenario_policy.name)

    @property
    def marked(self) -> list[tuple[str, Style, int]]:
        """The marked strategies: name, style and position of the policy's, and of the chosen one."""
        places = ((self.policy_name, POLICY, self.policy), ("chosen", CHOSEN, self.chosen))
        return [(f"{name} {self.name(place)}", style, place) for name, style, place in places if place is not None]

    def picture(
        self, kind: PictureKind, *, what: str, how: str, panels: tuple[Panel, ...], panel_height: int = 280
    ) -> Picture:
        """Return a picture with its words: ``what`` is for the title, ``how`` continues the caption."""
        strategies = number_of(len(self.nodes), "strategy")
        return Picture(
            kind=kind,
            title=f"{what} of a record: {self.game} game",
            caption=f"The {strategies} of the record {self.released(0)}, {how}{self._left_out}",
            finding=self._finding,
            table=self._table,
            of_a_record=("released",),
            panels=panels,
            panel_height=panel_height,
            zooms=True,
        )

    @property
    def _finding(self) -> str:
        """The effect of the game on the record, and the payoffs of the policy and of the least generalized strategy."""
        facts = {
            "attacked": int(self.attacked.sum()),
            "strategies": len(self.nodes),
            "game": self.game,
            "permitted": int(self.permitted.sum()) or None,
            "chosen": self._facts(self.chosen),
            "reply": "attacks" if self.chosen is not None and self.attacked[self.chosen] else "does not attack",
            "policy": self._facts(self.policy),
            "the_policy": capitalized(policy_words(self.study.scenario_policy.name)),
            "first": self._facts(0),
        }
        return " ".join(sentences("pictures.strategies", facts))

    def _facts(self, place: int | None) -> dict[str, Any] | None:
        """Return the fields of a strategy in the sentences; None for no strategy."""
        if place is None:
            return None
        payoffs = {"publisher": float(self.publisher[place]), "adversary": float(self.adversary[place])}
        return {"released": self.released(place), "levels": self.name(place), **payoffs}

    @property
    def _table(self) -> dict[str, list[object]]:
        """Both payoffs of the strategies: permitted ones first, by decreasing publisher's payoff."""
        order: list[int] = np.lexsort((np.arange(len(self.nodes)), -self.publisher, ~self.permitted)).tolist()
        must = {place for place in (self.policy, self.chosen) if place is not None}
        others = [place for place in order if place not in must]
        shown = {*others[: _TABLE - len(must)], *must}
        places = [place for place in order if place in shown]
        return {
            "levels": [self.name(place) for place in places],
            "released": [self.released(place) for place in places],
            "people": [int(self.people[place]) for place in places],
            "attacked": ["yes" if self.attacked[place] else "no" for place in places],
            "permitted": ["yes" if self.permitted[place] else "no" for place in places],
            "chosen": ["yes" if place == self.chosen else "no" for place in places],
            self.policy_name: ["yes" if place == self.policy else "no" for place in places],
            "publisher's payoff (dollars)": [float(self.publisher[place]) for place in places],
            "adversary's payoff (dollars)": [float(self.adversary[place]) for place in places],
        }

    @property
    def _left_out(self) -> str:
        """A sentence about the order of the table, and the strategies that it leaves out."""
        order = "permitted ones first, and of those the ones that pay the publisher most"
        if len(self.nodes) <= _TABLE:
            return f" The table lists them {order}."
        return f" The table lists {_TABLE} of them, {order}; the marked strategies are always among them."


def _place_of(nodes: IntArray, node: int) -> int | None:
    found = np.flatnonzero(nodes == node)
    return int(found[0]) if len(found) else None


def strategies_picture(study: Study, game: GameName) -> Picture:
    """Draw both players' payoffs over all strategies of a record, in walk order; errors as in `RecordStrategies`."""
    strategies = RecordStrategies.of(study, game)
    attacked = strategies.attacked
    players = [("publisher", strategies.publisher, np.ones_like(attacked), "")]
    if attacked.any():  # else there is nothing to show
        of = f" from the {attacked.sum():,} that are attacked"
        players.append(("adversary", strategies.adversary, attacked, of))
    return strategies.picture(
        "strategies",
        what="Payoffs across the strategies",
        how="by the sum of their levels and then lexicographically, with the publisher's payoff"
        + (" above and the adversary's below, of those that are attacked," if strategies.attacked.any() else "")
        + " in dollars; the marked ones are named by their levels."
        + ("" if strategies.attacked.any() else " The adversary attacks none of them."),
        panels=tuple(
            Panel(
                title=f"{capitalized(player)}'s payoff{of}",
                x=_walk(strategies, shown),
                y=padded_scale(payoffs.tolist(), f"{player}'s payoff (dollars)", "dollars"),
                layers=tuple(_layers(strategies, payoffs, shown)),
            )
            for player, payoffs, shown, of in players
        ),
    )


def _walk(strategies: RecordStrategies, shown: BoolArray) -> Scale:
    """Return the axis of the strategies from the first to the last that is shown or marked."""
    places = [*np.flatnonzero(shown).tolist(), *(place for _, _, place in strategies.marked)]
    scale = padded_scale([1 + min(places), 1 + max(places)], "strategy, in walk order: the most specific first")
    return replace(scale, whole=True)


def _layers(strategies: RecordStrategies, payoffs: FloatArray, shown: BoolArray) -> list[Layer]:
    layers: list[Layer] = []
    for name, style, these in _kinds(strategies):
        places = (these & shown).nonzero()[0].tolist()
        if places:
            layers.append(
                Points(
                    name=name,
                    style=style,
                    x=[place + 1 for place in places],
                    y=payoffs[places].tolist(),
                    size=6,
                    hover=[strategies.hover_text(place) for place in places],
                )
            )
    for name, style, place in strategies.marked:
        layers.append(MarkedPlace(name=name, style=style, x=float(place + 1), y=float(payoffs[place])))
    return layers


def _kinds(strategies: RecordStrategies) -> list[tuple[str, Style, BoolArray]]:
    """Return the kinds of strategies by permission and reply: words, style, and which strategies (n,)."""
    permitted, attacked = strategies.permitted, strategies.attacked
    return [
        ("not permitted", FORBIDDEN, ~permitted),
        ("attacked", ATTACKED, permitted & attacked),
        ("not attacked", NOT_ATTACKED, permitted & ~attacked),
    ]


FEW_STRATEGIES = 36
"""Most strategies in a picture with levels and payoffs next to each."""

_ACROSS = 400
"""Pixels of a row of strategies, less the space between them."""

_Places = tuple[FloatArray, FloatArray]


def lattice_picture(study: Study, game: GameName) -> Picture:
    """Draw the lattice of a record: payoffs, replies, permitted and chosen nodes; errors as in `RecordStrategies`."""
    strategies = RecordStrategies.of(study, game)
    at = _places(strategies)
    few = len(strategies.nodes) <= FEW_STRATEGIES
    panels = [_panel("Strategies, with both payoffs", strategies, at, None)]
    how = "next to each are its levels, the publisher's payoff and the adversary's payoff"
    if not few:
        players = (("Publisher", strategies.publisher), ("Adversary", strategies.adversary))
        panels = [_panel(f"{player}'s payoff", strategies, at, payoffs) for player, payoffs in players]
        how = "colours show the publisher's payoff (above) and the adversary's (below)"
    return strategies.picture(
        "lattice",
        what="The strategies",
        how=f"the most specific at the top, with a line to each that generalizes one attribute by one level; {how}, in "
        "dollars.",
        panels=tuple(panels),
        panel_height=110 + (85 if few else 27) * (1 + int(np.ptp(strategies.levels.sum(axis=1)))),
    )


def _panel(title: str, strategies: RecordStrategies, at: _Places, payoffs: FloatArray | None) -> Panel:
    x, y = at
    layers: list[Layer] = [_edges(strategies, at)]
    layers += [
        Points(name=name, style=style, x=[float(x[place])], y=[float(y[place])], size=21.0)
        for name, style, place in strategies.marked
    ]
    permitted = strategies.permitted
    shown = None if payoffs is None or not permitted.any() else payoffs[permitted]
    for name, style, these in _kinds(strategies):
        places = these.nonzero()[0].tolist()
        if not places:
            continue
        layers.append(
            Points(
                name=name,
                style=style,
                x=x[places].tolist(),
                y=y[places].tolist(),
                size=_size(x),
                hover=[strategies.hover_text(place) for place in places],
                text=[] if payoffs is not None else [_written(strategies, place) for place in places],
                values=() if payoffs is None or not permitted[places[0]] else payoffs[places].tolist(),
            )
        )
    return Panel(
        title=title,
        x=Scale(label="", shown=False, limits=(float(x.min()) - 0.7, float(x.max()) + 0.7)),
        y=Scale(label="sum of levels", whole=True, limits=(float(y.max()) + 0.6, float(y.min()) - 0.6)),
        layers=tuple(layers),
        colours=None
        if shown is None
        else colour_scale((float(shown.min()), float(shown.max())), f"{title} (dollars)".lower(), "dollars"),
    )


def _size(x: FloatArray) -> float:
    """Return the diameter of points that do not overlap in the widest row."""
    return float(np.clip(_ACROSS / (np.ptp(x) + 1), 2.0, 11.0))


def _written(strategies: RecordStrategies, place: int) -> str:
    payoffs = (float(strategies.publisher[place]), float(strategies.adversary[place]))
    return "\n".join([strategies.name(place), *map(dollars, payoffs)])


def _places(strategies: RecordStrategies) -> _Places:
    """Return the positions of strategies, (n,) each: those with one sum of levels in a row, in walk order."""
    ranks = strategies.levels.sum(axis=1)
    _, first, counts = np.unique(ranks, return_index=True, return_counts=True)
    middle = np.repeat(first + (counts - 1) / 2, counts)
    return np.arange(len(ranks)) - middle, ranks.astype(float)


def _edges(strategies: RecordStrategies, at: _Places) -> Line:
    place_of = {int(node): place for place, node in enumerate(strategies.nodes)}
    points: list[tuple[float | None, float | None]] = []
    for node, place in place_of.items():
        for child in strategies.study.instance.lattice.children(node):
            points += [*((float(at[0][end]), float(at[1][end])) for end in (place, place_of[child])), (None, None)]
    return Line(name="", style=CONNECTION, x=[x for x, _ in points], y=[y for _, y in points])
