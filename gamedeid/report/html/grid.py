"""The numbers of the report's lines and maps as one table, for a file beside the report."""

from collections.abc import Mapping
from typing import Any

from gamedeid.report.html.content import LINE_COLUMNS


def sensitivity_table(content: Mapping[str, Any], chosen: Mapping[str, float]) -> dict[str, list[Any]]:
    """Return a row for each point and policy, columns as those of a sweep; stakes that are not varied as chosen.

    Benefit and loss are varied together; then the cost alone, whose chosen value is among those rows already.

    Parameters
    ----------
    content : what ``report.json`` holds; its numbers are rounded to be drawn.
    chosen : the scenario's own stakes by name, dollars.
    """
    both, alone = content["map"], content["lines"]["cost"]
    rows = [row for row, cost in enumerate(alone["cost"]) if cost != chosen["cost"]]
    stakes = {
        "benefit": [*both["benefit"], *[chosen["benefit"]] * len(rows)],
        "loss": [*both["loss"], *[chosen["loss"]] * len(rows)],
        "cost": [*[chosen["cost"]] * len(both["loss"]), *(alone["cost"][row] for row in rows)],
    }
    return stakes | {name: [*both[name], *(alone[name][row] for row in rows)] for name in LINE_COLUMNS}
