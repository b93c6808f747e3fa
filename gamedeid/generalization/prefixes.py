"""Codes such as ZIP codes by the characters kept, with merged groups, such as those of few people."""

import string
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

from gamedeid.amounts import joined, number_of
from gamedeid.errors import InvalidHierarchyError, did_you_mean, listed, quoted
from gamedeid.generalization.claims import refuse
from gamedeid.generalization.levels import ROOT, CompiledLevels, Show, compile_data_levels, compile_label_columns
from gamedeid.generalization.readings import as_text, is_missing_code, missing_values_hint
from gamedeid.reprs import frozen

LONGEST = 100  # characters in a code; more is a typing error


DIGITS = "digits"
ALPHABETS = {
    DIGITS: string.digits,
    "letters": string.ascii_letters,
    "alphanumeric": string.digits + string.ascii_letters,
}
"""Characters of codes, by name; any other alphabet is written out."""


@frozen
class Merge:
    """Values that are one separate group from some level up to the last one below the root."""

    from_level: int  # the first level at which they are one group; at least 1
    values: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()  # beginnings of further leaves that belong to it
    label: str | None = None  # published at all those levels; by default the distinct prefixes of its leaves there


def every_character_less(length: int) -> tuple[int, ...]:
    """Return the characters kept if each level drops one more, down to 1, for a length up to ``LONGEST``."""
    return tuple(range(min(length, LONGEST) - 1, 0, -1))


SURE_LENGTH = 4
"""From this length on, a code of only zeros or nines counts as missing; a ZIP code does at any length."""


