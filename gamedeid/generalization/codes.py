"""Hierarchies of codes of any length, such as those of ICD-10: their beginnings, then ranges of these."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, quoted
from gamedeid.generalization.claims import refuse
from gamedeid.generalization.levels import (
    ROOT,
    CompiledLevels,
    abbreviate_labels,
    compile_data_levels,
    compile_label_columns,
)
from gamedeid.generalization.prefixes import LONGEST
from gamedeid.generalization.readings import (
    CodeReading,
    Reading,
    as_text,
    bare_code,
    is_missing_code,
    missing_values_hint,
)
from gamedeid.reprs import brief, frozen

_BARE = re.compile(r"[0-9A-Za-z]+")


@brief
class CodeRange(NamedTuple):
    """Codes whose beginnings are between two of one length, both included: E00-E90."""

    first: str
    last: str

    def __str__(self) -> str:
        return self.first if self.first == self.last else f"{self.first}-{self.last}"

    @classmethod
    def of(cls, text: str) -> "CodeRange":
        """Return the range that `E00-E90` or `U07` writes."""
        first, _, last = text.partition("-")
        last = last or first
        if not (_BARE.fullmatch(first) and _BARE.fullmatch(last)) or len(first) != len(last) or last < first:
            raise InvalidHierarchyError(
                f"{quoted(text)}: expected a range such as `E00-E90`, its ends of the same length and in order"
            )
        return cls(first, last)

    def holds(self, code: str) -> bool:
        """Return whether a code, without separators, begins within the range."""
        return self.first <= code[: len(self.first)] <= self.last and len(code) >= len(self.first)


@frozen(slots=False)
class CodeRule:
    """Codes of letters and digits by their beginnings; the leaves are the codes in the data.

    Raises
    ------
    InvalidHierarchyError : a rule that no codes could satisfy; carries every fault.
    """

    keep: tuple[int, ...]  # characters kept at levels 1, 2, ...; falling, each at least 1; separators are not counted
    ranges: tuple[tuple[str, ...], ...] = ()  # groups of each level above these, such as `E00-E90`; each code is in one
    separators: str = "."  # characters that do not distinguish codes
    notes = ()

    def __post_init__(self) -> None:
        refuse(_rule_faults(self.keep, self.ranges, self.separators))

    def leaf_of(self, value: object) -> str | None:
        """Return a code in its written form; None for a value that is no code, or in no range."""
        text = as_text(value)
        bare = bare_code(text, self.separators)
        if _BARE.fullmatch(bare) is None or len(bare) > LONGEST or is_missing_code(text):
            return None
        return text if all(any(one.holds(bare) for one in level) for level in self._levels) else None

    def fault_of(self, invalid: Sequence[str], total: int) -> str:
        """Return the fault of values of the data that are no codes."""
        within = " within `ranges`" if self.ranges else ""
        between = f", with {joined(map(quoted, self.separators), 'or')} between them" if self.separators else ""
        return (
            f"expected codes of letters and digits{between}{within}, but {len(invalid):,} of the {total:,} distinct "
            f"values in the data are none: correct them{missing_values_hint(invalid)}"
        )

    def reading_of(self, leaves: Collection[str]) -> Reading:
        """Return the reader of codes that are spelled in several ways; it gives the leaf of each."""
        return CodeReading(separators=self.separators, leaves=_spellings(leaves, self.separators))

    def compile_levels(self, leaves: Collection[str]) -> CompiledLevels:
        """Return the levels of some codes; of several spellings of a code, the one with most separators is the leaf."""
        spelled = _spellings(leaves, self.separators)
        codes = sorted(spelled)
        columns = [[spelled[code] for code in codes]]
        columns += [_prefix_labels(codes, spelled, kept, self.separators) for kept in self.keep]
        columns += [[next(str(one) for one in level if one.holds(code)) for code in codes] for level in self._levels]
        return compile_data_levels(lambda show: compile_label_columns(columns, show=show))

    @cached_property
    def _levels(self) -> list[list[CodeRange]]:
        return [[CodeRange.of(text) for text in level] for level in self.ranges]

    def published(self) -> list[str]:
        """Return the labels of each level, in words."""
        kept = [f"the first {number} characters, and `*`" if number > 1 else "the first character, and `*`"
                for number in self.keep]  # fmt: skip
        return ["the code", *kept, *map(abbreviate_labels, self.ranges), ROOT]

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values."""
        ranges = [list(level) for level in self.ranges]
        return {"kind": "codes", "keep": list(self.keep), "ranges": ranges, "separators": self.separators}


def _spellings(leaves: Collection[str], separators: str) -> dict[str, str]:
    """Return code without separators -> its spelling with most separators; of equals the first in order."""
    spelled: dict[str, str] = {}
    for leaf in sorted(leaves, key=lambda one: (-len(one), one)):
        spelled.setdefault(bare_code(leaf, separators), leaf)
    return spelled


def _prefix_labels(codes: Sequence[str], spelled: Mapping[str, str], kept: int, separators: str) -> list[str]:
    """Return the labels of sorted codes of which ``kept`` characters are kept; a shorter code is its own label."""
    labels: dict[str, str] = {}
    for code in codes:
        start = _spelled_prefix(spelled[code], kept, separators)
        labels[code[:kept]] = max(labels.get(code[:kept], ""), start, key=lambda text: (len(text), text))
    return [f"{labels[code[:kept]]}{ROOT}" if len(code) >= kept else spelled[code] for code in codes]


def _spelled_prefix(text: str, kept: int, separators: str) -> str:
    """Return the first ``kept`` characters of a code, with the separators between them."""
    seen = 0
    for place, character in enumerate(text, start=1):
        seen += character not in separators
        if seen == kept:
            return text[:place]
    return text


def _rule_faults(keep: Sequence[int], ranges: Sequence[Sequence[str]], separators: str) -> Iterator[str]:
    if any(character.isalnum() or character in (ROOT, "-") for character in separators):
        yield f"`separators` is {quoted(separators)}: expected characters such as `.`; no letter, digit, `-`, `{ROOT}`"
    for place, kept in enumerate(keep):
        most = keep[place - 1] - 1 if place else LONGEST
        if not 1 <= kept <= most:
            yield f"`keep` value {place + 1} is {kept}: expected a number from 1 to {most}, fewer at each level"
    for place, level in enumerate(ranges, start=1):
        where = f"`ranges` list {place}"
        if not level:
            yield f"{where} is empty: expected ranges such as `E00-E90`"
        found = []
        for text in level:
            try:
                found.append(CodeRange.of(text))
            except InvalidHierarchyError as error:
                yield f"{where}: {error}"
        found.sort()
        for one, other in pairwise(found):
            if one.last[: len(other.first)] >= other.first[: len(one.last)]:
                yield f"{where}: {quoted(one)} and {quoted(other)} overlap"
