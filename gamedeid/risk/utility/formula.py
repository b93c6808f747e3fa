"""Which columns a model explains by which: a formula is read as data, and never evaluated."""

import re
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple

from gamedeid.errors import InvalidScenarioError, nearest, quoted
from gamedeid.reprs import brief, frozen

MOST_FACTORS = 3
"""An interaction of more columns is refused: hardly any release has enough records for each combination."""

_NAME = r"`[^`]+`|[^\W\d][\w.]*"
_TOKEN = re.compile(rf"\s*(?:C\(\s*(?P<category>{_NAME})\s*\)|(?P<column>{_NAME})|(?P<sign>[~+*]))\s*")
_FORM = "expected RESPONSE ~ COLUMN + COLUMN, with * for interactions, C(COLUMN) for categories, `` around odd names"

Token = tuple[str, str]
"""What a word of a formula is, `column`, `category` or the sign itself, and the word."""


@brief
class Factor(NamedTuple):
    """A column that explains the response; ``category`` says that its numbers are categories."""

    column: str
    category: bool = False


@frozen
class Formula:
    """A response and the terms that explain it: single columns before interactions, and not the intercept."""

    response: str
    terms: tuple[tuple[Factor, ...], ...]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The columns that explain the response, each once."""
        return tuple(dict.fromkeys(factor for term in self.terms for factor in term))


def read_formula(text: str, columns: Collection[str]) -> Formula:
    """Return the model that a formula such as ``y ~ age + C(sex)`` states.

    ``a * b`` is ``a``, ``b`` and their interaction. Functions, arithmetic and a removed intercept are refused.
    """
    tokens = list(_tokens(text))
    if [kind for kind, _ in tokens[:2]] != ["column", "~"]:
        raise _refused(text)
    response = tokens[0][1]
    terms = {term: None for part in _split(tokens[2:], "+", text) for term in _crossed(part, text)}
    formula = Formula(response=response, terms=tuple(sorted(terms, key=len)))
    names = [factor.column for factor in formula.factors]
    for name in (response, *names):
        if name not in columns:
            raise InvalidScenarioError(
                f"model: there is no attribute or kept column {quoted(name)}{nearest(name, tuple(columns))}"
            )
    if response in names:
        raise InvalidScenarioError(f"model: {quoted(response)} is on both sides of ~")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidScenarioError(f"model: {quoted(twice)} is both a number and a category")
    return formula


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None or found.lastgroup is None:
            raise _refused(text)
        place, word = found.end(), found[found.lastgroup].strip("`")
        yield (word if found.lastgroup == "sign" else found.lastgroup, word)


def _split(tokens: list[Token], sign: str, text: str) -> Iterator[list[Token]]:
    """Yield the tokens between signs; none may be empty."""
    part: list[Token] = []
    for token in [*tokens, (sign, sign)]:
        if token[0] != sign:
            part.append(token)
        elif not part:
            raise _refused(text)
        else:
            yield part
            part = []


def _crossed(part: list[Token], text: str) -> Iterator[tuple[Factor, ...]]:
    """Yield the terms of ``a * b``."""
    factors = []
    for one in _split(part, "*", text):
        if len(one) != 1 or one[0][0] not in {"column", "category"}:
            raise _refused(text)
        factors.append(Factor(one[0][1], one[0][0] == "category"))
    factors = sorted(set(factors))
    if len(factors) > MOST_FACTORS:
        raise InvalidScenarioError(f"model: an interaction of more than {MOST_FACTORS} columns is not taken")
    for size in range(1, len(factors) + 1):
        yield from combinations(factors, size)


def _refused(text: str) -> InvalidScenarioError:
    return InvalidScenarioError(f"model: {quoted(text)} is no model; {_FORM}")
