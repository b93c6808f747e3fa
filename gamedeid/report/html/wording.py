"""What the report says in sentences, from the stored figures alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import dollars, exact_percent, joined, money, number, number_of, percent, range_words
from gamedeid.report.data_words import counted
from gamedeid.report.limit_words import EXPECTATIONS, EXPECTED, RULES, TOGETHER
from gamedeid.report.pictures.words import capital
from gamedeid.report.policy_words import policy_words
from gamedeid.report.question_kind import PLAIN, QuestionKind, kind_of
from gamedeid.report.recipient_words import ALL_MEANINGS
from gamedeid.report.terminal.results import MEASURES

GAME_WORDS = {
    "basic": (
        "basic game",
        (
            "The publisher may release any amount of detail. Every record gets what is worth most: the value of its "
            "detail, less the loss to be expected where an attack would pay. An attack is accepted where preventing it "
            "would cost more."
        ),
    ),
    "no-attack": (
        "no-attack game",
        (
            "The publisher may release only what nobody gains from attacking. Every record keeps as much detail as "
            "that allows."
        ),
    ),
    "sh-friendly": (
        "sh-friendly game",
        (
            "The publisher never releases more detail than {policy} would, in any attribute, and releases less where "
            "an attack would otherwise cost more than the detail is worth."
        ),
    ),
    "aware-basic": (
        "aware-basic game",
        (
            "Everybody in the population gets a strategy, as if it were their record. The strategies are to pay most, "
            "in all, against a recipient who knows them and so can tell how everybody would have been released."
        ),
    ),
    "aware-no-attack": (
        "aware-no-attack game",
        (
            "Everybody in the population gets a strategy, as if it were their record. The publisher releases a record "
            "only in a group of people, alike in strategy and values, that is so large that an attack does not pay "
            "even for a recipient who knows how everybody would have been released."
        ),
    ),
}
"""Name and rules of each game, in words."""

NO_ATTACK_OF_SEVERAL = (
    "The publisher may release only what {nobody} gains from attacking. Of that, every record gets what is worth most."
)
"""Rules of the no-attack game where there are recipients."""

MEANINGS = {
    "publisher_payoff": (
        "What a record is worth to the publisher as it is released, less the loss to be expected from attacks on it: "
        "the mean over all records, of which a withheld one counts as 0. More is better."
    ),
    "adversary_payoff": (
        "What a recipient who attacks only where it pays would gain from a record on average, costs taken off."
    ),
    "unmodified": "Share of the records that are released in full detail.",
    "suppressed": "Share of the records of which no attribute is told at all.",
    "withheld": (
        "Share of the records that are not released: the game permits no release of them, or none that it permits is "
        "worth its risk."
    ),
    "unmatched": (
        "Share of the records that are released and match nobody in the population: counted as safe only because the "
        "population lacks them."
    ),
    "generalization_intensity": "How far records are generalized on average: 0 is full detail, 1 is no detail.",
    "attacked": "Share of the records on which an attack would pay: its expected gain is larger than its cost.",
    "reidentification_probability": (
        "Chance that a record, drawn at random, is attacked and the attack names the right person."
    ),
    "reidentification_probability_attacked": (
        "Chance that an attack names the right person, over the attacked records only."
    ),
    "expected_reidentifications": (
        "How many records must be expected to be traced to the right person if every attack that pays is made."
    ),
}
"""What each measure tells, a sentence or two."""

STAKES = {
    "benefit": ("Benefit", "V", "what a record in full detail is worth to the publisher"),
    "loss": ("Loss", "L", "what the publisher loses when a record is re-identified"),
    "gain": ("Gain", "", "what a recipient gains from a re-identified record"),
    "cost": ("Cost", "c", "what one attack costs the recipient"),
}
"""Name, symbol and meaning of each stake."""

WITHHELD = {
    "basic": "no release of any of them {found}is worth its risk",
    "no-attack": "every release of any of them {found}would be worth attacking, and this game permits none of those",
    "sh-friendly": "no release of any of them {found}is worth its risk, of those that tell no more than {policy}",
    "aware-basic": "no release of any of them {found}is worth its risk",
    "aware-no-attack": "no group was found that is large enough, worth releasing and has a record in it",
}
"""Why a game withholds every record."""

MISSING = {
    "error": "None is allowed: the data have a value in every attribute of every record.",
    "suppress": "A missing value is released as * and could be anybody's.",
}
UNMATCHED = {
    "error": "None is allowed: every record matches somebody in the population.",
    "unique": "A record that matches nobody counts as one of a kind, the riskiest there is.",
    "safe": (
        "A record that matches nobody counts as safe: the population is assumed to have everybody whom a recipient "
        "could look up."
    ),
}

LIMITS = (
    (
        "The recipient weighs money.",
        (
            "An attack is made where its expected gain is larger than its cost, and not otherwise. Somebody who "
            "attacks out of curiosity, spite or by accident is not in the model."
        ),
    ),
    (
        "The recipient knows the attributes, and nothing more.",
        "A recipient who can look up a kept column, or knows more about a person, may do better than the figures say.",
    ),
    (
        "Every record is attacked by itself.",
        "What one re-identification tells about the next, as within a family, is not counted.",
    ),
    (
        "The population is the right one.",
        (
            "If it leaves out people whom the recipient could confuse with those in the data, the true risk is "
            "smaller; if it holds people who could not be meant, it is larger."
        ),
    ),
    (
        "The stakes are those that were put in.",
        "They hold for every record alike; the sensitivity analysis shows what other figures would change.",
    ),
    (
        "Only the release is judged.",
        (
            "Theft, breaches, agreements with the recipient and what is done to enforce them are outside it, and so is "
            "the law: that a figure is small does not make a release lawful."
        ),
    ),
)
"""What the model takes for granted: each in short, and what follows."""

OF_PEOPLE = (
    "The records of one person say the same in every attribute.",
    (
        "How many records a person has, and how the columns that are released as they are go together in them, is not "
        "counted. A recipient who knows this about a person may do better than the figures say."
    ),
)
"""The same where it is said whose each record is."""


STAKES_ALONE = (
    "The stakes are those that were put in.",
    "They hold for every record alike; what other figures would change is not shown here.",
)
"""The same of stakes where it is not computed what others would change."""

ONE_LIST = (
    "Recipients act by themselves.",
    (
        "They do not tell each other what they found, and whether a person is on a list does not depend on who else "
        "is. Who is not among the recipients of the scenario is not in the model."
    ),
)
"""What several recipients take for granted, in short, and what follows."""

KNOWS_LISTED = (
    "A recipient knows the attributes that the scenario says, and nothing more.",
    "One who can look up a kept column, or knows more about a person, may do better than the figures say.",
)
"""What is taken for granted of what recipients know."""

AWARE_PLAYED = {
    "aware-basic": (
        "The game played here, aware-basic, is against a recipient who knows how everybody would have been released."
    ),
    "aware-no-attack": (
        "The game played here, aware-no-attack, permits only groups that are large enough for a recipient who knows "
        "how the release was made."
    ),
}
"""Whom a game of the whole population is against."""

EVERYBODY_ALIKE = (
    "The people of a group are equally likely.",
    (
        "Whoever knows more of them than the attributes, or which profiles the records have, may tell some of them "
        "from the others."
    ),
)
"""What a game against a recipient who knows the mechanism takes for granted."""


def limits(summary: Mapping[str, Any], thieves: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return what the model takes for granted of the data and the question at hand, each in short, and what follows.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    thieves : recipients who attack whatever the chance of success is.
    """
    kind = kind_of(summary)
    money, knows, alone, right, stakes, judged = LIMITS
    if thieves:
        money = (
            money[0],
            (
                "An attack is made where its expected gain is larger than its cost, and not otherwise. Attacks without "
                f"a reason are in the model as far as {joined(thieves, 'and')} stands for them."
            ),
        )
    return [
        money,
        KNOWS_LISTED if kind.recipients else knows,
        *([ONE_LIST] if kind.recipients else []),
        *([EVERYBODY_ALIKE] if kind.aware else []),
        alone,
        *([TOGETHER] if kind.limits else []),
        *([EXPECTATIONS] if kind.limits and EXPECTED & set(summary["limits"]["asked"]) else []),
        *([OF_PEOPLE] if "persons" in summary["data"] else []),
        right,
        stakes if kind.is_plain else STAKES_ALONE,
        judged,
    ]


