"""The features of a question that each operation supports: one table for refusals and for the documentation."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from gamedeid.errors import InvalidScenarioError
from gamedeid.reprs import frozen

MOST_RECIPIENTS = 62
"""Most recipients for breakpoints: each is a bit of a number. A recipient who may learn counts as two."""


class Feature(Enum):
    """A feature of a question that an operation may not support."""

    RECIPIENTS = "several recipients"
    OWN_LISTS = "a recipient's population"
    KEPT = "a recipient who knows kept columns"
    PRICE = "a price of learning"
    MANY = f"more than {MOST_RECIPIENTS} recipients"
    LIMITS = "limits"
    COUPLED = "limits that couple records"
    PERSONS = "several rows a person"
    DIFFERING_ROWS = "unlike rows a person and a population"
    LEVELS = "a population known at levels"
    SAMPLED = "a population estimated from the records"
    SELF = "no population"
    ZIPS = "ZIP areas counted in the population"
    LARGE = "more than 65,536 strategies"
    LAZY = "a lazy frame"
    CLUSTER = "a frame on a cluster"
    STREAMED = "a file that is not read into memory"
    SEARCHED = "a solver other than exact"
    AWARE = "a game of the whole population"
    REGIONS = "regions"
    EARLIER = "earlier releases"
    SHOWN = "missing values that are shown"
    PERSON = "one person"


class Operation(Enum):
    """An operation on a question, by its name in messages."""

    SOLVE = "a game"
    COMPARE = "a comparison of the games"
    SEARCH = "a solver other than exact"
    INDUCTION = "backward induction"
    SOLVERS = "a comparison of solvers"
    AGAINST_RECIPIENTS = "a game against recipients"
    ESTIMATE = "an estimated population"
    WITHIN_LIMITS = "a game within limits"
    KEPT_GROUPS = "a limit on groups of a kept column"
    AWARE_GAME = "a game of the whole population"
    KEPT_RULE = "a rule for a kept column"
    ONE_PERSON = "a question about one person"
    ONE_RECORD = "a question about one record by its number"
    ONE_PROFILE = "a profile of a record by itself"
    GROUPED_ROWS = "a key of persons"
    COMPUTED_AGES = "an age at the date of a record"
    COUNTED_ZIPS = "a count of people by ZIP area"
    BY_REGIONS = "a solution by regions"
    AFTER_RELEASES = "a release after earlier ones"
    KEPT_KNOWLEDGE = "knowledge of kept columns"
    SHOWN = "a release that shows missing values"
    SWEEP = "a sweep"
    OTHER_STAKES = "a question about other stakes"
    BREAKPOINTS = "a robust range or breakpoint"
    SUGGEST = "a suggestion"
    RISK_UTILITY = "a comparison of risk and utility"
    EXPOSURE = "a measure of a released population"
    METHOD = "the risk from a recipient who knows the method"
    OTHER_ROWS = "a release of rows by themselves"
    ATTACK = "a simulation of attacks"
    SIMULATED = "a simulated recipient"
    SIMULATED_METHOD = "a simulated recipient who knows the method"
    SIMULATED_MORE = "a simulated recipient with more than the people who match"
    EXPLORER = "the explorer"
    WRITE = "a folder of results"
    REPORT = "a report"
    DEFUSE = "a defused frame"
    UTILITY = "a comparison of analyses"
    VERIFY = "a verification"


@frozen(slots=False)
class Refusal:
    """The reason why an operation does not support a feature.

    Parameters
    ----------
    why : the reason, as a continuation of the operation's name.
    instead : the alternative to try.
    unless : features with which the operation supports it, if all of them are present.
    arguments : words of ``instead`` that are names of arguments.
    """

    why: str
    instead: str
    unless: frozenset[Feature] = frozenset()
    arguments: tuple[str, ...] = ()


def _refused(why: str, instead: str, *arguments: str, unless: tuple[Feature, ...] = ()) -> Refusal:
    return Refusal(why=why, instead=instead, unless=frozenset(unless), arguments=arguments)


_TABLES = _refused("needs a table entry for each strategy", "use fewer attributes or levels")
_NO_LIMITS = _refused("does not take limits on the whole dataset", "leave the section out of the scenario")
_COUPLED = "needs independent strategies of all people, and limits couple them"
_WITHOUT = "run again without the section into another folder"
_AS_IT_IS = "needs a population with every attribute as it is, and this one is estimated"
_ESTIMATED = _refused(_AS_IT_IS, "give a table of the population without levels")
_ONE_ROW_EACH = _refused("needs one row for each person", "leave the population out, or give one row for each person")
_COLLECTED = _refused("needs the rows in memory", 'collect the frame, or read the file by the engine "memory"')
_READ = _refused("needs the rows in memory", 'take the engine "memory", or more memory')
_FOLLOWED = _refused("needs a table entry for each strategy", "compare the games instead")
_PRICE = _refused("does not take a price of learning", "use a sweep")
_MANY = _refused(f"takes at most {MOST_RECIPIENTS} recipients, where one who may learn counts as two", "leave some out")
_LINKED = _refused("does not follow people through earlier releases", "leave the section out")
_ALL_EARLIER = "needs the earlier rows of all people in the population"
_OF_ALL = _refused(
    _ALL_EARLIER,
    "go by a recipient who counts people, as no-attack does, or leave the population out",
    unless=(Feature.SELF,),
)
_AMONG = _refused("does not count people by kept columns", "leave the kept columns out of the recipients' knowledge")
_SHARED = _refused("counts the people of the scenario's population", "leave the recipient's population out")
_UNSHOWN = 'set records.missing to "suppress"'
_ONE_VALUE = _refused("could show several values of a person, one of them missing", _UNSHOWN)
_GAPS = _refused("needs to know who of the population has no value in the records", _UNSHOWN, unless=(Feature.SELF,))
_ZIP_AREAS = "name a file of ZIP areas"
_RUN_AGAIN = "run again with all rows"
_EARLIER = "earlier.releases"
_TOGETHER = f"{_RUN_AGAIN}, after this release by {_EARLIER}"
_NAIVE = "recipients=['naive']"
_SIMULATE_ANOTHER = f"simulate another one with {_NAIVE}"
_GUESSED = _refused(_ALL_EARLIER, _SIMULATE_ANOTHER, _NAIVE, unless=(Feature.SELF,))

_OTHER_SOLVERS = {
    Feature.LIMITS: _refused("does not take limits on the whole dataset", "use the solver exact"),
    Feature.AWARE: _refused("does not play games of the whole population", "leave the solver out"),
}

_OF_ONE = {Feature.LIMITS: _NO_LIMITS, Feature.KEPT: _AMONG}
_ROWS_HELD = {Feature.LAZY: _COLLECTED, Feature.STREAMED: _READ}
_PEOPLE_KNOWN = {
    Feature.LEVELS: _ESTIMATED,
    Feature.SAMPLED: _ESTIMATED,
    Feature.DIFFERING_ROWS: _ONE_ROW_EACH,
    Feature.EARLIER: _OF_ALL,
}
_STAKES_FOLLOWED = {Feature.LIMITS: _NO_LIMITS, Feature.LARGE: _FOLLOWED}
_REPLIES_FOLLOWED = {**_STAKES_FOLLOWED, Feature.PRICE: _PRICE, Feature.MANY: _MANY}

REFUSED: Mapping[Operation, Mapping[Feature, Refusal]] = MappingProxyType(
    {
        Operation.SEARCH: _OTHER_SOLVERS,
        Operation.INDUCTION: {
            **_OTHER_SOLVERS,
            Feature.LARGE: _refused("evaluates every strategy of every profile", "use the solver exact"),
        },
        Operation.SOLVERS: {Feature.LIMITS: _NO_LIMITS},
        Operation.AGAINST_RECIPIENTS: {Feature.LARGE: _TABLES},
        Operation.ESTIMATE: {Feature.LARGE: _TABLES},
        Operation.WITHIN_LIMITS: {Feature.LAZY: _COLLECTED, Feature.LARGE: _TABLES},
        Operation.KEPT_GROUPS: {
            Feature.PERSONS: _refused("counts each record as a person", "name an attribute as the column")
        },
        Operation.AWARE_GAME: {
            Feature.LIMITS: _NO_LIMITS,
            Feature.RECIPIENTS: _refused(
                "is played against one adversary who knows all",
                "leave the recipients out, and write the greatest gain and the least cost of them under [payoffs]",
            ),
            **_PEOPLE_KNOWN,
            Feature.PERSON: _refused("is about all records together", "solve the whole study"),
            Feature.LAZY: _COLLECTED,
            Feature.LARGE: _TABLES,
            Feature.SHOWN: _GAPS,
        },
        Operation.KEPT_RULE: {Feature.STREAMED: _READ},
        Operation.ONE_PERSON: {
            **_OF_ONE,
            Feature.EARLIER: _refused(
                "needs the earlier rows of the person", "name one of the records, by its number", "record=..."
            ),
            Feature.SHOWN: _refused(
                "needs to know which values the records lack", "name one of the records, by its number", "record=..."
            ),
        },
        Operation.ONE_RECORD: {
            **_OF_ONE,
            Feature.LAZY: _refused("needs rows that have numbers", "name the person by values instead"),
        },
        Operation.ONE_PROFILE: dict.fromkeys(
            [Feature.PERSONS, Feature.EARLIER, Feature.KEPT],
            _refused("needs more than the record itself", "take instance.profiles.of_record of the study"),
        ),
        Operation.GROUPED_ROWS: {**_ROWS_HELD, Feature.SHOWN: _ONE_VALUE},
        Operation.COMPUTED_AGES: _ROWS_HELD,
        Operation.COUNTED_ZIPS: {
            Feature.SAMPLED: _refused("needs a table of the population", _ZIP_AREAS),
            **dict.fromkeys(
                [Feature.EARLIER, Feature.SHOWN],
                _refused("needs each person of the population once", _ZIP_AREAS, unless=(Feature.SELF,)),
            ),
        },
        Operation.AFTER_RELEASES: {
            **_ROWS_HELD,
            Feature.LEVELS: _ESTIMATED,
            Feature.SAMPLED: _ESTIMATED,
            Feature.OWN_LISTS: _SHARED,
            Feature.SHOWN: _GAPS,
        },
        Operation.SHOWN: {
            Feature.LEVELS: _ESTIMATED,
            Feature.OWN_LISTS: _SHARED,
            Feature.PERSONS: _ONE_VALUE,
            Feature.LARGE: _TABLES,
        },
        Operation.KEPT_KNOWLEDGE: {
            **_ROWS_HELD,
            Feature.EARLIER: _LINKED,
            Feature.LEVELS: _ESTIMATED,
            Feature.LARGE: _TABLES,
            Feature.PERSONS: _refused(
                "counts each record as a person", "leave the kept columns out of the recipient's knowledge"
            ),
        },
        Operation.BY_REGIONS: {
            Feature.LARGE: _TABLES,
            **dict.fromkeys(
                [
                    Feature.EARLIER,
                    Feature.SHOWN,
                    Feature.LIMITS,
                    Feature.RECIPIENTS,
                    Feature.PERSONS,
                    Feature.SAMPLED,
                    Feature.LEVELS,
                    Feature.ZIPS,
                ],
                _refused("counts each region alone", "leave the key out, or compare all records together"),
            ),
        },
        **dict.fromkeys([Operation.SWEEP, Operation.OTHER_STAKES], _STAKES_FOLLOWED),
        **dict.fromkeys([Operation.BREAKPOINTS, Operation.EXPLORER], _REPLIES_FOLLOWED),
        Operation.RISK_UTILITY: {Feature.LARGE: _TABLES},
        Operation.EXPOSURE: {
            Feature.SHOWN: _GAPS,
            Feature.EARLIER: _LINKED,
            Feature.KEPT: _AMONG,
            Feature.SAMPLED: _refused(
                "needs a table of the population",
                'estimate uniqueness, or measure the records with whose="records"',
                'whose="records"',
            ),
        },
        Operation.METHOD: {
            Feature.COUPLED: _refused(_COUPLED, _WITHOUT, unless=(Feature.SELF,)),
            Feature.OWN_LISTS: _refused(
                "is defined for the population of the scenario", "leave the recipient's population out"
            ),
            Feature.KEPT: _AMONG,
            Feature.PRICE: _refused("is defined where learning costs nothing", "leave the price out"),
            **_PEOPLE_KNOWN,
            Feature.SHOWN: _GAPS,
        },
        Operation.OTHER_ROWS: {
            Feature.SHOWN: _refused(
                "could lack values that no record lacks", _RUN_AGAIN, unless=(Feature.AWARE, Feature.SELF)
            ),
            Feature.EARLIER: _refused("finds each person again in earlier releases", _TOGETHER, _EARLIER),
            Feature.KEPT: _refused("needs people who are not counted among the rows", _RUN_AGAIN),
            Feature.LIMITS: _refused(
                "needs strategies that depend on no other row, and limits couple them", _TOGETHER, _EARLIER
            ),
            Feature.SELF: _refused(
                "needs a population; with other rows the people change, and all strategies",
                f"give a population, or {_TOGETHER}",
                _EARLIER,
                unless=(Feature.AWARE,),
            ),
            Feature.SAMPLED: _refused("needs a population that is not estimated from the rows", _RUN_AGAIN),
            Feature.PERSONS: _refused(
                "could separate the rows of a person", _TOGETHER, _EARLIER, unless=(Feature.AWARE, Feature.SELF)
            ),
        },
        Operation.ATTACK: {
            Feature.PERSONS: _refused(
                "takes releases with one row for each person", "take the expected numbers in the folder's report"
            ),
            Feature.SAMPLED: _refused("needs a table of the population", "give a population"),
            Feature.LEVELS: _refused(
                "needs people whose attributes are known as they are", "give a population without levels"
            ),
        },
        Operation.SIMULATED: {
            **dict.fromkeys(
                [Feature.OWN_LISTS, Feature.KEPT],
                _refused("looks people up in the population of the scenario", _SIMULATE_ANOTHER, _NAIVE),
            ),
            Feature.PRICE: _refused("does not take a price of learning", _SIMULATE_ANOTHER, _NAIVE),
        },
        Operation.SIMULATED_MORE: {Feature.EARLIER: _GUESSED},
        Operation.SIMULATED_METHOD: {
            Feature.SHOWN: _refused(_GAPS.why, _SIMULATE_ANOTHER, _NAIVE, unless=(Feature.SELF,)),
            Feature.EARLIER: _GUESSED,
            Feature.RECIPIENTS: _refused("is computed against one adversary", _SIMULATE_ANOTHER, _NAIVE),
            Feature.LIMITS: _refused(_COUPLED, _SIMULATE_ANOTHER, _NAIVE, unless=(Feature.SELF,)),
            Feature.SEARCHED: _refused(
                "computes the best strategies, which this solver does not promise", _SIMULATE_ANOTHER, _NAIVE
            ),
        },
        Operation.REPORT: {
            Feature.LARGE: _refused("needs a table entry for each strategy", "run with report=False", "report=False")
        },
        Operation.DEFUSE: {
            Feature.LAZY: _refused(
                "needs the rows in memory", "collect the frame first, or take release_blocks(defuse=True)"
            )
        },
    }
)

IMPLIED: Mapping[Feature, Feature] = MappingProxyType(
    {
        Feature.OWN_LISTS: Feature.RECIPIENTS,
        Feature.KEPT: Feature.RECIPIENTS,
        Feature.PRICE: Feature.RECIPIENTS,
        Feature.MANY: Feature.RECIPIENTS,
        Feature.COUPLED: Feature.LIMITS,
        Feature.DIFFERING_ROWS: Feature.PERSONS,
        Feature.CLUSTER: Feature.LAZY,
    }
)
"""Feature -> another feature that every question with it has."""

Features = Mapping[Feature, str]
"""The features of a question, each with its place: a key of the scenario, or an argument."""


def without_limits(features: Features) -> Features:
    """Return the features of a question for a policy, which has no limits."""
    return {one: where for one, where in features.items() if Feature.LIMITS not in (one, IMPLIED.get(one))}


def refusal_words(operation: Operation, features: Features) -> str | None:
    """Return the reason for refusing a question with these features, in one line; None if it is supported."""
    for feature, refusal in _refusing(operation, features):
        return f"{features[feature]}: {operation.value} {refusal.why}; {refusal.instead}"
    return None


def refuse_unsupported(operation: Operation, features: Features, place: object = None) -> None:
    """Refuse a question that an operation does not support."""
    if (line := refusal_words(operation, features)) is not None:
        arguments = _refusing(operation, features)[0][1].arguments
        raise InvalidScenarioError(line if place is None else f"{place}: {line}", arguments=arguments)


def _refusing(operation: Operation, features: Features) -> list[tuple[Feature, Refusal]]:
    row = REFUSED.get(operation, {}).items()
    return [(one, why) for one, why in row if one in features and not (why.unless and why.unless <= features.keys())]
