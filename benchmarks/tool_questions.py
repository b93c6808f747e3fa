"""The questions that several tools answer, each laid out as a folder of plain CSV files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from measure import ROOT
from ten_attributes import ARX_HIERARCHIES, STAKES, adult_rows

from gamedeid.generalization.files import write_hierarchy
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.study import Study

ADULT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
"""Attributes of Adult for which ARX's sample data has a hierarchy; the ninth, income, is what the release is about."""


def lay_out_adult(folder: Path, cost: float = 4) -> None:
    """Write the 30,162 complete rows of Adult, which are their own population, and ARX's hierarchies for it.

    An attempt costs the recipient ``cost`` dollars and may gain 300: at 4 dollars groups of 75 people are not worth an
    attack, at 60 dollars groups of 5.
    """
    rows = [row for row in adult_rows() if "?" not in row.values()]
    records = pd.DataFrame(rows)[[*ADULT, "income"]]
    _write(folder, records, dict.fromkeys(ADULT, 1.0), "income", {**STAKES, "cost": cost})
    for name in ADULT:
        copied = (ARX_HIERARCHIES / f"{name}.csv").read_bytes()
        (folder / "hierarchies" / f"{name}.csv").write_bytes(copied)


def lay_out_quickstart(folder: Path) -> None:
    """Write the shipped quickstart: 400 invented patients, and the population of their region."""
    path = ROOT / "scenarios" / "quickstart.toml"
    scenario = Scenario.read(path)
    assert scenario.population is not None
    count = scenario.population.count
    records = pd.read_csv(scenario.folder / scenario.records.path, dtype=str).drop(columns=list(scenario.records.drop))
    weights = {name: attribute.weight for name, attribute in scenario.attributes.items()}
    payoffs = {name: getattr(scenario.payoffs, name) for name in ("benefit", "loss", "cost")}
    _write(folder, records[[*weights, "diagnosis"]], weights, "diagnosis", payoffs, count)
    population = pd.read_csv(scenario.folder / scenario.population.path, dtype=str)
    population.to_csv(folder / "population.csv", index=False)
    for name, hierarchy in Study.prepare(path).instance.hierarchies.items():
        write_hierarchy(hierarchy, folder / "hierarchies" / f"{name}.csv")


def study_of(folder: Path) -> Study:
    """Return the question of a folder, to measure the answers."""
    question = json.loads((folder / "question.json").read_text())
    scenario: dict[str, Any] = {
        "records": {"keep": ["row", question["sensitive"]]},
        "attributes": {
            name: {"hierarchy": str(folder / "hierarchies" / f"{name}.csv"), "weight": weight}
            for name, weight in question["attributes"].items()
        },
        "payoffs": question["payoffs"],
        "floor": "limited-data-set",
    }
    population = None
    if question["count"]:
        scenario["population"] = {"count": question["count"]}
        population = pd.read_csv(folder / "population.csv", dtype=str)
    return Study.prepare(scenario, pd.read_csv(folder / "records.csv", dtype=str), population)


def _write(
    folder: Path,
    records: pd.DataFrame,
    weights: Mapping[str, float],
    sensitive: str,
    payoffs: Mapping[str, float],
    count: str | None = None,
) -> None:
    (folder / "hierarchies").mkdir()
    records = records.assign(row=range(len(records)))
    records[["row", *weights, sensitive]].to_csv(folder / "records.csv", index=False)
    question = {"attributes": weights, "sensitive": sensitive, "payoffs": payoffs, "count": count}
    (folder / "question.json").write_text(json.dumps(question))
