"""Text of amounts and lists: money, shares, counts, ranges and words, in tables and in sentences."""

from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isclose

_SEVERAL = {"person": "people", "leaf": "leaves", "strategy": "strategies", "class": "classes"}
_ALL = 1e-12  # a share within this distance of 1 is printed as all: sums of shares are rounded
_NEAR = Decimal("1e-9")  # a printed end within this relative distance of the exact one is taken as the exact one
_AT = Decimal("1e-6")  # an end within this relative distance of the chosen value is printed as that value
_SLACK = Decimal("0.1")  # largest share of the distance to the chosen value that rounding an end may take
_LOST = 1e-3  # relative distance from which a rounded bound is another one
_DIGITS = 3  # significant digits of amounts too large or too small for cents
_CENT = Decimal("0.01")
NO_DOLLARS = 1e-9
"""Dollars up to which an amount is 0: sums are rounded."""

_LEAST, _WHOLE = 0.0001, 0.995  # smallest printed expectation; expectations from the second on have one decimal
_UNITS = ((Decimal(10**9), "billion"), (Decimal(10**6), "million"))


def dollars(value: float) -> str:
    """Return an amount of money to the cent, and with three digits where it rounds to none; only 0 reads as $0.00.

    Examples
    --------
    >>> dollars(-1234.5), dollars(-0.0012345), dollars(0.0)
    ('-$1,234.50', '-$0.00123', '$0.00')
    """
    if abs(value) <= NO_DOLLARS:
        return "$0.00"
    text = f"{abs(value):,.2f}"
    text = significant(abs(value), _DIGITS) if text == "0.00" else text
    return f"{'-' if value < 0 else ''}${text}"


def money(value: float) -> str:
    """Return an amount chosen by a user, without cents if it is a whole number.

    Examples
    --------
    >>> money(1200.0), money(0.5), money(0.00004)
    ('$1,200', '$0.50', '$0.00004')
    """
    if value == round(value):
        return f"${value:,.0f}"
    return f"${significant(value, 4)}" if value < float(_CENT) else dollars(value)


def percent(share: float, digits: int = 2) -> str:
    """Return a share in percent; only 0 and 1 are printed as 0% and 100%.

    Parameters
    ----------
    share : in [0, 1].

    Examples
    --------
    >>> [percent(share) for share in (0.2287, 0, 1, 0.00001, 0.99999)]
    ['22.87%', '0.00%', '100.00%', '<0.01%', '>99.99%']
    """
    if share == 0 or abs(1 - share) < _ALL:
        return f"{round(share):.{digits}%}"
    least = 0.1**digits
    text = f"{share:.{digits}%}"
    if text == f"{0:.{digits}%}":
        return f"<{least:.{digits}f}%"
    return f">{100 - least:.{digits}f}%" if text == f"{1:.{digits}%}" else text


def exact_percent(share: float) -> str:
    """Return a share chosen by a user, with all its digits.

    Examples
    --------
    >>> exact_percent(0.95), exact_percent(0.9995)
    ('95%', '99.95%')
    """
    return f"{(Decimal(repr(float(share))) * 100).normalize():f}%"


def number(value: float, digits: int) -> str:
    """Return a rounded number; a number above 0 is not printed as 0, and a printed 0 has no sign.

    Examples
    --------
    >>> [number(value, 1) for value in (5.23, 0, 0.04, 1234)]
    ['5.2', '0.0', '<0.1', '1,234.0']
    """
    text = f"{abs(value):,.{digits}f}"
    none = f"{0:.{digits}f}"
    if text == none:
        return f"<{0.1**digits:.{digits}f}" if value > 0 else none
    return f"-{text}" if value < 0 else text


def significant(value: float, digits: int) -> str:
    """Return a number with so many significant digits at most, and without an exponent.

    Examples
    --------
    >>> [significant(value, 4) for value in (0.1, 1e-05, 1234567.0, 2.0)]
    ['0.1', '0.00001', '1,235,000', '2']
    """
    return f"{Decimal(f'{value:.{digits}g}'):,f}"


def four_decimals(value: float) -> str:
    """Return a number with four decimals."""
    return number(value, 4)


def expectation(value: float, none: str = "none") -> str:
    """Return an expected number; a number above 0 is not printed as none.

    Examples
    --------
    >>> [expectation(value) for value in (392.7, 0.0, 0.0042, 1e-9)]
    ['392.7', 'none', '0.0042', 'fewer than 0.0001']
    """
    if value >= _WHOLE:
        return f"{value:,.1f}"
    return none if not value else f"{value:.2g}" if value >= _LEAST else f"fewer than {_LEAST}"


