"""A run in sentences: the question, the answer, the game and its method, the stakes, and the limitations."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import exact_percent, joined, number, number_of, percent, range_words
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.pictures.words import capital, policy_words
from gamedeid.report.question_kind import kind_of
from gamedeid.report.words.limits import proof_words
from gamedeid.report.words.measures import games_words
from gamedeid.scenario.payoffs import Payoffs
from gamedeid.study.warnings import counted


def run_facts(summary: Mapping[str, Any], undeterred: Sequence[str] = ()) -> dict[str, Any]:
    """Return the conditions and fields of the sentences about a run."""
    kind, search, found, payoffs = kind_of(summary), summary["search"], summary["measures"], summary["payoffs"]
    policy, game, withheld = summary["policy"]["name"], summary["game"], float(summary["measures"]["withheld"])
    other, asked, robust = summary["policies"][policy], summary.get("limits", {}).get("asked", ()), _robust(summary)
    unmet, free = summary.get("limits", {}).get("unmet_in", ()), joined(undeterred, "and") if undeterred else ""
    largest = Payoffs(**payoffs).attack_limit
    dollars_too = ["those of each recipient"] if kind.recipients else []
    dollars_too += [f"the limit {name}" for name in ("list_price", "publisher_payoff") if name in asked]
    return {
        # the kind of the question, and the game
        "limited": kind.limits,
        "recipients": kind.recipients,
        "aware": kind.aware,
        "plain": kind.is_plain,
        "persons": "persons" in summary["data"],
        **{name.replace("-", "_"): name == game for name in ("basic", "no-attack", "sh-friendly")},
        **{name.replace("-", "_"): name == kind.aware for name in ("aware-basic", "aware-no-attack")},
        "risk_taken": game in {"basic", "aware-basic"},
        "expectation_limited": bool({"expected_reidentifications", "list_price"} & set(asked)),
        "aware_known": not isinstance(summary["policies"][game]["aware"], str),
        # the policy and the recipients
        "policy": policy_words(policy),
        "the_policy": capital(policy_words(policy)),
        "who": "any of the recipients" if kind.recipients else "the recipient",
        "undeterred": bool(undeterred),
        "names": free,
        "no_recipient": f"no recipient other than {free}" if free else "no recipient",
        "unmet": unmet,
        "unmet_games": capital(games_words(unmet)),
        # the search
        "proved": search["proved"],
        "is_proved": "It is proved" if search["proved"] else "It is not proved",
        "solver": search["solver"],
        "found_by": "" if search["proved"] else f"found by {search['solver']} ",
        "how": catalogue("run")["solvers"][search["solver"]],
        "proof": proof_words(summary["limits"]) if kind.limits else "",
        "searched": search["searched"],
        "strategies": summary["data"]["strategies"],
        # the measures of the run and of the policy
        "records": _records(summary),
        "all_counted": number_of(*counted(summary["data"])),
        "all_withheld": withheld == 1,
        "some_withheld": 0 < withheld < 1,
        "none_withheld": withheld == 0,
        "share_withheld": capital(share_words(withheld)),
        "unmodified": f"{capital(share_words(found['unmodified']))} {'is' if found['unmodified'] in {0, 1} else 'are'}",
        "other_unmodified": share_words(other["unmodified"]),
        "attacked": share_words(found["attacked"]),
        "other_attacked": share_words(other["attacked"]),
        "people": _people(found["expected_reidentifications"]),
        "other_people": _people(other["expected_reidentifications"]),
        "mean": found["publisher_payoff"],
        "mean_of_released": found["publisher_payoff"] / (1 - withheld) if withheld < 1 else 0.0,
        "other_mean": other["publisher_payoff"],
        # the stakes
        "payoffs": payoffs,
        "dollars_too": joined(dollars_too, "and") if dollars_too else "",
        "profitable": largest,
        "matching": "1 person matches" if largest == 1 else f"1 to {largest:,} people match",
        **robust,
    }


def run_words(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sentences about a run by the names under which a report shows them."""
    one = ("question", "search", "method", "ratios", "robust", "sensitivity_words")
    return {
        **{name: sentence(f"run.{name}", facts) for name in one},
        **{name: sentences(f"run.{name}", facts) for name in ("answer", "games_notes", "formulas")},
        "withheld": sentence("run.withheld", facts) if facts["all_withheld"] else "",
        "rules": " ".join(sentences("run.rules", facts)),
        "attack_words": " ".join(sentences("run.attacks", facts)),
        "limits": [_heading_apart(words) for words in sentences("run.limitations", facts)],
    }


def earlier_words(summary: Mapping[str, Any]) -> list[str]:
    """Return who is found in the earlier releases, and what these cost; nothing where there are none."""
    found = summary.get("earlier")
    if found is None:
        return []
    cost = found["cost"] or {}
    changes = sentences("earlier.change", cost) if cost else []
    return sentences(
        "earlier.earlier", {**found, **cost, "costed": bool(cost), "free": not changes, "changes": changes}
    )


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
        return f"the records of {number_of(*counted(summary['data']))}"
    return f"each of {records:,} records about people" if records != 1 else "one record"


def _people(expected: float) -> str:
    words = number(expected, 1)
    if not expected:
        return "no re-identification"
    return f"fewer than {words[1:]} re-identifications" if words[0] == "<" else f"about {words} re-identifications"


def _robust(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return how far each stake can move alone, where that was computed."""
    robustness = summary.get("robustness")
    if not robustness:
        return {"robust": False, "share": "", "ranges": ""}
    ranges = []
    for name, one in robustness["ranges"].items():
        words = range_words(one["keeps"], one["chosen"], one["keeps_open"])
        ranges.append(f"the {name} {'has any value' if words == 'any' else f'is {words}'}")
    return {"robust": True, "share": exact_percent(robustness["share"]), "ranges": joined(ranges, "and")}
