"""The command ``gamedeid frontier``: risk against utility, for uniform policies and for a strategy for each record."""

from gamedeid.cli.options import (
    Cluster,
    Engine,
    Json,
    Memory,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    Risk,
    ScenarioPath,
    Spill,
    chosen_read_options,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress
from gamedeid.extras import require


def frontier(
    scenario: ScenarioPath,
    *,
    output: Output = None,
    risk: Risk = "adversary",
    policy: PolicyName = None,
    overrides: Overrides = None,
    engine: Engine = "auto",
    memory: Memory = "2GiB",
    spill: Spill = None,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Set risk against utility: all uniform policies, a strategy for each record, the policy and the games.

    A uniform policy releases all records at one strategy. Writes frontier.json, uniform.csv, curve.csv, frontier.svg
    and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.analysis.risk_utility import risk_utility
    from gamedeid.data.engines.clusters import connected
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.risk_utility import print_risk_utility
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    read_options = chosen_read_options(engine, memory, spill, cluster)
    if output is not None:
        require("pictures", "the picture in -o DIR")
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase, connected(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        result = risk_utility(study, risk=risk, progress=phase)
        if folder is not None:
            phase("writing the results")
            result.write_files(folder)
        else:
            study.inputs.check()
    if as_json:
        print_json(result.as_dict())
        return
    to = console()
    print_risk_utility(result, to)
    to.print(
        f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for tables and picture."
    )
