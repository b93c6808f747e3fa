"""Which kinds of identifiers one column may hold."""

import time

import pytest

from gamedeid.intake.identifiers.column_signs import ColumnSigns
from gamedeid.intake.identifiers.columns import column_findings
from gamedeid.intake.identifiers.counts import MOST_SAMPLED_VALUES, sample_counts
from gamedeid.intake.identifiers.findings import KINDS
from gamedeid.intake.identifiers.values import (
    is_dea_valid,
    is_gtin_valid,
    is_iban_valid,
    is_luhn_valid,
    is_npi_valid,
    is_vin_valid,
)


def kinds_of(name, values=()):
    """Return the kinds found and whether their evidence is strong."""
    return {finding.kind: finding.strong for finding in column_findings(name, values)}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["anna.b@example.org", "c@mail.example.com"], "e-mail addresses"),
        (["https://example.org/p/1", "www.example.com"], "web addresses"),
        (["(212) 555-0123", "615-555-0147 x12"], "telephone numbers"),
        (["+44 20 7946 0958", "+49 30 901820"], "telephone numbers"),
        (["078-05-1120", "219-09-9999"], "social security numbers"),
        (["XXX-XX-1234", "***-**-9876"], "social security numbers"),
        (["10.1.2.3", "192.168.0.77"], "IP addresses"),
        (["2001:db8::1", "fe80::1ff:fe23:4567:890a"], "IP addresses"),
        (["00:1b:44:11:3a:b7", "00-1B-44-11-3A-B8"], "device identifiers"),
        (["(01)00643169007222(21)A1", "(01)00643169007222(21)A2"], "device identifiers"),
        (["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"], "account numbers"),
        (["4111 1111 1111 1111", "5500005555555559", "340000000000009"], "account numbers"),
        (["1M8GDM9AXKP042788", "1HGCM82633A004352", "5GZCZ43D13S812715"], "vehicle identifiers"),
        (["AB1234563", "BB1388568", "AB9876547"], "licence numbers"),
        (["1EG4-TE5-MK73", "1EG4TE5MK72", "2EG4TE5MK73"], "health plan numbers"),
        (["MRN-0012345", "MRN-0012346"], "medical record numbers"),
        (["1958-03-14", "14.03.1958", "3/14/1958", "14 Mar 1958", "2020-01-01T10:30:00"], "dates"),
        (["1958-03", "03/1958"], "dates"),
        (["12 Main Street", "4 North Oak Ave., Apt. 2", "P.O. Box 12"], "street addresses"),
        (["Hauptstra\u00dfe 12", "Lindenweg 4a"], "street addresses"),
        (["37201-1234", "03481-0001"], "places"),
        (["SW1A 1AA", "M1 1AE", "K1A 0B1"], "places"),
        (["Davidson County", "Orleans Parish"], "places"),
        (["scan_001.jpg", "faces/p2.PNG"], "photographs"),
        (["6ba7b810-9dad-11d1-80b4-00c04fd430c8"], "unique identifiers"),
        (["Dr. Brown", "Mrs. A. Miller", "Mr Young"], "names"),
        (["Mary Jones", "Garcia, Juan", "Peter M. Novak", "Anna Berg", "James Li"], "names"),
    ],
)
def test_values_tell_a_kind_whatever_the_column_is_called(values, kind):
    assert kinds_of("field_7", values) == {kind: True}


