"""Random values for the laws, in one place."""

from hypothesis import strategies as st


@st.composite
def hierarchy_rows(draw, max_leaves=12, max_levels=5):
    """One row of labels per leaf of a random tree, the rows in random order."""
    leaves = draw(st.integers(1, max_leaves))
    between = draw(st.integers(0, max_levels - 2))
    columns = [list(range(leaves))]
    for _ in range(between):
        above = draw(st.lists(st.integers(0, max_leaves), min_size=max_leaves + 1, max_size=max_leaves + 1))
        columns.append([above[group] for group in columns[-1]])
    rows = [[*(f"{level}:{group}" for level, group in enumerate(groups)), "*"] for groups in zip(*columns, strict=True)]
    return draw(st.permutations(rows))


@st.composite
def nested_widths(draw, count):
    """Widths of interval levels over `count` values, each a multiple of the one before."""
    widths, width = [], 1
    for factor in draw(st.lists(st.integers(1, 4), max_size=4)):
        width *= factor
        if width > count:
            break
        widths.append(width)
    return widths
