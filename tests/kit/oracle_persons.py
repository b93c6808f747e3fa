"""The expected results if a person may have several records: played slowly, one person at a time."""

from oracles import (
    SAME,
    Game,
    Outcome,
    Strategy,
    Values,
    World,
    label,
    release_among,
    seen,
    strategy_graph,
    walk_order,
    withhold,
)


def records_of(owners: list[int], person: int) -> list[int]:
    """Return the numbers of a person's records."""
    return [record for record, owner in enumerate(owners) if owner == person]


def start(world: World, rows: list[Values], game: Game, leaf_floors: dict[str, dict[str, int]]) -> Strategy:
    """Return the least levels at which rows have one label; in sh-friendly, also those that the policy asks for.

    The policy asks for the highest level that it needs for any leaf of the rows' common group.
    """
    levels = []
    for attribute, ladder in world.ladders.items():
        for level in range(len(ladder[0])):
            labels = {label(ladder, row[attribute], level) for row in rows}
            if len(labels) == 1 and None not in labels:
                break
        if game == "sh-friendly" and any(row[attribute] is not None for row in rows):
            leaves = [leaf[0] for leaf in ladder if leaf[level] in labels]
            level = max([level, *(leaf_floors[attribute].get(leaf, 0) for leaf in leaves)])
        levels.append(level)
    return tuple(levels)


def people(world: World, owners: list[int], person: int, strategy: Strategy) -> int:
    """Count the people who could be the released one; of the records' persons, those who have the same labels."""

    def looks(rows: list[Values]) -> set[tuple[str | None, ...]]:
        return {tuple(seen(world, row, strategy)) for row in rows}

    def rows_of(owner: int) -> list[Values]:
        return [world.records[record] for record in records_of(owners, owner)]

    mine = looks(rows_of(person))
    if world.population is None:
        return sum(looks(rows_of(owner)) == mine for owner in set(owners))
    matching = sum(times for values, times in world.population if looks([values]) == mine)
    return 1 if matching == 0 and world.unmatched == "unique" else matching


def play(world: World, owners: list[int], person: int, game: Game, leaf_floors: dict[str, dict[str, int]]) -> Outcome:
    """Try every strategy at or above the start and take the best permitted, the first of equals."""
    records = records_of(owners, person)
    least = start(world, [world.records[record] for record in records], game, leaf_floors)
    tried = [s for s in walk_order(strategy_graph(world.heights)) if all(a >= b for a, b in zip(s, least, strict=True))]
    found = {}
    for strategy in tried:
        outcome = _release(world, owners, person, strategy, len(tried))
        if game != "no-attack" or not outcome.attacked:
            found[strategy] = outcome
    tie = SAME * world.benefit
    best = max((outcome.publisher_payoff for outcome in found.values()), default=-world.benefit)
    if best < -tie:
        return withhold(searched=len(tried))
    return next(outcome for outcome in found.values() if outcome.publisher_payoff > best - tie)


def policy(world: World, owners: list[int], person: int, leaf_floors: dict[str, dict[str, int]]) -> Outcome:
    """Return the outcome of the unchanged policy."""
    rows = [world.records[record] for record in records_of(owners, person)]
    return _release(world, owners, person, start(world, rows, "sh-friendly", leaf_floors), 1)


def _release(world: World, owners: list[int], person: int, strategy: Strategy, searched: int) -> Outcome:
    last = records_of(owners, person)[-1]  # all rows agree, so each loses the same
    return release_among(world, last, strategy, people(world, owners, person, strategy), searched=searched)
