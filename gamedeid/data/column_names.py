"""What a column's name says that it holds: a direct identifier, or the key of a person."""

import re

_IDENTIFIERS = frozenset(
    {"surname", "lastname", "firstname", "fullname", "forename", "nachname", "vorname", "ssn", "mrn", "email", "mail"}
    | {"phone", "telephone", "telefon", "mobile", "fax", "address", "adresse", "street", "strasse", "passport", "iban"}
    | {"url", "ip", "photo", "fingerprint"}
)
"""Words that alone make a column a direct identifier."""

_WHOSE = frozenset(
    {"first", "last", "full", "given", "family", "middle", "maiden", "patient", "person", "member", "subject", "user"}
)
"""Words that make a name the name of a person."""

_PEOPLE = frozenset(
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
    | {"student", "resident", "individual", "customer", "proband", "user", "case", "pat", "pt"}
)
"""Words for those whom a key can stand for."""

_KEYS = frozenset({"id", "ids", "key", "no", "nr", "num", "number", "code", "uid", "uuid", "guid", "pseudonym", "hash"})
"""Words for keys."""

_WHOLE = frozenset(
    {"patient", "person", "subject", "participant", "proband", "patid", "ptid", "pid", "uid", "mrn", "ssn", "pseudonym"}
    | {"patientid", "personid", "subjectid", "memberid", "caseid"}
)
"""Names, without what stands between their words, that are those of keys."""

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
    if words == ["name"] or joined in _IDENTIFIERS or _IDENTIFIERS & set(words):
        return True
    return ("name" in words and bool(_WHOSE & set(words))) or looks_like_person_key(name)


def looks_like_person_key(name: str) -> bool:
    """Return whether a column is by its name what tells one person's rows from another's.

    Examples
    --------
    >>> [looks_like_person_key(name) for name in ("patient_id", "MRN", "SubjectNo", "person", "study_id", "zip_code")]
    [True, True, True, True, False, False]
    """
    words = words_of(name)
    if "".join(words) in _WHOLE:
        return True
    return bool(_PEOPLE & set(words)) and bool(_KEYS & set(words))


def words_of(name: str) -> list[str]:
    """Return the words of a column's name in small letters: `homeZip_code2` has home, zip, code and 2."""
    return [word.lower() for word in _WORD.findall(name)]
