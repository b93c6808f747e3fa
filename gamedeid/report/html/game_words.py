"""What the report says of the games: their names and rules, and what their figures leave out."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.amounts import joined
from gamedeid.pictures.words import capital
from gamedeid.report.limit_words import RULES
from gamedeid.report.policy_words import policy_words
from gamedeid.report.question_kind import PLAIN, QuestionKind, kind_of

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
            "The publisher may release only what a recipient who counts does not gain from attacking. Every record "
            "keeps as much detail as that allows."
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
    "The publisher may release only what {nobody} who counts gains from attacking. Of that, every record gets what is "
    "worth most."
)
"""Rules of the no-attack game where there are recipients."""

WITHHELD = {
    "basic": "no release of any of them {found}is worth its risk",
    "no-attack": "every release of any of them {found}would be worth attacking, and this game permits none of those",
    "sh-friendly": "no release of any of them {found}is worth its risk, of those that tell no more than {policy}",
    "aware-basic": "no release of any of them {found}is worth its risk",
    "aware-no-attack": "no group was found that is large enough, worth releasing and has a record in it",
}
"""Why a game withholds every record."""

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
    nobody = "no recipient"
    if thieves:
        nobody += f" other than {joined(thieves, 'and')}"
    said = words.format(policy=policy_words(summary["policy"]["name"]), nobody=nobody)
    return f"{said} The losses to be expected of all recipients are added." if kind.recipients else said


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
