"""Which kinds of identifiers one column may hold, by its name and the signs in its values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gamedeid.data.column_names import identifiers_named, looks_like_person_key, tells_place_number
from gamedeid.intake.identifiers.column_signs import CATEGORIES, NEARLY_UNIQUE, ColumnSigns
from gamedeid.intake.identifiers.counts import of_mapping
from gamedeid.intake.identifiers.findings import KINDS, Evidence, IdentifierFinding
from gamedeid.intake.identifiers.signs import FITTING, SIGNS

_AGREEING = 0.3  # share of the values that fit the name, for both to be evidence
_TEXTS = 0.2  # share of the values that are texts
_MOST_NO_AGES = 0.02  # share of numbers that are no ages in years; with more of them the column may hold no ages
_MOST_STATES = 62  # codes of two letters of states and territories of the United States, or somewhat more
_LONG_NUMBER = 8  # digits of a number that may be that of a person, whatever the column is called

_UNTOLD_SHARES = {"names", "street addresses", "biometric identifiers", "photographs"}
"""Kinds whose fitting signs are too common for their share to say anything."""


def column_findings(
    name: str, values: Mapping[str, int] | Iterable[str] = (), *, year: int | None = None
) -> tuple[IdentifierFinding, ...]:
    """Return the kinds of identifiers that a column may hold.

    Parameters
    ----------
    name : of the column.
    values : text of each distinct value -> how many rows have it; or the texts of all rows. Without any, the name alone
        is looked at.
    year : of the release, from which ages of years of birth are counted back; None where it is not known.

    Returns
    -------
    Strong evidence first, each kind once; nothing where there is none. No value is in it.

    Examples
    --------
    >>> [finding.kind for finding in column_findings("contact", ["a.b@example.org", "c@example.com"])]
    ['e-mail addresses']
    """
    signs = ColumnSigns(name, year)
    counts = values if isinstance(values, Mapping) else Counter(values)
    signs.add(of_mapping(counts))
    return findings_of(signs)


def findings_of(signs: ColumnSigns, *, is_key: bool = False) -> tuple[IdentifierFinding, ...]:
    """Return what a column may hold, strong evidence first, each kind once; a key stands for persons one to one."""
    named = {kind.words: kind.stated for kind in identifiers_named(signs.name)}
    if "fax numbers" in named:
        named.pop("telephone numbers", None)
    found: dict[str, IdentifierFinding] = {}
    for finding in (*_by_search(signs, named), *_by_values(signs, named), *_by_name(signs, named), *_special(signs)):
        before = found.get(finding.kind)
        if before is None or (finding.strong, finding.evidence == "name and values") > (
            before.strong,
            before.evidence == "name and values",
        ):
            found[finding.kind] = finding
    if is_key and not found:
        found["unique identifiers"] = _finding(signs, "unique identifiers", 1.0, "values", strong=False)
    if any(one.strong for one in found.values()):
        found = {kind: one for kind, one in found.items() if one.strong or not _is_outdone(one)}
    order = list(KINDS)
    return tuple(sorted(found.values(), key=lambda one: (not one.strong, order.index(one.kind))))


def _is_outdone(weak: IdentifierFinding) -> bool:
    """Return whether weak evidence says nothing more beside strong evidence of another kind."""
    return weak.kind == "unique identifiers" or weak.evidence == "name"


def _by_search(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds of which a single value is enough, and those of which it is in doubt."""
    kinds: dict[str, tuple[int, bool]] = {}
    for kind, rows in signs.doubted.items():
        if not any(named.values()) or kind in named:
            kinds[kind] = (rows, False)
    kinds.update({kind: (rows, True) for kind, rows in signs.held.items()})
    for sign, kind in (("bare ssn alone", "social security numbers"), ("bare phone alone", "telephone numbers")):
        if signs.rows[sign] and not named and _is_rare_number(signs, signs.rows[sign]):
            kinds.setdefault(kind, (signs.rows[sign], False))
    if (cards := signs.rows["card alone"]) and 2 * cards >= signs.rows["long number alone"] and not named:
        kinds["account numbers"] = (max(cards, kinds.get("account numbers", (0, True))[0]), True)
    if "version" in signs.name.casefold():
        kinds.pop("IP addresses", None)
    found = []
    for kind, (rows, strong) in kinds.items():
        called = "fax numbers" if kind == "telephone numbers" and "fax numbers" in named else kind
        whole = sum(signs.rows[name] for name, sign in SIGNS.items() if sign.kind == kind) if strong else 0
        if not signs.sampled and rows < whole <= signs.looked_at:
            rows = whole  # noqa: PLW2901
        share = min(1.0, rows / max(1, signs.present))
        evidence: Evidence = "name and values" if called in named else "values"
        found.append(replace(_finding(signs, called, share, evidence, strong=strong), rows=rows))
    return found


