"""Inputs that become others while they are read."""

from random import Random

from fuzzing.case import Case
from fuzzing.questions import KEPT, PLAIN, RECORDS, STORED, TOKENS, as_csv, as_parquet

_MOST_CALLS = 700


def draw_swap(rng: Random) -> Case:
    """Return a question one of whose tables gets other rows at some moment of the run."""
    question = rng.choice((PLAIN, PLAIN, STORED))
    section = rng.choice(("records", "records", "population"))
    path = question.scenario[section]["path"]
    table = question.records if section == "records" else question.people
    header, *rows = table
    match rng.randrange(5):
        case 0:
            rows = rows[:-2]
        case 1:
            rows = rows * 3
        case 2:
            rows = rows[::-1]
        case 3:
            rows = [[{"40": "50", "50": "40"}.get(one, one) for one in row] for row in rows]
        case _:
            rows = []
    content = (as_parquet if path.endswith("parquet") else as_csv)([header, *rows])
    if rng.randrange(6) == 0:
        content = rng.choice((b"", content[: len(content) // 2], b"PAR1"))
    words = ["run", "scenario.toml", "-o", "out", "--no-report", "--json"]
    words += ["--engine", "duckdb"] if rng.randrange(8) == 0 else []
    words += ["--format", "parquet"] if rng.randrange(3) == 0 else []
    moment = {
        "call": rng.randrange(_MOST_CALLS),
        "file": path,
        "content": content,
        "how": rng.choice(("replace", "write")),
    }
    return Case(kind="swap", words=tuple(words), files=question.files(), tokens=TOKENS, swap=moment)


assert len(KEPT) == len(RECORDS) - 1