@pytest.mark.parametrize(
    ("checks", "right", "wrong"),
    [
        (is_luhn_valid, "4111111111111111", "4111111111111112"),
        (is_iban_valid, "GB82WEST12345698765432", "GB83WEST12345698765432"),
        (is_vin_valid, "1M8GDM9AXKP042788", "1M8GDM9A1KP042788"),
        (is_dea_valid, "AB1234563", "AB1234564"),
        (is_npi_valid, "1234567893", "1234567890"),
        (is_gtin_valid, "00643169007222", "00643169007223"),
    ],
)
def test_a_check_digit_tells_a_number_from_chance(checks, right, wrong):
    assert (True, False) == (checks(right), checks(wrong))


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("names", "patient_name Surname"),
        ("street addresses", "homeAddress latitude"),
        ("places", "zip_code county"),
        ("dates", "date_of_admission"),
        ("telephone numbers", "Telefon"),
        ("fax numbers", "FAX fax_number"),
        ("e-mail addresses", "E-Mail"),
        ("social security numbers", "SSN"),
        ("medical record numbers", "mrn krankenakte Krankenaktennummer"),
        ("health plan numbers", "member_id"),
        ("account numbers", "bankAccountNo"),
        ("licence numbers", "drivers_license passport_no"),
        ("vehicle identifiers", "license_plate"),
        ("device identifiers", "device_serial_number"),
        ("web addresses", "homepage"),
        ("IP addresses", "client_ip"),
        ("biometric identifiers", "fingerprint_hash voice_print"),
        ("photographs", "passport_photo"),
        ("unique identifiers", "patient_id"),
        ("free text", "clinical_notes"),
    ],
)
def test_a_name_tells_a_kind_without_values(kind, names):
    for name in names.split():
        assert kinds_of(name) == {kind: True}, name


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("phone_type", ["home", "work"] * 20),
        ("has_email", ["0", "1"] * 20),
        ("phone", ["yes", "no"] * 20),
        ("diagnosis", ["E11.9", "I10", "J45.909", "Z00.00"] * 20),
        ("amount", ["12.50", "1958.12", "2020.5", "-3.25"] * 20),
        ("year", ["1958", "2020", "1999"] * 20),
        ("phone", [f"{number / 7919:.9f}" for number in range(1, 9)] * 5),
        ("city", ["0", "1"] * 20),
        ("month_number", ["-3", "45"] * 20),
        ("birth_decade", ["195*", "1960s"] * 20),
        ("version", ["1.2.3.4", "10.0.0.1"] * 20),
        ("blood_pressure", ["120/80", "135/90", "110/70"] * 20),
        ("time_of_day", ["10:30", "23:59:59"] * 20),
        ("race", ["White", "Black", "Asian"] * 20),
        ("occupation", ["Craft-repair", "Exec-managerial", "Adm-clerical"] * 20),
        ("item", ["4006381333931", "4006381333948"] * 40),
        ("age", ["45", "89", "17"] * 20),
        ("age_months", ["600", "960", "12"] * 20),
        ("age_group", ["[85-89]", "90+", "[90-120]"] * 20),
        ("weight_kg", [str(number / 7) for number in range(300, 700)]),
        ("cases", [str(number * number) for number in range(100)]),
        ("discharge_year", ["2019", "2020"] * 20),
        ("batch", ["20230", "20231"] * 20),
    ],
)
def test_a_column_without_identifiers_is_not_reported(name, values):
    assert kinds_of(name, values) == {}


def test_every_one_of_the_eighteen_has_its_letter_and_sixteen_are_of_the_limited_data_set():
    assert {kind.safe_harbor for kind in KINDS.values()} == {*"ABCDEFGHIJKLMNOPQR", ""}
    numbers = [kind.limited_data_set for kind in KINDS.values() if kind.limited_data_set]
    assert "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi" == " ".join(numbers)


def test_ages_over_89_are_found_by_name_and_number():
    (found,) = column_findings("age_at_visit", {"93": 1, "48": 3})
    assert (found.kind, found.safe_harbor, found.share, found.strong) == ("ages over 89", "C", 0.25, True)


NOTES = [f"Seen on ward {number} for pain, to be called at 615-555-01{number % 100:02}" for number in range(40)]
LABELS = ["Never married, or marriage annulled by a court", "Living together with a partner, but not married"]
CODES = [f"{number * 7919:07}x{number % 7}" for number in range(100)]


