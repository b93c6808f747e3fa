"""A run in sentences: data, question and its kind, answer, method, stakes and limitations."""

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

from gamedeid.amounts import exact_percent, joined, number, number_of, percent, range_words
from gamedeid.capabilities import MOST_RECIPIENTS
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.choices import AWARE_GAMES, AwareGameName
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.words.limits import proof_words
from gamedeid.report.words.measures import games_words
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import TIE, Payoffs
from gamedeid.scenario.recipients import recipient_features
from gamedeid.scenario.scenario import Scenario
from gamedeid.study.warnings import counted_words


@frozen
class QuestionKind:
    """The kind of a question: conditions of the sentences about a run.

    Parameters
    ----------
    limits : whether there are limits on the whole dataset, so that the strategy of a record depends on the others'.
    recipients : whether there are recipients other than the paper's one adversary.
    aware : the game against a recipient who knows the mechanism, with strategies for the whole population; None if
        the game is another one.
    """

    limits: bool
    recipients: bool
    aware: AwareGameName | None


PLAIN = QuestionKind(limits=False, recipients=False, aware=None)
"""The kind of the paper's question."""


def question_kind(summary: Mapping[str, Any]) -> QuestionKind:
    """Return the kind of a run's question."""
    return QuestionKind(
        limits="limits" in summary,
        recipients="recipients" in summary,
        aware=next((game for game in AWARE_GAMES if game == summary["game"]), None),
    )


def run_facts(
    summary: Mapping[str, Any], undeterred: Sequence[str], looks_up_records: str = "the recipient"
) -> dict[str, Any]:
    """Return the conditions and fields of the sentences about a run.

    Parameters
    ----------
    undeterred : recipients whom no cost deters.
    looks_up_records : who looks people up among the records, if these are their own population.
    """
    kind, search = question_kind(summary), summary["search"]
    unmet, free = summary.get("limits", {}).get("unmet_in", ()), joined(undeterred, "and")
    proved = is_proved(search, summary["payoffs"]["benefit"])
    return {
        **_question_facts(summary, kind),
        "who": "any of the recipients" if kind.recipients else "the recipient",
        "looks_up_records": capitalized(looks_up_records),
        "undeterred": bool(undeterred),
        "names": free,
        "apart": f", apart from {free}" if free else "",
        "most_recipients": MOST_RECIPIENTS,
        "unmet": unmet,
        "unmet_games": capitalized(games_words(unmet)),
        "proved": proved,
        "exact": search["proved"],
        "found": "" if proved else " found",
        "is_proved": "It is proved" if proved else "It is not proved",
        "solver": search["solver"],
        "found_by": "" if proved else f"found by {search['solver']} ",
        "how": catalogue("run")["solvers"][search["solver"]],
        "proof": proof_words(summary["limits"]) if kind.limits else "",
        "searched": search["searched"],
        "strategies": summary["data"]["strategies"],
        **_measure_facts(summary),
        **_stake_facts(summary, kind),
        **_robust(summary),
    }


def _question_facts(summary: Mapping[str, Any], kind: QuestionKind) -> dict[str, Any]:
    """Return the kind of the question, the game, and the people whom the recipient can look up."""
    game, data, asked = summary["game"], summary["data"], summary.get("limits", {}).get("asked", ())
    own = data.get("population_is_the_records", False)
    return {
        "limited": kind.limits,
        "recipients": kind.recipients,
        "aware": kind.aware,
        "persons": "persons" in data,
        "earlier": "earlier" in summary,
        "own": own,
        "sampled": data["sampling_fraction"] is not None,
        "looked_up": "the records" if own else "the population",
        **{name.replace("-", "_"): name == game for name in ("basic", "no-attack", "sh-friendly")},
        **{name.replace("-", "_"): name == kind.aware for name in ("aware-basic", "aware-no-attack")},
        "both_aware": set(AWARE_GAMES) <= summary["policies"].keys(),
        "expectation_limited": bool({"expected_reidentifications", "list_price"} & set(asked)),
        "aware_known": not isinstance(summary["policies"][game]["aware"], str),
    }


