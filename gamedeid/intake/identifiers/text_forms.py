"""The forms of identifiers that are searched for anywhere in every text."""

import ipaddress
import re
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from gamedeid.intake.identifiers.values import (
    GIVEN_NAMES,
    is_card,
    is_gtin_valid,
    is_iban_valid,
    is_phone,
    is_vin_valid,
)

PHONES, FAXES = "telephone numbers", "fax numbers"
"""Kinds of numbers that have the same form."""

Weight: TypeAlias = Literal["certain", "doubtful", "alone"]
"""The weight of a single text: strong evidence, worth a look, or, for whole values, dependent on their number."""


class TextForm(NamedTuple):
    """One form of identifiers.

    Parameters
    ----------
    kind : one of :data:`findings.KINDS`, or ``long numbers``, of which some are numbers of cards.
    gate : which of :data:`GATES` a text must pass to hold it.
    pattern : in the syntax that RE2 and Python share; its only group is the text to be proved.
    proved : distinguishes a match from chance; None if the form alone does.
    """

    kind: str
    gate: str
    pattern: str
    weight: Weight = "certain"
    proved: Callable[[re.Match[str]], bool] | None = None
    ignores_case: bool = True


_SITES, _IMAGES = "com|org|net|edu|gov|info", "jpe?g|png|gif|tiff?|heic|dcm"

GATES: dict[str, tuple[str | None, str]] = {
    "mark": (None, rf"@|[\[(] ?at ?[\])]|://|www\.|\.(?:{_SITES}|{_IMAGES})|box *[0-9]|vin[^a-z]"),
    "digits": (None, r"[0-9](?:[^0-9]*[0-9]){3}"),
    "capitals": (None, r"(?-i:[A-Z])[\pL.'-]*,? +(?-i:[A-Z0-9])"),
    "separated": ("digits", r"[0-9)] ?[-./ :] ?[(0-9a-f]|[0-9]-[a-z]|[*#xX]{2}-?[0-9]{4}|[0-9a-f]-[0-9a-f]{4}-"),
    "long": ("digits", r"[0-9]{9}|[0-9]{2} ?[0-9a-z]{4} ?[0-9a-z]{4}|\+[0-9]|00[1-9][0-9 ().\-/]{7}|[0-9a-z]{17}"),
    "named": (
        "digits",
        (r"mrn|m\.r\.n|rec|chart|patient|pat|hosp|fall|akte|nhs|ssn|sec|itin|tax|fax|tel|phone|mob|handy|pager|fon|cell|"
        r"call|ph|plan|policy|member|subscr|insur|insured|benef|medic|group|versich|acc|a/c|konto|licen|dea|npi|pass|"
        r"permit|cert|dl|plate|kennz|vin|serial|s/n|sn|device|implant|pacem|imei|udi|meid|case|study|enc|visit|specimen|"
        r"sample|subj|partic|episode|stay|id|box|ss"),
    ),
    "month": ("digits", (r"jan|j\x{e4}n|ene|feb|f[e\x{e9}]v|m[a\x{e4}]r|maer|apr|abr|avr|ma[iy]|ju[nli]|aug|ago|ao|sep|"
                         r"o[ck]t|nov|d[e\x{e9}i][cz]")),
}  # fmt: skip
"""Gate -> the gate before it, and the text needed to pass; few texts are searched for every form."""

_LEFT = r"(?:^[.-]?|[^0-9A-Za-z.-]|[^0-9][.-])"
_RIGHT = r"(?:$|[^0-9A-Za-z-]|-$|-[^0-9])"
_WORD_LEFT = r"(?:^|[^a-z])"
_APART = r"[^0-9a-z]{0,4}"

_SSN_AREA = r"(?:00[1-9]|0[1-9][0-9]|[1-578][0-9]{2}|6(?:[0-57-9][0-9]|6[0-57-9]))"
_SSN_GROUP = r"(?:0[1-9]|[1-9][0-9])"
_SSN_SERIAL = r"(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"


def _ssn(apart: str) -> str:
    return rf"(?:{_SSN_AREA}{apart}{_SSN_GROUP}|9[0-9]{{2}}{apart}[5-9][0-9]){apart}{_SSN_SERIAL}"


