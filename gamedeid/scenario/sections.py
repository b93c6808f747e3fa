"""The sections of a scenario: their keys, ranges and defaults."""

from collections.abc import Collection, Iterable, Mapping
from math import isinf
from numbers import Real
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    model_validator,
)

from gamedeid.amounts import joined
from gamedeid.choices import Missing, Role, Unmatched
from gamedeid.errors import quoted
from gamedeid.generalization.hierarchy import Hierarchy
from gamedeid.generalization.open_hierarchy import OpenHierarchy
from gamedeid.generalization.readings import ISO, DateFormats
from gamedeid.scenario.toml import first_fault

SAFE_HARBOR = "safe-harbor"
LIMITED_DATA_SET = "limited-data-set"
RAW = "raw"
GENERAL = "general"
RESERVED_PREFIX = "__gamedeid_"
"""Prefix of the names of columns that engines add to the data temporarily."""


MOST_PEOPLE = 2**62
"""A population of this many people or more cannot be counted."""


class AllowedRange(NamedTuple):
    """The permitted range of a number above 0, both ends included."""

    least: float
    most: float

    def fault(self, value: object, unit: str = "") -> str | None:
        """Return the fault of a number above 0 that is out of range; None if there is none.

        Other checks report 0, negative and infinite numbers, and values that are no number. ``unit`` is that of the
        number, such as " of dollars".
        """
        if isinstance(value, bool) or not isinstance(value, Real):
            return None
        number: Any = value  # a whole number may be too large for a float
        if not number > 0 or self.least <= number <= self.most or (isinstance(number, float) and isinf(number)):
            return None
        return f"expected a number{unit} from {self.least:g} to {self.most:g}, not {quoted(value)}"


DOLLARS = AllowedRange(1e-6, 1e12)
"""Stakes that a scenario may name: a millionth of a dollar, to more than any publisher has to lose."""

VARIED_DOLLARS = AllowedRange(1e-12, 1e18)
"""Stakes of a game: they may be multiples of any that a scenario names."""

WEIGHTS = AllowedRange(1e-6, 1e6)
"""Weights of attributes: a greater difference of two weights would not show in any payoff."""


def plain_number(value: object) -> object:
    """Refuse values that would be converted to numbers: true, and numbers in quotes."""
    if isinstance(value, bool | str):
        kind = "the text " if isinstance(value, str) else ""
        raise ValueError(f"expected a number, not {kind}{quoted(value)}")  # noqa: TRY004  (pydantic expects ValueError)
    return value


def dollars_in_bounds(value: object) -> object:
    """Refuse amounts so large or so small that their sums would be inexact; other checks judge 0."""
    if (fault := DOLLARS.fault(plain_number(value), " of dollars")) is not None:
        raise ValueError(fault)
    return value


def _weight(value: object) -> object:
    if (fault := WEIGHTS.fault(plain_number(value))) is not None:
        raise ValueError(f"{fault}; or 0")
    return value


def _read_hierarchy_key(value: object) -> object:
    if not isinstance(value, str | Path | Hierarchy | OpenHierarchy):
        raise ValueError(f"expected a shipped name, a path or a Hierarchy, not {quoted(value)}")  # noqa: TRY004
    return str(value) if isinstance(value, Path) else value


def _column(value: object) -> object:
    if value == "":
        raise ValueError("expected the name of a column, not an empty text; leave the key out where there is none")
    return value


def _pseudonyms(value: object) -> object:
    if value is True or not (value == RANDOM or isinstance(value, int)) or (isinstance(value, int) and value < 0):
        raise ValueError(f'expected a seed (0 or more), "{RANDOM}" or false, not {quoted(value)}')
    return value


def _with_empty_text(texts: tuple[str, ...]) -> tuple[str, ...]:
    return ("", *(text for text in dict.fromkeys(texts) if text))


RANDOM = "random"
"""Value for pseudonyms that cannot be derived from the scenario."""

Number: TypeAlias = Annotated[float, BeforeValidator(plain_number)]
Whole: TypeAlias = Annotated[int, BeforeValidator(plain_number)]
Level: TypeAlias = Annotated[Whole, Field(ge=0)]
Amount: TypeAlias = Annotated[Number, Field(ge=0, allow_inf_nan=False)]
Share: TypeAlias = Annotated[Number, Field(ge=0, le=1)]
PositiveShare: TypeAlias = Annotated[Number, Field(gt=0, le=1)]
Dollars: TypeAlias = Annotated[float, BeforeValidator(dollars_in_bounds), Field(gt=0, allow_inf_nan=False)]
DollarsOrNone: TypeAlias = Annotated[float, BeforeValidator(dollars_in_bounds), Field(ge=0, allow_inf_nan=False)]
Column: TypeAlias = Annotated[str, BeforeValidator(_column)]


