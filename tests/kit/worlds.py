"""The small worlds of the tests: random ones in which ties, gaps and odd ladders are common, and fixed ones."""

from dataclasses import replace
from math import prod

from hypothesis import strategies as st
from oracles import SAME, Values, World

ATTRIBUTES = ("d", "a", "c", "b")  # not in alphabetical order: code that sorts them fails
LEAVES = ("p", "q", "r", "s", "t", "u")

_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0)
_SHARES = (0.25, 0.5, 1.0, 2.0, 4.0)
_QUARTERS = st.integers(1, 16).map(lambda quarters: quarters / 4)
_WHOLE = st.integers(1, 100).map(float)
_EXTREME = st.sampled_from((0.25, 1200.0, 100_000.0))
_NOTHING = st.just(0.0)
_TIMES = (*range(4), *range(4), *range(4), *range(13))


@st.composite
def ladders(draw: st.DrawFn, *, min_leaves: int = 1) -> list[list[str]]:
    """Draw one row of labels for each of up to six leaves: two to four levels, groups joined at random."""
    rows = [[leaf] for leaf in LEAVES[: draw(st.integers(min_leaves, len(LEAVES)))]]
    groups = [[row] for row in rows]
    for _ in range(draw(st.integers(0, 2))):
        joined: dict[int, list[list[str]]] = {}
        for group in groups:
            joined.setdefault(draw(st.integers(0, len(groups) - 1)), []).extend(group)
        groups = list(joined.values())
        for group in groups:
            name = "|".join(sorted(row[0] for row in group))  # a group of one keeps the label of its leaf
            for row in group:
                row.append(name)
    return [[*row, "*"] for row in rows]


def values(of: dict[str, list[list[str]]], *, missing: bool) -> st.SearchStrategy[Values]:
    """Draw a person's values; some may be missing.

    All values come from one number: a world has many people, and each drawn number takes time.
    """
    leaves = {attribute: [row[0] for row in rows] for attribute, rows in of.items()}
    choices = {
        attribute: [*names * 5, *[None] * len(names)] if missing else names for attribute, names in leaves.items()
    }

    def somebody(number: int) -> Values:
        found: Values = {}
        for attribute, some in choices.items():
            number, place = divmod(number, len(some))
            found[attribute] = some[place]
        return found

    return st.integers(0, prod(map(len, choices.values())) - 1).map(somebody)


@st.composite
def payoffs(draw: st.DrawFn) -> dict[str, float]:
    """Draw the four amounts of money; often the gain is a whole number of costs, so that attacks are a tie.

    The benefit and the cost are above 0; the loss and the gain may be 0.
    """
    benefit = draw(st.one_of(_QUARTERS, _WHOLE, _WHOLE, st.sampled_from((1200.0, 100_000.0))))
    cost = draw(st.one_of(_QUARTERS, _QUARTERS, _WHOLE, _EXTREME))
    people = st.integers(1, 40).map(lambda matching: matching * cost)
    in_proportion = st.sampled_from([share * benefit for share in _SHARES])
    gain = draw(st.one_of(people, people, in_proportion, _WHOLE, _EXTREME, _NOTHING))
    loss = draw(st.one_of(st.just(gain), in_proportion, in_proportion, _WHOLE, _EXTREME, _NOTHING))
    return {"benefit": benefit, "loss": loss, "gain": gain, "cost": cost}


@st.composite
def worlds(draw: st.DrawFn, *, missing: bool = True) -> World:
    """Draw a world: one to four attributes, up to twelve records, at most forty rows of people or no population.

    ``missing=False`` draws only complete values. Where ``unmatched`` is "error" every record matches a person at its
    most specific strategy. A floor depends only on the value of its attribute, as in a policy.
    """
    attributes = ATTRIBUTES[: draw(st.integers(1, len(ATTRIBUTES)))]
    heavy = draw(st.sampled_from(attributes))  # this attribute always has information to lose
    of = {attribute: draw(ladders(min_leaves=2 if attribute == heavy else 1)) for attribute in attributes}
    weights = {a: draw(st.sampled_from([w for w in _WEIGHTS if w > 0 or a != heavy])) for a in attributes}
    gaps = missing and draw(st.booleans())
    somebody = values(of, missing=gaps)
    unmatched = draw(st.sampled_from(("error", "unique", "safe")))

    population = None
    if draw(st.integers(0, 3)) > 0:
        more = draw(st.integers(0, 39))
        people = st.tuples(somebody, st.sampled_from(_TIMES))
        first = (draw(somebody), draw(st.integers(1, 12)))  # the population has people
        population = [first, *draw(st.lists(people, min_size=more, max_size=39))]
        found = st.sampled_from([person for person, times in population if times > 0])
        somebody = found if unmatched == "error" else st.one_of(found, somebody)
    kinds = draw(st.lists(somebody, min_size=1, max_size=6))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=draw(st.integers(1, 12)), max_size=12))
    records = [_with_gaps(draw, record) if gaps else dict(record) for record in chosen]

    least = {a: {row[0]: draw(st.integers(0, len(row) - 1)) for row in rows} for a, rows in of.items()}
    floors = [{a: least[a][value] for a, value in record.items() if value is not None} for record in records]
    money = draw(payoffs())
    return World(
        ladders=of, weights=weights, records=records, population=population, unmatched=unmatched, floors=floors, **money
    )


