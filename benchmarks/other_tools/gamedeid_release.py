"""gamedeid: the best strategy for each record by itself, or the best one for all."""

import json
from pathlib import Path

import pandas as pd

import gamedeid


def main(folder: Path, output: Path, game: str, uniform: str = "") -> None:
    """Release the records of a question as one of the games decides, or all alike."""
    question = json.loads((folder / "question.json").read_text())
    records = pd.read_csv(folder / "records.csv", dtype=str)
    population = pd.read_csv(folder / "population.csv", dtype=str) if question["count"] else None
    scenario = {
        "records": {"keep": ["row", question["sensitive"]]},
        "attributes": {
            name: {"hierarchy": str(folder / "hierarchies" / f"{name}.csv"), "weight": weight}
            for name, weight in question["attributes"].items()
        },
        "payoffs": question["payoffs"],
        "floor": "limited-data-set",
        "limits": {"uniform": bool(uniform)},
    }
    if population is not None:
        scenario["population"] = {"count": question["count"]}
    gamedeid.solve(scenario, records, population, game=game).release().to_csv(output, index=False)