class Section(BaseModel):
    """The base of all sections: immutable, and without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, defer_build=True)


class Records(Section):
    """The records to be released, and the meaning of their columns."""

    path: Path | None = None
    columns: tuple[str, ...] | None = Field(default=None, repr=False)
    """Names of the columns of a file that has no header."""
    drop: tuple[str, ...] = Field(default=(), repr=False)
    """Columns that are not released. Of those named like a person's key, values are counted; dates that an age is
    computed from and the key of earlier releases are used; others are not read."""
    keep: tuple[str, ...] = ()
    """Columns released unchanged."""
    person: Column | None = Field(default=None, repr=False)
    """Column whose equal values are rows of one person; without it every row is a person. It is never released."""
    pseudonyms: Annotated[bool | int | str, PlainValidator(_pseudonyms, json_schema_input_type=bool | int | str)] = 0
    """Pseudonyms of ``person`` in the release: numbers drawn by a seed, "random" ones, or none (false)."""
    missing: Missing = "error"
    missing_values: Annotated[tuple[str, ...], AfterValidator(_with_empty_text)] = ("",)
    """Values that mean a missing value, in records and population; the empty text always does."""
    encoding: str = "utf-8"
    value_labels: Mapping[str, Mapping[str, str]] = Field(default_factory=dict, repr=False)
    """Attribute or kept column -> code -> its meaning, for readers of the release; no result depends on it."""

    @property
    def may_be_missing(self) -> bool:
        """Whether a record may lack the value of an attribute."""
        return self.missing != "error"


class Population(Section):
    """The people that the adversary can look up."""

    path: Path | None = None
    columns: tuple[str, ...] | None = Field(default=None, repr=False)
    count: Column | None = None
    """Column with the number of people of each row (default: every row is one person)."""
    drop: tuple[str, ...] = Field(default=(), repr=False)
    most_people: Annotated[Whole, Field(ge=1)] = 1_000_000_000
    """Most people in the count column; more are probably weights, and refused."""
    unmatched: Unmatched = "error"
    levels: dict[str, Level] = {}
    """Attributes that the table has only at a level, such as ``{ birth_date = 1 }``: finer counts are estimates."""
    sampling_fraction: Annotated[Number, Field(gt=0, lt=1)] | None = None
    """Share of a population in the records, a random sample of it, if no population is given."""
    encoding: str = "utf-8"


class Attribute(Section):
    """One quasi-identifier: its hierarchy and its weight in the information loss."""

    hierarchy: Annotated[
        str | Hierarchy | OpenHierarchy, PlainValidator(_read_hierarchy_key, json_schema_input_type=str)
    ]
    """A shipped name, a path to a .toml or .csv file, a Hierarchy, or an OpenHierarchy."""
    weight: Annotated[float, BeforeValidator(_weight), Field(ge=0, allow_inf_nan=False)] = 1.0
    role: Role | None = None
    """The rule of Safe Harbor that applies to it (default: the hierarchy's)."""
    safe_harbor: Level | None = None
    """Least level that Safe Harbor permits (default: by the role)."""
    born: Column | None = Field(default=None, repr=False)
    """Column of the records with dates of birth: the attribute is the age, in whole years, at the date in ``at``."""
    at: Column | None = Field(default=None, repr=False)
    """Column of the records with the dates at which the age is taken."""
    format: str | tuple[str, ...] | None = None
    """Form of both dates, as in hierarchies of dates (default: ``YYYY-MM-DD``)."""

    def stated_role(self, hierarchy: Hierarchy | OpenHierarchy) -> Role | None:
        """Return the role that the scenario or else the attribute's ``hierarchy`` states."""
        return self.role or hierarchy.role

    @property
    def is_computed(self) -> bool:
        """Whether the attribute is no column of the records, but computed from two."""
        return self.born is not None

    @property
    def formats(self) -> tuple[str, ...]:
        """The forms of its dates."""
        given = self.format or ISO
        return (given,) if isinstance(given, str) else given

    @model_validator(mode="after")
    def _both_dates(self) -> "Attribute":
        if (self.born is None) != (self.at is None):
            raise ValueError("an age needs both dates: born, the column of birth, and at, the column of the other")
        if self.format is not None and not self.is_computed:
            raise ValueError("format is for the dates of an age, and born names no column")
        if self.is_computed and not DateFormats(texts=self.formats).has_days:
            raise ValueError(f"format {quoted(joined(self.formats, 'or'))} has no days, and an age needs them")
        return self


class Stakes(Section):
    """The payoffs of one record, in dollars."""

    benefit: Dollars
    loss: Dollars
    cost: Dollars
    gain: Dollars | None = None


CASE_STUDY = {"benefit": 1200, "loss": 300, "cost": 4}
"""The stakes of the case study of wan2015, dollars."""

UNSOURCED = "not yet sourced"
"""Beginning of the text for a stake whose source is not yet given: it counts as no source."""


class Sources(Section):
    """The source of each stake, in a sentence or two for the readers of the report."""

    benefit: str = ""
    loss: str = ""
    cost: str = ""
    gain: str = ""


class Between(Section):
    """Whole-number leaf values from ``min`` to ``max``, both included, either left open."""

    min: Annotated[int | None, BeforeValidator(plain_number)] = None
    max: Annotated[int | None, BeforeValidator(plain_number)] = None

    @model_validator(mode="after")
    def _not_empty(self) -> "Between":
        if self.min is None and self.max is None:
            raise ValueError("needs min, max or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min {self.min} is above max {self.max}")
        return self


Condition: TypeAlias = Between | tuple[str | int, ...]
"""A condition on a leaf value: between two numbers, or one of a list."""


def _condition(value: object) -> Condition:
    if isinstance(value, Between):
        return value
    if isinstance(value, Mapping):
        try:
            return Between.model_validate(dict(value))
        except ValidationError as error:
            raise ValueError(first_fault(error, Between)) from None
    if isinstance(value, list | tuple) and value and all(type(one) in (str, int) for one in value):
        return tuple(value)
    raise ValueError(f"expected a list of values, or min, max or both, not {quoted(value)}")


def _plain(condition: Condition) -> object:
    return condition.model_dump() if isinstance(condition, Between) else list(condition)


class PolicyRule(Section):
    """Raise the least levels of records whose leaf values meet every condition."""

    when: dict[
        str, Annotated[Condition, PlainValidator(_condition, json_schema_input_type=Condition), PlainSerializer(_plain)]
    ] = Field(min_length=1)
    levels: dict[str, Level] = Field(min_length=1)


def _texts(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Identifiers(Section):
    """Findings of identifiers that do not prevent the release of a column."""

    accept: dict[
        str,
        Annotated[
            tuple[str, ...], BeforeValidator(_texts, json_schema_input_type=str | tuple[str, ...]), Field(min_length=1)
        ],
    ] = {}
    """Column -> the kinds of identifiers that it may look like, such as ``{ ward_phone = "telephone numbers" }``."""


class Policy(Section):
    """A rule from profile to the least general strategy permitted."""

    levels: dict[str, Level] = {}
    """Least level of each attribute (default: 0)."""
    rules: tuple[PolicyRule, ...] = ()
    census: Literal["2000", "2010", "2020"] = "2020"
    """Safe Harbor: which list of restricted three-digit ZIP prefixes."""
    zip_populations: str | None = None
    """Safe Harbor: "population" (sum the scenario's own) or a CSV with columns zip3 and pop, instead of the list."""
    year: Annotated[Whole, Field(ge=1900, le=2200)] | None = None
    """Safe Harbor: the year of the release, which decides the years of dates that mean an age of 90 or over."""
    limit: Level = 20_000
    """Safe Harbor: prefixes of this many people or fewer are restricted."""


def refuse_known_twice(knows: Iterable[str], levels: Collection[str]) -> None:
    """Refuse attributes that are known both in full detail and at a level."""
    for attribute in knows:
        if attribute in levels:
            raise ValueError(f"{quoted(attribute)} is in knows and in levels; choose one")


class Attacker(Section):
    """An attacker with a list of named people: its attributes, its price and the people that it covers."""

    knows: tuple[str, ...] = ()
    """Attributes that the list has in full detail."""
    levels: dict[str, Level] = {}
    """Attributes that the list has only at a level, such as ``{ zip = 2 }``; it has no others."""
    price: Dollars | None = None
    covers: PositiveShare = 1.0
    """Share of the population on the list."""

    @model_validator(mode="after")
    def _check_knowledge(self) -> "Attacker":
        if not self.knows and not self.levels:
            raise ValueError("needs knows, levels or both: a list without attributes distinguishes no people")
        refuse_known_twice(self.knows, self.levels)
        return self


class Regions(Section):
    """The division into regions: each pair of Parquet files of records and population with one name is a region."""

    attribute: str
    """The attribute in which regions differ."""
    level: Level
    """Level of its hierarchy at which no two regions share a group."""


def resolved_attribute(attribute: Attribute, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain values of an attribute: the name of its hierarchy, and keys of ages only if it is computed."""
    named = attribute.hierarchy
    absent = {key for key in ("born", "at", "format") if content[key] is None}
    return {
        **{key: value for key, value in content.items() if key not in absent},
        "hierarchy": relative(named) if isinstance(named, str) else named.name,
    }


def relative(path: str) -> str:
    """Return a relative path unchanged, and the last part only of an absolute one of any system."""
    for kind in (PurePosixPath, PureWindowsPath):
        if kind(path).is_absolute():
            return kind(path).name
    return path
