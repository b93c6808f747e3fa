"""Kinds of identifiers that one column may hold, by its name and the signs in its values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gamedeid.data.column_names import has_place_number_word, identifiers_by_name, looks_like_person_key
from gamedeid.intake.identifiers.column_signs import CATEGORIES, NEARLY_UNIQUE, ColumnSigns
from gamedeid.intake.identifiers.counts import sample_counts
from gamedeid.intake.identifiers.findings import KINDS, Evidence, IdentifierFinding
from gamedeid.reprs import frozen

_AGREEING = 0.3  # share of the values that fit the name, for both to be evidence
_ALL = 0.95  # least share of a form that is worth a look with fewer distinct values than the form needs
_TEXTS = 0.2  # share of the values that are texts
_MOST_NO_AGES = 0.02  # share of numbers that are no ages in years; with more of them the column may hold no ages
_MOST_STATES = 62  # codes of two letters of states and territories of the United States, or somewhat more
_LONG_NUMBER = 8  # digits of a possible number of a person, for any name of the column

_WITHOUT_SHARE = {"names", "street addresses", "biometric identifiers", "photographs"}
"""Kinds with signs that are too common for their share to be evidence."""


@frozen
class _Sign:
    """The kinds of identifiers that one form of values indicates.

    Parameters
    ----------
    strong : least share of the values, in [0, 1], that can hardly be chance, for any name of the column; None if values
        of this form alone are never strong evidence.
    weak : least share that is worth a look; 0 for a single value.
    values : least number of distinct values with the form; with fewer, all values must have it, and are worth a look.
    by_itself : whether it also indicates the kind if the column's name states another one, which may explain the form.
    """

    kind: str
    strong: float | None
    weak: float
    values: int = 1
    by_itself: bool = True


_SIGNS: dict[str, _Sign] = {
    "e-mail": _Sign(kind="e-mail addresses", strong=0.01, weak=0),
    "url": _Sign(kind="web addresses", strong=0.01, weak=0),
    "ssn": _Sign(kind="social security numbers", strong=0.05, weak=0),
    "north american phone": _Sign(kind="telephone numbers", strong=0.05, weak=0),
    "international phone": _Sign(kind="telephone numbers", strong=0.05, weak=0),
    "national phone": _Sign(kind="telephone numbers", strong=None, weak=0.3, values=3),
    "ip": _Sign(kind="IP addresses", strong=0.05, weak=0.01),
    "mac": _Sign(kind="device identifiers", strong=0.05, weak=0),
    "udi": _Sign(kind="device identifiers", strong=0.05, weak=0),
    "imei": _Sign(kind="device identifiers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "uuid": _Sign(kind="unique identifiers", strong=0.05, weak=0.01, by_itself=False),
    "hash": _Sign(kind="unique identifiers", strong=0.5, weak=0.05, values=3, by_itself=False),
    "iban": _Sign(kind="account numbers", strong=0.05, weak=0.01),
    "card": _Sign(kind="account numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "vin": _Sign(kind="vehicle identifiers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "medicare": _Sign(kind="health plan numbers", strong=0.5, weak=0.3, values=3),
    "dea": _Sign(kind="licence numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "npi": _Sign(kind="licence numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "record number": _Sign(kind="medical record numbers", strong=0.05, weak=0.01),
    "street": _Sign(kind="street addresses", strong=0.1, weak=0.02),
    "coordinates": _Sign(kind="street addresses", strong=0.2, weak=0.05, values=3),
    "zip+4": _Sign(kind="places", strong=0.2, weak=0.05),
    "postcode": _Sign(kind="places", strong=0.5, weak=0.2, values=3),
    "county": _Sign(kind="places", strong=0.5, weak=0.1),
    "date": _Sign(kind="dates", strong=0.1, weak=0.01),
    "short date": _Sign(kind="dates", strong=0.9, weak=0.5, values=3),
    "bare date": _Sign(kind="dates", strong=0.9, weak=0.7, values=3, by_itself=False),
    "image": _Sign(kind="photographs", strong=0.1, weak=0.01),
    "titled name": _Sign(kind="names", strong=0.2, weak=0.05, values=3),
    "given name": _Sign(kind="names", strong=0.5, weak=0.25, values=5),
    "bare phone": _Sign(kind="telephone numbers", strong=0.95, weak=0.8, values=20, by_itself=False),
    "bare ssn": _Sign(kind="social security numbers", strong=None, weak=0.8, values=20, by_itself=False),
}
"""Signs of whole values that indicate a kind by themselves."""

_NUMBERS = frozenset({"digits", "code", "uuid", "hash"})

_FITTING: dict[str, frozenset[str]] = {
    "names": frozenset({"given name", "titled name", "letters"}),
    "street addresses": frozenset({"street", "coordinates", "letters", "degrees"}),
    "places": frozenset({"bare zip", "zip+4", "postcode", "county", "letters"}),
    "dates": frozenset({"date", "short date", "bare date", "day number"}),
    "telephone numbers": frozenset({"many digits"}),
    "fax numbers": frozenset({"many digits"}),
    "e-mail addresses": frozenset({"e-mail"}),
    "social security numbers": frozenset({"ssn", "many digits"}),
    "medical record numbers": _NUMBERS,
    "health plan numbers": _NUMBERS,
    "account numbers": _NUMBERS,
    "licence numbers": _NUMBERS,
    "vehicle identifiers": _NUMBERS,
    "device identifiers": _NUMBERS | {"mac"},
    "web addresses": frozenset({"url"}),
    "IP addresses": frozenset({"ip"}),
    "biometric identifiers": _NUMBERS | {"letters"},
    "photographs": _NUMBERS | {"image", "url"},
    "unique identifiers": _NUMBERS | {"letters"},
    "free text": frozenset({"text"}),
}
"""Kind -> signs that agree with a column's name that states the kind."""


