"""The words that name a stake and the values between which it is followed, such as ``loss=100:500``."""

from math import inf

from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.scenario.grid import StakeName, known_stake


def parse_stake_bounds(text: str) -> tuple[StakeName, float, float]:
    """Read ``NAME`` or ``NAME=LOW:HIGH``: a stake, and the bounds between which its breakpoints are wanted.

    Returns
    -------
    the stake and its lower and upper bound, dollars; 0 and infinity where no bounds are given.

    Raises
    ------
    InvalidScenarioError : it is neither, or the range is empty.

    Examples
    --------
    >>> parse_stake_bounds("loss=100:500")
    ('loss', 100.0, 500.0)
    """
    from gamedeid.analysis.breakpoints import bounds_fault

    name, equals, words = text.partition("=")
    stake = known_stake(name, "exact")
    if not equals:
        return stake, 0.0, inf
    try:
        low, high = (float(word) for word in words.split(":"))
    except ValueError:
        raise InvalidScenarioError(f"--exact {quoted(text)}: expected NAME or NAME=LOW:HIGH") from None
    if (fault := bounds_fault(low, high)) is not None:
        raise InvalidScenarioError(f"--exact {quoted(text)}: {fault}")
    return stake, low, high
