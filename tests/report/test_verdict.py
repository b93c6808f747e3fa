"""The verdict agrees with the numbers in every case; its words are in tests/gold/sentences.txt."""

import re

from printed_verdicts import SPREAD, VERDICTS, lines_of, on, row

from gamedeid.choices import MEASURES
from gamedeid.report.words.measures import MEASURES as SHOWN
from gamedeid.report.words.measures import best_values, spread_words

FALSE = r"(?<![\d.,])(1(\.0)? times|0(\.0)?% (more|less)|0\.0 |100(\.0)?% (less|fewer)|nan\b|inf\b)"
"""Texts of numbers that rounding has made false."""


def test_rows_of_the_table_have_as_many_cells_as_its_head():
    for verdict in VERDICTS.values():
        heads, rows = verdict.games
        assert {len(verdict.recipients.headings)} >= {len(one) for one in verdict.recipients.rows}
        assert {len(heads)} == {len(one) for one in rows}


def test_only_certain_events_have_a_chance_of_100_percent():
    sure, almost = ({**SPREAD, "at_least_one": 1.0, "highest": highest} for highest in (1.0, 0.5))

    assert "100%; 0 to 3" == spread_words(sure)
    assert ">99%; 0 to 3" == spread_words(almost)
    assert "not computed" == spread_words(None)


def test_no_sentence_rounds_to_a_falsehood():
    for mine in (0.0, 1e-9, 0.004, 0.0499, 0.96, 1.0, 5.04, 5.05, 1e6):
        for other in (0.0, 1e-9, 0.004, 0.96, 5.0, 5.05, 1e6):
            for payoff in (-3.0, 0.0, 1e-4, 799.9999, 800.0, 800.3, 1200.0):
                verdict = on(row(other, 800.0), row(mine, payoff, knows=mine, all_attacked=mine))
                assert not re.search(FALSE, " ".join(lines_of(verdict)))
                assert 3 * (mine == 0) == [one[2] for one in verdict.recipients.rows].count("none")


def test_the_best_values_of_a_row_are_known():
    assert [False, True, False] == best_values("publisher_payoff", [1.0, 3.0, 2.0], ["$1", "$3", "$2"])
    assert [True, True, False] == best_values("attacked", [0.10001, 0.1, 0.3], ["10%", "10%", "30%"])
    assert [False, False] == best_values("withheld", [0.0, 0.0], ["0%", "0%"])
    assert [False, False] == best_values("searched", [1.0, 2.0], ["1", "2"])
    assert [False] == best_values("attacked", [0.0], ["0%"])
    assert [False, False] == best_values("attacked", [0.1, 0.0], ["10%", "not computed"])


def test_every_measure_has_a_best_direction_or_none_by_choice():
    assert set(MEASURES) == set(SHOWN)
