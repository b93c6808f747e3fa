"""pyCANON: which k, l and t a table fulfils."""

import json
from pathlib import Path

import pandas as pd
from pycanon import anonymity


def main(folder: Path, output: Path, release: str) -> None:
    """Write the k, l and t of a release of a question's records."""
    question = json.loads((folder / "question.json").read_text())
    attributes, sensitive = list(question["attributes"]), [question["sensitive"]]
    rows = pd.read_csv(release, dtype=str, keep_default_na=False)
    found = {
        "k": int(anonymity.k_anonymity(rows, attributes)),
        "l": int(anonymity.l_diversity(rows, attributes, sensitive)),
        "t": float(anonymity.t_closeness(rows, attributes, sensitive)),
    }
    output.write_text(json.dumps(found))
