"""A process that has loaded everything and forks a run of the command line for each order: quick to start and to kill.

An order is a line of JSON: `words` for the command line, `folder` to stand in, `variables` of the environment or none
for the server's own, `first` the Python statements that the process of the run executes before it, `signal` and the
`moment` to send it, in seconds after the run began, or none. The answer is a line of JSON: exit `code`, `seconds` it
took, `out` and `err`; all is in `out` if the order says `merged`.

Packages named after the scenario, with commas between, are hidden as if they were not installed.

If the order has a `terminal`, with its number of `columns` and which `streams` are on it ("out", "err"), the run has
that for its input and those streams, and the others go nowhere; `out` is then all that was shown there.
"""

import contextlib
import fcntl
import gc
import json
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
import traceback
from pathlib import Path

from without_packages import hide

gc.disable()  # loaded objects stay to the end
hide(sys.argv[2].split(","))
from gamedeid.cli.entry_point import LOADED_OBJECTS, run_command  # noqa: E402  (not before they are hidden)


def fork_run(order: dict) -> dict:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        ready, tell = os.pipe()
        child = os.fork()
        if child == 0:
            os.chdir(order["folder"])
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno() if order["merged"] else err.fileno(), 2)
            # for the moments before and after the command line takes them
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda number, _frame: os._exit(128 + number))
            os.write(tell, b".")
            os._exit(run(order))  # a regular exit would take longer than the run
        os.read(ready, 1)
        born = time.perf_counter()
        if order["signal"] is not None:
            time.sleep(order["moment"])
            os.kill(child, getattr(signal, order["signal"]))
        _, status = os.waitpid(child, 0)
        seconds = time.perf_counter() - born
        os.close(ready)
        os.close(tell)
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode())
    return {"code": os.waitstatus_to_exitcode(status), "seconds": seconds, "out": said[0], "err": said[1]}


def fork_on_terminal(order: dict) -> dict:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, order["terminal"]["columns"], 0, 0))
    born = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.chdir(order["folder"])
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(theirs, 0)
        for number, stream in ((1, "out"), (2, "err")):
            os.dup2(theirs if stream in order["terminal"]["streams"] else nowhere, number)
        os._exit(run(order))
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            block = os.read(ours, 2**16)
        except OSError:  # the last writer has closed it
            break
        shown += block
    os.close(ours)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - born
    return {"code": os.waitstatus_to_exitcode(status), "seconds": seconds, "out": shown.decode(), "err": ""}


def run(order: dict) -> int:
    """Answer the words in this process, and return the exit code."""
    if order["variables"] is not None:
        os.environ.clear()
        os.environ.update(order["variables"])
    exec(order["first"], {"os": os, "sys": sys})  # noqa: S102  (the statements are a test's)
    try:
        return run_command(order["words"])
    except BaseException:  # noqa: BLE001  (what Python would do at the end of a process)
        traceback.print_exc()
        return 1
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()


def warm_up(scenario: str, *more: str) -> None:
    """Load and compile all that a run needs."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):
        run_command(["run", scenario, "-o", f"{folder}/out", *more])


if __name__ == "__main__":
    os.fsync = lambda _descriptor: None  # a killed process loses nothing that it has written
    warm_up(sys.argv[1], *["--no-report"] * bool(sys.argv[2]))
    gc.freeze()  # else each run's first look for what could be freed copies the memory that it shares with this process
    gc.set_threshold(LOADED_OBJECTS)  # as the command does
    gc.enable()
    for line in iter(sys.stdin.readline, ""):
        order = json.loads(line)
        answer = fork_run(order) if order["terminal"] is None else fork_on_terminal(order)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
