"""The section ``[groups]``: what released groups must hold and show, and how long the search for them may take."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from gamedeid.choices import PlannedFor
from gamedeid.scenario.sections import Section, plain_number

Count = Annotated[int, BeforeValidator(plain_number), Field(ge=1, le=1_000_000_000)]
Positive = Annotated[float, BeforeValidator(plain_number), Field(gt=0, allow_inf_nan=False)]


class KeptRule(Section):
    """What the records of a released group must show of a kept column."""

    distinct: Count | None = None
    """At least so many different values (distinct l-diversity)."""
    entropy: Annotated[float, BeforeValidator(plain_number), Field(ge=1, allow_inf_nan=False)] | None = None
    """The entropy of its values is at least the logarithm of this (entropy l-diversity)."""
    recursive: tuple[Positive, Count] | None = None
    """c and l: the most frequent value is rarer than c times all from the l-th most frequent on."""
    t: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1)] | None = None
    """Its values are distributed as those of all released records, but for this distance (t-closeness)."""
    distance: Literal["equal", "ordered"] = "equal"
    """How far two values are apart: all equally, or by their places in ``order``."""
    order: tuple[str, ...] = ()
    """The values from the lowest to the highest, for the ordered distance."""

    @model_validator(mode="after")
    def _complete(self) -> "KeptRule":
        if self.distance == "ordered" and not self.order:
            raise ValueError('distance = "ordered" needs order, the values from the lowest to the highest')
        if all(rule is None for rule in (self.distinct, self.entropy, self.recursive, self.t)):
            raise ValueError("no rule is given; give distinct, entropy, recursive or t")
        return self


class Groups(Section):
    """How the games against a recipient who knows the method form released groups."""

    planned_for: PlannedFor = "population"
    """Whose mean payoff is made large: everybody's, whoever the records are of, or that of the records.

    The game aware-basic is planned for everybody only, unless the records are their own population.
    """
    k: Count = 1
    """Records that a released group with a record in it holds at least (k-anonymity)."""
    kept: dict[str, KeptRule] = Field(default_factory=dict)
    """Kept column -> what the records of a released group must show of it."""
    steps: Annotated[int, BeforeValidator(plain_number), Field(ge=0, le=1_000_000_000)] | None = None
    """Steps of the search: the same number finds the same groups on every machine. (default: 400, unless
    ``seconds`` is set; the five searches of t-closeness share these 400, and each takes those that are named)"""
    seconds: Positive | None = None
    """Seconds after which no step is begun; an interruption ends the search earlier, and the best so far is kept. How
    many steps were taken is in ``summary.json``. (default: no limit)"""
