"""The command line: from words to calls of the library, and its error messages."""

from gamedeid.cli.entry_point import main, run_command

__all__ = ["main", "run_command"]
