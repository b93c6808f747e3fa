"""A table for the check of identifiers: columns of all 18 kinds with their letters, and columns without identifiers.

The makers of numbers compute check digits independently, not as the package does.
"""

import base64
import hashlib
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from random import Random

import pyarrow as pa

import gamedeid

ROWS = 300

GIVEN = """
Mary Juan Aaliyah Wei Olga Peter Ingrid Thabo Emily Kwame James Fatima Noah Linda Soren Rachel Diego Hannah
Mateo Zoe Robert Chloe Ivan Grace Ahmed Susan Liam Priya Karen Luca Daniel Yuki Sarah Omar Ethan Nadia Kevin
Mei Laura Sven
"""
FAMILY = """
Smith Nguyen Garcia Okafor Miller Ivanova Chen Larsen Haddad Jones Novak Singh Brown Silva Tanaka Moreau
Wilson Kowalski Rossi Adeyemi Clark Berg Khan Lopez Walker Schmidt Ito Dubois Young Petrov
"""
STREETS = """
Main Oak Pine Maple Cedar Elm Washington Lake Hill Park Church Walnut
"""
WORDS = """
patient seen today with mild pain in the left knee after a fall on ice no fever or chills exam normal advised
rest and follow up in two weeks if symptoms persist family history reviewed medication unchanged tolerated
well
"""

Maker = Callable[[Random, int], str]


def digits(draw: Random, count: int, first: str = "0123456789") -> str:
    """Return ``count`` random digits; the first is drawn from ``first``."""
    return draw.choice(first) + "".join(draw.choice(string.digits) for _ in range(count - 1))


def person(draw: Random, _row: int) -> str:
    return f"{draw.choice(GIVEN.split())} {draw.choice(FAMILY.split())}"


def day(draw: Random, first: int = 1930, last: int = 2023) -> date:
    start = date(first, 1, 1)
    return start + timedelta(days=draw.randrange((date(last, 12, 31) - start).days))


def sentence(draw: Random, words: int) -> str:
    return " ".join(draw.choice(WORDS.split()) for _ in range(words)).capitalize() + "."


def phone(draw: Random) -> tuple[str, str, str]:
    area = draw.choice(["212", "615", "312", "415", "617", "303", "206", "713"])
    return area, draw.choice("23456789") + digits(draw, 2), digits(draw, 4)


def with_luhn(number: str) -> str:
    """Return a number with its check digit, found by trying all ten."""
    for check in string.digits:
        whole = (number + check)[::-1]
        total = sum(int(one) for one in whole[::2])
        total += sum(int(two) for one in whole[1::2] for two in str(2 * int(one)))
        if total % 10 == 0:
            return number + check
    raise AssertionError(number)


def iban(draw: Random, _row: int) -> str:
    account = digits(draw, 18)
    check = 98 - int(account + "131400") % 97  # D is 13, E is 14
    return f"DE{check:02}{account}"


def vin(draw: Random, _row: int) -> str:
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    value = {one: place for place, one in enumerate("0123456789")} | dict(
        zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
    )
    plain = [draw.choice(letters) for _ in range(17)]
    weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
    rest = sum(value[one] * weight for one, weight in zip(plain, weights, strict=True)) % 11
    plain[8] = "X" if rest == 10 else str(rest)
    return "".join(plain)


def medicare(draw: Random, _row: int) -> str:
    letters = "ACDEFGHJKMNPQRTUVWXY"
    pattern = "1AN9AN9AA99"
    kinds = {"1": "123456789", "A": letters, "N": letters + string.digits, "9": string.digits}
    return "".join(draw.choice(kinds[one]) for one in pattern)


def dea(draw: Random, _row: int) -> str:
    six = digits(draw, 6)
    total = int(six[0]) + int(six[2]) + int(six[4]) + 2 * (int(six[1]) + int(six[3]) + int(six[5]))
    return f"{draw.choice('ABFM')}{draw.choice(string.ascii_uppercase)}{six}{total % 10}"


def udi(draw: Random, _row: int) -> str:
    thirteen = digits(draw, 13)
    total = sum(int(one) * (3 if place % 2 == 0 else 1) for place, one in enumerate(thirteen))
    return f"(01){thirteen}{-total % 10}(21){digits(draw, 6)}"


