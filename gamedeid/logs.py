"""What the library tells Python's ``logging``: which step was done, and with which figures.

Each step is one line of one logger below ``gamedeid``, named after its module; nothing is shown unless somebody adds a
handler. The rule of what a line may say:

- figures of the whole: rows, people, profiles, levels, strategies, shares, exit codes;
- words of the program and of the scenario: games, solvers, engines, policies, names of attributes and kept columns;
- the name of a file or folder without the folders above it;
- never a value of a record or of the population, the name or a value of a dropped column, a key of persons, a row, or
  the words of an error of another library.

A text that is not the program's own passes :func:`gamedeid.errors.one_line` first: handlers are other people's, and
some fail on letters that no encoding has.

DEBUG has how a step was done, INFO that it was done, WARNING what the reader of a result has to know.
"""

import logging

_PACKAGE = "gamedeid"

logging.getLogger(_PACKAGE).addHandler(logging.NullHandler())


def logger_of(module: str) -> logging.Logger:
    """Return the logger of a module of the package."""
    return logging.getLogger(module)
