"""Commands other than those that solve: drafts and checks of a table, regions, and files saved by the explorer."""

from pathlib import Path
from random import Random
from typing import Any

from fuzzing.case import Case
from fuzzing.mutation import HUGE, ODD_NUMBERS, ODD_TEXTS, as_json, change_bytes, change_tree, odd_value, to_toml
from fuzzing.questions import PLAIN, TOKENS, Table, as_csv, as_parquet
from fuzzing.tables import draw_csv

_NAMES = ("name", "age", "sex", "zip", "income", "weight", "year", "visits", "no such", "")


def draw_intake(rng: Random) -> Case:
    """Return a table that `init` drafts a scenario for, or that `check` looks for identifiers in."""
    case = draw_csv(rng)
    files = dict(case.files)
    if rng.randrange(2):
        files["records.csv"] = as_csv(_numbers(rng))
    command = rng.choice(("init", "init", "check"))
    words = [command, rng.choice(("records.csv",) * 6 + ("scenario.toml", "people.csv", "no/such.csv"))]
    if command == "check":
        words += ["scenario.toml"] if rng.randrange(4) == 0 else []
    else:
        for option in ("--attribute", "--keep", "--drop"):
            for _ in range(rng.choice((0, 0, 1, 2))):
                words += [option, rng.choice(_NAMES if rng.randrange(8) else ODD_TEXTS).replace("\0", "")]
        words += ["--population", "people.csv"] if rng.randrange(4) == 0 else []
        words += ["--yes"] if rng.randrange(3) else []
        words += ["-o", "out"] if rng.randrange(3) else []
    words += ["--json"] if rng.randrange(6) == 0 else []
    return Case(kind="intake", words=tuple(words), files=files)


def _numbers(rng: Random) -> Table:
    """Return a table of columns of numbers, some of them huge."""
    rows = rng.choice((5, 40, 200))
    columns: list[list[str]] = [["name", *(f"TOKEN-{row}-NAME" for row in range(rows))]]
    for name in rng.sample(("age", "weight", "zip", "year", "visits"), rng.randint(1, 4)):
        most = rng.choice((3, 40, 10**6))
        values = [str(rng.randrange(most)) for _ in range(rows)]
        if rng.randrange(3) == 0:
            values = [f"{rng.random() * 10 ** rng.randrange(-20, 20)}" for _ in range(rows)]
        for _ in range(rng.choice((0, 1, 1, 3))):
            values[rng.randrange(rows)] = rng.choice((*HUGE, *ODD_NUMBERS))
        columns.append([name, *values])
    return [list(row) for row in zip(*columns, strict=True)]


def draw_regions(rng: Random) -> Case:
    """Return a question with a file of data for each region, and the words of `gamedeid regions`."""
    scenario: dict[str, Any] = {**PLAIN.scenario, "regions": {"attribute": "zip", "level": 2}}
    scenario["records"] = {**scenario["records"], "path": "records"}
    scenario["population"] = {**scenario["population"], "path": "people"}
    if rng.randrange(3) == 0:
        value = odd_value(rng)
        scenario["regions"][rng.choice(("attribute", "level", "more"))] = rng.choice((value, 0, 1, 3, "age", "sex"))
    if rng.randrange(6) == 0:
        scenario = change_tree(rng, scenario)
    files = {name: content.encode() for name, content in PLAIN.hierarchies.items()}
    files["scenario.toml"] = to_toml(scenario)
    for folder, table, place in (("records", PLAIN.records, 3), ("people", PLAIN.people, 2)):
        header, *rows = table
        for region, prefixes in (("a", ("370",)), ("b", ("372", "380"))):
            some = [list(row) for row in rows if row[place].startswith(prefixes)]
            if rng.randrange(10) == 0:
                row = rng.choice(some)
                at = rng.randrange(len(row) - (folder == "people"))
                row[at] = rng.choice((*ODD_TEXTS, "37010", "38001"))
            try:
                content = as_parquet([header, *some])
            except (UnicodeError, ValueError):
                content = b""
            if rng.randrange(12) == 0:
                content = change_bytes(rng, content)
            if rng.randrange(20):
                files[f"{folder}/{region}.parquet"] = content
    words = ["regions", "scenario.toml", *(["-o", "out"] if rng.randrange(2) else [])]
    words += ["--set", f"payoffs.loss={rng.choice(ODD_NUMBERS)}".replace("\0", "")] if rng.randrange(8) == 0 else []
    words += ["--json"] if rng.randrange(2) else []
    return Case(kind="regions", words=tuple(words), files=files, tokens=TOKENS)


def draw_saving(rng: Random) -> Case:
    """Return a page's request to the explorer to save or write a file."""
    setting: Any = {
        "loss": rng.choice((90, 50.5, *_odd(rng))),
        "benefit": 100,
        "cost": rng.choice((20, 1)),
        "weights": {"age": rng.choice((1, 2.5, *_odd(rng)))},
        "policy": rng.choice(("safe-harbor", "limited-data-set", *_odd(rng))),
        "game": rng.choice(("basic", "no-attack", "sh-friendly", *_odd(rng))),
        "hierarchies": rng.choice(({}, {"age": "40;*\n41;*\n50;*\n51;*\n"}, *_odd(rng))),
    }
    if rng.randrange(5) == 0:
        setting = rng.choice((None, [], odd_value(rng)))
    paths = ("saved.toml", "a/b.toml", "scenario.toml", "../x.toml", "x" * 300 + ".toml", "ages.csv", "é\n.toml", "out")
    path = rng.choice((*paths, *paths, odd_value(rng)))
    kept = isinstance(path, str) and path in PLAIN.files()  # requested files may be replaced, inputs may not
    overwrite = False if kept else rng.choice((False, False, True, odd_value(rng)))
    return Case(
        kind="saving",
        files=PLAIN.files(),
        tokens=TOKENS,
        call={
            "function": "explore",
            "what": rng.choice(("save", "save", "write", "person")),
            "setting": as_json(setting),
            "path": as_json(path),
            "overwrite": as_json(overwrite),
        },
    )


def _odd(rng: Random) -> tuple[Any, ...]:
    return (odd_value(rng),) if rng.randrange(4) == 0 else ()


def explore(call: dict[str, Any]) -> list[str]:
    """Send a request to a session of the explorer in the current folder; return its answer."""
    from gamedeid import Scenario
    from gamedeid.explorer.session import Session

    session = Session.open(Scenario.read("scenario.toml"), root=Path.cwd())
    try:
        if call["what"] == "person":
            return [str(session.person(call["setting"], call["path"]))]
        return [str(getattr(session, call["what"])(call["setting"], call["path"], call["overwrite"]))]
    finally:
        session.end()