@frozen
class PrefixRule:
    """Codes that show fewer characters level by level; the leaves are the codes in the data.

    Parameters
    ----------
    length : characters in a code; 1 to 100.
    keep : characters kept at levels 1, 2, ..., padded with `*`; falling, each in 1..length-1.
    merge : values that form separate groups, outside of the rule.
    alphabet : characters of codes: the name of a set, or the characters themselves.
    are_zip_codes : whether only zeros or nines count as missing at any length.

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
        refuse(self._faults())

    def leaf_of(self, value: object) -> str | None:
        """Return a code; None for a value that is no code, or one that means a missing value."""
        text = as_text(value)
        return text if self._is_code(text) and not self._is_filler(text) else None

    def reading_of(self, leaves: Collection[str]) -> None:
        """Return None: each code is read as it is."""

    def fault_of(self, invalid: Sequence[str], total: int) -> str:
        """Return the fault of values of the data that are no codes."""
        others = [text for text in invalid if not self._is_code(text)]
        if others:
            return (
                f"expected codes of {self._words}, but {len(others):,} of the {total:,} distinct values in the data "
                "are none: pad or correct them, or name the characters of codes in "
                f"`alphabet`{missing_values_hint(others)}"
            )
        are = "is" if len(invalid) == 1 else "are"
        return (
            f"{len(invalid):,} of the {total:,} distinct codes in the data {are} well known for "
            f"missing values{missing_values_hint(invalid)}; else list all codes as `values` of the hierarchy"
        )

    def compile_levels(self, leaves: Collection[str]) -> CompiledLevels:
        """Return the levels of some codes."""
        return compile_data_levels(lambda show: self.compile(sorted(leaves), is_closed=False, show=show))

    def compile(self, values: Sequence[str], *, is_closed: bool = True, show: Show = quoted) -> CompiledLevels:
        """Return the levels of codes, which are all possible ones if ``is_closed``."""
        refuse(self._value_faults(values, show))
        faults = list(_absent_from_domain(values, self.merge)) if is_closed else []
        members = [_members(values, one) for one in self.merge]
        owner: dict[str, int] = {}
        for place, own in enumerate(members):
            for value in own:
                if owner.setdefault(value, place) != place:
                    faults.append(f"merge {place + 1}: {show(value)} is in merge {owner[value] + 1} too")
        refuse(faults)
        given = {one.label.strip() for one in self.merge if one.label}
        columns: list[list[str]] = [list(values)]
        for level, kept in enumerate(self.keep, start=1):
            shown = {value: value[:kept].ljust(self.length, ROOT) for value in values}
            taken = {value: place for value, place in owner.items() if self.merge[place].from_level <= level}
            plain = {label for value, label in shown.items() if value not in taken}
            names = {
                place: (self.merge[place].label or "").strip()
                or _label_of_prefixes({shown[value] for value in members[place]}, plain)
                for place in sorted(set(taken.values()))
            }
            faults += _clashes(names, plain, level, lambda label: quoted(label) if label in given else show(label))
            columns.append([names[taken[value]] if value in taken else shown[value] for value in values])
        refuse(faults)
        return compile_label_columns(columns, show=show)

    def published(self) -> list[str]:
        """Return the labels of each level, in words."""
        return [
            f"all {self.length} characters",
            *(f"the first {kept} of {self.length} characters" for kept in self.keep),
            ROOT,
        ]

    @property
    def notes(self) -> Iterator[str]:
        """Yield the merges of the rule, in sentences."""
        for merge in self.merge:
            named = listed([*merge.values, *(f"{prefix}..." for prefix in merge.prefixes)], show=str)
            label = "" if merge.label is None else f" as {merge.label}"
            yield f"one group{label} from level {merge.from_level}: {named}"

    def described(self) -> Mapping[str, object]:
        """Return the rule as plain values."""
        return {"length": self.length, "keep": list(self.keep), "merge": [asdict(merge) for merge in self.merge]}

    @property
    def _characters(self) -> frozenset[str]:
        return frozenset(ALPHABETS.get(self.alphabet, self.alphabet))

    @property
    def _words(self) -> str:
        """The form of a code: "5 digits", "3 alphanumeric characters"."""
        match self.alphabet:
            case "digits" | "letters":
                return number_of(self.length, self.alphabet.removesuffix("s"))
            case "alphanumeric":
                return number_of(self.length, "alphanumeric character")
            case characters:
                return f"{number_of(self.length, 'character')} of {quoted(characters)}"

    def _is_code(self, text: str) -> bool:
        return len(text) == self.length and self._characters.issuperset(text)

    def _is_filler(self, text: str) -> bool:
        surely = self.length >= SURE_LENGTH or self.are_zip_codes
        return is_missing_code(text) and (surely or not text.isdigit())

    def _faults(self) -> Iterator[str]:
        """Yield the faults that need no values."""
        alphabet, length = self.alphabet, self.length
        if alphabet not in ALPHABETS and (not alphabet or len(set(alphabet)) < len(alphabet) or ROOT in alphabet):
            yield (
                f"`alphabet` is {quoted(alphabet)}: expected {', '.join(quoted(name) for name in ALPHABETS)}, or the "
                f"characters themselves, each once and no `{ROOT}`{did_you_mean(alphabet, ALPHABETS)}"
            )
            return
        if not 1 <= length <= LONGEST:
            yield f"`length` is {length}: expected 1 to {LONGEST}"
            return
        for place, kept in enumerate(self.keep):
            most = self.keep[place - 1] - 1 if place else length - 1
            if not 1 <= kept <= most:
                yield f"`keep` value {place + 1} is {kept}: expected a number from 1 to {most}, fewer at each level"
        for place, one in enumerate(self.merge, start=1):
            for fault in _merge_faults(one, length, len(self.keep), self._characters):
                yield f"merge {place}: {fault}"

    def _value_faults(self, values: Sequence[str], show: Show) -> Iterator[str]:
        if not values:
            yield "no values: expected at least one"
        seen: dict[str, int] = {}
        for number, value in enumerate(values, start=1):
            if len(value) != self.length:
                yield f"value {number}: {show(value)} has {number_of(len(value), 'character')}: expected {self.length}"
            elif ROOT in value or value != value.strip():
                yield f"value {number}: {show(value)} has a `{ROOT}` or a space in it: expected a code in full"
            elif not self._is_code(value):
                yield (
                    f"value {number}: {show(value)} is not {self._words}: correct it, or name its characters in "
                    "`alphabet`"
                )
            elif seen.setdefault(value, number) != number:
                yield f"value {number}: {show(value)} is already value {seen[value]}"


def _merge_faults(one: Merge, length: int, levels: int, characters: frozenset[str]) -> Iterator[str]:
    if not 1 <= one.from_level <= levels:
        yield f"`from_level` is {one.from_level}: expected a level from 1 to {levels}, below the root"
    if not one.values and not one.prefixes:
        yield "no `values` and no `prefixes`: expected at least one"
    for value in one.values:
        if len(value) != length:
            yield f"value {quoted(value)} has {number_of(len(value), 'character')}: expected {length}"
    for prefix in one.prefixes:
        if not 1 <= len(prefix) <= length:
            yield f"prefix {quoted(prefix)} has {number_of(len(prefix), 'character')}: expected 1 to {length}"
    for part in (*one.values, *one.prefixes):
        if not characters.issuperset(part):
            yield f"{quoted(part)} has a character outside the alphabet: no code begins so"
    if one.label is not None and one.label.strip() in ("", ROOT):
        yield f"`label` is {quoted(one.label)}: expected a text that is no other label"


def _absent_from_domain(values: Sequence[str], merge: Sequence[Merge]) -> Iterator[str]:
    domain = set(values)
    for place, one in enumerate(merge, start=1):
        for value in one.values:
            if value not in domain:
                yield f"merge {place}: {quoted(value)} is not among the values"
        for prefix in one.prefixes:
            if not any(value.startswith(prefix) for value in values):
                yield f"merge {place}: no value begins with {quoted(prefix)}"


def _members(values: Sequence[str], one: Merge) -> list[str]:
    named, prefixes = frozenset(one.values), frozenset(one.prefixes)
    lengths = sorted({len(prefix) for prefix in prefixes})
    return [value for value in values if value in named or any(value[:length] in prefixes for length in lengths)]


def _label_of_prefixes(prefixes: set[str], plain: set[str]) -> str:
    """Return the prefixes in brackets; a single one without, unless values outside of the merge have it as label."""
    if len(prefixes) == 1 and not prefixes & plain:
        return next(iter(prefixes))
    return f"[{', '.join(sorted(prefixes))}]"


def _clashes(names: dict[int, str], plain: set[str], level: int, show: Show) -> Iterator[str]:
    owners: dict[str, int] = {}
    for place, label in names.items():
        clash = f"merge {place + 1}: its label {show(label)} at level {level} is also that of"
        if label in plain:
            yield f"{clash} values outside it: give the merge another `label`, or correct those values"
        if owners.setdefault(label, place) != place:
            yield f"{clash} merge {owners[label] + 1}"


CODE_COLUMNS = ("zip", "zip3", "zip5", "zcta", "zcta5")
PEOPLE_COLUMNS = ("population", "pop", "people", "count")
MOST_DIGITS = 4
"""Digits of a prefix: 10,000 of them are looked up one by one."""


def people_of_rows(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return ZIP code, or prefix of one, -> people, from a table with a header."""
    header = [name.strip().casefold() for name in rows[0]] if rows else []
    places = []
    for names in (CODE_COLUMNS, PEOPLE_COLUMNS):
        found = [place for place, name in enumerate(header) if name in names]
        if len(found) != 1:
            raise InvalidHierarchyError(f"row 1: expected one column called {joined(map(quoted, names), 'or')}")
        places += found
    refuse(_row_faults(rows, places, len(header)))
    people: dict[str, int] = {}
    for row in rows[1:]:
        if row:
            code, count = (row[place].strip() for place in places)
            people[code] = people.get(code, 0) + int(count)
    return people


