"""The expected outcomes with several recipients: each looks people up one by one, on every list it may hold."""

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
class PlainRecipient:
    """One recipient: its knowledge of people, the probability that it exists, and its stakes."""

    probability: float
    gain: float
    cost: float
    loss: float
    covers: float
    known: dict[str, int]  # attribute -> level at which its list has it; absent: unknown
    further: dict[str, int] = field(default_factory=dict)  # what it may learn in addition
    learns: float = 0.0
    price: float = 0.0  # of trying to learn it; the recipient decides whether to pay
    people: list[tuple[Values, int]] | None = None  # whom it can look up; None: the world's people
    unmatched: str = "safe"  # how a record counts that matches none of ``people``

    def knowledge(self) -> list[tuple[float, dict[str, int]]]:
        """Return what the recipient may know when it decides, each with its probability."""
        more = dict(self.known)
        for attribute, level in self.further.items():
            more[attribute] = min(level, more.get(attribute, level))
        return [(1 - self.learns, self.known), (self.learns, more)] if self.learns else [(1.0, self.known)]

    @property
    def section(self) -> Recipient:
        """The recipient as a section of a scenario."""
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
class Outcome:
    """What happens to one record."""

    strategy: Strategy | None
    attacked: bool
    reidentifications: float
    publisher_payoff: float
    adversary_payoff: float


def may_be_released_person(world: World, person: Values, released: list[str | None], known: dict[str, int]) -> bool:
    """Return whether a listed person could be the released one: in each attribute some value has both labels."""
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


def matching(world: World, recipient: PlainRecipient, record: int, strategy: Strategy, known: dict[str, int]) -> int:
    """Count the people who could be the released record, by what the recipient knows of them."""
    population, unmatched = recipient.people, recipient.unmatched
    if population is None:
        population = [(values, 1) for values in world.records] if world.population is None else world.population
        unmatched = world.unmatched
    released = seen(world, world.records[record], strategy)
    found = sum(times for person, times in population if may_be_released_person(world, person, released, known))
    return 1 if found == 0 and unmatched == "unique" else found


def attack(recipient: PlainRecipient, people: int) -> tuple[bool, float, float]:
    """Return whether an attack on so many people pays, its chance of success, and its payoff, over all lists."""
    if people == 0 or not recipient.gain > recipient.cost * people:
        return False, 0.0, 0.0
    success = payoff = 0.0
    for on_list in range(1, people + 1):
        held = comb(people, on_list) * recipient.covers**on_list * (1 - recipient.covers) ** (people - on_list)
        right = on_list / people * (1 / on_list)  # the person is on the list, and is the one picked from it
        success += held * right
        payoff += held * (recipient.gain * right - recipient.cost)
    return True, success, payoff


def play(
    world: World, recipient: PlainRecipient, record: int, strategy: Strategy
) -> list[tuple[float, bool, float, float]]:
    """Return the possible ends of the recipient's game: probability, whether it attacks, success and payoff.

    A recipient who may learn at a price first decides whether to pay it, by the expected payoff of the ends.
    """
    ends = [
        (chance, *attack(recipient, matching(world, recipient, record, strategy, known)))
        for chance, known in recipient.knowledge()
    ]
    if not recipient.price or not recipient.learns:
        return ends
    at_home = attack(recipient, matching(world, recipient, record, strategy, recipient.known))
    paid = [(chance, does, success, payoff - recipient.price) for chance, does, success, payoff in ends]
    expected = sum(chance * payoff for chance, _, _, payoff in paid)
    return paid if expected > at_home[2] + SAME * max(recipient.price, abs(at_home[2])) else [(1.0, *at_home)]


def outcome_at(world: World, recipients: list[PlainRecipient], record: int, strategy: Strategy) -> tuple[Outcome, bool]:
    """Return what happens to a record at a strategy, and whether a recipient with a cost attacks it."""
    attacked = deterrable = False
    right = loss = payoff = 0.0
    for recipient in recipients:
        for chance, does, success, paid in play(world, recipient, record, strategy):
            comes = recipient.probability * chance
            if not comes:
                continue
            attacked |= does
            deterrable |= does and recipient.cost > 0
            right += comes * success
            loss += comes * success * recipient.loss
            payoff += comes * paid
    value = world.benefit * (1 - information_loss(world, record, strategy))
    outcome = Outcome(
        strategy=strategy,
        attacked=attacked,
        reidentifications=right,
        publisher_payoff=value - loss,
        adversary_payoff=payoff,
    )
    return outcome, deterrable


def permitted_outcomes(world: World, recipients: list[PlainRecipient], record: int, game: Game) -> list[Outcome]:
    """Return what happens to a record at every permitted strategy, in walk order."""
    least = start(world, record, game)
    tried = [s for s in walk_order(strategy_graph(world.heights)) if all(a >= b for a, b in zip(s, least, strict=True))]
    found = [outcome_at(world, recipients, record, strategy) for strategy in tried]
    return [outcome for outcome, deterrable in found if game != "no-attack" or not deterrable]


def best_outcome(world: World, recipients: list[PlainRecipient], record: int, game: Game) -> Outcome:
    """Return the outcome of the best permitted strategy, the first of equals, or that of a withheld record."""
    outcomes = permitted_outcomes(world, recipients, record, game)
    best = max((outcome.publisher_payoff for outcome in outcomes), default=-1.0)
    tie = SAME * world.benefit
    if not outcomes or best <= -tie:
        return Outcome(strategy=None, attacked=False, reidentifications=0.0, publisher_payoff=0.0, adversary_payoff=0.0)
    return next(outcome for outcome in outcomes if outcome.publisher_payoff > best - tie)


@st.composite
def recipients_of(draw: st.DrawFn, world: World, *, most: int = 3) -> list[PlainRecipient]:
    """Draw one to three recipients, the first with a probability above 0; knowledge is drawn by attribute."""
    recipients = [draw(_recipient(world)) for _ in range(draw(st.integers(1, most)))]
    return [replace(recipients[0], probability=recipients[0].probability or 0.5), *recipients[1:]]


@st.composite
def _recipient(draw: st.DrawFn, world: World) -> PlainRecipient:
    levels = {name: st.integers(0, len(rows[0]) - 1) for name, rows in world.ladders.items()}
    known = {name: draw(level) for name, level in levels.items() if draw(st.integers(0, 3))}
    if not known:
        known = {next(iter(levels)): 0}
    learns = draw(st.sampled_from((0.0, 0.0, 0.25, 1.0)))
    further = {name: draw(level) for name, level in levels.items() if learns and draw(st.booleans())}
    cost = draw(st.sampled_from((0.0, 0.5, world.cost, world.cost)))
    own = draw(st.sampled_from((False, False, True)))
    gain = draw(st.sampled_from((world.benefit, world.cost * 3, world.cost * 12, max(world.gain, 1.0))))
    return PlainRecipient(
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
    """Return all possible lists of so many people: whether each person is on it."""
    return list(product((False, True), repeat=people))
