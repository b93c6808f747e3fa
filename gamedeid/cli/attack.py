"""The command ``gamedeid attack``: simulated attacks on a release as it was published."""

from typing import Annotated

import typer

from gamedeid.choices import SIMULATED_RECIPIENTS
from gamedeid.cli.exit_codes import FINDINGS
from gamedeid.cli.options import (
    ItsScenario,
    Json,
    Output,
    Overrides,
    Overwrite,
    ResultsFolder,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress
from gamedeid.cli.risk.uniqueness_study import Seed, known_workers

Recipients = Annotated[
    list[str] | None,
    typer.Option(
        "--recipient",
        metavar="NAME",
        help=f"Attacker: a recipient of the scenario, or {', '.join(SIMULATED_RECIPIENTS)}. May be repeated; unless "
        "given all recipients of the scenario, or else naive and aware.",
    ),
]


def attack(
    folder: ResultsFolder,
    scenario: ItsScenario = None,
    *,
    recipients: Recipients = None,
    repeats: Annotated[int, typer.Option(metavar="NUMBER", help="Worlds that are drawn.")] = 10,
    covers: Annotated[
        float, typer.Option(metavar="SHARE", help="Recipient noisy: share of the people on the list.")
    ] = 0.9,
    wrong: Annotated[
        float, typer.Option(metavar="CHANCE", help="Recipient noisy: chance that a value on the list is another's.")
    ] = 0.05,
    seed: Seed = 1,
    workers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Threads that share the work; they change no digit.")
    ] = None,
    identity: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Names each person in records and register: no person is drawn."),
    ] = None,
    groups: Annotated[
        bool, typer.Option("--groups", metavar="", help="Print the attacks by the records' strategies too.")
    ] = False,
    overrides: Overrides = None,
    output: Output = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Let recipients attack a finished release, person by person, and count how often they are right.

    Reads the release as it was published, draws the person behind each row, and judges every guess. Prints the numbers
    expected by the formulas too; the exit code is 3 where both disagree. Writes attack.json, attacks.csv and
    manifest.json into -o DIR; without it nothing is written.
    """
    from gamedeid.attacks.simulate import simulate_attacks
    from gamedeid.report.terminal.checks import print_attacks
    from gamedeid.report.terminal.console import console

    threads = known_workers(workers)
    question = None if scenario is None else read_scenario(scenario, overrides)
    with results_folder(output, overwrite=overwrite) as writer, progress() as phases:
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
            found.write_files(writer)
    if as_json:
        print_json(found.as_dict())
    else:
        print_attacks(found, console(), groups=groups)
        written = "Nothing was written; add -o DIR for tables." if output is None else f"Written to {output}."
        console().print(written)
    if not found.agrees:
        raise typer.Exit(FINDINGS)
