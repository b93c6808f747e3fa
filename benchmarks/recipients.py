"""All three games against three recipients, and against one adversary, from compiled instances on, counting included.

The recipients: a researcher who knows all, a list of voters with ages and ZIP codes at a level that covers 0.6 of the
people, and a thief with cost 0 and probability 0.001. Again with a separate population of the voters, a copy of
the study's; and again with voters who may learn the rest with probability 0.5, at a price of 1 dollar.

Run: ``python benchmarks/recipients.py [--rounds 9] [--smoke]``
"""

import dataclasses
from collections.abc import Mapping
from functools import partial

import numpy as np
from measure import arguments, in_turn, rounds_of
from subjects import Subject, measured_scenarios

from gamedeid.choices import GAMES
from gamedeid.game.recipients import Recipients
from gamedeid.population.choose import OwnPeople
from gamedeid.scenario.recipients import Recipient
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

THREE: Mapping[str, Mapping[str, object]] = {
    "researcher": {},
    "voters": {"levels": {"age": 1, "zip": 2}, "covers": 0.6},
    "thief": {"cost": 0, "probability": 0.001},
}
LEARNS: Mapping[str, object] = {"knows": ["sex", "race"], "levels": {"zip": 0}, "probability": 0.5, "price": 1}


def main() -> None:
    """Print one row per scenario: seconds of both, and their ratio."""
    options = arguments(__doc__, rounds=9).parse_args()
    own = {"path": "population.csv", "unmatched": "safe"}  # never read: its people are those of the study
    print("| scenario | recipients | three recipients, s | one adversary, s | three / one |")
    print("|---|---|---|---|---|")
    for name in measured_scenarios(smoke=options.smoke):
        study = Subject.load(name).study
        instance = study.instance
        levels = np.zeros(instance.lattice.attributes, np.int64)
        people = {"voters": OwnPeople(cells=study.population.cells, levels=levels, unmatched="safe")}
        for what, voters, theirs in (
            ("in one population", {}, {}),
            ("one with its own population", {"population": own}, people),
            ("one who learns at a price", {"learns": LEARNS}, {}),
        ):
            sections = {**THREE, "voters": {**THREE["voters"], **voters}}
            recipients = {name: Recipient.model_validate(one) for name, one in sections.items()}
            data = dataclasses.replace(instance.data, own=theirs)
            with_own = dataclasses.replace(study, instance=dataclasses.replace(instance, data=data))
            facing = Recipients.compile(recipients, instance.hierarchies, instance.lattice, list(theirs), vary=True)
            rounds = rounds_of(options)
            three, one = in_turn(partial(play, with_own, facing), partial(play, study), rounds).medians
            print(f"| {name} | {what} | {three:.4f} | {one:.4f} | {three / one:.2f} |")


def play(study: Study, recipients: Recipients | None = None) -> None:
    """Solve all games and take their measures; no people are counted before."""
    uncounted = study.instance.uncounted()
    if recipients is not None:
        uncounted = dataclasses.replace(uncounted, recipients=recipients)
    there = dataclasses.replace(study, instance=uncounted)
    for game in GAMES:
        solve(there, game=game).measures  # noqa: B018  (computed when asked for)


if __name__ == "__main__":
    main()
