"""Numbers of recipients that are varied: by which names they go, which values they take, and who has them then."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NoReturn

from gamedeid.amounts import joined
from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.scenario.bounds import VARIED_DOLLARS
from gamedeid.scenario.recipients import Recipient, taking_part

SECTION = "recipients."
"""Begins the name of a number of a recipient."""

SHARES = ("probability", "covers")
"""Those of the numbers that are no dollars."""

KEYS = ("gain", "cost", "loss", *SHARES)
"""Numbers of a recipient that can be varied."""


def is_of_recipient(name: str) -> bool:
    """Return whether an axis of this name is a number of a recipient, such as ``recipients.thief.probability``."""
    return name.startswith(SECTION)


def recipient_and_key(name: str) -> tuple[str, str]:
    """Return the recipient's name and the key of ``recipients.NAME.KEY``.

    Raises
    ------
    InvalidScenarioError : it has no recipient, or no such key can be varied.
    """
    recipient, _, key = name.removeprefix(SECTION).rpartition(".")
    if not recipient:
        _refuse(f"vary {quoted(name)}: expected recipients.NAME.KEY, where KEY is {joined(KEYS, 'or')}")
    if key not in KEYS:
        _refuse(f"vary {name}: {quoted(key)} of a recipient cannot be varied{nearest(key, KEYS)}")
    return recipient, key


def check_value(name: str, value: float) -> None:
    """Check a value that a number of a recipient is to take.

    Parameters
    ----------
    name : ``recipients.NAME.KEY``.
    value : a probability in [0, 1], a share in (0, 1], or dollars of 0 or more.

    Raises
    ------
    InvalidScenarioError : no such key, or a value out of its range.
    """
    _, key = recipient_and_key(name)
    expected = {"probability": "from 0 to 1", "covers": "above 0, up to 1"}.get(key, "of 0 or more")
    too_much = value > 1 if key in SHARES else not isfinite(value)
    if not value >= 0 or too_much or (value == 0 and key == "covers"):
        _refuse(f"vary {name}: expected a number {expected}, not {quoted(f'{value:g}')}")
    if key not in SHARES and (fault := VARIED_DOLLARS.fault(value, " of dollars")) is not None:
        _refuse(f"vary {name}: {fault}")


def check_recipients(names: Mapping[str, Sequence[float]], recipients: Mapping[str, Recipient]) -> None:
    """Check that there are the recipients of whom numbers are to be varied, and always one who may come to be.

    Parameters
    ----------
    names : ``recipients.NAME.KEY`` -> the values that it is to take.
    recipients : name -> recipient, as the scenario has them.

    Raises
    ------
    InvalidScenarioError : there is none of a name, or none of them comes to be at some values.
    """
    for name in names:
        recipient, _ = recipient_and_key(name)
        if not recipients:
            _refuse(f"vary {name}: the scenario has no [recipients]")
        if recipient not in recipients:
            _refuse(f"vary {name}: there is no recipient {quoted(recipient)}{nearest(recipient, recipients)}")
    if names and not taking_part(recipients_with(recipients, {name: min(values) for name, values in names.items()})):
        nobody = next((name for name in names if name.endswith(".probability")), next(iter(names)))
        _refuse(f"vary {nobody}: at 0 no recipient ever comes to be; begin above 0")


def recipients_with(recipients: Mapping[str, Recipient], values: Mapping[str, float]) -> dict[str, Recipient]:
    """Return the recipients with other numbers.

    Parameters
    ----------
    recipients : name -> recipient, as the scenario has them.
    values : ``recipients.NAME.KEY`` -> its value.
    """
    changed = dict(recipients)
    for name, value in values.items():
        recipient, key = recipient_and_key(name)
        changed[recipient] = changed[recipient].model_copy(update={key: value})
    return changed


def _refuse(what: str) -> NoReturn:
    raise InvalidScenarioError(what, arguments=["vary"])
