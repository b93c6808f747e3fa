"""The recognized kinds of columns, form by form."""

import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gamedeid
from gamedeid.data.files.streams import detect_encoding
from gamedeid.generalization.readings import is_missing_code
from gamedeid.intake.recognition import observed
from gamedeid.intake.recognition.forms import numbers_of
from gamedeid.intake.recognition.observed import ObservedColumn, observe
from gamedeid.intake.recognition.recognise import recognise

ROWS = 60
CITIES = (
    *("Nashville", "Memphis", "Knoxville", "Jackson", "Franklin", "Madison", "Houston", "San Antonio", "Austin"),
    *("Saint Paul", "Virginia Beach", "Santa Rosa", "Charlotte", "Prince George", "Elizabeth City", "Lawrence"),
)
"""Cities, some with names of people."""


def taken_for(name, values):
    counts = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    empty = counts.pop("", 0)
    return recognise(ObservedColumn(name=name, counts=counts, rows=len(values), empty=empty))


def test_the_codes_of_a_column_are_looked_for_once(monkeypatch):
    asked = []
    monkeypatch.setattr(observed, "is_missing_code", lambda value: asked.append(value) or is_missing_code(value))

    assert "text" == taken_for("ward", [f"ward {chr(97 + row % 20)}{chr(97 + row // 20)}" for row in range(200)]).kind
    assert len(asked) <= 4 * 200


def repeated(*values):
    return [values[row % len(values)] for row in range(ROWS)]


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("zip", repeated("02139", "37212"), "ZIP code"),
        ("place", repeated("02139", "37212"), "ZIP code"),
        ("zip", repeated("37212-1234", "37215"), "ZIP code"),
        ("zip_code", repeated("2139", "37212"), "ZIP code"),
        ("age", repeated("34", "99", "0"), "age"),
        ("age", repeated("34.0", "9.5"), "age"),
        ("age", repeated("34", "999"), "age"),
        ("age", repeated("-17.2", "3.1"), "decimal number"),
        ("seen", repeated("2020-03-14", "2019-12-01 10:00:00"), "date"),
        ("seen", repeated("14.3.2020", "1.12.2019"), "date"),
        ("seen", repeated("3/14/2020 0:00", "12/1/2019 0:00"), "date"),
        ("seen", repeated("14 Mar 2020", "01 Dec 2019"), "date"),
        ("seen", repeated("14/03/20", "01/12/19"), "date"),
        ("date", repeated("20200314", "20191201"), "date"),
        ("stock", repeated("20200314", "20191201", "20180102", "20170304", "1", "2", "3", "4", "5"), "whole number"),
        ("birth_year", repeated("1958", "1990"), "year"),
        ("convicted", repeated("1995", "1998", "2001"), "year"),
        ("x1", repeated("M", "F"), "sex"),
        ("gender", repeated("1", "2", "9"), "sex"),
        ("x2", repeated("White", "Black", "other"), "race"),
        ("x3", repeated("TN", "KY"), "place"),
        ("county", repeated("Knox", "Shelby"), "place"),
        ("city", repeated(*CITIES), "place"),
        ("dx", [f"E{10 + row % 20}.{row % 9}" for row in range(ROWS)], "ICD-10 code"),
        ("answer", repeated("yes", "no"), "category"),
        ("answer", repeated("yes", ""), "category"),
        ("answer", repeated("yes"), "constant"),
        ("answer", repeated("", "NA"), "empty"),
        ("n", [str(row) for row in range(ROWS)], "row number"),
        ("", [str(7 * row) for row in range(ROWS)], "row number"),
        ("Unnamed: 0", [str(7 * row) for row in range(ROWS)], "row number"),
        ("patient_id", repeated("a", "b", "c"), "person key"),
        ("who", [f"{row // 2 * 3}" for row in range(200)], "person key"),
        ("who", [f"a{row}@example.org" for row in range(ROWS)], "identifier"),
        ("said", [f"the patient said on day {row} that it hurts" for row in range(ROWS)], "free text"),
        ("level", [f"{row / 7:.2f}" for row in range(ROWS)], "decimal number"),
        ("level", [f"{row},5" for row in range(ROWS)], "decimal number"),
        ("level", [str(row * 1000) for row in range(ROWS)], "whole number"),
    ],
)
def test_each_column_is_recognized(name, values, kind):
    found = taken_for(name, values)

    assert kind == found.kind
    assert not [value for value in values if len(value) > 5 and value in found.because]


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        (repeated("34", "-9", "51"), ["-9"]),
        (repeated("34", "999", "51"), ["999"]),
        (repeated("34", ".", "NA"), [".", "NA"]),
        (repeated("34", "99", "51"), []),
        (repeated("-1", "-9", "-3"), []),
    ],
)
def test_a_number_is_a_code_for_missing_only_if_it_cannot_be_a_value(values, missing):
    assert missing == sorted(taken_for("level", values).missing)


