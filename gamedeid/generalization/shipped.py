"""Where the hierarchies and scenarios that travel with the package are."""

from pathlib import Path
from typing import Literal, TypeAlias

from gamedeid.errors import InvalidDataError

ShippedKind: TypeAlias = Literal["hierarchies", "scenarios"]

_SUFFIXES: dict[ShippedKind, tuple[str, ...]] = {"hierarchies": (".csv", ".toml"), "scenarios": (".toml",)}
_PACKAGE = Path(__file__).resolve().parents[1]


def shipped(kind: ShippedKind) -> Path:
    """Return the folder of the shipped files: inside an installed package, else beside it in the repository."""
    inside, beside = _PACKAGE / "_shipped" / kind, _PACKAGE.parent / kind
    for folder in (inside, beside):
        if folder.is_dir():
            return folder
    raise InvalidDataError(f"the shipped {kind} are neither in {inside} nor in {beside}: install gamedeid again")


def shipped_files(kind: ShippedKind) -> dict[str, Path]:
    """Return the path of each shipped file of a kind by its name without suffix."""
    return {path.stem: path for path in shipped(kind).iterdir() if path.suffix in _SUFFIXES[kind] and path.is_file()}
