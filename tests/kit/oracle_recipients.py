"""What should come out with several recipients: each looks people up one by one, on every list she may hold."""

from dataclasses import dataclass, field, replace
from itertools import product
from math import comb

from hypothesis import strategies as st
from oracles import (
    SAME,
    Game,
    Strategy,
    Values,
    World,
    information_loss,
    label,
    seen,
    start,
    strategy_graph,
    walk_order,
)

from gamedeid.scenario.recipients import Recipient


@dataclass(frozen=True, slots=True, kw_only=True)
class Looker:
    """One recipient: what she knows of people, how likely she comes to be, and what she plays for."""

    probability: float
    gain: float
    cost: float
    loss: float
    covers: float
    known: dict[str, int]  # attribute -> level at which her list has it; absent: not at all
    further: dict[str, int] = field(default_factory=dict)  # what she may learn besides
    learns: float = 0.0
    price: float = 0.0  # of trying to learn it; she then decides whether to
    people: list[tuple[Values, int]] | None = None  # whom she can look up, where not the world's
    unmatched: str = "safe"  # what a record counts as that matches none of her own

    def minds(self) -> list[tuple[float, dict[str, int]]]:
        """Return what she may know when she decides, and how likely."""
        more = dict(self.known)
        for attribute, level in self.further.items():
            more[attribute] = min(level, more.get(attribute, level))
        return [(1 - self.learns, self.known), (self.learns, more)] if self.learns else [(1.0, self.known)]

    @property
    def section(self) -> Recipient:
        """Return her as a scenario has her."""
        content = {"probability": self.probability, "gain": self.gain, "cost": self.cost, "loss": self.loss}
        knows = [attribute for attribute, level in self.known.items() if level == 0]
        levels = {attribute: level for attribute, level in self.known.items() if level > 0}
        content |= {"covers": self.covers, "knows": knows, "levels": levels}
        if self.people is not None:
            content["population"] = {"path": "her-own.csv", "unmatched": self.unmatched}
        if self.learns:
            content["learns"] = {"levels": self.further, "probability": self.learns}
            if self.price:
                content["learns"]["price"] = self.price
        return Recipient.model_validate(content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What becomes of one record."""

    strategy: Strategy | None
    attacked: bool
    reidentifications: float
    publisher_payoff: float
    adversary_payoff: float


def could_be(world: World, person: Values, released: list[str | None], known: dict[str, int]) -> bool:
    """Tell whether a line of a list could be of the person released: some value has both labels, in each attribute."""
    for (attribute, rows), shown in zip(world.ladders.items(), released, strict=True):
        if shown == rows[0][-1] and all(row[-1] == shown for row in rows):
            continue  # nothing is released
        if attribute not in known or known[attribute] == len(rows[0]) - 1:
            continue  # nothing is known
        if person[attribute] is None:
            return False
        listed = label(rows, person[attribute], known[attribute])
        if not any(listed == row[known[attribute]] and shown in row for row in rows):
            return False
    return True


def matching(world: World, looker: Looker, record: int, strategy: Strategy, known: dict[str, int]) -> int:
    """Count the people who could be the released record, as far as somebody knows them."""
    population, unmatched = looker.people, looker.unmatched
    if population is None:
        population = [(values, 1) for values in world.records] if world.population is None else world.population
        unmatched = world.unmatched
    released = seen(world, world.records[record], strategy)
    found = sum(times for person, times in population if could_be(world, person, released, known))
    return 1 if found == 0 and unmatched == "unique" else found


def attack(looker: Looker, people: int) -> tuple[bool, float, float]:
    """Return whether she attacks so many people, the chance of success, and what she gets, over all lists of hers."""
    if people == 0 or not looker.gain > looker.cost * people:
        return False, 0.0, 0.0
    success = payoff = 0.0
    for on_list in range(1, people + 1):
        held = comb(people, on_list) * looker.covers**on_list * (1 - looker.covers) ** (people - on_list)
        right = on_list / people * (1 / on_list)  # the person is on the list, and is the one she picks of it
        success += held * right
        payoff += held * (looker.gain * right - looker.cost)
    return True, success, payoff


def play(world: World, looker: Looker, record: int, strategy: Strategy) -> list[tuple[float, bool, float, float]]:
    """Return the ends of her game that may come to be: how likely, whether she attacks, with what success and payoff.

    Whoever may learn at a price decides first whether to pay it, by what all ends are worth that may follow.
    """
    ends = [
        (chance, *attack(looker, matching(world, looker, record, strategy, known))) for chance, known in looker.minds()
    ]
    if not looker.price or not looker.learns:
        return ends
    at_home = attack(looker, matching(world, looker, record, strategy, looker.known))
    paid = [(chance, does, success, payoff - looker.price) for chance, does, success, payoff in ends]
    expected = sum(chance * payoff for chance, _, _, payoff in paid)
    return paid if expected > at_home[2] + SAME * max(looker.price, abs(at_home[2])) else [(1.0, *at_home)]


def fate_at(world: World, lookers: list[Looker], record: int, strategy: Strategy) -> tuple[Fate, bool]:
    """Return what becomes of a record at a strategy, and whether somebody attacks whom a cost deters."""
    attacked = deterrable = False
    right = loss = payoff = 0.0
    for looker in lookers:
        for chance, does, success, paid in play(world, looker, record, strategy):
            comes = looker.probability * chance
            if not comes:
                continue
            attacked |= does
            deterrable |= does and looker.cost > 0
            right += comes * success
            loss += comes * success * looker.loss
            payoff += comes * paid
    value = world.benefit * (1 - information_loss(world, record, strategy))
    fate = Fate(
        strategy=strategy,
        attacked=attacked,
        reidentifications=right,
        publisher_payoff=value - loss,
        adversary_payoff=payoff,
    )
    return fate, deterrable


def permitted_fates(world: World, lookers: list[Looker], record: int, game: Game) -> list[Fate]:
    """Return what becomes of a record at every permitted strategy, in walk order."""
    least = start(world, record, game)
    tried = [s for s in walk_order(strategy_graph(world.heights)) if all(a >= b for a, b in zip(s, least, strict=True))]
    found = [fate_at(world, lookers, record, strategy) for strategy in tried]
    return [fate for fate, deterrable in found if game != "no-attack" or not deterrable]


def best_fate(world: World, lookers: list[Looker], record: int, game: Game) -> Fate:
    """Return the best of all permitted strategies, the first of equals; or what becomes of a withheld record."""
    fates = permitted_fates(world, lookers, record, game)
    best = max((fate.publisher_payoff for fate in fates), default=-1.0)
    tie = SAME * world.benefit
    if not fates or best <= -tie:
        return Fate(strategy=None, attacked=False, reidentifications=0.0, publisher_payoff=0.0, adversary_payoff=0.0)
    return next(fate for fate in fates if fate.publisher_payoff > best - tie)


@st.composite
def lookers_of(draw: st.DrawFn, world: World, *, most: int = 3) -> list[Looker]:
    """Draw one to three recipients, the first of whom may come to be; what each knows is drawn by attribute."""
    lookers = [draw(_looker(world)) for _ in range(draw(st.integers(1, most)))]
    return [replace(lookers[0], probability=lookers[0].probability or 0.5), *lookers[1:]]


@st.composite
def _looker(draw: st.DrawFn, world: World) -> Looker:
    levels = {name: st.integers(0, len(rows[0]) - 1) for name, rows in world.ladders.items()}
    known = {name: draw(level) for name, level in levels.items() if draw(st.integers(0, 3))}
    if not known:
        known = {next(iter(levels)): 0}
    learns = draw(st.sampled_from((0.0, 0.0, 0.25, 1.0)))
    further = {name: draw(level) for name, level in levels.items() if learns and draw(st.booleans())}
    cost = draw(st.sampled_from((0.0, 0.5, world.cost, world.cost)))
    own = draw(st.sampled_from((False, False, True)))
    gain = draw(st.sampled_from((world.benefit, world.cost * 3, world.cost * 12, max(world.gain, 1.0))))
    return Looker(
        probability=draw(st.sampled_from((0.0, 0.001, 0.25, 0.5, 1.0, 1.0))),
        gain=gain,
        cost=cost,
        loss=draw(st.sampled_from((world.benefit / 2, world.benefit, 4 * world.benefit, max(world.loss, 1.0)))),
        covers=draw(st.sampled_from((0.25, 0.6, 1.0, 1.0))),
        known=known,
        further=further,
        learns=learns if further else 0.0,
        price=draw(st.sampled_from((0.0, cost / 4, cost, gain / 8, gain / 2, 1e-3))) if further else 0.0,
        people=draw(st.lists(st.tuples(_somebody(world), st.integers(0, 6)), max_size=20)) if own else None,
        unmatched=draw(st.sampled_from(("safe", "unique"))),
    )


def _somebody(world: World) -> st.SearchStrategy[Values]:
    return st.fixed_dictionaries(
        {name: st.sampled_from([row[0] for row in rows]) for name, rows in world.ladders.items()}
    )


def every_list(people: int) -> list[tuple[bool, ...]]:
    """Return all lists that can be made of so many people: who is on each."""
    return list(product((False, True), repeat=people))
