"""What a study is about, as plain values: its stakes, and how much was read."""

from typing import Any

from gamedeid.data.persons import Persons
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population
from gamedeid.study.study import Study


def stakes_of(scenario: Scenario) -> dict[str, float]:
    """Return the stakes of a scenario, dollars, as ``payoffs`` of ``summary.json``."""
    stakes = Payoffs.of(scenario.payoffs, scenario.recipients)
    return {"benefit": stakes.benefit, "loss": stakes.loss, "gain": stakes.adversary_gain, "cost": stakes.cost}


def data_of(study: Study) -> dict[str, Any]:
    """Return what was read, as ``data`` of ``summary.json`` and ``comparison.json``."""
    instance = study.instance
    return {
        "records": study.records,
        **({} if study.persons is None else {"persons": _persons_of(study, study.persons)}),
        "profiles": instance.profiles.count,
        "repeated_keys": [
            {"column": key.column, "rows": key.rows, "values": key.values} for key in study.repeated_keys
        ],
        "population": study.people,
        "population_rows": study.population_rows,
        "population_is_the_records": study.is_own_population,
        "unmatched": None if study.population_rows is None else (study.scenario.population or Population()).unmatched,
        "unmatched_records": study.unmatched_records,
        "population_levels": dict(study.population.known),
        "sampling_fraction": study.population.sampling_fraction,
        "strategies": instance.lattice.size,
    }


def _persons_of(study: Study, persons: Persons) -> dict[str, Any]:
    """Return what is known of the people whose records they are; nothing of their keys."""
    asked = study.scenario.records.pseudonyms
    return {
        "count": persons.count,
        "with_several_records": persons.with_several,
        "differing": dict(persons.differing),
        "pseudonyms": None if asked is False else study.scenario.pseudonym_column,
    }
