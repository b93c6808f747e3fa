"""The command ``gamedeid compare``: the policy and the three games side by side."""

from gamedeid.cli.options import (
    Cluster,
    Engine,
    Json,
    Memory,
    Output,
    Overrides,
    Overwrite,
    PolicyName,
    ScenarioPath,
    Solver,
    Spill,
    chosen_read_options,
    print_json,
    read_scenario,
    results_folder,
)
from gamedeid.cli.progress import progress


def compare(
    scenario: ScenarioPath,
    *,
    output: Output = None,
    solver: Solver = "exact",
    policy: PolicyName = None,
    overrides: Overrides = None,
    engine: Engine = "auto",
    memory: Memory = "2GiB",
    spill: Spill = None,
    cluster: Cluster = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare a policy (Safe Harbor unless you say otherwise) with the three games.

    Shows the payoff of each if the recipient counts matching people, and if the recipient also knows how the release
    was made. Where few records are their own population, with the games aware-basic and aware-no-attack too.

    Safe Harbor here generalizes attributes only: whether the publisher has actual knowledge, and the identifiers of
    relatives, employers and household members, are not looked at (45 CFR 164.514(b)(2)).

    Writes comparison.csv, comparison.json and manifest.json into -o DIR; without -o nothing is written.
    """
    from gamedeid.analysis.comparison import compare, in_groups
    from gamedeid.data.engines.clusters import connected
    from gamedeid.study.study import Study

    question = read_scenario(scenario, overrides, policy)
    read_options = chosen_read_options(engine, memory, spill, cluster)
    with results_folder(output, overwrite=overwrite) as folder, progress() as phase, connected(read_options):
        study = Study.prepare(question, read_options=read_options, progress=phase)
        comparison = compare(study, solver=solver, progress=lambda game: phase(f"{game} game"))
        if folder is not None:
            phase("writing the results")
            comparison.write_files(folder)
        else:
            study.inputs.check()
    if as_json:
        print_json(comparison.as_dict())
        return
    from gamedeid.report.terminal.console import console
    from gamedeid.report.terminal.results import print_comparison

    to = console()
    print_comparison(comparison, to)
    if study.is_own_population and not in_groups(study):
        to.print("With so many profiles the aware games take long; gamedeid run --game aware-basic plays one of them.")
    to.print(f"Written to {output}." if output is not None else "Nothing was written; add -o DIR for the tables.")
