"""What signs in a column's values are worth: the kind that each speaks for, and from which share on."""

from gamedeid.reprs import frozen


@frozen
class Sign:
    """What one form of values speaks for.

    Parameters
    ----------
    strong : share of the values, in [0, 1], from which on it can hardly be chance, whatever the column is called; with
        0 a single value is enough. None where values of this form alone are never strong evidence.
    weak : share from which on it is worth a look; None where values of this form alone say nothing.
    values : how many distinct values must have the form.
    by_itself : whether it also speaks for the kind where the column's name states another, which may explain the form.
    """

    kind: str
    strong: float | None
    weak: float | None
    values: int = 1
    by_itself: bool = True


SIGNS: dict[str, Sign] = {
    "e-mail": Sign(kind="e-mail addresses", strong=0.01, weak=0),
    "url": Sign(kind="web addresses", strong=0.01, weak=0),
    "ssn": Sign(kind="social security numbers", strong=0.05, weak=0),
    "north american phone": Sign(kind="telephone numbers", strong=0.05, weak=0),
    "international phone": Sign(kind="telephone numbers", strong=0.05, weak=0),
    "ip": Sign(kind="IP addresses", strong=0.05, weak=0.01),
    "mac": Sign(kind="device identifiers", strong=0.05, weak=0),
    "udi": Sign(kind="device identifiers", strong=0.05, weak=0),
    "imei": Sign(kind="device identifiers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "uuid": Sign(kind="unique identifiers", strong=0.05, weak=0.01, by_itself=False),
    "hash": Sign(kind="unique identifiers", strong=0.5, weak=0.05, values=3, by_itself=False),
    "iban": Sign(kind="account numbers", strong=0.05, weak=0.01),
    "card": Sign(kind="account numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "vin": Sign(kind="vehicle identifiers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "medicare": Sign(kind="health plan numbers", strong=0.5, weak=0.3, values=3),
    "dea": Sign(kind="licence numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "npi": Sign(kind="licence numbers", strong=0.5, weak=0.3, values=3, by_itself=False),
    "record number": Sign(kind="medical record numbers", strong=0.05, weak=0.01),
    "street": Sign(kind="street addresses", strong=0.1, weak=0.02),
    "coordinates": Sign(kind="street addresses", strong=0.2, weak=0.05, values=3),
    "zip+4": Sign(kind="places", strong=0.2, weak=0.05),
    "postcode": Sign(kind="places", strong=0.5, weak=0.2, values=3),
    "county": Sign(kind="places", strong=0.5, weak=0.1),
    "date": Sign(kind="dates", strong=0.1, weak=0.01),
    "bare date": Sign(kind="dates", strong=0.9, weak=0.7, values=3, by_itself=False),
    "image": Sign(kind="photographs", strong=0.1, weak=0.01),
    "titled name": Sign(kind="names", strong=0.2, weak=0.05, values=3),
    "given name": Sign(kind="names", strong=0.5, weak=0.25, values=5),
    "bare phone": Sign(kind="telephone numbers", strong=0.95, weak=0.8, values=20, by_itself=False),
    "bare ssn": Sign(kind="social security numbers", strong=None, weak=0.8, values=20, by_itself=False),
}
"""Signs of whole values that speak for a kind by themselves."""

_CERTAIN = {
    "email inside": "e-mail addresses",
    "url inside": "web addresses",
    "ssn inside": "social security numbers",
    "phone inside": "telephone numbers",
    "fax inside": "fax numbers",
    "date inside": "dates",
    "ip inside": "IP addresses",
    "mac inside": "device identifiers",
    "udi inside": "device identifiers",
    "device number inside": "device identifiers",
    "uuid inside": "unique identifiers",
    "card inside": "account numbers",
    "iban inside": "account numbers",
    "account number inside": "account numbers",
    "vin inside": "vehicle identifiers",
    "plate inside": "vehicle identifiers",
    "medicare inside": "health plan numbers",
    "plan number inside": "health plan numbers",
    "record number inside": "medical record numbers",
    "licence number inside": "licence numbers",
    "box inside": "street addresses",
}
_DOUBTFUL = {
    "site inside": "web addresses",
    "image inside": "photographs",
    "spaced ssn inside": "social security numbers",
    "bare ssn inside": "social security numbers",
    "spaced phone inside": "telephone numbers",
    "bare phone inside": "telephone numbers",
    "short date inside": "dates",
    "low ip inside": "IP addresses",
    "key inside": "unique identifiers",
    "vin alone": "vehicle identifiers",
    "street inside": "street addresses",
    "person inside": "names",
}

SEARCHED: dict[str, Sign] = {
    **{sign: Sign(kind=kind, strong=0, weak=None) for sign, kind in _CERTAIN.items()},
    **{sign: Sign(kind=kind, strong=None, weak=0) for sign, kind in _DOUBTFUL.items()},
}
"""Signs that are searched for in every value, wherever in it they stand; a single certain one is strong evidence."""

_NUMBERS = frozenset({"number", "code", "uuid", "hash"})

FITTING: dict[str, frozenset[str]] = {
    "names": frozenset({"given name", "titled name", "letters"}),
    "street addresses": frozenset({"street", "coordinates", "letters", "degrees"}),
    "places": frozenset({"bare zip", "zip+4", "postcode", "county", "letters"}),
    "dates": frozenset({"date", "bare date"}),
    "telephone numbers": frozenset({"north american phone", "international phone", "bare phone", "many digits"}),
    "fax numbers": frozenset({"north american phone", "international phone", "bare phone", "many digits"}),
    "e-mail addresses": frozenset({"e-mail", "email inside"}),
    "social security numbers": frozenset({"ssn", "bare ssn", "many digits"}),
    "medical record numbers": frozenset({"record number", "digits"}) | _NUMBERS,
    "health plan numbers": frozenset({"medicare", "digits"}) | _NUMBERS,
    "account numbers": frozenset({"iban", "card", "digits"}) | _NUMBERS,
    "licence numbers": frozenset({"dea", "npi", "digits"}) | _NUMBERS,
    "vehicle identifiers": frozenset({"vin", "digits"}) | _NUMBERS,
    "device identifiers": frozenset({"mac", "udi", "imei", "digits"}) | _NUMBERS,
    "web addresses": frozenset({"url", "url inside"}),
    "IP addresses": frozenset({"ip"}),
    "biometric identifiers": frozenset({"digits", "letters"}) | _NUMBERS,
    "photographs": frozenset({"image", "url", "digits"}) | _NUMBERS,
    "unique identifiers": frozenset({"digits", "letters"}) | _NUMBERS,
    "free text": frozenset({"text"}),
}
"""Kind -> signs that agree with a column's name that states the kind."""
