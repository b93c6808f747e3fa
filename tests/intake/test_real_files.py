"""Real files with odd columns, and their drafts."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from gamedeid import InvalidDataError, InvalidScenarioError, draft_scenario, solve

ROWS = 120
SEXES, AGES = ["F", "M"], [str(20 + number % 60) for number in range(ROWS)]


def drafted(**columns):
    """Return column -> its drafted part, of columns of text and of ages and sexes."""
    table = {"age": AGES, "sex": [SEXES[row % 2] for row in range(ROWS)]} | columns
    return {one.name: one for one in draft_scenario(pa.table(table), year=2026).columns}


def repeated(*values):
    return [values[row % len(values)] for row in range(ROWS)]


DAYS = [f"{1 + row % 28:02}" for row in range(ROWS)]


@pytest.mark.parametrize(
    ("values", "because"),
    [
        ([f"2024-03-{day}" if row % 2 else f"{day}.03.2024" for row, day in enumerate(DAYS)], "dates of several forms"),
        ([f"{day}/03/2024" if row % 2 else f"03/{day}/2024" for row, day in enumerate(DAYS)], "dates of several forms"),
        ([f"{day}-Mar-24" for day in DAYS], "dates whose years have two digits"),
    ],
)
def test_dates_without_a_form_are_dropped_as_dates(values, because):
    column = drafted(seen=values)["seen"]
    assert ("date", "drop", False) == (column.kind, column.part, column.doubtful)
    assert because in column.reason


def test_days_as_one_number_may_be_dates_whatever_the_name_and_are_asked_about():
    column = drafted(d2=[f"202403{day}" for day in DAYS])["d2"]
    assert ("date", "drop", True) == (column.kind, column.part, column.doubtful)


def test_days_as_a_spreadsheet_counts_them_are_not_kept_by_the_rest_of_their_name():
    column = drafted(death_date=[str(45_292 + row) for row in range(ROWS)])["death_date"]
    assert ("drop", True) == (column.part, column.doubtful)
    assert column.reason.endswith("others can know a date, as its name says")


def test_ages_that_are_not_plain_numbers_are_dropped_as_ages():
    odd = [f"{age} y" for age in AGES[:-1]] + ["<1"]
    column = drafted(age=odd)["age"]
    assert ("age", "drop") == (column.kind, column.part)
    assert "of its 61 values 61 are no plain numbers" in column.reason
    assert "write its ages as numbers of years" in column.reason


def test_a_row_of_totals_shows_in_the_reason():
    assert "of its 61 values 1 is no plain number" in drafted(age=[*AGES[:-1], "Total"])["age"].reason


@pytest.mark.parametrize("values", [["1,234.50", "950.00"], ["1.234,50", "950,00"], ["$12", "$1,250"]])
def test_numbers_with_separators_of_thousands_are_numbers(values):
    columns = drafted(charges=repeated(*values), fee=repeated(*values))
    assert ("decimal number", "keep") == (columns["charges"].kind, columns["charges"].part)
    assert ("decimal number", "drop", True) == (columns["fee"].kind, columns["fee"].part, columns["fee"].doubtful)


def test_zip_codes_that_became_numbers_are_zip_codes():
    column = drafted(postal=repeated("2138.0", "37212.0"))["postal"]
    assert ("ZIP code", "drop") == (column.kind, column.part)
    assert "became numbers" in column.reason


MISSING = ["NA", "-9", "999", "unknown", "", "NULL", ".", "n/a", "-", "#N/A", "missing", "?"]
ICD_10 = ["E11.9", "I10", "J45.909", "I21.4"]


def test_missing_values_of_all_spellings_change_no_part():
    def gaps(*values):
        return repeated(*values * (6 if len(values) < 9 else 1), *MISSING)

    columns = drafted(
        age=gaps(*map(str, range(20, 60))),
        sex=gaps("F", "M"),
        zip=gaps("02138", "37212"),
        dx=gaps(*ICD_10),
        visit=gaps(*(f"2024-03-{day}" for day in DAYS[:20])),
        bmi=gaps(*(f"{20 + number}.5" for number in range(20))),
    )
    kinds = {name: (one.kind, one.part) for name, one in columns.items()}
    assert kinds == {
        "age": ("age", "attribute"),
        "sex": ("sex", "attribute"),
        "zip": ("ZIP code", "attribute"),
        "dx": ("ICD-10 code", "attribute"),
        "visit": ("date", "attribute"),
        "bmi": ("decimal number", "keep"),
    }


def test_an_unknown_sex_stays_a_value_where_no_other_column_lacks_one_by_this_word():
    columns = drafted(sex=repeated("F", "M", "unknown"))
    assert "another column" not in columns["sex"].reason
    shared = drafted(sex=repeated("F", "M", "unknown"), zip=repeated("02138", "37212", "unknown"))
    assert ("attribute", "attribute") == (shared["sex"].part, shared["zip"].part)
    assert "texts that mean a missing value in another column mean one here, too" in shared["sex"].reason


def test_a_few_codes_of_diagnoses_are_attributes_and_numbers_of_rows_are_none():
    columns = drafted(dx=repeated(*ICD_10), kit=[f"K{row:05}" for row in range(ROWS)], grp=repeated("A10", "B20"))
    assert ("ICD-10 code", "attribute") == (columns["dx"].kind, columns["dx"].part)
    assert ("text", "category") == (columns["kit"].kind, columns["grp"].kind)


def test_moments_in_a_time_zone_are_dropped_and_the_draft_runs(tmp_path):
    when = [datetime(2024, 3, 1 + row % 28, 5, tzinfo=UTC) for row in range(ROWS)]
    table = pa.table({"age": AGES, "sex": [SEXES[row % 2] for row in range(ROWS)], "seen": when})
    draft = draft_scenario(table, year=2026)
    assert ("unreadable", "drop") == next((one.kind, one.part) for one in draft.columns if one.name == "seen")
    solve(draft.write(tmp_path / "study"), table, game="no-attack")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"parts": {"age": "kept"}}, "column `age` has the part `kept`, expected attribute, keep, drop or person"),
        ({"year": 26}, "year: expected a whole number from 1900 to 2200"),
        ({"rare": 0}, "rare: expected 1 row or more"),
    ],
)
def test_arguments_out_of_range_are_refused(wrong, said):
    with pytest.raises(InvalidScenarioError, match=said):
        draft_scenario(pa.table({"age": AGES}), **{"year": 2026, **wrong})


def test_an_identifier_that_repeats_may_be_the_key_of_persons():
    twice = [str(4_711_082 + 7919 * (row // 3)) for row in range(ROWS)]
    assert "make it the key of persons" in drafted(Fallnummer=twice)["Fallnummer"].reason
    once = [str(4_711_082 + 7919 * row) for row in range(ROWS)]
    assert "make it the key of persons" not in drafted(Fallnummer=once)["Fallnummer"].reason


def test_one_row_is_refused_as_such(tmp_path):
    file = tmp_path / "one.csv"
    file.write_text("age,sex\n34,F\n", "utf-8")
    with pytest.raises(InvalidDataError, match="it has one row"):
        draft_scenario(file, year=2026).write(tmp_path / "study")
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("age,sex,,,\n34,F,,,\n", "3 columns have no name, from column 3 on; delete those without values"),
        (
            "age,sex\n34,F\n\nExported by ward 3\n",
            r"row 2 has 1 value, expected 2 \(line 4, .*a title, a total or a footer",
        ),
        (
            "Export of ward 3\n\nage,sex\n34,F\n",
            r"row 2 has 2 values, expected 1 \(line 3, .*has the first line no names",
        ),
    ],
)
def test_columns_added_by_spreadsheets_are_named(tmp_path, text, said):
    file = tmp_path / "export.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidDataError, match=said):
        draft_scenario(file, year=2026)
