"""Texts of one to 40 words, some of which contain an identifier of a kind with a pattern; and clean texts."""

import calendar
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import pyarrow as pa
from labelled_identifiers import dea, digits, iban, medicare, phone, ssn, udi, vin, with_luhn

import gamedeid

ROWS = 2000
SHARES = (1, 20, 600, ROWS)
"""Numbers of rows that contain an identifier."""

SINGLE = """
patient seen today with mild pain in the left knee after a fall on ice without fever or chills exam normal advised
rest and follow up in two weeks if symptoms persist family history reviewed medication unchanged tolerated well
dose 250 mg 120/80 7.4 38.5 E11.9 I10 J45.909 10% 3-4 grade II T1N0M0 1:80 2345-7 99213 1,234.56 0002-8215-01
glucose 5.6 mmol/l 1.2.10 12:30 24h 98.6F chart plan visits at 15:45 (see above)
"""
SEVERAL = ("may improve", "march on", "number of 3", "no. 3", "in 2019 and 2020", "id checked", "pH: 7.40/7.35")
WORDS = [*re.findall(r"\S+", SINGLE), *SEVERAL, "T cell count 150000"]

RECORD_WORDS = ("MRN ", "MRN: ", "chart no. ", "medical record #")

Maker = Callable[[Random], str]


def days(draw: Random) -> str:
    year, month, day = draw.randrange(1930, 2024), draw.randrange(1, 13), draw.randrange(1, 29)
    month_name = calendar.month_name[month]
    forms = (
        f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}", f"{month}/{day}/{year}",
        f"{day} {month_name} {year}",
        f"{month_name} {day}, {year}", f"{day}-{month_name[:3]}-{year}", f"{year}/{month:02}/{day:02}",
    )  # fmt: skip
    return draw.choice(forms)


def phones(draw: Random) -> str:
    area, exchange, line = phone(draw)
    forms = (
        f"{area}-{exchange}-{line}", f"({area}) {exchange}-{line}", f"{area}.{exchange}.{line}",
        f"tel {area} {exchange} {line}",
        f"Tel: {area}{exchange}{line}", f"+44 20 7946 0{digits(draw, 3)}",
    )  # fmt: skip
    return draw.choice(forms)


def socials(draw: Random) -> str:
    whole = ssn(draw)
    return draw.choice((whole, f"SSN {whole}", f"ssn: {whole.replace('-', '')}", f"XXX-XX-{whole[-4:]}"))


def cards(draw: Random) -> str:
    number = with_luhn("4" + digits(draw, 14))
    apart = draw.choice(" -").join(number[start : start + 4] for start in range(0, 16, 4))
    return draw.choice((f"card {number}", apart))


MAKERS: dict[str, Maker] = {
    "e-mail addresses": lambda draw: f"{draw.choice(['a.b', 'x1', 'mary_j'])}{digits(draw, 2)}@uni.edu",
    "web addresses": lambda draw: draw.choice(("https://", "www.")) + f"example.org/p/{digits(draw, 3)}",
    "social security numbers": socials,
    "telephone numbers": phones,
    "fax numbers": lambda draw: f"fax {'-'.join(phone(draw))}",
    "dates": days,
    "medical record numbers": lambda draw: draw.choice(RECORD_WORDS) + digits(draw, 7),
    "health plan numbers": lambda draw: draw.choice(
        (f"member id {digits(draw, 9)}", "-".join(cut(medicare(draw, 0), 4, 3, 4)))
    ),
    "account numbers": lambda draw: draw.choice((cards(draw), iban(draw, 0), f"account no. {digits(draw, 8)}")),
    "licence numbers": lambda draw: draw.choice((f"DEA {dea(draw, 0)}", f"passport no {digits(draw, 9)}")),
    "vehicle identifiers": lambda draw: f"VIN {vin(draw, 0)}",
    "device identifiers": lambda draw: draw.choice(
        (f"serial no. SN{digits(draw, 8)}", f"a{digits(draw, 1)}:1b:44:11:3a:b7", udi(draw, 0))
    ),
    "IP addresses": lambda draw: draw.choice((f"10.{digits(draw, 2)}.0.{digits(draw, 2, '12')}", "2001:db8::17")),
    "unique identifiers": lambda draw: str(uuid.UUID(int=draw.getrandbits(128), version=4)),
}
"""Kind -> the function that makes an identifier of it."""


def cut(text: str, *lengths: int) -> Iterator[str]:
    """Yield the parts of a text, of these lengths."""
    for length in lengths:
        yield text[:length]
        text = text[length:]


def texts(draw: Random, maker: Maker | None, holding: int) -> list[str]:
    """Return (rows,) texts, ``holding`` of which contain an identifier, alone or among words; no maker, clean texts."""
    rows = set(draw.sample(range(ROWS), holding))
    made = []
    for row in range(ROWS):
        words = draw.choices(WORDS, k=draw.randrange(1, 41))
        if maker is not None and row in rows:
            words = words[: draw.randrange(len(words) + 1)]
            words.insert(draw.randrange(len(words) + 1), maker(draw))
        made.append(" ".join(words))
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScores:
    """How well identifiers in texts are found.

    Parameters
    ----------
    columns : number of columns of texts with identifiers.
    missed : kind and rows of the columns whose kind was not found as strong evidence.
    clean : number of columns of clean texts.
    refused : kinds of strong evidence found in clean texts.
    """

    columns: int
    missed: list[tuple[str, int]]
    clean: int
    refused: list[str]

    def words(self) -> str:
        found = self.columns - len(self.missed)
        recall, precision = found / self.columns, found / max(1, found + len(self.refused))
        return (
            f"{self.columns} columns of texts with identifiers in 1 to {ROWS} of {ROWS} rows, "
            f"{self.clean} of clean texts: "
            f"recall {recall:.3f}, precision {precision:.3f}"
        )


def text_scores(seed: int) -> TextScores:
    """Return how well identifiers are found in the texts of a seed; free text itself is left out."""
    draw = Random(seed)  # noqa: S311  (nobody's secrets)
    missed = []
    for kind, maker in MAKERS.items():
        for holding in SHARES:
            table = pa.table({"v": texts(draw, maker, holding)})
            found = {one.kind: one for one in gamedeid.check_identifiers(table).findings}
            if kind not in found or not found[kind].strong:
                missed.append((kind, holding))
    clean = [gamedeid.check_identifiers(pa.table({"v": texts(draw, None, 0)})).findings for _ in range(20)]
    refused = [one.kind for findings in clean for one in findings if one.strong and one.kind != "free text"]
    columns = len(MAKERS) * len(SHARES)
    return TextScores(columns=columns, missed=missed, clean=len(clean), refused=refused)


if __name__ == "__main__":
    sys.stdout.write(text_scores(1).words() + "\n")
