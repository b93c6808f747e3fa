"""Ways to change a folder of results and update its digests, as an informed attacker would."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamedeid import Solution


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write(folder: Path, name: str, content: str | bytes, *, fitting: bool = True) -> None:
    """Replace a file; with ``fitting`` the manifest gets its new digest."""
    content = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(content)
    if fitting and name != "manifest.json":
        change_json(folder, "manifest.json", lambda manifest: manifest["outputs"].update({name: digest(content)}))


def change_json(folder: Path, name: str, change: Callable[[Any], object]) -> None:
    """Change a JSON file in place."""
    content = json.loads((folder / name).read_text())
    change(content)
    write(folder, name, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    return csv_rows((folder / name).read_text())


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def write_rows(folder: Path, name: str, rows: Iterable[dict[str, Any]], *, fitting: bool = True) -> None:
    rows = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write(folder, name, text.getvalue(), fitting=fitting)


def change_rows(folder: Path, name: str, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """Change the rows of a CSV file in place, or by the rows that ``change`` returns."""
    rows = rows_of(folder, name)
    made = change(rows)
    write_rows(folder, name, rows if made is None else made)


def at_strategy(solution: Solution, profile: int, node: int) -> Solution:
    """Return a solution in which a profile has another strategy; everything else follows from it."""
    nodes = solution.choice.nodes.copy()
    nodes[profile] = node
    return replace(solution, choice=replace(solution.choice, nodes=nodes))
