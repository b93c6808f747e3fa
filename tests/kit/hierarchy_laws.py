"""What holds of every hierarchy, checked label by label."""

from collections import Counter

from gamedeid.generalization.hierarchy import Hierarchy


def check_laws(hierarchy: Hierarchy) -> None:
    """Check that levels nest, that groups of a level have labels of their own, and that sizes count leaves."""
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
