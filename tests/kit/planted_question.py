"""A question whose records carry planted tokens: one kind of person is released, the other withheld."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from planted_tokens import KEPT, planted
from questions import question

SCENARIO = """
game = "basic"
[records]
path = "records.parquet"
drop = ["name"]
keep = ["coded", "ordered", "text", "pair", "words", "number"]
[population]
path = "people.parquet"
count = "count"
[attributes.age]
hierarchy = "ages.csv"
role = "other"
[attributes.sex]
hierarchy = "sexes.csv"
[payoffs]
benefit = 100
loss = 50000
cost = 20
"""
"""A person of 48 hides among 1,000 and is worth it; the one of 93 is worth it at no level, and so withheld."""

FRAME_QUESTION = question(
    {
        "records.drop": ["name"],
        "records.keep": list(KEPT),
        "population": {"count": "count"},
        "payoffs": {"benefit": 100, "loss": 50_000, "cost": 20},
    }
)
PEOPLE = pa.table({"age": [48, 93], "sex": ["Male", "Male"], "count": [1000, 1]})


def world(folder: Path, table: pa.Table | None = None) -> Path:
    """Write the question whose records carry tokens, and return its scenario."""
    table = planted() if table is None else table
    pq.write_table(table, folder / "records.parquet")
    pq.write_table(PEOPLE, folder / "people.parquet")
    (folder / "ages.csv").write_text("48;*\n93;*\n")
    (folder / "sexes.csv").write_text("Male;*\n")
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder / "scenario.toml"