def rules(summary: Mapping[str, Any], thieves: Sequence[str] = ()) -> str:
    """Return the rules of the game that was played, in words.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    thieves : recipients who attack whatever the chance of success is.
    """
    kind, game = kind_of(summary), summary["game"]
    words = GAME_WORDS[game][1]
    if kind.limits:
        words = RULES[game]
    elif kind.recipients and game == "no-attack":
        words = NO_ATTACK_OF_SEVERAL
    nobody = "no recipient" if kind.recipients else "nobody"
    if thieves:
        nobody += f" other than {joined(thieves, 'and')}"
    said = words.format(policy=policy_words(summary["policy"]["name"]), nobody=nobody)
    return f"{said} The losses to be expected of all recipients are added." if kind.recipients else said


def meaning(key: str, kind: QuestionKind) -> str:
    """Return what a measure tells, a sentence or two.

    Parameters
    ----------
    key : of the measure.
    kind : of the question.
    """
    return ALL_MEANINGS.get(key, MEANINGS[key]) if kind.recipients else MEANINGS[key]


def ratios(summary: Mapping[str, Any]) -> str:
    """Return what would be decided with other stakes of the same ratios.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    """
    dollars_too = [
        name for name in ("list_price", "publisher_payoff") if name in summary.get("limits", {}).get("asked", {})
    ]
    others = ["those of each recipient"] if kind_of(summary).recipients else []
    others += [f"the limit {name}" for name in dollars_too]
    also = f", {joined(others, 'and')} among them," if others else ""
    return f"Only their ratios decide: ten times all of them{also} would change\n  no decision."