def _is_rare_number(signs: ColumnSigns, rows: int) -> bool:
    """Return whether numbers of a length stand among values that are mostly texts, or much shorter numbers."""
    rare = 2 * rows < signs.present
    return rare and (signs.share("numeral") < 1 / 2 or (not signs.sampled and signs.rows["number"] == rows))


def _by_values(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds that values speak for by themselves."""
    found = []
    shares: Counter[str] = Counter()
    for name, sign in SIGNS.items():
        shares[sign.kind] += signs.rows[name]
    explained = any(named.values())
    for name, sign in SIGNS.items():
        share = signs.share(name)
        kind = sign.kind
        if share == 0 or signs.distinct[name] < min(sign.values, max(3, signs.looked_at // 2)):
            continue
        if (explained and not sign.by_itself and kind not in named) or (
            name == "ip" and "version" in signs.name.casefold()
        ):
            continue
        if kind == "telephone numbers" and "fax numbers" in named:
            kind = "fax numbers"
        least = sign.strong if sign.strong is not None else 2.0
        if share >= least or (sign.weak is not None and share > sign.weak) or share == sign.weak:
            together = min(1.0, shares[sign.kind] / signs.looked_at)
            evidence: Evidence = "name and values" if kind in named else "values"
            strong = share >= least
            found.append(_finding(signs, kind, together, evidence, strong=strong))
    return found


def _by_name(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds that the name tells, as far as the values do not speak against it."""
    found = []
    for kind, stated in named.items():
        if not signs.looked_at:
            found.append(_finding(signs, kind, None, "name", strong=stated))
            continue
        match kind:
            case "free text":
                found += _by_name_of_texts(signs, stated=stated)
            case "dates":
                found += _by_name_of_dates(signs, stated=stated)
            case "unique identifiers":
                found += _by_name_of_keys(signs, stated=stated)
            case "places":
                found += _by_name_of_places(signs, stated=stated)
            case _:
                found += _by_name_of_numbers(signs, kind, stated=stated)
    return found


def _fits(signs: ColumnSigns, kind: str) -> bool:
    """Return whether enough values fit what the name tells."""
    return _fitting(signs, kind) >= _AGREEING


def _fitting(signs: ColumnSigns, kind: str) -> float:
    return max(signs.share(sign) for sign in FITTING[kind])


def _by_name_of_texts(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    fitting = _fitting(signs, "free text")
    if fitting >= _AGREEING or (stated and fitting > 0):
        return [_finding(signs, "free text", fitting, "name and values", strong=stated)]
    return [_finding(signs, "free text", None, "name", strong=False)] if stated and not signs.are_categories else []


def _by_name_of_dates(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    if _fits(signs, "dates"):
        return [_finding(signs, "dates", _fitting(signs, "dates"), "name and values", strong=True)]
    parts = signs.share("letters") >= _AGREEING or (signs.share("month") >= NEARLY_UNIQUE and not stated)
    if signs.share("year") >= NEARLY_UNIQUE or not (stated or parts):
        return []  # years alone are no dates
    return [_finding(signs, "dates", None, "name", strong=False)]


def _by_name_of_places(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    codes = signs.share("bare zip", "zip+4", "postcode", "county")
    if signs.share("letters") < _AGREEING and (not stated or signs.are_two):
        return []  # numbers of regions, or yes and no
    evidence: Evidence = "name and values" if codes >= _AGREEING else "name"
    strong = stated and not signs.are_two and (_fits(signs, "places") or tells_place_number(signs.name))
    return [_finding(signs, "places", codes or None, evidence, strong=strong)]


def _by_name_of_numbers(signs: ColumnSigns, kind: str, *, stated: bool) -> list[IdentifierFinding]:
    """Return a kind of which every person has a value of their own, more or less; yes and no are none."""
    categories, agree = signs.are_categories, _fits(signs, kind)
    if signs.are_two or (categories and not (stated and agree)) or not (stated or agree):
        return []
    share = _fitting(signs, kind) if agree and kind not in _UNTOLD_SHARES else None
    evidence: Evidence = "name and values" if agree else "name"
    return [_finding(signs, kind, share, evidence, strong=stated and agree and not categories)]


def _by_name_of_keys(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    """Return what a name like that of a key comes to: it must tell persons or rows apart."""
    if stated and not signs.are_two and not signs.are_categories:
        strong = not signs.are_consecutive or looks_like_person_key(signs.name)
        return [_finding(signs, "unique identifiers", None, "name", strong=strong)]
    if signs.are_nearly_unique and signs.share("digits") >= NEARLY_UNIQUE:
        share = signs.share("digits")
        return [_finding(signs, "unique identifiers", share, "name and values", strong=not signs.are_consecutive)]
    return []


def _special(signs: ColumnSigns) -> list[IdentifierFinding]:
    """Return ages over 89, texts, and codes that nearly every row has one of its own of."""
    found = []
    if old := signs.share("old age"):
        years = signs.share("no age") <= _MOST_NO_AGES and signs.share("fraction") <= _MOST_NO_AGES
        found.append(_finding(signs, "ages over 89", old, "name and values", strong=years))
    if signs.tells_birth_year and (old := signs.share("old year")):
        found.append(_finding(signs, "ages over 89", old, "name and values", strong=signs.year is not None))
    texts, rows = signs.distinct["text"], signs.rows["text"]
    if signs.share("text") >= _TEXTS and texts > CATEGORIES:
        strong = texts >= rows / 2
        found.append(_finding(signs, "free text", signs.share("text"), "values", strong=strong))
    if signs.are_nearly_unique and not signs.are_consecutive and "date" not in signs.rows:
        codes = signs.share("code")
        same = len(signs.lengths) == 1 and min(signs.lengths) >= _LONG_NUMBER
        numbers = signs.share("number") if same else 0.0
        if max(codes, numbers) >= NEARLY_UNIQUE and not identifiers_named(signs.name):
            found.append(_finding(signs, "unique identifiers", max(codes, numbers), "values", strong=False))
    if signs.are_keys and not identifiers_named(signs.name) and "date" not in signs.rows:
        found.append(_finding(signs, "unique identifiers", 1.0, "values", strong=False))
    if _are_initials(signs):
        share = signs.share("initials", "dotted initials")
        found.append(_finding(signs, "names", share, "values", strong=False))
    return found


def _are_initials(signs: ColumnSigns) -> bool:
    """Return whether values are initials of people: with dots, or more pairs of letters than states have codes."""
    if signs.share("dotted initials") >= _AGREEING:
        return not signs.are_categories
    pairs = signs.share("initials") >= NEARLY_UNIQUE and signs.distinct["initials"] > _MOST_STATES
    return pairs and signs.distinct["region"] < NEARLY_UNIQUE * signs.distinct["initials"]


def _finding(
    signs: ColumnSigns, kind: str, share: float | None, evidence: Evidence, *, strong: bool
) -> IdentifierFinding:
    rows = None if share is None or signs.sampled else round(share * signs.looked_at)
    return IdentifierFinding(column=signs.name, kind=kind, share=share, evidence=evidence, strong=strong, rows=rows)
