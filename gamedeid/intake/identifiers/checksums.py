"""Numbers whose last digits prove the others: cards, IMEI, IBAN, VIN, DEA, NPI, UDI."""

_VIN_LETTERS = ("AJ", "BKS", "CLT", "DMU", "ENV", "FW", "GPX", "HY", "RZ")
_VIN_VALUES = {letter: value for value, letters in enumerate(_VIN_LETTERS, 1) for letter in letters}
_VIN_VALUES |= {digit: int(digit) for digit in "0123456789"}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_CHECK = 8  # place of the digit that checks, from 0
_NPI_PREFIX = "80840"


def luhn(digits: str) -> bool:
    """Return whether the last digit checks the others by Luhn's formula (ISO/IEC 7812-1).

    Examples
    --------
    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[::-2])) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Return whether the two digits after the country check an IBAN, without spaces and in capitals (ISO 13616).

    Examples
    --------
    >>> iban("GB82WEST12345698765432"), iban("GB83WEST12345698765432")
    (True, False)
    """
    turned = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


def vin(text: str) -> bool:
    """Return whether the ninth character checks a vehicle identification number (49 CFR 565.15), in capitals.

    Examples
    --------
    >>> vin("1M8GDM9AXKP042788"), vin("1M8GDM9A1KP042788")
    (True, False)
    """
    rest = sum(weight * _VIN_VALUES[one] for weight, one in zip(_VIN_WEIGHTS, text, strict=True)) % 11
    return text[_VIN_CHECK] == ("X" if rest == 10 else str(rest))  # noqa: PLR2004


def dea(text: str) -> bool:
    """Return whether the last digit checks the registration number of a prescriber: two letters, seven digits.

    Examples
    --------
    >>> dea("AB1234563"), dea("AB1234564")
    (True, False)
    """
    first, second, third, fourth, fifth, sixth, check = map(int, text[2:])
    return (first + third + fifth + 2 * (second + fourth + sixth)) % 10 == check


def npi(digits: str) -> bool:
    """Return whether ten digits are the number of a health care provider in the United States (45 CFR 162.406).

    Examples
    --------
    >>> npi("1234567893"), npi("1234567890")
    (True, False)
    """
    return digits[0] in "12" and luhn(_NPI_PREFIX + digits)


def gtin(digits: str) -> bool:
    """Return whether the last digit checks a trade item number, the first part of most device identifiers (GS1).

    Examples
    --------
    >>> gtin("00643169007222"), gtin("00643169007223")
    (True, False)
    """
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return total % 10 == 0