def games_words(summary: Mapping[str, Any], thieves: Sequence[str] = ()) -> list[str]:
    """Return what must be known of the games beside each other where the question is not the paper's.

    Parameters
    ----------
    summary : what ``summary.json`` holds.
    thieves : recipients who attack whatever the chance of success is.
    """
    kind, policy = kind_of(summary), capital(policy_words(summary["policy"]["name"]))
    words = []
    if kind.limits:
        words.append(
            f"All games keep to the limits, so that the records of each are decided together; {policy} is as it is."
        )
        if unmet := summary["limits"]["unmet_in"]:
            names = joined([policy_words(name) for name in unmet], "and")
            words.append(f"{capital(names)} {'has' if len(unmet) == 1 else 'have'} no strategies within the limits.")
    if kind.recipients:
        words.append("Figures are of all recipients together; the adversary\u2019s payoff is the sum of theirs.")
    if thieves:
        words.append(
            f"No game keeps {joined(thieves, 'and')} from attacking what is released, and the no-attack game does not "
            "try to."
        )
    if kind.aware:
        words += [AWARE_PLAYED[kind.aware], "The figures of this table are of one who only counts who matches."]
    return words


def sensitivity_words(kind: QuestionKind, *, has_ranges: bool = False) -> str:
    """Return why it is not shown how the answer moves with the stakes, or not all of it; nothing where it is.

    Parameters
    ----------
    kind : of the question.
    has_ranges : whether robust ranges are shown.
    """
    if kind.recipients and has_ranges:
        return (
            "Benefit, loss and cost are estimates. The ranges say how far each can move alone; with it move the "
            "recipients who have none of their own. Lines and maps are of one adversary, and not drawn here."
        )
    if kind.limits:
        why = "within limits on the whole dataset, each other figure would be a search of its own"
    elif kind.aware:
        why = "for every other figure the strategies of the whole population would have to be looked for again"
    elif kind.recipients:
        why = "ranges do not take a price of learning into account, and lines and maps are of one adversary"
    else:
        return ""
    return (
        f"Benefit, loss and cost are estimates. How far the answer depends on them is not shown here: {why}. Run the "
        "scenario again with other figures to see what they change."
    )


def measure(key: str, value: float) -> str:
    """Return a measure's value as people read it."""
    return MEASURES[key][1](value)


def question(summary: Mapping[str, Any]) -> str:
    """Return the question in plain words."""
    records = summary["measures"]["records"]
    which = f"each of {records:,} records about people" if records != 1 else "one record"
    if "persons" in summary["data"]:
        which = f"the records of {number_of(*counted(summary['data']))}"
    who = "any of the recipients" if kind_of(summary).recipients else "the recipient"
    return (
        f"How much detail of {which} can be shared, if {who} might try to find out to whom a record belongs, "
        "but only if that pays?"
    )