def nested_ladder(leaves: int) -> list[list[str]]:
    """Return a ladder whose first group gets one more leaf at each level."""
    first = LEAVES[:leaves]
    return [
        [leaf, *("|".join(first[: level + 1]) if place <= level else leaf for level in range(1, leaves - 1)), "*"]
        for place, leaf in enumerate(first)
    ]


@st.composite
def chains(draw: st.DrawFn) -> World:
    """Draw a world in which many payoffs differ by about the tolerance, so that equal payoffs form chains.

    More general strategies lose no value and match more people: an attack costs the publisher a little less each step.
    """
    of = {
        "heavy": [["p", "*"], ["q", "*"]],
        "a": nested_ladder(draw(st.integers(3, 6))),
        "b": nested_ladder(draw(st.integers(2, 4))),
    }
    records = [{"heavy": "p", "a": "p", "b": draw(st.sampled_from([row[0] for row in of["b"]]))} for _ in range(2)]
    people = st.tuples(values(of, missing=False), st.integers(0, 3))
    benefit = draw(_WHOLE)
    floor = {"heavy": 0, "a": draw(st.integers(0, 1)), "b": draw(st.integers(0, 1))}
    return World(
        ladders=of,
        weights={"heavy": 1.0, "a": 0.0, "b": 0.0},
        records=records,
        population=[*((record, 1) for record in records), *draw(st.lists(people, min_size=5, max_size=30))],
        benefit=benefit,
        loss=draw(st.integers(1, 24)) * 2**0.5 * SAME * benefit,  # irrational: no difference equals the tolerance
        gain=draw(st.sampled_from((10.0, 1000.0))),
        cost=1.0,
        floors=[floor, floor],
    )


def few_strategies(world: World, most: int = 24) -> World:
    """Return the world without its last attributes, so that at most ``most`` strategies are left.

    The heaviest attribute goes to the front, so that the rest has information to lose.
    """
    first = max(world.ladders, key=lambda attribute: world.weights[attribute] * (len(world.ladders[attribute]) > 1))
    left = [first, *(attribute for attribute in world.ladders if attribute != first)]
    while prod(len(world.ladders[attribute][0]) for attribute in left) > most:
        left.pop()

    def of(values: Values) -> Values:
        return {attribute: values[attribute] for attribute in left}

    return replace(
        world,
        ladders={attribute: world.ladders[attribute] for attribute in left},
        weights={attribute: world.weights[attribute] for attribute in left},
        records=[of(record) for record in world.records],
        population=world.population and [(of(person), times) for person, times in world.population],
        floors=[{name: level for name, level in floor.items() if name in left} for floor in world.floors],
    )


def _with_gaps(draw: st.DrawFn, record: Values) -> Values:
    """Remove one in ten values of a record: it still matches the people that it matched."""
    lost = draw(st.integers(0, 10 ** len(record) - 1))
    return {name: None if lost // 10**place % 10 == 9 else value for place, (name, value) in enumerate(record.items())}


# One leaf more at each step finds one person more, at no price: the payoffs are -4.2,
# -2.1, -1.4, -1.05, -.84 and -.7 tolerances off, of which the third is the first within one of the best.
RISING = World(
    ladders={"heavy": [["p", "*"], ["q", "*"]], "free": nested_ladder(6)},
    weights={"heavy": 1.0, "free": 0.0},
    records=[{"heavy": "p", "free": "p"}],
    population=[({"heavy": "p", "free": leaf}, 1) for leaf in "pqrstu"],
    benefit=1000.0,
    loss=4.2 * SAME * 1000,
    gain=100.0,
    cost=1.0,
    floors=[{"free": 1}],
)

# Only (1, 0, 0) and (0, 1, 1) and those above hide the record among four. The first loses half a tolerance more.
_PAIR = [["p", "*"], ["q", "*"]]
HIDDEN = World(
    ladders={"a": _PAIR, "b": _PAIR, "c": _PAIR},
    weights={"a": 1 + SAME, "b": 0.5, "c": 0.5},
    records=[{"a": "p", "b": "p", "c": "p"}],
    population=[({"a": a, "b": b, "c": b}, times) for a, b, times in (("p", "p", 1), ("q", "p", 3), ("p", "q", 3))],
    benefit=100.0,
    loss=50.0,
    gain=3.5,
    cost=1.0,
)

# No person matches the record until its value is hidden.
STRANGER = replace(HIDDEN, population=[({"a": "q", "b": "q", "c": "q"}, 1)], unmatched="safe")

CROSSING = World(
    ladders={"a": [["p", "*"], ["q", "*"]], "b": [["p", "*"], ["q", "*"]]},
    weights={"a": 1.0, "b": 3.0},
    records=[{"a": "p", "b": "p"}],
    population=[({"a": "p", "b": "p"}, 1), ({"a": "q", "b": "p"}, 1), ({"a": "p", "b": "q"}, 99)],
    benefit=50.0,
    loss=50.0,
    gain=10.0,
    cost=1.0,
)
