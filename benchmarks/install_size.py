"""How much each package of an installation takes on the disk, and which extra brings it.

Run: ``python benchmarks/install_size.py [--smoke]`` in an environment with ``gamedeid[all]``; nothing is downloaded.
"""

import argparse
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGE = "gamedeid"
SHOWN = 5
"""Packages below this number of MB are summed up."""


def needed_by(name: str, extras: frozenset[str], seen: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return every package that another needs with these extras, itself included."""
    name = canonicalize_name(name)
    if extras <= seen.get(name, frozenset()) and name in seen:
        return seen
    seen[name] = seen.get(name, frozenset()) | extras
    try:
        required = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return seen
    for line in required:
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            needed_by(one.name, frozenset(one.extras), seen)
    return seen


def megabytes(name: str) -> float | None:
    """Return the size of a package's files without compiled Python; None if it is not installed."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None
    listed = [Path(str(one.locate())) for one in metadata.files(name) or [] if one.suffix != ".pyc"]
    return sum(path.stat().st_size for path in listed if path.is_file()) / 2**20


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="changes nothing: this takes a moment")
    parser.parse_args()
    base = set(needed_by(PACKAGE, frozenset(), {}))
    known = metadata.metadata(PACKAGE).get_all("Provides-Extra") or []
    of_users = [extra for extra in known if extra not in {"test", "docs", "check", "release"}]
    brought = {extra: set(needed_by(PACKAGE, frozenset({extra}), {})) - base for extra in of_users}
    print("| extra | packages in addition to the base | MB | of 5 MB and more |")
    print("|---|---|---|---|")
    for extra, names in [("(base)", base), *sorted(brought.items())]:
        found = {name: megabytes(name) for name in names}
        sizes = sorted(((size, name) for name, size in found.items() if size is not None), reverse=True)
        absent = ", ".join(sorted(name for name, size in found.items() if size is None))
        total = f"not all are here: {absent}" if absent else f"{sum(size for size, _ in sizes):.0f}"
        large = ", ".join(f"{name} {size:.0f}" for size, name in sizes if size >= SHOWN)
        print(f"| {extra} | {len(names)} | {total} | {large} |")


if __name__ == "__main__":
    main()
