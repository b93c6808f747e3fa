"""Signs in the values of a column, counted block by block, and the number of distinct values."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gamedeid.arrays import BoolArray, IntArray
from gamedeid.arrow import as_arrow, as_numpy, as_texts
from gamedeid.data.column_names import UNITS_A_YEAR, age_units_a_year, holds_birth_years
from gamedeid.generalization.readings import is_missing_code
from gamedeid.intake.identifiers.counts import LONGEST_VALUE, CountedTexts
from gamedeid.intake.identifiers.text_forms import FAXES, GATES, PHONES, TEXT_FORMS, TextForm, Weight
from gamedeid.intake.identifiers.values import value_signs

OLD_AGE, OLDEST = 90, 125
"""The first of the ages that Safe Harbor releases as one group, and the greatest number of years that is an age."""

NEARLY_UNIQUE = 0.9
"""Least share of distinct values, in the first block of rows, with which a column distinguishes every row."""

CATEGORIES, ROWS_A_CATEGORY = 20, 5
"""Most values of a column, and least mean rows of a value, with which the column holds categories, not identifiers."""

LEAST_ROWS = 20
"""Fewest rows that are called nearly unique."""

_NO_AGE_CODES = 900  # numbers from here on may mean a missing age
_SMALLER_UNIT = r"m|mo|mos|months?|monate?|w|wks?|weeks?|wochen?|d|days?|tage?"
_AGE = re.compile(
    rf"([0-9]{{1,5}}(?:[.,][0-9]*)?)(?: ?(?:({_SMALLER_UNIT})|y|y/?o|yrs?|years?|j|jahre?|ans?|años)\.?(?: old)?"
    rf"(?:,? [0-9]+ ?(?:{_SMALLER_UNIT})\.?)?)?"
)
_UNITS_A_YEAR = {word[0]: units for word, units in UNITS_A_YEAR.items()} | {"t": UNITS_A_YEAR["day"]}
_TOP_CODE = re.compile(r"(?:[>≥]=? ?([0-9]{2,3})|([0-9]{2,3}) ?\+)")
_FRACTION = re.compile(r"-?[0-9]*[.,][0-9]*[1-9][0-9]*(?:[eE][-+]?[0-9]+)?")
_DEGREES = re.compile(r"-?[0-9]{1,3}\.[0-9]{3,}")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]")
_MARKED = 100  # characters of a value in which digits are counted
_NUMERAL = re.compile(r"[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?")
_KEY = re.compile(r"[A-Za-z]{0,4}-?[0-9][0-9A-Za-z]*(?:-[0-9A-Za-z]+)*")
_LONG_KEY = 6  # digits of a possible number of a person or a visit, for any name of the column
_LONG = {"long": _LONG_KEY, "many digits": 7}  # fewer digits are not a telephone number
_ROWS_A_KEY, _MOST_ROWS_A_KEY = 5, 5  # rows of a key on average, and times that of the key of most rows
_ONE_SHAPE = 0.98  # share of the values that have one shape, where they are keys
_INITIALS = re.compile(r"([A-Z]\. ?[A-Z]\.?(?: ?[A-Z]\.?)?)|[A-Z]{2,3}")
_AGE_RANGE = re.compile(r"\W*([0-9]{2,3})\s*(?:-|\u2013|to)\s*([0-9]{2,3})\W*")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}(?:\.0*)?")
_DAY_NUMBER = re.compile(r"[0-9]{5,13}(?:\.[0-9]+)?")  # days or seconds since some day, as programs count them


class ColumnSigns:
    """The signs in a column's values, block after block of rows; none of the values is held.

    Parameters
    ----------
    year : of the release, from which ages of years of birth are counted back; None where it is not known.
    missing_values : texts that mean a missing value, besides the well known ones.
    looked_at : number of rows with values that were examined as a whole.
    searched : number of rows with values whose text was searched, for every distinct value.
    rows, distinct : sign -> number of these rows, and of distinct values, that have it.
    found : weight -> kind -> number of searched rows with a form of this weight and kind.
    lengths : number of digits -> rows, of numbers of 6 digits and more.
    are_consecutive : whether the values of the first block are 1, 2, 3 and so on, as numbers of rows are.
    """

    def __init__(self, name: str, year: int | None = None, missing_values: Collection[str] = ()) -> None:
        self.name = name
        self._missing_values = missing_values
        self.looked_at = 0
        self.sampled = False
        self.searched = 0
        self.found: dict[Weight, Counter[str]] = {"certain": Counter(), "doubtful": Counter(), "alone": Counter()}
        self.shapes: Counter[str] = Counter()
        self.year = year
        self._units = age_units_a_year(name)
        self.tells_birth_year = holds_birth_years(name)
        self.rows: Counter[str] = Counter()
        self.distinct: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()
        self._distinct, self._rows, self._most_of_one = 0, 0, 0  # of the first block
        self.are_consecutive = False

    def add(self, counted: CountedTexts) -> None:
        """Add a block of rows."""
        if not self._rows and counted.rows:
            self._distinct, self._rows = counted.distinct, counted.rows
            self.are_consecutive = _are_consecutive(counted)
            self._most_of_one = int(counted.every_count.max())
        self.sampled = self.sampled or len(counted.texts) < counted.distinct
        self._search(counted)
        for value, rows in counted.texts.items():
            text = value.strip()
            if text and text not in self._missing_values and not _is_missing(text):
                self.looked_at += rows
                self._count(text, rows)

    def _search(self, counted: CountedTexts) -> None:
        """Search all values of a block, including those that are not examined as a whole."""
        texts, rows = counted.every_text, counted.every_count
        if self._missing_values:
            values = pc.is_in(pc.utf8_trim_whitespace(texts), as_texts(sorted(self._missing_values)))
            texts, rows = texts.filter(pc.invert(values)), rows[~as_numpy(values)]
        self.searched += int(rows.sum())
        for (weight, kind), places in search_texts(texts).items():
            self.found[weight][kind] += int(rows[places].sum())

    def _count(self, text: str, rows: int) -> None:
        signs = set(value_signs(text[:LONGEST_VALUE]))
        digits = 0 if _FRACTION.fullmatch(text) else len(_DIGIT.findall(text, 0, _MARKED))
        signs |= {sign for sign, least in _LONG.items() if digits >= least}
        self.rows["any form"] += rows * bool(signs)
        if digits:
            signs.add("digits")
        elif _LETTER.search(text):
            signs.add("letters")
        if "number" in signs:
            self.lengths[len(text)] += rows
        if _NUMERAL.fullmatch(text):
            signs.add("numeral")
        if digits >= _LONG_KEY and _KEY.fullmatch(text):
            self.shapes[_LETTER.sub("a", _DIGIT.sub("9", text))] += rows
        if (initials := _INITIALS.fullmatch(text)) is not None:
            signs.add("dotted initials" if initials[1] else "initials")
            if text in _regions():
                signs.add("region")
        for sign in signs | self._signs_of_number(text):
            self.rows[sign] += rows
            self.distinct[sign] += 1

    def _signs_of_number(self, text: str) -> set[str]:
        """Return the kinds of a number in a column of this name."""
        signs = set() if self._units is None else self._signs_of_age(text, self._units)
        if _DEGREES.fullmatch(text):
            signs.add("degrees")
        if _MONTH.fullmatch(text):
            signs.add("month")
        if _DAY_NUMBER.fullmatch(text):
            signs.add("day number")
        if _YEAR.fullmatch(text):
            signs.add("year")
            if self.tells_birth_year and (self.year is None or int(text[:4]) <= self.year - OLD_AGE):
                signs.add("old year")
        return signs

    @staticmethod
    def _signs_of_age(text: str, units: float) -> set[str]:
        """Return whether a text shows an exact age of 90 or over, not only that it is one of these, or no age."""
        if (match := _AGE.fullmatch(text.casefold())) is not None:
            number = float(match[1].replace(",", "."))
            units = _UNITS_A_YEAR[match[2][0]] if match[2] else units
            years = number / units
            signs = {"old age"} if OLD_AGE <= years <= OLDEST else set()
            if years > OLDEST and number < _NO_AGE_CODES:
                signs.add("no age")
            return signs if years.is_integer() or units > 1 else signs | {"fraction"}
        if (match := _TOP_CODE.fullmatch(text)) is not None:  # 90+ is one group, as Safe Harbor asks; 95+ is another
            return {"old age"} if OLD_AGE < int(match[1] or match[2]) <= OLDEST else set()
        if (match := _AGE_RANGE.fullmatch(text)) is not None:
            low, high = int(match[1]), int(match[2])
            if low > OLD_AGE or (low == OLD_AGE and high < OLDEST - 20):  # [90-94], and not [90-120]
                return {"old age"}
        return set()

    @property
    def present(self) -> int:
        """Number of rows with values: of the examined ones or, if there are too many values, of the searched ones."""
        return self.searched if self.sampled else self.looked_at

    def share(self, *signs: str) -> float:
        """Return the share of the examined values, in [0, 1], that have one of these signs."""
        return min(1.0, sum(self.rows[sign] for sign in signs) / self.looked_at) if self.looked_at else 0.0

    @property
    def are_nearly_unique(self) -> bool:
        """Whether nearly every row has a unique value."""
        return self._rows >= LEAST_ROWS and self._distinct >= NEARLY_UNIQUE * self._rows

    @property
    def are_yes_or_no(self) -> bool:
        """Whether there are at most two values, and none has the form of a number, code, name or text of a person.

        All patients of a clinic may have one ZIP code or one telephone number.
        """
        return self._distinct <= 2 < self._rows and not self.rows["any form"]  # noqa: PLR2004

    @property
    def are_categories(self) -> bool:
        """Whether few values are shared by many rows."""
        return self._distinct <= CATEGORIES and self._rows >= ROWS_A_CATEGORY * self._distinct

    @property
    def are_keys(self) -> bool:
        """Whether values are numbers of one shape, each in few rows, as those of persons or visits are."""
        if self._distinct < max(LEAST_ROWS, self._rows / _ROWS_A_KEY) or self.are_consecutive:
            return False
        few = self._most_of_one <= _MOST_ROWS_A_KEY * self._rows / self._distinct
        return few and max(self.shapes.values(), default=0) >= _ONE_SHAPE * self.looked_at


@cache
def _regions() -> Collection[str]:
    """Return the codes of two letters that countries have."""
    import phonenumbers  # noqa: PLC0415  (slow to import, and few columns need it)

    return frozenset(phonenumbers.SUPPORTED_REGIONS)


def _is_missing(text: str) -> bool:
    """Return whether a text is a word for a missing value; 99 and 999 may be numbers like others."""
    return not text.lstrip("-").isdigit() and is_missing_code(text)


def _are_consecutive(counted: CountedTexts) -> bool:
    """Return whether texts are whole numbers one after the other, as those of rows are: n different ones up to n."""
    try:
        numbers = [int(text) for text in counted.texts if text.strip()]
    except ValueError:
        return False
    return len(numbers) > 1 and min(numbers) >= 0 and max(numbers) <= counted.distinct


ENOUGH_PROOFS = 10_000
"""After this many proved texts of a form, others of the form count without a proof."""

_DASHES = "[\\x{2010}-\\x{2015}\\x{2212}\\x{ad}]"
_UNSEEN = "[\\x{200b}-\\x{200d}\\x{2060}\\x{feff}]"


def search_texts(texts: pa.Array) -> Mapping[tuple[Weight, str], IntArray]:
    """Return weight and kind -> places of the texts that hold a form of these; kinds without texts are left out.

    Parameters
    ----------
    texts : (n,) distinct texts, none of them null.
    """
    plain = _in_plain_letters(texts)
    passed: dict[str | None, tuple[pa.Array, IntArray]] = {None: (plain, np.arange(len(plain)))}
    for gate, (before, pattern) in GATES.items():
        values, places = passed[before]
        held = _matching(values, pattern, ignores_case=True)
        passed[gate] = (values.filter(as_arrow(held)), places[held])
    found: dict[tuple[Weight, str], list[IntArray]] = {}
    for form in TEXT_FORMS:
        values, places = passed[form.gate]
        if len(values) and len(holding := _holding(values, form)):
            found.setdefault((form.weight, form.kind), []).append(places[holding])
    return _without_fax({form: np.unique(np.concatenate(parts)) for form, parts in found.items()}, plain)


def _in_plain_letters(texts: pa.Array) -> pa.Array:
    """Return texts in which digits, dashes and spaces of other widths are the usual ones."""
    ascii_only = pc.string_is_ascii(texts)
    if pc.all(ascii_only).as_py():
        return texts
    others = pc.utf8_normalize(texts.filter(pc.invert(ascii_only)), form="NFKC")
    others = pc.replace_substring_regex(others, pattern=_DASHES, replacement="-")
    others = pc.replace_substring_regex(others, pattern=_UNSEEN, replacement="")
    return pc.replace_with_mask(texts, pc.invert(ascii_only), others)


def _matching(values: pa.Array, pattern: str, *, ignores_case: bool) -> BoolArray:
    matched: BoolArray = as_numpy(pc.match_substring_regex(values, pattern, ignore_case=ignores_case))
    return matched


def _holding(values: pa.Array, form: TextForm) -> IntArray:
    """Return the places of the values that hold a form, (k,)."""
    places = np.flatnonzero(_matching(values, form.pattern, ignores_case=form.ignores_case))
    if form.proved is None or not len(places):
        return places
    compiled = re.compile(form.pattern, re.IGNORECASE if form.ignores_case else 0)
    held = np.ones(len(places), bool)
    proofs = 0
    for number, text in enumerate(values.take(as_arrow(places)).to_pylist()):
        held[number] = any(form.proved(match) for match in _matches(compiled, text))
        proofs += held[number]
        if proofs >= ENOUGH_PROOFS:
            break
    return places[held]


def _matches(compiled: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in a text; the end of one may begin the next."""
    match = compiled.search(text)
    while match is not None:
        yield match
        match = compiled.search(text, max(match.end(1), match.start() + 1))


_PHONE: tuple[Weight, str] = ("certain", PHONES)
_FAX: tuple[Weight, str] = ("certain", FAXES)


def _without_fax(found: dict[tuple[Weight, str], IntArray], plain: pa.Array) -> Mapping[tuple[Weight, str], IntArray]:
    """Return the findings, with texts whose telephone numbers are all fax numbers left out of the former."""
    if _FAX not in found or _PHONE not in found:
        return found
    both = np.intersect1d(found[_FAX], found[_PHONE])
    (fax,) = (form.pattern for form in TEXT_FORMS if form.kind == FAXES)
    rest = pc.replace_substring_regex(plain.take(as_arrow(both)), pattern=f"(?i){fax}", replacement=" ")
    still = np.zeros(len(both), bool)
    for form in TEXT_FORMS:
        if (form.weight, form.kind) == _PHONE:
            still[_holding(rest, form)] = True
    phones = np.setdiff1d(found[_PHONE], both[~still])
    return {form: places for form, places in {**found, _PHONE: phones}.items() if len(places)}
