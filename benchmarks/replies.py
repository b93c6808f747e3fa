"""The results of best replies to an adversary who knows the mechanism, in the basic game, for a whole population.

Each person of the population plays one game like a record; the payoff depends on the people who have chosen the same
strategy and values, the person included. Replies go on, a sixteenth of the profiles at a time, until a round changes
nothing or a state recurs. ``own`` replies maximise the payoff of the profile itself; ``joint`` ones the sum
of all payoffs, since one publisher pays for all. An experiment: no game of gamedeid plays so.

Run: ``python benchmarks/replies.py [--smoke]``
"""

from dataclasses import dataclass

import numpy as np
from measure import arguments
from subjects import Subject, measured_scenarios

from gamedeid.arrays import FloatArray, IntArray
from gamedeid.data.profiles import ProfileFinder
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import population_instance
from gamedeid.game.rules import Game
from gamedeid.game.solvers import exact
from gamedeid.grouping import distinct_rows
from gamedeid.scenario.payoffs import Payoffs, publisher_payoff
from gamedeid.study.study import Study

BLOCKS = 16
"""Parts of the population that reply one after another; within a part all reply at the same time."""

MOST_ROUNDS = 100
"""Rounds after which the replies end without a fixed point (default)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Publisher's mean real payoff over the records, of the start and after each round, dollars; and how it ended.

    ``cycle`` is 1 if the last round changed nothing, m if the state of m rounds before recurred, 0 if the
    rounds ran out.
    """

    payoffs: tuple[float, ...]
    cycle: int

    @property
    def in_words(self) -> str:
        """How the replies ended."""
        rounds = len(self.payoffs) - 1
        if self.cycle == 1:
            return f"fixed point after {rounds} rounds"
        return f"cycle of {self.cycle} after {rounds} rounds" if self.cycle else f"no end within {rounds} rounds"


@dataclass(slots=True, eq=False)
class _Moves:
    """The sensible choices of each profile, in the order of the profiles' replies.

    Parameters
    ----------
    starts : (p + 1,) where each profile's moves begin.
    nodes, groups, values : (e,) the strategy of each move, the released group that it joins, and v(g) in dollars.
    people, records : (p,) of each profile.
    """

    starts: IntArray
    nodes: IntArray
    groups: IntArray
    values: FloatArray
    people: IntArray
    records: IntArray


def reply_until_stable(population: Instance, start: IntArray, records: IntArray, *, joint: bool) -> Replies:
    """Let every profile reply to all others, from ``start``, (p,), until none changes or a state recurs.

    A strategy pays v(g), less L / n if gain > cost x n, with n the people who have chosen it and its values.
    The best reply is the first of equals in walk order; a profile keeps a strategy that pays as much.
    """
    turn = np.argsort(np.arange(population.profiles.count) % BLOCKS, kind="stable")
    moves = _moves(population, records, turn)
    chosen = _move_of(moves, start[turn])
    sizes = np.bincount(moves.groups[chosen[chosen >= 0]], moves.people[chosen >= 0], moves.groups.max(initial=0) + 1)
    states, payoffs = {chosen.tobytes(): 0}, [_mean(population, moves, chosen, sizes)]
    for done in range(1, MOST_ROUNDS + 1):
        for block in np.array_split(np.arange(len(turn)), BLOCKS):
            if len(block):
                _reply(population, moves, int(block[0]), int(block[-1]) + 1, chosen, sizes, joint=joint)
        payoffs.append(_mean(population, moves, chosen, sizes))
        before = states.setdefault(chosen.tobytes(), done)
        if before < done:
            return Replies(payoffs=tuple(payoffs), cycle=done - before)
    return Replies(payoffs=tuple(payoffs), cycle=0)


def _moves(population: Instance, records: IntArray, turn: IntArray) -> _Moves:
    """Return the strategies that can be a best reply of each profile: those worth more than its certain payoff.

    At its most specific strategy, alone in the group, a profile has v(g), less L / w if it is attacked;
    withheld it has 0. No strategy pays more than v(g).
    """
    profiles, lattice, payoffs = population.profiles, population.lattice, population.payoffs
    everyone = population.all_profiles
    base = lattice.nodes(population.base)
    certain = np.maximum(_paid(payoffs, population.values(everyone, base), profiles.records), 0.0)
    tables, parts, groups = population.hierarchy_tables, [], 0
    for node in lattice.walk_order().tolist():
        levels = np.array(lattice.levels_of(node))
        values = population.values(everyone, np.full(profiles.count, node))
        open_to = np.flatnonzero(payoffs.as_good(values, certain) & (population.base <= levels).all(axis=1))
        if not len(open_to):
            continue
        codes = profiles.codes[open_to]
        labels = np.stack([tables.groups[a, level, codes[:, a]] for a, level in enumerate(levels)], axis=1)
        first, group, _ = distinct_rows(labels)
        parts.append((open_to, np.full(len(open_to), node), group + groups, values[open_to]))
        groups += len(first)
    whose, nodes, group, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    place = np.empty(profiles.count, np.int64)
    place[turn] = np.arange(profiles.count)
    order = np.argsort(place[whose], kind="stable")  # within a profile in walk order
    counts = np.bincount(place[whose], minlength=profiles.count)
    return _Moves(
        starts=np.concatenate([[0], np.cumsum(counts)]),
        nodes=nodes[order],
        groups=group[order],
        values=values[order],
        people=profiles.records[turn],
        records=records[turn],
    )


