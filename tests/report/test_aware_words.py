"""What is said of a recipient who knows the mechanism, in every case there is."""

from typing import Any

import pytest

from gamedeid.report.aware_words import COLUMNS, aware_rows, aware_words


def found(naive: float, aware: float, *, unlike: int = 0, records: int = 10) -> dict[str, Any]:
    def side(share: float) -> dict[str, Any]:
        return {
            "attacked": share,
            "expected_reidentifications": share * records / 2,
            "publisher_payoff": 100 * (1 - share),
            "groups": {"1": 0.0, "3": share},
        }

    return {"records": records, "naive": side(naive), "aware": side(aware), "unlike": unlike}


@pytest.mark.parametrize(
    ("case", "released", "said"),
    [
        (None, True, ["is not told here"]),
        (found(0, 0), False, ["Everything is withheld: there is nothing to attack"]),
        (found(0, 0), True, ["finds no record worth attacking.", "gains her nothing"]),
        (found(0.5, 0.5), True, ["finds 5 of 10 records (50.00%) worth attacking.", "gains her nothing"]),
        (
            found(0, 0.5),
            True,
            [
                "finds no record worth attacking.",
                "She finds 5 of 10 records (50.00%) worth attacking; 2.5 re-identifications are expected instead",
                "real payoff is $50.00 per record, not $100.00.",
            ],
        ),
        (found(0, 1, records=1), True, ["She finds 1 of 1 record (100.00%) worth attacking"]),
        (found(0, 0, unlike=1), True, ["1 record is released as nobody of the population would be"]),
        (found(0, 0.5, unlike=2), True, ["2 records are released as nobody of the population would be"]),
    ],
)
def test_it_is_said_what_knowing_the_mechanism_gives_away(case: Any, released: bool, said: list[str]) -> None:
    text = " ".join(aware_words(case, unit="record", released=released))
    for words in said:
        assert words in text
    assert all(len(row) == len(COLUMNS) for row in aware_rows(case))


def test_of_people_it_speaks_of_people() -> None:
    text = " ".join(aware_words(found(0, 0.5), unit="person", released=True))
    assert "5 of 10 people" in text
    assert "per person" in text
