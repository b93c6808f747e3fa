"""Scenario files with odd content, and commands and options without a sensible meaning."""

from random import Random

from fuzzing.case import Case
from fuzzing.mutation import change_bytes, change_tree, to_toml
from fuzzing.questions import PLAIN, POLICIES, TOKENS, drawn
from fuzzing.words import command, odd_options, other_command


def draw_scenario(rng: Random) -> Case:
    """Return a question whose scenario has odd values, keys or bytes."""
    question = drawn(rng)
    files = question.files()
    tree = question.scenario
    if rng.randrange(5):
        tree = change_tree(rng, tree)
    text = to_toml(tree)
    if rng.randrange(8) == 0 or tree is question.scenario:
        text = change_bytes(rng, text)
    words = command(rng, odd=0.02)
    if rng.randrange(8) == 0:
        words += odd_options(rng)
    # a scenario may keep a column that it should drop: then its values are not secret
    tokens = TOKENS if _drops(tree) and text == to_toml(tree) else ()
    return Case(kind="scenario", words=words, files={**files, "scenario.toml": text}, tokens=tokens)


def _drops(tree: dict[str, object]) -> bool:
    """Return whether the secret columns are still dropped, and the header is still read as one."""
    records, population = tree.get("records"), tree.get("population", {"drop": ["street"]})
    if not isinstance(records, dict) or not isinstance(population, dict):
        return False
    whole = ["name", "home", "income"]
    known = records.get("columns") in (None, whole) and "columns" not in population
    left_out = records.get("drop") == ["name"] or (records.get("person") == "name" and not records.get("drop"))
    return left_out and known and "street" not in str(tree.get("attributes"))


def draw_options(rng: Random) -> Case:
    """Return a valid question with odd options."""
    if rng.randrange(3) == 0:
        question = rng.choice((PLAIN, POLICIES))
        return Case(kind="options", words=other_command(rng), files=question.files())
    words = (*command(rng, odd=0.1), *odd_options(rng))
    if rng.randrange(8) == 0:
        moved = list(words)
        rng.shuffle(moved)
        words = tuple(moved)
    return Case(kind="options", words=words, files=drawn(rng).files())
