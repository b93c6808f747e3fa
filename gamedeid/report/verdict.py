"""The verdict: how many re-identifications are expected of a release, and on which condition of the recipient."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any

from gamedeid.amounts import dollars, joined, number, percent
from gamedeid.choices import GAMES
from gamedeid.pictures.words import capital
from gamedeid.report.aware_words import SPREAD, spread_words
from gamedeid.report.best_values import BEST, best_values
from gamedeid.report.data_words import is_estimated
from gamedeid.report.limit_words import policy_beside_words
from gamedeid.report.policy_words import heading_words, policy_words
from gamedeid.report.recipient_words import together_words
from gamedeid.reprs import frozen
from gamedeid.scenario.payoffs import TIE
from gamedeid.study.warnings import counted

Row = Mapping[str, Any]

_TWICE, _ROUND = 1.995, 10.0
"""Ratios from which one speaks of times, and of whole times."""

_ALL_BUT = 1e-9
"""A share that is less than all by this much at least does not read as all."""

_LEAST = 0.0001
"""Expected re-identifications below which only that is said: more digits would show nothing."""

_ONE = 0.995
"""Expected re-identifications from which they have one digit after the point; below it, two that count."""

_TENTH = 0.1
"""Risks from which they have two digits after the point; below it, two that count."""

_CENT = 0.005
"""Dollars that round to nothing."""

COUNTS, KNOWS, ALL = "counts", "knows", "all"
"""Recipients: who counts who matches and attacks what pays; who also knows the method; who attacks every record."""

AMONG = "knows that the person is among the records"
"""The recipient whose highest chance is the highest risk of one record."""

_MEASURED = {
    COUNTS: "",
    KNOWS: "... if the recipient also knows how it was made",
    ALL: "... if all were attacked",
}
_HIGHEST = "highest risk of one record"
"""Names of rows beneath the expected re-identifications."""


@frozen
class Figures:
    """What one recipient is expected to find in one release.

    Parameters
    ----------
    attacked : share of the records that the recipient attacks; None where that is every released one.
    expected : re-identifications.
    spread : ``at_least_one``, ``low``, ``high`` and ``highest``, see :class:`gamedeid.game.spread.Spread`; None where
        they were not computed.
    """

    attacked: float | None
    expected: float
    spread: Mapping[str, Any] | None


def figures_of(row: Row) -> dict[str, Figures | None]:
    """Return what each recipient is expected to find in a release; None of one for whom it was not computed.

    Parameters
    ----------
    row : what became of the records, as ``policies`` of ``summary.json`` has it.
    """
    aware, all_attacked = row["aware"], row["marketer"]
    return {
        COUNTS: Figures(attacked=row["attacked"], expected=row["expected_reidentifications"], spread=row["spread"]),
        KNOWS: None
        if isinstance(aware, str)
        else Figures(attacked=aware["attacked"], expected=aware["expected_reidentifications"], spread=aware["spread"]),
        ALL: Figures(attacked=None, expected=all_attacked["reidentifications"], spread=all_attacked["spread"]),
    }


@frozen(slots=False)
class Verdict:
    """The figures of a release and of what it is compared with, from which every sentence and table is drawn.

    Parameters
    ----------
    policies : name -> what became of the records under it, as ``policies`` of ``summary.json`` has it. Games that are
        not there were not played, which is said.
    played : name of the game, or of the policy, that the verdict is on.
    policy : name of the policy that it is compared with.
    benefit : V, dollars: payoffs that differ by less than a billionth of it are the same.
    unit : what is counted, "record" or "person".
    estimated : whether the numbers of people who match are estimates.
    unmet : games that have no strategies within the limits on the whole dataset; None where there are no limits.
    several : whether the scenario names recipients, each an adversary.
    regional : whether the figures are sums over regions.
    """

    policies: Mapping[str, Row]
    played: str
    policy: str
    benefit: float
    unit: str = "record"
    estimated: bool = False
    unmet: Sequence[str] | None = None
    several: bool = False
    regional: bool = False

    @cached_property
    def figures(self) -> dict[str, dict[str, Figures | None]]:
        """Name of a game or policy -> recipient -> what is expected."""
        return {name: figures_of(row) for name, row in self.policies.items()}

    @property
    def conditions(self) -> dict[str, str]:
        """Recipient -> what the recipient does, as the end of a sentence that begins with *if*."""
        who = "each recipient" if self.several else "the recipient"
        return {
            COUNTS: f"{who} counts who matches and attacks only what pays",
            KNOWS: f"{who} also knows how the release was made",
            ALL: f"{who} counts and attacks every released {self.unit}",
        }

    @property
    def sentences(self) -> list[str]:
        """The verdict: the first sentence has the figures of all recipients, the payoff stands after them."""
        said = [self.headline, *self._of_others(), *self._payoffs(), *self._not_known()]
        if self.unmet:
            names = joined([policy_words(name) for name in self.unmet], "and")
            said.append(
                f"{capital(names)} {'has' if len(self.unmet) == 1 else 'have'} no strategies within the limits."
            )
        if left := [name for name in GAMES if name not in {*self.policies, *(self.unmet or ())}]:
            names = joined([policy_words(name) for name in left], "and")
            said.append(f"{capital(names)} {'was' if len(left) == 1 else 'were'} not played.")
        return [*said, *self._unproved()]

    @property
    def headline(self) -> str:
        """The figures of the release beside those of the policy, with their conditions."""
        if self._withholds(self.played):
            nothing = f"{capital(policy_words(self.played))} withholds every {self.unit}: there is nothing to attack."
            return nothing if self._alone else f"{nothing} {self._expected_of(self.policy, '')}"
        return self._expected_of(self.played, "" if self._alone else self.policy)

    def _expected_of(self, name: str, against: str) -> str:
        """Return the figures of a game or policy, beside those of another where there is one."""
        within = " within the limits" if self.unmet is not None and name != self.policy else ""
        condition = f"{within}, by estimate" if self.estimated else within
        cases = []
        for case, condition_words in self.conditions.items():
            one = self.figures[name][case]
            notes = []
            if one is not None and one.attacked is not None:
                notes.append(f"{percent(one.attacked)} worth attacking")
            if against and (one is not None or self.figures[against][case] is not None):
                notes.append(f"{policy_words(against)}: {self._expected(against, case)}")
            beside = f" ({'; '.join(notes)})" if notes else ""
            cases.append(f"{self._expected(name, case)}{beside} if {condition_words}")
        beside = f" ({policy_words(against)}: {self._highest(against)})" if against else ""
        return (
            f"Expected re-identifications of {policy_words(name)}{condition}: {'; '.join(cases)}. Highest risk of one "
            f"{self.unit}, if the recipient {AMONG}: {self._highest(name)}{beside}."
        )

    def _not_known(self) -> list[str]:
        """Return why there are no figures of a recipient who knows the method, each reason once."""
        reasons = dict.fromkeys(row["aware"] for row in self.policies.values() if isinstance(row["aware"], str))
        return [f"Not computed for who knows how the release was made: {'; '.join(reasons)}."] if reasons else []

    def _of_others(self) -> list[str]:
        """Return the same figures of the other games, in the order of the conditions."""
        others = [name for name in self.policies if name not in {self.played, self.policy}]
        if not others:
            return []
        said = [
            f"{policy_words(name)} withholds every {self.unit}"
            if self._withholds(name)
            else f"{policy_words(name)} {joined([self._expected(name, case) for case in self.conditions], 'and')}"
            for name in others
        ]
        which = "games" if self._alone else "other games"
        return [f"The same three figures of the {which}: {'; '.join(said)}."]

    def _payoffs(self) -> Iterator[str]:
        """Yield what a record pays the publisher, each game beside the policy, for each recipient whose are known."""
        order = dict.fromkeys((self.played, self.policy, *self.policies))
        known = {COUNTS: self.policies, KNOWS: {name: row["aware"] for name, row in self.policies.items()}}
        for case, rows in known.items():
            paid = {name: rows[name]["publisher_payoff"] for name in order if not isinstance(rows[name], str)}
            said = []
            for name, amount in paid.items():
                beside = ""
                if name != self.policy and self.policy in paid:
                    words = _payoff_words(amount, paid[self.policy], self.benefit)
                    beside = f", {words} {policy_words(self.policy)}"
                said.append(f"{policy_words(name)} {dollars(amount)}{beside}")
            if said:
                yield f"Payoff per {self.unit}, if {self.conditions[case]}: {'; '.join(said)}."

    def _unproved(self) -> list[str]:
        """Return what it means for the verdict that better strategies may have been missed, where some may."""
        rows = self.policies.items()
        gaps = {name: row["gap"] for name, row in rows if name in GAMES and not row["proved"]}
        if not gaps or max(gaps.values()) <= TIE * self.benefit:
            return []
        widest = max(gaps, key=lambda name: gaps[name])
        most = dollars(gaps[widest]) if gaps[widest] >= _CENT else "less than $0.01"
        return [
            (
                f"The strategies of the games are not proved the best: others may pay up to {most} more per "
                f"{self.unit} (in {policy_words(widest)}), and expect more or fewer re-identifications."
            )
        ]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the table of the figures."""
        beside = () if self._alone else (f"{heading_words(self.policy)}: expected",)
        return (
            f"if {'each' if self.several else 'the'} recipient ...",
            "worth attacking",
            "expected re-identifications",
            SPREAD,
            f"highest risk of one {self.unit}",
            *beside,
        )

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """A text for each of ``columns``, for each recipient; none where everything is withheld."""
        if self._withholds(self.played):
            return []
        found = []
        for case, words in self.conditions.items():
            one = self.figures[self.played][case]
            beside = () if self._alone else (self._expected(self.policy, case),)
            name = words.removeprefix("each recipient ").removeprefix("the recipient ")
            if one is None:
                found.append((name, *["not computed"] * 4, *beside))
                continue
            attacked = "all released" if one.attacked is None else percent(one.attacked)
            highest = one.spread["highest"] if one.spread else 0.0
            cells = (attacked, self._expected(self.played, case), spread_words(one.spread))
            found.append((name, *cells, risk_words(highest) if highest else "none", *beside))
        beside = () if self._alone else (f"highest risk {self._highest(self.policy)}",)
        return [*found, (AMONG, "", "", "", self._highest(self.played), *beside)]

    @property
    def _alone(self) -> bool:
        return self.played == self.policy

    def _withholds(self, name: str) -> bool:
        return bool(self.policies[name]["withheld"] == 1)

    def _expected(self, name: str, case: str) -> str:
        found = self.figures[name][case]
        return "not computed" if found is None else expected_words(found.expected)

    def _highest(self, name: str) -> str:
        if self._withholds(name):
            return "none"
        risk = self.policies[name]["highest_risk"]
        if risk is not None:
            return risk_words(risk)
        return "not computed over regions" if self.regional else "not computed; gamedeid risk release computes it"