@pytest.mark.parametrize(
    ("name", "values", "kinds"),
    [
        ("age_in_months", ["1100", "30"], {"ages over 89": True}),
        ("score", ["93", "48"], {}),
        ("age", ["91", "48", "130", "206"], {"ages over 89": False}),  # months, it seems
        ("age", ["91.2", "48.7", "65.1"], {"ages over 89": False}),  # shares, it seems
        ("age", ["91", "48", "999"], {"ages over 89": True}),
        ("v12", NOTES, {"telephone numbers": True, "free text": True}),
        ("marital", LABELS * 50, {}),
        ("v", {"a@example.org": 1, "none given": 999}, {"e-mail addresses": True}),
        ("v", {"a@example.org": 10, "none given": 990}, {"e-mail addresses": True}),
        ("ward_phone", ["a@example.org", "b@example.org"], {"e-mail addresses": True}),
        ("v", CODES, {"unique identifiers": False}),  # nearly every row has its own
        ("sample_id", CODES, {"unique identifiers": True}),
        ("v", CODES[:10] * 10, {}),
        ("row_no", [str(number) for number in range(1, 101)], {"unique identifiers": False}),
    ],
)
def test_name_and_values_together_say_how_strong_the_evidence_is(name, values, kinds):
    assert kinds == kinds_of(name, values)


@pytest.mark.parametrize("codes", [["37203"], ["37203", "37205"]])
def test_zip_codes_are_places_where_all_rows_have_the_same_one_or_two(codes):
    assert kinds_of("zip", codes * 30) == {"places": True}
    assert kinds_of("zip", ["0", "1"] * 30) == {}


@pytest.mark.parametrize(
    ("name", "number", "kind"),
    [
        ("phone", "6155550123", "telephone numbers"),
        ("fax", "6155550123", "fax numbers"),
        ("mrn", "48213377", "medical record numbers"),
        ("ssn", "219099999", "social security numbers"),
        ("patient_name", "Maria Lopez", "names"),
    ],
)
def test_a_value_of_all_rows_is_an_identifier_where_it_has_the_form_of_one(name, number, kind):
    assert kinds_of(name, [number] * 60) == {kind: True}
    assert kinds_of(name, [number, "unknown"] * 30) == {kind: True}
    assert kinds_of(name, ["0", "1"] * 30) == kinds_of(name, ["yes"] * 60) == {}


FEW = [str(4_711_082 + 7919 * number) for number in range(10)]


@pytest.mark.parametrize(
    ("name", "kind", "strong"),
    [
        ("mrn", "medical record numbers", True),
        ("patient_id", "unique identifiers", True),
        ("USUBJID", "unique identifiers", True),
        ("Patientennummer", "unique identifiers", True),
        ("Fallnummer", "unique identifiers", True),
        ("acct_no", "account numbers", True),
        ("account", "account numbers", False),
        ("file_no", "unique identifiers", False),
        ("id", "unique identifiers", False),
    ],
)
@pytest.mark.parametrize("people", [1, 10])
def test_long_numbers_of_a_few_people_are_found_by_a_name_of_numbers(name, kind, strong, people):
    assert kinds_of(name, FEW[:people] * 30) == {kind: strong}


def test_short_numbers_are_those_of_people_where_the_name_is_of_a_person():
    short = [str(number) for number in range(11, 21)] * 30
    assert ({"unique identifiers": False}, {}, {}) == tuple(
        map(kinds_of, ("patient_id", "visit_id", "id"), [short] * 3)
    )
    assert {} == kinds_of("patient_id", ["0", "1"] * 30)


