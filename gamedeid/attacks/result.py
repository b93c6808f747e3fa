"""Results of simulated attacks: attacks, successes, the numbers that the formulas expect, and payoffs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import sqrt
from typing import Any, ClassVar

from gamedeid.file_identity import Inputs
from gamedeid.reprs import frozen
from gamedeid.results.folder import FolderWriter, write_result
from gamedeid.results.manifest import ResultWarning
from gamedeid.results.result import Amount, Count, Flag, Level, Mean, Number, OneOrMore, Result, Share, Text
from gamedeid.results.tables import csv_bytes

_NORMAL_QUANTILE = 1.959963984540054
"""The standard normal distribution has 97.5% below it: the ends of an interval of 95%."""


@frozen
class AttackCounts(Result):
    """Attacks on some records by one recipient, over all worlds together.

    Parameters
    ----------
    strategy : attribute -> level, of these records; None for all records, and for groups too small to be shown.
    records : number of these released records, in each world.
    attacks : how many attacks were made on them.
    successes : how many of these named the right person.
    expected_successes : how many the formulas expect; None where there is no formula.
    random_guess_successes : how many guesses among all people would have been right, one for each attack.
    one_attribute_successes : the same among those who match in one attribute; None if rows are guessed.
    surprise : chance of a number of successes at least this far out, if the formulas hold; None without a formula.
    agrees : whether the successes do not differ significantly from the formulas.
    """

    keys: ClassVar[tuple[str, ...]] = (
        *("strategy", "records", "attacks", "successes", "success_share", "success_share_low", "success_share_high"),
        *("expected_successes", "random_guess_successes", "one_attribute_successes", "surprise", "agrees"),
    )

    strategy: Mapping[str, Level] | None
    records: Count
    attacks: Count
    successes: Count
    expected_successes: Mean | None
    random_guess_successes: Mean | None
    one_attribute_successes: Mean | None
    surprise: Number | None
    agrees: Flag

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95% interval of the share of attacks that succeed; None where there was no attack."""
        return wilson_interval(self.successes, self.attacks) if self.attacks else None

    @property
    def success_share(self) -> Share | None:
        """The share of attacks that succeed; None where there was no attack."""
        return self.successes / self.attacks if self.attacks else None

    @property
    def success_share_low(self) -> Share | None:
        """The lower end of the interval."""
        return self.interval[0] if self.interval else None

    @property
    def success_share_high(self) -> Share | None:
        """The upper end of the interval."""
        return self.interval[1] if self.interval else None


@frozen
class RecipientResult(AttackCounts):
    """The attacks of one recipient on all records, in all worlds.

    It agrees if the total and every group do, and no row has another chance for the recipient.

    Parameters
    ----------
    strategy, records, attacks, successes, expected_successes, random_guess_successes : as for :class:`AttackCounts`.
    one_attribute_successes, surprise, agrees : as for :class:`AttackCounts`.
    total_agrees : whether the successes on all records together agree with the formulas.
    recipient : one of those that can be simulated of any release, or a recipient of the scenario.
    groups : the attacks by the records' stated strategies.
    dollars_gained, dollars_paid : for successes, and for attacks, in all worlds.
    rows_seen_otherwise : how many rows have another chance of success for the recipient than the formulas state.
    """

    keys: ClassVar[tuple[str, ...]] = (
        "recipient",
        *AttackCounts.keys,
        *("dollars_gained", "dollars_paid", "rows_seen_otherwise", "groups"),
    )

    total_agrees: bool
    recipient: Text
    groups: Sequence[AttackCounts]
    dollars_gained: Amount
    dollars_paid: Amount
    rows_seen_otherwise: Count


@frozen(eq=False)
class AttackSimulation(Result):
    """The results of attacks on a release, simulated in a number of worlds.

    Parameters
    ----------
    folder : path of the release, as given.
    game : the game or policy that made the release.
    people : how many people there are in each world.
    records, released : how many records there are, and how many were released.
    left_out : released records that are not judged, since no one in the population has their values.
    more_records_than_people : released records in excess of the people who have their values.
    repeats : number of worlds.
    seed : of the random numbers.
    options : options of single recipients.
    recipients : the results of each of them.
    notes : further notes, a line each.
    warnings : those of the release.
    inputs : the files that were read.
    """

    document = "attack"
    keys: ClassVar[tuple[str, ...]] = (
        *("game", "people", "records", "released", "left_out", "more_records_than_people", "repeats", "seed"),
        *("options", "agrees", "recipients", "notes", "warnings"),
    )
    shown = ("game", "repeats", "agrees")
    table_of = "recipients"

    folder: str
    game: Text
    people: Count
    records: Count
    released: Count
    left_out: Count
    more_records_than_people: Count
    repeats: OneOrMore
    seed: Count
    options: Mapping[str, Number]
    recipients: Sequence[RecipientResult]
    notes: Sequence[Text]
    warnings: Sequence[ResultWarning]
    inputs: Inputs = field(repr=False)

    @property
    def agrees(self) -> Flag:
        """Whether the simulated results agree with the formulas, for all recipients that have a formula."""
        return all(one.agrees for one in self.recipients)

    write = write_result

    def _write_into(self, folder: FolderWriter) -> dict[str, Any]:
        folder.write_json("attack.json", self.as_dict())
        folder.write_bytes("attacks.csv", csv_bytes(list(self._rows())))
        asked = {"game": self.game, "repeats": self.repeats, **self.options}
        return folder.write_manifest(scenario=asked, inputs=self.inputs, seed=self.seed, warnings=self.warnings)

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each recipient and group of records, and before them one for all records."""
        for one in self.recipients:
            yield _row(one, one, "all")
            for counts in one.groups:
                yield _row(one, counts, "other strategies" if counts.strategy is None else "strategy")


def _row(one: RecipientResult, counts: AttackCounts, of: str) -> dict[str, Any]:
    row = {key: getattr(counts, key) for key in AttackCounts.keys}
    levels = row.pop("strategy") or {}
    named = " ".join(f"{name}={level}" for name, level in levels.items())
    return {"recipient": one.recipient, "records_of": of, "strategy": named, **row}


def wilson_interval(successes: int, tries: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share, by its successes among at least one try.

    Examples
    --------
    >>> low, high = wilson_interval(10, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    """
    z = _NORMAL_QUANTILE
    share, square = successes / tries, z * z / tries
    middle = (share + square / 2) / (1 + square)
    half = z * sqrt(share * (1 - share) / tries + square / (4 * tries)) / (1 + square)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == tries else min(1.0, middle + half)
