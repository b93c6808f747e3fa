"""Commands and options that mean nothing, or little."""

from random import Random

from fuzzing.case import Case
from fuzzing.questions import PLAIN, POLICIES, drawn
from fuzzing.words import command, odd_options, other_command


def draw_options(rng: Random) -> Case:
    """Return a question that is right, put in an odd way."""
    if rng.randrange(3) == 0:
        question = rng.choice((PLAIN, POLICIES))
        return Case(kind="options", words=other_command(rng), files=question.files())
    words = (*command(rng, odd=0.1), *odd_options(rng))
    if rng.randrange(8) == 0:
        moved = list(words)
        rng.shuffle(moved)
        words = tuple(moved)
    return Case(kind="options", words=words, files=drawn(rng).files())
