"""How a command can end: exit codes, and what is said with those that a signal causes."""

import signal

DONE, OUR_FAULT, BAD_INPUT = 0, 1, 2

FINDINGS = 3
"""A command that looks for something wrong has looked, and found it."""

BY_SIGNAL = 128
"""What a shell adds to the number of the signal that ended a command."""

INTERRUPTED, NO_READER, TERMINATED = BY_SIGNAL + signal.SIGINT, BY_SIGNAL + 13, BY_SIGNAL + signal.SIGTERM
"""Ctrl-C, the closed pipe (SIGPIPE, which not every system has) and SIGTERM."""

SIGNAL_WORDS = {INTERRUPTED: "interrupted", TERMINATED: "asked to end"}
"""What standard error says of an exit code that a signal caused."""