def _measure_facts(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measures of the run, and those of the policy."""
    found, policy = summary["measures"], summary["policy"]["name"]
    other, withheld, unmodified = summary["policies"][policy], float(found["withheld"]), found["unmodified"]
    return {
        "policy": policy_words(policy),
        "the_policy": capitalized(policy_words(policy)),
        "records": _records(summary),
        "all_counted": number_of(*counted_words(summary["data"])),
        "all_withheld": withheld == 1,
        "some_withheld": 0 < withheld < 1,
        "none_withheld": withheld == 0,
        "share_withheld": capitalized(share_words(withheld)),
        "unmodified": f"{capitalized(share_words(unmodified))} {'is' if unmodified in {0, 1} else 'are'}",
        "other_unmodified": share_words(other["unmodified"]),
        "attacked": share_words(found["attacked"]),
        "other_attacked": share_words(other["attacked"]),
        "people": _people(found["expected_reidentifications"]),
        "other_people": _people(other["expected_reidentifications"]),
        "mean": found["publisher_payoff"],
        "mean_of_released": found["publisher_payoff"] / (1 - withheld) if withheld < 1 else 0.0,
        "other_mean": other["publisher_payoff"],
    }


def _stake_facts(summary: Mapping[str, Any], kind: QuestionKind) -> dict[str, Any]:
    """Return the stakes, and how many people make an attack pay."""
    payoffs, asked = summary["payoffs"], summary.get("limits", {}).get("asked", ())
    dollars_too = ["those of each recipient"] if kind.recipients else []
    dollars_too += [f"the limit {name}" for name in ("list_price", "publisher_payoff") if name in asked]
    largest = Payoffs(**payoffs).attack_limit
    return {
        "payoffs": payoffs,
        "dollars_too": joined(dollars_too, "and"),
        "profitable": largest,
        "matching": "1 person matches" if largest == 1 else f"1 to {largest:,} people match",
    }


def run_words(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sentences about a run, by their names in a report."""
    one = ("question", "search", "method", "ratios", "robust", "sensitivity_words")
    return {
        **{name: sentence(f"run.{name}", facts) for name in one},
        **{name: sentences(f"run.{name}", facts) for name in ("answer", "games_notes", "formulas")},
        "withheld": sentence("run.withheld", facts) if facts["all_withheld"] else "",
        "rules": " ".join(sentences("run.rules", facts)),
        "attack_words": " ".join(sentences("run.attacks", facts)),
        "limits": [_heading_apart(words) for words in sentences("run.limitations", facts)],
    }


def known_earlier_words(scenario: Scenario) -> list[str]:
    """Return a sentence on the earlier releases that all figures of a question count; empty if there are none."""
    facts = {"releases": 0 if scenario.earlier is None else len(scenario.earlier.releases)}
    return sentences("earlier.known", {**facts, "who": _who_has(several=bool(recipient_features(scenario.recipients)))})


def _who_has(*, several: bool) -> str:
    return "Each recipient" if several else "The recipient"


def earlier_words(summary: Mapping[str, Any]) -> list[str]:
    """Return sentences on people in the earlier releases, and on the cost of these; empty if there are none."""
    found = summary.get("earlier")
    if found is None:
        return []
    unit, cost = counted_words(summary["data"])[1], found["cost"] or {}
    counts = {f"units_{name}": number_of(one, unit) for name, one in {**found, **cost}.items() if isinstance(one, int)}
    own, persons = summary["data"]["population_is_the_records"], unit == "person"
    facts = {**found, **cost, **counts, "unit": unit, "persons": persons, "own": own, "costed": bool(cost)}
    several = question_kind(summary).recipients
    facts |= {"recipients": several, "who": _who_has(several=several)}
    changes = sentences("earlier.change", facts) if cost else []
    paid = [cost.get(key, 0.0) for key in ("publisher_payoff", "publisher_payoff_without")]
    facts["free"] = not changes and isclose(*paid, rel_tol=TIE)
    return sentences("earlier.earlier", {**facts, "changes": changes})


def _heading_apart(words: str) -> tuple[str, str]:
    """Return the first sentence of a text, and the others."""
    heading, _, follows = words.partition(". ")
    return f"{heading}.", follows


def share_words(share: float) -> str:
    """Return a share of the records in a sentence."""
    return {0.0: "no record", 1.0: "every record"}.get(share) or f"{percent(share)} of the records"


def _records(summary: Mapping[str, Any]) -> str:
    records = summary["measures"]["records"]
    if "persons" in summary["data"]:
        return f"the records of {number_of(*counted_words(summary['data']))}"
    return f"each of {records:,} records about people" if records != 1 else "one record"


def _people(expected: float) -> str:
    words = number(expected, 1)
    if not expected:
        return "no re-identification"
    return f"fewer than {words[1:]} re-identifications" if words[0] == "<" else f"about {words} re-identifications"


def _robust(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the robust ranges of each stake alone, if computed."""
    robustness = summary.get("robustness")
    if not robustness:
        return {"robust": False, "share": "", "ranges": "", "follows": ""}
    ranges = []
    for name, one in robustness["ranges"].items():
        words = range_words(one["keeps"], one["chosen"], one["keeps_open"])
        ranges.append(f"the {name} {'has any value' if words == 'any' else f'is {words}'}")
    follows = "" if "gain" in robustness["ranges"] else ", and the gain with the loss"
    share = exact_percent(robustness["share"])
    return {"robust": True, "share": share, "ranges": joined(ranges, "and"), "follows": follows}


def data_words(data: Mapping[str, Any]) -> str:
    """Return the facts of a run's data, in one line.

    Examples
    --------
    >>> data_words({"records": 1, "profiles": 1, "population": 5, "population_rows": 3})
    '1 record, 1 profile; population 5 people in 3 rows'
    """
    return sentence("data.read", _data_facts(data))


def person_words(data: Mapping[str, Any]) -> list[str]:
    """Return sentences on several records of one person; empty if every record is a person."""
    return sentences("data.persons", _data_facts(data))


def is_proved(search: Mapping[str, Any], benefit: float) -> bool:
    """Return whether no other strategies pay more: the solver proves it, or the bounds on its answer leave no gap.

    Parameters
    ----------
    search : ``proved`` and ``gap`` of a search, as in ``summary.json``.
    benefit : V, dollars: payoffs that differ by less than a billionth of it are the same.
    """
    return bool(search["proved"] or search["gap"] <= TIE * benefit)


def is_estimated(data: Mapping[str, Any]) -> bool:
    """Return whether the numbers of matching people are estimates."""
    return bool(data["population_levels"]) or data["sampling_fraction"] is not None


def _data_facts(data: Mapping[str, Any]) -> dict[str, Any]:
    persons = data.get("persons")
    differing = persons["differing"] if persons else {}
    return {
        **data,
        "own": data.get("population_is_the_records"),
        "sampled": data.get("sampling_fraction") is not None,
        "persons": persons is not None,
        "pseudonyms": persons and persons["pseudonyms"],
        "of": f" of {number_of(persons['count'], 'person')}" if persons else "",
        "who": "these people" if persons else "the records",
        "differing": ", ".join(f"{name} ({number_of(count, 'person')})" for name, count in differing.items() if count),
    }
