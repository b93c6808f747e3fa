"""The section ``[recipients.NAME]``: a possible recipient, its stakes and knowledge, and the people on its list."""

from collections.abc import Collection, Iterable, Mapping

from pydantic import Field, model_validator

from gamedeid.capabilities import MOST_RECIPIENTS, Feature
from gamedeid.scenario.sections import (
    Dollars,
    DollarsOrNone,
    Level,
    Population,
    PositiveShare,
    Section,
    Share,
    refuse_known_twice,
)

KEPT_NAME = "kept columns"
"""Name of the classes of records that recipients distinguish by kept columns."""


class FurtherKnowledge(Section):
    """Further knowledge that a recipient may gain before it looks people up."""

    knows: tuple[str, ...] = ()
    """Attributes then known in full detail."""
    levels: dict[str, Level] = Field(default_factory=dict)
    """Attributes then known at a level."""
    probability: Share
    """Chance of success."""
    price: DollarsOrNone | None = None
    """Price of an attempt for one record, with or without success, dollars (default: 0)."""

    @model_validator(mode="after")
    def _check_knowledge(self) -> "FurtherKnowledge":
        if not self.knows and not self.levels:
            raise ValueError("needs knows, levels or both: the attributes that may be learned")
        refuse_known_twice(self.knows or (), self.levels)
        return self


class OwnPopulation(Population):
    """The population in which a recipient looks people up, if it has a separate one."""

    @model_validator(mode="after")
    def _is_a_file(self) -> "OwnPopulation":
        if self.sampling_fraction is not None:
            raise ValueError("this population must be a file; leave sampling_fraction out")
        if self.path is None:
            raise ValueError("names no file; add path")
        return self


class Recipient(Section):
    """A recipient: a person or body who may get the release and attack."""

    probability: Share = 1.0
    """Chance of being present."""
    gain: Dollars | None = None
    """Gain from a re-identified record, dollars (default: that of ``[payoffs]``, or else ``loss``)."""
    cost: DollarsOrNone | None = None
    """Cost of an attack, dollars (default: that of ``[payoffs]``); 0 for a thief, whom no cost deters."""
    loss: Dollars | None = None
    """The publisher's loss from a re-identified record, dollars (default: that of ``[payoffs]``)."""
    knows: tuple[str, ...] | None = None
    """Attributes and kept columns known in full detail (default: all attributes, unless ``levels`` is given)."""
    levels: dict[str, Level] = Field(default_factory=dict)
    """Attributes known only at a level, such as ``{ zip = 2 }``."""
    covers: PositiveShare = 1.0
    """Share of the people of the population who are on the list, drawn at random."""
    population: OwnPopulation | None = None
    """People whom the recipient can look up (default: the population of the scenario), at their levels."""
    learns: FurtherKnowledge | None = None
    """Further knowledge that the recipient may gain."""

    @model_validator(mode="after")
    def _check_knowledge(self) -> "Recipient":
        if self.knows == () and not self.levels:
            raise ValueError("knows no attribute, and can distinguish no people; leave knows out to know all")
        refuse_known_twice(self.knows or (), self.levels)
        return self

    @property
    def knows_all(self) -> bool:
        """Whether every attribute is known in full detail from the beginning."""
        return self.knows is None and not self.levels

    def levels_known(self, tops: Mapping[str, int], *, learned: bool) -> dict[str, int]:
        """Return the least level at which each attribute is known, or its most general level, in ``tops``."""
        known = dict.fromkeys(tops, 0) if self.knows_all else dict(tops) | dict.fromkeys(self.knows or (), 0)
        known |= self.levels
        if learned and self.learns is not None:
            further = dict.fromkeys(self.learns.knows, 0) | self.learns.levels
            known |= {name: min(level, known[name]) for name, level in further.items()}
        listed = {} if self.population is None else self.population.levels
        return {name: max(known[name], listed.get(name, 0)) for name in tops}

    def attributes_known(self, attributes: Iterable[str]) -> tuple[str, ...]:
        """Return the attributes of which something is known, or may be learned."""
        learns = () if self.learns is None else (*self.learns.knows, *self.learns.levels)
        listed = {*(self.knows or ()), *self.levels, *learns}
        return tuple(name for name in attributes if self.knows_all or name in listed)


def known_kept_columns(recipient: Recipient, keep: Collection[str]) -> tuple[str, ...]:
    """Return the kept columns that a recipient knows, who then looks people up among the records."""
    return tuple(name for name in recipient.knows or () if name in keep)


def own_population(name: str) -> str:
    """Return the scenario's key of the population of a recipient, and its name among the inputs."""
    return f"recipients.{name}.population"


def active_recipients(recipients: Mapping[str, Recipient]) -> dict[str, Recipient]:
    """Return the recipients with a probability above 0; others have no effect."""
    return {name: recipient for name, recipient in recipients.items() if recipient.probability > 0}


def kept_knowledge(recipients: Mapping[str, Recipient], keep: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the kept columns that each recipient knows, for those with a probability above 0 who know any."""
    known = {name: known_kept_columns(one, keep) for name, one in active_recipients(recipients).items()}
    return {name: columns for name, columns in known.items() if columns}


def decision_chances(recipient: Recipient) -> list[tuple[float, bool]]:
    """Return (chance, learned or not) of each knowledge with which a recipient decides; both if learning is paid."""
    learns = 0.0 if recipient.learns is None else recipient.learns.probability
    pays = learns > 0 and recipient.learns is not None and bool(recipient.learns.price)
    after, before = [(learns, True)] if learns > 0 else [], [(1 - learns, False)] if learns < 1 or pays else []
    return after + before


def recipient_features(recipients: Mapping[str, Recipient], keep: Collection[str] = ()) -> dict[Feature, str]:
    """Return the features of recipients with a probability above 0 that operations may refuse."""
    if not recipients or sole_paper_adversary(recipients) is not None:
        return {}
    found, active = {Feature.RECIPIENTS: "recipients"}, active_recipients(recipients)
    for name, recipient in active.items():
        if recipient.population is not None:
            found.setdefault(Feature.OWN_LISTS, own_population(name))
        if recipient.learns is not None and recipient.learns.price:
            found.setdefault(Feature.PRICE, f"recipients.{name}.learns.price")
        if known_kept_columns(recipient, keep):
            found.setdefault(Feature.KEPT, f"recipients.{name}.knows")
    if sum(len(decision_chances(recipient)) for recipient in active.values()) > MOST_RECIPIENTS:
        found[Feature.MANY] = "recipients"
    return found


def is_paper_adversary(recipient: Recipient) -> bool:
    """Return whether a recipient is the adversary of wan2015: certain, with all knowledge of all people, and a cost."""
    is_certain = recipient.probability == 1 and recipient.covers == 1 and recipient.population is None
    return is_certain and recipient.knows_all and recipient.cost != 0


def sole_paper_adversary(recipients: Mapping[str, Recipient]) -> Recipient | None:
    """Return the only recipient, if it is the paper's adversary; otherwise None."""
    active = list(active_recipients(recipients).values())
    return active[0] if len(active) == 1 and is_paper_adversary(active[0]) else None
