"""The verdict in sentences: how many re-identifications a game or policy expects beside another, and at what payoff."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import Any

from gamedeid.amounts import dollars, joined, percent
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.data_words import is_estimated
from gamedeid.report.limit_words import policy_beside_words
from gamedeid.report.pictures.words import capital
from gamedeid.report.policy_words import policy_words
from gamedeid.report.recipient_words import together_words
from gamedeid.scenario.payoffs import TIE
from gamedeid.study.warnings import counted

Row = Mapping[str, Any]

_SAME = 1e-9
"""Expected re-identifications that differ by a smaller share are the same: they are sums of chances, which round."""

_TWICE, _ROUND = 1.995, 10.0
"""Ratios from which one speaks of times, and of whole times."""

_SLIGHT = 0.005
"""Shares below which a difference of re-identifications is called slight."""

_LEAST = 0.0001
"""Expected re-identifications below which only that is said: more digits would tell nothing."""

_ONE = 0.995
"""Expected re-identifications from which they have one digit after the point; below it, two digits that tell."""

_CENT = 0.005
"""Dollars that round to nothing."""

_COUNTED = {
    "aware-basic": (
        "These figures are of a recipient who only counts who matches: whoever knows how the releases are made may "
        "find more."
    ),
    "aware-no-attack": (
        "The figures of the other games are of a recipient who only counts who matches: whoever knows how those "
        "releases are made may find more."
    ),
}
"""What stands beside figures of a recipient who knows less than the game takes her to know."""


def verdict_of(summary: Mapping[str, Any]) -> list[str]:
    """Return the verdict on a run.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    data = summary["data"]
    limits = summary.get("limits")
    sentences = verdict(
        summary["policies"],
        played=summary["game"],
        policy=summary["policy"]["name"],
        benefit=summary["payoffs"]["benefit"],
        unit=counted(data)[1],
        estimated=is_estimated(data),
        unmet=None if limits is None else limits["unmet_in"],
        recipients="recipients" in summary,
    )
    if "recipients" in summary:
        sentences.append(together_words(summary["recipients"]))
    if limits is not None and summary["game"] != summary["policy"]["name"]:
        sentences.append(policy_beside_words(summary))
    return sentences


def verdict(
    policies: Mapping[str, Row],
    *,
    played: str,
    policy: str,
    benefit: float,
    unit: str = "record",
    estimated: bool = False,
    unmet: Sequence[str] | None = None,
    recipients: bool = False,
) -> list[str]:
    """Return how the game that was played compares with the policy, and the other games with it.

    The first sentence answers the question; the others can be left out where there is no room.

    Parameters
    ----------
    policies : name -> what became of the records under it, as ``policies`` of ``summary.json`` has it:
        ``publisher_payoff``, dollars per record; ``expected_reidentifications``; ``withheld``, the share of the
        records; ``proved``, whether no permitted strategy is better, and ``gap``, the dollars per record by which others
        may be better (both None for a policy); ``marketer``, the ``share`` and the ``reidentifications`` to expect of
        the released records if all of them are attacked. Games that are not there were not played, which is said.
    played : name of the game, or of the policy, that the verdict is on.
    policy : name of the policy that it is compared with.
    benefit : V, dollars: payoffs that differ by less than a billionth of it are the same.
    unit : what is counted, "record" or "person".
    estimated : whether the numbers of people who match are estimates.
    unmet : games that have no strategies within the limits on the whole dataset; None where there are no limits.
    recipients : whether several recipients are counted together, or one who may not come to be or does not know all.

    Examples
    --------
    >>> sums = {"withheld": 0.0, "proved": True, "gap": 0.0, "marketer": {"share": 0.02, "reidentifications": 9.0}}
    >>> policies = {
    ...     "safe-harbor": {**sums, "publisher_payoff": 80.0, "expected_reidentifications": 2.0},
    ...     "basic": {**sums, "publisher_payoff": 90.0, "expected_reidentifications": 9.0},
    ...     "no-attack": {**sums, "publisher_payoff": 81.0, "expected_reidentifications": 0.0},
    ... }
    >>> for sentence in verdict(policies, played="basic", policy="safe-harbor", benefit=100.0):
    ...     print(sentence)
    The basic game expects 4.5 times as many re-identifications as Safe Harbor (9.0 and 2.0), with 12.5% more payoff ($90.00 and $80.00 per record).
    Compared with it, the no-attack game expects none, with 10.0% less payoff.
    The sh-friendly game was not played.
    """  # noqa: E501  (a sentence is printed on one line)
    others = [name for name in (policy, *GAMES) if name in policies and name not in {played, policy}]
    condition = "by estimate, " if estimated else ""
    if unmet is not None and played != policy:
        condition += "within the limits, "
    sentences = [_headline(policies, played, policy, benefit, unit, condition=condition)]
    if others:
        sentences.append(_beside(policies, played, others, benefit, unit))
    if played in AWARE_GAMES:
        sentences.append(_COUNTED[played])
    if unmet:
        names = joined([policy_words(name) for name in unmet], "and")
        sentences.append(f"{capital(names)} {'has' if len(unmet) == 1 else 'have'} no strategies within the limits.")
    if left := [name for name in GAMES if name not in policies and name not in (unmet or ())]:
        names = joined([policy_words(name) for name in left], "and")
        sentences.append(f"{capital(names)} {'was' if len(left) == 1 else 'were'} not played.")
    everybody = _attacked_all_the_same(policies, played, policy, unit, recipients=recipients)
    return [*sentences, *everybody, *_unproved(policies, benefit, unit)]


