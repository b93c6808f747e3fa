"""Stakes, and numbers of recipients, that are varied: each with its values, read from a few words and checked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import isfinite, prod
from typing import Literal, NoReturn, TypeAlias, cast, get_args

import numpy as np

from gamedeid.amounts import joined
from gamedeid.errors import InvalidScenarioError, nearest_word_hint, quoted, refuse_text, refuse_unknown
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.recipients import Recipient, active_recipients
from gamedeid.scenario.sections import VARIED_DOLLARS

StakeName: TypeAlias = Literal["benefit", "loss", "cost", "gain"]
"""What can be varied, dollars each."""

STAKES: tuple[StakeName, ...] = get_args(StakeName)

RECIPIENT_PREFIX = "recipients."
"""Prefix of the names of numbers of a recipient."""

RECIPIENT_SHARES = ("probability", "covers")
"""Numbers of a recipient that are not in dollars."""

RECIPIENT_KEYS = ("gain", "cost", "loss", *RECIPIENT_SHARES)
"""Numbers of a recipient that can be varied."""

MOST_POINTS = 10_000_000
"""Most points of one sweep: the output of more would exceed most disks."""

MOST_LOG_POINTS = 100_000
"""Most logarithmic steps of one stake: each is rounded separately."""

_ALLOWED = {"benefit": "above 0", "cost": "above 0", "probability": "from 0 to 1", "covers": "above 0, up to 1"}
"""The values that each number may have; all others may have 0 or more."""


@frozen
class Axis:
    """One of the stakes, or a number of a recipient, and the values that it takes.

    Parameters
    ----------
    name : "benefit", "loss", "cost" or "gain"; or "recipients.NAME.KEY", where KEY is gain, cost, loss, probability or
        covers.
    values : in the order in which rows are written; benefit and cost > 0, loss and gain >= 0, dollars; of a recipient
        dollars >= 0, a probability in [0, 1], or the share that it covers, in (0, 1].

    Raises
    ------
    InvalidScenarioError : an unknown name, no values, or a value out of its range.
    """

    name: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if is_of_recipient(self.name):
            recipient_and_key(self.name)
        else:
            parse_stake(self.name, "vary")
        object.__setattr__(self, "values", tuple(map(float, self.values)))
        if not self.values:
            _refuse(f"vary {self.name}: the range is empty")
        for value in self.values:
            _check_value(self.name, value)

    @classmethod
    def parse(cls, text: str) -> "Axis":
        """Read ``NAME=START:STOP:STEP`` (both ends included), ``NAME=START:STOP:logCOUNT`` or ``NAME=A,B,C``.

        Parameters
        ----------
        text : in one of these forms, such as "loss=0:2000:50", dollars.

        Raises
        ------
        InvalidScenarioError : the text has no such form, the range is empty or the step is not above 0.

        Examples
        --------
        >>> Axis.parse("loss=0:100:50").values
        (0.0, 50.0, 100.0)
        >>> Axis.parse("cost=1:100:log3").values
        (1.0, 10.0, 100.0)
        """
        name, equals, words = text.partition("=")
        parts = words.split(":")
        form = "expected NAME=START:STOP:STEP, NAME=START:STOP:logCOUNT or NAME=A,B,C"
        try:
            if len(parts) == 1 and equals:
                return cls(name=name, values=tuple(float(value) for value in words.split(",")))
            start, stop, step = parts
            low, high = float(start), float(stop)
            if step.startswith("log"):
                return cls(name=name, values=_log_steps(text, low, high, int(step.removeprefix("log"))))
            return cls(name=name, values=_even_steps(text, low, high, float(step)))
        except InvalidScenarioError:
            raise
        except (ValueError, OverflowError):
            raise InvalidScenarioError(f"vary {quoted(text)}: {form}", arguments=["vary"]) from None


def parse_stake(name: str, argument: str) -> StakeName:
    """Return the stake of this name."""
    refuse_unknown("stake", name, STAKES, f"{argument}: ", arguments=[argument])
    return cast("StakeName", name)


def values_around(name: StakeName, chosen: float, points: int, factor: float) -> Axis:
    """Return values of a stake around the chosen one, which is exactly among them, in equal ratios.

    Parameters
    ----------
    chosen : the value in the middle, dollars, > 0.

    Examples
    --------
    >>> values_around("loss", 300, points=5, factor=100).values
    (3.0, 30.0, 300.0, 3000.0, 30000.0)
    """
    if points % 2 == 0:
        raise ValueError(f"the chosen value is in the middle of an odd number of points, not of {points}")
    if not chosen > 0:
        _refuse(f"no range of values around a {name} of 0; say which with vary {name}=...")
    half = points // 2
    steps = (float(f"{chosen * factor ** (place / max(half, 1)):.6g}") for place in range(-half, half + 1))
    return Axis(name=name, values=tuple(float(chosen) if place == half else step for place, step in enumerate(steps)))


def check_grid(axes: Sequence[Axis]) -> None:
    """Check the axes of one grid against each other."""
    if not axes:
        raise InvalidScenarioError(
            "nothing is varied; add vary, such as vary loss=0:2000:50", arguments=["vary", "vary"]
        )
    names = [axis.name for axis in axes]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        _refuse(f"vary: {twice} is varied twice; give all its values at once")
    points = prod(len(axis.values) for axis in axes)
    if points > MOST_POINTS:
        _refuse(f"vary: {points:,} points are too many (at most {MOST_POINTS:,}); take larger steps")


def grid_axes(given: Sequence[Axis | str], recipients: Mapping[str, Recipient] | None) -> list[Axis]:
    """Return the axes of one grid, each given as an axis or in words, checked against each other.

    Numbers of ``recipients``, by name, may be varied; None if only stakes may.
    """
    refuse_text("vary", given)
    axes = [Axis.parse(one) if isinstance(one, str) else one for one in given]
    check_grid(axes)
    of_recipients = {axis.name: axis.values for axis in axes if is_of_recipient(axis.name)}
    if recipients is None:
        refuse_recipient_axes(of_recipients)
    else:
        _check_recipients(of_recipients, recipients)
    return axes


def refuse_recipient_axes(names: Iterable[str]) -> None:
    """Refuse numbers of recipients if only stakes can be varied."""
    for name in names:
        if is_of_recipient(name):
            _refuse(
                f"vary {name}: only a sweep of all records varies the stakes of a recipient; override it in the "
                "scenario instead"
            )


def grid_points(own: Payoffs, axes: Sequence[Axis]) -> Iterator[Payoffs]:
    """Yield the stakes at every point of a grid: the benefit varies fastest, the first of the other axes slowest."""
    ordered = sorted(axes, key=lambda axis: axis.name == "benefit")
    for values in product(*(axis.values for axis in ordered)):
        yield replace(own, **dict(zip((axis.name for axis in ordered), values, strict=True)))


def is_of_recipient(name: str) -> bool:
    """Return whether an axis of this name is a number of a recipient, such as ``recipients.thief.probability``."""
    return name.startswith(RECIPIENT_PREFIX)


def recipient_and_key(name: str) -> tuple[str, str]:
    """Return the recipient's name and the key of ``recipients.NAME.KEY``."""
    recipient, _, key = name.removeprefix(RECIPIENT_PREFIX).rpartition(".")
    if not recipient:
        _refuse(f"vary {quoted(name)}: expected recipients.NAME.KEY, where KEY is {joined(RECIPIENT_KEYS, 'or')}")
    if key not in RECIPIENT_KEYS:
        _refuse(f"vary {name}: {quoted(key)} of a recipient cannot be varied{nearest_word_hint(key, RECIPIENT_KEYS)}")
    return recipient, key


