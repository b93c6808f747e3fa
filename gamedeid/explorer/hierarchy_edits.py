"""The text of an attribute's hierarchy, for editing in the page, and the hierarchy that an edited text stands for."""

from collections import OrderedDict
from pathlib import Path
from typing import Any

from gamedeid.errors import GamedeidError, InvalidHierarchyError, InvalidScenarioError, nearest, quoted
from gamedeid.generalization.files import find_hierarchy, parse_hierarchy, table_named, table_of
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.scenario.scenario import Scenario

LONGEST = 1 << 19
"""Characters of a hierarchy that can be edited in a page."""

KEPT = 16
"""Edited texts whose hierarchies are kept: every answer asks for them."""


class HierarchyEdits:
    """The hierarchies of a scenario as texts.

    Parameters
    ----------
    opened : the scenario as opened.
    """

    def __init__(self, opened: Scenario) -> None:
        self._opened = opened
        self._parsed: OrderedDict[tuple[str, str], Hierarchy | OpenHierarchy] = OrderedDict()

    def describe(self, attribute: object) -> dict[str, Any]:
        """Return the text of an attribute's hierarchy as it is on the disk, and whether it can be edited.

        Parameters
        ----------
        attribute : its name.

        Raises
        ------
        InvalidScenarioError : there is no such attribute.
        InvalidHierarchyError : its file is gone.
        """
        path = self.path(attribute)
        text, why_not = "", None
        try:
            text = "" if path is None else path.read_text("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            why_not = f"its file cannot be read ({type(error).__name__})"
        if path is None:
            why_not = "it was not read from a file"
        elif len(text) > LONGEST:
            text, why_not = "", f"it is longer than {LONGEST:,} characters"
        return {
            "attribute": attribute,
            "file": None if path is None else path.name,
            "text": text,
            "editable": why_not is None,
            "why_not": why_not,
        }

    def path(self, attribute: object) -> Path | None:
        """Return the file of an attribute's hierarchy; None where it was not read from a file.

        Raises
        ------
        InvalidScenarioError : there is no such attribute.
        InvalidHierarchyError : the file is gone.
        """
        attributes = self._opened.attributes
        if not isinstance(attribute, str) or attribute not in attributes:
            raise InvalidScenarioError(f"there is no attribute {quoted(attribute)}{nearest(attribute, attributes)}")
        named = attributes[attribute].hierarchy
        return find_hierarchy(named, self._opened.folder) if isinstance(named, str) else None

    def hierarchy(self, attribute: str, text: object) -> Hierarchy | OpenHierarchy:
        """Return the hierarchy that an edited text stands for.

        Parameters
        ----------
        attribute : whose hierarchy was edited.
        text : as its file would have it.

        Raises
        ------
        InvalidScenarioError : there is no such attribute, or its hierarchy cannot be edited.
        InvalidHierarchyError : every fault of the text, with its place.
        """
        path = self.path(attribute)
        if path is None or not isinstance(text, str) or len(text) > LONGEST:
            raise InvalidScenarioError(f"hierarchies.{attribute}: expected a text of at most {LONGEST:,} characters")
        known = self._parsed.get((attribute, text))
        if known is not None:
            return known
        place = f"hierarchy of {quoted(attribute)}"
        if table_named(text, path) not in {None, table_of(path)}:
            raise InvalidHierarchyError(f"{place}: the table beside it can be no other than before")
        try:
            known = parse_hierarchy(text, path)
        except InvalidHierarchyError as error:
            raise InvalidHierarchyError(*(f"{place}: {_without(path, fault)}" for fault in error.faults)) from None
        self._parsed[attribute, text] = known
        if len(self._parsed) > KEPT:
            self._parsed.popitem(last=False)
        return known


def _without(path: Path, fault: str) -> str:
    return fault.removeprefix(f"{path}: ")


def faults_of(error: GamedeidError) -> list[str]:
    """Return every fault of an error that has several, one line each; else its message."""
    return list(getattr(error, "faults", (str(error),)))
