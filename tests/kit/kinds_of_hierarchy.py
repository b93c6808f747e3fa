"""A question with hierarchies of five kinds, read from files: dates, ages, numbers, codes, a table."""

from pathlib import Path

FILES = {
    "born.toml": 'kind = "date"\nformat = "DD.MM.YYYY"\nlevels = ["month", "year", "decade"]\nearliest = 1934\n',
    "visit.toml": 'kind = "age"\nat = 2024-12-31\nwidths = [5, 15]\nopen_from = 90\n',
    "bmi.toml": 'kind = "number"\nbands = [[18.5, 25, 30], [25]]\n',
    "code.toml": 'kind = "codes"\nkeep = [3]\nranges = [["A00-B99", "E00-E90"]]\n',
    "ward.toml": 'kind = "table"\nrows = [["A1", "A", "*"], ["B1", "B", "*"]]\nunlisted = "Other"\n',
    "records.csv": (
        "born,visit,bmi,code,ward\n"
        "14.03.1958,1958-03-14,24.0,E11.9,A1\n"
        "1.4.1958,1958-04-01,24,E119,A1\n"
        "02.02.1930,1930-02-02,31.5,A01.0,C7\n"
        "31.12.1999,1999-12-31,17,B99,B1\n"
    ),
}
SCENARIO = """
game = "basic"
[records]
path = "records.csv"
[attributes]
born = { hierarchy = "born.toml" }
visit = { hierarchy = "visit.toml" }
bmi = { hierarchy = "bmi.toml", role = "other" }
code = { hierarchy = "code.toml", role = "other" }
ward = { hierarchy = "ward.toml", role = "other" }
[payoffs]
benefit = 100
loss = 90
cost = 20
[policy.safe-harbor]
year = 2024
"""


def write_kinds(folder: Path) -> Path:
    """Write the question into a folder, and return its scenario."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder / "scenario.toml"