_AREA = r"(?:\([2-9][0-9]{2}\)[-. ]{0,2}|[2-9][0-9]{2} ?[-./] ?)"
_PHONE = rf"(?:\+?1[-. ]{{0,2}})?{_AREA}[2-9][0-9]{{2}} ?[-. ] ?[0-9]{{4}}(?: ?(?:x|ext\.?) ?[0-9]{{1,6}})?"
_ANY_PHONE = r"\+?\(?(?:[0-9][ ()./-]{0,2}){6,14}[0-9]"
_PHONE_WORDS = (
    r"(?:tel(?:ephone|efon|efono|no|nr)?|phone|mobile?|handy|pager|beeper|fon|ph ?(?:#|no|nr|number)|"
    r"cell(?:ular)? ?(?:phone|no|nr|#|:)|call(?:ed)? (?:at|on|back at)|reach(?:ed)? at)"
)
_NUMBER_WORDS = rf"(?:{_APART}(?:no|nr|num|number|nummer|is|at|was))?{_APART}"

_DAY, _MONTH = r"(?:0?[1-9]|[12][0-9]|3[01])", r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:18[5-9][0-9]|19[0-9]{2}|20[0-9]{2}|2100)"
_DATE_LEFT = r"(?:^|[^0-9A-Za-z/.-]|[^0-9][.-])"
_DATE_RIGHT = r"(?:$|[^0-9A-Za-z/-]|t[0-9]|-[^0-9]|-$)"
_MONTHS = (
    r"(?:jan(?:uary?|uar|vier)?|j(?:\x{e4}|ae)n(?:ner)?|feb(?:ruary?|ruar|rero)?|f[e\x{e9}]v(?:rier)?|m(?:a|\x{e4}|ae)r(?:ch|z|s|zo)?|"
    r"apr(?:il)?|abr(?:il)?|avr(?:il)?|ma[iy]o?|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|ao[u\x{fb}]t|"
    r"ago(?:sto)?|sept?(?:ember|iembre|embre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|iembre|embre)?|"
    r"d[e\x{e9}][cz](?:ember|embre)?|dic(?:iembre)?|ene(?:ro)?)"
)  # fmt: skip
_DATES = (
    *(
        rf"{_YEAR}{apart}{_MONTH}{apart}{_DAY}|(?:{_DAY}{apart}{_MONTH}|{_MONTH}{apart}{_DAY}){apart}{_YEAR}"
        for apart in (r"\. ?", " ?/ ?", "-")
    ),
)
_DATES_IN_WORDS = (
    rf"{_DAY}(?:st|nd|rd|th)?\.?[ -]{{0,2}}(?:of |de )?{_MONTHS}\.?,?[ -]{{0,2}}(?:de )?{_YEAR}|"
    rf"{_MONTHS}\.?[ -]{{1,2}}{_DAY}(?:st|nd|rd|th)?,?[ -]{{1,2}}{_YEAR}|{_YEAR}[ -]{_MONTHS}[ -]{_DAY}|"
    rf"{_DAY}-{_MONTHS}-[0-9]{{2}}"
)
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_IP = rf"(?:^|[^0-9A-Za-z.-])({_OCTET}(?:\.{_OCTET}){{3}})(?:$|[^0-9A-Za-z.-]|\.$|\.[^0-9])"
_CARD = r"(?:[45][0-9]|2[2-7])[0-9]{14}|3[47][0-9]{13}"
_CARD_APART = r"[0-9]{4}(?:[ -][0-9]{4}){3}|[0-9]{4}[ -][0-9]{6}[ -][0-9]{5}"
_BARE_PHONE, _SPACED_PHONE = r"[2-9][0-9]{2}[2-9][0-9]{6}", r"[2-9][0-9]{2} [2-9][0-9]{2} [0-9]{4}"
_STREETS = r"(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Terrace|Highway|Hwy|Parkway|Pkwy)"
_STREETS_JOINED = (
    r"[A-Z\x{c4}\x{d6}\x{dc}][a-z\x{e4}\x{f6}\x{fc}\x{df}]+(?:strasse|stra\x{df}e|str\.|weg|allee|gasse|platz)"
)
_NO = r"\.?[ -]?(?:no|nr|num|number|nummer|id|code|#|:)\.?"
_GIVEN = "|".join(sorted(name.capitalize() for name in GIVEN_NAMES))
_NO_ADDRESS = re.compile(
    r"(?:\b(?:v|ver|version|release|build|firmware|section|sec|chapter|ec)|\u00a7)\W{0,3}$", re.IGNORECASE
)
_MOST_PLAIN_OCTET = 9  # numbers of versions, sections and enzymes begin with one digit
_LEAST_INTERNATIONAL = 8  # characters of an international number
_LEAST_DIGITS = 5  # of an identifier that also has letters


