"""Three files such as people bring along, drawn by a seed: hospital stays, a registry and a survey.

Tokens stand in what must not reach a draft: direct identifiers, texts, keys, and values of a single row.
"""

import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from planted_tokens import TOKEN

CODES = [f"{letter}{number:02}.{digit}" for letter in "EIJMS" for number in (10, 11, 21, 44) for digit in (0, 1, 9)]


def hospital_stays(folder: Path) -> Path:
    """Write several stays a patient: dates, times of day, codes of diagnoses, ZIP codes with leading zeros, notes."""
    draw = random.Random(7)  # noqa: S311  (nobody's secret)
    rows = ["patient_id,mrn,patient_name,birth_date,sex,zip,admitted,discharged,diagnosis,los,charges,ward,note"]
    for patient in range(60):
        born = date(1932, 1, 1) + timedelta(days=draw.randrange(28_000))
        sex, place = draw.choice("MF"), draw.choice(["02139", "02140", "02141", "37212", "37215"])
        for _ in range(draw.choice([1, 1, 2, 3])):
            start, days = date(2023, 1, 1) + timedelta(days=draw.randrange(700)), draw.randrange(1, 20)
            rows.append(
                f"{TOKEN}-p{patient},{700_000 + 37 * patient},{TOKEN} Miller{patient},{born},{sex},{place},"
                f"{start}T{draw.randrange(24):02}:15:00,{start + timedelta(days=days)},{draw.choice(CODES)},{days},"
                f"{days * 1234.5 + draw.random():.2f},{draw.choice(['A', 'B', 'C'])},"
                f'"{TOKEN}: came in on {start}, no fever, sent home"'
            )
    return _write(folder / "stays.csv", rows)


def registry(folder: Path) -> Path:
    """Write one row a person: dates of birth with the day first, years, and missing values of several kinds."""
    draw = random.Random(8)  # noqa: S311  (nobody's secret)
    rows = ["ID\tDateOfBirth\tGender\tCounty\tYearOfDiagnosis\tAgeAtDiagnosis\tStage\tMarkerLevel\tPhysician"]
    for person in range(300):
        born = date(1928, 1, 1) + timedelta(days=draw.randrange(20_000))
        year = draw.choice([*range(2001, 2015), 9999])
        age = 999 if year == 9999 else year - born.year
        cells = (
            str(10_000 + 3 * person),
            draw.choice([f"{born:%d.%m.%Y}"] * 9 + ["NA"]),
            draw.choice(["Male", "Female", "Female", "."]),
            draw.choice(["Davidson", "Shelby", "Knox", "Hamilton", ""]) if person else f"{TOKEN} county",
            str(year),
            str(age),
            draw.choice(["I", "II", "III", "IV", "?"]),
            f"{draw.random() * 40:.1f}" if draw.random() > 0.1 else "-9",
            f"{TOKEN} Dr. {draw.choice(['Smith', 'Garcia', 'Chen'])}",
        )
        rows.append("\t".join(cells))
    return _write(folder / "registry.tsv", rows)


def survey(folder: Path) -> Path:
    """Write answers as a German spreadsheet saves them: semicolons, decimal commas, Latin-1."""
    draw = random.Random(9)  # noqa: S311  (nobody's secret)
    rows = ["Fragebogen;Geschlecht;Alter;PLZ;Bundesland;Beruf;Zufriedenheit;Ausgaben;Bemerkung;E-Mail"]
    for number in range(1, 251):
        work = f"{TOKEN} Glockengießer" if number == 17 else draw.choice(["Bäcker", "Lehrerin", "Schüler", "Köchin"])
        rows.append(
            f"{number};{draw.choice(['männlich', 'weiblich'])};{draw.randrange(18, 95)};"
            f"{draw.choice(['01067', '01069', '80331', '80333', '50667'])};"
            f"{draw.choice(['Sachsen', 'Bayern', 'Nordrhein-Westfalen'])};{work};{draw.randrange(1, 6)};"
            f"{draw.randrange(50)},{draw.randrange(100):02};"
            f'"{TOKEN}: ich war {number} Tage später für längere Zeit zufrieden";{TOKEN}{number}@example.org'
        )
    return _write(folder / "umfrage.csv", rows, "latin-1")


FILES: dict[str, Callable[[Path], Path]] = {"stays": hospital_stays, "registry": registry, "survey": survey}


def _write(path: Path, rows: list[str], encoding: str = "utf-8") -> Path:
    path.write_text("\n".join(rows) + "\n", encoding)
    return path
