"""Equations of the formulas, in Word's format."""

import re
from collections.abc import Iterator
from html import escape

EQUATIONS = {
    "IL(g) = sum over attributes f of w_f ln size_f(g), divided by the sum of w_f ln |D_f|": (
        r"IL(g) = \frac{\sum_f{w_f \ln size_f(g)}}{\sum_f{w_f \ln |D_f|}}"
    ),
    "v(g) = V (1 - IL(g))": "v(g) = V (1 - IL(g))",
    "pi(g) = 1 / n_p(g)": r"\pi(g) = \frac{1}{n_p(g)}",
    "pi_r(g) = (1 - (1 - a_r)^n_r) / n_r": r"\pi_r(g) = \frac{1 - {(1 - a_r)}^{n_r}}{n_r}",
    "gain x pi(g)": r"gain \times \pi(g)",
    "L x pi(g)": r"L \times \pi(g)",
    "q_r x L_r x pi_r(g)": r"q_r \times L_r \times \pi_r(g)",
    "gain_r / n_r": r"\frac{gain_r}{n_r}",
    "gain / n_a": r"\frac{gain}{n_a}",
    "loss / n_a": r"\frac{loss}{n_a}",
    **{words: words for words in ("size_f(g)", "n_p(g)", "v(g)", "|D_f|")},
    **{words: words for words in ("w_f", "n_r", "n_a", "a_r", "q_r", "c_r", "c", "g", "r")},
}
r"""Words of the sentences ``run.formulas`` -> the same in LaTeX, longer words first.

The LaTeX consists of letters and names, ``_`` and ``^``, ``\frac``, ``\sum_f{of this}`` and the signs of ``_SIGNS``.
"""

_WORDS = re.compile("|".join(rf"(?<!\w){re.escape(words)}(?!\w)" for words in EQUATIONS))
_SIGNS = {r"\pi": "π", r"\times": "\u00d7", r"\ln": "ln ", "-": "\u2212"}
_TOKENS = re.compile(r"\\[a-z]+|[A-Za-z]+|\S")
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def words_and_equations(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a text before each equation, and the equation for Word: "" after the last words."""
    start = 0
    for found in _WORDS.finditer(text):
        yield text[start : found.start()], word_equation(EQUATIONS[found.group()])
        start = found.end()
    yield text[start:], ""


def word_equation(latex: str) -> str:
    """Return an equation as Office Math (OMML, ISO/IEC 29500-1, 22.1)."""
    return f'<m:oMath xmlns:m="{_MATH}">{_take_group(_TOKENS.findall(latex))}</m:oMath>'


def _take_group(tokens: list[str]) -> str:
    """Convert and remove tokens up to the end of their group."""
    parts: list[str] = []
    while tokens and tokens[0] != "}":
        if tokens[0] in "_^":
            place, tag = ("sub", "sSub") if tokens.pop(0) == "_" else ("sup", "sSup")
            parts.append(f"<m:{tag}><m:e>{parts.pop()}</m:e><m:{place}>{_take_element(tokens)}</m:{place}></m:{tag}>")
        else:
            parts.append(_take_element(tokens))
    return "".join(parts)


def _take_element(tokens: list[str]) -> str:
    """Convert and remove a group, fraction, sum, size or single sign; names of several letters are upright."""
    sign = tokens.pop(0)
    if sign == "{":
        row = _take_group(tokens)
        tokens.pop(0)
        return row
    if sign == r"\frac":
        return f"<m:f><m:num>{_take_element(tokens)}</m:num><m:den>{_take_element(tokens)}</m:den></m:f>"
    if sign == r"\sum":
        tokens.pop(0)
        kind = '<m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/><m:supHide m:val="1"/></m:naryPr>'
        return (
            f"<m:nary>{kind}<m:sub>{_take_element(tokens)}</m:sub><m:sup/><m:e>{_take_element(tokens)}</m:e></m:nary>"
        )
    if sign == "|":
        inner = _take_group(tokens[: tokens.index("|")])
        del tokens[: tokens.index("|") + 1]
        return f'<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e>{inner}</m:e></m:d>'
    upright = "<m:rPr><m:nor/></m:rPr>" if len(sign) > 1 and sign != r"\pi" else ""
    return f'<m:r>{upright}<m:t xml:space="preserve">{escape(_SIGNS.get(sign, sign))}</m:t></m:r>'
