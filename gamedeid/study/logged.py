"""What is logged of a question that has been read."""

from collections.abc import Sequence

from gamedeid.data.persons import Persons, RepeatedKey
from gamedeid.errors import one_line, quoted
from gamedeid.game.instance import Instance
from gamedeid.logs import logger_of

_LOG = logger_of(__name__)


def log_sizes(instance: Instance, people: int, persons: Persons | None) -> None:
    """Log how large a question is.

    Parameters
    ----------
    persons : whose each record is; None where each is a person.
    """
    profiles, lattice = instance.profiles, instance.lattice
    records = int(profiles.records.sum()) if persons is None else persons.records
    _LOG.info("%d records, %d profiles; population of %d", records, profiles.count, people)
    if persons is not None:
        _LOG.info("the records are of %d people, of whom %d have several", persons.count, persons.with_several)
    levels = ", ".join(f"{name} {hierarchy.levels}" for name, hierarchy in instance.hierarchies.items())
    _LOG.info("lattice of %d strategies; levels: %s", lattice.size, one_line(levels))
    _LOG.debug("people who match are counted by %s", type(instance.counts).__name__)


def log_doubts(*, unmatched: int, repeated_keys: Sequence[RepeatedKey], estimated: bool) -> None:
    """Log what the reader of an answer has to know of its data."""
    if unmatched:
        _LOG.warning("%d records match no one in the population", unmatched)
    for key in repeated_keys:
        column = "a dropped column" if key.column is None else f"column {quoted(key.column)}"
        _LOG.warning("%s repeats like a person's key: %d rows, %d values", one_line(column), key.rows, key.values)
    if estimated:
        _LOG.warning("the numbers of people who match are estimates")
