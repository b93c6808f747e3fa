"""How a command can end: exit codes, and what is said with those that a signal causes."""

import signal
from collections.abc import Mapping

DONE, OUR_FAULT, BAD_INPUT = 0, 1, 2

FINDINGS = 3
"""A command that looks for something wrong has looked, and found it."""

BY_SIGNAL = 128
"""What a shell adds to the number of the signal that ended a command."""

INTERRUPTED, NO_READER, TERMINATED = BY_SIGNAL + signal.SIGINT, BY_SIGNAL + 13, BY_SIGNAL + signal.SIGTERM
"""Ctrl-C, the closed pipe (SIGPIPE, which not every system has) and SIGTERM."""

SIGNAL_WORDS = {INTERRUPTED: "interrupted", TERMINATED: "asked to end"}
"""What standard error says of an exit code that a signal caused."""

EXIT_CODES: Mapping[int, str] = {
    DONE: "done",
    OUR_FAULT: "a fault of gamedeid itself",
    BAD_INPUT: "bad input",
    FINDINGS: "findings",
    INTERRUPTED: "interrupted",
    NO_READER: "nobody reads standard output",
    TERMINATED: "asked to end",
}
"""Every exit code of every command, and what it is called; the page of the documentation has the same."""