def answer(summary: Mapping[str, Any], policy: Mapping[str, Any]) -> list[str]:
    """Return the answer in a few sentences: the measures of the run beside those of the policy."""
    kind = kind_of(summary)
    pays, made = "An attack would pay", "If every attack that pays is made"
    if kind.recipients:
        pays = "An attack would pay for at least one recipient"
        made = "If each recipient who comes to be makes every attack that pays her"
    found, other = summary["measures"], policy_words(policy["policy"])
    most = money(summary["payoffs"]["benefit"])
    unmodified, attacked = (share_words(found[key]) for key in ("unmodified", "attacked"))
    sentences = [
        (
            f"{capital(unmodified)} {_are(found['unmodified'])} released unmodified; under {other}, "
            f"{share_words(policy['unmodified'])}."
        ),
        f"{pays} on {attacked}; under {other}, on {share_words(policy['attacked'])}.",
        (
            f"{made}, {_people(found)} must be expected among "
            f"{number_of(*counted(summary['data']))}; under {other}, {_people(policy)}."
        ),
        f"{_worth(found, most)}; under {other}, {dollars(policy['publisher_payoff'])}.",
    ]
    if found["withheld"] == 1:
        sentences.append("No record is released at all.")
    elif found["withheld"]:
        sentences.append(f"{capital(share_words(found['withheld']))} are not released at all.")
    if not (summary["search"]["proved"] or kind.limits or kind.aware):
        sentences.append(
            f"The strategies were found by {summary['search']['solver']}, which does not prove that none is better."
        )
    return sentences


def all_attacked(summary: Mapping[str, Any]) -> str:
    """Return what stands beside the expected re-identifications: those if all are attacked, even where none pays."""
    found = summary["policies"][summary["game"]]
    if not found["marketer"]["reidentifications"]:
        return ""
    whom = " by every recipient who comes to be" if kind_of(summary).recipients else ""
    return f"{number(found['marketer']['reidentifications'], 1)} if all that is released were attacked{whom}"


def share_words(share: float) -> str:
    """Return a share of the records as a sentence has it."""
    words = {0.0: "no record", 1.0: "every record"}
    return words.get(share) or f"{percent(share)} of the records"


BY_EXACT = "The games are played with their best strategies, which an exact search finds; the release is not."
"""Stands beside what does not speak of the release's own strategies."""


def robust_sentence(robustness: Mapping[str, Any], search: Mapping[str, Any]) -> str:
    """Return how far each stake can move alone while most records keep their strategy, the best or the release's."""
    parts = [f"the {name} {_range(stake_range)}" for name, stake_range in robustness["ranges"].items()]
    decided = "what is decided for them"
    if not search["proved"]:
        decided = f"their best strategy (by an exact search, not by the {search['solver']} of this release)"
    return (
        f"At least {exact_percent(robustness['share'])} of the records keep {decided} as long as "
        f"{joined(parts, 'and')}, each changed alone."
    )


def _range(stake_range: Mapping[str, Any]) -> str:
    words = range_words(stake_range["keeps"], stake_range["chosen"], stake_range["keeps_open"])
    return "has any value" if words == "any" else f"is {words}"


def withheld_sentence(game: str, search: Mapping[str, Any], policy: str, kind: QuestionKind = PLAIN) -> str:
    """Return why a game withholds every record; of a search that proves nothing only for what it looked at."""
    if kind.limits:
        others = "no strategies within the limits pay" if search["proved"] else "no strategies were found that pay"
        return f"Every record is withheld: {others} more in total."
    found = "" if search["proved"] else f"that {search['solver']} came to "
    if kind.recipients and game == "no-attack":
        return (
            f"Every record is withheld: every release of any of them {found}would pay a recipient whom a cost could "
            "deter, or is not worth its risk."
        )
    return f"Every record is withheld: {WITHHELD[game].format(found=found, policy=policy_words(policy))}."


def _worth(measures: Mapping[str, Any], most: str) -> str:
    """Return what a record is worth to the publisher, and what a released one is where not all are."""
    mean, withheld = dollars(measures["publisher_payoff"]), measures["withheld"]
    if withheld == 1:
        return f"A record is worth {mean} to the publisher, since none is released, out of {most} in full detail"
    details = f"the losses to be expected taken off, out of {most} in full detail and without any risk"
    if not withheld:
        return f"A released record is worth {mean} to the publisher on average, {details}"
    of_released = dollars(measures["publisher_payoff"] / (1 - withheld))
    return (
        f"A record is worth {mean} to the publisher on average, withheld ones counted as 0, and a released one "
        f"{of_released}, {details}"
    )


def _people(measures: Mapping[str, Any]) -> str:
    expected = measures["expected_reidentifications"]
    words = number(expected, 1)
    if not expected:
        return "no re-identification"
    return f"fewer than {words[1:]} re-identifications" if words[0] == "<" else f"about {words} re-identifications"


def _are(share: float) -> str:
    return "is" if share in {0, 1} else "are"