def _move_of(moves: _Moves, nodes: IntArray) -> IntArray:
    """Return the move, (p,), that each profile at these nodes, (p,), has made; -1 if it is withheld."""
    whose = np.repeat(np.arange(len(moves.people)), np.diff(moves.starts))
    there = np.flatnonzero(moves.nodes == nodes[whose])
    chosen = np.full(len(nodes), -1, np.int64)
    chosen[whose[there]] = there
    return chosen


def _reply(
    population: Instance,
    moves: _Moves,
    first: int,
    last: int,
    chosen: IntArray,
    sizes: FloatArray,
    *,
    joint: bool,
) -> None:
    """Let the profiles from ``first`` to ``last`` reply, and count the groups anew."""
    payoffs = population.payoffs
    begin, end = int(moves.starts[first]), int(moves.starts[last])
    starts = moves.starts[first:last] - begin
    counts = np.diff(moves.starts[first : last + 1])
    whose = np.repeat(np.arange(last - first), counts)
    own, now = moves.people[first:last], chosen[first:last]
    people = sizes[moves.groups[begin:end]] + own[whose]
    made = now[now >= 0]
    people[made - begin] -= own[now >= 0]  # the profile is in this group already
    whole = people.astype(np.int64)
    if joint:  # an attacked group costs the publisher L in all, however many people share it
        others = whole - own[whose]
        cost = payoffs.attacked(whole).astype(float) - payoffs.attacked(others)
        pays = moves.values[begin:end] - payoffs.loss * cost / own[whose]
    else:
        pays = _paid(payoffs, moves.values[begin:end], whole)
    best = np.maximum.reduceat(pays, starts)
    here = np.zeros(last - first)
    here[now >= 0] = pays[made - begin]
    good = payoffs.as_good(pays, best[whose])
    places = np.where(good, np.arange(end - begin), end - begin)
    reply = np.minimum.reduceat(places, starts) + begin
    reply = np.where(payoffs.as_good(best, 0.0), reply, -1)
    stays = payoffs.as_good(here, np.maximum(best, 0.0))
    after = np.where(stays, now, reply)
    for one, sign in ((now, -1.0), (after, 1.0)):
        np.add.at(sizes, moves.groups[one[one >= 0]], sign * own[one >= 0])
    chosen[first:last] = after


def _paid(payoffs: Payoffs, values: FloatArray, people: IntArray) -> FloatArray:
    """Return the publisher's payoffs, (k,) dollars, for records in groups of these numbers of people."""
    return publisher_payoff(values, people, attacked=payoffs.attacked(people), loss=payoffs.loss)


def _mean(population: Instance, moves: _Moves, chosen: IntArray, sizes: FloatArray) -> float:
    """Return the publisher's mean payoff over the records, dollars, as the groups are now."""
    released = np.flatnonzero((chosen >= 0) & (moves.records > 0))
    move = chosen[released]
    pays = _paid(population.payoffs, moves.values[move], sizes[moves.groups[move]].astype(np.int64))
    return float(moves.records[released] @ pays / moves.records.sum())


def everybody_of(study: Study) -> tuple[Instance, IntArray]:
    """Return the question for the whole population, and how many records each of its profiles has, (p,)."""
    population = population_instance(study.instance, study.population.cells)
    bases = [len(hierarchy.leaves) + 1 for hierarchy in study.instance.hierarchies.values()]
    leaves = [np.arange(base) for base in bases]
    where = ProfileFinder(population.profiles.codes, bases).find(leaves, list(study.instance.profiles.codes.T))
    records = np.zeros(population.profiles.count, np.int64)
    records[where] = study.instance.profiles.records
    return population, records


def main() -> None:
    """Print a row for each scenario and kind of reply."""
    options = arguments(__doc__).parse_args()
    print("| scenario | replies | how they end | real payoff of the basic game | at the end | best on the way |")
    print("|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        population, records = everybody_of(Subject.load(name).study)
        start = exact(population, Game.of("basic", population, population.base)).nodes
        for joint in (False, True):
            found = reply_until_stable(population, start, records, joint=joint)
            first, last, best = found.payoffs[0], found.payoffs[-1], max(found.payoffs)
            kind = "joint" if joint else "own"
            print(f"| {name} | {kind} | {found.in_words} | {first:.4f} | {last:.4f} | {best:.4f} |")


if __name__ == "__main__":
    main()
