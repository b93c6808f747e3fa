"""Which hierarchy a description (the keys of a hierarchy file) stands for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from gamedeid.amounts import joined
from gamedeid.errors import InvalidHierarchyError, did_you_mean, quoted, quoted_shape
from gamedeid.generalization.claims import ROWS, TEXT, TEXTS, TRUTH, WHOLE_NUMBER, WHOLE_NUMBERS, Claim, unlike
from gamedeid.generalization.hierarchy import Hierarchy, Role
from gamedeid.generalization.missing_codes import is_missing_code, missing_values_hint
from gamedeid.generalization.prefixes import (
    DIGITS,
    Merge,
    code_words,
    every_character_less,
    is_code,
    prefix_ladder,
    rule_faults,
)
from gamedeid.reprs import frozen

SURE_LENGTH = 4
"""From this length on, all zeros or all nines are taken for no code; of ZIP codes at any length."""


@frozen
class OpenHierarchy:
    """A prefix rule whose leaves come from the data: a hierarchy once it is closed over the values found there.

    Parameters
    ----------
    name, role, title : as in `Hierarchy`.
    length, keep, merge, alphabet : as in `gamedeid.generalization.prefixes.prefix_ladder`; `keep` has one
        entry per level between value and `*`.

    Raises
    ------
    InvalidHierarchyError : for a rule that no values could satisfy; carries every fault.
    """

    name: str
    length: int
    keep: tuple[int, ...]
    merge: tuple[Merge, ...] = ()
    alphabet: str = DIGITS
    role: Role | None = None
    title: str = ""

    def __post_init__(self) -> None:
        faults = tuple(rule_faults(length=self.length, keep=self.keep, merge=self.merge, alphabet=self.alphabet))
        if faults:
            raise InvalidHierarchyError(*faults)

    @property
    def levels(self) -> int:
        """Return the number of levels it will have, the value and the root included; at least 2."""
        return len(self.keep) + 2

    def close(self, values: Iterable[str]) -> Hierarchy:
        """Return the hierarchy whose leaves are the distinct values, sorted, without spaces around them.

        Raises
        ------
        InvalidHierarchyError : no values; values that are not `length` characters of the alphabet, or are well known as
            codes for a missing one; a merge that would split a group of these values or publish two groups alike.
        """
        leaves = sorted({value.strip() for value in values})
        self._refuse_odd(leaves)
        shown: list[str] = []

        def shape(value: object) -> str:
            shown.append(str(value))
            return quoted_shape(value)

        try:
            ladder = prefix_ladder(
                leaves,
                length=self.length,
                keep=self.keep,
                merge=self.merge,
                alphabet=self.alphabet,
                closed=False,
                show=shape,
            )
        except InvalidHierarchyError as error:
            faults = [f"hierarchy `{self.name}`: {fault}" for fault in error.faults]
            raise InvalidHierarchyError(*faults, values=dict.fromkeys(shown)) from None
        leaves_in_order, groups, labels = ladder
        return Hierarchy(
            name=self.name,
            leaves=leaves_in_order,
            groups=groups,
            labels=labels,
            role=self.role,
            title=self.title,
            from_data=True,
        )

    def _refuse_odd(self, leaves: Sequence[str]) -> None:
        """Refuse values that are no codes, and codes that fill their places with what stands for a missing value."""
        odd = [leaf for leaf in leaves if not is_code(leaf, length=self.length, alphabet=self.alphabet)]
        if odd:
            raise InvalidHierarchyError(
                f"hierarchy `{self.name}`: expected codes of {code_words(self.length, self.alphabet)}, but "
                f"{len(odd):,} of the {len(leaves):,} distinct values in the data are none: pad or correct them, or "
                f"name the characters of codes in `alphabet`{missing_values_hint(odd)}",
                values=odd,
            )
        surely = self.length >= SURE_LENGTH or self.role == "zip"
        fillers = [leaf for leaf in leaves if is_missing_code(leaf) and (surely or not leaf.isdigit())]
        if fillers:
            raise InvalidHierarchyError(
                f"hierarchy `{self.name}`: {len(fillers):,} of the {len(leaves):,} distinct codes in the data "
                f"{'is' if len(fillers) == 1 else 'are'} well known for missing values{missing_values_hint(fillers)}; "
                "else list all codes as `values` of the hierarchy",
                values=fillers,
            )


def build_hierarchy(description: Mapping[str, Any], *, name: str) -> Hierarchy | OpenHierarchy:
    """Return the hierarchy that a description stands for.

    Parameters
    ----------
    description : the keys of a hierarchy file: `kind` ("interval", "prefix" or "table"), `title`, `role`, and
        interval: `low`, `high`, `widths`; prefix: `length`, `alphabet`, `keep`, `values`, `merge`; table: `rows`,
        `integer`.
    name : the hierarchy's name.

    Returns
    -------
    A Hierarchy, or for prefixes without `values` an OpenHierarchy.

    Raises
    ------
    InvalidHierarchyError : with every fault: keys unknown, missing or of the wrong type, or what the kind itself finds.
    """
    kind = description.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        shown = f"`kind` is {quoted(kind)}" if "kind" in description else "`kind` is missing"
        raise InvalidHierarchyError(
            f"{shown}: expected {joined(map(quoted, _KINDS), 'or')}{did_you_mean(str(kind), _KINDS)}"
        )
    keys, build = _KINDS[kind]
    faults = [*_key_faults(description, {**_COMMON, **keys})]
    merges = description.get("merge", ())
    if kind == "prefix" and _is_list_of_tables(merges):
        for number, merge in enumerate(merges, start=1):
            faults += [f"merge {number}: {fault}" for fault in _key_faults(merge, _MERGE)]
    if faults:
        raise InvalidHierarchyError(*faults)
    common = {"name": name, "role": description.get("role"), "title": description.get("title", "")}
    return build(description, common)


class _Key(NamedTuple):
    claim: Claim
    required: bool = False


def _key_faults(table: Mapping[str, Any], keys: Mapping[str, _Key]) -> Iterator[str]:
    for key, value in table.items():
        if key not in keys:
            yield f"unknown key {quoted(key)}: expected {joined(map(quoted, keys), 'or')}{did_you_mean(key, keys)}"
        elif not keys[key].claim.holds(value):
            yield unlike(key, value, keys[key].claim)
    for key, (claim, required) in keys.items():
        if required and key not in table:
            yield f"`{key}` is missing: expected {claim.words}"


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, Sequence) and all(isinstance(one, Mapping) for one in value)


def _build_interval(description: Mapping[str, Any], common: dict[str, Any]) -> Hierarchy:
    return Hierarchy.intervals(description["low"], description["high"], description["widths"], **common)


def _build_prefix(description: Mapping[str, Any], common: dict[str, Any]) -> Hierarchy | OpenHierarchy:
    length, alphabet = description["length"], description.get("alphabet", DIGITS)
    keep = tuple(description.get("keep", every_character_less(length)))
    merge = tuple(
        Merge(
            from_level=one["from_level"],
            values=tuple(one.get("values", ())),
            prefixes=tuple(one.get("prefixes", ())),
            label=one.get("label"),
        )
        for one in description.get("merge", ())
    )
    if "values" not in description:
        return OpenHierarchy(length=length, keep=keep, merge=merge, alphabet=alphabet, **common)
    values = description["values"]
    return Hierarchy.prefixes(values, length=length, keep=keep, merge=merge, alphabet=alphabet, **common)


def _build_table(description: Mapping[str, Any], common: dict[str, Any]) -> Hierarchy:
    return Hierarchy.from_rows(description["rows"], integer=description.get("integer", False), **common)


_COMMON = {
    "title": _Key(TEXT),
    "kind": _Key(TEXT),
    "role": _Key(
        Claim(
            joined(map(quoted, get_args(Role)), "or"), lambda value: isinstance(value, str) and value in get_args(Role)
        )
    ),
}
_MERGE = {
    "from_level": _Key(WHOLE_NUMBER, required=True),
    "values": _Key(TEXTS),
    "prefixes": _Key(TEXTS),
    "label": _Key(TEXT),
}
_KINDS: dict[str, tuple[dict[str, _Key], Callable[[Mapping[str, Any], dict[str, Any]], Hierarchy | OpenHierarchy]]] = {
    "interval": (
        {
            "low": _Key(WHOLE_NUMBER, required=True),
            "high": _Key(WHOLE_NUMBER, required=True),
            "widths": _Key(WHOLE_NUMBERS, required=True),
        },
        _build_interval,
    ),
    "prefix": (
        {
            "length": _Key(WHOLE_NUMBER, required=True),
            "alphabet": _Key(TEXT),
            "keep": _Key(WHOLE_NUMBERS),
            "values": _Key(TEXTS),
            "merge": _Key(Claim("[[merge]] tables", _is_list_of_tables)),
        },
        _build_prefix,
    ),
    "table": (
        {
            "rows": _Key(ROWS, required=True),
            "integer": _Key(TRUTH),
        },
        _build_table,
    ),
}