def test_a_name_of_numbers_hides_no_numbers_of_people_with_several_rows_each():
    keys = [str(4_711_082 + 7919 * number) for number in range(120)] * 3
    assert [{"unique identifiers": False}] * 3 == [kinds_of(name, keys) for name in ("v", "file_no", "nr")]
    assert {"places": True} == kinds_of("zip", [str(37_201 + number) for number in range(120)] * 3)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("6155550123", "telephone numbers"),
        ("089/1234567", "telephone numbers"),
        ("0151 23456789", "telephone numbers"),
        ("06 12 34 56 78", "telephone numbers"),
        ("219099999", "social security numbers"),
        ("20240314", "dates"),
        ("14-03-24", "dates"),
        ("1M8GDM9AXKP042788", "vehicle identifiers"),
    ],
)
def test_a_form_of_all_values_is_weak_evidence_however_few_they_are(value, kind):
    assert kinds_of("v", [value] * 60) == kinds_of("v", [value]) == {kind: False}


SHORT_DATES = ["14.03.58", "02-11-61", "14-Mar-58", "Mar-58", "2024Q1", "14031958", "03141958"]


@pytest.mark.parametrize("value", SHORT_DATES)
def test_dates_in_short_forms_are_dates(value):
    values = [value.replace("4", digit, 1) for digit in "012"] if value.startswith("14") else [value] * 3
    assert kinds_of("dob", values) == {"dates": True}
    assert kinds_of("v", ["14.03.58", "15.03.58", "16.03.58"]) == {"dates": True}
    assert kinds_of("v", ["99.13.41", "17.40.58"] * 20) == {}


def test_numbers_of_days_in_a_column_of_dates_are_dates():
    serial = [str(45_292 + number) for number in range(50)]
    assert {"dates": True} == kinds_of("admission_date", serial) == kinds_of("dob", [f"{day}.25" for day in serial])
    assert {} == kinds_of("v", serial[::2])


@pytest.mark.parametrize(
    "old", ["95 y", "95y", "95 years", "95 Jahre", "095Y", "1150 months", "95 years 3 months", "95,0", "95+", ">95"]
)
def test_ages_with_units_are_read(old):
    assert {"ages over 89": True} == kinds_of("age", [old, "34", "35"] * 10)
    assert {} == kinds_of("age", ["34 y", "900 months", "90+", ">89", "<1"] * 10)


@pytest.mark.parametrize("note", ["seen by Dr. Maier", "called Maria Lopez"])
def test_a_name_of_notes_hides_no_names_in_a_few_of_them(note):
    assert {"names": False} == kinds_of("note", ["ok"] * 90 + [note] * 2)


def test_a_year_of_birth_tells_an_age_over_89():
    assert {one.kind: one.strong for one in column_findings("birth_year", ["1936", "1980"], year=2026)} == {
        "ages over 89": True
    }
    assert () == column_findings("birth_year", ["1937", "1980"], year=2026)
    assert kinds_of("birth_year", ["1937", "1980"]) == {"ages over 89": False}


HOSTILE = ["a", "1", "a ", "1 ", "1:", "a.", "a@", "1-", "(", "+1 ", "a/"]
HOSTILE += ["mr ", "p.o. box 1", "2020-01-01 ", "'-.+", "\u00df"]


def test_no_value_takes_long_to_look_at():
    """Patterns that backtrack would take minutes for some of these."""
    began = time.process_time()
    for part in HOSTILE:
        column_findings("v", [part * (10_000 // len(part))])
    column_findings("date_of_" * 1000)
    assert time.process_time() - began < 5


def test_only_some_of_many_or_long_values_are_searched():
    few, many, long = ColumnSigns("v"), ColumnSigns("v"), ColumnSigns("v")
    few.add(sample_counts({f"{number}": 1 for number in range(100)}))
    many.add(sample_counts({f"{number}": 1 for number in range(MOST_SAMPLED_VALUES + 1)}))
    long.add(sample_counts({f"{number:09990}": 2 for number in range(500)}))

    assert (False, True, True) == (few.sampled, many.sampled, long.sampled)
    assert (100, MOST_SAMPLED_VALUES // 2 + 1, 500) == (few.looked_at, many.looked_at, long.looked_at)
