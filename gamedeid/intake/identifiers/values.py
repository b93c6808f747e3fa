"""Signs of kinds of identifiers in a single value, by its form and by its check digits."""

import ipaddress
import re
from collections.abc import Callable, Iterator

from gamedeid.data.column_names import given_names
from gamedeid.data.years import is_date, years_in_label

_VIN_LETTERS = ("AJ", "BKS", "CLT", "DMU", "ENV", "FW", "GPX", "HY", "RZ")
_VIN_VALUES = {letter: value for value, letters in enumerate(_VIN_LETTERS, 1) for letter in letters}
_VIN_VALUES |= {digit: int(digit) for digit in "0123456789"}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_CHECK = 8  # place of the digit that checks, from 0
_NPI_PREFIX = "80840"


def is_luhn_valid(digits: str) -> bool:
    """Return whether the last digit checks the others by Luhn's formula (ISO/IEC 7812-1)."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[::-2])) + sum(doubled)) % 10 == 0


def is_iban_valid(text: str) -> bool:
    """Return whether the two digits after the country check an IBAN, without spaces and in capitals (ISO 13616)."""
    rotated = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in rotated)) % 97 == 1


def is_vin_valid(text: str) -> bool:
    """Return whether the ninth character checks a vehicle identification number (49 CFR 565.15), in capitals."""
    rest = sum(weight * _VIN_VALUES[one] for weight, one in zip(_VIN_WEIGHTS, text, strict=True)) % 11
    return text[_VIN_CHECK] == ("X" if rest == 10 else str(rest))  # noqa: PLR2004


def is_dea_valid(text: str) -> bool:
    """Return whether the last digit checks the registration number of a prescriber: two letters, seven digits."""
    first, second, third, fourth, fifth, sixth, check = map(int, text[2:])
    return (first + third + fifth + 2 * (second + fourth + sixth)) % 10 == check


def is_npi_valid(digits: str) -> bool:
    """Return whether ten digits are the number of a health care provider in the United States (45 CFR 162.406)."""
    return digits[0] in "12" and is_luhn_valid(_NPI_PREFIX + digits)


def is_gtin_valid(digits: str) -> bool:
    """Return whether the last digit checks a trade item number, the first part of most device identifiers (GS1)."""
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return total % 10 == 0


GIVEN_NAMES = given_names()
"""In small letters."""

_IMAGE_BYTES = ("data:image/", "/9j/", "ivborw0kggo", "r0lgod")
"""First letters of the texts of images, in small letters."""

_IMAGE = r"jpe?g|png|gif|tiff?|bmp|heic|heif|webp|dcm"
_STREET = (
    r"street|st|avenue|ave|road|rd|drive|dr|lane|ln|boulevard|blvd|court|ct|place|pl|terrace|ter|circle|cir|highway|hwy|"
    r"parkway|pkwy|way|square|sq"
)
_FORMS: tuple[tuple[str, str], ...] = (
    ("e-mail", r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}"),
    ("image", rf"(?:[^\s<>|*?]+[/\\])?[\w .()-]+\.(?:{_IMAGE})"),
    ("url", r"(?:https?|ftp|sftp)://\S+|www\.[\w-]+(?:\.[\w-]+)+\S*"),
    ("uuid", r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?"),
    ("mac", r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}"),
    ("ip", r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:/[0-9]{1,2})?|[0-9a-f]{0,4}:[0-9a-f:.]{1,41}(?:/[0-9]{1,3})?"),
    ("ssn", r"[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}|(?:[x*#]{3}-[x*#]{2}-|[x*#]{5})[0-9]{4}"),
    ("udi", r"\(01\)[0-9]{14}.*"),
    ("north american phone", (r"(?:\+?1[-. ]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. /])[2-9][0-9]{2}[-. ][0-9]{4}"
                             r"(?: ?(?:x|ext\.?) ?[0-9]{1,6})?")),
    ("international phone", r"\+[0-9][0-9 ().\-/]{5,22}[0-9]"),
    ("national phone", r"0[1-9][0-9]{1,4}[ /-]{1,3}[0-9]{2,9}(?:[ -][0-9]{2,5}){0,3}|0[1-9](?:[ .-][0-9]{2}){4}"),
    ("card", r"[0-9]{4}(?:[ -][0-9]{4}){3}|[0-9]{4}[ -][0-9]{6}[ -][0-9]{5}"),
    ("iban", r"[a-z]{2}[0-9]{2}(?: ?[a-z0-9]{4}){2,7} ?[a-z0-9]{1,4}"),
    ("vin", r"[a-hj-npr-z0-9]{17}"),
    ("hash", (r"(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})"
             r"|\$2[aby]\$[0-9]{2}\$\S{53}")),
    ("medicare", (r"[1-9][ac-hjkmnp-rt-y][ac-hjkmnp-rt-y0-9][0-9]-?[ac-hjkmnp-rt-y][ac-hjkmnp-rt-y0-9][0-9]-?"
                 r"[ac-hjkmnp-rt-y]{2}[0-9]{2}")),
    ("dea", r"[a-hj-mp-ux][a-z9][0-9]{7}"),
    ("record number", r"mrn[ :#-]*[a-z]{0,3}[0-9]{4,}"),
    ("zip+4", r"[0-9]{5}-[0-9]{4}"),
    ("postcode", r"[a-z]{1,2}[0-9][0-9a-z]? [0-9][a-z]{2}|[abceghj-nprstvxy][0-9][a-z] [0-9][a-z][0-9]"),
    ("street", (rf"[0-9]{{1,6}}[a-z]? +(?:[\w.'-]+ +){{1,5}}(?:{_STREET})\b\.?.{{0,60}}"
               r"|[^\W\d_][\w.\- ]*(?:strasse|str\.|weg|allee|gasse|platz) *[0-9]{1,4} ?[a-z]?(?:,.*)?"
               r"|p\.? ?o\.? box [0-9]+.*")),
    ("coordinates", r"-?[0-9]{1,2}\.[0-9]{3,}[, ;]+-?[0-9]{1,3}\.[0-9]{3,}"),
    ("county", r"[^\W\d_][\w.' -]* (?:county|parish|borough)(?:, .*)?"),
    ("titled name", r"(?:mr|mrs|ms|miss|dr|prof|herr|frau)\.? +[^\W\d_][\w.'-]*(?: +[^\W\d_][\w.'-]*){0,3}"),
)  # fmt: skip
_FORM = re.compile("|".join(f"(?P<_{place}>{pattern})" for place, (_, pattern) in enumerate(_FORMS)))
_NAMES = [name for name, _ in _FORMS]

_LONGEST_FORM = 500  # characters; longer values are no numbers and names, but texts
_LONGEST_DATE = 60  # characters
_TEXT_WORDS = 5  # words that make a text
_TEXT_LENGTH = 30  # characters that make a text
_MAY_BE_DATE = re.compile(r"[0-9].*[-/. ,]|[a-z]{3}|[0-9]{4}[qw][0-9]", re.ASCII)
_SOME_YEAR = re.compile(r"(?<![0-9])(?:18|19|20)[0-9]{2}(?![0-9])")
_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_DAY_PARTS = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})(?:[t ].*)?")
_SHORT_DATE = re.compile(
    r"([0-9]{1,2})([-.])([0-9]{1,2})\2[0-9]{2}|"
    r"(?:[0-9]{1,2}[-. ]?)?(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[^\W\d_]*[-. ']{0,2}[0-9]{2}"
)
_MONTH_PARTS = re.compile(r"([0-9]{4})[-/.]([0-9]{2})|([0-9]{1,2})[-/]([0-9]{4})")
_LETTERS = re.compile(r"[^\W\d_]")
_PERSON = re.compile(r"[^\W\d_][\w.'-]*(?:,? +[^\W\d_][\w.'-]*){0,3}")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9][a-z0-9_./#-]{4,}|[0-9]{2,}(?:[-/.][0-9]{2,}){2,}")
_ZIP = re.compile(r"[0-9]{5}")
_BARE_PHONE = re.compile(r"1?[2-9][0-9]{2}[2-9][0-9]{6}")
_NATIONAL_LENGTHS = range(9, 13)
_PHONE_LENGTHS, _CARD_LENGTHS, _IMEI_LENGTH, _SSN_LENGTH = range(10, 12), range(13, 20), 15, 9
_CARDS = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6011|65|3[068]")
_MOST_MONTHS, _MOST_DAYS = 12, 31


def value_signs(value: str) -> Iterator[str]:
    """Yield the signs of a value; mostly none, and at most a few.

    Returns
    -------
    Names of signs; :data:`columns._SIGNS` has the kinds that they indicate.
    """
    text = value.casefold()
    if text.isascii() and text.removesuffix(".0").isdigit():
        yield from _signs_of_digits(text.removesuffix(".0"))
        return
    if text.startswith(_IMAGE_BYTES):
        yield "image"
        return
    if len(text) <= _LONGEST_FORM and (match := _FORM.fullmatch(text)) is not None:
        name = _NAMES[int(str(match.lastgroup)[1:])]
        if (proved := _PROOFS.get(name)) is None or proved(text):
            yield name
            return
    if len(text) <= _LONGEST_DATE and (sign := _sign_of_date(text)):
        yield sign
        return
    if text.count(" ") >= _TEXT_WORDS - 1 and len(text) >= _TEXT_LENGTH:
        yield "text"
    if len(text) > _LONGEST_FORM:
        return
    if _PERSON.fullmatch(text) and not GIVEN_NAMES.isdisjoint(_WORD.findall(text)):
        yield "given name"
    elif _CODE.fullmatch(text):
        yield "code"


def _signs_of_digits(text: str) -> Iterator[str]:
    """Yield the signs of a text of digits alone; these are several, so a column's name or the share decides."""
    length = len(text)
    if length in _PHONE_LENGTHS and _BARE_PHONE.fullmatch(text):
        yield "bare phone"
    if length == _SSN_LENGTH and _is_ssn(text):
        yield "bare ssn"
    if length == 8 and is_date(text):  # noqa: PLR2004
        yield "bare date"
    if length in _CARD_LENGTHS and _CARDS.match(text) and is_luhn_valid(text):
        yield "card"
    elif length == _IMEI_LENGTH and is_luhn_valid(text):
        yield "imei"
    if length == 10 and is_npi_valid(text):  # noqa: PLR2004
        yield "npi"
    if _ZIP.fullmatch(text):
        yield "bare zip"
    if length >= 6:  # noqa: PLR2004
        yield "number"


