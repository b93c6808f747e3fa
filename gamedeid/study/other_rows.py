"""Ask a finished question of other rows, where the strategy of a row does not depend on the rows beside it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gamedeid.data.profiles import Profiles
from gamedeid.data.tables import read_records
from gamedeid.errors import InvalidScenarioError
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

if TYPE_CHECKING:
    from gamedeid.data.engines.contract import Rows


def dependence_on_rows(scenario: Scenario, *, is_own_population: bool) -> tuple[str, str] | None:
    """Return the key of the scenario by which strategies depend on all rows, and how; None where they do not.

    Limits on the whole dataset are left to ``Scenario.refuse_limits``.

    Parameters
    ----------
    scenario : the question.
    is_own_population : whether the people are counted among the records.
    """
    if is_own_population:
        return "population", "the records are their own population, so with other rows all strategies are others"
    if scenario.population is not None and scenario.population.sampling_fraction is not None:
        return (
            "population.sampling_fraction",
            "the population is estimated from the records, so with other rows all strategies are others",
        )
    if scenario.records.person is not None:
        return "records.person", "a strategy is of all records of a person, and other rows may be of the same people"
    return None


def refuse_dependence(study: Study) -> None:
    """Refuse a question in which the strategy of a row depends on other rows.

    Parameters
    ----------
    study : the question.

    Raises
    ------
    InvalidScenarioError : the records are their own population, or a sample of it; several are one person's; or
        there are limits on the whole dataset.
    """
    study.scenario.refuse_limits("a release of rows by themselves")
    if (found := dependence_on_rows(study.scenario, is_own_population=study.is_own_population)) is not None:
        key, how = found
        instead = "solve all rows together" if key == "records.person" else "give a population of its own"
        raise InvalidScenarioError(f"{key}: {how}; {instead}")


def study_of_rows(study: Study, records: Any) -> Study:
    """Return the same question about other rows, in the same population and with the same hierarchies.

    Parameters
    ----------
    study : the question.
    records : a data frame with the columns of the scenario's records.

    Raises
    ------
    InvalidScenarioError : as :func:`refuse_dependence` does.
    InvalidDataError : rows that are not as the scenario says, or values that a hierarchy lacks.
    OutputError : what is left of an earlier run cannot be removed.
    UnmatchedRecordError : a row matches nobody in the population, and ``population.unmatched`` is "error".
    MissingExtraError : an engine's package is not installed.
    """
    refuse_dependence(study)
    table = read_records(study.scenario, records)
    hierarchies = list(study.instance.hierarchies.values())
    profiles = Profiles.of(study.encoded(table.columns), hierarchies, table.counted)
    instance = study.instance.about(profiles)
    instance.data.check_matches()
    rows = cast("Rows", table.rows)
    return replace(study, instance=instance, rows=rows, unmatched_records=0, repeated_keys=table.repeated_keys)
