"""Checks of every kind of table: frames, Parquet of all types, other encodings; and of a study's released columns."""

import datetime as dt
import decimal
import tomllib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from questions import content

import gamedeid
from gamedeid.arrays import TABLE_ROWS
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.intake.identifiers.releases import accept_line

QUESTION = content({"records.keep": ["contact"]})
RECORDS = {
    "age": [40, 41, 50, 93],
    "sex": ["Male", "Male", "Female", "Female"],
    "contact": ["a@example.org", "b@example.org", "c@example.org", None],
}


def found_in(data, **options):
    """Return column -> kinds found."""
    found = {}
    for one in gamedeid.check_identifiers(data, **options).findings:
        found.setdefault(one.column, []).append(one.kind)
    return found


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame, pl.LazyFrame], ids=lambda make: make.__module__)
def test_any_data_frame_is_checked(make):
    assert {"age": ["ages over 89"], "contact": ["e-mail addresses"]} == found_in(make(RECORDS))


def test_a_program_file_states_its_encoding(tmp_path):
    pyreadstat.write_sav(pd.DataFrame({"straße": [f"Weg {number}" for number in range(40)]}), tmp_path / "t.sav")

    assert {"straße": ["street addresses"]} == found_in(tmp_path / "t.sav")


def test_columns_of_all_types_are_read_or_reported_as_unread(tmp_path):
    day = dt.date(2024, 3, 14)
    table = pa.table(
        {
            "d": pa.array([day, None]),
            "t": pa.array([dt.datetime(2024, 3, 14, 10, 30, tzinfo=dt.UTC)] * 2),
            "coded": pa.array(["a@example.org", "b@example.org"]).dictionary_encode(),
            "home_phone": pa.array([6155550123.0, 2125550124.0]),
            "amount": pa.array([decimal.Decimal("12.50"), decimal.Decimal("3.25")]),
            "flag": pa.array([True, False]),
            "pic": pa.array([b"\x89PNG\r\n\x1a\n123", b"\xff\xd8\xff\xe0456"]),
            "raw": pa.array([b"\x01\x02", b"\x03"]),
            "list": pa.array([["a@example.org"], []]),
            "pair": pa.array([{"id": 1, "of": {"web": "https://example.org"}}, None]),
            "u": pa.array([b"0123456789abcdef", b"fedcba9876543210"], pa.uuid()),
            "map": pa.array([[("ssn", "078-05-1120")], []], pa.map_(pa.string(), pa.string())),
            "nothing": pa.nulls(2),
            "large": pa.array(["x", "y"], pa.large_string()),
        }
    )
    pq.write_table(table, tmp_path / "all.parquet")
    found = gamedeid.check_identifiers(tmp_path / "all.parquet")

    assert ("raw",) == found.unread
    assert {
        "d": "dates",
        "t": "dates",
        "coded": "e-mail addresses",
        "home_phone": "telephone numbers",
        "pic": "photographs",
        "list": "e-mail addresses",
        "pair": "web addresses",
        "u": "unique identifiers",
        "map": "social security numbers",
    } == {one.column: one.kind for one in found.findings}


def test_a_file_in_another_encoding_is_read_if_stated_or_detected(tmp_path):
    path = tmp_path / "befunde.csv"
    path.write_bytes("stra\u00dfe;wert\nK\u00f6nigstra\u00dfe 12;1\nAm M\u00fchlenweg 4a;2\n".encode("latin-1"))

    assert {"stra\u00dfe": ["street addresses"]} == found_in(path, encoding="latin-1")
    assert found_in(path) == found_in(path, encoding="latin-1")
    with pytest.raises(InvalidDataError, match="is not utf-8 text"):
        found_in(path, encoding="utf-8")


def test_years_of_birth_are_counted_back_from_the_year_that_the_scenario_has():
    born = pa.table({"birth_year": ["1936", "1980"]})
    attributes = {"birth_year": {"hierarchy": "age", "role": "other"}}
    question = content({"attributes": attributes, "policy": {"safe-harbor": {"year": 2026}}})
    (found,) = gamedeid.check_identifiers(born, question).findings

    assert ("ages over 89", True, "attribute", None) == (found.kind, found.strong, found.part, found.handled)