def replace_recipient_values(recipients: Mapping[str, Recipient], values: Mapping[str, float]) -> dict[str, Recipient]:
    """Return the recipients, by name, with other values of ``recipients.NAME.KEY``."""
    changed = dict(recipients)
    for name, value in values.items():
        recipient, key = recipient_and_key(name)
        changed[recipient] = changed[recipient].model_copy(update={key: value})
    return changed


def _check_value(name: str, value: float) -> None:
    """Check a value for a stake, or for a number of a recipient."""
    of_recipient, key = is_of_recipient(name), name.rpartition(".")[2]
    allowed = "of 0 or more" if of_recipient and key == "cost" else _ALLOWED.get(key, "of 0 or more")
    if key not in RECIPIENT_SHARES and (fault := VARIED_DOLLARS.fault(value, " of dollars")) is not None:
        _refuse(f"vary {name}: {fault}")
    fits = 0 <= value <= 1 if key in RECIPIENT_SHARES else isfinite(value) and value >= 0
    if not fits or (value == 0 and allowed.startswith("above 0")):
        _refuse(f"vary {name}: expected a number {allowed}, not {quoted(f'{value:g}')}")


def _check_recipients(names: Mapping[str, Sequence[float]], recipients: Mapping[str, Recipient]) -> None:
    """Check that the recipients whose numbers are varied exist, and that one always has a probability above 0."""
    for name in names:
        recipient, _ = recipient_and_key(name)
        if not recipients:
            _refuse(f"vary {name}: the scenario has no [recipients]")
        refuse_unknown("recipient", recipient, recipients, f"vary {name}: ", arguments=["vary"])
    if names and not active_recipients(
        replace_recipient_values(recipients, {name: min(values) for name, values in names.items()})
    ):
        axis = next((name for name in names if name.endswith(".probability")), next(iter(names)))
        _refuse(f"vary {axis}: at 0 no recipient is ever active; begin above 0")


def _even_steps(text: str, low: float, high: float, step: float) -> tuple[float, ...]:
    if not step > 0:
        _refuse(f"vary {quoted(text)}: the step must be above 0, not {quoted(f'{step:g}')}")
    count = int(np.floor((high - low) / step * (1 + 1e-12) + 1e-9)) + 1
    if count > MOST_POINTS:
        _refuse(f"vary {quoted(text)}: {count:,} points are too many (at most {MOST_POINTS:,})")
    if count < 1:
        _refuse(f"vary {quoted(text)}: the range is empty; it must not end before it starts")
    return tuple(low + step * place for place in range(count))


def _log_steps(text: str, low: float, high: float, count: int) -> tuple[float, ...]:
    if not 0 < low <= high or count < 1 or count > MOST_LOG_POINTS:
        _refuse(
            f"vary {quoted(text)}: logarithmic steps run from a number above 0 to one not below it, in 1 to "
            f"{MOST_LOG_POINTS:,} points"
        )
    values = np.geomspace(low, high, count).tolist() if count > 1 else [low]
    return tuple(float(f"{value:.12g}") for value in values)


def _refuse(why: str) -> NoReturn:
    raise InvalidScenarioError(why, arguments=["vary"])
