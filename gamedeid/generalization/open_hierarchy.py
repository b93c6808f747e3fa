"""A hierarchy whose leaves come from the data."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Protocol, runtime_checkable

from gamedeid.choices import Role
from gamedeid.errors import InvalidHierarchyError
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.levels import CompiledLevels
from gamedeid.generalization.readings import Reading, as_text
from gamedeid.reprs import frozen


@runtime_checkable  # a scenario may hold such a hierarchy, and pydantic asks for its parts
class LevelRule(Protocol):
    """A rule that makes levels of the values in the data."""

    def leaf_of(self, value: object) -> str | None:
        """Return the leaf of a value; None for a value that the rule cannot have."""

    def fault_of(self, invalid: Sequence[str], total: int) -> str:
        """Return the fault of the values that the rule cannot have, of ``total`` distinct ones, without showing any."""

    def compile_levels(self, leaves: Collection[str]) -> CompiledLevels:
        """Return the levels of at least one leaf."""

    def reading_of(self, leaves: Collection[str]) -> Reading | None:
        """Return the reader of values for these leaves; None if each value is itself a leaf."""

    def published(self) -> list[str]:
        """Return the labels of each level, in words, from level 0 to the root."""

    @property
    def notes(self) -> Iterable[str]:
        """Further effects of the rule, in sentences."""

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values, as a hierarchy file has them."""


@frozen
class OpenHierarchy:
    """A rule whose leaves come from the data: a hierarchy once it is closed over the values found there.

    Parameters
    ----------
    name, role, title : as in `Hierarchy`.
    rule : makes the levels from the values.
    unlisted : the group of values that the rule cannot have, one leaf; None: they are an error.
    spellings : words of the data -> the value that each means.
    """

    name: str
    rule: LevelRule
    role: Role | None = None
    title: str = ""
    unlisted: str | None = None
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def levels(self) -> int:
        """Return the number of levels it will have, the value and the root included; at least 2."""
        return len(self.rule.published())

    def reads(self, value: object) -> bool:
        """Return whether a ``value`` of the data can be a leaf; one that cannot is unlisted."""
        return self._leaf_of(value) is not None

    def _leaf_of(self, value: object) -> str | None:
        return self.rule.leaf_of(self.spellings.get(as_text(value), value))

    def leaves_of(self, found: Collection[str]) -> tuple[str, ...]:
        """Return the leaves if ``found``, one or more, none unlisted, are in the data: for dates, also all between."""
        return self.rule.compile_levels(found).leaves

    def close(self, values: Iterable[object]) -> Hierarchy:
        """Return the hierarchy with the leaves of the values.

        Parameters
        ----------
        values : as in the data, in any order and number; none of them missing.

        Raises
        ------
        InvalidHierarchyError : no values; values that the rule cannot have, without a group for unlisted ones; a level
            that would split a group of these values, or give two groups one label.
        """
        leaves: set[str] = set()
        invalid: set[str] = set()
        for value in values:
            leaf = self._leaf_of(value)
            if leaf is None:
                invalid.add(as_text(value))
            else:
                leaves.add(leaf)
        try:
            levels = self._compile_levels(leaves, invalid)
        except InvalidHierarchyError as error:
            faults = [f"hierarchy `{self.name}`: {fault}" for fault in error.faults]
            raise InvalidHierarchyError(*faults, values=error.data_values) from None
        return Hierarchy.of_levels(
            levels,
            name=self.name,
            role=self.role,
            title=self.title,
            reading=self.rule.reading_of(leaves),
            unlisted=self.unlisted,
            from_data=True,
            spellings=self.spellings,
        )

    def _compile_levels(self, leaves: Collection[str], invalid: Collection[str]) -> CompiledLevels:
        if invalid and self.unlisted is None:
            values = sorted(invalid)
            raise InvalidHierarchyError(self.rule.fault_of(values, len(values) + len(leaves)), values=values)
        if not leaves:
            raise InvalidHierarchyError("no values: expected at least one")
        return self.rule.compile_levels(leaves)
