"""What is said of a recipient who knows the mechanism, in every case there is."""

from typing import Any

import pytest

from gamedeid.report.words.aware import COLUMNS, aware_rows, aware_words


def found(naive: float, aware: float, *, unlike: int = 0, records: int = 10) -> dict[str, Any]:
    def side(share: float) -> dict[str, Any]:
        return {
            "attacked": share,
            "expected_reidentifications": share * records / 2,
            "publisher_payoff": 100 * (1 - share),
            "groups": {"1": 0.0, "3": share},
            "spread": {"at_least_one": share, "low": 0, "high": records, "highest": share},
        }

    return {"records": records, "naive": side(naive), "aware": side(aware), "unlike": unlike}


@pytest.mark.parametrize(
    ("case", "released", "said"),
    [
        ("nobody counted", True, ["are not computed here: nobody counted."]),
        (found(0, 0), False, ["Everything is withheld: there is nothing to attack"]),
        (found(0, 0), True, ["finds no record worth attacking.", "gains the recipient nothing"]),
        (found(0.5, 0.5), True, ["finds 5 of 10 records (50.00%) worth attacking.", "gains the recipient nothing"]),
        (
            found(0, 0.5),
            True,
            [
                "finds no record worth attacking.",
                "This recipient finds 5 of 10 records (50.00%) worth attacking; 2.5 re-identifications are expected in",
                "real payoff is $50.00 per record, not $100.00.",
            ],
        ),
        (found(0, 1, records=1), True, ["This recipient finds 1 of 1 record (100.00%) worth attacking"]),
        (found(0, 0, unlike=1), True, ["1 record has a release that no one in the population would have"]),
        (found(0, 0.5, unlike=2), True, ["2 records have a release that no one in the population would have"]),
    ],
)
def test_it_is_said_what_knowing_the_mechanism_gives_away(case: Any, released: bool, said: list[str]) -> None:
    text = " ".join(aware_words(case, unit="record", released=released))
    for words in said:
        assert words in text
    assert all(len(row) == len(COLUMNS) for row in aware_rows(case))


def of_recipients(naive: float, aware: float, **more: Any) -> dict[str, Any]:
    both = found(naive, aware, **more)
    return both | {"recipients": {"thief": {side: both[side] for side in ("naive", "aware")}}}


@pytest.mark.parametrize(
    ("case", "released", "said"),
    [
        (of_recipients(0, 0), False, ["Everything is withheld: there is nothing to attack"]),
        (of_recipients(0, 0), True, ["at least one of them finds no record worth attacking.", "gains them nothing"]),
        (of_recipients(0.5, 0.5), True, ["finds 5 of 10 records (50.00%) worth attacking.", "gains them nothing"]),
        (
            of_recipients(0, 0.5),
            True,
            [
                "at least one of them finds no record worth attacking.",
                "finds 5 of 10 records (50.00%) worth attacking; 2.5 re-identifications are expected instead of 0.0.",
                "real payoff is $50.00 per record, not $100.00.",
            ],
        ),
        (of_recipients(0, 0, unlike=1), True, ["1 record has a release that no one in the population would have"]),
    ],
)
def test_it_is_said_what_it_gives_recipients(case: Any, released: bool, said: list[str]) -> None:
    text = " ".join(aware_words(case, unit="record", released=released))
    for words in said:
        assert words in text
    rows = {name: sides for name, *sides in aware_rows(case)}
    assert {"thief: attacks, if it gets the release", "thief: expected re-identifications"} <= rows.keys()


def test_of_people_it_speaks_of_people() -> None:
    text = " ".join(aware_words(found(0, 0.5), unit="person", released=True))
    assert "5 of 10 people" in text
    assert "per person" in text
