"""What a scenario demands of all records together: limits on the whole dataset, and of groups of records."""

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
    """Of an attribute's hierarchy, where values with one label are a group. (default: the most general below ``*``)"""
    least: Count = 11
    """Records of a group that is compared, at least. (default: 11, as in published tables of counts)"""
    information_loss: Share | None = None
    """At most this difference of the mean information loss."""
    attacked: Share | None = None
    """At most this difference of the share of records that are attacked."""

    @model_validator(mode="after")
    def _some_limit(self) -> "GroupLimits":
        if self.information_loss is None and self.attacked is None:
            raise ValueError("no limit is given; give information_loss or attacked")
        return self


class Limits(Section):
    """Limits on the whole dataset; none of those that are not given."""

    expected_reidentifications: Amount | None = None
    """At most so many: the sum of the chances of re-identification over the attacked records."""
    attacked: Share | None = None
    """At most this share of the records is attacked."""
    list_price: Amount | None = None
    """What a list of names costs the adversary once, dollars: all attacks together must not pay for it."""
    record_risk: PositiveShare | None = None
    """No released record's chance of re-identification is above this, whether attacking it pays or not."""
    information_loss: Share | None = None
    """At most this mean information loss over the records; a withheld record counts as 1."""
    publisher_payoff: Annotated[Number, Field(allow_inf_nan=False)] | None = None
    """At least this mean payoff of the publisher over the records, dollars."""

    smallest_cell: Annotated[Whole, Field(ge=1)] | None = None
    """At least so many released records share their strategy and released values."""
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
        """Whether all records have one strategy and no sum decides: the same released values then have one outcome."""
        return self.uniform is True and not self.is_on_sums

    @property
    def couples_cells(self) -> bool:
        """Whether each profile's strategy decides which records share the cells of others."""
        return self.smallest_cell is not None and not self.is_uniform

    def asked(self) -> Iterator[tuple[str, float]]:
        """Yield the name and the value of each limit that is a number and given, in their order."""
        for name in LIMIT_NAMES:
            section, _, key = name.rpartition(".")
            value = getattr(self.groups if section else self, key, None)
            if value is not None:
                yield name, value

    def given(self) -> dict[str, Any]:
        """Return key -> value of all that is given."""
        return {name: value for name, value in self if value is not None and (name != "uniform" or value)}


OF_GROUPS = ("groups.information_loss", "groups.attacked")
"""Limits on differences between groups."""

LIMIT_NAMES = (*(name for name in Limits.model_fields if name not in {"uniform", "groups"}), *OF_GROUPS)
"""All limits that are numbers, in their order; one of groups begins with the name of its section."""


class KeptRule(Section):
    """What the records of a released group must show of a kept column."""

    distinct: Count | None = None
    """At least so many different values (distinct l-diversity)."""
    entropy: Annotated[Number, Field(ge=1, allow_inf_nan=False)] | None = None
    """The entropy of its values is at least the logarithm of this (entropy l-diversity)."""
    recursive: tuple[Positive, Count] | None = None
    """c and l: the most frequent value is rarer than c times all from the l-th most frequent on."""
    t: Share | None = None
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
    """The mean payoff that is maximized: that of all people, or that of the records.

    The game aware-basic is planned for all people only, unless the records are their own population.
    """
    k: Count = 1
    """Records that a released group with a record in it holds at least (k-anonymity)."""
    kept: dict[str, KeptRule] = Field(default_factory=dict)
    """Kept column -> its rule for the records of a released group."""
    steps: Annotated[Level, Field(le=1_000_000_000)] | None = None
    """Steps of the search: the same number finds the same groups on every machine. (default: at most 400,
    and fewer where 60 of them gain at most 0.05% of the worth, unless ``seconds`` is set; the five searches of
    t-closeness share the 400, and each takes those that are named)"""
    seconds: Positive | None = None
    """Seconds after which no step is begun; an interruption ends the search earlier, and the best so far is kept. How
    many steps were taken is in ``summary.json``. (default: no limit)"""

    @property
    def rules(self) -> list[str]:
        """The rules that released groups keep, such as ``k = 5``; none where the defaults demand nothing."""
        alike = [f"k = {self.k}"] if self.k > 1 else []
        for column, rule in self.kept.items():
            asked = rule.model_dump(mode="json", exclude={"distance", "order"}, exclude_none=True)
            alike += [f"kept.{shown(column)}.{name} = {value}" for name, value in asked.items()]
        return alike
