"""The axes of a picture: measured quantity, limits, and texts of numbers along them."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import Literal, TypeAlias

import numpy as np

from gamedeid.amounts import dollars
from gamedeid.arrays import FloatArray
from gamedeid.reprs import frozen

Unit: TypeAlias = Literal["", "dollars", "percent"]
"""The unit of numbers: plain, dollars, or shares from 0 to 1 that are shown in per cent."""

_MOST_TICKS, _MOST_EVEN, _MOST_WHOLE = 5, 6, 30
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # between numbers along an axis, times powers of ten
MILLION = 10**6  # numbers along an axis from here on are in millions
FROM_ZERO = 2.0  # 0 has the place of a number on a logarithmic axis: all others are above that number times this
_ROOM = 0.05  # share of an axis below the lowest and above the highest shown value
_SAME = 1e-9  # numbers within this relative distance are equal


@frozen
class Scale:
    """One axis of a panel.

    Parameters
    ----------
    label : measured quantity, with its unit in brackets.
    log : whether the axis is logarithmic.
    limits : the values at its start and its end; None for an axis of names.
    shown, whole : whether the axis shows numbers, and only whole ones.
    only : the numbers shown along it; None to derive them from the limits.
    names : names of the numbers in ``only``, in their order.
    zero : the number whose place 0 has on a logarithmic axis, below all others; None if 0 is not shown.
    """

    label: str
    log: bool = False
    limits: tuple[float, float] | None = None
    unit: Unit = ""
    shown: bool = True
    whole: bool = False
    only: tuple[float, ...] | None = None
    names: tuple[str, ...] = ()
    zero: float | None = None

    @property
    def quantity(self) -> str:
        """The measured quantity, without its unit."""
        return self.label.partition(" (")[0]

    @property
    def ticks(self) -> list[float]:
        """The positions of numbers along the axis.

        On a logarithmic axis, 1, 2 and 5 times powers of ten, or fewer of them; else even steps.

        Examples
        --------
        >>> Scale(label="", log=True, limits=(60, 2000)).ticks
        [100.0, 200.0, 500.0, 1000.0, 2000.0]
        >>> Scale(label="", log=True, limits=(2, 20_000)).ticks
        [10.0, 100.0, 1000.0, 10000.0]
        >>> Scale(label="", log=True, limits=(0.1, 200), zero=0.2).ticks
        [0.2, 1.0, 10.0, 100.0]
        >>> Scale(label="", limits=(-0.1, 1.05)).ticks
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        """
        if self.only is not None:
            return list(self.only)
        if self.limits is None or not self.shown:
            return []
        low, high = sorted(self.limits)
        if not self.log:
            rough = (high - low) / (_MOST_WHOLE if self.whole else _MOST_EVEN)
            power = 10.0 ** floor(log10(rough))
            step = next(times * power for times in _STEPS if times * power >= rough * (1 - _SAME))
            step = max(1.0, ceil(step)) if self.whole else step
            places = range(ceil(low / step - _SAME), floor(high / step + _SAME) + 1)
            return [round(place * step, 12) for place in places]
        if self.zero is not None:
            low = self.zero * FROM_ZERO * 1.2
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        every, few = ([float(f"{d}e{power}") for power in powers for d in digits] for digits in ((1, 2, 5), (1,)))
        within = [[tick for tick in ticks if low <= tick <= high] for ticks in (every, few)]
        chosen = within[0] if len(within[0]) <= _MOST_TICKS else within[1]
        return chosen if self.zero is None else [self.zero, *chosen]

    def text(self, value: float) -> str:
        """Return the text of a number along the axis.

        Examples
        --------
        >>> Scale(label="", unit="dollars").text(-1200), Scale(label="", unit="percent").text(0.125)
        ('-$1,200', '12.5%')
        >>> Scale(label="", log=True, limits=(0.1, 200), zero=0.2).text(0.2)
        '0'
        >>> Scale(label="", unit="dollars").text(2.5e6)
        '$2.5M'
        """
        if self.names:
            return self.names[self.ticks.index(value)]
        shown = 0.0 if value == self.zero else round(100 * value if self.unit == "percent" else value, 10)
        millions = abs(shown) >= MILLION
        digits = f"{abs(shown) / MILLION:,.10g}M" if millions else f"{abs(shown):,.10g}"
        sign = "-" if shown < 0 else ""
        return f"{sign}{'$' if self.unit == 'dollars' else ''}{digits}{'%' if self.unit == 'percent' else ''}"

    def words(self, value: float) -> str:
        """Return the text of a number in a hover text.

        Examples
        --------
        >>> Scale(label="", unit="dollars").words(1195.386), Scale(label="", unit="percent").words(0.9746)
        ('$1,195.39', '97.46%')
        """
        if self.names or value == self.zero:
            return self.text(value)
        if self.unit == "dollars":
            return dollars(value).removesuffix(".00")
        digits, times = (2, 100) if self.unit == "percent" else (4, 1)
        return f"{round(times * value, digits) + 0.0:,.{digits}f}".rstrip("0").rstrip(".") + "%" * (times > 1)


def borders(values: Sequence[float], *, log: bool) -> FloatArray:
    """Return the borders, (k + 1,), of cells around rising values, (k,): half way between neighbours.

    Parameters
    ----------
    values : at least one; above 0 if ``log``. A single one fills its axis, of `padded_scale`.
    log : whether half way is the geometric mean, for a logarithmic axis.

    Examples
    --------
    >>> borders([1.0, 2.0, 4.0], log=False).tolist()
    [0.5, 1.5, 3.0, 5.0]
    >>> borders([1.0, 100.0], log=True).tolist()
    [0.1, 10.0, 1000.0]
    """
    at = np.log10(values) if log else np.asarray(values, np.float64)
    half = np.diff(at) / 2 if len(at) > 1 else np.abs(at) + (at == 0)
    edges: FloatArray = np.concatenate([at[:1] - half[0], at[:-1] + half[: len(at) - 1], at[-1:] + half[-1]])
    return np.power(10.0, edges) if log else edges


def colour_scale(limits: tuple[float, float], label: str, unit: Unit, names: tuple[str, str] | tuple[()] = ()) -> Scale:
    """Return the scale of colours; a single number is shown alone at its lower end.

    Parameters
    ----------
    names : names of the two limits, for a scale without other values.
    """
    low, high = limits
    only = limits if names else None if low < high else (low,)
    return Scale(label=label, unit=unit, limits=limits if low < high else (low, low + 1.0), only=only, names=names)


def padded_scale(
    values: Sequence[float | None], label: str, unit: Unit = "", *, at_least: float | None = None
) -> Scale:
    """Return an axis with a margin around its values; a single value is shown alone on it.

    Parameters
    ----------
    values : the shown values; None for no value.
    at_least : lower bound of the numbers, without a margin below it.

    Examples
    --------
    >>> padded_scale([0.0, 100.0], "x", at_least=0.0).limits
    (0.0, 105.0)
    >>> padded_scale([0.0, 0.0], "x").only
    (0.0,)
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high - low <= _SAME * max(abs(low), abs(high)):
        around = abs(high) or 1.0
        return Scale(label=label, unit=unit, limits=(high - around, high + around), only=(high,))
    room = _ROOM * (high - low)
    below = low if at_least is not None and low <= at_least else low - room
    return Scale(label=label, unit=unit, limits=(below, high + room))


def zero_based_scale(values: Sequence[float], label: str, unit: Unit) -> Scale:
    """Return an axis of numbers from 0 on: logarithmic if those above 0 span more than a decade.

    Parameters
    ----------
    values : the shown values, each at least 0.

    Examples
    --------
    >>> zero_based_scale([0.0, 1.0, 1000.0], "x", "").zero
    0.25
    >>> zero_based_scale([0.0, 5.0, 10.0], "x", "").limits
    (0.0, 10.5)
    """
    positive = [value for value in values if value > 0]
    if not positive or max(positive) / min(positive) <= 10:  # noqa: PLR2004  (a decade)
        return padded_scale([0.0, *positive], label, unit, at_least=0.0)
    low, high = min(positive), max(positive)
    if len(positive) == len(values):
        return Scale(label=label, unit=unit, log=True, limits=(low / 1.2, high * 1.2))
    zero = low / (2 * FROM_ZERO)
    return Scale(label=label, unit=unit, log=True, limits=(zero / 1.4, high * 1.2), zero=zero)
