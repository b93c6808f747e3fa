"""Parts shared by the JSON documents of a study: manifest, stakes, policy, data, measures, and recipients."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from gamedeid.choices import GAMES, Unmatched
from gamedeid.data.persons import Persons, RepeatedKey
from gamedeid.game.policies import AppliedPolicy, CompiledPolicy
from gamedeid.reprs import frozen
from gamedeid.results.folder import FolderWriter
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Count, Dollars, Flag, Level, Mean, Number, OneOrMore, Result, Share, Text
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.scenario.scenario import Scenario
from gamedeid.scenario.sections import Population
from gamedeid.study.prepare import count_unmatched_by_recipient
from gamedeid.study.study import Study
from gamedeid.study.warnings import answer_warnings


@frozen
class Measures(Result):
    """Means and shares over the records, as in :attr:`gamedeid.Solution.measures`."""

    publisher_payoff: Amount
    adversary_payoff: Amount
    suppressed: Share
    unmodified: Share
    withheld: Share
    unmatched: Share
    generalization_intensity: Share
    attacked: Share
    reidentification_probability: Mean
    reidentification_probability_attacked: Mean
    expected_reidentifications: Number
    records: OneOrMore
    unmatched_records: Count


@frozen
class RecipientMeasures(Result):
    """One of several recipients: its probability of being present, and its share of the measures."""

    probability: Share
    attacked: Share
    expected_reidentifications: Number
    publisher_loss: Amount
    adversary_payoff: Amount


@frozen
class RecipientFacts(RecipientMeasures):
    """The same, with the records that match no one in a separate population of the recipient, if these are safe."""

    unmatched_records: Count | None = None

    @classmethod
    def by_name(cls, recipients: Mapping[str, Mapping[str, Any]]) -> dict[str, "RecipientFacts"]:
        """Return the facts of :attr:`gamedeid.Solution.recipients`."""
        return {name: cls(**found) for name, found in recipients.items()}


@frozen
class StakeFacts(Result):
    """The stakes of a scenario, dollars: those of its one recipient if there is only one."""

    benefit: Dollars
    loss: Dollars
    gain: Dollars
    cost: Dollars

    @classmethod
    def of(cls, scenario: Scenario) -> "StakeFacts":
        """Return the stakes of a scenario."""
        stakes = Payoffs.of(scenario.payoffs, scenario.recipients)
        return cls(benefit=stakes.benefit, loss=stakes.loss, gain=stakes.adversary_gain, cost=stakes.cost)


@frozen
class PolicyWords(Result):
    """A policy: its name, and attribute -> its requirement for the attribute in words."""

    name: Text
    does: Mapping[str, Text]

    @classmethod
    def of(cls, policy: AppliedPolicy | CompiledPolicy) -> "PolicyWords":
        """Return the words of a policy."""
        return cls(name=policy.name, does=policy.in_words)


@frozen
class PersonFacts(Result):
    """The facts of the persons of the records, without their keys.

    Parameters
    ----------
    count : number of people.
    with_several_records : number of people with more than one record.
    differing : attribute -> number of these with different values of it.
    pseudonyms : the column of pseudonyms in the release; None without pseudonyms.
    """

    count: OneOrMore
    with_several_records: Count
    differing: Mapping[str, Count]
    pseudonyms: Text | None

    @classmethod
    def of(cls, study: Study, persons: Persons) -> "PersonFacts":
        """Return the facts of the people of a study."""
        asked = study.scenario.records.pseudonyms
        return cls(
            count=persons.count,
            with_several_records=persons.with_several,
            differing=persons.differing,
            pseudonyms=None if asked is False else study.scenario.pseudonym_column,
        )


@frozen
class DataFacts(Result):
    """The facts of the data.

    Parameters
    ----------
    records, profiles : number of each.
    persons : the persons of the records, if the scenario names their key.
    repeated_keys : columns that repeat like a person's key, if it does not.
    population, population_rows : number of people, and of the rows read for them; None if the records are the
        population.
    population_is_the_records : whether the records are their own population.
    unmatched : treatment of records that match no one; None if the records are the population.
    unmatched_records : number of records that match no one.
    population_levels : attribute -> level, for those that the population has only at a level.
    sampling_fraction : share of the population in the records, if nothing else of it is known.
    missing_is_shown : whether the release shows which values were missing.
    unlisted : attribute -> number of records with a value in the group of unlisted values of its hierarchy.
    strategies : number of nodes of the lattice.
    """

    records: OneOrMore
    persons: PersonFacts | None = None
    profiles: Count
    repeated_keys: tuple[RepeatedKey, ...]
    population: Count
    population_rows: Count | None
    population_is_the_records: Flag
    unmatched: Unmatched | None
    unmatched_records: Count
    population_levels: Mapping[str, Level]
    sampling_fraction: Share | None
    missing_is_shown: Flag = False
    unlisted: Mapping[str, Count] = field(default_factory=dict)
    strategies: Count

    @classmethod
    def of(cls, study: Study) -> "DataFacts":
        """Return the facts of the data of a study."""
        return cls(
            records=study.records,
            persons=None if study.persons is None else PersonFacts.of(study, study.persons),
            profiles=study.instance.profiles.count,
            repeated_keys=study.repeated_keys,
            population=study.people,
            population_rows=study.population_rows,
            population_is_the_records=study.is_own_population,
            unmatched=None if study.population_rows is None else (study.scenario.population or Population()).unmatched,
            unmatched_records=study.unmatched_records,
            population_levels=study.population.known,
            sampling_fraction=study.population.sampling_fraction,
            missing_is_shown=study.scenario.records.missing == "show",
            unlisted=study.instance.profiles.unlisted,
            strategies=study.instance.lattice.size,
        )


def read_facts(study: Study) -> dict[str, Any]:
    """Return the facts of the data as plain values: ``data`` of ``summary.json`` and ``comparison.json``."""
    return DataFacts.of(study).as_dict()


def study_warnings(study: Study, games: Sequence[str] = GAMES, *, applied: bool = False) -> tuple[ResultWarning, ...]:
    """Return the warnings for the readers of games of a study; see :func:`answer_warnings`."""
    unmatched_by = count_unmatched_by_recipient(study.instance.data)
    return answer_warnings(read_facts(study), study.scenario, games, unmatched_by=unmatched_by, applied=applied)


def write_manifest(
    study: Study, folder: FolderWriter, asked: Mapping[str, object], warnings: Sequence[ResultWarning]
) -> dict[str, Any]:
    """Write ``manifest.json``, the last file of a folder of results, after a check of inputs; return its content."""
    return folder.write_manifest(**made_of(study, asked, warnings))


def made_of(study: Study, asked: Mapping[str, object], warnings: Sequence[ResultWarning]) -> dict[str, Any]:
    """Return the facts of the question of results for :func:`results.manifest.manifest`, as its arguments."""
    question = study.scenario
    content = question.resolved()
    played = [] if question.game in {None, asked.get("game", question.game)} else ["game"]
    for name in ("records", "population"):
        if name not in study.inputs.files and content[name] is not None:
            content[name]["path"] = None  # a data frame was given instead
    return {
        "scenario": {**content, **asked},
        "inputs": study.inputs,
        "overridden": tuple(dict.fromkeys([*question.overridden, *played])),
        "warnings": warnings,
    }
