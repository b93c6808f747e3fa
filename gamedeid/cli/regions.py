"""The command ``gamedeid regions``: the policy and the three games, region by region."""

from typing import Annotated

import typer

from gamedeid.cli.options import (
    Json,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    clear_parts,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress


def regions(
    scenario: ScenarioPath,
    *,
    output: Output = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Regions worked on at a time, each on one core; all cores unless given.", min=1
        ),
    ] = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare a policy with the three games for data that lie in a file for each region, and fit into no memory.

    Writes regions.csv, regions.json and manifest.json into -o DIR; without -o nothing is written. Finished regions wait
    in DIR.parts, and the same command goes on after them.
    """
    from gamedeid.analysis.regional_comparison import compare_regions, parts_of_regions
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_regions
    from gamedeid.study.region_study import RegionalStudy

    question = read_scenario(scenario, overrides, policy)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase:
        study = RegionalStudy.prepare(question, workers=workers, progress=phase)
        parts = None if output is None else parts_of_regions(study, output)
        comparison = compare_regions(study, parts=parts, progress=phase)
        if folder is not None:
            phase("writing the results")
            comparison.write_files(folder)
    if output is not None and parts is not None:
        clear_parts(parts, output)
    if as_json:
        print_json(comparison.as_dict())
        return
    to = console()
    print_regions(comparison, to)
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the tables.")
