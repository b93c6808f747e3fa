"""The names that a user chooses from."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

GameName: TypeAlias = Literal["basic", "no-attack", "sh-friendly"]
"""A game: the strategies that the publisher may choose."""

GAMES: tuple[GameName, ...] = ("basic", "sh-friendly", "no-attack")
"""The three games, in the order of wan2015's Table 7."""

AwareGameName: TypeAlias = Literal["aware-basic", "aware-no-attack"]
"""A game against an adversary who knows the mechanism."""

PlayedGame: TypeAlias = Literal[GameName, AwareGameName]
"""A game against either adversary."""

PLAN = "plan.csv"
"""The file of a folder of results with the strategies of all people, in a game of the whole population."""

AWARE_GAMES: tuple[AwareGameName, ...] = get_args(AwareGameName)
"""The games that depend on the strategies of the whole population, so that profiles constrain each other."""

PLAYED_GAMES: tuple[PlayedGame, ...] = (*GAMES, *AWARE_GAMES)
"""All games; a name that is none of them is a policy's."""

GAME_PROMISES: Mapping[PlayedGame, str] = {
    "basic": "the best payoff, though some attacks may pay",
    "sh-friendly": "the best payoff with no more detail than the policy",
    "no-attack": "no attack on a released record pays, if the recipient only counts the people that match a record",
    "aware-basic": "the best payoff, if the recipient also knows how the release was made",
    "aware-no-attack": "no attack on a released record pays, even if the recipient knows how the release was made",
}
"""What each game promises, for those who choose one."""

PlannedFor: TypeAlias = Literal["population", "records"]
"""The group whose mean payoff a mechanism maximizes: all people, or the records."""

SolverName: TypeAlias = Literal["backward-induction", "lattice-search", "bounded-suboptimal", "exact"]
"""A method to find the best strategy."""

SearchName: TypeAlias = Literal[SolverName, "groups"]
"""A solver, or the search for the strategies of a whole population."""

BoundName: TypeAlias = Literal["naive game", "prices", "integer program"]
"""The proof of the upper bound on the payoff of any groups."""

EngineName: TypeAlias = Literal["auto", "memory", "duckdb", "spark", "dask"]
"""An engine that reads and counts the rows."""

ENGINES: tuple[EngineName, ...] = get_args(EngineName)

Role: TypeAlias = Literal["zip", "age", "date", "county", "city", "state", "other"]
"""A role of an attribute in Safe Harbor; "other" is none of its concern."""

Missing: TypeAlias = Literal["error", "suppress", "show"]
"""The treatment of a missing value: refused, released as ``*``, or released as ``missing``."""

Unmatched: TypeAlias = Literal["error", "unique", "safe"]
"""The treatment of a record that matches no one: refused, treated as unique, or treated as found by no recipient."""

Format: TypeAlias = Literal["csv", "parquet"]
"""A format of tables."""

Detail: TypeAlias = Literal["date", "month", "year", "two-year"]
"""The known detail of a birth: its date, month and year, year, or a range of two years."""

Boundary: TypeAlias = Literal["at-most", "below"]
"""The boundary of identifiable age groups: at most the threshold's number of people, or fewer."""

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
"""The level of a line of a log."""

RiskName: TypeAlias = Literal["adversary", "marketer", "attacked"]
"""A risk of a release: expected re-identifications by the scenario's adversary, or by one who attacks all records
(the marketer), or the share of records that the scenario's adversary attacks."""

RISKS: tuple[RiskName, ...] = get_args(RiskName)

PictureKind: TypeAlias = Literal[
    "lattice",
    "strategies",
    "differences",
    "scatter",
    "record-map",
    "map",
    "lines",
    "deviation",
    "frontier",
    "demographics",
    "uniqueness",
]
"""A kind of picture: a record's strategies, payoffs against the policy's, effects of varied stakes, risk
against utility, or unique people."""

IdentifierRule: TypeAlias = Literal["safe-harbor", "limited-data-set"]
"""The list of identifiers for checking a table: the 18 kinds of Safe Harbor, or the 16 of a limited data set."""

IDENTIFIER_RULES: tuple[IdentifierRule, ...] = get_args(IdentifierRule)

SimulatedRecipient: TypeAlias = Literal["naive", "aware", "marketer", "aware-marketer", "noisy", "in-release"]
"""A recipient who attacks a release in a simulation."""

SIMULATED_RECIPIENTS: tuple[SimulatedRecipient, ...] = get_args(SimulatedRecipient)

OUTCOMES = (
    "withheld",
    "attacked",
    "information_loss",
    "generalization_intensity",
    "success_probability",
    "publisher_payoff",
    "adversary_payoff",
)
"""The outcomes of a record: columns of ``strategies.csv`` after the record's number, ``record``, and its levels."""

RELEASE_ROW = "release_row"
"""Column of stored strategies: the number of the record's row in the release, from 0; empty for a withheld record."""

MEASURES = (
    "publisher_payoff",
    "adversary_payoff",
    "suppressed",
    "unmodified",
    "withheld",
    "unmatched",
    "generalization_intensity",
    "attacked",
    "reidentification_probability",
    "reidentification_probability_attacked",
    "expected_reidentifications",
)
"""The measures of a release, as columns of results; ``Solution.measures`` adds numbers of records."""

EstimatorName: TypeAlias = Literal["zayatz", "pitman", "snb", "mu_argus", "e1", "pitman_given"]
"""An estimator of the share of unique people from a sample."""

ESTIMATORS: tuple[EstimatorName, ...] = ("zayatz", "pitman", "snb", "mu_argus", "e1")
"""The estimators of dankar2012, in the order of their columns; the last is the decision rule."""

ESTIMATED_BY: Mapping[EstimatorName, str] = {
    "zayatz": "Zayatz",
    "pitman": "Pitman",
    "snb": "slide negative binomial",
    "mu_argus": "mu-argus",
    "e1": "decision rule E1",
    "pitman_given": "Pitman given the sample",
}
"""The printed name of each estimator."""
