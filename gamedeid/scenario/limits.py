"""Limits of a scenario on the whole dataset, and on groups of records."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from gamedeid.choices import PlannedFor
from gamedeid.errors import shown
from gamedeid.scenario.sections import Amount, Level, Number, PositiveShare, Section, Share, Whole

Positive: TypeAlias = Annotated[Number, Field(gt=0, allow_inf_nan=False)]
Count: TypeAlias = Annotated[Whole, Field(ge=1, le=1_000_000_000)]


class GroupLimits(Section):
    """How much the means of groups of records may differ: the greatest mean less the smallest.

    A group is the records with the same value of a column. Means are over its records: a withheld one counts as 1 in
    the mean information loss, and is not attacked.
    """

    column: str
    """An attribute or a kept column."""
    level: Level | None = None
    """Level of an attribute's hierarchy, whose labels are the groups. (default: the most general below ``*``)"""
    least: Count = 11
    """Least records of a group that is compared. (default: 11, as in published tables of counts)"""
    information_loss: Share | None = None
    """Greatest difference of the mean information loss."""
    attacked: Share | None = None
    """Greatest difference of the share of records that are attacked."""

    @model_validator(mode="after")
    def _some_limit(self) -> "GroupLimits":
        if self.information_loss is None and self.attacked is None:
            raise ValueError("no limit is given; give information_loss or attacked")
        return self


class Limits(Section):
    """Limits on the whole dataset, each of them optional."""

    expected_reidentifications: Amount | None = None
    """Greatest sum of the chances of re-identification over the attacked records."""
    attacked: Share | None = None
    """Greatest share of the records that is attacked."""
    list_price: Amount | None = None
    """Price of a list of names, which the adversary pays once, dollars: all attacks together must not pay for it."""
    record_risk: PositiveShare | None = None
    """Greatest chance of re-identification of a released record, whether or not an attack pays."""
    information_loss: Share | None = None
    """Greatest mean information loss over the records; a withheld record counts as 1."""
    publisher_payoff: Annotated[Number, Field(allow_inf_nan=False)] | None = None
    """Least mean payoff of the publisher over the records, dollars."""

    smallest_cell: Annotated[Whole, Field(ge=1)] | None = None
    """Least number of released records that share their strategy and released values."""
    uniform: bool | tuple[str, ...] = False
    """Whether all records get one strategy; or attributes, for one strategy for each of their values."""
    groups: GroupLimits | None = None
    """How much the means of groups of records may differ."""

    @model_validator(mode="after")
    def _cells_of_one_strategy(self) -> "Limits":
        if self.smallest_cell is not None and isinstance(self.uniform, tuple) and self.uniform:
            raise ValueError(
                "smallest_cell is not kept for a strategy for each of some groups; set uniform = true, or leave it out"
            )
        if self.groups is not None and self.couples_cells:
            raise ValueError("smallest_cell is not kept within limits of groups; set uniform = true, or leave it out")
        return self

    @property
    def is_uniform(self) -> bool:
        """Whether records share a strategy."""
        return bool(self.uniform)

    @property
    def is_on_sums(self) -> bool:
        """Whether some limit is on a sum or mean over the records."""
        return any(name not in {"record_risk", "smallest_cell"} for name, _ in self.asked())

    @property
    def is_one_strategy(self) -> bool:
        """Whether all records have one strategy without limits on sums: equal released values have one outcome."""
        return self.uniform is True and not self.is_on_sums

    @property
    def couples_cells(self) -> bool:
        """Whether the strategy of each profile decides which records share the cells of others."""
        return self.smallest_cell is not None and not self.is_uniform

    def asked(self) -> Iterator[tuple[str, float]]:
        """Yield the name and the value of each given limit that is a number, in their order."""
        for name in LIMIT_NAMES:
            section, _, key = name.rpartition(".")
            value = getattr(self.groups if section else self, key, None)
            if value is not None:
                yield name, value

    def given(self) -> dict[str, Any]:
        """Return key -> value of the given limits."""
        return {name: value for name, value in self if value is not None and (name != "uniform" or value)}


OF_GROUPS = ("groups.information_loss", "groups.attacked")
"""Limits on differences between groups."""

LIMIT_NAMES = (*(name for name in Limits.model_fields if name not in {"uniform", "groups"}), *OF_GROUPS)
"""All limits that are numbers, in their order; one of groups begins with the name of its section."""


class KeptRule(Section):
    """Requirements on a kept column in the records of a released group."""

    distinct: Count | None = None
    """Least number of different values (distinct l-diversity)."""
    entropy: Annotated[Number, Field(ge=1, allow_inf_nan=False)] | None = None
    """The entropy of the values is at least the logarithm of this (entropy l-diversity)."""
    recursive: tuple[Positive, Count] | None = None
    """c and l: the most frequent value is rarer than c times all from the l-th most frequent on."""
    t: Share | None = None
    """Greatest distance of the distribution of values from that of all released records (t-closeness)."""
    distance: Literal["equal", "ordered"] = "equal"
    """Distance of two values: equal for all, or by their places in ``order``."""
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
    """Released groups in the games against a recipient who knows the method."""

    planned_for: PlannedFor = "population"
    """Whose mean payoff is maximized: that of all people, or that of the records.

    The game aware-basic is planned for all people only, unless the records are their own population.
    """
    k: Count = 1
    """Least records of a released group that has any (k-anonymity)."""
    kept: dict[str, KeptRule] = Field(default_factory=dict)
    """Kept column -> its rule for the records of a released group."""
    steps: Annotated[Level, Field(le=1_000_000_000)] | None = None
    """Steps of the search: the same number finds the same groups on every machine. (default: at most 400,
    and fewer if 60 of them gain at most 0.05% of the worth, unless ``seconds`` is set; the five searches of
    t-closeness share the 400, but each takes a given number)"""
    seconds: Positive | None = None
    """Seconds after which no step begins; an interruption ends the search earlier, and keeps the best so far. The
    number of steps taken is in ``summary.json``. (default: no limit)"""

    @property
    def rules(self) -> list[str]:
        """The rules for released groups, such as ``k = 5``; empty for the defaults."""
        alike = [f"k = {self.k}"] if self.k > 1 else []
        for column, rule in self.kept.items():
            asked = rule.model_dump(mode="json", exclude={"distance", "order"}, exclude_none=True)
            alike += [f"kept.{shown(column)}.{name} = {value}" for name, value in asked.items()]
        return alike
