"""The levels of one attribute: which leaf lies in which group, and how each group is published."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from gamedeid.arrays import IntArray, sealed
from gamedeid.choices import Role
from gamedeid.errors import InvalidHierarchyError, InvalidScenarioError, quoted
from gamedeid.generalization.claims import (
    BOOLEAN,
    ROLE,
    ROWS,
    TEXT,
    TEXTS,
    WHOLE_NUMBER,
    WHOLE_NUMBERS,
    check_claims,
    claim_fault,
    refuse,
)
from gamedeid.generalization.levels import (
    MISSING,
    CompiledLevels,
    compile_intervals,
    compile_label_rows,
    with_unlisted,
)
from gamedeid.generalization.prefixes import DIGITS, Merge, PrefixRule, every_character_less
from gamedeid.generalization.readings import Reading, as_text
from gamedeid.generalization.trees import tree_faults
from gamedeid.reprs import Shown, frozen

_WHOLE_NUMBER = re.compile(r"([+-]?)0*([0-9]{1,18})(?:\.0*)?")


@frozen(eq=False)
class Hierarchy(Shown):
    """A generalization hierarchy: level 0 is the value, each level coarsens the one before, the top one is `*`.

    Leaves are in tree order: at every level each group is a contiguous run of leaves. Arrays are copies, read-only.

    Parameters
    ----------
    name : its name in scenarios and errors.
    leaves : the n values of the domain, in tree order.
    groups : (levels, leaves) int32; the group of each leaf at each level, counted from 0 along the leaves.
    labels : ``labels[level][group]`` is the published text; the last level is ``("*",)``.
    role : its role for Safe Harbor; None where none is stated.
    integer : raw values are whole numbers: "48", "048", 48 and 48.0 are the same leaf "48".
    title : one line for people.
    from_data : the leaves are values found in the data: no message shows them.
    reading : how raw values are read that may be written in several ways; None: each is a leaf unchanged.
    unlisted : the leaf of all values that no other leaf is; the last one. None: there is none, and they are an error.
    spellings : words of the data -> the value that each means.
    is_fixed : the leaves are classes that no strategy generalizes and no release shows, see :meth:`fixed`.
    shows_missing : a missing value has a separate label at the top too, ``missing`` next to ``*``.

    Attributes
    ----------
    group_counts : (levels,) int64; groups at each level.
    sizes : (levels, leaves) int64; leaf values in the leaf's group, at least 1.

    Raises
    ------
    InvalidHierarchyError : when the parts do not form one tree in tree order, or the role is none; carries every fault.

    Examples
    --------
    >>> age = Hierarchy.intervals(0, 120, [5, 15, 30, 60], name="age", role="age")
    >>> [age.label(level, 48) for level in range(age.levels)]
    ['48', '[45-49]', '[45-59]', '[30-59]', '[0-59]', '*']
    """

    shown = ("name", "role", "levels")
    table_of = "level_sizes"

    name: str
    leaves: tuple[str, ...]
    groups: IntArray
    labels: tuple[tuple[str, ...], ...]
    role: Role | None = None
    integer: bool = False
    title: str = ""
    from_data: bool = False
    reading: Reading | None = field(default=None, repr=False)
    unlisted: str | None = None
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_fixed: bool = False
    shows_missing: bool = False
    group_counts: IntArray = field(init=False, repr=False)
    sizes: IntArray = field(init=False, repr=False)
    _codes: dict[str, int] = field(init=False, repr=False)

    @property
    def level_sizes(self) -> list[dict[str, int]]:
        """A row for each level: how many groups it has, and how many leaves the smallest and the largest have."""
        return [
            {"level": level, "groups": int(groups), "smallest": int(sizes.min()), "largest": int(sizes.max())}
            for level, (groups, sizes) in enumerate(zip(self.group_counts, self.sizes, strict=True))
        ]

    def __post_init__(self) -> None:
        groups = np.asarray(self.groups, dtype=np.int32)
        found = () if self.is_fixed else tree_faults(self.leaves, groups, self.labels)
        faults = [f"hierarchy `{self.name}`: {fault}" for fault in found]
        if self.unlisted is not None and self.leaves[-1:] != (self.unlisted,):
            faults.append(f"hierarchy `{self.name}`: the last leaf is not {quoted(self.unlisted)}, the unlisted values")
        if self.role is not None and not ROLE.holds(self.role):
            faults.append(f"hierarchy `{self.name}`: {claim_fault('role', self.role, ROLE)}")
        refuse(faults)
        sizes = np.stack([np.bincount(row)[row] for row in groups])
        object.__setattr__(self, "groups", sealed(groups, np.int32))
        object.__setattr__(self, "group_counts", sealed(groups[:, -1] + 1, np.int64))
        object.__setattr__(self, "sizes", sealed(sizes, np.int64))
        object.__setattr__(self, "_codes", {leaf: number for number, leaf in enumerate(self.leaves)})

    @property
    def levels(self) -> int:
        """Return the number of levels, the value and the root included; at least 2, but 1 of :meth:`fixed` classes."""
        return len(self.labels)

    def code(self, value: object) -> int | None:
        """Return the leaf number of one raw ``value``, 0..n-1, or None when the domain does not have it.

        Spaces around text are dropped. A whole float (48.0) is read as its whole number unless a leaf is written so.
        None and NaN are in no domain. Where there is a group of unlisted values, any other value is in the domain.
        """
        found = self.listed_code(value)
        if found is None and self.unlisted is not None and value is not None and value == value:  # noqa: PLR0124  (NaN)
            return len(self.leaves) - 1
        return found

    def listed_code(self, value: object) -> int | None:
        """Return the leaf number of one raw ``value``, 0..n-1, or None for no leaf; otherwise as :meth:`code`."""
        if self.spellings:
            value = self.spellings.get(as_text(value), value)
        number = float(value) if isinstance(value, float | np.floating) else None
        if value is None or (number is not None and math.isnan(number)):
            return None
        text = str(value).strip()
        if self.reading is not None:
            leaf = self.reading.leaf_of(value)
            return self._codes.get(text if leaf is None and text == self.unlisted else leaf or "")
        if self.integer and text != self.unlisted:
            match = _WHOLE_NUMBER.fullmatch(text)
            return self._codes.get(str(int(match[1] + match[2]))) if match else None
        found = self._codes.get(text)
        if found is None and number is not None and number.is_integer():
            found = self._codes.get(str(int(number)))
        return found

    def listed_part(self) -> "Hierarchy":
        """Return the same hierarchy without the leaf of unlisted values."""
        if self.unlisted is None:
            return self
        labels = (*(row[:-1] for row in self.labels[:-1]), self.labels[-1])
        return replace(self, leaves=self.leaves[:-1], groups=self.groups[:, :-1], labels=labels, unlisted=None)

    def showing_missing(self) -> "Hierarchy":
        """Return the same hierarchy, by which a missing value is released as ``missing``.

        Raises
        ------
        InvalidHierarchyError : a value or a group has this label.
        """
        if any(MISSING in labels for labels in self.labels):
            raise InvalidHierarchyError(
                f"hierarchy `{self.name}`: has the label `{MISSING}`, which missing values are to have; give it "
                'another one, or set [records] missing = "suppress"'
            )
        return replace(self, shows_missing=True)

    def label(self, level: int, leaf: int) -> str:
        """Return the published label at a ``level``, from 0 up, of the leaf of the number ``leaf``, from 0."""
        return self.labels[level][int(self.groups[level, leaf])]

    @classmethod
    def fixed(cls, classes: Sequence[str], *, name: str) -> "Hierarchy":
        """Return classes of people that the recipient can always distinguish, at any release: one level.

        Parameters
        ----------
        classes : their names, at least one.
        name : its name in messages.
        """
        groups = np.arange(len(classes))[None, :]
        return cls(name=name, leaves=tuple(classes), groups=groups, labels=(tuple(classes),), is_fixed=True)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[str]],
        *,
        name: str,
        role: Role | None = None,
        integer: bool = False,
        title: str = "",
        unlisted: str | None = None,
    ) -> "Hierarchy":
        """Return the hierarchy of one row of labels per leaf, level 0 first; see `levels.compile_label_rows`.

        Parameters
        ----------
        rows : labels of each leaf from level 0 up to the root ``*``; at least one row of at least two labels.
        integer : whether every leaf must be a whole number in plain form.
        name, role, title, unlisted : as in :meth:`of_levels`.

        Raises
        ------
        InvalidHierarchyError : there are no rows, or they do not coarsen step by step up to one root; lists all faults.
        """
        check_claims(rows=(rows, ROWS), integer=(integer, BOOLEAN))
        levels = compile_label_rows(rows, integer=integer)
        return cls.of_levels(levels, name=name, role=role, title=title, integer=integer, unlisted=unlisted)

    @classmethod
    def intervals(
        cls,
        low: int,
        high: int,
        widths: Sequence[int],
        *,
        name: str,
        role: Role | None = None,
        title: str = "",
        unlisted: str | None = None,
        open_from: int | None = None,
    ) -> "Hierarchy":
        """Return the whole numbers low..high in groups of `widths`; see `levels.compile_intervals`.

        Parameters
        ----------
        low : first value.
        high : last value.
        widths : values in a group at levels 1, 2, ...; each at least 1, and a multiple of the one before.
        name, role, title, unlisted : as in :meth:`of_levels`.
        open_from : from level 1 on the group of this value has no upper end, `90+`, up to ``high``; None for none.

        Raises
        ------
        InvalidHierarchyError : no such range, too many values, or a width that does not divide the next.
        """
        check_claims(low=(low, WHOLE_NUMBER), high=(high, WHOLE_NUMBER), widths=(widths, WHOLE_NUMBERS))
        if open_from is not None:
            check_claims(open_from=(open_from, WHOLE_NUMBER))
        levels = compile_intervals(low, high, tuple(widths), open_from=open_from)
        return cls.of_levels(levels, name=name, role=role, title=title, integer=True, unlisted=unlisted)

    @classmethod
    def prefixes(
        cls,
        values: Sequence[str],
        *,
        length: int,
        keep: Sequence[int] | None = None,
        merge: Sequence[Merge] = (),
        alphabet: str = DIGITS,
        name: str,
        role: Role | None = None,
        title: str = "",
        unlisted: str | None = None,
    ) -> "Hierarchy":
        """Return codes that show fewer characters level by level; see `prefixes.PrefixRule`.

        Parameters
        ----------
        values : the codes; distinct, each of ``length`` characters of the alphabet.
        length : characters in a code; 1 to 100.
        keep : characters kept at levels 1, 2, ...; falling, each in 1..length-1.
        merge : values that leave the rule and form separate groups.
        alphabet : characters that codes are made of: the name of a set, or the characters themselves.
        name, role, title, unlisted : as in :meth:`of_levels`.

        Raises
        ------
        InvalidHierarchyError : a value of another length or alphabet, or levels that do not coarsen step by step.
        """
        check_claims(values=(values, TEXTS), length=(length, WHOLE_NUMBER), alphabet=(alphabet, TEXT))
        kept = every_character_less(length) if keep is None else keep
        check_claims(keep=(kept, WHOLE_NUMBERS))
        rule = PrefixRule(length=length, keep=tuple(kept), merge=tuple(merge), alphabet=alphabet)
        return cls.of_levels(rule.compile(tuple(values)), name=name, role=role, title=title, unlisted=unlisted)

    @classmethod
    def of_levels(
        cls,
        levels: CompiledLevels,
        *,
        name: str,
        role: Role | None = None,
        title: str = "",
        integer: bool = False,
        reading: Reading | None = None,
        unlisted: str | None = None,
        from_data: bool = False,
        spellings: Mapping[str, str] | None = None,
    ) -> "Hierarchy":
        """Return the hierarchy of levels in tree order.

        Parameters
        ----------
        levels : the levels, without a leaf of unlisted values.
        name, role, title, integer, reading, from_data, spellings : as in the class.
        unlisted : the name of a leaf to be added, for all values that are not listed; None for none.

        Raises
        ------
        InvalidHierarchyError : the levels do not form one tree, or the name of the added leaf is taken.
        """
        check_claims(name=(name, TEXT), title=(title, TEXT))
        if unlisted is not None:
            check_claims(unlisted=(unlisted, TEXT))
            levels = with_unlisted(levels, unlisted)
        return cls(
            name=name,
            leaves=levels.leaves,
            groups=levels.groups,
            labels=levels.labels,
            role=role,
            integer=integer,
            title=title,
            from_data=from_data,
            reading=reading,
            unlisted=unlisted,
            spellings=spellings or {},
        )


def level_of(hierarchy: Hierarchy, level: int, where: str) -> int:
    """Return a level that somebody asks for."""
    if level >= hierarchy.levels:
        raise InvalidScenarioError(
            f"{where}: {quoted(hierarchy.name)} has no level {level}; its levels are 0 to {hierarchy.levels - 1}"
        )
    return level
