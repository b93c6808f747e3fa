"""What the report says of a measure: its meaning, and its value as people read it."""

from gamedeid.report.question_kind import QuestionKind
from gamedeid.report.recipient_words import ALL_MEANINGS
from gamedeid.report.terminal.results import MEASURES

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


def meaning(key: str, kind: QuestionKind) -> str:
    """Return what a measure tells, a sentence or two.

    Parameters
    ----------
    key : of the measure.
    kind : of the question.
    """
    return ALL_MEANINGS.get(key, MEANINGS[key]) if kind.recipients else MEANINGS[key]


def measure(key: str, value: float) -> str:
    """Return a measure's value as people read it."""
    return MEASURES[key][1](value)
