"""The command ``gamedeid attack``: simulated attacks on a release."""

from functools import partial
from typing import Annotated

import typer

from gamedeid.choices import SIMULATED_RECIPIENTS
from gamedeid.cli.commands import FINDINGS
from gamedeid.cli.options import FinishedFolder, Json, OutputOptions, with_groups
from gamedeid.cli.printing import print_found
from gamedeid.cli.progress import progress
from gamedeid.cli.risk_tables import Seed, known_workers


@with_groups
def attack(
    finished: FinishedFolder,
    results: OutputOptions,
    *,
    recipients: Annotated[
        list[str] | None,
        typer.Option(
            "--recipient",
            metavar="NAME",
            help=f"Attacker: a recipient of the scenario, or {', '.join(SIMULATED_RECIPIENTS)}. May be repeated "
            "(default: all recipients of the scenario, or else naive and aware).",
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(metavar="NUMBER", help="Worlds that are drawn.")] = 10,
    covers: Annotated[
        float, typer.Option(metavar="SHARE", help="Recipient noisy: share of the people on the list.")
    ] = 0.9,
    wrong: Annotated[
        float, typer.Option(metavar="CHANCE", help="Recipient noisy: chance of a value of another person.")
    ] = 0.05,
    seed: Seed = 1,
    workers: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Threads for the work; results do not depend on it (default: all cores)."),
    ] = None,
    identity: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that names each person in records and register; no person is drawn at random.",
        ),
    ] = None,
    groups: Annotated[
        bool, typer.Option("--groups", metavar="", help="Print the attacks by the records' strategies too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let recipients attack a finished release, person by person, and count how often they are right.

    Reads the release as it was published, draws the person behind each row, and judges every guess. Also prints the
    numbers expected by the formulas; the exit code is 3 if the two disagree. Writes attack.json, attacks.csv and
    manifest.json into -o DIR; without it nothing is written.
    """
    from gamedeid.attacks.simulate import simulate_attacks
    from gamedeid.report.terminal.checks import print_attacks

    threads = known_workers(workers)
    folder, question = finished.read()
    with results.writing() as writer, progress() as phases:
        found = simulate_attacks(
            folder,
            question,
            recipients=recipients or None,
            repeats=repeats,
            seed=seed,
            workers=threads,
            covers=covers,
            wrong=wrong,
            identity=identity,
            phases=phases,
        )
        if writer is not None:
            found.write(writer)
    print_found(found, partial(print_attacks, groups=groups), as_json=as_json, last=results.where("tables"))
    if not found.agrees:
        raise typer.Exit(FINDINGS)
