"""How far the page turns each stake: a hundredth to a hundredfold of what the scenario has."""

from gamedeid.scenario.bounds import DOLLARS
from gamedeid.scenario.scenario import Scenario

FACTOR = 100.0
"""A slider goes from the scenario's value over this to its value times this."""


def slider_ends(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """Return stake -> the least and the most that its slider has, dollars.

    Parameters
    ----------
    scenario : as opened; a gain that follows the loss has the loss's ends.
    """
    payoffs = scenario.payoffs
    values = {"benefit": payoffs.benefit, "loss": payoffs.loss, "cost": payoffs.cost}
    values["gain"] = payoffs.loss if payoffs.gain is None else payoffs.gain
    return {
        name: (max(value / FACTOR, DOLLARS.least), min(value * FACTOR, DOLLARS.most)) for name, value in values.items()
    }