def bound_words(bound: float, form: Callable[[float], str]) -> str:
    """Return a bound that a user has chosen: in a form, or with six digits where that loses a thousandth of it.

    Examples
    --------
    >>> bound_words(1 / 11, four_decimals), bound_words(0.1, percent), bound_words(0.00005, percent)
    ('0.0909', '10.00%', '0.005%')
    """
    text = form(bound)
    shown = float(text.strip("<>%").replace(",", "")) / (100 if text.endswith("%") else 1)
    return text if isclose(shown, bound, rel_tol=_LOST) else _six_digits(bound, text)


def value_words(value: float, bound: float, form: Callable[[float], str]) -> str:
    """Return a number that is read next to a bound: with six digits where it would read like it and is not the same.

    Examples
    --------
    >>> value_words(0.12, 0.1, percent), value_words(0.10004, 0.1, percent), value_words(0.1, 0.1, percent)
    ('12.00%', '10.004%', '10.00%')
    """
    text = form(value)
    return text if value == bound or text != form(bound) else _six_digits(value, text)


def _six_digits(value: float, text: str) -> str:
    return f"{significant(100 * value if text.endswith('%') else value, 6)}{'%' * text.endswith('%')}"


def number_of(count: int, noun: str) -> str:
    """Return a number with its noun, in the singular for 1.

    Examples
    --------
    >>> number_of(1, "record"), number_of(2000, "record"), number_of(3, "person")
    ('1 record', '2,000 records', '3 people')
    """
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a noun, such as people of person."""
    return _SEVERAL.get(noun, f"{noun}s")


def range_words(ends: Sequence[float | None], chosen: float, is_open: Sequence[bool]) -> str:
    """Return a range of dollars, rounded inward: printed ends are in the range unless their words exclude them.

    Parameters
    ----------
    ends : the lower and the upper end; 0 for no lower end, None for no upper end.

    Examples
    --------
    >>> range_words((3.409090909, 4.838709677), 4, (False, False))
    '$3.41 to $4.83'
    >>> range_words((252.0, None), 300, (True, False))
    'more than $252.00'
    >>> range_words((0.0, None), 300, (False, False))
    'any'
    """
    low, high = ends
    below = _End(low, chosen, upper=False, is_open=is_open[0]) if low else None
    above = _End(high, chosen, upper=True, is_open=is_open[1]) if high is not None else None
    if below is None:
        return "any" if above is None else f"less than {above.words}" if above.is_open else f"up to {above.words}"
    if above is None:
        return f"more than {below.words}" if below.is_open else f"{below.words} or more"
    if below.amount == above.amount:
        return f"only {below.words}"
    if below.is_open:
        return f"more than {below.words} and {'less than' if above.is_open else 'at most'} {above.words}"
    return f"{below.words} or more, but less than {above.words}" if above.is_open else f"{below.words} to {above.words}"


class _End:
    """One end of a range as it is printed: ``amount``, its ``words``, and whether it ``is_open``."""

    def __init__(self, end: float, chosen: float, *, upper: bool, is_open: bool) -> None:
        exact, middle = (Decimal(repr(float(value))) for value in (end, chosen))
        rounding = ROUND_FLOOR if upper else ROUND_CEILING
        if abs(exact - middle) <= _AT * middle:
            exact = middle
        exponent = _first_exponent(exact)
        while True:
            step = Decimal(1).scaleb(exponent)
            amount = exact.quantize(step, rounding=rounding)
            if abs(amount - exact) <= _SLACK * abs(middle - exact):
                break
            exponent -= 1
        self.amount, self.words = amount, _written(amount, step)
        near = is_open if amount == exact else abs(amount - exact) <= _NEAR * exact
        self.is_open = near and exact != middle


def _first_exponent(value: Decimal) -> int:
    """Return the first power of ten for rounding an amount: cents, dollars from 1,000 on, or three digits."""
    if value >= 10**6 or value < 10 * _CENT:
        return value.adjusted() - _DIGITS + 1
    return 0 if value >= 1000 else -2  # noqa: PLR2004


def _written(amount: Decimal, step: Decimal) -> str:
    """Return an amount with the digits down to ``step``."""
    for unit, word in _UNITS:
        if amount >= unit and step * 1000 >= unit:
            return f"${(amount / unit).normalize():,f} {word}"
    if step >= 1:
        return f"${amount:,.0f}"
    whole, _, cents = f"{amount:,f}".partition(".")
    return f"${whole}.{cents.rstrip('0'):0<2}"


def joined(words: Iterable[str], last: str) -> str:
    """Return a list of words for a sentence, with ``last`` before the last of several; "" for no words.

    Examples
    --------
    >>> joined(["loss", "cost", "gain"], "and"), joined(["loss"], "or")
    ('loss, cost and gain', 'loss')
    """
    *most, end = [*words] or [""]
    return f"{', '.join(most)} {last} {end}" if most else end
