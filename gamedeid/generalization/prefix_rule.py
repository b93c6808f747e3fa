"""Codes of one length by their beginnings, where the codes come from the data."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

from gamedeid.errors import InvalidHierarchyError, listed, quoted_shape
from gamedeid.generalization.levels import ROOT, Ladder
from gamedeid.generalization.missing_codes import as_text, is_missing_code, missing_values_hint
from gamedeid.generalization.prefixes import DIGITS, Merge, code_words, is_code, prefix_ladder, rule_faults
from gamedeid.reprs import frozen

SURE_LENGTH = 4
"""From this length on, all zeros or all nines are taken for no code; of ZIP codes at any length."""


@frozen
class PrefixRule:
    """Codes that show fewer characters level by level; the leaves are the codes in the data.

    Parameters
    ----------
    length, keep, merge, alphabet : as in `gamedeid.generalization.prefixes.prefix_ladder`; `keep` has one
        entry per level between value and `*`.
    are_zip_codes : zeros or nines alone are taken for no code at any length.

    Raises
    ------
    InvalidHierarchyError : for a rule that no values could satisfy; carries every fault.
    """

    length: int
    keep: tuple[int, ...]
    merge: tuple[Merge, ...] = ()
    alphabet: str = DIGITS
    are_zip_codes: bool = False

    def __post_init__(self) -> None:
        faults = tuple(rule_faults(length=self.length, keep=self.keep, merge=self.merge, alphabet=self.alphabet))
        if faults:
            raise InvalidHierarchyError(*faults)

    @property
    def levels(self) -> int:
        """Return the number of levels, the code and the root included."""
        return len(self.keep) + 2

    def leaf_of(self, value: object) -> str | None:
        """Return a code; None for a value that is none, or fills its places with what stands for a missing value."""
        text = as_text(value)
        return text if self._is_code(text) and not self._is_filler(text) else None

    def reading_of(self, leaves: Collection[str]) -> None:
        """Return None: each code is read as it is."""

    def fault_of(self, odd: Sequence[str], total: int) -> str:
        """Return what is wrong with values of the data that are no codes."""
        others = [text for text in odd if not self._is_code(text)]
        if others:
            return (
                f"expected codes of {code_words(self.length, self.alphabet)}, but {len(others):,} of the {total:,} "
                "distinct values in the data are none: pad or correct them, or name the characters of codes in "
                f"`alphabet`{missing_values_hint(others)}"
            )
        are = "is" if len(odd) == 1 else "are"
        return (
            f"{len(odd):,} of the {total:,} distinct codes in the data {are} well known for "
            f"missing values{missing_values_hint(odd)}; else list all codes as `values` of the hierarchy"
        )

    def ladder(self, leaves: Collection[str]) -> Ladder:
        """Return the levels of some codes.

        Raises
        ------
        InvalidHierarchyError : a merge that would split a group of these codes or publish two groups alike.
        """
        shown: list[str] = []

        def shape(value: object) -> str:
            shown.append(str(value))
            return quoted_shape(value)

        try:
            return prefix_ladder(
                sorted(leaves),
                length=self.length,
                keep=self.keep,
                merge=self.merge,
                alphabet=self.alphabet,
                closed=False,
                show=shape,
            )
        except InvalidHierarchyError as error:
            raise InvalidHierarchyError(*error.faults, values=dict.fromkeys(shown)) from None

    def published(self) -> list[str]:
        """Return what each level publishes, in words."""
        return [
            f"all {self.length} characters",
            *(f"the first {kept} of {self.length} characters" for kept in self.keep),
            ROOT,
        ]

    def notes(self) -> Iterator[str]:
        """Yield what the rule does besides: its merges."""
        for merge in self.merge:
            named = listed([*merge.values, *(f"{prefix}..." for prefix in merge.prefixes)], show=str)
            label = "" if merge.label is None else f" as {merge.label}"
            yield f"one group{label} from level {merge.from_level}: {named}"

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values."""
        return {"length": self.length, "keep": list(self.keep), "merge": [asdict(merge) for merge in self.merge]}

    def _is_code(self, text: str) -> bool:
        return is_code(text, length=self.length, alphabet=self.alphabet)

    def _is_filler(self, text: str) -> bool:
        surely = self.length >= SURE_LENGTH or self.are_zip_codes
        return is_missing_code(text) and (surely or not text.isdigit())
