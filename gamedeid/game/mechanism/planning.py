"""Which search plans which game of the whole population, and what the scenario asks of it."""

from gamedeid.choices import AwareGameName, SearchName
from gamedeid.data.profiles import Cells
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism import basic, no_attack
from gamedeid.game.mechanism.plan import Plan
from gamedeid.progress import Progress, no_progress, phases_of
from gamedeid.scenario.mechanism import Mechanism

SEARCHES: dict[AwareGameName, SearchName] = {"aware-basic": "replying", "aware-no-attack": "regrouping"}
"""The game -> how its strategies are found."""


def plan_game(
    game: AwareGameName,
    instance: Instance,
    cells: Cells,
    asked: Mechanism | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Find strategies for everybody in one of the games against an adversary who knows them.

    Parameters
    ----------
    game : "aware-basic" or "aware-no-attack".
    instance : the question, of the records.
    cells : the population, in the codes of the same hierarchies.
    asked : what the scenario says of it.
    progress : called with (phases done, phases in all).

    Raises
    ------
    InvalidScenarioError : the scenario says what the game has no use for.
    """
    given = asked or Mechanism()
    if game == "aware-no-attack":
        phases = no_progress if progress is None else phases_of(progress, no_attack.PHASES)
        return no_attack.plan_no_attack(
            instance, cells, planned_for=given.planned_for, steps=given.steps, progress=phases
        )
    if given.planned_for != "population":
        raise InvalidScenarioError(f"mechanism.planned_for: the game {game} is planned for the population only")
    if given.steps is not None:
        raise InvalidScenarioError(
            f"mechanism.steps: the game {game} replies until nothing changes; steps are of the game aware-no-attack"
        )
    return basic.plan_basic(
        instance, cells, progress=no_progress if progress is None else phases_of(progress, basic.PHASES)
    )
