"""What the report says of its limits: what the model takes for granted of people, data and stakes."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import joined
from gamedeid.report.limit_words import EXPECTATIONS, EXPECTED, TOGETHER
from gamedeid.report.question_kind import kind_of

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

EVERYBODY_ALIKE = (
    "The people of a group are equally likely.",
    (
        "Whoever knows more of them than the attributes, or which profiles the records have, may tell some of them "
        "from the others."
    ),
)
"""What a game against a recipient who knows the mechanism takes for granted."""


def limitations(summary: Mapping[str, Any], thieves: Sequence[str] = ()) -> list[tuple[str, str]]:
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
