"""One question, validated: which attributes, which stakes, which data, which policies."""

import tomllib
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from gamedeid.choices import Missing, Unmatched
from gamedeid.errors import InvalidScenarioError, did_you_mean, quoted
from gamedeid.hierarchy import Hierarchy, Role

Dollars: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]

SAFE_HARBOR = "safe-harbor"
LIMITED_DATA_SET = "limited-data-set"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Records(_Section):
    """Which records are to be released, and what else is known of their columns."""

    path: Path | None = None
    columns: tuple[str, ...] | None = None
    """Names of the columns of a file that has no header."""
    drop: tuple[str, ...] = ()
    """Columns that must not leave: they are never read beyond the header."""
    keep: tuple[str, ...] = ()
    """Columns released as they are."""
    missing: Missing = "error"
    missing_values: tuple[str, ...] = ("",)
    """Texts that stand for a missing value in a file."""
    encoding: str = "utf-8"


class Population(_Section):
    """Whom the adversary can look up."""

    path: Path | None = None
    columns: tuple[str, ...] | None = None
    count: str | None = None
    """Column that says how many people a row stands for; without it every row is one person."""
    drop: tuple[str, ...] = ()
    unmatched: Unmatched = "error"
    encoding: str = "utf-8"


class Attribute(_Section):
    """One quasi-identifier: its ladder and what losing its detail weighs."""

    hierarchy: str | Hierarchy
    """A shipped name, a path to a .toml or .csv file, or a Hierarchy."""
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    role: Role | None = None
    """What Safe Harbor should see in it; the hierarchy's own role unless given."""
    safe_harbor: int | None = Field(default=None, ge=0)
    """Least level that Safe Harbor permits, instead of what the role says."""


class Stakes(_Section):
    """The payoffs of one record, in dollars."""

    benefit: Dollars
    loss: Dollars
    cost: Dollars
    gain: Dollars | None = None


class Range(_Section):
    """Whole-number leaf values from ``min`` to ``max``, both included, either left open."""

    min: int | None = None
    max: int | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> "Range":
        if self.min is None and self.max is None:
            raise ValueError("needs min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}")
        return self


class Rule(_Section):
    """Raise the least levels of records whose leaf values meet every condition."""

    when: dict[str, Range | tuple[str | int, ...]]
    levels: dict[str, Annotated[int, Field(ge=0)]]


class Policy(_Section):
    """A rule from profile to the least general strategy permitted."""

    levels: dict[str, Annotated[int, Field(ge=0)]] = {}
    """Least level of each attribute; 0 unless given."""
    rules: tuple[Rule, ...] = ()
    census: Literal["2000", "2010"] = "2010"
    """Safe Harbor: which list of restricted three-digit ZIP prefixes."""
    zip_populations: str | None = None
    """Safe Harbor: "population" (sum the scenario's own) or a CSV with columns zip3 and pop, instead of the list."""
    limit: int = Field(default=20_000, ge=0)
    """Safe Harbor: prefixes of this many people or fewer are restricted."""