def verdict_on(summary: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a run.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    data, limits = summary["data"], summary.get("limits")
    return Verdict(
        policies=summary["policies"],
        played=summary["game"],
        policy=summary["policy"]["name"],
        benefit=summary["payoffs"]["benefit"],
        unit=counted(data)[1],
        estimated=is_estimated(data),
        unmet=None if limits is None else limits["unmet_in"],
        several="recipients" in summary,
    )


def verdict_of(summary: Mapping[str, Any]) -> list[str]:
    """Return the verdict on a run in sentences.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    sentences = verdict_on(summary).sentences
    if "recipients" in summary:
        sentences.append(together_words(summary["recipients"]))
    if "limits" in summary and summary["game"] != summary["policy"]["name"]:
        sentences.append(policy_beside_words(summary))
    return sentences


def known_row(
    key: str, policies: Mapping[str, Row], form: Callable[[Any], str]
) -> Iterator[tuple[str, list[str], list[bool]]]:
    """Yield what stands beneath a measure, for a recipient who knows the method: as :func:`expected_rows` has it.

    Parameters
    ----------
    key : of the measure.
    policies : name -> what became of the records under it, as ``policies`` of ``summary.json`` has it.
    form : how the measure is written.
    """
    found = [None if isinstance(row["aware"], str) else row["aware"].get(key) for row in policies.values()]
    if any(value is not None for value in found):
        worst = -inf if BEST[key] == "greatest" else inf
        texts = ["not computed" if value is None else form(value) for value in found]
        yield _MEASURED[KNOWS], texts, best_values(key, [worst if one is None else one for one in found], texts)


def expected_rows(policies: Mapping[str, Row]) -> list[tuple[str, list[str], list[bool]]]:
    """Return what stands beneath the expected re-identifications: words, a text for each policy, and which is best.

    Parameters
    ----------
    policies : name -> what became of the records under it, as ``policies`` of ``summary.json`` has it.
    """
    key, found = "expected_reidentifications", []
    figures = [figures_of(row) for row in policies.values()]
    for case, words in _MEASURED.items():
        each = [one[case] for one in figures]
        if not any(each):
            continue
        texts = ["not computed" if one is None else number(one.expected, 1) for one in each]
        if case != COUNTS:
            values = [inf if one is None else one.expected for one in each]
            found.append((words, texts, best_values(key, values, texts)))
        spreads = [spread_words(one.spread if one else None) for one in each]
        found.append((f"... {SPREAD}", spreads, [False] * len(each)))
    risks = [row["highest_risk"] for row in policies.values()]
    texts = ["not computed" if risk is None else risk_words(risk) if risk else "none" for risk in risks]
    return [*found, (_HIGHEST, texts, [False] * len(texts))]


def expected_words(value: float) -> str:
    """Return expected re-identifications: what is above 0 does not read as none.

    Examples
    --------
    >>> expected_words(392.7), expected_words(0.0), expected_words(0.0042), expected_words(1e-9)
    ('392.7', 'none', '0.0042', 'fewer than 0.0001')
    """
    if value >= _ONE:
        return f"{value:,.1f}"
    return "none" if not value else f"{value:.2g}" if value >= _LEAST else f"fewer than {_LEAST}"


def risk_words(risk: float) -> str:
    """Return a chance above 0 that somebody names the right person.

    Examples
    --------
    >>> risk_words(1.0), risk_words(1 / 3), risk_words(1 / 75), risk_words(0.9999)
    ('1.00', '0.33', '0.013', '0.99')
    """
    if risk < _TENTH:
        return f"{risk:.2g}"
    return f"{risk:.2f}" if risk == 1 else f"{min(risk, _ONE - _CENT):.2f}"


def _payoff_words(mine: float, other: float, benefit: float) -> str:
    """Return a payoff beside another: in per cent of it where that is above 0 and shows something, else in dollars."""
    change = mine - other
    if abs(change) <= TIE * benefit:
        return "the same as"
    word = "more than" if change > 0 else "less than"
    if mine > 0 and other > 0:
        if mine / other >= _TWICE:
            times = f"{mine / other:,.0f}" if mine / other >= _ROUND else f"{mine / other:.1f}".removesuffix(".0")
            return "twice that of" if times == "2" else f"{times} times that of"
        share = percent(min(abs(change) / other, 1 - _ALL_BUT), 1)
        if not share.startswith("<"):
            return f"{share} {word}"
    amount = dollars(abs(change)) if abs(change) >= _CENT else "less than $0.01"
    return f"{amount} {word}"
