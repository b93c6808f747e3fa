"""What each strategy of a record would bring both players, one after the other (wan2015, Figure 5)."""

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, FloatArray
from gamedeid.choices import GameName
from gamedeid.pictures.picture import Layer, Mark, Panel, Picture, Points
from gamedeid.pictures.record_strategies import RecordStrategies
from gamedeid.pictures.scales import roomy
from gamedeid.pictures.styles import ATTACKED, FORBIDDEN, SPARED, Style
from gamedeid.pictures.words import capital
from gamedeid.study.study import Study


def strategies_picture(study: Study, game: GameName = "basic") -> Picture:
    """Draw both players' payoffs over all strategies of a record, in walk order.

    Parameters
    ----------
    study : of that record alone.
    game : what the publisher may do.

    Returns
    -------
    the picture; :func:`gamedeid.pictures.save_picture` writes it.

    Raises
    ------
    InvalidScenarioError : the study has more than one profile, too many strategies, or there is no such game.
    """
    strategies = RecordStrategies.of(study, game)
    panels = tuple(
        Panel(
            title=f"{capital(player)}'s payoff",
            x=roomy([1, len(strategies.nodes)], "strategy, in walk order: the most specific first"),
            y=roomy(payoffs.tolist(), f"{player}'s payoff (dollars)", "dollars"),
            layers=tuple(_layers(strategies, payoffs)),
        )
        for player, payoffs in (("publisher", strategies.publisher), ("adversary", strategies.adversary))
    )
    return Picture(
        kind="strategies",
        title=f"Payoffs across the strategies of a record: {game} game",
        caption=(
            f"The {number_of(len(strategies.nodes), 'strategy')} of the record {strategies.record}, by the sum of "
            "their levels and then lexicographically, with the publisher's payoff above and the adversary's below in "
            "dollars; the marked ones are named by their levels." + strategies.left_out
        ),
        finding=strategies.finding,
        table=strategies.table,
        of_a_record=("released",),
        panels=panels,
        zooms=True,
    )


def _layers(strategies: RecordStrategies, payoffs: FloatArray) -> list[Layer]:
    layers: list[Layer] = []
    for name, style, these in kinds(strategies):
        places = these.nonzero()[0].tolist()
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
        layers.append(Mark(name=name, style=style, x=float(place + 1), y=float(payoffs[place])))
    return layers


def kinds(strategies: RecordStrategies) -> list[tuple[str, Style, BoolArray]]:
    """Return what the adversary does and the game permits: words, style, and which strategies (n,)."""
    permitted, attacked = strategies.permitted, strategies.attacked
    return [
        ("not permitted", FORBIDDEN, ~permitted),
        ("attacked", ATTACKED, permitted & attacked),
        ("not attacked", SPARED, permitted & ~attacked),
    ]