def column_findings(
    name: str, values: Mapping[str, int] | Iterable[str] = (), *, year: int | None = None
) -> tuple[IdentifierFinding, ...]:
    """Return the kinds of identifiers that a column may hold.

    Parameters
    ----------
    name : of the column.
    values : text of each distinct value -> how many rows have it; or the texts of all rows. Without any, only the
        name is examined.
    year : of the release, from which ages of years of birth are counted back; None where it is not known.

    Returns
    -------
    Strong evidence first, each kind once, without any value.

    Examples
    --------
    >>> [finding.kind for finding in column_findings("contact", ["a.b@example.org", "c@example.com"])]
    ['e-mail addresses']
    """
    signs = ColumnSigns(name, year)
    counts = values if isinstance(values, Mapping) else Counter(values)
    signs.add(sample_counts(counts))
    return column_findings_from_signs(signs)


def column_findings_from_signs(signs: ColumnSigns, *, is_key: bool = False) -> tuple[IdentifierFinding, ...]:
    """Return the kinds that a column may hold, strong evidence first, each once; a key is one to one with persons."""
    named = {kind.words: kind.stated for kind in identifiers_by_name(signs.name)}
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
        superseded = {kind for kind, one in found.items() if kind == "unique identifiers" or one.evidence == "name"}
        found = {kind: one for kind, one in found.items() if one.strong or kind not in superseded}
    order = list(KINDS)
    return tuple(sorted(found.values(), key=lambda one: (not one.strong, order.index(one.kind))))


