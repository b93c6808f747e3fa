"""A folder with input for every command: questions, tables and hierarchies, some with faults."""

from pathlib import Path

from small_world import SCENARIO, small_world

VOTER = '\n[attacker.voter]\nknows = ["sex"]\nlevels = { age = 1 }\nprice = 30\ncovers = 0.5\n'
VISITS = """
game = "basic"
title = "Visits"
[records]
path = "visits.csv"
person = "patient_id"
keep = ["ward"]
[attributes.age]
hierarchy = "age"
[attributes.sex]
hierarchy = "sex"
[payoffs]
benefit = 100
loss = 90
cost = 40
"""
ROWS_OF_VISITS = """patient_id,age,sex,ward
PLANTED-Q7,34,Male,a
PLANTED-B3,50,Female,b
PLANTED-Q7,36,Male,c
PLANTED-Z9,34,Male,d
PLANTED-B3,50,Female,e
PLANTED-M4,50,Female,f
PLANTED-A5,90,Male,g
PLANTED-A5,50,Female,h
"""
FILES = {
    "visits.toml": VISITS,
    "visits.csv": ROWS_OF_VISITS,
    "unnamed.csv": ROWS_OF_VISITS.replace("PLANTED-Z9", "").replace("PLANTED-M4", " "),
    "voter.toml": SCENARIO + VOTER,
    "counts.csv": "state,zip,under 12,65+\nNY,11794,8760,8761\nNY,10475,24,10\nMA,01701,9000,9000\n",
    "by_group.csv": "zip,ages,people\n11794,under 12,30\n11794,65+,5\n",
    "negative.csv": "state,zip,under 12,65+\nNY,11794,8760,8761\nNY,10475,-24,10\n",
    "overlapping.csv": "state,zip,60-70,65+\nNY,11794,8760,8761\n",
    "rare.csv": "zip,0-9,10-19,20-29\n1,1,100000000,0\n",
    "data.csv": "age,sex,id\n" + "".join(f"{20 + place % 11},{'MF'[place % 2]},{place}\n" for place in range(30)),
    "born.toml": 'kind = "date"\nformat = "DD.MM.YYYY"\nlevels = ["month", "year"]\n',
    "patients.csv": "name,born\nSECRET,14.03.1958\nSECRET,01.01.1960\nSECRET,unknown\n",
    "merged.toml": 'kind = "prefix"\nlength = 5\n[[merge]]\nfrom_level = 2\nvalues = ["42223", "42602"]\n',
    "long.csv": f"[b]{'word ' * 40};*\n[i]x[/i];*\n",
    "roots.csv": "a;x\nb;x\n",
    "keys.toml": 'kind = "prefix"\nlenght = 5\n',
    "alone.csv": "a",
}
"""Name -> content: questions, tables and hierarchies, some of them with faults."""


def write_command_files(folder: Path) -> None:
    """Write the small question, the other files, and an empty folder `results`."""
    small_world(folder)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "results").mkdir()
