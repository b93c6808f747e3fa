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

COUNTS = (
    "The recipient is taken to count who matches, and not to know the method.",
    (
        "A recipient who has this program, the scenario and the population can compute how each person would have been "
        "released, and finds more. {known}"
    ),
)
"""What holds of a game whose recipient only counts, in short, and what follows."""

ATTRIBUTES = (
    "Only identity is measured.",
    (
        "A recipient who does not know which record is a person's can still learn what all records that match the "
        "person have in common (attribute disclosure). Gain and loss do not count it; the diversity of kept columns, "
        "where there are any, shows part of it."
    ),
)
"""What no figure counts, in short, and what follows."""

EXPECTED_NUMBERS = (
    "Expected numbers are means.",
    (
        "What happens may be more or fewer: an expectation of 2.7 is a chance of about 93% of at least one. Beside an "
        "expectation stand the chance of at least one re-identification and the range from the 2.5% to the 97.5% "
        "quantile of their number."
    ),
)
"""What an expectation does not say, in short, and what follows."""

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
        (
            "A recipient with other data, who can look up a kept column, link another release or knows more about a "
            "person, may do better than the figures say."
        ),
    ),
    (
        "Every record is attacked by itself.",
        (
            "Attacks succeed independently of each other: what one re-identification shows about the next, as within a "
            "family, is not counted. The chance of at least one and the 95% range follow from that; where attacks "
            "succeed or fail together, the range is wider."
        ),
    ),
    (
        "The population is the right one.",
        (
            "If it leaves out people whom the recipient could confuse with those in the data, the true risk is "
            "smaller; if it holds people who could not be meant, it is larger. Its counts are taken as exact; those of "
            "a census have errors, and people move after it."
        ),
    ),
    (
        "The stakes are those that were put in.",
        (
            "They are equal for all records, although a record about a rare disease may be worth more to a recipient; "
            "the sensitivity analysis shows what other figures would change."
        ),
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
    (
        "They are equal for all records, although a record about a rare disease may be worth more to a recipient; what "
        "other figures would change is not shown here."
    ),
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
    (
        "One with other data, who can look up a kept column, link another release or knows more about a person, may do "
        "better than the figures say."
    ),
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
        *([] if kind.aware else [_counts(summary)]),
        KNOWS_LISTED if kind.recipients else knows,
        ATTRIBUTES,
        *([ONE_LIST] if kind.recipients else []),
        *([EVERYBODY_ALIKE] if kind.aware else []),
        alone,
        EXPECTED_NUMBERS,
        *([TOGETHER] if kind.limits else []),
        *([EXPECTATIONS] if kind.limits and EXPECTED & set(summary["limits"]["asked"]) else []),
        *([OF_PEOPLE] if "persons" in summary["data"] else []),
        right,
        stakes if kind.is_plain else STAKES_ALONE,
        judged,
    ]


def _counts(summary: Mapping[str, Any]) -> tuple[str, str]:
    """Return that the recipient is taken to count, and where the figures of one who knows the method stand."""
    aware = summary["policies"][summary["game"]]["aware"]
    known = "The verdict has the figures of both."
    if isinstance(aware, str):
        known = "The figures of that recipient are not computed here."
    return COUNTS[0], COUNTS[1].format(known=known)