def _by_search(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds that a single value proves, and those that it makes possible."""
    explained, alone = _explains(named), signs.found["alone"]
    kinds = {kind: (rows, False) for kind, rows in signs.found["doubtful"].items() if not explained or kind in named}
    kinds |= {kind: (rows, True) for kind, rows in signs.found["certain"].items()}
    for kind in ("social security numbers", "telephone numbers"):
        if (rows := alone[kind]) and not named and _is_rare_number(signs, rows):
            kinds.setdefault(kind, (rows, False))
    if (cards := alone["account numbers"]) and 2 * cards >= alone["long numbers"] and not named:
        kinds["account numbers"] = (max(cards, kinds.get("account numbers", (0, True))[0]), True)
    if "version" in signs.name.casefold():
        kinds.pop("IP addresses", None)
    found = []
    for kind, (rows, strong) in kinds.items():
        whole = sum(signs.rows[name] for name, sign in _SIGNS.items() if sign.kind == kind) if strong else 0
        if not signs.sampled and rows < whole <= signs.looked_at:
            rows = whole  # noqa: PLW2901
        share = min(1.0, rows / max(1, signs.present))
        found.append(replace(_of_values(signs, named, kind, share, strong=strong), rows=rows))
    return found


def _explains(named: Mapping[str, bool]) -> bool:
    """Return whether a name explains the values; that of free text does not, since it can hold anything."""
    return any(stated for kind, stated in named.items() if kind != "free text")


def _of_values(
    signs: ColumnSigns, named: Mapping[str, bool], kind: str, share: float, *, strong: bool
) -> IdentifierFinding:
    """Return the kinds by values, and by the name too; telephone numbers of a column of faxes are fax numbers."""
    called = "fax numbers" if kind == "telephone numbers" and "fax numbers" in named else kind
    return _finding(signs, called, share, "name and values" if called in named else "values", strong=strong)


def _is_rare_number(signs: ColumnSigns, rows: int) -> bool:
    """Return whether numbers of a length are among values that are mostly texts, or much shorter numbers."""
    rare = 2 * rows < signs.present
    return rare and (signs.share("numeral") < 1 / 2 or (not signs.sampled and signs.rows["number"] == rows))


def _by_values(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds that values indicate by themselves."""
    found = []
    shares: Counter[str] = Counter()
    for name, sign in _SIGNS.items():
        shares[sign.kind] += signs.rows[name]
    explained = _explains(named)
    for name, sign in _SIGNS.items():
        share = signs.share(name)
        few = signs.distinct[name] < min(sign.values, max(3, signs.looked_at // 2))
        if share == 0 or (few and share < _ALL):
            continue
        if explained and not sign.by_itself and sign.kind not in named:
            continue
        if share >= sign.weak and not (name == "ip" and "version" in signs.name.casefold()):
            together = min(1.0, shares[sign.kind] / signs.looked_at)
            strong = sign.strong is not None and share >= sign.strong and not few
            found.append(_of_values(signs, named, sign.kind, together, strong=strong))
    return found


def _by_name(signs: ColumnSigns, named: Mapping[str, bool]) -> list[IdentifierFinding]:
    """Return the kinds by the name, unless the values contradict it."""
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


def _fitting(signs: ColumnSigns, kind: str) -> float:
    """Return the share of the values that fit the kind of the name, in [0, 1]."""
    return max(signs.share(sign) for sign in _FITTING[kind])


def _by_name_of_texts(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    fitting = _fitting(signs, "free text")
    if fitting >= _AGREEING or (stated and fitting > 0):
        return [_finding(signs, "free text", fitting, "name and values", strong=stated)]
    return [_finding(signs, "free text", None, "name", strong=False)] if stated and not signs.are_categories else []


def _by_name_of_dates(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    if (fitting := _fitting(signs, "dates")) >= _AGREEING:
        return [_finding(signs, "dates", fitting, "name and values", strong=True)]
    parts = signs.share("letters") >= _AGREEING or (signs.share("month") >= NEARLY_UNIQUE and not stated)
    if signs.share("year") >= NEARLY_UNIQUE or not (stated or parts):
        return []  # years alone are no dates
    return [_finding(signs, "dates", None, "name", strong=False)]


def _by_name_of_places(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    codes = signs.share("bare zip", "zip+4", "postcode", "county")
    if signs.share("letters") < _AGREEING and (not stated or signs.are_yes_or_no):
        return []  # numbers of regions, or yes and no
    evidence: Evidence = "name and values" if codes >= _AGREEING else "name"
    fit = _fitting(signs, "places") >= _AGREEING or has_place_number_word(signs.name)
    strong = stated and not signs.are_yes_or_no and fit
    return [_finding(signs, "places", codes or None, evidence, strong=strong)]


def _may_be_categories(signs: ColumnSigns) -> bool:
    """Return whether few values are shared by many rows, and are too short to be numbers of few people."""
    return signs.are_categories and signs.share("long") < _AGREEING


def _by_name_of_numbers(signs: ColumnSigns, kind: str, *, stated: bool) -> list[IdentifierFinding]:
    """Return a kind whose values are mostly unique to a person; yes and no are none."""
    categories, fitting = _may_be_categories(signs) and kind != "names", _fitting(signs, kind)
    agree = fitting >= _AGREEING
    if signs.are_yes_or_no or (categories and not (stated and agree)) or not (stated or agree):
        return []
    share = fitting if agree and kind not in _WITHOUT_SHARE else None
    evidence: Evidence = "name and values" if agree else "name"
    return [_finding(signs, kind, share, evidence, strong=stated and agree and not categories)]


def _by_name_of_keys(signs: ColumnSigns, *, stated: bool) -> list[IdentifierFinding]:
    """Return the kind of a column with a name like that of a key: it must distinguish persons or rows."""
    share, is_person_key = signs.share("digits"), looks_like_person_key(signs.name)
    if signs.are_yes_or_no:
        return []
    if stated and not _may_be_categories(signs):
        strong = not signs.are_consecutive or is_person_key
        return [_finding(signs, "unique identifiers", None, "name", strong=strong)]
    few_people = is_person_key or (signs.are_categories and not _may_be_categories(signs))
    if share >= NEARLY_UNIQUE and (signs.are_nearly_unique or few_people):
        strong = signs.are_nearly_unique and not signs.are_consecutive
        return [_finding(signs, "unique identifiers", share, "name and values", strong=strong)]
    return []


def _special(signs: ColumnSigns) -> list[IdentifierFinding]:
    """Return ages over 89, texts, and codes that are unique in nearly every row."""
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
    other_kind = any(kind.words != "unique identifiers" for kind in identifiers_by_name(signs.name))
    if signs.are_nearly_unique and not signs.are_consecutive and "date" not in signs.rows:
        codes = signs.share("code")
        same = len(signs.lengths) == 1 and min(signs.lengths) >= _LONG_NUMBER
        numbers = signs.share("number") if same else 0.0
        if max(codes, numbers) >= NEARLY_UNIQUE and not other_kind:
            found.append(_finding(signs, "unique identifiers", max(codes, numbers), "values", strong=False))
    if signs.are_keys and not other_kind and "date" not in signs.rows:
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