@pytest.mark.parametrize(
    ("attribute", "policy", "handled"),
    [
        (
            {"hierarchy": "age"},
            {},
            "attribute of the role age, which Safe Harbor and the sh-friendly game generalize; other games may not",
        ),
        ({"hierarchy": "age", "role": "other"}, {}, None),
        (
            {"hierarchy": "age", "role": "other", "safe_harbor": 1},
            {},
            "attribute, at level 1 at least under safe-harbor",
        ),
        (
            {"hierarchy": "age"},
            {"floor": "own", "policy": {"own": {"levels": {"age": 2}}}},
            "attribute, at level 2 at least under own",
        ),
        ({"hierarchy": "age"}, {"floor": "own", "policy": {"own": {}}}, None),
    ],
)
def test_an_attribute_that_the_floor_generalizes_is_marked_as_handled(attribute, policy, handled):
    question = {**QUESTION, **policy, "attributes": {**QUESTION["attributes"], "age": attribute}}
    found = gamedeid.check_identifiers(pa.table(RECORDS), question)

    assert ["ages over 89", "e-mail addresses"] == [one.kind for one in found.findings]
    assert [handled, None] == [one.handled for one in found.findings]
    assert ["attribute", "kept"] == [one.part for one in found.findings]
    assert (1 if handled else 2) == found.unhandled


def test_the_floor_of_the_scenario_chooses_the_list_that_is_checked():
    question = {**QUESTION, "floor": "limited-data-set"}
    found = gamedeid.check_identifiers(pa.table(RECORDS), question)

    assert "limited-data-set" == found.rule
    assert ["e-mail addresses"] == [one.kind for one in found.findings]
    assert "safe-harbor" == gamedeid.check_identifiers(pa.table(RECORDS), question, rule="safe-harbor").rule
    with pytest.raises(InvalidScenarioError, match="rule: expected `safe-harbor` or `limited-data-set`, not `gdpr`"):
        gamedeid.check_identifiers(pa.table(RECORDS), rule="gdpr")


def study_of(frame, **changes):
    return gamedeid.Study.prepare({**QUESTION, **changes}, frame)


def test_kinds_that_are_accepted_are_not_refused_whether_they_are_found_or_not():
    accepted = {"accept": {"contact": ["e-mail addresses", "names"]}}
    assert 0 == gamedeid.intake.refuse_identifiers(study_of(pd.DataFrame(RECORDS), identifiers=accepted)).unhandled


def test_an_attribute_that_is_no_place_date_or_age_is_refused_too():
    phones = gamedeid.Hierarchy.from_rows([["(615) 555-0123", "*"], ["(615) 555-0124", "*"]], name="phones")
    records = pd.DataFrame({"age": [40, 93], "line": phones.leaves})
    question = content({"attributes": {"age": {"hierarchy": "age"}, "line": {"hierarchy": phones, "role": "other"}}})
    said = r"^attribute column `line` looks like telephone numbers \(D\)"
    with pytest.raises(InvalidDataError, match=said) as caught:
        gamedeid.intake.refuse_identifiers(gamedeid.Study.prepare(question, records))
    assert "555" not in str(caught.value)
    assert "age" not in str(caught.value).replace("telephone", "")


def test_values_of_a_lazy_frame_are_counted_by_its_engine():
    found = gamedeid.check_release(study_of(pl.LazyFrame(RECORDS)))
    assert (4, [("e-mail addresses", 3)]) == (found.rows_looked_at, [(one.kind, one.rows) for one in found.findings])


def test_a_scenario_that_accepts_nothing_is_resolved_as_before_there_was_anything_to_accept():
    accepted = gamedeid.Scenario.parse({**QUESTION, "identifiers": {"accept": {"contact": "names"}}})

    assert "identifiers" not in gamedeid.Scenario.parse(QUESTION).resolved()
    assert {"accept": {"contact": ["names"]}} == accepted.resolved()["identifiers"]


def test_the_key_of_persons_is_not_reported():
    question = {**QUESTION, "records": {"keep": ["contact"], "person": "patient_id"}}
    table = pa.table({"patient_id": ["K12", "K12", "K13", "K14"], **RECORDS})

    assert ["patient_id"] == [
        one.column for one in gamedeid.check_identifiers(table).findings if one.safe_harbor == "R"
    ]
    assert [] == [one for one in gamedeid.check_identifiers(table, question).findings if one.safe_harbor == "R"]


