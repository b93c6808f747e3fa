"""What a column's name says that it holds: a direct identifier, the key of a person, a ZIP code, a number of people."""

import re
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["zip", "date", "age", "place"]
"""What Safe Harbor limits: a name or values can look like it."""

_IDENTIFIER_WORDS = frozenset(
    {"surname", "lastname", "firstname", "fullname", "forename", "nachname", "vorname", "ssn", "mrn", "email", "mail"}
    | {"phone", "telephone", "telefon", "mobile", "fax", "address", "adresse", "street", "strasse", "passport", "iban"}
    | {"url", "ip", "photo", "fingerprint"}
)
"""Words that alone make a column a direct identifier."""

_PERSON_NAME_WORDS = frozenset(
    {"first", "last", "full", "given", "family", "middle", "maiden", "patient", "person", "member", "subject", "user"}
)
"""Words that make a name the name of a person."""

_PERSON_WORDS = frozenset(
    {
        "patient",
        "person",
        "subject",
        "participant",
        "member",
        "client",
        "insured",
        "beneficiary",
        "enrollee",
        "employee",
    }
    | {"student", "resident", "individual", "customer", "proband", "user", "case", "pat", "pt", "record"}
)
"""Words for those whom a key can stand for."""

_KEY_WORDS = frozenset(
    {"id", "ids", "key", "no", "nr", "num", "number", "code", "uid", "uuid", "guid", "pseudonym", "hash"}
)
"""Words for keys."""

_KEY_NAMES = frozenset(
    {"patient", "person", "subject", "participant", "proband", "patid", "ptid", "pid", "uid", "mrn", "ssn", "pseudonym"}
    | {"patientid", "personid", "subjectid", "memberid", "caseid", "redcapsurveyidentifier"}
)
"""Names, without what stands between their words, that are those of keys."""

_KIND_NAMES: dict[Kind, str] = {
    "zip": r"\w*zip\w*|zcta\w*|postal\w*|post(?:al)?codes?|plz|postleitzahl",
    "date": r"\w*dates?|dates?\w*|dob|dod|yob|birth\w*|\w*birth|born|\w*year|month|day|weekday|\w*datum|geburt\w*|"
    r"\w*jahr|monat|timestamp|datetime|fecha|naissance|nacimiento",
    "age": r"ages?|aged|age(?:at|in)\w*|age(?:group|years?|band|range|class|cat)\w*|yrs?|alter|altersgruppe|edad|"
    r"leeftijd|âge",
    "place": r"\w*county\w*|counties|city\w*|cities|\w*town\w*|village|municipality|borough|parish|precincts?|"
    r"district|region|states?|province|\w*place|\w*address|street|location|residence|neighbou?rhood|tract|"
    r"block|blockgroup|census|fips|geo\w*|lat|latitude|lon|lng|longitude|area|suburb|commune|canton|kreis|"
    r"gemeinde|stadt|wohnort|ort|bundesland",
}
"""Patterns of the words that name each kind."""

_COUNT_NAMES = frozenset({"count", "counts", "n", "number", "people", "pop", "population", "total"})
"""Names of columns that mean a number of people."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|\d+")


def looks_like_identifier(name: str) -> bool:
    """Return whether a column is a direct identifier by its name.

    Examples
    --------
    >>> [looks_like_identifier(name) for name in ("Name", "E-Mail", "patientName", "drug_name", "education-num")]
    [True, True, True, False, False]
    """
    words = words_of(name)
    joined = "".join(words)
    if words == ["name"] or joined in _IDENTIFIER_WORDS or _IDENTIFIER_WORDS & set(words):
        return True
    return ("name" in words and bool(_PERSON_NAME_WORDS & set(words))) or looks_like_person_key(name)


def looks_like_person_key(name: str) -> bool:
    """Return whether a column is by its name what tells one person's rows from another's.

    Examples
    --------
    >>> [looks_like_person_key(name) for name in ("patient_id", "MRN", "record_id", "person", "study_id", "zip_code")]
    [True, True, True, True, False, False]
    """
    words = words_of(name)
    if "".join(words) in _KEY_NAMES:
        return True
    return bool(_PERSON_WORDS & set(words)) and bool(_KEY_WORDS & set(words))


def looks_like_count(name: str) -> bool:
    """Return whether a column of a population is by its name how many people a row stands for.

    Examples
    --------
    >>> [looks_like_count(name) for name in ("Count", "pop", "county", "population_2010")]
    [True, True, False, False]
    """
    return name.lower() in _COUNT_NAMES


def kind_named(name: str) -> Kind | None:
    """Return what of that which Safe Harbor limits a name looks like, by any of its words; None for nothing.

    Examples
    --------
    >>> [kind_named(name) for name in ("homeZip", "birth_date", "ageGroup", "county", "race")]
    ['zip', 'date', 'age', 'place', None]
    """
    words = words_of(name)
    kinds = (kind for kind, pattern in _KIND_NAMES.items() if any(re.fullmatch(pattern, word) for word in words))
    return next(kinds, None)


def words_of(name: str) -> list[str]:
    """Return the words of a column's name in small letters: `homeZip_code2` has home, zip, code and 2."""
    return [word.lower() for word in _WORD.findall(name)]
