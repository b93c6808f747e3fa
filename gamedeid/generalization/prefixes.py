"""How codes such as ZIP codes become levels by the characters kept, with merged groups beside them."""

import string
from collections.abc import Iterator, Sequence

from gamedeid.amounts import number_of
from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted
from gamedeid.generalization.levels import ROOT, Ladder, Show, table_ladder
from gamedeid.reprs import frozen

LONGEST = 100  # characters in a code; more is a slip of the key


DIGITS = "digits"
ALPHABETS = {
    DIGITS: string.digits,
    "letters": string.ascii_letters,
    "alphanumeric": string.digits + string.ascii_letters,
}
"""Characters that codes are made of, by name; any other alphabet is written out."""


@frozen
class Merge:
    """Values that stand as one group of their own from some level up to the last one below the root.

    Parameters
    ----------
    from_level : the first level at which they are one group; at least 1.
    values : leaves that belong to it.
    prefixes : beginnings of further leaves that belong to it.
    label : what is published at all those levels; by default the distinct prefixes of its leaves at the level.
    """

    from_level: int
    values: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    label: str | None = None


def prefix_ladder(
    values: Sequence[str],
    *,
    length: int,
    keep: Sequence[int],
    merge: Sequence[Merge] = (),
    alphabet: str = DIGITS,
    closed: bool = True,
    show: Show = quoted,
) -> Ladder:
    """Compile codes of `length` characters, of which level k shows the first `keep[k - 1]`, padded with `*`.

    Parameters
    ----------
    values : the codes; distinct, each of `length` characters of the alphabet.
    length : characters in a code; 1 to 100.
    alphabet : characters that codes are made of: a name in `ALPHABETS`, or the characters themselves.
    keep : characters kept at levels 1, 2, ...; falling, each in 1..length-1.
    merge : values that leave the rule; no value may be in two of them.
    closed : the values are the whole domain, so that a merge that names others is a fault; False: they came from data.
    show : how a fault shows a value, or a label made of values.

    Raises
    ------
    InvalidHierarchyError : with every fault.
    """
    faults = [
        *rule_faults(length=length, keep=keep, merge=merge, alphabet=alphabet),
        *_value_faults(values, length, alphabet, show),
    ]
    if faults:
        raise InvalidHierarchyError(*faults)
    if closed:
        faults = [*_absent_from_domain(values, merge)]
    members = [_members(values, one) for one in merge]
    owner: dict[str, int] = {}
    for place, own in enumerate(members):
        for value in own:
            if owner.setdefault(value, place) != place:
                faults.append(f"merge {place + 1}: {show(value)} is in merge {owner[value] + 1} too")
    if faults:
        raise InvalidHierarchyError(*faults)
    given = {one.label.strip() for one in merge if one.label}
    columns: list[list[str]] = [list(values)]
    for level, kept in enumerate(keep, start=1):
        column = [value[:kept].ljust(length, ROOT) for value in values]
        taken = {value: place for value, place in owner.items() if merge[place].from_level <= level}
        plain = {label for value, label in zip(values, column, strict=True) if value not in taken}
        names = {
            place: (merge[place].label or "").strip()
            or _joined({value[:kept].ljust(length, ROOT) for value in members[place]}, plain)
            for place in sorted(set(taken.values()))
        }
        faults += _clashes(names, plain, level, lambda label: quoted(label) if label in given else show(label))
        columns.append(
            [names[taken[value]] if value in taken else label for value, label in zip(values, column, strict=True)]
        )
    if faults:
        raise InvalidHierarchyError(*faults)
    columns.append([ROOT] * len(values))
    return table_ladder(list(zip(*columns, strict=True)), noun="value", show=show)


def every_character_less(length: int) -> tuple[int, ...]:
    """Return the characters kept when each level drops one more, down to 1; as far as a length can be right."""
    return tuple(range(min(length, LONGEST) - 1, 0, -1))


def is_code(value: str, *, length: int, alphabet: str) -> bool:
    """Return whether a value has the length of a code, and only characters of the alphabet."""
    return len(value) == length and not set(value).difference(ALPHABETS.get(alphabet, alphabet))


def code_words(length: int, alphabet: str) -> str:
    """Return what a code is made of: "5 digits", "3 alphanumeric characters"."""
    match alphabet:
        case "digits" | "letters":
            return number_of(length, alphabet.removesuffix("s"))
        case "alphanumeric":
            return number_of(length, "alphanumeric character")
        case characters:
            return f"{number_of(length, 'character')} of {quoted(characters)}"


def rule_faults(*, length: int, keep: Sequence[int], merge: Sequence[Merge], alphabet: str = DIGITS) -> Iterator[str]:
    """Yield what is wrong with a prefix rule before any value is seen."""
    if alphabet not in ALPHABETS and (not alphabet or len(set(alphabet)) < len(alphabet) or ROOT in alphabet):
        yield (
            f"`alphabet` is {quoted(alphabet)}: expected {', '.join(quoted(name) for name in ALPHABETS)}, or the "
            f"characters themselves, each once and no `{ROOT}`{did_you_mean(alphabet, ALPHABETS)}"
        )
        return
    if not 1 <= length <= LONGEST:
        yield f"`length` is {length}: expected 1 to {LONGEST}"
        return
    for place, kept in enumerate(keep):
        most = keep[place - 1] - 1 if place else length - 1
        if not 1 <= kept <= most:
            yield f"`keep` value {place + 1} is {kept}: expected a number from 1 to {most}, fewer at each level"
    for place, one in enumerate(merge, start=1):
        for fault in _merge_faults(one, length, len(keep), frozenset(ALPHABETS.get(alphabet, alphabet))):
            yield f"merge {place}: {fault}"


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
        yield f"`label` is {quoted(one.label)}: expected a text of its own"


def _value_faults(values: Sequence[str], length: int, alphabet: str, show: Show) -> Iterator[str]:
    if not values:
        yield "no values: expected at least one"
    seen: dict[str, int] = {}
    for number, value in enumerate(values, start=1):
        if 1 <= length <= LONGEST and len(value) != length:
            yield f"value {number}: {show(value)} has {number_of(len(value), 'character')}: expected {length}"
        elif ROOT in value or value != value.strip():
            yield f"value {number}: {show(value)} has a `{ROOT}` or a space in it: expected a code in full"
        elif 1 <= length <= LONGEST and not is_code(value, length=length, alphabet=alphabet):
            yield (
                f"value {number}: {show(value)} is not {code_words(length, alphabet)}: correct it, or name its "
                "characters in `alphabet`"
            )
        elif seen.setdefault(value, number) != number:
            yield f"value {number}: {show(value)} is already value {seen[value]}"


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


def _joined(prefixes: set[str], plain: set[str]) -> str:
    """Return the prefixes in brackets; a single one bare, unless values outside the merge are published as it."""
    if len(prefixes) == 1 and not prefixes & plain:
        return next(iter(prefixes))
    return f"[{', '.join(sorted(prefixes))}]"


def _clashes(names: dict[int, str], plain: set[str], level: int, show: Show) -> Iterator[str]:
    owners: dict[str, int] = {}
    for place, label in names.items():
        clash = f"merge {place + 1}: its label {show(label)} at level {level} is also that of"
        if label in plain:
            yield f"{clash} values outside it: give the merge a `label` of its own, or correct those values"
        if owners.setdefault(label, place) != place:
            yield f"{clash} merge {owners[label] + 1}"
