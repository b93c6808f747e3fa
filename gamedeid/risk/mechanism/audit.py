"""Audit a folder of results: its release against an adversary who knows how it was made."""

from os import PathLike
from typing import cast

from gamedeid.capabilities import Operation, check
from gamedeid.choices import AWARE_GAMES, GAMES, PLAN, SolverName
from gamedeid.data.engines.options import AUTOMATIC, ReadOptions
from gamedeid.game.mechanism.aware_people import aware_people
from gamedeid.progress import Phases, no_progress
from gamedeid.risk.mechanism.aware_risk import AwareRisk, aware_risk, risk_of
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.finished import FinishedRun
from gamedeid.study.mechanism import AwareKnowledge
from gamedeid.study.solve import policy_solution, solve
from gamedeid.study.study import Study


def audit(
    folder: str | PathLike[str],
    scenario: ScenarioLike | None = None,
    *,
    read_options: ReadOptions = AUTOMATIC,
    progress: Phases = no_progress,
) -> AwareRisk:
    """Tell what a finished release is worth to an adversary who knows how it was made.

    The strategies of everybody are read where the folder has them, as that of a game of the whole population does.
    Otherwise the question is solved again, after it is certain that scenario and inputs are those of the folder, and
    that its files are what its manifest says: the same question gives the same strategies. Then the same is done for
    every person of the population.

    Parameters
    ----------
    folder : what ``gamedeid run -o`` or ``Solution.write`` has written.
    scenario : the question, which says where the files are; without it they are looked for from the current folder, by
        the names that the manifest has.
    read_options : how files are read; as suits their size unless given.
    progress : opens a phase by name, and returns what to tell (done, total).

    Returns
    -------
    the release beside an adversary who knows the mechanism, as :func:`aware_risk` has it.

    Raises
    ------
    OutputError : the folder holds no results of a run, or those of another version, or a file of it has changed.
    InvalidScenarioError : the scenario is another, its records were a data frame, the population is estimated, or
        there were limits on the whole dataset and the records were not their own population.
    InvalidDataError : an input is not there, or is another; or the results, computed again, are others.
    """
    finished = FinishedRun.read(folder)
    check(Operation.METHOD, finished.features, finished.folder)
    finished.refuse_changed_files()
    finished.refuse_frames()
    question = finished.question(scenario)
    finished.refuse_another_question(question)
    study = Study.prepare(question, read_options=read_options, progress=progress)
    finished.refuse_other_inputs(study.inputs.digests, records=True)
    if PLAN in finished.stored.outputs:
        plan, solution = finished.plan_of(study)
        people = aware_people(plan.everybody.instance, plan.nodes, study.instance, solution.choice.nodes)
        return risk_of(solution, AwareKnowledge(people=people))
    report_progress = progress(f"{finished.game} release")
    if finished.game in AWARE_GAMES:
        solution = solve(study, game=finished.game, progress=report_progress)
    elif finished.game in GAMES:
        solver = cast("SolverName", finished.stored.solver)
        solution = solve(study, game=finished.game, solver=solver, progress=report_progress)
    else:
        solution = policy_solution(study, study.policy(finished.game))
    finished.refuse_other_results(solution)
    return aware_risk(solution, progress=progress("the population's own strategies"))
