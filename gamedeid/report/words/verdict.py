"""The verdict: the expected re-identifications of a release, with the condition on the recipient."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from gamedeid.amounts import dollars, expectation, number, percent
from gamedeid.catalogue import catalogue, fill_template, sentence, sentences
from gamedeid.choices import GAMES, PLAYED_GAMES
from gamedeid.pictures.words import capitalized, policy_words
from gamedeid.report.words.limits import policy_limit_words
from gamedeid.report.words.measures import (
    ALL_ATTACKED,
    MEASURES,
    NOT_COMPUTED,
    SPREAD,
    Grid,
    best_values,
    games_words,
    heading_words,
    risk_words,
    shown_measures,
    spread_words,
)
from gamedeid.report.words.recipients import together_words
from gamedeid.report.words.run import is_estimated, is_proved
from gamedeid.reprs import frozen
from gamedeid.study.facts import read_facts
from gamedeid.study.study import Study
from gamedeid.study.warnings import counted_words

Row = Mapping[str, Any]

COUNTS_PEOPLE, KNOWS_METHOD, ATTACKS_ALL = "counts", "knows", "all"
"""The recipients: one counts matching people, one also knows the method, and one attacks every record."""

PROSECUTOR = catalogue("verdict")["among"]
"""The recipient whose highest chance is the highest risk of one record."""

_BELOW = {COUNTS_PEOPLE: "", KNOWS_METHOD: "... recipient knows the method", ATTACKS_ALL: f"... {ALL_ATTACKED}"}
"""Names of rows below the expected re-identifications."""


@frozen
class Figures:
    """The figures of the attacks of one recipient on one release.

    Parameters
    ----------
    attacked : share of the records that the recipient attacks; None for every released record.
    spread : ``at_least_one``, ``low``, ``high`` and ``highest``, see :class:`gamedeid.game.spread.Spread`; None if
        not computed.
    """

    attacked: float | None
    expected: float
    spread: Mapping[str, Any] | None


def figures_of(row: Row) -> dict[str, Figures | None]:
    """Return the attacks of each recipient on a release; None if they were not computed."""
    aware, all_attacked = row["aware"], row["marketer"]
    return {
        COUNTS_PEOPLE: Figures(
            attacked=row["attacked"], expected=row["expected_reidentifications"], spread=row["spread"]
        ),
        KNOWS_METHOD: None
        if isinstance(aware, str)
        else Figures(attacked=aware["attacked"], expected=aware["expected_reidentifications"], spread=aware["spread"]),
        ATTACKS_ALL: Figures(attacked=None, expected=all_attacked["reidentifications"], spread=all_attacked["spread"]),
    }


@frozen(slots=False)
class Verdict:
    """The figures of a release and of its alternatives, the source of every sentence and table of the verdict.

    Parameters
    ----------
    policies : name -> its outcome, as in ``policies`` of ``summary.json``. Games that are missing were not solved,
        which is reported.
    played, policy : names of the game or policy that the verdict is about, and of the policy that it is compared with.
    benefit : V, dollars: payoffs that differ by less than a billionth of it are the same.
    estimated : whether the numbers of matching people are estimates.
    unmet : games that have no strategies within the limits on the whole dataset; None for no limits.
    several : whether the scenario names recipients, each an adversary.
    regional : whether the data come region by region, for which the highest risk is not computed.
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
        """Name of a game or policy -> recipient -> the attacks."""
        return {name: figures_of(row) for name, row in self.policies.items()}

    @property
    def conditions(self) -> dict[str, str]:
        """Recipient -> the recipient's conduct, as a clause after *if*."""
        facts = {"who": "each recipient" if self.several else "the recipient", "unit": self.unit}
        return {case: fill_template(words, facts) for case, words in catalogue("verdict")["conditions"].items()}

    @property
    def sentences(self) -> list[str]:
        """The verdict: the figures of all recipients in the first sentence, then what was not computed or proved."""
        return [self.headline, *sentences("verdict.verdict", self._facts)]

    @property
    def headline(self) -> str:
        """The figures of the release compared with those of the policy, with their conditions."""
        return sentence("verdict.headline", self._facts)

    @property
    def recipients(self) -> Grid:
        """The figures of each recipient, a row each; no row if everything is withheld."""
        against = () if self._alone else (f"{heading_words(self.policy)}: expected",)
        headings = (
            f"if {'each' if self.several else 'the'} recipient ...",
            "worth attacking",
            "expected re-identifications",
            SPREAD,
            f"highest risk of one {self.unit}",
            *against,
        )
        if self._withholds(self.played):
            return Grid(headings, ())
        found = []
        for case, words in self.conditions.items():
            one = self.figures[self.played][case]
            name = words.removeprefix("each recipient ").removeprefix("the recipient ")
            cells = [NOT_COMPUTED] * 4
            if one is not None:
                attacked = "all released" if one.attacked is None else percent(one.attacked)
                highest = one.spread["highest"] if one.spread else 0.0
                cells = [attacked, self._expected(self.played, case), spread_words(one.spread)]
                cells.append(risk_words(highest) if highest else "none")
            found.append((name, *cells, self._expected(self.policy, case)))
        found.append((PROSECUTOR, "", "", "", self._highest(self.played), f"highest risk {self._highest(self.policy)}"))
        return Grid(headings, [row[: len(headings)] for row in found])

    @property
    def games(self) -> Grid:
        """The payoffs and expected re-identifications of the release, of the policy and of the other games."""
        payoff, expected = (MEASURES[key].name for key in ("publisher_payoff", "expected_reidentifications"))
        known, all_attacked = _BELOW[KNOWS_METHOD], _BELOW[ATTACKS_ALL]
        return Grid(
            ("", payoff, known, expected, known, all_attacked),
            [self._game_row(name) for name in dict.fromkeys((self.played, self.policy, *self.policies))],
        )

    @property
    def games_heading(self) -> str:
        """The content of the table of the games, and the recipient that it assumes."""
        facts = {"within": self._within, "policy": policy_words(self.policy), **self.conditions}
        return sentence("verdict.games", facts)

    def _game_row(self, name: str) -> tuple[str, ...]:
        aware = self.policies[name]["aware"]
        return (
            f"{heading_words(name)} (withholds all)" if self._withholds(name) else heading_words(name),
            dollars(self.policies[name]["publisher_payoff"]),
            NOT_COMPUTED if isinstance(aware, str) else dollars(aware["publisher_payoff"]),
            *(self._expected(name, case) for case in self.conditions),
        )

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """The conditions and fields of the sentences."""
        rows = self.policies
        unplayed = [name for name in GAMES if name not in {*rows, *(self.unmet or ())}]
        unproved = [name for name, row in rows.items() if name in GAMES and not is_proved(row, self.benefit)]
        widest = max(unproved, key=lambda name: float(rows[name]["gap"]), default="")
        withheld = self._withholds(self.played)
        shown, against = (self.policy, "") if withheld else (self.played, "" if self._alone else self.policy)
        return {
            "withheld": withheld,
            "unit": self.unit,
            "game": capitalized(policy_words(self.played)),
            "figures": self._expected_of(shown, against),
            "reasons": "; ".join(dict.fromkeys(row["aware"] for row in rows.values() if isinstance(row["aware"], str))),
            "unmet": self.unmet,
            "unmet_games": capitalized(games_words(self.unmet or ())),
            "unplayed": unplayed,
            "unplayed_games": capitalized(games_words(unplayed)),
            "unproved": unproved,
            "unproved_games": games_words(unproved),
            "widest": policy_words(widest),
            "widest_gap": rows[widest]["gap"] if unproved else 0.0,
        }

    @property
    def _alone(self) -> bool:
        return self.played == self.policy

    @property
    def _within(self) -> str:
        return "" if self.unmet is None else " within the limits"

    def _withholds(self, name: str) -> bool:
        return bool(self.policies[name]["withheld"] == 1)

    def _expected_of(self, name: str, against: str) -> str:
        """Return the figures of a game or policy, compared with those of another if one is given."""
        cases = []
        for case, condition_words in self.conditions.items():
            one = self.figures[name][case]
            compared = against and (one is not None or self.figures[against][case] is not None)
            noted = f" ({policy_words(against)}: {self._expected(against, case)})" if compared else ""
            cases.append(f"{self._expected(name, case)}{noted} if {condition_words}")
        facts = {
            "release": policy_words(name),
            "within": self._within if name in PLAYED_GAMES else "",
            "estimated": ", by estimate" if self.estimated else "",
            "cases": "; ".join(cases),
            "unit": self.unit,
            "one_of": "a recipient" if self.several else "the recipient",
            "among": PROSECUTOR,
            "highest": self._highest(name),
            "compared": against,
            "other": policy_words(against) if against else "",
            "other_highest": self._highest(against) if against else "",
        }
        return sentence("verdict.figures", facts)

    def _expected(self, name: str, case: str) -> str:
        found = self.figures[name][case]
        return NOT_COMPUTED if found is None else expectation(found.expected)

    def _highest(self, name: str) -> str:
        if self._withholds(name):
            return "none"
        risk = self.policies[name]["highest_risk"]
        if risk is not None:
            return risk_words(risk)
        return "not computed over regions" if self.regional else "not computed; gamedeid risk release computes it"