def _headline(
    policies: Mapping[str, Row], played: str, policy: str, benefit: float, unit: str, *, condition: str
) -> str:
    """Return the first sentence: the game beside the policy, or the policy alone."""
    mine, other = policies[played], policies[policy]
    subject = f"{condition}{policy_words(played)}"
    if played == policy:
        expected, paid = _expected_words(mine), dollars(mine["publisher_payoff"])
        return f"{capital(subject)} {expected}, with a payoff of {paid} per {unit}."
    payoffs = _payoff_words(mine["publisher_payoff"], other["publisher_payoff"], benefit, unit)
    both = [dollars(row["publisher_payoff"]) for row in (mine, other)]
    amounts = f" ({' and '.join(both)} per {unit})" if len(set(both)) > 1 else ""
    beside = policy_words(policy)
    if mine["withheld"] == 1:
        return (
            f"{capital(subject)} withholds every record, so that nobody can be re-identified, with {payoffs}{amounts}; "
            f"{beside} {_expected_words(other)}."
        )
    a, b = (row["expected_reidentifications"] for row in (mine, other))
    if not a and not b:
        expects = f"no re-identification (nor does {beside})"
    elif not b:
        expects = f"{_re_identifications(a)} ({beside}: none)"
    elif not a:
        expects = f"no re-identification ({beside}: {_number(b)})"
    elif isclose(a, b, rel_tol=_SAME):
        expects = f"as many re-identifications as {beside} ({_number(a)})"
    else:
        how, than = _ratio_words(a / b)
        expects = f"{how} re-identifications {than} {beside} ({' and '.join(_numbers(a, b))})"
    return f"{capital(subject)} expects {expects}, with {payoffs}{amounts}."


def _beside(policies: Mapping[str, Row], played: str, others: Iterable[str], benefit: float, unit: str) -> str:
    """Return the sentence on what the other games would give, beside the one that was played."""
    mine = policies[played]
    clauses: dict[tuple[str, str], list[str]] = {}
    for name in others:
        row = policies[name]
        payoffs = _payoff_words(row["publisher_payoff"], mine["publisher_payoff"], benefit, unit)
        if row["withheld"] == 1:
            key = ("withhold", f"every record, with {payoffs}")
        else:
            a, b = row["expected_reidentifications"], mine["expected_reidentifications"]
            key = ("expect", f"{_beside_words(a, b)}, with {payoffs}")
        clauses.setdefault(key, []).append(policy_words(name))
    said = [
        f"{names[0]} {verb}s {what}" if len(names) == 1 else f"{joined(names, 'and')} each {verb} {what}"
        for (verb, what), names in clauses.items()
    ]
    return f"Compared with it, {'; '.join(said)}."


def _beside_words(a: float, b: float) -> str:
    """Return expected re-identifications, ``a``, beside others, ``b``, of which the sentence has spoken."""
    if not a:
        return "none" if b else "none either"
    if not b:
        return _number(a)
    if isclose(a, b, rel_tol=_SAME):
        return "as many"
    return f"{_ratio_words(a / b)[0]} ({_numbers(a, b)[0]})"


