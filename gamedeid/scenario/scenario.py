"""One question, validated: which attributes, which stakes, which data, which policies."""

from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeAlias

from pydantic import Field, ValidationError, field_validator, model_validator

from gamedeid.choices import AWARE_GAMES, GAMES, OUTCOMES
from gamedeid.errors import InvalidScenarioError, did_you_mean, nearest, quoted
from gamedeid.file_identity import InputFile
from gamedeid.scenario.determination import Determination, Thresholds
from gamedeid.scenario.faults import first_fault, unknown_key
from gamedeid.scenario.limits import Limits
from gamedeid.scenario.mechanism import Mechanism
from gamedeid.scenario.recipients import Recipient, taking_part
from gamedeid.scenario.sections import (
    Attacker,
    Attribute,
    Identifiers,
    Policy,
    Population,
    Records,
    Section,
    Sources,
    Stakes,
)
from gamedeid.scenario.texts import unwritable_texts
from gamedeid.scenario.toml import override, read_content

_OPTIONAL = ("determination", "thresholds", "mechanism", "limits")
"""Sections that a scenario can do without."""

SAFE_HARBOR = "safe-harbor"
LIMITED_DATA_SET = "limited-data-set"
RAW = "raw"
GENERAL = "general"
PSEUDONYM_COLUMNS = ("person", "pseudonym")
"""Names for the release's column of pseudonyms: the first that no other column has."""
OWN = "__gamedeid_"
"""Begins the names of columns that engines add to the data for a while."""