def _numbered(words: str, digits: int, letters: int = 3) -> str:
    """Return a pattern of a number with at least this many digits, after words that name it."""
    number = rf"[a-z]{{0,{letters}}}-?[0-9](?:-?[0-9a-z]?[0-9]){{{digits - 1},}}[0-9a-z]*"
    return rf"{_WORD_LEFT}(?:{words}){_NUMBER_WORDS}{number}"


def _is_ip(match: re.Match[str]) -> bool:
    return int(match[1].partition(".")[0]) > _MOST_PLAIN_OCTET and not _NO_ADDRESS.search(
        match.string[: match.start(1)]
    )


def _is_ipv6(match: re.Match[str]) -> bool:
    try:
        ipaddress.IPv6Address(match[1])
    except ValueError:
        return False
    return len(match[1].replace(":", "")) > 2  # noqa: PLR2004


def _is_iban(match: re.Match[str]) -> bool:
    """Return whether the text up to some space checks."""
    parts = match[1].split(" ")
    starts = ("".join(parts[:count]).upper() for count in range(len(parts), 0, -1))
    return any(len(start) >= 15 and is_iban_valid(start) for start in starts)  # noqa: PLR2004


def _is_international(match: re.Match[str]) -> bool:
    """Return whether digits after a plus sign, or two zeros, are a telephone number; other digits may follow."""
    text = re.sub("^00", "+", match[1])
    ends = [len(text), *(gap.start() for gap in reversed([*re.finditer(r"[ ./()-]+", text)]))]
    return any(is_phone(text[:end]) for end in ends if end >= _LEAST_INTERNATIONAL)


def _is_vin(match: re.Match[str]) -> bool:
    text = match[1].upper()
    return (
        text[-4:].isdigit()
        and not text.isdigit()
        and sum(map(str.isdigit, text)) >= _LEAST_DIGITS
        and is_vin_valid(text)
    )