def test_day_and_month_are_never_guessed():
    dates = taken_for("seen", repeated("04/03/2020", "01/12/2019")).dates
    assert ("DD/MM/YYYY", "MM/DD/YYYY") == dates.forms


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("a,b\nä,1\n".encode(), "utf-8"),
        (b"\xef\xbb\xbf" + b"a,b\nx,1\n", "utf-8"),
        ("a,b\nä,1\n".encode("utf-16"), "utf-16"),
        ("a,b\nä,1\n".encode("latin-1"), "latin-1"),
        ("a,b\n\u20ac,1\n".encode("cp1252"), "cp1252"),
        ("a,b\nä".encode()[:-1] + b"\n", "latin-1"),
    ],
)
def test_the_bytes_decide_the_encoding(tmp_path, content, encoding):
    path = tmp_path / "some.csv"
    path.write_bytes(content)

    assert encoding == detect_encoding(path)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_each_delimiter_and_quotes_are_read(tmp_path, delimiter):
    path = tmp_path / "some.csv"
    path.write_text(f'age{delimiter}word\n"34"{delimiter}"a{delimiter}b"\n', "utf-8")
    table = observe(path)

    assert delimiter == table.delimiter
    assert {f"a{delimiter}b": 1} == dict(table.columns[1].counts)


def test_parquet_keeps_its_types(tmp_path):
    path = tmp_path / "some.parquet"
    columns = {
        "age": pa.array([row % 90 if row else None for row in range(ROWS)]),
        "seen": pa.array([dt.date(2020, 1, 1 + row % 28) for row in range(ROWS)]),
        "well": pa.array([bool(row % 2) for row in range(ROWS)]),
        "words": pa.array([["a"]] * ROWS),
    }
    pq.write_table(pa.table(columns), path)
    draft = gamedeid.draft_scenario(path, year=2026)

    assert ["age", "date", "category", "unreadable"] == [column.kind for column in draft.columns]
    assert ["age", "seen"] == list(gamedeid.Scenario.read(draft.write(tmp_path / "draft")).attributes)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "9" * 5000, "0." + "0" * 400 + "1", "1" + "0" * 301])
def test_a_value_that_cannot_be_the_edge_of_a_band_is_not_a_number(text):
    assert numbers_of(["1", "2", "3", "1e39"]) is not None
    assert numbers_of(["1", "2", "3", text]) is None


def test_postal_codes_of_any_country_are_reported_as_read_like_those_of_the_united_states(tmp_path):
    rows = "".join(f"{code},{code}\n" for code in ["01067", "80331", "10115"] * 10)
    (tmp_path / "people.csv").write_text(f"PLZ,zip\n{rows}")
    draft = gamedeid.draft_scenario(tmp_path / "people.csv", year=2026)
    reasons = {column.name: column.reason for column in draft.columns}
    text = (draft.write(tmp_path / "draft").parent / "plz.toml").read_text().replace("\n# ", " ")

    assert "is that of a postal code, here taken for one of the United States" in reasons["PLZ"]
    assert "United States" not in reasons["zip"]
    assert "Codes of another country need another hierarchy" in text