def ssn(draw: Random) -> str:
    return f"{draw.randrange(1, 665):03}-{draw.randrange(1, 99):02}-{draw.randrange(1, 9999):04}"


def now_and_then(share: float, seldom: Maker, mostly: Maker) -> Maker:
    return lambda draw, row: (seldom if draw.random() < share else mostly)(draw, row)


def picked(*values: str) -> Maker:
    return lambda draw, _row: draw.choice(values)


LABELLED: dict[str, tuple[str, Maker]] = {
    # A
    "patient_name": ("A", person),
    "last_name": ("A", lambda draw, _: draw.choice(FAMILY.split())),
    "a1": ("A", person),
    "a2": ("A", lambda draw, _: f"{draw.choice(FAMILY.split())}, {draw.choice(GIVEN.split())}"),
    "a3": ("A", lambda draw, row: f"{draw.choice(['Dr.', 'Mrs.', 'Mr.', 'Ms.'])} {person(draw, row)}"),
    # B
    "zip": ("B", lambda draw, _: digits(draw, 5)),
    "city": ("B", picked("Nashville", "Memphis", "Knoxville", "Franklin", "Jackson")),
    "b1": (
        "B",
        lambda draw, _: (
            f"{draw.randrange(1, 9999)} {draw.choice(STREETS.split())} {draw.choice(['St', 'Ave', 'Road', 'Ln'])}"
        ),
    ),
    "b2": ("B", lambda draw, _: f"{digits(draw, 5)}-{digits(draw, 4)}"),
    "b3": ("B", lambda draw, _: f"{draw.uniform(30, 45):.5f}, {-draw.uniform(70, 120):.5f}"),
    "b4": ("B", picked("Davidson County", "Knox County", "Shelby County", "Orleans Parish")),
    "latitude": ("B", lambda draw, _: f"{draw.uniform(30, 45):.5f}"),
    # C
    "dob": ("C", lambda draw, _: day(draw).isoformat()),
    "c1": ("C", lambda draw, _: f"{day(draw):%m/%d/%Y}"),
    "c2": ("C", lambda draw, _: f"{day(draw):%d.%m.%Y}"),
    "c3": ("C", lambda draw, _: f"{day(draw, 2020):%d %b %Y}"),
    "c4": ("C", lambda draw, _: f"{day(draw, 2020):%Y-%m-%dT%H:%M:%S}"),
    "c5": ("C", lambda draw, _: f"{day(draw):%Y%m%d}"),
    "admission": ("C", lambda draw, _: f"{day(draw, 2020):%Y-%m}"),
    "age": ("C", lambda draw, _: str(draw.randrange(0, 100))),
    # D, E
    "home_phone": ("D", lambda draw, _: "".join(phone(draw))),
    "d1": ("D", lambda draw, _: "({}) {}-{}".format(*phone(draw))),
    "d2": ("D", lambda draw, _: "-".join(phone(draw))),
    "d3": ("D", lambda draw, _: f"+44 20 7{digits(draw, 3)} {digits(draw, 4)}"),
    "d4": ("D", now_and_then(0.1, lambda draw, _: "-".join(("1", *phone(draw))), picked("see chart", "on file"))),
    "fax": ("E", lambda draw, _: ".".join(phone(draw))),
    "fax_number": ("E", lambda draw, _: "".join(phone(draw))),
    # F
    "email": ("F", lambda _, row: f"p{row}@mail.example.org"),
    "f1": ("F", now_and_then(0.03, lambda _draw, row: f"a.b{row}@example.com", picked("by letter", "by phone"))),
    # G
    "SSN": ("G", lambda draw, _: ssn(draw).replace("-", "")),
    "g1": ("G", lambda draw, _: ssn(draw)),
    "g2": ("G", lambda draw, _: f"XXX-XX-{digits(draw, 4)}"),
    # H
    "mrn": ("H", lambda draw, _: digits(draw, 7)),
    "medical_record_no": ("H", lambda draw, _: f"{draw.choice('AB')}{digits(draw, 8)}"),
    "h1": ("H", lambda draw, _: f"MRN{digits(draw, 8)}"),
    # I
    "member_id": ("I", lambda draw, _: f"{draw.choice('XYZ')}{digits(draw, 9)}"),
    "policy_number": ("I", lambda draw, _: digits(draw, 10)),
    "i1": ("I", medicare),
    # J
    "account_no": ("J", lambda draw, _: digits(draw, 9)),
    "j1": ("J", lambda draw, _: with_luhn("4" + digits(draw, 14))),
    "j2": ("J", iban),
    # K
    "license_number": ("K", lambda draw, _: f"{draw.choice('TKG')}{digits(draw, 8)}"),
    "passport_no": ("K", lambda draw, _: digits(draw, 9)),
    "k1": ("K", dea),
    # L
    "license_plate": (
        "L",
        lambda draw, _: f"{''.join(draw.choice(string.ascii_uppercase) for _ in range(3))}-{digits(draw, 4)}",
    ),
    "l1": ("L", vin),
    # M
    "device_serial": ("M", lambda draw, _: f"SN{digits(draw, 8)}"),
    "m1": ("M", lambda draw, _: ":".join(f"{draw.randrange(256):02x}" for _ in range(6))),
    "m2": ("M", lambda draw, _: with_luhn("35" + digits(draw, 12))),
    "m3": ("M", udi),
    # N, O
    "homepage": ("N", lambda _, row: f"example.org/~user{row}"),
    "n1": ("N", lambda _, row: f"https://portal.example.org/p/{row}"),
    "o1": ("O", lambda draw, _: ".".join(str(draw.randrange(1, 255)) for _ in range(4))),
    "o2": ("O", lambda draw, _: f"2001:db8::{draw.randrange(1, 65535):x}:{draw.randrange(1, 65535):x}"),
    "client_ip": ("O", lambda draw, _: f"10.0.{draw.randrange(256)}.{draw.randrange(256)}"),
    # P, Q
    "fingerprint": ("P", lambda draw, _: base64.b64encode(draw.randbytes(24)).decode()),
    "voice_print": ("P", lambda draw, _: draw.randbytes(20).hex()),
    "photo": ("Q", lambda draw, _: digits(draw, 6)),
    "q1": ("Q", lambda draw, _: f"img_{digits(draw, 6)}.jpg"),
    "q2": ("Q", lambda draw, _: "data:image/png;base64," + base64.b64encode(draw.randbytes(30)).decode()),
    # R
    "patient_id": ("R", lambda draw, _: digits(draw, 6, "123456789")),
    "r1": ("R", lambda draw, _: str(uuid.UUID(int=draw.getrandbits(128), version=4))),
    "r2": ("R", lambda _, row: hashlib.sha256(f"salt{row}".encode()).hexdigest()),
    "r3": ("R", lambda draw, row: f"{draw.choice('KLM')}{row:04}{digits(draw, 4)}"),
    "order_number": ("R", lambda draw, row: f"{7_000_000_000 + 37 * row + draw.randrange(30)}"),
    # in short texts, and rare among other values
    "s1": ("G", lambda draw, _: f"SSN {ssn(draw)}"),
    "s2": ("D", lambda draw, _: "Tel " + "-".join(phone(draw))),
    "s3": ("F", lambda _, row: f"mail x{row}@uni.edu"),
    "s4": ("C", lambda draw, _: f"seen {day(draw):%d.%m.%Y}"),
    "s5": ("N", lambda _, row: f"see www.example.org/{row}"),
    "s6": ("H", lambda draw, _: f"see MRN {digits(draw, 7)}"),
    "s7": ("G", lambda draw, _: f"came in with {ssn(draw)}"),
    "s8": ("G", now_and_then(0.02, lambda draw, _: ssn(draw), picked("none given", "refused"))),
    "s9": ("G", now_and_then(0.02, lambda draw, _: ssn(draw).replace("-", ""), picked("none given", "refused"))),
    "s10": ("A", now_and_then(0.02, person, picked("none given", "refused"))),
    "s11": ("A", lambda draw, _: f"{draw.choice(GIVEN.split())[0]}.{draw.choice(FAMILY.split())[0]}."),
    "s12": ("R", lambda _draw, row: f"{100_000 + 7919 * (row // 3) % 900_000}"),
    "s13": ("J", now_and_then(0.02, lambda draw, _: with_luhn("4" + digits(draw, 14)), picked("cash", "cheque"))),
    # free text, which has no letter
    "note": ("text", lambda draw, _: sentence(draw, 14)),
    "x1": ("text", lambda draw, _: sentence(draw, 20)),
}
"""Column -> its letter, or "text", and the function that makes its values."""

