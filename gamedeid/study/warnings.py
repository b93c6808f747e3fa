"""What the reader of results is warned of: a kind and a sentence each, without any value of the data."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from gamedeid.amounts import number_of
from gamedeid.catalogue import sentence, sentences
from gamedeid.choices import AWARE_GAMES
from gamedeid.errors import shown
from gamedeid.results.manifest import ResultWarning, WarningKind
from gamedeid.scenario.limits import Groups

Warnings: TypeAlias = Iterable[ResultWarning | Mapping[str, str]]
"""Warnings, or their plain values."""


def answer_warnings(
    data: Mapping[str, Any],
    groups: Groups | None,
    games: Iterable[str],
    *,
    unmatched_by: Mapping[str, int] | None = None,
    applied: bool = False,
) -> tuple[ResultWarning, ...]:
    """Return the warnings of an answer: of its data, and of rules for groups that its games do not use.

    Parameters
    ----------
    data : facts of the data, as plain values.
    games : the games that the answer is of; none for policies alone.
    unmatched_by : recipient -> how many records match no one in its population, where these are safe.
    applied : whether the answer applies a finished run.
    """
    return (
        *data_warnings(data),
        *recipient_warnings(unmatched_by or {}),
        *group_warnings(groups, games, applied=applied),
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


def recipient_warnings(unmatched_by: Mapping[str, int]) -> list[ResultWarning]:
    """Return for each recipient that records match no one in its population; ``unmatched_by`` says how many."""
    return [
        ResultWarning(kind="unmatched-by-recipient", says=words)
        for name, count in unmatched_by.items()
        for words in sentences("warnings.not_found", {"count": count, "name": shown(name)})
    ]


def group_warnings(groups: Groups | None, games: Iterable[str], *, applied: bool) -> list[ResultWarning]:
    """Return that games, or a finished run that is applied, do not use the rules for groups; nothing without rules."""
    if groups is None or not groups.rules:
        return []
    unused = [game for game in games if game not in AWARE_GAMES]
    facts = {"unused": unused, "applied": applied, "rules": groups.rules, "games": unused}
    says = sentence("warnings.groups", facts)
    return [ResultWarning(kind="groups-unused", says=says)] if says else []


def warning_sentences(warnings: Warnings) -> list[str]:
    """Return the sentences of warnings, or of their plain values."""
    return [one.says if isinstance(one, ResultWarning) else one["says"] for one in warnings]


def counted_words(data: Mapping[str, Any]) -> tuple[int, str]:
    """Return how many records, or people where it is said whose each record is, measures are of, and which of them."""
    return (data["persons"]["count"], "person") if "persons" in data else (data["records"], "record")


def unmatched_words(data: Mapping[str, Any]) -> str:
    """Return how many records match no one in the population and their treatment; "" where all match."""
    records, (count, unit) = data["unmatched_records"], counted_words(data)
    facts = {
        "records": records,
        "all": number_of(count, unit),
        "share": records / count,
        "unique": data["unmatched"] == "unique",
    }
    return sentence("warnings.unmatched", facts)


def estimate_words(levels: Mapping[str, int], fraction: float | None) -> str:
    """Return the estimates about the population in words; "" where it is known.

    Parameters
    ----------
    levels : attribute -> level, of those that the population has at a level only.
    """
    known = " and ".join(f"{attribute} at level {level}" for attribute, level in levels.items())
    return sentence("warnings.estimate", {"fraction": fraction, "known": known})
