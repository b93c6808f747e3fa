"""Warnings for the readers of results: a kind and a sentence each, without any value of the data."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from gamedeid.amounts import number_of
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.errors import shown
from gamedeid.results.manifest import ResultWarning, WarningKind
from gamedeid.scenario.limits import Groups, Limits
from gamedeid.scenario.scenario import Scenario

Warnings: TypeAlias = Iterable[ResultWarning | Mapping[str, str]]
"""Warnings, or their plain values."""


def answer_warnings(
    data: Mapping[str, Any],
    scenario: Scenario,
    games: Sequence[str],
    *,
    unmatched_by: Mapping[str, int] | None = None,
    applied: bool = False,
) -> tuple[ResultWarning, ...]:
    """Return the warnings of an answer: those of its data and of its games.

    Parameters
    ----------
    data : facts of the data, as plain values.
    games : the games of the answer; empty for policies alone.
    unmatched_by : recipient -> how many records match no one in its population, if these are safe.
    applied : whether the answer applies a finished run.
    """
    return (
        *data_warnings(data),
        *recipient_warnings(unmatched_by or {}, data),
        *game_warnings(scenario, games, own=data["population_is_the_records"], applied=applied),
    )


def data_warnings(data: Mapping[str, Any]) -> list[ResultWarning]:
    """Return the warnings of the data alone: rows counted as people, records that match no one, estimates, gaps."""
    own = data.get("population_is_the_records", False) or data["sampling_fraction"] is not None
    missing = {"shown": data.get("missing_is_shown", False), "own": own}
    found: dict[WarningKind, Iterable[str]] = {
        "rows-as-people": [words for key in data["repeated_keys"] for words in sentences("warnings.repeated_key", key)],
        "unmatched": [unmatched_words(data)],
        "estimate": [estimate_words(data["population_levels"], data["sampling_fraction"])],
        "missing-shown": sentences("warnings.missing_shown", missing),
        "unlisted": [
            sentence("warnings.unlisted", {"column": column, "count": count, "rows": data["records"]})
            for column, count in data.get("unlisted", {}).items()
        ],
    }
    return [ResultWarning(kind=kind, says=words) for kind, several in found.items() for words in several if words]


def recipient_warnings(unmatched_by: Mapping[str, int], data: Mapping[str, Any]) -> list[ResultWarning]:
    """Return a warning for each recipient in whose population records of ``data`` match no one, by their number."""
    unit = counted_words(data)[1]
    return [
        ResultWarning(kind="unmatched-by-recipient", says=words)
        for name, count in unmatched_by.items()
        for words in sentences(
            "warnings.not_found", {"count": count, "units": number_of(count, unit), "name": shown(name)}
        )
    ]


def game_warnings(scenario: Scenario, games: Sequence[str], *, own: bool, applied: bool = False) -> list[ResultWarning]:
    """Return warnings of facts that games, or an applied finished run, ignore, and of what their strategies disclose.

    ``own`` says whether the records are their own population.
    """
    groups, limits = scenario.groups or Groups(), scenario.limits or Limits()
    aware, others = ([game for game in games if game in names] for names in (AWARE_GAMES, GAMES))
    unused = [game for game in games if game not in AWARE_GAMES]
    rules = {"unused": groups.rules and unused, "applied": groups.rules and applied, "rules": groups.rules}
    of_group = {limits.groups.column} if limits.groups is not None else set()
    columns = [*groups.kept] if aware else sorted(of_group & {*scenario.records.keep})
    by_records = bool(groups.rules) or groups.planned_for == "records" if aware else limits.is_one_strategy
    choice = {
        "by_records": [] if own or not by_records else aware or others,
        "by_kept": columns and (aware or others),
        "columns": columns,
    }
    found: dict[WarningKind, list[str]] = {
        "groups-unused": sentences("warnings.groups", {**rules, "games": unused})[:1],
        "telling-choice": sentences("warnings.choice", choice),
    }
    return [ResultWarning(kind=kind, says=words) for kind, several in found.items() for words in several]


def warning_sentences(warnings: Warnings) -> list[str]:
    """Return the sentences of warnings, or of their plain values."""
    return [one.says if isinstance(one, ResultWarning) else one["says"] for one in warnings]


def counted_words(data: Mapping[str, Any]) -> tuple[int, str]:
    """Return the number of units that measures describe, and the unit: people if persons are named, else records."""
    return (data["persons"]["count"], "person") if "persons" in data else (data["records"], "record")


def unmatched_words(data: Mapping[str, Any]) -> str:
    """Return how many records match no one in the population, and their treatment, in words; "" if all match."""
    records, (count, unit) = data["unmatched_records"], counted_words(data)
    facts = {
        "records": records,
        "all": number_of(count, unit),
        "share": records / count,
        "unique": data["unmatched"] == "unique",
    }
    return sentence("warnings.unmatched", facts)


def estimate_words(levels: Mapping[str, int], fraction: float | None) -> str:
    """Return the estimates about the population in words, by the attributes that it has only at a level; "" if none."""
    known = " and ".join(f"{attribute} at level {level}" for attribute, level in levels.items())
    return sentence("warnings.estimate", {"fraction": fraction, "known": known})
