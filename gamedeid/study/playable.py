"""Which questions take which games: refuse those that a game, or an adversary, is not defined for."""

from gamedeid.data.engines.lazy import LazyRows
from gamedeid.errors import InvalidScenarioError
from gamedeid.study.study import Study


def refuse_unlimited(study: Study) -> None:
    """Refuse records among which no limits on the whole dataset are kept.

    Parameters
    ----------
    study : the question.

    Raises
    ------
    InvalidScenarioError : they are a lazy frame.
    """
    if isinstance(study.rows, LazyRows):
        study.scenario.refuse_limits("a lazy frame")


def refuse_unknown_people(study: Study, what: str) -> None:
    """Refuse a population in which nobody can tell what would become of each person.

    Parameters
    ----------
    study : the question.
    what : what needs the population as it is, a singular, as the message ends.

    Raises
    ------
    InvalidScenarioError : only some levels of the population are known, or only a sample of it; or rows of a person
        differ, and the records are not their own population.
    """
    if study.population.estimate is not None:
        key = f"population.{study.population.estimate}"
        raise InvalidScenarioError(
            f"{key}: the population is estimated, so nobody can tell how each person of it would be released; {what} "
            "needs a population with every attribute as it is"
        )
    if study.instance.profiles.floors is not None and not study.is_own_population:
        raise InvalidScenarioError(
            "records.person: records of a person differ, and the population does not tell whose would; "
            f"{what} needs one row for each person, or records that are their own population"
        )


def refuse_unknown_profiles(study: Study, game: str) -> None:
    """Refuse a question in which the strategies of the whole population cannot be chosen.

    Parameters
    ----------
    study : the question.
    game : what messages call it.

    Raises
    ------
    InvalidScenarioError : there are several recipients or limits, the population is estimated, records of a person
        differ and are not their own population, the study is of one person, the records are a lazy frame, or there are
        too many strategies.
    """
    study.scenario.refuse_limits(f"the game {game}")
    study.instance.refuse_recipients(f"strategies of the game {game}")
    refuse_unknown_people(study, f"the game {game}")
    if study.person:
        raise InvalidScenarioError(f"the game {game} is of all records together, and not of one person")
    if isinstance(study.rows, LazyRows):
        raise InvalidScenarioError(f"the game {game} is not played on a lazy frame; collect it first")
    study.instance.lattice.check_tables(f"the game {game} tries every strategy, of", "use fewer attributes or levels")