def verdict_in(study: Study, policies: Mapping[str, Mapping[str, Any]], played: str) -> Verdict:
    """Return the verdict on a policy or game among the answers to a question, compared with the scenario's policy."""
    data = read_facts(study)
    return Verdict(
        policies=policies,
        played=played,
        policy=study.scenario_policy.name,
        benefit=study.scenario.payoffs.benefit,
        unit=counted_words(data)[1],
        estimated=is_estimated(data),
        unmet=[name for name in GAMES if name not in policies] if study.scenario.has_limits else None,
        several=not study.instance.recipients.is_paper_adversary,
    )


def verdict_on(summary: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a run."""
    data, limits = summary["data"], summary.get("limits")
    return Verdict(
        policies=summary["policies"],
        played=summary["game"],
        policy=summary["policy"]["name"],
        benefit=summary["payoffs"]["benefit"],
        unit=counted_words(data)[1],
        estimated=is_estimated(data),
        unmet=None if limits is None else limits["unmet_in"],
        several="recipients" in summary,
    )


def verdict_of(summary: Mapping[str, Any]) -> list[str]:
    """Return the verdict on a run in sentences."""
    said = verdict_on(summary).sentences
    if "recipients" in summary:
        said.append(together_words(summary["recipients"]))
    if "limits" in summary and summary["game"] != summary["policy"]["name"]:
        said.append(policy_limit_words(summary))
    return said


def measure_rows(policies: Mapping[str, Row]) -> Iterator[tuple[str, str, list[str], list[bool]]]:
    """Yield the rows of policies side by side: key of the measure, words, a text for each policy, and the best ones.

    Rows for other recipients, below a measure, have no key.
    """
    rows = list(policies.values())
    for key, measure in shown_measures(rows).items():
        values = [row[key] for row in rows]
        texts = [measure.form(value) for value in values]
        yield key, measure.name, texts, best_values(key, values, texts)
        if key in {"publisher_payoff", "attacked"}:
            yield from _known_row(key, rows, measure.form)
    yield from _expected_rows(rows)


def _known_row(
    key: str, rows: Sequence[Row], form: Callable[[Any], str]
) -> Iterator[tuple[str, str, list[str], list[bool]]]:
    """Yield the row of a recipient who knows the method below a measure."""
    found = [None if isinstance(row["aware"], str) else row["aware"].get(key) for row in rows]
    if any(value is not None for value in found):
        texts = [NOT_COMPUTED if value is None else form(value) for value in found]
        yield "", _BELOW[KNOWS_METHOD], texts, best_values(key, [value or 0.0 for value in found], texts)


def _expected_rows(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[str], list[bool]]]:
    """Yield the rows below the expected re-identifications."""
    figures = [figures_of(row) for row in rows]
    for case, words in _BELOW.items():
        each = [one[case] for one in figures]
        if not any(each):
            continue
        if case != COUNTS_PEOPLE:
            texts = [NOT_COMPUTED if one is None else number(one.expected, 1) for one in each]
            values = [one.expected if one else 0.0 for one in each]
            yield "", words, texts, best_values("expected_reidentifications", values, texts)
        yield "", f"... {SPREAD}", [spread_words(one.spread if one else None) for one in each], [False] * len(each)
    risks = [row["highest_risk"] for row in rows]
    texts = [NOT_COMPUTED if risk is None else risk_words(risk) if risk else "none" for risk in risks]
    yield "", "highest risk of one record", texts, [False] * len(texts)
