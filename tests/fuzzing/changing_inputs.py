"""Inputs that change while they are read."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from fuzzing.case import Case
from fuzzing.oracle import Fault
from fuzzing.questions import PLAIN, STORED, TOKENS, as_csv, as_parquet
from fuzzing.trial import Outcome, try_case

_MOST_CALLS = 3000
_answers: dict[bytes, dict[str, bytes]] = {}


def draw_changing_input(rng: Random) -> Case:
    """Return a question with a table that gets other rows at some moment of the run."""
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
    return Case(kind="changing", words=tuple(words), files=question.files(), tokens=TOKENS, replacement=moment)


def faults_of(case: Case, outcome: Outcome, home: Path) -> Iterator[Fault]:
    """Yield a fault if the written answer belongs neither to the old file nor to the new one."""
    if case.replacement is None or outcome.code != 0:
        return
    answers = [
        _answer(case, home),
        _answer(case.but(files={**case.files, case.replacement["file"]: case.replacement["content"]}), home),
    ]
    written = _compared(outcome)
    if written not in answers:
        odd = [name for name in written if written[name] not in [answer.get(name) for answer in answers]]
        yield Fault(what="the answer to another input", where=str(odd), detail=str(written)[:3000])


def _answer(case: Case, home: Path) -> dict[str, bytes]:
    """Return the written answer if nothing changes meanwhile."""
    key = case.everything
    if key not in _answers:
        _answers[key] = _compared(try_case(case.but(replacement=None), home))
    return _answers[key]


def _compared(outcome: Outcome) -> dict[str, bytes]:
    return {
        name: content for name, content in outcome.after.items() if name.startswith("out/") and "manifest" not in name
    }
