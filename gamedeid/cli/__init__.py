"""Words to calls: the command line, and what it says when something is wrong."""

from gamedeid.cli.ends import main

__all__ = ["main"]
