"""Warnings of kept columns that disclose generalized values, or name people: with shares, never with a value."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from questions import question

from gamedeid.catalogue import sentences
from gamedeid.data.column_names import looks_like_identifier, looks_like_person_key
from gamedeid.report.warnings import kept_words
from gamedeid.risk.diversity import LEAST_ROWS, check_kept_columns
from gamedeid.study.solve import solve

ROWS = 400


def people(**columns):
    """Ages and sexes so rare that nearly every record is generalized, and more columns."""
    draw = np.random.default_rng(7)
    age, sex = draw.integers(0, 121, ROWS), draw.choice(["Male", "Female"], ROWS)
    return pd.DataFrame({"age": age, "sex": sex, **columns})


def warned(frame, game="no-attack", **changes):
    kept = [name for name in frame if name not in {"age", "sex"}]
    solution = solve(question({"records.keep": kept} | changes), frame, game=game)
    return check_kept_columns(solution), solution


@pytest.mark.parametrize(
    ("name", "determines", "value"),
    [
        ("wife", lambda frame: frame["sex"] == "Female", "SECRETYES"),
        ("relationship", lambda frame: (frame["sex"] == "Male") & (frame["age"] % 2 == 0), "Husband"),
    ],
)
def test_a_column_that_determines_a_generalized_attribute_gets_a_warning_with_its_share_of_rows(
    name, determines, value
):
    frame = people()
    frame[name] = np.where(determines(frame), value, "no")
    found, solution = warned(frame)
    generalized = (solution.levels[:, 1] > 0)[solution.study.instance.profiles.of_record]
    share = (generalized & (determines(frame) | (name == "wife"))).mean()  # everyone except wives is a man

    assert 0 < share < 1
    [one] = found.warnings
    assert (name, "gives back", "sex", pytest.approx(share)) == (one.column, one.why, one.attribute, one.share)
    assert (
        f"Kept column {name} gives sex back in {share:.2%} of the released rows, where it was generalized."
        in kept_words(found.as_dict(), ROWS)
    )
    assert value not in json.dumps(found.as_dict())


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(1).choice(["a", "b"], ROWS),  # discloses nothing
        np.arange(ROWS) // (LEAST_ROWS - 1),  # too few rows for each value
        ["x"] * ROWS,  # one value for all
        [None] * ROWS,
        [[1]] * ROWS,  # nested: not counted
    ],
)
def test_a_column_that_discloses_nothing_gets_no_warning(values):
    assert () == warned(people(other=values))[0].warnings


def test_a_value_of_nearly_every_record_is_not_disclosed_by_any_column():
    frame = people(other=np.random.default_rng(2).choice(["a", "b"], ROWS))
    frame["sex"] = np.where(np.arange(ROWS) < 4, "Female", "Male")

    assert () == warned(frame)[0].warnings


def test_nothing_is_disclosed_if_nothing_was_generalized():
    frame = people()
    frame["wife"] = frame["sex"]
    found, solution = warned(frame, game="basic", **{"payoffs.loss": 1e-3, "payoffs.gain": 1e-3})

    assert 1.0 == solution.measures["unmodified"]
    assert () == found.warnings


def test_a_column_with_nearly_unique_values_or_an_identifiers_name_gets_a_warning():
    values = [f"SECRET{max(number, 1)}" for number in range(ROWS)]
    found, _ = warned(people(remark=values, **{"E-Mail": ["x", None] * (ROWS // 2)}))

    assert [("remark", "unique", None, (ROWS - 2) / ROWS), ("E-Mail", "identifier", None, 0.5)] == [
        (one.column, one.why, one.attribute, one.share) for one in found.warnings
    ]
    assert () == warned(people(remark=values).head(LEAST_ROWS - 1))[0].warnings


def test_shares_leave_withheld_rows_out():
    frame = people(email=["x"] * ROWS, remark=np.arange(ROWS))
    found, solution = warned(frame, **{"payoffs.loss": 1e9})

    assert 1.0 == solution.measures["withheld"]
    assert [("email", 0.0)] == [(one.column, one.share) for one in found.warnings], "no unique value is released"


def test_the_message_says_that_rows_stored_elsewhere_are_not_searched():
    frame = pl.LazyFrame(people(email=["x"] * ROWS).to_dict("list"))
    found = check_kept_columns(solve(question({"records.keep": ["email"]}), frame))

    assert None is found.rows_looked_at
    assert kept_words(found.as_dict(), ROWS) == [
        "Kept column email looks like a direct identifier by its name.",
        *sentences("warnings.kept_rows", {"unchecked": True, "partial": False}),
    ]


def test_the_message_says_that_only_some_rows_were_searched():
    kept = {"columns": 1, "rows_looked_at": 10, "warnings": [{"column": "c", "why": "unique", "share": 0.95}]}

    assert "Shares of kept columns are of the released rows among the first 10 records." == kept_words(kept, 20)[-1]
    assert 1 == len(kept_words(kept, 10))
    assert [] == kept_words(kept | {"warnings": []}, 20)
    found, _ = warned(people())  # no column of it is kept
    assert (0, None, ()) == (found.columns, found.rows_looked_at, found.warnings)


NEITHER = ("drug_name", "education-num", "relationship", "diagnosis", "study_id", "shipping", "id", "")


@pytest.mark.parametrize(
    ("looks", "names"),
    [
        ((True, False), ("name", "Nachname", "last.name", "home phone", "ip_address")),
        ((True, True), ("SSN", "patient_id", "PatientID", "subject")),
        ((False, False), NEITHER),
    ],
    ids=["identifiers", "keys of persons", "neither"],
)
def test_names_tell_the_kind_of_a_column(looks, names):
    assert dict.fromkeys(names, looks) == {
        name: (looks_like_identifier(name), looks_like_person_key(name)) for name in names
    }