PLAIN: dict[str, Maker] = {
    "sex": picked("Male", "Female"),
    "race": picked("White", "Black", "Asian", "Other"),
    "marital_status": picked("Never married", "Married-civ-spouse", "Divorced", "Widowed", "Separated"),
    "occupation": picked("Craft-repair", "Exec-managerial", "Adm-clerical", "Farming-fishing", "Tech-support"),
    "state": picked("TN", "KY", "GA", "AL", "NC"),
    "country": picked("United-States", "Mexico", "Germany", "India"),
    "diagnosis": picked("E11.9", "I10", "J45.909", "Z00.00", "M54.5", "F32.1", "N18.3", "C50.911"),
    "icd9": picked("250.00", "401.9", "493.90", "V70.0", "724.2"),
    "procedure_code": picked("99213", "99214", "93000", "80053", "36415"),
    "drug": picked("Metformin 500 mg", "Lisinopril 10 mg", "Aspirin", "Atorvastatin 20 mg"),
    "ndc": picked("0002-8215-01", "0071-0155-23", "0093-7214-01", "00378-1805-10"),
    "ward": picked("A", "B", "C", "ICU"),
    "payer": picked("Medicare", "Medicaid", "Private", "Self-pay"),
    "insurance_type": picked("HMO", "PPO", "EPO"),
    "amount": lambda draw, _: f"{draw.uniform(1, 5000):.2f}",
    "total_charges": lambda draw, _: f"{draw.lognormvariate(9, 1):.0f}",
    "income": lambda draw, _: str(draw.randrange(10, 250) * 1000),
    "weight_kg": lambda draw, _: f"{draw.gauss(75, 15):.1f}",
    "height_cm": lambda draw, _: str(int(draw.gauss(170, 10))),
    "bmi": lambda draw, _: f"{draw.gauss(26, 4):.2f}",
    "blood_pressure": lambda draw, _: f"{draw.randrange(90, 180)}/{draw.randrange(50, 110)}",
    "hba1c": lambda draw, _: f"{draw.uniform(4, 12):.1f}",
    "sodium": lambda draw, _: str(draw.randrange(125, 150)),
    "glucose": lambda draw, _: str(draw.randrange(60, 350)),
    "creatinine": lambda draw, _: f"{draw.uniform(0.4, 4):.2f}",
    "titer": picked("1:40", "1:80", "1:160", "1:320"),
    "viral_load": lambda draw, _: str(int(10 ** draw.uniform(1, 7))),
    "score": lambda draw, _: str(draw.randrange(0, 101)),
    "visits": lambda draw, _: str(draw.randrange(0, 30)),
    "n_children": lambda draw, _: str(draw.randrange(0, 6)),
    "length_of_stay": lambda draw, _: str(draw.randrange(1, 60)),
    "days_to_event": lambda draw, _: str(draw.randrange(1, 4000)),
    "follow_up_days": lambda draw, _: str(draw.randrange(1, 4000)),
    "year": lambda draw, _: str(draw.randrange(2000, 2024)),
    "admission_year": lambda draw, _: str(draw.randrange(2015, 2024)),
    "birth_decade": lambda draw, _: f"{draw.randrange(194, 200)}0s",
    "age_group": picked("0-17", "18-44", "45-64", "65-89", "90+"),
    "age_at_onset": lambda draw, _: str(draw.randrange(1, 85)),
    "time_of_day": lambda draw, _: f"{draw.randrange(24):02}:{draw.randrange(60):02}",
    "has_phone": picked("0", "1"),
    "phone": picked("yes", "no"),
    "email_opt_in": picked("yes", "no"),
    "phone_type": picked("home", "work", "mobile"),
    "device_type": picked("pacemaker", "stent", "pump"),
    "license_class": picked("A", "B", "C"),
    "account_type": picked("checking", "savings"),
    "education": picked("HS-grad", "Bachelors", "Some-college", "Masters"),
    "education_num": lambda draw, _: str(draw.randrange(1, 17)),
    "item_number": picked(*(str(4_006_381_330_000 + 7 * place) for place in range(40))),
    "software": picked("1.2.10", "1.3.0", "2.0.1"),
    "version": picked("10.0.0.1", "10.0.1.4", "10.2.0.0"),
    "survey_weight": lambda draw, _: f"{draw.uniform(100, 9000):.4f}",
    "fnlwgt": lambda draw, _: str(int(draw.lognormvariate(12, 0.5))),
    "response": picked("Strongly agree", "Agree", "Neither agree nor disagree", "Disagree", "Strongly disagree"),
    "loinc": picked("2345-7", "718-7", "4548-4", "2160-0"),
    "snomed": picked("44054006", "38341003", "195967001", "73211009"),
    "genotype": picked("A/G", "G/G", "A/A"),
    "rsid": picked("rs429358", "rs7412", "rs1801133"),
    "tnm": picked("T1N0M0", "T2N1M0", "T3N1M1"),
    "blood_type": picked("A+", "O-", "B+", "AB+"),
    "ejection_fraction": lambda draw, _: str(draw.randrange(20, 75)),
    "dose": lambda draw, _: f"{draw.randrange(1, 40) * 25} mg, {draw.randrange(1, 4)} times a day",
    "finding": lambda draw, _: (
        f"pH 7.{draw.randrange(20, 50)}/7.{draw.randrange(20, 50)}, {draw.randrange(90, 180)}/80"
    ),
    "enzyme": lambda draw, _: f"EC {draw.randrange(1, 7)}.{draw.randrange(1, 20)}.{draw.randrange(1, 20)}",
    "cas_no": picked("50-78-2", "7732-18-5", "58-08-2", "103-90-2"),
    "seen_in": lambda draw, _: f"week {draw.randrange(1, 53)} of {draw.randrange(2000, 2024)}",
    "cells": lambda draw, _: f"{draw.randrange(1, 12)},{draw.randrange(100, 999)},000 per ul, T cell {digits(draw, 3)}",
    "median_income_of_area": lambda draw, _: str(draw.randrange(20, 150) * 1000),
}
"""Column without an identifier -> the function that makes its values."""


