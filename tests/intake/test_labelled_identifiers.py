"""The scores of the check on a labelled table: columns of all 18 kinds, and columns that look like some."""

from pathlib import Path

import pyarrow as pa
import pytest
from identifiers_in_texts import TextScores, text_scores
from labelled_identifiers import LABELLED, PLAIN, labelled_table, scores_of

import gamedeid
from gamedeid.intake.identifiers.findings import KINDS

PAGE = Path(gamedeid.__file__).parents[1] / "docs" / "howto" / "check-identifiers.md"


@pytest.mark.parametrize("seed", [1, 2])
def test_labelled_columns_are_found_by_kind_and_no_plain_one_has_strong_evidence(seed):
    scores = scores_of(seed)

    assert [] == scores.missed
    assert scores.precision > 0.9, scores.wrong
    assert [] == scores.strong_and_wrong


def test_the_table_has_columns_of_every_kind_and_as_many_of_none():
    assert {*"ABCDEFGHIJKLMNOPQR", "text"} == {letter for letter, _ in LABELLED.values()}
    assert {kind.safe_harbor or "text" for kind in KINDS.values()} == {letter for letter, _ in LABELLED.values()}
    assert len(PLAIN) >= 50


def test_no_value_of_the_table_is_in_the_findings():
    table = labelled_table(3, rows=60)
    found = gamedeid.check_identifiers(pa.table(table))
    told = f"{found!r}{found.as_dict()}{found._repr_html_()}"
    values = {value for column in table if column in LABELLED for value in table[column] if len(value) > 6}

    assert len(values) > 1000
    assert [] == [value for value in values if value in told]


@pytest.fixture(scope="module")
def in_texts() -> TextScores:
    return text_scores(1)


def test_kinds_with_a_pattern_are_refused_in_texts_from_a_single_row_on_and_clean_texts_are_not(in_texts):
    assert ([], []) == (in_texts.missed, in_texts.refused)


def test_the_page_shows_these_figures(in_texts):
    page = PAGE.read_text("utf-8")
    assert [] == [words for words in (scores_of(1).words(), in_texts.words()) if f"\n{words}\n" not in page]
