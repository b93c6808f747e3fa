"""Breakpoints along each stake: against the paper's adversary, and against the same one as a recipient of the scenario.

Both start from a compiled frontier; only the paper's leaves out strategies that cannot be best while attacked.
The last column says whether both found the same stretches, to the last bit.

Run: ``python benchmarks/breakpoints.py [--rounds 9] [--smoke]``
"""

import dataclasses
from functools import partial

import numpy as np
from measure import arguments, in_turn, rounds_of
from subjects import Subject, measured_scenarios

from gamedeid.analysis.stretches import StakeStretches, game_stretches
from gamedeid.game.frontier import Frontier
from gamedeid.game.recipients import Recipients
from gamedeid.scenario.grid import STAKES
from gamedeid.scenario.recipients import Recipient


def main() -> None:
    """Print one row per scenario, stake and game: seconds of both, their ratio, and whether they agree."""
    options = arguments(__doc__, rounds=9).parse_args()
    print("| scenario | stake | game | one recipient, s | one adversary, s | recipient / adversary | same bits |")
    print("|---|---|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        study = Subject.load(name).study
        instance, floors = study.instance, study.game("basic").floors
        only = Recipients.compile({"only": Recipient()}, instance.hierarchies, instance.lattice, vary=True)
        frontier = study.frontier("basic")
        facing = dataclasses.replace(instance.uncounted(), recipients=only)
        against = Frontier.compile(facing, floors)
        for stake in STAKES:
            for game in ("basic", "no-attack"):
                asked = {"stake": stake, "forbids_attack": game == "no-attack"}
                of_one = partial(game_stretches, instance, frontier, **asked)
                of_several = partial(game_stretches, facing, against, **asked)
                pair = in_turn(of_one, of_several, rounds_of(options))
                one, several = pair.medians
                same = alike(of_several(), of_one())
                print(f"| {name} | {stake} | {game} | {several:.4f} | {one:.4f} | {pair.ratio:.2f} | {same} |")


def alike(some: StakeStretches, others: StakeStretches) -> bool:
    """Return whether two answers are equal to the last bit."""
    names = ("starts", "lows", "nodes", "replies", "benefit_share")
    return all(np.array_equal(getattr(some, name), getattr(others, name)) for name in names) and all(
        np.array_equal(one, other) for one, other in zip(some.losses, others.losses, strict=True)
    )


if __name__ == "__main__":
    main()
