"""Which kinds of identifiers a column's name tells, and how surely."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamedeid.data.column_names import looks_like_person_key, words_of

_PEOPLE = (
    r"patient|person|member|subject|participant|client|customer|user|employee|student|resident|mother|father|parent|"
)
_PEOPLE += r"spouse|partner|guardian|relative|kin|contact|insured|guarantor|subscriber|emergency|proband|pat|pt"
_STAFF = r"doctor|physician|provider|nurse|surgeon|attending|operator|staff|employer|hospital|facility"
_NUMBER = r"(?:id|ids|no|nr|num|nbr|number|numbers|code|key|nummer|numero|hash)"

_STATED: dict[str, str] = {
    "names": (
        r"surname|last_?name|first_?name|full_?name|fore_?name|given_?name|family_?name|middle_?name|maiden_?name|"
        r"nick_?name|lname|fname|mname|nachname|vorname|geburtsname|nombre|apellidos?|prenom|initials|"
        rf"(?:{_PEOPLE})_names?|names?_(?:of_(?:the_)?)?(?:{_PEOPLE})|(?:first|last|full|given|family|middle|maiden)_names?"
    ),
    "street addresses": (
        r"address|addresses|addr|address_?(?:line)?_?\d?|street|street_?name|strasse|stra\u00dfe|adresse|anschrift|"
        r"house_(?:no|nr|number)|hausnummer|apartment|apt(?:_no)?|"
        r"lat|latitude|lon|lng|longitude|gps|coordinates?|geo_?(?:location|code|point)|geom|geohash"
    ),
    "places": (
        r"zip|zips|zip_?code|zip\d?|zip_\d|postal_?code|post_?code|postcodes|plz|postleitzahl|zcta|"
        r"county|counties|county_?(?:name|fips|code)|fips|city|cities|city_?name|town|village|municipality|borough|parish|"
        r"precinct|census_?(?:tract|block)|tract|block_?group|neighbou?rhood|suburb|commune|gemeinde|stadt|wohnort|birth_?place"
    ),
    "dates": (
        r"dates?|date_?time|timestamp|dob|dod|birth_?dat[ea]|birth_?day|geburts(?:datum|tag)|datum|fecha|"
        r"(?:admit|admission|discharge|visit|death|service|surgery|procedure|encounter|diagnosis|onset|index)_?"
        r"(?:dt|dttm|dates?|day|month)|date_of_\w+|\w+_date"
    ),
    "telephone numbers": (
        r"phones?|telephones?|telefon|handy|mobile|mobil|cell|cell_?phone|tel|telno|phoneno|pager|"
        rf"(?:phone|telephone|mobile|cell|tel|telefon|pager)_?{_NUMBER}"
    ),
    "fax numbers": rf"fax|faxno|telefax|fax_?{_NUMBER}",
    "e-mail addresses": r"e_?mails?|mail|e_?mail_?addr(?:ess)?",
    "social security numbers": (
        rf"ssn|ss_?{_NUMBER}|social_?security(?:_?{_NUMBER})?|sozialversicherungs_?nummer|svnr|itin|nino|national_?id|"
        r"national_?insurance(?:_?number)?|tax_?id|taxpayer_?id"
    ),
    "medical record numbers": (
        rf"mrn|mrns|med(?:ical)?_?rec(?:ord)?(?:_?{_NUMBER})?|chart_?{_NUMBER}|hospital_?{_NUMBER}|emr_?id|ehr_?id|"
        rf"nhs_?{_NUMBER}|patient_?record_?{_NUMBER}|krankenakte\w*"
    ),
    "health plan numbers": (
        rf"(?:health_?plan|plan_?member|insurance|policy|subscriber|beneficiary|bene|member|enrollee|medicare|medicaid|"
        rf"insured|versicherten|group_policy)_?{_NUMBER}|hicn?|mbi|hicno|versichertennummer|krankenversicherungs_?nummer"
    ),
    "account numbers": (
        rf"(?:bank_?)?(?:account|acct|acc|konto)_?{_NUMBER}|iban|swift|(?:credit_?|debit_?)?card_?{_NUMBER}|credit_?card|"
        r"ccn|pan|kontonummer|billing_?account|routing_?number"
    ),
    "licence numbers": (
        rf"(?:(?:driv(?:er|ers|ing)_?(?:s_)?)?licen[cs]e|certificate|cert|permit|passport|dea|npi|registration|"
        rf"birth_?certificate|death_?certificate|fuehrerschein|visa)_?{_NUMBER}|dl_?{_NUMBER}|passport|dea|npi|"
        r"driv(?:er|ers|ing)_?(?:s_)?licen[cs]e|f\u00fchrerschein\w*|reisepass\w*"
    ),
    "vehicle identifiers": (
        rf"vin|vins|vehicle_?(?:{_NUMBER}|identification(?:_?number)?|serial(?:_?number)?)|licen[cs]e_?plate\w*|"
        rf"plate_?{_NUMBER}|number_?plate|kennzeichen|fahrgestellnummer"
    ),
    "device identifiers": (
        rf"udi|imei|meid|mac|mac_?addr(?:ess)?|serial|serial_?{_NUMBER}|device_?(?:{_NUMBER}|serial(?:_?{_NUMBER})?|uid)|"
        rf"implant_?(?:{_NUMBER}|serial(?:_?{_NUMBER})?)|pacemaker_?{_NUMBER}|android_?id|idfa|seriennummer"
    ),
    "web addresses": r"urls?|uris?|web_?site|web_?page|web_?addr(?:ess)?|home_?page|link|profile_?(?:url|link)",
    "IP addresses": r"ip|ips|ip_?addr(?:ess)?|ipv[46]|(?:client|remote|source|src|host)_?ip|\w+_ip(?:_?addr(?:ess)?)?",
    "biometric identifiers": (
        r"biometrics?|finger_?prints?|thumb_?prints?|palm_?prints?|voice_?prints?|face_?(?:prints?|template|encoding|"
        r"embedding|id)|retina_?scan|iris_?(?:scan|code|template)|minutiae|dna_?(?:profile|sequence)|gait_?signature|"
        r"(?:fingerprint|voiceprint|face|iris|retina|finger|voice|palm)_(?:hash|template|scan|vector|features?)"
    ),
    "photographs": (
        r"photos?|photographs?|pictures?|selfie|portrait|head_?shot|mug_?shot|face_?(?:image|photo)|passport_?photo|avatar|"
        r"(?:photo|image|picture|img)_?(?:file|path|name|url|id|data)?|foto|lichtbild"
    ),
    "unique identifiers": (
        r"uuid|guid|uid|pseudonym|token|finger_?print_?id|device_?token|cookie(?:_?id)?|session_?id|user_?name|login|"
        r"handle|screen_?name|nick|study_?id|record_?id|sample_?id|specimen_?id|barcode|qr_?code|employee_?number|"
        rf"(?:case|encounter|visit|stay|admission|hadm|episode|accession|fall)_?{_NUMBER}|accession"
    ),
    "free text": (
        r"notes?|comments?|remarks?|narratives?|free_?text|(?:\w+_)?(?:notes?|comments?|narrative|remarks?)|history_text|"
        r"bemerkung(?:en)?|kommentar|anamnese|arztbrief|report_?text|text"
    ),
}  # fmt: skip
"""Kind -> patterns of the names that state it; words in small letters, apart by one underscore."""

_HINTED: dict[str, str] = {
    "names": rf"names?|(?:{_STAFF})(?:_names?)?|names?_(?:of_(?:the_)?)?(?:{_STAFF})|kin|next_of_kin",
    "places": r"district|region|location|residence|place|area|\w+_(?:county|city|town|zip|zipcode)|canton|ort|kreis",
    "dates": r"month|weekday|day_of_week|geburt|born|birth|monat|(?:birth|admission|discharge)_?(?:month|week)",
    "unique identifiers": r"id|ids|key|nr|no|\w+_(?:id|ids|key|nr|no|num|nbr|number|uid|hash)|hash",
    "account numbers": r"account|acct|konto",
    "licence numbers": r"licen[cs]e|certificate|permit",
    "free text": r"description|impression|findings?|reason|abstract|summary|memo|message|transcript|\w+_text",
}
"""Kind -> patterns of names that may mean it, and may mean something else."""

_LONGEST_NAME = 200  # characters; a longer name tells nothing

_NO_IDENTIFIER = re.compile(
    r"(?:^|_)(?:type|types|kind|class|category|cat|group|count|counts|n|total|status|flag|has|is|was|opt|consent|score|level|"
    r"usage|use|used|used|uses|minutes|hours|duration|cost|costs|amount|price|rate|ratio|pct|percent|share|mean|median|avg|sum|"
    r"min|max|diff|delta|days|years|weeks|months|model|brand|make|manufacturer|version|grade|stage|size|length|width|height|"
    r"depth|weight|color|colour|since|until|between|per|index|bmi|score|preference|preferred|valid|verified|missing|known|"
    r"area_deprivation|population|income|density|distance)(?:_|$)"
)
"""Words that make a name that of a fact about an identifier: `phone_type`, `email_opt_in`."""

_BIRTH_YEAR = re.compile(r"(?:birth_?year|year_?(?:of_?)?birth|yob|geburtsjahr|birth_?yr|byear|year_born)")
_AGE = re.compile(r"ages?|(?:\w+_)?age(?:_(?:at|in|on)_\w+)?|alter|edad|leeftijd|age_?(?:years?|yrs?)|\w+_alter")
_SMALLER_AGES = {"month": 12.0, "week": 52.18, "day": 365.25}


class NamedKind(NamedTuple):
    """A kind that a name tells, and whether it can hardly mean anything else."""

    words: str
    stated: bool


def kinds_named(name: str) -> tuple[NamedKind, ...]:
    """Return the kinds of identifiers that a column's name tells, the surest first; mostly none or one.

    Parameters
    ----------
    name : of the column.

    Examples
    --------
    >>> [[kind.words for kind in kinds_named(name)] for name in ("homePhone", "MRN", "phone_type", "income")]
    [['telephone numbers'], ['medical record numbers'], [], []]
    """
    joined = "_".join(words_of(name))
    if not joined or len(joined) > _LONGEST_NAME or _NO_IDENTIFIER.search(joined):
        return ()
    return tuple(_found(joined, name))


def _found(joined: str, name: str) -> Iterator[NamedKind]:
    short = joined.replace("_", "")
    stated = [
        words
        for words, pattern in _STATED.items()
        if any(re.fullmatch(pattern, one) or _ends_with(pattern, one) for one in (joined, short))
    ]
    if len(stated) > 1:
        stated = [words for words in stated if words not in _YIELDING] or stated[:1]
    if not stated and looks_like_person_key(name):
        stated = ["unique identifiers"]
    for words in stated:
        yield NamedKind(words, stated=True)
    if not stated:
        for words, pattern in _HINTED.items():
            if re.fullmatch(pattern, joined):
                yield NamedKind(words, stated=False)
                return


_YIELDING = {"unique identifiers", "free text", "dates", "places", "street addresses", "names"}
"""Kinds that a name does not state where it states another: `fingerprint_hash`, `email_address`, `photo_date`."""


def _ends_with(pattern: str, joined: str) -> bool:
    """Return whether the last words of a name match, as in `home_phone`; `of` and `for` turn the order round."""
    for mark in ("_of_", "_for_"):
        if mark in joined:
            return re.fullmatch(pattern, joined.partition(mark)[0]) is not None
    places = [place for place, letter in enumerate(joined) if letter == "_"]
    return any(re.fullmatch(pattern, joined[place + 1 :]) for place in places)


def tells_birth_year(name: str) -> bool:
    """Return whether a column holds years of birth by its name."""
    joined = "_".join(words_of(name))
    return any(_BIRTH_YEAR.fullmatch(one) for one in (joined, joined.replace("_", "")))


def age_units_a_year(name: str) -> float | None:
    """Return how many units of an age in a column make a year, by its name: 12 of `age_months`; None of no age."""
    joined = "_".join(words_of(name))
    for word, units in _SMALLER_AGES.items():
        if re.fullmatch(rf"(?:\w+_)?age_?(?:in_)?{word}s?", joined):
            return units
    return 1.0 if _AGE.fullmatch(joined) else None
