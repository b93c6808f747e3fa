"""What a scenario demands of the whole dataset: limits within which one strategy for each profile is chosen."""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from gamedeid.scenario.sections import Section, plain_number

Amount: TypeAlias = Annotated[float, BeforeValidator(plain_number), Field(ge=0, allow_inf_nan=False)]
Share: TypeAlias = Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1)]
Chance: TypeAlias = Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1)]
Payoff: TypeAlias = Annotated[float, BeforeValidator(plain_number), Field(allow_inf_nan=False)]


class Limits(Section):
    """Limits on the whole dataset; none of those that are not given."""

    expected_reidentifications: Amount | None = None
    """At most so many: the sum of the chances of re-identification over the attacked records."""
    attacked: Share | None = None
    """At most this share of the records is attacked."""
    list_price: Amount | None = None
    """What a list of names costs the adversary once, dollars: all attacks together must not pay for it."""
    record_risk: Chance | None = None
    """No released record's chance of re-identification is above this, whether attacking it pays or not."""
    information_loss: Share | None = None
    """At most this mean information loss over the records; a withheld record counts as 1."""
    publisher_payoff: Payoff | None = None
    """At least this mean payoff of the publisher over the records, dollars."""

    smallest_cell: Annotated[int, BeforeValidator(plain_number), Field(ge=1)] | None = None
    """At least so many released records share their strategy and released values."""
    uniform: bool | tuple[str, ...] = False
    """Whether all records get one strategy; or attributes, for one strategy for each of their values."""

    @model_validator(mode="after")
    def _cells_of_one_strategy(self) -> "Limits":
        if self.smallest_cell is not None and isinstance(self.uniform, tuple) and self.uniform:
            raise ValueError(
                "smallest_cell is not kept for a strategy for each of some groups; set uniform = true, or leave it out"
            )
        return self

    @property
    def is_uniform(self) -> bool:
        """Whether records share a strategy."""
        return self.uniform is True or bool(self.uniform)

    @property
    def is_on_sums(self) -> bool:
        """Whether some limit is on a sum or mean over the records."""
        return any(name not in {"record_risk", "smallest_cell"} for name, _ in self.asked())

    @property
    def couples_cells(self) -> bool:
        """Whether each profile's strategy decides which records share the cells of others."""
        return self.smallest_cell is not None and not self.is_uniform

    def asked(self) -> Iterator[tuple[str, float]]:
        """Yield the name and the value of each limit that is a number and given, in their order."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if value is not None and name != "uniform":
                yield name, value

    def given(self) -> dict[str, Any]:
        """Return name -> value of all that is given."""
        return dict(self.asked()) | ({"uniform": self.uniform} if self.is_uniform else {})
