"""What the report says in sentences, from the stored figures alone."""

from collections.abc import Mapping
from typing import Any

from gamedeid.amounts import dollars, exact_percent, joined, money, number, number_of, percent, range_words
from gamedeid.report.data_words import counted
from gamedeid.report.pictures.words import capital
from gamedeid.report.policy_words import policy_words
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
}
"""Name and rules of each game, in words."""

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


def limits(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what the model takes for granted of the data at hand, each in short, and what follows.

    Parameters
    ----------
    data : what ``summary.json`` has under ``data``.
    """
    return [*LIMITS[:3], *([OF_PEOPLE] if "persons" in data else []), *LIMITS[3:]]


def measure(key: str, value: float) -> str:
    """Return a measure's value as people read it."""
    return MEASURES[key][1](value)


def question(summary: Mapping[str, Any]) -> str:
    """Return the question in plain words."""
    records = summary["measures"]["records"]
    which = f"each of {records:,} records about people" if records != 1 else "one record"
    if "persons" in summary["data"]:
        which = f"the records of {number_of(*counted(summary['data']))}"
    return (
        f"How much detail of {which} can be shared, if the recipient might try to find out to whom a record belongs, "
        "but only if that pays?"
    )


def answer(summary: Mapping[str, Any], policy: Mapping[str, Any]) -> list[str]:
    """Return the answer in a few sentences: the measures of the run beside those of the policy."""
    found, other = summary["measures"], policy_words(policy["policy"])
    most = money(summary["payoffs"]["benefit"])
    unmodified, attacked = (share_words(found[key]) for key in ("unmodified", "attacked"))
    sentences = [
        (
            f"{capital(unmodified)} {_are(found['unmodified'])} released unmodified; under {other}, "
            f"{share_words(policy['unmodified'])}."
        ),
        f"An attack would pay on {attacked}; under {other}, on {share_words(policy['attacked'])}.",
        (
            f"If every attack that pays is made, {_people(found)} must be expected among "
            f"{number_of(*counted(summary['data']))}; under {other}, {_people(policy)}."
        ),
        f"{_worth(found, most)}; under {other}, {dollars(policy['publisher_payoff'])}.",
    ]
    if found["withheld"] == 1:
        sentences.append("No record is released at all.")
    elif found["withheld"]:
        sentences.append(f"{capital(share_words(found['withheld']))} are not released at all.")
    if not summary["search"]["proved"]:
        sentences.append(
            f"The strategies were found by {summary['search']['solver']}, which does not prove that none is better."
        )
    return sentences


def all_attacked(summary: Mapping[str, Any]) -> str:
    """Return what stands beside the expected re-identifications: those if all are attacked, even where none pays."""
    found = summary["policies"][summary["game"]]
    if not found["marketer"]["reidentifications"]:
        return ""
    return f"{number(found['marketer']['reidentifications'], 1)} if all that is released were attacked"


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


def withheld_sentence(game: str, search: Mapping[str, Any], policy: str) -> str:
    """Return why a game withholds every record; of a search that proves nothing only for what it looked at."""
    found = "" if search["proved"] else f"that {search['solver']} came to "
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
