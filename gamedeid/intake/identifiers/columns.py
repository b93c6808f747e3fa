"""Which kinds of identifiers one column may hold, by its name and the signs in its values."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

from gamedeid.data.column_names import looks_like_person_key
from gamedeid.generalization.missing_codes import is_missing_code
from gamedeid.intake.identifiers.findings import Evidence, IdentifierFinding
from gamedeid.intake.identifiers.kinds import KINDS
from gamedeid.intake.identifiers.named_kinds import age_units_a_year, kinds_named, tells_birth_year
from gamedeid.intake.identifiers.signs import EXPLAINED_BY_NAME, FITTING, SIGNS
from gamedeid.intake.identifiers.values import signs_of

MOST_LOOKED_AT = 20_000
"""Distinct values of a column that are looked at in each block of rows, evenly spaced where there are more."""

LONGEST = 10_000
"""Characters of a value that are looked at."""

OLD_AGE, OLDEST = 90, 125
"""Ages from the first on are to be in one group; numbers beyond the last are no ages."""

NEARLY_UNIQUE = 0.9
"""Share of the values, in the first block of rows, that are distinct, for a column to tell every row apart."""

CATEGORIES, ROWS_A_CATEGORY = 20, 5
"""A column of so few values, each in so many rows on average, holds categories: no numbers of people."""

LEAST_ROWS = 20
"""Of fewer rows it is not said that they are nearly unique."""

_AGREEING = 0.3  # share of the values that fit the name, for both to be evidence
_TEXTS = 0.2  # share of the values that are texts
_WHOLE = re.compile(r"-?[0-9]{1,15}(?:\.0*)?")
_AGE_RANGE = re.compile(r"\W*([0-9]{2,3})\s*(?:-|\u2013|to)\s*([0-9]{2,3})\W*")
_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}(?:\.0*)?")


class ColumnSigns:
    """What was seen of a column's values, block after block of rows; none of them is held.

    Parameters
    ----------
    name : of the column.
    year : of the release, from which ages of years of birth are counted back; None where it is not known.
    """

    def __init__(self, name: str, year: int | None = None) -> None:
        self.name = name
        self.looked_at = 0
        self.sampled = False
        self._year = year
        self._units = age_units_a_year(name)
        self._birth_year = tells_birth_year(name)
        self._rows: Counter[str] = Counter()
        self._distinct: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()
        self._first: tuple[int, int] | None = None
        self._consecutive = False

    def add(self, counts: Mapping[str, int]) -> None:
        """Take in a block of rows.

        Parameters
        ----------
        counts : text of a value -> how many rows have it; missing ones may be among them.
        """
        if self._first is None and counts:
            self._first = (len(counts), sum(counts.values()))
            self._consecutive = _are_consecutive(text for text in counts if text.strip())
        step = max(1, -(-len(counts) // MOST_LOOKED_AT))
        self.sampled = self.sampled or step > 1
        for value in islice(counts, 0, None, step):
            text = value.strip()
            if text and not _is_missing(text):
                self.looked_at += counts[value]
                self._count(text, counts[value])

    def _count(self, text: str, rows: int) -> None:
        signs = set(signs_of(text[:LONGEST]))
        digits = sum(letter.isdigit() for letter in text)
        if digits:
            signs.add("digits")
        elif any(letter.isalpha() for letter in text):
            signs.add("letters")
        if digits >= 7:  # noqa: PLR2004  (fewer are no number that can be called)
            signs.add("many digits")
        if "number" in signs:
            self._lengths[len(text)] += rows
        if _YEAR.fullmatch(text):
            signs.add("year")
        if self._units is not None and self._is_old(text):
            signs.add("old age")
        if self._birth_year and _YEAR.fullmatch(text) and (self._year is None or int(text[:4]) <= self._year - OLD_AGE):
            signs.add("old year")
        for sign in signs:
            self._rows[sign] += rows
            self._distinct[sign] += 1

    def _is_old(self, text: str) -> bool:
        """Return whether a text tells an age of 90 or over, other than that it is one of these."""
        units = self._units or 1.0
        if _WHOLE.fullmatch(text) or re.fullmatch(r"[0-9]{1,5}\.[0-9]+", text):
            return OLD_AGE <= float(text) / units <= OLDEST
        if (match := _AGE_RANGE.fullmatch(text)) is not None:
            low, high = int(match[1]), int(match[2])
            return low > OLD_AGE or (low == OLD_AGE and high < OLDEST - 20)  # [90-94], and not [90-120]
        return False

    def findings(self) -> tuple[IdentifierFinding, ...]:
        """Return what the column may hold, strong evidence first, each kind once."""
        named = {kind.words: kind.stated for kind in kinds_named(self.name)}
        if "fax numbers" in named:
            named.pop("telephone numbers", None)
        found: dict[str, IdentifierFinding] = {}
        for finding in (*self._by_values(named), *self._by_name(named), *self._special()):
            before = found.get(finding.kind)
            if before is None or (finding.strong, finding.evidence == "name and values") > (
                before.strong,
                before.evidence == "name and values",
            ):
                found[finding.kind] = finding
        order = list(KINDS)
        return tuple(sorted(found.values(), key=lambda one: (not one.strong, order.index(one.kind))))

    def _share(self, *signs: str) -> float:
        return min(1.0, sum(self._rows[sign] for sign in signs) / self.looked_at) if self.looked_at else 0.0

    def _by_values(self, named: Mapping[str, bool]) -> list[IdentifierFinding]:
        """Return the kinds that values speak for by themselves."""
        found = []
        shares: Counter[str] = Counter()
        for name, sign in SIGNS.items():
            shares[sign.kind] += self._rows[name]
        explained = any(named.values())
        for name, sign in SIGNS.items():
            share = self._share(name)
            kind = sign.kind
            if share == 0 or self._distinct[name] < min(sign.values, max(3, self.looked_at // 2)):
                continue
            if (explained and name in EXPLAINED_BY_NAME and kind not in named) or (
                name == "ip" and "version" in self.name.casefold()
            ):
                continue
            if kind == "telephone numbers" and "fax numbers" in named:
                kind = "fax numbers"
            if share >= sign.strong or (sign.weak is not None and share > sign.weak) or share == sign.weak:
                together = min(1.0, shares[sign.kind] / self.looked_at)
                evidence: Evidence = "name and values" if kind in named else "values"
                strong = share >= sign.strong
                found.append(self._finding(kind, together, evidence, strong=strong))
        return found

    def _by_name(self, named: Mapping[str, bool]) -> list[IdentifierFinding]:
        """Return the kinds that the name tells, as far as the values do not speak against it."""
        found = []
        for kind, stated in named.items():
            if not self.looked_at:
                found.append(self._finding(kind, None, "name", strong=stated))
                continue
            match kind:
                case "free text":
                    found += self._by_name_of_texts(stated=stated)
                case "dates":
                    found += self._by_name_of_dates()
                case "unique identifiers":
                    found += self._by_name_of_keys(stated=stated)
                case "places":
                    found.append(self._by_name_of_places(stated=stated))
                case _:
                    found += self._by_name_of_numbers(kind, stated=stated)
        return found

    def _fits(self, kind: str) -> bool:
        """Return whether enough values fit what the name tells."""
        return self._fitting(kind) >= _AGREEING

    def _fitting(self, kind: str) -> float:
        return max(self._share(sign) for sign in FITTING[kind])

    def _by_name_of_texts(self, *, stated: bool) -> list[IdentifierFinding]:
        fitting = self._fitting("free text")
        if fitting >= _AGREEING or (stated and fitting > 0):
            return [self._finding("free text", fitting, "name and values", strong=stated)]
        return [self._finding("free text", None, "name", strong=False)] if stated and not self._are_categories else []

    def _by_name_of_dates(self) -> list[IdentifierFinding]:
        if self._fits("dates"):
            return [self._finding("dates", self._fitting("dates"), "name and values", strong=True)]
        if self._share("year") >= NEARLY_UNIQUE:
            return []  # years alone are no dates
        return [self._finding("dates", None, "name", strong=False)]

    def _by_name_of_places(self, *, stated: bool) -> IdentifierFinding:
        codes = self._share("bare zip", "zip+4", "postcode", "county")
        evidence: Evidence = "name and values" if codes >= _AGREEING else "name"
        return self._finding("places", codes or None, evidence, strong=stated and self._fits("places"))

    def _by_name_of_numbers(self, kind: str, *, stated: bool) -> list[IdentifierFinding]:
        """Return a kind of which every person has a value of their own, more or less; yes and no are none."""
        categories, agree = self._are_categories, self._fits(kind)
        if self._has_two_values or not (stated or (agree and not categories)):
            return []
        share = self._fitting(kind) if agree and kind not in _UNTOLD_SHARES else None
        evidence: Evidence = "name and values" if agree else "name"
        return [self._finding(kind, share, evidence, strong=stated and agree and not categories)]

    def _by_name_of_keys(self, *, stated: bool) -> list[IdentifierFinding]:
        """Return what a name like that of a key comes to: it must tell persons or rows apart."""
        if stated and not self._has_two_values and not self._are_categories:
            strong = not self._consecutive or looks_like_person_key(self.name)
            return [self._finding("unique identifiers", None, "name", strong=strong)]
        if self._is_nearly_unique and self._share("digits") >= NEARLY_UNIQUE:
            share = self._share("digits")
            return [self._finding("unique identifiers", share, "name and values", strong=not self._consecutive)]
        return []

    def _special(self) -> list[IdentifierFinding]:
        """Return ages over 89, texts, and codes that nearly every row has one of its own of."""
        found = []
        if old := self._share("old age"):
            found.append(self._finding("ages over 89", old, "name and values", strong=True))
        if self._birth_year and (old := self._share("old year")):
            found.append(self._finding("ages over 89", old, "name and values", strong=self._year is not None))
        texts, rows = self._distinct["text"], self._rows["text"]
        if self._share("text") >= _TEXTS and texts > CATEGORIES:
            strong = texts >= rows / 2
            found.append(self._finding("free text", self._share("text"), "values", strong=strong))
        if self._is_nearly_unique and not self._consecutive and "date" not in self._rows:
            codes = self._share("code")
            numbers = self._share("number") if len(self._lengths) == 1 else 0.0
            if max(codes, numbers) >= NEARLY_UNIQUE and not kinds_named(self.name):
                found.append(self._finding("unique identifiers", max(codes, numbers), "values", strong=False))
        return found

    @property
    def _is_nearly_unique(self) -> bool:
        distinct, rows = self._first or (0, 0)
        return rows >= LEAST_ROWS and distinct >= NEARLY_UNIQUE * rows

    @property
    def _has_two_values(self) -> bool:
        distinct, rows = self._first or (0, 0)
        return distinct <= 2 < rows  # noqa: PLR2004  (yes and no)

    @property
    def _are_categories(self) -> bool:
        distinct, rows = self._first or (0, 0)
        return distinct <= CATEGORIES and rows >= ROWS_A_CATEGORY * distinct

    def _finding(self, kind: str, share: float | None, evidence: Evidence, *, strong: bool) -> IdentifierFinding:
        return IdentifierFinding(column=self.name, kind=kind, share=share, evidence=evidence, strong=strong)


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
    if counts:
        signs.add(counts)
    return signs.findings()


def _is_missing(text: str) -> bool:
    """Return whether a text is a word for a missing value; 99 and 999 may be numbers like others."""
    return not text.lstrip("-").isdigit() and is_missing_code(text)


def _are_consecutive(texts: Iterable[str]) -> bool:
    """Return whether texts are whole numbers one after the other, as those of rows are."""
    try:
        numbers = sorted(int(text) for text in texts)
    except ValueError:
        return False
    return len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1 and numbers[0] in {0, 1}