class Scenario(_Section):
    """One question.

    Parameters
    ----------
    attributes : name -> :class:`Attribute`, in the order of the strategies' levels.
    payoffs : the stakes.
    title : shown above results.
    records, population : where the data are, or only how to read frames that are handed over; without a population the
        records are their own.
    floor : the policy compared with, and the floor of the sh-friendly game.
    policy : own policies by name; ``safe-harbor`` and ``limited-data-set`` are always there.

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
    floor: str = SAFE_HARBOR
    policy: dict[str, Policy] = {}
    folder: Path = Field(default=Path(), exclude=True)
    """Folder that relative paths start from."""

    @field_validator("policy")
    @classmethod
    def _no_copy_of_limited_data_set(cls, value: dict[str, Policy]) -> dict[str, Policy]:
        if LIMITED_DATA_SET in value:
            raise ValueError(f"{quoted(LIMITED_DATA_SET)} is built in; give your policy another name")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> "Scenario":
        places: dict[str, str] = {}
        for place, names in (
            ("[attributes]", tuple(self.attributes)),
            ("records.keep", self.records.keep),
            ("records.drop", self.records.drop),
        ):
            for name in names:
                if name in places:
                    raise ValueError(
                        f"column {quoted(name)} stands in {places[name]} and in {place}; it can have one part only"
                    )
                places[name] = place
        known = (SAFE_HARBOR, LIMITED_DATA_SET, *self.policy)
        if self.floor not in known:
            raise ValueError(f"floor names no policy: {quoted(self.floor)}{_nearest(self.floor, known)}")
        for name, policy in self.policy.items():
            used = [*policy.levels, *(key for rule in policy.rules for key in (*rule.when, *rule.levels))]
            for attribute in used:
                if attribute not in self.attributes:
                    raise ValueError(
                        f"policy.{name} speaks of {quoted(attribute)}, which is no attribute"
                        + _nearest(attribute, self.attributes)
                    )
        return self

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
        path = Path(path)
        try:
            content = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise InvalidScenarioError(f"{path}: no such scenario file") from None
        except IsADirectoryError:
            raise InvalidScenarioError(f"{path}: is a folder; a scenario is one TOML file") from None
        except OSError as error:
            raise InvalidScenarioError(f"{path}: cannot be read ({error.strerror})") from None
        except UnicodeDecodeError as error:
            raise InvalidScenarioError(f"{path}: is not UTF-8 text (byte {error.start})") from None
        except tomllib.TOMLDecodeError as error:
            raise InvalidScenarioError(f"{path}: is not valid TOML: {_one_line(error)}") from None
        for key, value in (overrides or {}).items():
            _override(content, key, value)
        return cls.parse(content, where=str(path), folder=path.parent)

    @classmethod
    def parse(cls, content: Mapping[str, Any], *, where: str = "scenario", folder: Path = Path()) -> "Scenario":
        """Validate the content of a scenario.

        Raises
        ------
        InvalidScenarioError : one line with the first fault, its place and, for an unknown key, the nearest known one.
        """
        try:
            return cls.model_validate({**content, "folder": folder})
        except ValidationError as error:
            raise InvalidScenarioError(f"{where}: {_first_fault(error)}") from None

    def resolved(self) -> dict[str, Any]:
        """Return the scenario as plain values with every default filled in, for the manifest."""
        content = self.model_dump(mode="json", exclude={"attributes": {"__all__": {"hierarchy"}}})
        for name, attribute in self.attributes.items():
            named = attribute.hierarchy
            content["attributes"][name]["hierarchy"] = named.name if isinstance(named, Hierarchy) else named
        return content


def override_value(text: str) -> tuple[str, Any]:
    """Return (dotted key, value) of ``key=value``; the value is read as TOML, and as plain text where it is none.

    Raises
    ------
    InvalidScenarioError : there is no ``=`` or no key.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise InvalidScenarioError(f"--set takes KEY=VALUE, such as payoffs.loss=500, not {quoted(text)}")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _override(content: dict[str, Any], key: str, value: object) -> None:
    *path, last = key.split(".")
    place: Any = content
    for part in path:
        place = place.setdefault(part, {})
        if not isinstance(place, dict):
            raise InvalidScenarioError(f"--set {key}: {quoted(part)} is a value, not a section")
    place[last] = value


def _first_fault(error: ValidationError) -> str:
    faults = error.errors(include_url=False)
    unknown = [fault for fault in faults if fault["type"] == "extra_forbidden"]
    fault = (unknown or faults)[0]
    place = ".".join(
        str(part) for part in fault["loc"] if part not in ("Range", "tuple", "str", "is-instance[Hierarchy]")
    )
    if fault["type"] == "extra_forbidden":
        name = str(fault["loc"][-1])
        known = _known_keys(fault["loc"])
        return f"unknown key {quoted(place)}{_nearest(name, known)}"
    if fault["type"] == "missing":
        return f"{quoted(place)} is required"
    if fault["type"] == "value_error":
        text = str(fault["ctx"]["error"]) if "ctx" in fault else fault["msg"]
        return f"{place}: {text}" if place else text
    return f"{place}: {_lowered(fault['msg'])}, not {quoted(fault['input'])}"


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    model: Any = Scenario
    for part in location[:-1]:
        if isinstance(model, type) and issubclass(model, BaseModel):
            field = model.model_fields.get(str(part))
            model = _model_in(field.annotation) if field is not None else model
    return [name for name in model.model_fields if name != "folder"] if model is not None else []


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        found = _model_in(part)
        if found is not None:
            return found
    return None


def _nearest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return did_you_mean(name, names) or f"; known: {', '.join(names)}"


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