def _sign_of_date(text: str) -> str:
    return "date" if _is_exact_date(text) else "short date" if _is_short_date(text) else ""


def _is_exact_date(text: str) -> bool:
    """Return whether a text is a date finer than a year, and no decimal number, time or version."""
    if not _MAY_BE_DATE.search(text) or _DECIMAL.fullmatch(text) or years_in_label(text) is not None:
        return False
    parts = _DAY_PARTS.fullmatch(text)
    if parts is None:
        if (month := _MONTH_PARTS.fullmatch(text)) is not None:
            return _is_day(month[1] or month[4], month[2] or month[3], "1")
        return _SOME_YEAR.search(text) is not None and _LETTERS.search(text) is not None and is_date(text)
    first, mark, second, third = parts[1], parts[2], parts[3], parts[4]
    if len(first) == 4:  # noqa: PLR2004
        return _is_day(first, second, third)
    if len(third) == 4:  # noqa: PLR2004
        return _is_day(third, first, second) or _is_day(third, second, first)
    return mark == "/" and len(third) == 2 and _are_day_and_month(first, second)  # noqa: PLR2004


def _is_short_date(text: str) -> bool:
    """Return whether a text is a day or a month with a year of two digits: 14.03.58, 14-mar-58, mar-58."""
    match = _SHORT_DATE.fullmatch(text)
    return match is not None and (match[1] is None or _are_day_and_month(match[1], match[3]))


