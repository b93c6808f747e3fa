"""Which hierarchy a recognised column could have, checked against every value that it holds."""

from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.description import build_hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.intake.drafting.levels import DraftedLadder, NoLadder, Request, draft_levels


def ladder_of(request: Request) -> DraftedLadder | NoLadder:
    """Return a hierarchy that knows every value of a column, or why there is none.

    Parameters
    ----------
    request : the column, and by which rules.
    """
    drafted = draft_levels(request)
    if isinstance(drafted, NoLadder):
        return drafted
    present = [*request.found.present, *request.words]
    try:
        hierarchy = build_hierarchy(drafted.description, name=request.name)
        if isinstance(hierarchy, OpenHierarchy):
            hierarchy = hierarchy.close(present)
    except InvalidHierarchyError:
        return NoLadder(reason="its values are of several forms, of which no hierarchy could be drafted")
    if any(hierarchy.code(value) is None for value in present):
        return NoLadder(reason="some of its values have another form than the others")
    return drafted
