"""The section ``[mechanism]``: how the strategies of a whole population are found."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from gamedeid.choices import PlannedFor
from gamedeid.scenario.sections import Section, plain_number


class Mechanism(Section):
    """How the games of a whole population look for their strategies."""

    planned_for: PlannedFor = "population"
    """Whose mean payoff is made large: everybody's, whoever the records are of, or that of the records.

    The game aware-basic is planned for everybody only.
    """
    steps: Annotated[int, BeforeValidator(plain_number), Field(ge=0, le=1_000_000_000)] | None = None
    """Steps of the search of aware-no-attack: more take longer and may find better groups.

    By the size of the population unless given.
    """