TEXT_FORMS: tuple[TextForm, ...] = (
    TextForm(
        "e-mail addresses",
        "mark",
        r"[\pL\pN_+'%-]@[\pL\pN-]+(?:\.[\pL\pN-]+)*\.\pL{2,24}|"
        r"[a-z0-9] ?[\[(] ?at ?[\])] ?[a-z0-9-]+(?:\.| ?[\[(] ?dot ?[\])] ?)[a-z]{2,}",
    ),
    TextForm(
        "web addresses",
        "mark",
        r"(?:https?|s?ftp)://[^\s]|www\.[\pL\pN-]+\.[\pL\pN]|"
        r"[a-z0-9-]\.(?:com|org|net|edu|gov|info)(?:\.[a-z]{2})?/[^\s]",
    ),
    TextForm(
        "web addresses",
        "mark",
        r"(?:^|[^0-9a-z@.-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:" + _SITES + ")(?:$|[^0-9a-z/])",
        "doubtful",
    ),
    TextForm("photographs", "mark", r"[\pL\pN_-]\.(?:" + _IMAGES + ")(?:$|[^0-9a-z])", "doubtful"),
    TextForm(
        "social security numbers",
        "separated",
        rf"{_LEFT}(?:{_ssn(' ?- ?')}|(?:[x*#]{{3}}-[x*#]{{2}}-|[x*#]{{5}})[0-9]{{4}}){_RIGHT}|^{_ssn('[ .]')}$",
    ),
    TextForm(
        "social security numbers",
        "named",
        rf"{_WORD_LEFT}(?:ssns?|soc(?:ial)?\.? ?sec(?:urity)?|ss ?(?:#|no|nr|number)|itin|tax ?(?:payer )?id)"
        rf"{_NUMBER_WORDS}[0-9]{{3}}[- ./]?[0-9]{{2}}[- ./]?[0-9]{{4}}{_RIGHT}",
    ),
    TextForm("social security numbers", "separated", rf"{_LEFT}{_ssn('[ .]')}{_RIGHT}", "doubtful"),
    TextForm("social security numbers", "long", rf"^ *{_ssn('')} *$", "alone"),
    TextForm(
        "social security numbers",
        "long",
        rf"(?s)\pL.*{_LEFT}{_ssn('')}{_RIGHT}|{_LEFT}{_ssn('')}{_RIGHT}.*\pL",
        "doubtful",
    ),
    TextForm("telephone numbers", "separated", rf"{_LEFT}{_PHONE}{_RIGHT}|^{_SPACED_PHONE}$"),
    TextForm("telephone numbers", "named", rf"{_WORD_LEFT}{_PHONE_WORDS}{_NUMBER_WORDS}{_ANY_PHONE}{_RIGHT}"),
    TextForm(
        "telephone numbers",
        "long",
        rf"{_LEFT}(\+[1-9][0-9 ().\-/]{{6,20}}[0-9]|00[1-9][0-9]{{0,2}}[ ./-][0-9 ().\-/]{{4,18}}[0-9])",
        proved=_is_international,
    ),
    TextForm("telephone numbers", "separated", rf"{_LEFT}{_SPACED_PHONE}{_RIGHT}", "doubtful"),
    TextForm(
        "telephone numbers",
        "long",
        rf"(?s)\pL.*{_LEFT}{_BARE_PHONE}{_RIGHT}|{_LEFT}{_BARE_PHONE}{_RIGHT}.*\pL",
        "doubtful",
    ),
    TextForm("telephone numbers", "long", rf"^ *{_BARE_PHONE} *$", "alone"),
    TextForm("fax numbers", "named", rf"(?:tele)?fax{_NUMBER_WORDS}{_ANY_PHONE}{_RIGHT}"),
    TextForm("dates", "separated", rf"{_DATE_LEFT}(?:{'|'.join(_DATES)}){_DATE_RIGHT}"),
    TextForm("dates", "month", rf"{_DATE_LEFT}(?:{_DATES_IN_WORDS}){_DATE_RIGHT}"),
    TextForm(
        "dates",
        "separated",
        rf"{_DATE_LEFT}(?:{_DAY}/{_MONTH}|{_MONTH}/{_DAY})/[0-9]{{2}}{_DATE_RIGHT}|"
        rf"{_DATE_LEFT}{_DAY}\.{_MONTH}\.[0-9]{{2}}(?:$|[^0-9A-Za-z/.-]|\.$|\.[^0-9])",
        "doubtful",
    ),
    TextForm("dates", "month", rf"(?:^|[^a-z]){_MONTHS}\.?,? +{_YEAR}{_DATE_RIGHT}", "doubtful"),
    TextForm("IP addresses", "separated", _IP, proved=_is_ip),
    TextForm("IP addresses", "separated", _IP, "doubtful", proved=lambda match: not _is_ip(match)),
    TextForm(
        "IP addresses",
        "separated",
        r"(?:^|[^0-9A-Za-z:])((?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4})(?:$|[^0-9A-Za-z:])",
        proved=_is_ipv6,
    ),
    TextForm(
        "device identifiers",
        "separated",
        rf"{_LEFT}([0-9a-f]{{2}}(?:[:-][0-9a-f]{{2}}){{5}}){_RIGHT}",
        proved=lambda match: re.search("[a-f]", match[1].casefold()) is not None,
    ),
    TextForm("unique identifiers", "separated", r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    TextForm(
        "account numbers", "separated", rf"{_LEFT}({_CARD_APART}){_RIGHT}", proved=lambda match: is_card(match[1])
    ),
    TextForm(
        "account numbers",
        "long",
        rf"{_LEFT}({_CARD}){_RIGHT}",
        proved=lambda match: is_card(match[1]) and re.search(r"[^\W\d_]", match.string) is not None,
    ),
    TextForm("account numbers", "long", rf"^ *({_CARD}) *$", "alone", proved=lambda match: is_card(match[1])),
    TextForm("long numbers", "long", "^ *[0-9]{13,19} *$", "alone"),
    TextForm(
        "account numbers",
        "long",
        r"(?:^|[^0-9A-Za-z])([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?)(?:$|[^0-9A-Za-z])",
        proved=_is_iban,
    ),
    TextForm(
        "vehicle identifiers",
        "long",
        r"(?:^|[^0-9A-Za-z-])([a-hj-npr-z0-9]{17})(?:$|[^0-9A-Za-z-])",
        proved=lambda match: " " in match.string.strip() and _is_vin(match),
    ),
    TextForm("vehicle identifiers", "mark", rf"{_WORD_LEFT}vin{_NUMBER_WORDS}[a-hj-npr-z0-9]{{17}}(?:$|[^0-9a-z])"),
    TextForm("vehicle identifiers", "long", r"^ *([a-hj-npr-z0-9]{17}) *$", "doubtful", proved=_is_vin),
    TextForm("device identifiers", "long", r"\(01\)([0-9]{14})", proved=lambda match: is_gtin_valid(match[1])),
    TextForm(
        "health plan numbers",
        "separated",
        rf"{_LEFT}[1-9][ac-hj-np-rt-y][ac-hj-np-rt-y0-9][0-9]-[ac-hj-np-rt-y][ac-hj-np-rt-y0-9][0-9]-"
        rf"[ac-hj-np-rt-y]{{2}}[0-9]{{2}}{_RIGHT}",
    ),
    TextForm(
        "medical record numbers",
        "named",
        _numbered(
            rf"mrns?|m\.r\.n\.?|(?:med(?:ical)?|patient|pat|pt)\.?[ -]?rec(?:ord)?s?(?:{_NO})?|"
            rf"(?:patient|pat|pt|hosp(?:ital)?|chart|record|unit record|nhs){_NO}|krankenakten?(?:nummer|nr)?|"
            r"fall-?(?:nummer|nr)|patientenakten?(?:nummer|nr)?|akten(?:zeichen|nr|nummer)",
            4,
        ),
    ),
    TextForm(
        "health plan numbers",
        "named",
        _numbered(
            rf"(?:health ?plan|plan|policy|member(?:ship)?|subscriber|insurance|insured|beneficiary|medicare|medicaid|"
            rf"versicherten|versicherungs|versicherung){_NO}",
            5,
        ),
    ),
    TextForm("account numbers", "named", _numbered(rf"(?:account|acct|a/c|konto){_NO}", 5)),
    TextForm(
        "licence numbers",
        "named",
        rf"{_WORD_LEFT}(?:licen[cs]e|dea|npi|passport|reisepass|f\x{{fc}}hrerschein|permit|certificate|cert|dl ?#)"
        rf"(?:{_NO})?"
        rf"{_NUMBER_WORDS}[a-z]{{0,2}}-?[0-9]{{6,}}{_RIGHT}",
    ),
    TextForm(
        "vehicle identifiers",
        "named",
        rf"{_WORD_LEFT}(?:licen[cs]e plate|number plate|plate{_NO}|kennzeichen)(?:{_NO})?{_NUMBER_WORDS}"
        r"[a-z0-9]{1,4}[- ]?[a-z0-9]{0,3}[- ]?[0-9]{1,4}(?:$|[^0-9a-z])",
    ),
    TextForm(
        "device identifiers",
        "named",
        _numbered(rf"(?:serial|device|implant|pacemaker){_NO}|s/n|sn[:#]|imei|udi|meid|seriennummer", 5, letters=4),
    ),
    TextForm(
        "unique identifiers",
        "named",
        _numbered(
            rf"(?:case|study|encounter|visit|specimen|sample|subject|participant|episode|stay|accession){_NO}|id", 5
        ),
        "doubtful",
    ),
    TextForm(
        "street addresses",
        "capitals",
        rf"(?:^|[^0-9A-Za-z.])[0-9]{{1,5}}[A-Za-z]? (?:[A-Z][A-Za-z.'-]* ){{1,3}}{_STREETS}(?:$|[^0-9A-Za-z])|"
        rf"(?:^|[^0-9A-Za-z]){_STREETS_JOINED} [0-9]{{1,4}}",
        "doubtful",
        ignores_case=False,
    ),
    TextForm("street addresses", "mark", rf"{_WORD_LEFT}p\.? ?o\.? ?box [0-9]"),
    TextForm(
        "names",
        "capitals",
        r"(?:^|[^A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau)\.? +[A-Z][a-z'-]+|"
        rf"(?:^|[^A-Za-z.] ?)(?:{_GIVEN}) +(?:[A-Z]\.? )?[A-Z][a-z'-]+|"
        rf"(?:^|[^A-Za-z])[A-Z][a-z'-]+, (?:{_GIVEN})(?:$|[^A-Za-z])",
        "doubtful",
        ignores_case=False,
    ),
)
"""Every form that is searched for."""
