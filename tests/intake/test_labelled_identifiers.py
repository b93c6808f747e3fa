"""How well the check does on a table whose columns are labelled: all 18 kinds, and columns that look like some."""

from pathlib import Path

import pyarrow as pa
import pytest
from identifiers_in_texts import TextScores, text_scores
from labelled_identifiers import LABELLED, PLAIN, Scores, labelled_table, scores_of

import gamedeid
from gamedeid.intake.identifiers.findings import KINDS

PAGE = Path(gamedeid.__file__).parents[1] / "docs" / "howto" / "check-identifiers.md"


@pytest.fixture(scope="module", params=[1, 2])
def scores(request) -> Scores:
    return scores_of(request.param)


def test_every_labelled_column_is_found_as_what_it_is(scores):
    assert [] == scores.missed
    assert 1.0 == scores.recall


def test_more_than_nine_of_ten_findings_are_right(scores):
    assert scores.precision > 0.9, scores.wrong


def test_the_table_has_columns_of_every_kind_and_as_many_of_none():
    assert {*"ABCDEFGHIJKLMNOPQR", "text"} == {letter for letter, _ in LABELLED.values()}
    assert {kind.safe_harbor or "text" for kind in KINDS.values()} == {letter for letter, _ in LABELLED.values()}
    assert len(PLAIN) >= 50


def test_strong_evidence_is_what_a_run_refuses_and_no_plain_column_has_it(scores):
    assert not scores.strong_and_wrong


def test_no_value_of_the_table_is_in_what_is_found():
    table = labelled_table(3, rows=60)
    found = gamedeid.check_identifiers(pa.table(table))
    told = f"{found!r}{found.as_dict()}{found._repr_html_()}"
    values = {value for column in table if column in LABELLED for value in table[column] if len(value) > 6}

    assert len(values) > 1000
    assert [] == [value for value in values if value in told]


def test_the_page_shows_these_figures():
    assert f"\n{scores_of(1).words()}\n" in PAGE.read_text("utf-8")


@pytest.fixture(scope="module")
def in_texts() -> TextScores:
    return text_scores(1)


def test_every_kind_with_a_pattern_is_refused_in_texts_of_any_length_from_a_single_row_on(in_texts):
    assert [] == in_texts.missed


def test_clean_texts_are_not_refused(in_texts):
    assert [] == in_texts.refused


def test_the_page_shows_the_figures_of_identifiers_in_texts(in_texts):
    assert f"\n{in_texts.words()}\n" in PAGE.read_text("utf-8")
