"""All three games against three recipients, and against one adversary, from compiled instances without counts on.

The recipients: a researcher who knows all, a list of voters with ages and ZIP codes at a level that covers 0.6 of the
people, and a thief with cost 0 and probability 0.001.

Run: ``python benchmarks/recipients.py [--rounds 9] [--smoke]``
"""

import argparse
import dataclasses
from collections.abc import Mapping
from functools import partial

from measure import in_turn
from subjects import Subject, available

from gamedeid.choices import GAMES
from gamedeid.game.recipients import Recipients
from gamedeid.scenario.recipients import Recipient
from gamedeid.study.solution import solve_study
from gamedeid.study.study import Study

THREE: Mapping[str, Mapping[str, object]] = {
    "researcher": {},
    "voters": {"levels": {"age": 1, "zip": 2}, "covers": 0.6},
    "thief": {"cost": 0, "probability": 0.001},
}


def main() -> None:
    """Print one row per scenario: seconds of both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--smoke", action="store_true", help="one round on small data: only shows that it runs")
    options = parser.parse_args()
    recipients = {name: Recipient.model_validate(one) for name, one in THREE.items()}
    print("| scenario | three recipients, s | one adversary, s | three / one |")
    print("|---|---|---|---|")
    for name in available("quickstart") if options.smoke else available("quickstart", "adult_tn"):
        study = Subject.load(name).study
        facing = study.with_scenario(study.scenario.model_copy(update={"recipients": recipients}))
        rounds = 1 if options.smoke else options.rounds
        three, one = in_turn(partial(play, study, facing.instance.recipients), partial(play, study), rounds).medians
        print(f"| {name} | {three:.4f} | {one:.4f} | {three / one:.2f} |")


def play(study: Study, recipients: Recipients | None = None) -> None:
    """Solve all games and take their measures; nobody is counted before."""
    uncounted = dataclasses.replace(study.uncounted(), recipients=recipients)
    there = dataclasses.replace(study, instance=uncounted)
    for game in GAMES:
        solve_study(there, game).measures  # noqa: B018  (computed when asked for)


if __name__ == "__main__":
    main()
