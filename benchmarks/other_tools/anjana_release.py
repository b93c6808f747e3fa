"""ANJANA: k-anonymity by generalization of whole columns and suppression of rows."""

import json
from pathlib import Path

import pandas as pd
from anjana.anonymity import k_anonymity


def main(folder: Path, output: Path, k: str, suppressed: str) -> None:
    """Release the records of a question k-anonymously; ``suppressed`` is the most rows in percent."""
    question = json.loads((folder / "question.json").read_text())
    attributes = list(question["attributes"])
    records = pd.read_csv(folder / "records.csv", dtype=str)
    hierarchies = {
        name: dict(pd.read_csv(folder / "hierarchies" / f"{name}.csv", sep=";", header=None, dtype=str))
        for name in attributes
    }
    k_anonymity(records, [], attributes, int(k), float(suppressed), hierarchies).to_csv(output, index=False)
