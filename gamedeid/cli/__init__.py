"""Words to calls: the command line, and what it says when something is wrong."""

from gamedeid.cli.ends import answer, main

__all__ = ["answer", "main"]
