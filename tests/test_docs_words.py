"""Are the pages in plain technical English, without the removed patterns, and has the glossary the field's terms?"""

import json
import re
from pathlib import Path

import pytest
from doc_examples import DOCS, FENCE, PAGES, ROOT

PATTERNS = {
    "name the thing instead of a clause with `what`": r"\b(?<!`)what (?!if\b)",
    "`is` or `means` instead of `stands`": r"\b(?:stand|stands|stood)\b",
    "`no one`, or the condition": r"\bnobody\b",
    "`separate`, or nothing": r"\bof (?:its|their|her|his|your|our) own\b",
    "`compared with`, `next to` or `with`": r"\bbeside\b",
    "`show` or `report`": r"\b(?:tell|tells|told)\b",
    "`active`, or the probability": r"\bcomes? to be\b",
    "`the recipient`": r"\b(?:she|her|hers)\b",
    "`(default: X)`": r"\bunless given\b",
    "`all people` or `every person`": r"\beverybody\b",
    "`all checks passed`": r"is what it claims|taken care of|what came of",
}
ALLOWED = {
    "docs/theory/uniqueness.md": {"as her namesake"},  # a woman
    "docs/troubleshooting.md": {"stands for a missing"},  # a message
}
"""Page -> the phrases in which it may have one of the patterns."""

PROSE = [page for page in [*PAGES, *sorted(DOCS.glob("gallery/*.ipynb"))] if "decisions" not in page.parts]


def prose(page: Path) -> str:
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.sub(r"^>.*$", "", FENCE.sub("", text), flags=re.MULTILINE)  # the law is quoted as it is


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_has_none_of_the_patterns_that_were_removed(page):
    text = prose(page)
    for phrase in ALLOWED.get(page.relative_to(ROOT).as_posix(), ()):
        assert phrase in text, f"no longer there: {phrase}"
        text = text.replace(phrase, "")
    found = [
        (say, text[max(0, hit.start() - 30) : hit.end() + 30])
        for say, pattern in PATTERNS.items()
        for hit in re.finditer(pattern, text, re.IGNORECASE)
    ]
    assert [] == found


FIELD = {
    *("equivalence class", "quasi-identifier", "full-domain recoding", "local recoding", "record suppression"),
    *("Pareto front", "best response", "knapsack", "payoff parameters", "Stackelberg game"),
}


def test_the_glossary_has_the_terms_of_the_field():
    text = (DOCS / "glossary.md").read_text("utf-8")
    assert set() == {term for term in FIELD if term not in text}
