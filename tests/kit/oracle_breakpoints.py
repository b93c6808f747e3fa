"""Where along one stake does a profile's answer change? All strategies and all pairs of them, in exact fractions.

No strategy is left out, no hull or envelope is made: every value at which the answer could change is a candidate, and
the rule is applied once between two neighbouring candidates, in the middle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np
from oracles import SAME

from gamedeid.game.instance import Instance
from gamedeid.scenario.grid import StakeName
from gamedeid.scenario.payoffs import INDIFFERENCE, Payoffs

WITHHELD = -1
TIE = Fraction(SAME)
RELUCTANCE = 1 + Fraction(INDIFFERENCE)
ROUNDING = Fraction(1, 2**49)
"""Largest error of a payoff of one dollar after a few floating-point operations."""

INDIFFERENT = 2 * Fraction(INDIFFERENCE)
"""Largest relative error of a value at which attacks end: it may also be computed as gain = cost x n."""

Line = tuple[Fraction, Fraction]
"""Value at 0, and slope per dollar of the stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One strategy of a profile."""

    node: int
    benefit_share: Fraction  # 1 - IL
    people: int  # n_p; 0: no match


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The answer is the same from ``low`` to the start of the next stretch."""

    low: Fraction
    blur: Fraction  # largest error of low: by rounded payoffs, or by leaving the indifference out
    node: int  # WITHHELD: not released
    attacked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeLines:
    """The four stakes as linear functions of the one that is varied."""

    benefit: Line
    loss: Line
    cost: Line
    gain: Line

    @classmethod
    def along(cls, payoffs: Payoffs, stake: StakeName) -> "StakeLines":
        """Return the lines: the gain follows the loss unless it is given or varied."""
        lines = {
            name: (Fraction(0), Fraction(1)) if name == stake else (Fraction(getattr(payoffs, name)), Fraction(0))
            for name in ("benefit", "loss", "cost")
        }
        if stake == "gain":
            gain = (Fraction(0), Fraction(1))
        else:
            gain = lines["loss"] if payoffs.gain is None else (Fraction(payoffs.gain), Fraction(0))
        return cls(**lines, gain=gain)

    def attacks(self, value: Fraction, people: int) -> bool:
        """Return whether a group is attacked at this value of the stake."""
        return people > 0 and at(self.gain, value) > at(self.cost, value) * people * RELUCTANCE

    def threshold(self, people: int) -> Fraction | None:
        """Return the value at which attacks on a group of this size start or end."""
        base, slope = (g - c * people * RELUCTANCE for g, c in zip(self.gain, self.cost, strict=True))
        return -base / slope if slope != 0 and -base / slope > 0 else None

    def payoff(self, option: Option, *, attacked: bool) -> Line:
        """Return the publisher's payoff."""
        value = (self.benefit[0] * option.benefit_share, self.benefit[1] * option.benefit_share)
        if not attacked:
            return value
        return (value[0] - self.loss[0] / option.people, value[1] - self.loss[1] / option.people)

    @property
    def tie(self) -> Line:
        """Payoffs that differ by less are equal."""
        return (self.benefit[0] * TIE, self.benefit[1] * TIE)


def at(line: Line, value: Fraction) -> Fraction:
    """Return the value of a line."""
    return line[0] + line[1] * value


def options(instance: Instance, floors: np.ndarray, profile: int) -> list[Option]:
    """Return all strategies that the floor, (q, a), permits a profile, in walk order.

    Strategies with the same loss and number of people pay the same at any stakes: only the first is returned.
    """
    walk = instance.lattice.walk_order()
    nodes = walk[(instance.lattice.levels(walk) >= floors[profile]).all(axis=1)]
    rows = np.full(len(nodes), profile)
    of_one_dollar = replace(instance, payoffs=replace(instance.payoffs, benefit=1.0))
    shares, people = of_one_dollar.values(rows, nodes).tolist(), instance.people(rows, nodes).tolist()
    first: dict[tuple[float, int], Option] = {}
    for node, share, matching in zip(nodes.tolist(), shares, people, strict=True):
        first.setdefault((share, matching), Option(node=node, benefit_share=Fraction(share), people=matching))
    return list(first.values())


