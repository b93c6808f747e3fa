"""Run a command from a process that is small itself, and tell in a last line how long it took and how much it held.

A command started by a large process is told to have held at least what that process did: the system counts so.

Run: ``python -S launched.py COMMAND ...``
"""

import os
import sys
import time


def main() -> None:
    """Print seconds and kilobytes, and end as the command did."""
    start = time.perf_counter()
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
    _, status, used = os.wait4(child, 0)
    print(f"\n{time.perf_counter() - start} {used.ru_maxrss}", flush=True)
    sys.exit(min(abs(os.waitstatus_to_exitcode(status)), 1))


if __name__ == "__main__":
    main()
