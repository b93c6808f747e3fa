"""(m) Whether drawing strategies at random pays the publisher if the adversary knows the mechanism, on small worlds.

A mechanism that draws gives each profile i the chances x_ij of its released groups j. Who knows these chances and sees
j guesses the right person with the chance max_i x_ij / sum_i w_i x_ij, with w_i the people of each profile. That no
attack pays is linear in x: the best mechanism that draws is a linear program, the best that does not is the same in
whole numbers. Nothing is timed here: the figures are exact and the same on every machine.

Run: ``python benchmarks/mixing.py [--smoke]``
"""

import argparse
from itertools import product

import numpy as np
from scipy.optimize import LinearConstraint, milp

WORLDS, SEED, SAME = 200, 7, 1e-6
SIZES = (4, 8, 12)


def groups_of(profiles: list[tuple[int, int]]) -> dict[tuple[str, str], list[int]]:
    """Return released group -> its profiles: two attributes of the values 0 to 3, of three levels: value, pair, all."""
    labels = [(str, lambda value: f"[{value // 2}]", lambda _: "*")] * 2
    groups: dict[tuple[str, str], list[int]] = {}
    for first, second in product(labels[0], labels[1]):
        for number, (one, other) in enumerate(profiles):
            groups.setdefault((first(one), second(other)), []).append(number)
    return groups


def value_of(group: tuple[str, str]) -> float:
    """Return v(g) of a benefit of 100: two values lose a quarter of the information, all four the half."""
    return 100 - sum({"[": 25, "*": 50}.get(label[0], 0) for label in group)


def best_mechanism(people: list[int], groups: dict[tuple[str, str], list[int]], least: float, *, draws: bool) -> float:
    """Return the greatest total payoff over the population at which nobody is attacked, dollars; withheld pays 0.

    Parameters
    ----------
    people : of each profile.
    groups : released group -> its profiles.
    least : gain / cost: a group is left alone if each chance is at most the sum of all, by people, divided by it.
    draws : whether strategies may be drawn; else each is chosen for certain.
    """
    moves = [(group, one) for group, members in groups.items() for one in members]
    worth = np.array([people[one] * value_of(group) for group, one in moves])
    rows, most = [], []
    for profile in range(len(people)):
        rows.append([float(one == profile) for _, one in moves])
        most.append(1.0)
    for number, (group, _) in enumerate(moves):
        row = [-people[one] / least * (other == group) for other, one in moves]
        row[number] += 1.0
        rows.append(row)
        most.append(0.0)
    whole = np.full(len(moves), 0 if draws else 1)
    limits = LinearConstraint(np.array(rows), -np.inf, np.array(most))
    found = milp(-worth, constraints=limits, integrality=whole, bounds=(0, 1))
    return float(-found.fun)


def best_by_enumeration(people: list[int], groups: dict[tuple[str, str], list[int]], least: float) -> float:
    """Return the best payoff without drawing, every assignment tried: what the whole numbers must come to."""
    open_to = [[None, *(group for group, members in groups.items() if one in members)] for one in range(len(people))]
    best = 0.0
    for chosen in product(*open_to):
        sizes = {group: sum(w for w, own in zip(people, chosen, strict=True) if own == group) for group in set(chosen)}
        if all(group is None or size >= least for group, size in sizes.items()):
            paid = sum(w * value_of(group) for w, group in zip(people, chosen, strict=True) if group is not None)
            best = max(best, paid)
    return best


def example() -> tuple[float, float]:
    """Return the payoffs of the worked example in the documentation, without drawing and with it."""
    groups = {("p", "*"): [0, 1], ("*", "q"): [1, 2]}
    return tuple(best_mechanism([2, 3, 2], groups, 4, draws=draws) for draws in (False, True))  # type: ignore[return-value]


def main() -> None:
    """Print a row for each kind of world: how often drawing pays, and how much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few worlds: only shows that it runs")
    worlds = 5 if parser.parse_args().smoke else WORLDS
    print("Worked example: ${:.0f} without drawing, ${:.0f} with it.\n".format(*example()))
    print("| profiles | gain / cost | worlds | drawing pays | mean gain | greatest gain | mean gain of payoff |")
    print("|---|---|---|---|---|---|---|")
    for profiles, least in product(SIZES, (3, 6, 12)):
        generator = np.random.default_rng(SEED)
        gains, shares = [], []
        for _ in range(worlds):
            places = generator.permutation(16)[:profiles]
            people = generator.integers(1, 6, profiles).tolist()
            groups = groups_of([(int(place) // 4, int(place) % 4) for place in places])
            fixed, drawn = (best_mechanism(people, groups, least, draws=draws) for draws in (False, True))
            if profiles == min(SIZES) and abs(fixed - best_by_enumeration(people, groups, least)) > SAME:
                raise SystemExit("the whole numbers are not the best assignment")
            gains.append((drawn - fixed) / sum(people))
            shares.append((drawn - fixed) / fixed if fixed > 0 else 0.0)
        pays = np.array(gains) > SAME
        print(
            f"| {profiles} | {least} | {worlds} | {pays.mean():.1%} | ${np.mean(gains):.2f} a person "
            f"| ${np.max(gains):.2f} a person | {np.mean(shares):.1%} |"
        )


if __name__ == "__main__":
    main()