class Scenario(Section):
    """One question.

    Parameters
    ----------
    attributes : name -> :class:`Attribute`, in the order of the strategies' levels.
    payoffs : the stakes.
    sources : where the stakes come from, in words.
    title : shown above results.
    records, population : where the data are, or only how to read frames that are handed over; without a population the
        records are their own.
    floor : the policy compared with, and the floor of the sh-friendly game.
    policy : own policies by name; ``safe-harbor`` and ``limited-data-set`` are always there.
    attacker : whose lists of named people risk is measured against, by name; ``general``, who has all, is always there.
    recipients : who may get the release, by name, each an adversary of her own; without any there is the paper's one.
    identifiers : which columns may look like identifiers and be released all the same.
    determination : what documents say of expert, recipients and validity.
    thresholds : what the residual risk is held against.
    limits : within which one strategy for each profile is chosen; None for none.

    Raises
    ------
    InvalidScenarioError : through :meth:`read` and :meth:`parse`; built directly, pydantic's ``ValidationError``.

    Examples
    --------
    >>> scenario = Scenario.parse(
    ...     {
    ...         "attributes": {"age": {"hierarchy": "age"}},
    ...         "payoffs": {"benefit": 1200, "loss": 300, "cost": 4},
    ...     }
    ... )
    >>> scenario.payoffs.benefit
    1200.0
    """

    title: str = ""
    records: Records = Records()
    population: Population | None = None
    attributes: dict[str, Attribute] = Field(min_length=1)
    payoffs: Stakes
    sources: Sources = Sources()
    floor: str = SAFE_HARBOR
    policy: dict[str, Policy] = Field(default_factory=dict)
    attacker: dict[str, Attacker] = Field(default_factory=dict)
    recipients: dict[str, Recipient] = Field(default_factory=dict)
    identifiers: Identifiers = Identifiers()
    determination: Determination | None = None
    thresholds: Thresholds | None = None
    limits: Limits | None = None
    mechanism: Mechanism | None = None
    folder: Path = Field(default=Path(), exclude=True, repr=False)
    """Folder that relative paths start from."""
    overridden: tuple[str, ...] = Field(default=(), exclude=True)
    """Dotted keys whose values were not the file's own."""
    file: InputFile | None = Field(default=None, exclude=True, repr=False)
    """The file that it was read from, as it was then."""

    @field_validator("policy")
    @classmethod
    def _names_of_their_own(cls, value: dict[str, Policy]) -> dict[str, Policy]:
        for name in value:
            games = (*GAMES, *AWARE_GAMES)
            if name in (LIMITED_DATA_SET, RAW) or name in games:
                what = "is a game" if name in games else "is built in"
                raise ValueError(f"{quoted(name)} {what}; give your policy another name")
        return value

    @field_validator("attacker")
    @classmethod
    def _attackers_of_their_own(cls, value: dict[str, Attacker]) -> dict[str, Attacker]:
        if GENERAL in value:
            raise ValueError(f"{quoted(GENERAL)} is built in; give your attacker another name")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> "Scenario":
        for fault in (
            *self._column_faults(),
            *self._age_faults(),
            *self._person_faults(),
            *self._population_faults(),
            *self._policy_faults(),
            *self._attacker_faults(),
            *self._limit_faults(),
            *self._recipient_faults(),
        ):
            raise ValueError(fault)
        return self

    def _column_faults(self) -> Iterator[str]:
        places: dict[str, str] = {}
        for place, names in (
            ("[attributes]", tuple(self.attributes)),
            ("records.keep", self.records.keep),
            ("records.drop", self.records.drop),
            ("records.person", () if self.records.person is None else (self.records.person,)),
        ):
            for name in names:
                if name in places:
                    yield f"column {quoted(name)} stands in {places[name]} and in {place}; it can have one part only"
                places[name] = place
        count = self.population.count if self.population is not None else None
        person = self.records.person
        for name in (*self.attributes, *self.records.keep, *filter(None, [person, count])):
            if name.casefold().startswith(OWN):
                yield (
                    f"column {quoted(name)} begins with {quoted(OWN)}, as columns of gamedeid's own do; "
                    "rename the one in the data"
                )
        for name in self.attributes:
            if name in ("record", *OUTCOMES):
                yield f"attributes.{name}: results have a column of this name; rename the one in the data"
        for name in self.identifiers.accept:
            if name not in self.attributes and name not in self.records.keep:
                why = "is dropped" if name in self.records.drop else "is neither an attribute nor kept"
                hint = did_you_mean(name, (*self.attributes, *self.records.keep))
                yield f"identifiers.accept speaks of {quoted(name)}, which {why}{hint}"

    def _age_faults(self) -> Iterator[str]:
        computed = [name for name, attribute in self.attributes.items() if attribute.is_computed]
        for name in computed:
            for key in ("born", "at"):
                if getattr(self.attributes[name], key) in computed:
                    yield f"attributes.{name}.{key} names an attribute that is computed itself; name a column of dates"

    def _person_faults(self) -> Iterator[str]:
        person = self.records.person
        if person is None and "pseudonyms" in self.records.model_fields_set:
            yield "records.pseudonyms stand for records.person, which names no column"
        if person is not None and self.records.pseudonyms is not False and self.pseudonym_column is None:
            yield (
                f"records.pseudonyms: the release has columns {' and '.join(map(quoted, PSEUDONYM_COLUMNS))} already; "
                "rename one of them, or set pseudonyms = false"
            )

    def _population_faults(self) -> Iterator[str]:
        if self.population is None:
            return
        for name in self.population.drop:
            if name in self.attributes or name == self.population.count:
                yield f"population.drop: {quoted(name)} is needed; it is an attribute or the count"
        for name in self.population.levels:
            if name not in self.attributes:
                hint = nearest(name, self.attributes)
                yield f"population.levels speaks of {quoted(name)}, which is no attribute{hint}"
        others = [key for key in ("path", "columns", "count", "drop", "levels") if getattr(self.population, key)]
        if self.population.sampling_fraction is not None and others:
            yield (
                f"population.{others[0]} describes a table, and sampling_fraction is for want of one; "
                "choose one of them"
            )
        if self.population.count in self.attributes:
            yield f"population.count: {quoted(self.population.count)} is an attribute; it cannot be the count too"

    def _policy_faults(self) -> Iterator[str]:
        known = (SAFE_HARBOR, LIMITED_DATA_SET, *self.policy)
        if self.floor not in known:
            yield f"floor names no policy: {quoted(self.floor)}{nearest(self.floor, known)}"
        for name, policy in self.policy.items():
            for attribute in (*policy.levels, *(key for rule in policy.rules for key in (*rule.when, *rule.levels))):
                if attribute not in self.attributes:
                    hint = nearest(attribute, self.attributes)
                    yield f"policy.{name} speaks of {quoted(attribute)}, which is no attribute{hint}"
            keys = ("census", "limit", "year", "zip_populations")
            lists = [key for key in keys if getattr(policy, key) != Policy.model_fields[key].default]
            if lists and name != SAFE_HARBOR:
                yield f"policy.{name}.{lists[0]} means something to policy.{SAFE_HARBOR} only"
            if "limit" in lists and policy.zip_populations is None:
                yield f"policy.{name}.limit needs zip_populations: the lists hold prefixes of 20,000 people or fewer"
            if "census" in lists and policy.zip_populations is not None:
                yield f"policy.{name} has both census and zip_populations; choose one"

    def _attacker_faults(self) -> Iterator[str]:
        for name, attacker in self.attacker.items():
            for attribute in (*attacker.knows, *attacker.levels):
                if attribute not in self.attributes:
                    hint = nearest(attribute, self.attributes)
                    yield f"attacker.{name} speaks of {quoted(attribute)}, which is no attribute{hint}"

    def _recipient_faults(self) -> Iterator[str]:
        if self.recipients and not taking_part(self.recipients):
            yield "recipients: none of them ever comes to be; give one a probability above 0, or leave the section out"
        for name, recipient in self.recipients.items():
            learns = recipient.learns
            known = [(name, (*(recipient.knows or ()), *recipient.levels))]
            if learns is not None:
                known.append((f"{name}.learns", (*learns.knows, *learns.levels)))
            for place, attributes in known:
                for attribute in attributes:
                    if attribute not in self.attributes:
                        hint = nearest(attribute, self.attributes)
                        yield f"recipients.{place} speaks of {quoted(attribute)}, which is no attribute{hint}"
            if learns is not None and recipient.knows_all:
                yield f"recipients.{name} knows all attributes, and has nothing to learn; give knows or levels"

    def _limit_faults(self) -> Iterator[str]:
        shared = self.limits.uniform if self.limits is not None else ()
        for name in shared if isinstance(shared, tuple) else ():
            if name not in self.attributes:
                yield f"limits.uniform speaks of {quoted(name)}, which is no attribute{nearest(name, self.attributes)}"

    @property
    def has_limits(self) -> bool:
        """Whether there are limits on the whole dataset."""
        return self.limits is not None and bool(self.limits.given())

    def refuse_limits(self, what: str) -> None:
        """Refuse limits on the whole dataset where they are not looked at.

        Parameters
        ----------
        what : what does not know of them, a singular, as the message begins.

        Raises
        ------
        InvalidScenarioError : there are limits.
        """
        if self.has_limits:
            raise InvalidScenarioError(
                f"{what} does not know of [limits] on the whole dataset; leave the section out of the scenario"
            )

    @property
    def pseudonym_column(self) -> str | None:
        """The name of the release's column of pseudonyms; None where both names for it are taken."""
        taken = {name.casefold() for name in (*self.attributes, *self.records.keep)}
        return next((name for name in PSEUDONYM_COLUMNS if name not in taken), None)

    @classmethod
    def of(cls, given: "ScenarioLike") -> "Scenario":
        """Return the scenario that was handed over, in whichever form.

        Parameters
        ----------
        given : a scenario, the path of a scenario file, or a dict with its sections; paths in a dict start from the
            current folder.

        Raises
        ------
        InvalidScenarioError : it is none of these, cannot be read, or says something that means nothing.
        """
        if isinstance(given, Scenario):
            return given
        if isinstance(given, Mapping):
            return cls.parse(given)
        if isinstance(given, str | PathLike):
            return cls.read(given)
        raise InvalidScenarioError(
            "scenario: expected a Scenario, the path of a scenario file, or a dict with its sections, not "
            f"{type(given).__name__}"
        )

    @classmethod
    def read(cls, path: str | PathLike[str], overrides: Mapping[str, Any] | None = None) -> "Scenario":
        """Read a scenario file.

        Parameters
        ----------
        path : a TOML file; paths in it start from its folder.
        overrides : dotted key -> value, laid over the file's own, such as ``{"payoffs.loss": 500}``.

        Raises
        ------
        InvalidScenarioError : the file cannot be read, or says something that means nothing.
        """
        if not isinstance(path, str | PathLike):
            raise InvalidScenarioError(
                f"scenario: expected the path of a scenario file, not {type(path).__name__}; sections in a dict are "
                "read with Scenario.parse"
            )
        path = Path(path)
        file = InputFile.at(path)
        content = read_content(path)
        for key, value in (overrides or {}).items():
            override(content, key, value)
        parsed = cls.parse(content, where=str(path), folder=path.parent, overridden=tuple(overrides or {}))
        return parsed.model_copy(update={"file": file})

    @classmethod
    def parse(
        cls,
        content: Mapping[str, Any],
        *,
        where: str = "scenario",
        folder: Path = Path(),
        overridden: tuple[str, ...] = (),
    ) -> "Scenario":
        """Validate the content of a scenario.

        Parameters
        ----------
        content : sections and keys as in a file.
        where : what messages call it.
        folder : where relative paths start from.
        overridden : dotted keys that were laid over the file's own.

        Raises
        ------
        InvalidScenarioError : one line with the first fault, its place and, for an unknown key, the nearest known one.
        """
        if not isinstance(content, Mapping):
            raise InvalidScenarioError(
                f"{where}: expected a dict with the sections of a scenario, not {type(content).__name__}; a file is "
                "read with Scenario.read"
            )
        for place, text in unwritable_texts(content):
            raise InvalidScenarioError(
                f"{where}: {quoted(place)[1:-1]}: {quoted(text)} holds a character that no text can hold; type it "
                "again, or rename the file that it names"
            )
        known = [name for name, field in cls.model_fields.items() if not field.exclude]
        for name in cls.model_fields:
            if name in content and name not in known:
                raise InvalidScenarioError(f"{where}: {unknown_key(name, name, known)}")
        try:
            return cls.model_validate({**content, "folder": folder, "overridden": overridden})
        except ValidationError as error:
            raise InvalidScenarioError(f"{where}: {first_fault(error, cls)}") from None

    def resolved(self) -> dict[str, Any]:
        """Return the scenario as plain values with every default filled in, for the manifest.

        Sections that a scenario can do without, and does, are left out: ``identifiers`` that accepts nothing,
        ``recipients``, ``determination``, ``thresholds``, ``mechanism`` and ``limits``; of the last, also keys that are
        not given.
        A file is named as the scenario names it; where that is a path from the root of this computer, by its last part.
        """
        content = self.model_dump(mode="json", exclude={"attributes": {"__all__": {"hierarchy"}}})
        for name, attribute in self.attributes.items():
            content["attributes"][name] = _resolved_attribute(attribute, content["attributes"][name])
        if self.records.person is None:
            del content["records"]["person"], content["records"]["pseudonyms"]
        for section in (content["records"], content["population"] or {}):
            if section.get("path") is not None:
                section["path"] = _relative(section["path"])
        for policy in content["policy"].values():
            if policy["zip_populations"] is not None:
                policy["zip_populations"] = _relative(policy["zip_populations"])
        if not self.identifiers.accept:
            del content["identifiers"]
        if not self.recipients:
            del content["recipients"]
        if self.limits is not None:
            content["limits"] = self.limits.model_dump(mode="json", include=set(self.limits.given())) or None
        return _without_unsaid(content)


def _without_unsaid(content: dict[str, Any]) -> dict[str, Any]:
    """Return the plain values of a scenario without the sections, and keys of recipients, that it does not have."""
    left = {name: value for name, value in content.items() if value is not None or name not in _OPTIONAL}
    if "recipients" in left:
        left["recipients"] = {
            name: {key: value for key, value in recipient.items() if value is not None}
            for name, recipient in content["recipients"].items()
        }
    return left


def _resolved_attribute(attribute: Attribute, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain values of an attribute: its hierarchy by its name, and no key of an age that is none."""
    named = attribute.hierarchy
    absent = {key for key in ("born", "at", "format") if content[key] is None}
    return {
        **{key: value for key, value in content.items() if key not in absent},
        "hierarchy": _relative(named) if isinstance(named, str) else named.name,
    }


def _relative(path: str) -> str:
    """Return a path as it is, and of one from the root of any system's files the last part only."""
    for kind in (PurePosixPath, PureWindowsPath):
        if kind(path).is_absolute():
            return kind(path).name
    return path


ScenarioLike: TypeAlias = Scenario | str | PathLike[str] | Mapping[str, Any]
"""What every public call takes for a scenario: one, the path of its file, or a dict with its sections."""