def answer(choices: Sequence[Option], stakes: StakeLines, value: Fraction, *, forbids_attack: bool) -> tuple[int, bool]:
    """Return node and reply at one value of the stake: the first in walk order of those within a tie of the best."""
    payoffs = {}
    for place, option in enumerate(choices):
        attacked = stakes.attacks(value, option.people)
        if not (attacked and forbids_attack):
            payoffs[place] = at(stakes.payoff(option, attacked=attacked), value)
    tie = at(stakes.tie, value)
    if not payoffs or max(payoffs.values()) <= -tie:
        return WITHHELD, False
    best = max(payoffs.values())
    chosen = choices[next(place for place, payoff in payoffs.items() if payoff > best - tie)]
    return chosen.node, stakes.attacks(value, chosen.people)


def stretches(choices: Sequence[Option], payoffs: Payoffs, stake: StakeName, *, forbids_attack: bool) -> list[Stretch]:
    """Return a profile's stretches in a game, from 0 up."""
    stakes = StakeLines.along(payoffs, stake)
    bounds = {stakes.threshold(option.people) for option in choices} - {None}
    ends = [Fraction(0), *sorted(bound for bound in bounds if bound is not None), None]
    found: list[Stretch] = []
    for low, high in pairwise(ends):
        assert low is not None
        inside = _middle(low, high)
        attacked = [stakes.attacks(inside, option.people) for option in choices]
        open_ones = [place for place in range(len(choices)) if not (attacked[place] and forbids_attack)]
        lines = [stakes.payoff(choices[place], attacked=attacked[place]) for place in open_ones]
        whole = _whole([*lines, stakes.tie])
        cuts: dict[Fraction, Fraction] = {low: low * INDIFFERENT}
        for value, slope in _crossings(whole, low, high):
            dollars = at(stakes.benefit, value) + at(stakes.loss, value)
            steepness = abs(slope) / Fraction(_scale([*lines, stakes.tie]))
            cuts[value] = max(cuts.get(value, Fraction(0)), ROUNDING * dollars / steepness)
        for start, end in pairwise([*sorted(cuts), high]):
            place = _choose(whole, _middle(start, end))
            node, reply = (WITHHELD, False) if place is None else _of(choices, attacked, open_ones[place])
            found.append(Stretch(low=start, blur=cuts[start], node=node, attacked=reply))
    return merged(found)


def reply_stretches(option: Option, payoffs: Payoffs, stake: StakeName) -> list[Stretch]:
    """Return the stretches of a fixed strategy."""
    stakes = StakeLines.along(payoffs, stake)
    bound = stakes.threshold(option.people)
    ends = [Fraction(0), *([] if bound is None else [bound]), None]
    return merged(
        [
            Stretch(
                low=low,
                blur=low * INDIFFERENT,
                node=option.node,
                attacked=stakes.attacks(_middle(low, high), option.people),
            )
            for low, high in pairwise(ends)
            if low is not None
        ]
    )


def merged(found: Sequence[Stretch]) -> list[Stretch]:
    """Join neighbours with the same answer."""
    kept = list(found[:1])
    for one in found[1:]:
        if (one.node, one.attacked) != (kept[-1].node, kept[-1].attacked):
            kept.append(one)
    return kept


def _middle(low: Fraction, high: Fraction | None) -> Fraction:
    return 2 * low + 1 if high is None else (low + high) / 2


def _of(choices: Sequence[Option], attacked: Sequence[bool], place: int) -> tuple[int, bool]:
    return choices[place].node, attacked[place]


def _scale(lines: Sequence[Line]) -> int:
    return lcm(*(part.denominator for line in lines for part in line))


def _whole(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return the lines in whole numbers of one common fraction of a dollar."""
    scale = _scale(lines)
    return [(int(base * scale), int(slope * scale)) for base, slope in lines]


def _crossings(
    whole: Sequence[tuple[int, int]], low: Fraction, high: Fraction | None
) -> Iterator[tuple[Fraction, int]]:
    """Yield where two payoffs are equal or a tie apart, or one is 0 or minus a tie, and their difference of slopes."""
    *lines, tie = whole
    for one in [*lines, (0, 0)]:
        for other in [*lines, (0, 0)]:
            for ties in (0, 1):
                base = one[0] - other[0] + ties * tie[0]
                slope = one[1] - other[1] + ties * tie[1]
                if slope == 0 or (base >= 0) == (slope > 0):
                    continue
                value = Fraction(-base, slope)
                if value > low and (high is None or value < high):
                    yield value, slope


def _choose(whole: Sequence[tuple[int, int]], value: Fraction) -> int | None:
    """Return the place of the line that the rule takes, None where the record is withheld."""
    *heights, tie = (base * value.denominator + slope * value.numerator for base, slope in whole)
    if not heights or max(heights) <= -tie:
        return None
    least = max(heights) - tie
    return next(place for place, height in enumerate(heights) if height > least)
