"""One question, validated: which attributes, which stakes, which data, which policies."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import Field, ValidationError, model_validator
from pydantic.json_schema import SkipJsonSchema

from gamedeid.amounts import joined
from gamedeid.capabilities import Feature, Features, Operation, refuse_unsupported
from gamedeid.choices import GAME_PROMISES, GAMES, PLAYED_GAMES, GameName, PlayedGame
from gamedeid.errors import InvalidScenarioError, quoted, refuse_unknown
from gamedeid.extras import require
from gamedeid.file_identity import InputFile
from gamedeid.lazy_imports import registered_function
from gamedeid.scenario.contradictions import contradictions, pseudonym_column
from gamedeid.scenario.determination import Determination, Thresholds
from gamedeid.scenario.earlier import Earlier
from gamedeid.scenario.limits import Groups, Limits
from gamedeid.scenario.recipients import Recipient, own_population, recipient_features
from gamedeid.scenario.sections import (
    SAFE_HARBOR,
    Attacker,
    Attribute,
    Identifiers,
    Policy,
    Population,
    Records,
    Regions,
    Section,
    Sources,
    Stakes,
    relative,
    resolved_attribute,
)
from gamedeid.scenario.toml import first_fault, override, read_content, unknown_key, unwritable_texts

_OPTIONAL = ("recipients", "determination", "earlier", "thresholds", "groups", "limits", "regions")
"""Optional sections of a scenario."""

_PATHS = ("path", "folder", "records", "zip_populations")
"""Keys of sections for records, people, earlier releases and policies that are paths."""


def open_explorer(question: Any, *, folder: str | PathLike[str] = ".", browser: bool = True, idle: float = 15.0) -> Any:
    """Open the page of ``gamedeid explore`` on a question: change its stakes, and see the effect at once.

    The page is on this computer only, at an address with a secret key.

    Parameters
    ----------
    question : a scenario, or a study, which is not read again.
    folder : folder below which the page may save scenarios and write releases.
    browser : whether to start a browser.
    idle : minutes without a request from the page after which its server ends.

    Returns
    -------
    the server of the page: ``address`` to open, ``stop()`` to end it at once.

    Raises
    ------
    InvalidScenarioError : a question that the explorer does not support, or ``idle`` out of range.
    MissingExtraError : the packages of the page are not installed.
    OutputError : there is no such folder.
    """
    require("explore", "the explorer")
    return registered_function("explore")(question, folder=folder, browser=browser, idle=idle)


class Scenario(Section):
    """One question.

    Parameters
    ----------
    attributes : name -> :class:`Attribute`, in the order of the strategies' levels.
    payoffs : the stakes.
    sources : the sources of the stakes, in words.
    title : title of the results.
    records, population : where the data are, or only how to read given frames; without a population, the records are
        their own population.
    game : the default game; None for none.
    floor : the policy for comparison, and the floor of the sh-friendly game.
    policy : the scenario's policies by name; ``safe-harbor`` and ``limited-data-set`` always exist.
    attacker : attackers with lists of named people, against whom risk is measured, by name; ``general``, who has all
        released attributes, always exists.
    recipients : possible recipients by name, each an adversary (default: the paper's one adversary).
    identifiers : columns that may look like identifiers and are released nevertheless.
    determination : expert, recipients and validity for documents.
    thresholds : bounds for the residual risk.
    limits : limits within which one strategy for each profile is chosen; None for none.
    groups : rules of released groups in the games aware-basic and aware-no-attack; None for none.
    regions : the division of the data, for ``gamedeid regions``; None if they are not divided.
    earlier : earlier releases that the recipient has; None for none.

    Raises
    ------
    InvalidScenarioError : from :meth:`read` and :meth:`parse`; a direct call raises pydantic's ``ValidationError``.

    Examples
    --------
    >>> scenario = Scenario.parse(
    ...     {"attributes": {"age": {"hierarchy": "age"}}, "payoffs": {"benefit": 1200, "loss": 300, "cost": 4}}
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
    game: PlayedGame | None = None
    floor: str = SAFE_HARBOR
    policy: dict[str, Policy] = Field(default_factory=dict)
    attacker: dict[str, Attacker] = Field(default_factory=dict)
    recipients: dict[str, Recipient] = Field(default_factory=dict)
    identifiers: Identifiers = Identifiers()
    determination: Determination | None = None
    thresholds: Thresholds | None = None
    limits: Limits | None = None
    groups: Groups | None = None
    regions: Regions | None = None
    earlier: Earlier | None = None
    folder: SkipJsonSchema[Path] = Field(default=Path(), exclude=True, repr=False)
    """Folder that relative paths start from."""
    overridden: SkipJsonSchema[tuple[str, ...]] = Field(default=(), exclude=True)
    """Dotted keys with values that replaced those of the file."""
    file: SkipJsonSchema[InputFile | None] = Field(default=None, exclude=True, repr=False)
    """The file of the scenario, as it was when read."""

    @model_validator(mode="after")
    def _consistent(self) -> "Scenario":
        for fault in contradictions(self):
            raise ValueError(fault)
        return self

    explore = open_explorer

    @property
    def has_limits(self) -> bool:
        """Whether there are limits on the whole dataset."""
        return self.limits is not None and bool(self.limits.given())

    @property
    def table_sections(self) -> dict[str, Records | Population | None]:
        """The sections of the records, the population and the recipients' own ones, by the names of inputs."""
        own = {own_population(name): one.population for name, one in self.recipients.items()}
        return {"records": self.records, "population": self.population, **own}

    @property
    def safe_harbor(self) -> Policy:
        """The scenario's keys for the Safe Harbor policy."""
        return self.policy.get(SAFE_HARBOR, Policy())

    @property
    def zip_file(self) -> Path | None:
        """The file with the people of ZIP areas, for Safe Harbor; None if the scenario names none."""
        named = self.safe_harbor.zip_populations
        return None if named is None or named == "population" else self.folder / named

    @property
    def stored_attributes(self) -> tuple[str, ...]:
        """The attributes that are columns of the records: those that are not computed."""
        return tuple(name for name, one in self.attributes.items() if not one.is_computed)

    @property
    def date_columns(self) -> tuple[str, ...]:
        """The columns of the records from which ages are computed, each once."""
        computed = [one for one in self.attributes.values() if one.is_computed]
        return tuple(dict.fromkeys(str(name) for one in computed for name in (one.born, one.at)))

    @property
    def earlier_key(self) -> str | None:
        """The column that identifies people in earlier releases; None if there are none."""
        return None if self.earlier is None else self.earlier.key or self.records.person

    def game_to_play(self, asked: PlayedGame | None = None) -> PlayedGame:
        """Return the game ``asked`` for, or else the one that the scenario names.

        Raises
        ------
        InvalidScenarioError : neither names a game, and there is no default; or there is no such game.
        """
        played = self.game if asked is None else asked
        if played is None:
            games = joined((f"{name} ({promise})" for name, promise in GAME_PROMISES.items()), "or")
            raise InvalidScenarioError(
                f'no game is named; it is {games}: write game = "NAME" above the sections of the scenario, '
                "or give game=...",
                arguments=["game=..."],
            )
        refuse_unknown("game", played, PLAYED_GAMES)
        return played

    def game_of_records(self, asked: GameName | None = None) -> GameName:
        """Return the game ``asked`` for, or the scenario's own, if each record has its own best strategy in it.

        Raises
        ------
        InvalidScenarioError : neither names a game, or the game is one of a whole population.
        """
        played = self.game if asked is None else asked
        found = next((game for game in GAMES if game == played), None)
        if found is None:
            raise InvalidScenarioError(
                f"this is for the games {joined(GAMES, 'and')}, against a recipient who only counts matching people, "
                f"{'and no game is named' if played is None else f'not for {played}'}; name one of them with game=...",
                arguments=["game=..."],
            )
        return found

    @property
    def features(self) -> Features:
        """Features of the scenario that operations may refuse."""
        people = self.population
        found = {
            Feature.LIMITS: ("limits", self.has_limits),
            Feature.COUPLED: (
                "limits",
                self.limits is not None and self.has_limits and not self.limits.is_one_strategy,
            ),
            Feature.PERSONS: ("records.person", self.records.person is not None),
            Feature.LEVELS: ("population.levels", people is not None and any(people.levels.values())),
            Feature.SAMPLED: (
                "population.sampling_fraction",
                people is not None and people.sampling_fraction is not None,
            ),
            Feature.SELF: ("population", people is None),
            Feature.ZIPS: (
                f"policy.{SAFE_HARBOR}.zip_populations",
                any(policy.zip_populations == "population" for policy in self.policy.values()),
            ),
            Feature.REGIONS: ("regions", self.regions is not None),
            Feature.EARLIER: ("earlier", self.earlier is not None),
            Feature.SHOWN: ("records.missing", self.records.missing == "show"),
        }
        return {one: where for one, (where, there) in found.items() if there} | recipient_features(
            self.recipients, self.records.keep
        )

    @property
    def pseudonym_column(self) -> str | None:
        """The name of the release's column of pseudonyms; None if both names for it are taken."""
        return pseudonym_column(self)

    @classmethod
    def read(cls, path: str | PathLike[str], overrides: Mapping[str, Any] | None = None) -> "Scenario":
        """Read a scenario file.

        Parameters
        ----------
        path : a TOML file; paths in it start from its folder.
        overrides : dotted key -> value that replaces that of the file, such as ``{"payoffs.loss": 500}``.

        Raises
        ------
        InvalidScenarioError : the file cannot be read, or its content is invalid.
        InvalidDataError : there is no such file, and the shipped files are missing too.
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
        folder: str | PathLike[str] = Path(),
        overridden: tuple[str, ...] = (),
    ) -> "Scenario":
        """Validate the content of a scenario.

        Parameters
        ----------
        content : sections and keys as in a file.
        where : its name in messages.
        folder : folder from which relative paths start.
        overridden : dotted keys with values that replaced those of the file.

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
            fault = first_fault(error, cls)
            first = any(key in fault for key in overridden)
            raise InvalidScenarioError(f"{fault} (in {where})" if first else f"{where}: {fault}") from None

    def resolved(self) -> dict[str, Any]:
        """Return the scenario as plain values with every default filled in, for the manifest.

        The game is left out, since results name the one that was played; so are optional sections that are absent, and
        keys of ``limits`` that are not given.
        A file has its name in the scenario, or only the last part of it if that is an absolute path.
        """
        content = self.model_dump(mode="json", exclude={"game": True, "attributes": {"__all__": {"hierarchy"}}})
        for name, attribute in self.attributes.items():
            content["attributes"][name] = resolved_attribute(attribute, content["attributes"][name])
        if self.records.person is None:
            del content["records"]["person"], content["records"]["pseudonyms"]
        own = [one["population"] or {} for one in content["recipients"].values()]
        earlier = (content["earlier"] or {"releases": []})["releases"]
        for section in (content["records"], content["population"] or {}, *own, *earlier, *content["policy"].values()):
            section.update({key: relative(section[key]) for key in _PATHS if section.get(key) is not None})
        if not self.records.value_labels:
            del content["records"]["value_labels"]
        if not self.identifiers.accept:
            del content["identifiers"]
        content["recipients"] = {name: _given_values(recipient) for name, recipient in content["recipients"].items()}
        if self.limits is not None:
            given = set(self.limits.given())
            content["limits"] = self.limits.model_dump(mode="json", include=given, exclude_none=True)
        return {name: value for name, value in content.items() if value or name not in _OPTIONAL}


_OPERATION_OF_FEATURE = {
    Feature.EARLIER: Operation.AFTER_RELEASES,
    Feature.KEPT: Operation.KEPT_KNOWLEDGE,
    Feature.SHOWN: Operation.SHOWN,
    Feature.PERSONS: Operation.GROUPED_ROWS,
}
"""Feature of a scenario -> the operation by which data are prepared with it."""


def refuse_combinations(scenario: Scenario, of_rows: Features | None = None) -> None:
    """Refuse a scenario for which no data can be prepared, or none whose records have the given features."""
    features = {**scenario.features, **(of_rows or {})}
    for feature, operation in _OPERATION_OF_FEATURE.items():
        if feature in features:
            refuse_unsupported(operation, features)
    if scenario.date_columns:
        refuse_unsupported(Operation.COMPUTED_AGES, features)


def _given_values(recipient: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain values of a recipient, and of its learning, without keys that are not given."""
    return {
        key: _given_values(value) if key == "learns" else value for key, value in recipient.items() if value is not None
    }


ScenarioLike: TypeAlias = Scenario | str | PathLike[str] | Mapping[str, Any]
"""Forms of a scenario in public calls: a :class:`Scenario`, the path of its file, or a dict with its sections."""
