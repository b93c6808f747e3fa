"""Runs this room's tests, and says how much of what is shown was searched: `python tests/leaks/count.py`."""

import sys
from pathlib import Path

import pytest

ROOM = Path(__file__).parent
sys.path[:0] = [str(ROOM.parent / "kit")]


def main() -> int:
    """Print the figures, and return the exit code of the tests."""
    import leak_marks as marks  # noqa: PLC0415  (the same module as that of the tests)
    from leak_world import columns_of_people, columns_of_records  # noqa: PLC0415

    skipped = "--deselect=tests/leaks/test_leaks_detectors.py"  # which searches what is no output
    code = pytest.main([str(ROOM), "-q", "-n0", "-m", "", skipped, *sys.argv[1:]])
    tally = marks.TALLY
    columns = [*columns_of_records().values(), *columns_of_people().values()]
    planted = {
        str(value) for column in columns for value in column if any(mark in str(value) for mark in marks.EVERYTHING)
    }
    rows = {
        "classes shown": len(tally.classes),
        "public functions called": len(tally.functions),
        "commands run": len(tally.commands),
        "kinds of errors raised": len(tally.errors),
        "addresses of the explorer asked": len(tally.endpoints),
        "outputs searched": tally.outputs.total(),
        "bytes searched, unpacked and decoded": tally.searched,
        "marks": len(marks.EVERYTHING),
        "distinct values that carry one": len(planted),
        "encodings of each text": len(marks.signs(marks.RAW)),
        "encodings of the number": len(marks.signs(str(marks.NUMBER))),
    }
    lines = [f"{number:>14,}  {what}" for what, number in rows.items()]
    kinds: dict[str, int] = {}
    for kind, number in tally.outputs.items():
        kinds[kind.partition(":")[0]] = kinds.get(kind.partition(":")[0], 0) + number
    lines += ["of the outputs:", *(f"{number:>14,}  {kind}" for kind, number in sorted(kinds.items()))]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
