"""Commands beside those that solve: first looks at a table, regions, finished folders, and what the explorer saves."""

import hashlib
import json
import shutil
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from small_world import gamedeid_says

from fuzzing.case import Case
from fuzzing.mutation import ODD_NUMBERS, ODD_TEXTS, change_bytes, change_tree, odd_value, to_toml
from fuzzing.questions import PLAIN, TOKENS, Table, as_csv, as_parquet
from fuzzing.tables import draw_csv

_HUGE = ("1e400", "-1e400", "9" * 5000, "1" + "0" * 310, "0." + "0" * 400 + "1", "1e-400", "1e300", "9" * 30, "-0")
_NAMES = ("name", "age", "sex", "zip", "income", "weight", "year", "visits", "no such", "")
_finished: list[dict[str, bytes]] = []


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
    """Return a table of columns of numbers, some of them beyond all measure."""
    rows = rng.choice((5, 40, 200))
    columns: list[list[str]] = [["name", *(f"TOKEN-{row}-NAME" for row in range(rows))]]
    for name in rng.sample(("age", "weight", "zip", "year", "visits"), rng.randint(1, 4)):
        most = rng.choice((3, 40, 10**6))
        values = [str(rng.randrange(most)) for _ in range(rows)]
        if rng.randrange(3) == 0:
            values = [f"{rng.random() * 10 ** rng.randrange(-20, 20)}" for _ in range(rows)]
        for _ in range(rng.choice((0, 1, 1, 3))):
            values[rng.randrange(rows)] = rng.choice((*_HUGE, *ODD_NUMBERS))
        columns.append([name, *values])
    return [list(row) for row in zip(*columns, strict=True)]


def draw_regions(rng: Random) -> Case:
    """Return a question whose data lie in a file for each region, and how `gamedeid regions` is asked."""
    scenario: dict[str, Any] = {**PLAIN.scenario, "regions": {"attribute": "zip", "level": 2}}
    scenario["records"] = {**scenario["records"], "path": "records"}
    scenario["population"] = {**scenario["population"], "path": "people"}
    if rng.randrange(3) == 0:
        value = odd_value(rng)
        scenario["regions"][rng.choice(("attribute", "level", "more"))] = rng.choice((value, 0, 1, 3, "age", "sex"))
    if rng.randrange(6) == 0:
        scenario = change_tree(rng, scenario)
    files = {name: content.encode() for name, content in PLAIN.hierarchies.items()}
    files["scenario.toml"] = to_toml(scenario).encode("utf-8", "surrogatepass")
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


def draw_finished(rng: Random) -> Case:
    """Return a finished folder, some of whose files were changed, and a command that reads all of it."""
    files = {**PLAIN.files(), "new.csv": as_csv(PLAIN.records), **finished_files()}
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        name = rng.choice([one for one in files if one.startswith("results/") or one in {"new.csv", "scenario.toml"}])
        files[name] = _damaged(rng, name, files[name])
    if rng.randrange(3):
        files["results/manifest.json"] = _digested(files)
    name = rng.choice(("apply", "apply", "attack", "attack", "audit", "verify"))
    words = [name, "results"]
    if name == "apply":
        words += [rng.choice(("new.csv",) * 6 + ("people.csv", "no.csv", "results/release.csv"))]
        words += ["--scenario", "scenario.toml"] if rng.randrange(6) else []
        words += ["--no-report"] + (["-o", "out"] if rng.randrange(2) else [])
    elif rng.randrange(6):
        words += ["scenario.toml"]
    if name == "attack":
        words += ["--repeats", rng.choice(("1", "2", "0", *ODD_NUMBERS))] if rng.randrange(2) else ["--repeats", "1"]
        words += ["--recipient", rng.choice(("naive", "aware", "noisy", "marketer", *ODD_TEXTS))] * rng.randrange(2)
        words += ["--identity", rng.choice(("name", "zip", *ODD_TEXTS))] if rng.randrange(8) == 0 else []
        words += ["--covers", rng.choice(("0.5", *ODD_NUMBERS))] if rng.randrange(8) == 0 else []
    words += ["--json"] if rng.randrange(3) else []
    return Case(kind="finished", words=tuple(word.replace("\0", "") for word in words), files=files, tokens=TOKENS)


def finished_files() -> dict[str, bytes]:
    """Return the files of a finished run, as files of the folder ``results``; made once by this process."""
    if not _finished:
        folder = Path(mkdtemp())
        for name, content in PLAIN.files().items():
            (folder / name).write_bytes(content)
        said = gamedeid_says("run", folder / "scenario.toml", "-o", folder / "results", "--no-report")
        assert said.code == 0, said
        _finished.append({f"results/{path.name}": path.read_bytes() for path in (folder / "results").iterdir()})
        shutil.rmtree(folder)
    return dict(_finished[0])


def _damaged(rng: Random, name: str, content: bytes) -> bytes:
    if rng.randrange(4) == 0:
        return change_bytes(rng, content)
    if name.endswith(".json"):
        try:
            document = json.loads(content)
            document = change_tree(rng, document)
            return json.dumps(document, default=str).encode("utf-8", "replace")
        except (ValueError, RecursionError):
            return b"{"
    if not name.endswith(".csv"):
        return content
    rows = [row.split(",") for row in content.decode("utf-8", "replace").splitlines()]
    for _ in range(rng.randint(1, 3)):
        row = rng.choice(rows) if rows else []
        match rng.randrange(6):
            case 0 | 1 | 2 if row:
                row[rng.randrange(len(row))] = rng.choice((*ODD_TEXTS, *ODD_NUMBERS, *_HUGE, "*"))
            case 3:
                for one in rows:  # a column twice
                    one.append(one[0] if one else "")
            case 4 if len(rows) > 1:
                rows.remove(row)
            case _:
                rows.append(list(row))
    return as_csv(rows)


def _digested(files: dict[str, bytes]) -> bytes:
    try:
        manifest = json.loads(files["results/manifest.json"])
        for name in manifest["outputs"]:
            manifest["outputs"][name] = hashlib.sha256(files[f"results/{name}"]).hexdigest()
        return json.dumps(manifest).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return files["results/manifest.json"]


def draw_saving(rng: Random) -> Case:
    """Return what a page asks the explorer to save, or to write."""
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
    kept = isinstance(path, str) and path in PLAIN.files()  # what was asked for may be replaced, and inputs may not
    overwrite = False if kept else rng.choice((False, False, True, odd_value(rng)))
    return Case(
        kind="saving",
        files=PLAIN.files(),
        tokens=TOKENS,
        call={
            "function": "explore",
            "what": rng.choice(("save", "save", "write", "person")),
            "setting": _plain(setting),
            "path": _plain(path),
            "overwrite": _plain(overwrite),
        },
    )


def _odd(rng: Random) -> tuple[Any, ...]:
    return (odd_value(rng),) if rng.randrange(4) == 0 else ()


def _plain(value: Any) -> Any:
    """Return what JSON would make of a value, as a page sends it."""
    try:
        return json.loads(json.dumps(value, default=str))
    except (ValueError, RecursionError):
        return None


def explore(call: dict[str, Any]) -> list[str]:
    """Ask a session of the explorer, in the current folder; return what it answers."""
    from gamedeid import Scenario
    from gamedeid.explorer.session import Session

    session = Session.open(Scenario.read("scenario.toml"), root=Path.cwd())
    try:
        if call["what"] == "person":
            return [str(session.person(call["setting"], call["path"]))]
        return [str(getattr(session, call["what"])(call["setting"], call["path"], call["overwrite"]))]
    finally:
        session.end()
