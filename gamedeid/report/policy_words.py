"""What people call a policy or a game, in a sentence and at the head of a column."""

from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.errors import shown
from gamedeid.pictures.words import POLICY_NAMES, capital


def policy_words(name: str) -> str:
    """Return what a sentence calls a policy or a game.

    Examples
    --------
    >>> policy_words("safe-harbor"), policy_words("no-attack")
    ('Safe Harbor', 'the no-attack game')
    """
    if name in GAMES or name in AWARE_GAMES:
        return f"the {name} game"
    return POLICY_NAMES.get(name, f"the policy \u201c{shown(name)}\u201d")


def heading_words(name: str) -> str:
    """Return what stands for a policy or a game at the head of a column.

    Examples
    --------
    >>> heading_words("limited-data-set"), heading_words("basic")
    ('Limited Data Set', 'Basic')
    """
    return capital(POLICY_NAMES.get(name, name).removeprefix("the "))
