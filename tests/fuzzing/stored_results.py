"""Damaged folders of results, with and without fitting digests."""

import hashlib
import json
import shutil
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from small_world import gamedeid_says

from fuzzing.case import Case
from fuzzing.mutation import HUGE, ODD_NUMBERS, ODD_TEXTS, as_json, change_bytes, odd_value
from fuzzing.questions import POLICIES, TOKENS, as_csv

_COMMANDS = (
    *(("apply", "results"), ("attack", "results"), ("audit", "results"), ("verify", "results")) * 2,
    *(("risk", "release", "results"),) * 6,
    *(("report", "results"), ("report", "results", "-o", "page.html")),
)
_DOCUMENTS = ("summary.json", "report.json", "manifest.json")
_TABLES = ("release.csv", "strategies.csv")
_MOST_STEPS = 6
_finished: list[dict[str, bytes]] = []


def draw_finished(rng: Random) -> Case:
    """Return changes of a finished folder, and a command that reads it."""
    changes = [_change(rng) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    if changes and rng.randrange(3):
        changes.append({"do": "digest"})
    files = {**POLICIES.files(), "new.csv": as_csv(POLICIES.records)}
    if rng.randrange(4) == 0:
        files["new.csv"] = _changed_rows(rng, files["new.csv"])
    if rng.randrange(12) == 0:
        files["scenario.toml"] = change_bytes(rng, files["scenario.toml"])
    words = list(rng.choice(_COMMANDS))
    if words[0] == "apply":
        words += [rng.choice(("new.csv",) * 6 + ("people.csv", "no.csv", "results/release.csv"))]
        words += ["--scenario", "scenario.toml"] if rng.randrange(6) else []
        words += ["--no-report"] + (["-o", "out"] if rng.randrange(2) else [])
    elif words[0] in {"attack", "audit", "verify"} and rng.randrange(6):
        words += ["scenario.toml"]
    if words[0] == "attack":
        words += ["--repeats", rng.choice(("1", "2", "0", *ODD_NUMBERS)) if rng.randrange(2) else "1"]
        words += ["--recipient", rng.choice(("naive", "aware", "noisy", "marketer", *ODD_TEXTS))] * rng.randrange(2)
        words += ["--identity", rng.choice(("name", "zip", *ODD_TEXTS))] if rng.randrange(8) == 0 else []
        words += ["--covers", rng.choice(("0.5", *ODD_NUMBERS))] if rng.randrange(8) == 0 else []
    words += ["--json"] if rng.randrange(6) else []
    words = [word.replace("\0", "") for word in words]
    return Case(kind="finished", words=tuple(words), files=files, tokens=TOKENS, results=changes)


def _change(rng: Random) -> dict[str, Any]:
    name = rng.choice(_DOCUMENTS)
    match rng.randrange(16):
        case 0:
            return {"do": "remove", "file": name}
        case 1:
            return {"do": "cut", "file": name, "at": rng.random()}
        case 2:
            return {"do": "bytes", "file": name, "seed": rng.getrandbits(32)}
        case 3:
            file = rng.choice((*_DOCUMENTS, "report.html"))
            return {"do": "link", "file": file, "to": rng.choice(("../page", "/dev/null"))}
        case 4:
            text = rng.choice(("", "[]", "{}", "null", "1", '"a"', "[" * 9000, "NaN"))
            return {"do": "write", "file": name, "text": text}
        case 5 | 6 | 7 | 8:
            return {"do": "rows", "file": rng.choice(_TABLES), "seed": rng.getrandbits(32)}
        case 9 | 10:
            return {"do": "delete", "file": name, "path": _path(rng)}
        case _:
            return {"do": "set", "file": name, "path": _path(rng), "value": as_json(odd_value(rng))}


def _path(rng: Random) -> list[int]:
    """Return the keys or places on the way down; each counts modulo their number."""
    return [rng.randrange(1000) for _ in range(rng.randint(1, _MOST_STEPS))]


def lay_out(folder: Path, changes: list[dict[str, Any]]) -> None:
    """Write the results, changed, into the folder ``results`` of a folder."""
    home = folder / "results"
    home.mkdir()
    for name, content in finished().items():
        (home / name).write_bytes(content)
    for change in changes:
        _apply(home, change)


def finished() -> dict[str, bytes]:
    """Return the files of a finished run, made once by this process; the page, which takes long, is empty."""
    if not _finished:
        folder = Path(mkdtemp())
        for name, content in POLICIES.files().items():
            (folder / name).write_bytes(content)
        said = gamedeid_says("run", folder / "scenario.toml", "-o", folder / "results")
        assert said.code == 0, said
        (folder / "results" / "report.html").write_bytes(b"")
        _digest_again(folder / "results")
        _finished.append({path.name: path.read_bytes() for path in (folder / "results").iterdir()})
        shutil.rmtree(folder)
    return _finished[0]


def _apply(home: Path, change: dict[str, Any]) -> None:
    path = home / change.get("file", "manifest.json")
    if change["do"] == "digest":
        _digest_again(home)
    elif change["do"] == "link":
        path.unlink(missing_ok=True)
        path.symlink_to(change["to"])
    elif not path.exists() or path.is_symlink():
        return
    elif change["do"] == "remove":
        path.unlink()
    elif change["do"] == "cut":
        content = path.read_bytes()
        path.write_bytes(content[: int(len(content) * change["at"])])
    elif change["do"] == "bytes":
        path.write_bytes(change_bytes(Random(change["seed"]), path.read_bytes()))
    elif change["do"] == "rows":
        path.write_bytes(_changed_rows(Random(change["seed"]), path.read_bytes()))
    elif change["do"] == "write":
        path.write_text(change["text"])
    else:
        _change_document(path, change)


def _changed_rows(rng: Random, content: bytes) -> bytes:
    """Return a CSV table with odd values, a column or a row twice, or a row less."""
    rows = [row.split(",") for row in content.decode("utf-8", "replace").splitlines()]
    for _ in range(rng.randint(1, 3)):
        row = rng.choice(rows) if rows else []
        match rng.randrange(6):
            case 0 | 1 | 2 if row:
                row[rng.randrange(len(row))] = rng.choice((*ODD_TEXTS, *ODD_NUMBERS, *HUGE, "*"))
            case 3:
                for one in rows:
                    one.append(one[0] if one else "")
            case 4 if len(rows) > 1:
                rows.remove(row)
            case _:
                rows.append(list(row))
    return as_csv(rows)


def _change_document(path: Path, change: dict[str, Any]) -> None:
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    holder, steps = document, list(change["path"])
    while isinstance(holder, dict | list) and holder:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = keys[steps.pop(0) % len(keys)]
        if not steps or not isinstance(holder[key], dict | list) or not holder[key]:
            if change["do"] == "delete":
                del holder[key]
            else:
                holder[key] = change["value"]
            break
        holder = holder[key]
    path.write_text(json.dumps(document, ensure_ascii=False))


def _digest_again(home: Path) -> None:
    """Update the digests in the manifest, if it is still readable."""
    path = home / "manifest.json"
    try:
        manifest = json.loads(path.read_bytes())
        for name in manifest["outputs"]:
            manifest["outputs"][name] = hashlib.sha256((home / name).read_bytes()).hexdigest()
    except (OSError, ValueError, RecursionError, TypeError, KeyError):
        return
    path.write_text(json.dumps(manifest, ensure_ascii=False), "utf-8", "surrogatepass")
