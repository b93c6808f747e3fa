"""Risk and utility by their definitions, release by release: slow, and independent of how the package computes them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from oracles import Strategy, World, adversary_attacks, at_top_where_missing, information_loss, people

DIGITS = 10
"""Shares of information are equal if they agree to this many digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Risk and utility of a release: information kept is a mean over the records, risks are exact."""

    kept: float
    adversary: Fraction
    marketer: Fraction
    attacked: Fraction


def place_of(world: World, strategies: Sequence[Strategy | None]) -> Place:
    """Return risk and utility of a release: a strategy for each record, None if it is withheld."""
    kept = 0.0
    adversary = marketer = attacked = Fraction(0)
    for record, strategy in enumerate(strategies):
        if strategy is None:
            continue
        kept += 1 - information_loss(world, record, strategy)
        matching = people(world, record, strategy)
        if matching > 0:
            marketer += Fraction(1, matching)
        if adversary_attacks(world, matching):
            adversary += Fraction(1, matching)
            attacked += Fraction(1, len(strategies))
    return Place(kept=round(kept / len(strategies), DIGITS), adversary=adversary, marketer=marketer, attacked=attacked)


def every_strategy(world: World) -> Iterator[Strategy]:
    """Yield the strategies; the last attribute's level changes fastest."""
    yield from product(*(range(height) for height in world.heights))


def uniform_places(world: World) -> list[Place]:
    """Return risk and utility of all uniform policies: every record at one strategy, missing values at the top."""
    everybody = range(len(world.records))
    return [
        place_of(world, [at_top_where_missing(world, record, strategy) for record in everybody])
        for strategy in every_strategy(world)
    ]


def beats(one: Place, other: Place, risk: str) -> bool:
    """Return whether ``one`` has no more risk and keeps no less, and is better in one of both."""
    mine, its = getattr(one, risk), getattr(other, risk)
    return mine <= its and one.kept >= other.kept and (mine < its or one.kept > other.kept)


def record_level_places(world: World) -> Iterator[Place]:
    """Yield risk and utility of every release that treats records with the same values alike, withholding included."""
    kinds = [tuple(values.values()) for values in world.records]
    distinct = list(dict.fromkeys(kinds))
    first = [kinds.index(kind) for kind in distinct]
    options = [
        [None, *dict.fromkeys(at_top_where_missing(world, record, strategy) for strategy in every_strategy(world))]
        for record in first
    ]
    for chosen in product(*options):
        by_kind: Mapping[object, Strategy | None] = dict(zip(distinct, chosen, strict=True))
        yield place_of(world, [by_kind[kind] for kind in kinds])