def labelled_table(seed: int, rows: int = ROWS) -> dict[str, list[str]]:
    """Return column -> its values, (rows,), the labelled columns and the plain ones."""
    draw = Random(seed)  # noqa: S311  (nobody's secrets)
    makers = {column: maker for column, (_, maker) in LABELLED.items()} | PLAIN
    return {column: [maker(draw, row) for row in range(rows)] for column, maker in makers.items()}


LABELS = frozenset((column, letter) for column, (letter, _) in LABELLED.items())
"""Each labelled column with its letter, or "text"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The pairs of column and letter that the check finds.

    Parameters
    ----------
    found : pairs of a column and a letter, or "text", that the check finds; and the strong ones among them.
    """

    found: frozenset[tuple[str, str]]
    strong: frozenset[tuple[str, str]]

    @property
    def missed(self) -> list[tuple[str, str]]:
        return sorted(LABELS - self.found)

    @property
    def wrong(self) -> list[tuple[str, str]]:
        return sorted(self.found - LABELS)

    @property
    def strong_and_wrong(self) -> list[tuple[str, str]]:
        return sorted(self.strong - LABELS)

    @property
    def recall(self) -> float:
        return 1 - len(self.missed) / len(LABELLED)

    @property
    def precision(self) -> float:
        return 1 - len(self.wrong) / len(self.found)

    def words(self) -> str:
        return (
            f"{len(LABELLED)} columns of the 18 kinds and of free text, {len(PLAIN)} of none: "
            f"recall {self.recall:.3f}, precision {self.precision:.3f}"
        )


@cache
def scores_of(seed: int) -> Scores:
    """Return the scores of the check on the table of a seed."""
    findings = gamedeid.check_identifiers(pa.table(labelled_table(seed))).findings
    pairs = {finding: (finding.column, finding.safe_harbor or "text") for finding in findings}
    strong = frozenset(pair for finding, pair in pairs.items() if finding.strong)
    return Scores(found=frozenset(pairs.values()), strong=strong)


if __name__ == "__main__":
    print(scores_of(1).words())  # noqa: T201  (a page shows it)
