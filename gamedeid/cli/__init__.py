"""Words to calls: the command line, and what it says when something is wrong."""

from gamedeid.cli.entry_point import main, run_command

__all__ = ["main", "run_command"]
