"""What results of a study were made from, as plain values: its scenario, stakes, data and files."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.data.persons import Persons
from gamedeid.results import FolderWriter
from gamedeid.results.manifest import MANIFEST, manifest
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population
from gamedeid.study.study import Study
from gamedeid.study.warnings import as_values, data_warnings


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


Warnings: TypeAlias = Sequence[Mapping[str, str]]
"""As :func:`gamedeid.study.warnings.as_values` gives them."""


def manifest_of(
    study: Study, folder: FolderWriter, asked: Mapping[str, object], warnings: Warnings | None = None
) -> dict[str, Any]:
    """Return the manifest of the results that stand in ``folder`` by now."""
    question = study.scenario
    content = question.resolved()
    for name in ("records", "population"):
        if name not in study.inputs.files and content[name] is not None:
            content[name]["path"] = None  # a data frame came instead
    return manifest(
        scenario={**content, **asked},
        inputs=study.inputs,
        outputs=folder.digests,
        overridden=question.overridden,
        warnings=as_values(data_warnings(data_of(study))) if warnings is None else warnings,
    )


def write_manifest(
    study: Study, folder: FolderWriter, asked: Mapping[str, object], warnings: Warnings | None = None
) -> dict[str, Any]:
    """Write ``manifest.json``, the last file of a folder of results, and return its content.

    The inputs are looked at once more when it is written, so that whoever calls this need not.
    """
    made = manifest_of(study, folder, asked, warnings)
    folder.write_json(MANIFEST, made)
    study.inputs.check()
    return made
