"""Does a recipient who knows the mechanism succeed as a count person by person, on every possible list, says?"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_recipients import PlainRecipient, recipients_of
from oracles import Strategy, Values, World, label, seen
from recipient_instances import instance_with
from worlds import few_strategies, worlds

from gamedeid.game.mechanism.aware_people import aware_attacks, groups_in_common
from gamedeid.kernels.tables import WITHHELD

MOST = 7
"""Most people who may match if the recipient's list is incomplete: all lists of them are tried."""


def known_of(world: World, person: Values, known: dict[str, int]) -> tuple[str | None, ...]:
    """Return what a list says about a person."""
    return tuple(
        None if person[name] is None else label(world.ladders[name], person[name], level)
        for name, level in known.items()
        if level < len(world.ladders[name][0]) - 1
    )


def chances(
    world: World,
    everybody: list[tuple[Values, Strategy | None]],
    record: Values,
    strategy: Strategy,
    known: dict[str, int],
) -> list[tuple[float, bool]]:
    """Return for each person the recipient's expected chance of success, and whether it may be the right one."""
    shown = seen(world, record, strategy)
    like = [own == strategy and seen(world, person, strategy) == shown for person, own in everybody]
    found = []
    for (person, _), right in zip(everybody, like, strict=True):
        told = known_of(world, person, known)
        alike = [place for place, (other, _) in enumerate(everybody) if known_of(world, other, known) == told]
        share = sum(like[place] for place in alike) / len(alike)
        found.append((share / sum(like) if any(like) else 0.0, right))
    return found


def over_all_lists(expected: list[tuple[float, bool]], recipient: PlainRecipient) -> tuple[bool, float, float]:
    """Return whether the recipient attacks on some list, and the chances that it attacks and that it succeeds.

    All people who are released like the record are equally likely to be the right one.
    """
    after = [(chance, right) for chance, right in expected if chance > 0]
    targets = sum(right for _, right in after)
    attacks, found, named = False, 0.0, 0.0
    lists = [(True,) * len(after)] if recipient.covers == 1 else product((False, True), repeat=len(after))
    for held in lists:
        on_list = [place for place, there in enumerate(held) if there]
        likely = recipient.covers ** len(on_list) * (1 - recipient.covers) ** (len(after) - len(on_list))
        if not on_list or not likely:
            continue
        best = max(after[place][0] for place in on_list)
        if not recipient.gain * best > recipient.cost * (1 + 1e-9):
            continue
        picked = [place for place in on_list if after[place][0] > best * (1 - 1e-9)]
        attacks = True
        found += likely
        named += likely * sum(after[place][1] for place in picked) / len(picked) / targets
    return attacks, found, named


@given(data=st.data())
def test_a_recipient_has_the_mean_success_over_all_lists(data):
    world = few_strategies(data.draw(worlds(missing=False)), 16)
    people = [values for values, times in world.population or [] for _ in range(times)] or world.records
    world = replace(world, records=people[:40], population=None, floors=[{}] * len(people[:40]))
    drawn = [replace(one, people=None, price=0.0) for one in data.draw(recipients_of(world))]
    there = instance_with(world, drawn)
    if there.recipients.is_paper_adversary:  # the paper's one adversary
        return
    lattice, profiles = there.lattice, there.profiles
    drawn_nodes = st.lists(st.integers(WITHHELD, lattice.size - 1), min_size=profiles.count, max_size=profiles.count)
    chosen, nodes = (np.array(data.draw(drawn_nodes), np.int64) for _ in range(2))
    nodes = np.where(data.draw(st.booleans()), chosen, nodes)
    as_one = data.draw(st.booleans())

    found = aware_attacks(there, groups_in_common(there, chosen, there, nodes), there, unmatched_as_one=as_one)

    knowledge = [(one, known) for one in drawn if one.probability for known in knowledge_of(one)]
    own = [None if node == WITHHELD else tuple(lattice.levels_of(int(node))) for node in chosen]
    everybody = [(person, own[profile]) for person, profile in zip(world.records, profiles.of_record, strict=True)]
    for (recipient, known), looks in zip(knowledge, found, strict=True):
        for profile, node in enumerate(nodes.tolist()):
            record = world.records[int(np.flatnonzero(profiles.of_record == profile)[0])]
            expected = [(0.0, False)]
            if node != WITHHELD:
                expected = chances(world, everybody, record, tuple(lattice.levels_of(node)), known)
                if as_one and not any(right for _, right in expected):
                    expected = unlike(world, record, known)
            if recipient.covers < 1 and sum(chance > 0 for chance, _ in expected) > MOST:
                continue
            attacks, met, named = over_all_lists(expected, recipient)
            assert attacks == looks.attacks[profile]
            assert looks.attack_probability[profile] == pytest.approx(met)
            assert looks.success_probability[profile] == pytest.approx(named)


def knowledge_of(recipient: PlainRecipient) -> list[dict[str, int]]:
    """Return what the recipient may know when it decides, with what it has learned first."""
    return [known for chance, known in reversed(recipient.knowledge()) if chance]


def unlike(world: World, record: Values, known: dict[str, int]) -> list[tuple[float, bool]]:
    """Return the same for a record unlike any released one: it is one of those with the same known values."""
    told = known_of(world, record, known)
    alike = sum(known_of(world, person, known) == told for person in world.records)
    return [(1 / alike, place == 0) for place in range(alike)]


def test_a_recipient_who_knows_only_sex_finds_all_people_of_that_sex():
    """Two of four men are released as 48; a recipient who knows only sex cannot know which: 2/4 of 1/2."""
    world = World(
        ladders={"age": [["48", "*"], ["51", "*"]], "sex": [["f", "*"], ["m", "*"]]},
        weights={"age": 1.0, "sex": 1.0},
        records=[{"age": age, "sex": "m"} for age in ("48", "48", "51", "51")] + [{"age": "48", "sex": "f"}],
        benefit=100,
        loss=90,
        gain=90,
        cost=20,
    )
    recipient = PlainRecipient(probability=1.0, gain=90, cost=20, loss=90, covers=1.0, known={"sex": 0})
    there = instance_with(world, [recipient], {"neighbour": recipient.section})
    as_they_are = np.zeros(there.profiles.count, np.int64)
    (looks,) = aware_attacks(
        there, groups_in_common(there, as_they_are, there, as_they_are), there, unmatched_as_one=False
    )

    chance_of_a_man, chance_of_the_woman = 1 / 4, 1.0
    assert [chance_of_a_man] * 4 + [chance_of_the_woman] == looks.success_probability[there.profiles.of_record].tolist()
    assert looks.attacks.all()  # 90 > 20 x 4
