"""The laws of every hierarchy, checked label by label, and the faults of an invalid one."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.hierarchy import Hierarchy


def labels_of(hierarchy: Hierarchy, value: object) -> list[str]:
    """Return the published labels of a value, level after level."""
    leaf = hierarchy.code(value)
    assert leaf is not None
    return [hierarchy.label(level, leaf) for level in range(hierarchy.levels)]


def faults_of(make: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[str, ...]:
    """Return the faults of an invalid hierarchy."""
    with pytest.raises(InvalidHierarchyError) as caught:
        make(*arguments, **named)
    return caught.value.faults


def check_laws(hierarchy: Hierarchy) -> None:
    """Check that levels nest, that the groups of a level have distinct labels, and that sizes count leaves."""
    leaves = range(len(hierarchy.leaves))
    rows = [[hierarchy.label(level, leaf) for level in range(hierarchy.levels)] for leaf in leaves]
    assert list(hierarchy.leaves) == [row[0] for row in rows]
    assert len(rows) == len({row[0] for row in rows})
    assert {"*"} == {row[-1] for row in rows}
    for level in range(hierarchy.levels):
        counts = Counter(row[level] for row in rows)
        assert [counts[row[level]] for row in rows] == hierarchy.sizes[level].tolist()
        assert len(counts) == hierarchy.group_counts[level]
        if level:
            parents = {}
            for row in rows:
                assert parents.setdefault(row[level - 1], row[level]) == row[level]
