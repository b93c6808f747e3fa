"""How far may a stake move? Strategies of single profiles and mean payoffs along a stake, in exact fractions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import oracle_breakpoints as oracle
from oracle_breakpoints import Line, Option, StakeLines, Stretch

from gamedeid.choices import GAMES
from gamedeid.game.instance import Instance
from gamedeid.scenario.grid import StakeName
from gamedeid.study.study import Study

POLICY = "policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileStretches:
    """The strategies of one profile along a stake, under one game or policy."""

    options: dict[int, Option]
    stretches: list[Stretch]
    now: tuple[int, bool]  # node and reply at the chosen value

    def payoff(self, stakes: StakeLines, answer: tuple[int, bool]) -> Line:
        """Return the publisher's payoff for an answer."""
        node, attacked = answer
        return (Fraction(0), Fraction(0)) if node < 0 else stakes.payoff(self.options[node], attacked=attacked)

    def at(self, value: Fraction) -> tuple[int, bool]:
        """Return node and reply at a value, inside a stretch."""
        here = [one for one in self.stretches if one.low <= value][-1]
        return here.node, here.attacked


def profile_stretches(instance: Instance, floors: Any, profile: int, stake: StakeName, name: str) -> ProfileStretches:
    """Return a profile's strategies under a game or the policy, above ``floors``, (q, a)."""
    choices = oracle.options(instance, floors, profile)
    stakes = StakeLines.along(instance.payoffs, stake)
    chosen = chosen_value(instance, stake)
    if name == POLICY:
        found = oracle.reply_stretches(choices[0], instance.payoffs, stake)  # the first in walk order is the floor
        now = (choices[0].node, stakes.attacks(chosen, choices[0].people))
    else:
        forbids = name == "no-attack"
        found = oracle.stretches(choices, instance.payoffs, stake, forbids_attack=forbids)
        now = oracle.answer(choices, stakes, chosen, forbids_attack=forbids)
    return ProfileStretches(options={one.node: one for one in choices}, stretches=found, now=now)


def chosen_value(instance: Instance, stake: StakeName) -> Fraction:
    """Return the scenario's value of the stake."""
    return Fraction(instance.payoffs.adversary_gain if stake == "gain" else getattr(instance.payoffs, stake))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class End:
    """A value at which a range ends, and its largest error by rounded payoffs."""

    value: Fraction
    blur: Fraction


def strategy_changes(one: ProfileStretches, chosen: Fraction) -> tuple[End | None, End | None]:
    """Return the nearest values above and below the chosen one at which the strategy differs, None without any."""
    up = down = None
    for stretch, after in zip(one.stretches, [*one.stretches[1:], None], strict=True):
        if stretch.node == one.now[0]:
            continue
        if up is None and (after is None or after.low > chosen):
            up = End(value=max(stretch.low, chosen), blur=stretch.blur)
        if stretch.low < chosen:
            here = after is None or after.low >= chosen
            down = End(value=chosen if here else after.low, blur=stretch.blur if here else after.blur)
    return up, down


def first_beyond(places: Sequence[tuple[End | None, int]], allowed: Fraction, *, falling: bool) -> End | None:
    """Return the first end, outwards, beyond which more records than allowed have changed."""
    gone = 0
    for place, weight in sorted(((end, w) for end, w in places if end is not None), reverse=falling):
        gone += weight
        if gone > allowed:
            return place
    return None


def is_decidable(profiles: Sequence[ProfileStretches], chosen: Fraction) -> bool:
    """Return whether rounded payoffs decide on which side of every change the chosen value is."""
    return not any(
        abs(stretch.low - chosen) <= 10 * stretch.blur and stretch.blur > stretch.low * oracle.INDIFFERENT
        for one in profiles
        for stretch in one.stretches[1:]
    )


class MeanPayoffs:
    """Mean payoffs of the policy and the games along one stake, exactly."""

    def __init__(self, study: Study, stake: StakeName) -> None:
        instance = study.instance
        floors = {POLICY: study.scenario_policy.levels, **{name: study.game(name).floors for name in GAMES}}
        self.stakes = StakeLines.along(instance.payoffs, stake)
        self.chosen = chosen_value(instance, stake)
        self.weights = instance.profiles.records.tolist()
        self.profiles = {
            name: [
                profile_stretches(instance, levels, profile, stake, name) for profile in range(instance.profiles.count)
            ]
            for name, levels in floors.items()
        }
        everything = [one for profiles in self.profiles.values() for one in profiles]
        self.is_decidable = is_decidable(everything, self.chosen)
        self.cuts = sorted({self.chosen, *(stretch.low for one in everything for stretch in one.stretches)})

    def line(self, name: str, value: Fraction | None) -> Line:
        """Return a policy's mean payoff as a line around a value; for None, with the answers at the chosen value."""
        lines = [one.payoff(self.stakes, one.now if value is None else one.at(value)) for one in self.profiles[name]]
        base, slope = (sum(w * line[part] for w, line in zip(self.weights, lines, strict=True)) for part in (0, 1))
        return Fraction(base) / sum(self.weights), Fraction(slope) / sum(self.weights)

    def pieces(self, *, upwards: bool) -> Iterator[tuple[Fraction, Fraction | None]]:
        """Yield the pieces without a change, from the chosen value outwards."""
        if upwards:
            yield from pairwise([*(cut for cut in self.cuts if cut >= self.chosen), None])
        else:
            yield from reversed(list(pairwise([cut for cut in self.cuts if cut <= self.chosen])))

    def reversal(self, one: str, other: str, *, equal: Fraction, rounding: Fraction, upwards: bool) -> Fraction | None:
        """Return where ``one``, at least as good as ``other``, first pays less, by more than counts as equal.

        ``equal`` is a share of the benefit there, as a tie is; ``rounding`` one of benefit and loss, of either sign.
        """
        slack = [
            equal * self.stakes.benefit[part] + rounding * (self.stakes.benefit[part] + self.stakes.loss[part])
            for part in (0, 1)
        ]
        for low, high in self.pieces(upwards=upwards):
            inside = 2 * low + 1 if high is None else (low + high) / 2
            mine, theirs = self.line(one, inside), self.line(other, inside)
            base, slope = (mine[part] - theirs[part] + slack[part] for part in (0, 1))
            near, far = (low, high) if upwards else (high, low)
            if near is not None and base + slope * near < 0:
                return near
            if far is None:
                if slope < 0:
                    return -base / slope
            elif base + slope * far < 0:
                return -base / slope
        return None
