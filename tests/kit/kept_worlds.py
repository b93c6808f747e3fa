"""Worlds of a few records with kept columns, recipients who know some of these, and a plain count of whom they find."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from gamedeid.generalization.hierarchy import Hierarchy

LADDERS = {
    "age": {"20": ["20", "2x", "*"], "21": ["21", "2x", "*"], "34": ["34", "3x", "*"]},
    "sex": {"F": ["F", "*"], "M": ["M", "*"]},
}
TOPS = {"age": 2, "sex": 1}
BENEFIT, LOSS, COST = 100.0, 90.0, 20.0
RECIPIENTS = {
    "registry": {"knows": ["age", "sex", "time"], "probability": 0.5},
    "clinic": {"knows": ["time", "drug"], "levels": {"age": 1}, "probability": 0.75, "cost": 30.0},
    "neighbour": {"knows": ["age"], "probability": 0.25, "gain": 200.0},
}
KEEP = ["time", "drug"]
Row = dict[str, object]


def scenario(recipients: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a question with these recipients, as keys and values."""
    return {
        "records": {"keep": KEEP},
        "attributes": {
            name: {"hierarchy": Hierarchy.from_rows(list(rows.values()), name=name)} for name, rows in LADDERS.items()
        },
        "game": "basic",
        "payoffs": {"benefit": BENEFIT, "loss": LOSS, "cost": COST},
        "floor": "limited-data-set",
        "recipients": recipients,
        **more,
    }


def finds(row: Row, levels: dict[str, int], recipient: Mapping[str, Any], records: list[Row], people: list[Row]) -> int:
    """Return how many people a recipient finds for a record that is released at some levels."""
    known = {name: recipient["levels"].get(name, TOPS[name]) if "levels" in recipient else TOPS[name] for name in TOPS}
    known |= {name: 0 for name in recipient["knows"] if name in TOPS}
    kept = [name for name in recipient["knows"] if name in KEEP]
    return sum(
        all(row[name] == other[name] for name in kept)
        and all(
            LADDERS[name][row[name]][max(level, known[name])] == LADDERS[name][other[name]][max(level, known[name])]
            for name, level in levels.items()
        )
        for other in (records if kept else people)
    )


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            **{name: st.sampled_from(list(rows)) for name, rows in LADDERS.items()},
            "time": st.sampled_from([1, 2, 3]),
            "drug": st.sampled_from("ab"),
        }
    ),
    min_size=1,
    max_size=14,
)
