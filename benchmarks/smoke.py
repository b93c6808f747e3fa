"""Run drivers on small data, each in a separate process, forked from one that has imported what most of them need.

Run: ``python benchmarks/smoke.py DRIVER ...``; it exits with 1 if one of them fails.
"""

import os
import sys
import traceback
from pathlib import Path

import subjects  # noqa: F401  (gamedeid and numpy are loaded once)

TOGETHER = 2
"""Drivers that run at a time."""


def main() -> None:
    """Run the named drivers, and print which of them failed."""
    left, running, failed = sys.argv[1:], {}, []
    while left or running:
        while left and len(running) < TOGETHER:
            name = left.pop(0)
            child = os.fork()
            if child == 0:
                os._exit(exit_code(name))  # a regular exit would take longer than some of them
            running[child] = name
        child, status = os.wait()
        name = running.pop(child)
        if status:
            failed.append(name)
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def exit_code(name: str) -> int:
    """Run a driver in this process, as Python runs a script."""
    path = Path(__file__).with_name(f"{name}.py")
    sys.argv = [str(path), "--smoke"]
    script = sys.modules["__main__"]  # where its child processes look for functions passed to them
    script.__file__ = str(path)
    try:
        exec(compile(path.read_bytes(), path, "exec"), vars(script))  # noqa: S102  (a driver of this folder)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return int(end.code is not None and end.code != 0)
    except BaseException:  # noqa: BLE001  (what Python would do at the end of a process)
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    main()