def small_prefixes(people: Mapping[str, int], *, digits: int, limit: int) -> tuple[str, ...]:
    """Return the prefixes of ``digits`` digits that have at most ``limit`` people, or none.

    ``people`` are those of each ZIP code, or of each prefix of at least as many digits.
    """
    faults = []
    if not 1 <= digits <= MOST_DIGITS:
        faults.append(f"`digits` is {digits}: expected 1 to {MOST_DIGITS}")
    if limit < 0:
        faults.append(f"`limit` is {limit}: expected 0 or more")
    short = sum(len(code) < digits or not _is_digits(code) for code in people)
    if short:
        faults.append(
            f"{short:,} of the {len(people):,} codes have fewer than {digits} digits: expected ZIP codes or prefixes "
            "as text, with leading zeros"
        )
    refuse(faults)
    totals: dict[str, int] = {}
    for code, count in people.items():
        totals[code[:digits]] = totals.get(code[:digits], 0) + count
    every = (f"{number:0{digits}}" for number in range(10**digits))
    return tuple(prefix for prefix in every if totals.get(prefix, 0) <= limit)


def small_merge(prefixes: Sequence[str], *, digits: int, keep: Sequence[int], label: str | None) -> Merge:
    """Return the merge of small prefixes, from the first level that shows no more than their digits."""
    level = next((place for place, kept in enumerate(keep, start=1) if kept <= digits), None)
    if level is None:
        raise InvalidHierarchyError(f"`digits` is {digits}: no level below the root keeps so few characters")
    return Merge(from_level=level, prefixes=tuple(prefixes), label=label)


def _row_faults(rows: Sequence[Sequence[str]], places: Sequence[int], width: int) -> Iterator[str]:
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) != width:
            yield f"row {number}: expected {width} cells as in row 1, got {len(row)}"
            continue
        code, count = (row[place].strip() for place in places)
        if not _is_digits(code):
            yield f"row {number}: {quoted(code)} is no ZIP code: expected digits"
        if not _is_digits(count):
            yield f"row {number}: {quoted(count)} is no number of people: expected a whole number"


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18  # noqa: PLR2004  (as many as count people)
