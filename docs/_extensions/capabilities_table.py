"""The directive ``capabilities``: the table of operations and features, printed from the code."""

from typing import Any

from docutils import nodes
from refused_features import ABSENT_FEATURES, find_refusal
from sphinx.util.docutils import SphinxDirective

from gamedeid.capabilities import Feature, Operation


class Capabilities(SphinxDirective):
    """For each operation a list: what it does not take, why, and what to do instead."""

    def run(self) -> list[nodes.Node]:
        """Return a definition list, an entry for each operation."""
        listed = nodes.definition_list()
        for operation in Operation:
            entries = nodes.bullet_list()
            for words in rows_of(operation):
                entries += nodes.list_item("", nodes.paragraph("", words))
            if not entries.children:
                entries += nodes.list_item("", nodes.paragraph("", "all features"))
            name = operation.value[0].upper() + operation.value[1:]
            listed += nodes.definition_list_item("", nodes.term("", name), nodes.definition("", entries))
        return [listed]


def rows_of(operation: Operation) -> list[str]:
    """Return a line for each feature that an operation refuses."""
    rows = []
    for feature in Feature:
        why = find_refusal(operation, feature)
        if why is None or feature in ABSENT_FEATURES.get(operation, ()):
            continue
        beside = " and ".join(one.value for one in Feature if one in why.unless)
        unless = f" (unless with {beside})" if beside else ""
        rows.append(f"{feature.value}{unless}: {why.why}; {why.instead}")
    return rows


def setup(app: Any) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("capabilities", Capabilities)
    return {"parallel_read_safe": True}