def test_only_the_first_of_many_findings_are_shown_and_long_lines_left_out():
    columns = {f"{'contact of the family ' * 4}{number}": ["a@example.org", "b@example.org"] for number in range(20)}
    records = pd.DataFrame({"age": [40, 41], "sex": ["Male", "Female"], **columns})
    with pytest.raises(InvalidDataError) as caught:
        gamedeid.intake.refuse_identifiers(study_of(records, records={"keep": list(columns)}))

    assert "; and 10 findings more. Drop columns" in str(caught.value)
    assert str(caught.value).endswith('[identifiers] accept = { COLUMN = "KIND" }')
    assert len(str(caught.value)) < 4000


def test_the_line_to_write_is_toml_whatever_the_column_is_called():
    names = ["v1", "v 2", 'say "hi"', "\u00e4rzte", "a.b"]
    findings = [finding for name in names for finding in gamedeid.intake.column_findings(name, ["a@example.org"])]
    line = accept_line({"v1": ["free text"]}, findings)

    accepted = dict.fromkeys(names, "e-mail addresses") | {"v1": ["free text", "e-mail addresses"]}
    assert accepted == tomllib.loads(line)["accept"]


SHORT = ["SSN 210-71-4000", "Tel 615-343-1100", "mail x1@uni.edu", "seen 12.03.1931", "see www.example.org/1"]
SHORT += ["see MRN 1234567", "came in with 210-71-4000", "card 4111111111111111", "4111111111111111"]


def in_memory(records, _folder):
    return gamedeid.Study.prepare(QUESTION, pd.DataFrame(records))


def lazy(records, _folder):
    return gamedeid.Study.prepare(QUESTION, pl.LazyFrame(records))


def streamed(records, folder):
    pd.DataFrame(records).to_csv(folder / "records.csv", index=False)
    question = {**QUESTION, "records": {**QUESTION["records"], "path": str(folder / "records.csv")}}
    return gamedeid.Study.prepare(question, read_options=gamedeid.ReadOptions(engine="duckdb"))


@pytest.mark.parametrize("prepare", [in_memory, lazy, streamed], ids=lambda prepare: prepare.__name__)
@pytest.mark.parametrize("text", SHORT)
def test_one_identifier_in_a_short_text_is_refused_by_every_engine_without_showing_it(tmp_path, prepare, text):
    records = {"age": [40, 41] * 200, "sex": ["Male"] * 400, "contact": ["left knee"] * 399 + [text]}

    with pytest.raises(
        InvalidDataError, match=r"kept column `contact` looks like .* in 0.25% of its values \(1 row\)"
    ) as caught:
        gamedeid.intake.refuse_identifiers(prepare(records, tmp_path))
    assert text.split()[-1] not in str(caught.value)


def test_rows_beyond_the_first_block_are_searched():
    ages, texts = np.resize([40, 41], TABLE_ROWS + 3), ["left knee"] * (TABLE_ROWS + 2) + ["SSN 210-71-4000"]
    records = pa.table({"age": ages, "sex": ["Male"] * len(texts), "contact": texts})
    with pytest.raises(InvalidDataError, match=r"`contact` looks like social security numbers \(G\) in <0.01%"):
        gamedeid.intake.refuse_identifiers(study_of(records))


def test_a_column_equivalent_to_persons_is_doubtful():
    keys = [f"K{number // 3}" for number in range(90)]
    nicks = [f"nick {chr(97 + number // 3 // 26)}{chr(97 + number // 3 % 26)}" for number in range(90)]
    records = {"patient_id": keys, "age": [40] * 90, "sex": ["Male"] * 90, "contact": nicks}
    question = {**QUESTION, "records": {"keep": ["contact"], "person": "patient_id"}}

    found = gamedeid.check_release(gamedeid.Study.prepare(question, pd.DataFrame(records)))
    assert [("contact", "unique identifiers", False)] == [(one.column, one.kind, one.strong) for one in found.findings]
    assert ("contact", "R", False) in {
        (one.column, one.safe_harbor, one.strong) for one in gamedeid.check_identifiers(pd.DataFrame(records)).findings
    }
    records["contact"] = ["left knee", "right knee"] * 45
    assert () == gamedeid.check_release(gamedeid.Study.prepare(question, pd.DataFrame(records))).findings
