"""Run a command from a small process, and print its seconds and peak memory in a last line.

If a large process starts a command, the system counts the memory of that process as held by the command.

Run: ``python -S launched.py COMMAND ...``
"""

import os
import sys
import time


def main() -> None:
    """Print seconds and kilobytes, and exit like the command."""
    start = time.perf_counter()
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
    _, status, used = os.wait4(child, 0)
    print(f"\n{time.perf_counter() - start} {used.ru_maxrss}", flush=True)
    sys.exit(min(abs(os.waitstatus_to_exitcode(status)), 1))


if __name__ == "__main__":
    main()