def _attacked_all_the_same(
    policies: Mapping[str, Row], played: str, policy: str, unit: str, *, recipients: bool
) -> list[str]:
    """Return what to expect if all that a game releases is attacked, where less of it is worth an attack."""
    mine, other = policies[played], policies[policy]["marketer"]["reidentifications"]
    found = mine["marketer"]["reidentifications"]
    if played == policy or not found or isclose(found, mine["expected_reidentifications"], rel_tol=_SAME):
        return []
    against = f"{policy_words(policy)}: {_number(other) if other else 'none'}"
    beside = f"{_re_identifications(found)} would be expected ({against})"
    share = _share(mine["marketer"]["share"])
    if recipients:
        return [
            (
                f"If every recipient who comes to be attacked every released {unit} all the same, {beside}, {share} "
                "for each that matches somebody."
            )
        ]
    by = " by somebody who does not know how the release was made" if played in AWARE_GAMES else ""
    return [f"If every released {unit} were attacked all the same{by}, {beside}, a marketer risk of {share}."]


def _unproved(policies: Mapping[str, Row], benefit: float, unit: str) -> list[str]:
    """Return what it means for the verdict that better strategies may have been missed, where some may."""
    gaps = {name: row["gap"] for name, row in policies.items() if name in GAMES and not row["proved"]}
    if not gaps or max(gaps.values()) <= TIE * benefit:
        return []
    widest = max(gaps, key=lambda name: gaps[name])
    most = dollars(gaps[widest]) if gaps[widest] >= _CENT else "less than $0.01"
    return [
        (
            f"The strategies of the games are not proved the best: others may pay up to {most} more per {unit} (in "
            f"{policy_words(widest)}), and expect more or fewer re-identifications."
        )
    ]


def _expected_words(row: Row) -> str:
    if row["withheld"] == 1:
        return "withholds every record"
    expected = row["expected_reidentifications"]
    return f"expects {_re_identifications(expected)}" if expected else "expects no re-identification"


def _ratio_words(ratio: float) -> tuple[str, str]:
    """Return how many times as many, and the word before what they are compared with."""
    if ratio >= _TWICE:
        times = f"{ratio:,.0f}" if ratio >= _ROUND else f"{ratio:.1f}".removesuffix(".0")
        return ("twice as many" if times == "2" else f"{times} times as many"), "as"
    change, word = (ratio - 1, "more") if ratio > 1 else (1 - ratio, "fewer")
    return (f"slightly {word}" if change < _SLIGHT else f"{_percent(change, 0)} {word}"), "than"


def _payoff_words(mine: float, other: float, benefit: float, unit: str) -> str:
    """Return a payoff beside another: in per cent of it where that is above 0 and tells something, else in dollars."""
    change = mine - other
    if abs(change) <= TIE * benefit:
        return "the same payoff"
    word = "more" if change > 0 else "less"
    if mine > 0 and other > 0:
        if change >= other:
            times = _ratio_words(mine / other)[0].removesuffix(" as many")
            return f"{times} the payoff"
        share = _percent(abs(change) / other, 1)
        if not share.startswith("<"):
            return f"{share} {word} payoff"
    amount = dollars(abs(change)) if abs(change) >= _CENT else "less than $0.01"
    return f"{amount} {word} payoff per {unit}"


def _percent(share: float, digits: int) -> str:
    """Return a difference in per cent: what is not all of it does not read so, however little is missing."""
    return percent(min(share, 1 - _SAME), digits)


def _re_identifications(expected: float) -> str:
    return f"{_number(expected)} re-identifications"


def _share(share: float) -> str:
    return f"{share:.2g}" if share >= _LEAST else f"below {_LEAST}"


def _numbers(a: float, b: float) -> tuple[str, str]:
    """Return two unlike numbers with so many digits that they do not read alike."""
    for digits in range(7):
        texts = _number(a, digits), _number(b, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _number(value: float, more: int = 0) -> str:
    """Return an expected number above 0, with ``more`` digits than it has otherwise."""
    if value >= _ONE:
        return f"{value:,.{1 + more}f}"
    return f"{value:.{2 + more}g}" if value >= _LEAST else f"fewer than {_LEAST}"
