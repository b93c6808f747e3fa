"""The commands ``gamedeid plot KIND``: results as pictures."""

import typer

from gamedeid.cli.options import Game, Json, Overrides, PolicyName, Record, ScenarioPath, Values
from gamedeid.cli.pictured import (
    File,
    Replace,
    Shown,
    Vary,
    VaryBoth,
    asked,
    check_shown,
    chosen_stakes,
    person_of,
    varied,
    varied_both,
    write_picture,
)
from gamedeid.cli.progress import progress

POINTS_OF_LINES, POINTS_OF_MAPS, POINTS_OF_SOLVERS = 41, 31, 21
"""Values of each stake that is varied, unless given."""

app = typer.Typer(help="Draw results as a picture: an image, or a page to point at.", no_args_is_help=True)


@app.command()
def lattice(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Game = "basic",
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the lattice of a record: both payoffs, the adversary's replies, and the strategy that is chosen."""
    from gamedeid.report.pictures.lattices import lattice_picture
    from gamedeid.study.study import Study

    question, (person, _) = asked(scenario, output, overrides, policy), person_of(record, values)
    with progress() as phase:
        phase("reading the data")
        picture = lattice_picture(Study.prepare(question).alone(**person), game)
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)


@app.command()
def strategies(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Game = "basic",
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw what each strategy of a record would bring both players, in walk order."""
    from gamedeid.report.pictures.strategies import strategies_picture
    from gamedeid.study.study import Study

    question, (person, _) = asked(scenario, output, overrides, policy), person_of(record, values)
    with progress() as phase:
        phase("reading the data")
        picture = strategies_picture(Study.prepare(question).alone(**person), game)
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)


@app.command()
def differences(
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw how the records' payoffs differ between each game and the policy, as histograms."""
    from gamedeid.analysis.comparison import compare_study
    from gamedeid.analysis.payoff_differences import differences_of
    from gamedeid.report.pictures.differences import histogram_picture
    from gamedeid.study.study import Study

    question = asked(scenario, output, overrides, policy)
    with progress() as phase:
        phase("reading the data")
        comparison = compare_study(Study.prepare(question), progress=lambda game: phase(f"{game} game"))
    write_picture(histogram_picture(differences_of(comparison)), output, overwrite=overwrite, as_json=as_json)


@app.command()
def scatter(
    scenario: ScenarioPath,
    *,
    output: File,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the records' payoffs under each game against those under the policy."""
    from gamedeid.analysis.comparison import compare_study
    from gamedeid.report.pictures.differences import scatter_picture
    from gamedeid.study.study import Study

    question = asked(scenario, output, overrides, policy)
    with progress() as phase:
        phase("reading the data")
        comparison = compare_study(Study.prepare(question), progress=lambda game: phase(f"{game} game"))
    write_picture(scatter_picture(comparison), output, overwrite=overwrite, as_json=as_json)


@app.command("record-map")
def record_map(
    scenario: ScenarioPath,
    *,
    output: File,
    record: Record = None,
    values: Values = None,
    game: Shown = "basic",
    vary: VaryBoth = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw a record's generalization, the adversary's reply and both payoffs over loss and benefit."""
    from gamedeid.analysis.record_sweep import record_sweep
    from gamedeid.analysis.sweep import columns_of
    from gamedeid.report.pictures.maps import map_picture
    from gamedeid.study.study import Study

    question, (person, named) = asked(scenario, output, overrides, policy), person_of(record, values)
    check_shown(game, question)
    axes = varied_both(question, vary, POINTS_OF_MAPS)
    with progress() as phase:
        phase("reading the data")
        study = Study.prepare(question).alone(**person)
        columns = columns_of(record_sweep(study, axes, progress=phase("points")))
    picture = map_picture(columns, chosen_stakes(question), game, record=named)
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)


@app.command("map")
def dataset_map(
    scenario: ScenarioPath,
    *,
    output: File,
    game: Shown = "basic",
    vary: VaryBoth = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw the mean generalization, the share attacked and both mean payoffs over loss and benefit."""
    from gamedeid.analysis.sweep import columns_of, sweep
    from gamedeid.report.pictures.maps import map_picture
    from gamedeid.study.study import Study

    question = asked(scenario, output, overrides, policy)
    check_shown(game, question)
    axes = varied_both(question, vary, POINTS_OF_MAPS)
    with progress() as phase:
        phase("reading the data")
        columns = columns_of(sweep(Study.prepare(question), axes, progress=phase("points")))
    write_picture(map_picture(columns, chosen_stakes(question), game), output, overwrite=overwrite, as_json=as_json)


@app.command()
def lines(
    scenario: ScenarioPath,
    *,
    output: File,
    vary: Vary = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw both mean payoffs under the policy and the games along benefit, loss and cost."""
    from gamedeid.analysis.sweep import columns_of, sweep
    from gamedeid.report.pictures.lines import lines_picture
    from gamedeid.study.study import Study

    question = asked(scenario, output, overrides, policy)
    axes = varied(question, vary, ("benefit", "loss", "cost"), POINTS_OF_LINES)
    with progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        along = {name: columns_of(sweep(study, [axis], progress=phase(name))) for name, axis in axes.items()}
    picture = lines_picture(along, chosen_stakes(question, *along))
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)


@app.command()
def deviation(
    scenario: ScenarioPath,
    *,
    output: File,
    game: Game = "basic",
    vary: Vary = None,
    policy: PolicyName = None,
    overrides: Overrides = None,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Draw how far lattice search stays from the best payoffs along benefit and loss."""
    from gamedeid.analysis.solver_comparison import sweep_solvers
    from gamedeid.report.pictures.deviation import deviation_picture
    from gamedeid.results.tables import rows_to_columns
    from gamedeid.study.study import Study

    question = asked(scenario, output, overrides, policy)
    axes = varied(question, vary, ("benefit", "loss"), POINTS_OF_SOLVERS)
    with progress() as phase:
        phase("reading the data")
        study = Study.prepare(question)
        along = {
            name: rows_to_columns(
                [row for one in sweep_solvers(study, [axis], game, progress=phase(name)) for row in one.rows]
            )
            for name, axis in axes.items()
        }
    picture = deviation_picture(along, chosen_stakes(question, *along))
    write_picture(picture, output, overwrite=overwrite, as_json=as_json)