def _are_day_and_month(first: str, second: str) -> bool:
    return _is_day("1999", first, second) or _is_day("1999", second, first)


def _is_day(year: str, month: str, day: str) -> bool:
    return 1850 <= int(year) <= 2100 and 1 <= int(month) <= _MOST_MONTHS and 1 <= int(day) <= _MOST_DAYS  # noqa: PLR2004


def _is_ssn(text: str) -> bool:
    """Return whether nine digits are a number that the Social Security Administration, or the IRS as an ITIN, gives."""
    digits = re.sub(r"[^0-9]", "", text)
    if len(digits) == 4:  # noqa: PLR2004  (the others are masked)
        return True
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    if group == "00" or serial == "0000" or area in {"000", "666"}:
        return False
    return area[0] != "9" or 50 <= int(group) <= 99  # noqa: PLR2004


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return text.count(".") == 3 or text.count(":") > 1  # noqa: PLR2004


def is_phone(text: str) -> bool:
    """Return whether a number is a telephone number of any country; one without a country is of North America."""
    import phonenumbers  # noqa: PLC0415  (its tables take a while to load, and few columns need them)

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(text, "US")))
    except phonenumbers.NumberParseException:
        return False


def _is_vin(text: str) -> bool:
    some_letters, some_digits = re.search("[a-z]", text), re.search("[0-9]", text)
    return some_letters is not None and some_digits is not None and is_vin_valid(text.upper())


def is_card(text: str) -> bool:
    """Return whether digits, with spaces or dashes between them or none, are the number of a payment card."""
    digits = re.sub("[ -]", "", text)
    return _CARDS.match(digits) is not None and is_luhn_valid(digits)


_PROOFS: dict[str, Callable[[str], bool]] = {
    "ip": _is_ip,
    "ssn": _is_ssn,
    "mac": lambda text: re.search("[a-f]", text) is not None,
    "udi": lambda text: is_gtin_valid(text[4:18]),
    "international phone": is_phone,
    "national phone": lambda text: len(re.sub("[^0-9]", "", text)) in _NATIONAL_LENGTHS,
    "card": is_card,
    "iban": lambda text: is_iban_valid(re.sub(" ", "", text).upper()),
    "vin": _is_vin,
    "hash": lambda text: re.search("[a-f$]", text) is not None,
    "dea": is_dea_valid,
}
"""Further requirements on a form that alone may be chance."""
