"""Where along one stake does a profile's answer change? Every strategy, every pair of them, in exact fractions.

Nothing is struck, no hull and no envelope is made: whatever could change anything is a candidate, and between two
neighbouring candidates the rule is asked once, in the middle.
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
"""What a payoff of one dollar may be off by after a few operations on floating-point numbers."""

INDIFFERENT = 2 * Fraction(INDIFFERENCE)
"""The share of its place by which an end of attacks may be misplaced: it may as well be said as gain = cost x n."""

Line = tuple[Fraction, Fraction]
"""What is at 0, and what comes with each dollar of the stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One strategy of a profile."""

    node: int
    benefit_share: Fraction  # 1 - IL
    people: int  # n_p; 0: nobody can be found


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """From ``low`` to where the next begins, the answer is the same."""

    low: Fraction
    blur: Fraction  # by how much low may be misplaced: by rounded payoffs, or by leaving the indifference out
    node: int  # WITHHELD: not released
    attacked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeLines:
    """The four amounts of money as lines of the one that is varied."""

    benefit: Line
    loss: Line
    cost: Line
    gain: Line

    @classmethod
    def along(cls, payoffs: Payoffs, stake: StakeName) -> "StakeLines":
        """Return them: the gain follows the loss unless it is given or varied."""
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
        """Tell whether a group is attacked where the stake has this value."""
        return people > 0 and at(self.gain, value) > at(self.cost, value) * people * RELUCTANCE

    def threshold(self, people: int) -> Fraction | None:
        """Return where a group of this size begins or ceases to be attacked."""
        base, slope = (g - c * people * RELUCTANCE for g, c in zip(self.gain, self.cost, strict=True))
        return -base / slope if slope != 0 and -base / slope > 0 else None

    def payoff(self, option: Option, *, attacked: bool) -> Line:
        """Return what the publisher gets."""
        value = (self.benefit[0] * option.benefit_share, self.benefit[1] * option.benefit_share)
        if not attacked:
            return value
        return (value[0] - self.loss[0] / option.people, value[1] - self.loss[1] / option.people)

    @property
    def tie(self) -> Line:
        """What still counts as equal."""
        return (self.benefit[0] * TIE, self.benefit[1] * TIE)


def at(line: Line, value: Fraction) -> Fraction:
    """Return a line's height."""
    return line[0] + line[1] * value


def options(instance: Instance, floors: np.ndarray, profile: int) -> list[Option]:
    """Return all strategies that the floor, (q, a), permits a profile, in walk order.

    Of those that keep as much and are matched by as many only the first: the others pay the same at any stakes.
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
    """Return the stretches of a strategy that does not move."""
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
    """Return the lines in whole numbers: the same fraction of a dollar for all of them."""
    scale = _scale(lines)
    return [(int(base * scale), int(slope * scale)) for base, slope in lines]


def _crossings(
    whole: Sequence[tuple[int, int]], low: Fraction, high: Fraction | None
) -> Iterator[tuple[Fraction, int]]:
    """Yield where two payoffs are equal or a tie apart, or one is 0 or a tie below it, and how steeply they part."""
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
