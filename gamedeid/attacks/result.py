"""What came of simulated attacks: numbers of attacks and successes beside what formulas expect, and what they pay."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import sqrt
from typing import Any

from gamedeid.amounts import number_of
from gamedeid.extras import lacking
from gamedeid.file_identity import Inputs
from gamedeid.reprs import frozen, html_table, repr_of
from gamedeid.results import FolderWriter, write_result
from gamedeid.results.manifest import MANIFEST, manifest
from gamedeid.results.tables import json_text, rows_to_columns, write_table
from gamedeid.schema_names import KEY, schema_id

try:
    from scipy.stats import norm
except ImportError:
    raise lacking("risk", "a simulated attack") from None


@frozen
class AttackCounts:
    """Attacks on some records by one recipient, over all worlds together.

    Parameters
    ----------
    strategy : attribute -> level, of these records; None for all records, and for groups too small to be told apart.
    records : how many released records there are of the kind, in each world.
    attacks : how many attacks were made on them.
    successes : how many of these named the right person.
    expected : how many the formulas expect; None where there is no formula.
    by_chance : how many guesses among all people would have been right, one for each attack.
    by_one_attribute : how many guesses among those who match in one attribute; None where rows are guessed.
    surprise : how likely a number of successes this far out is, if the formulas hold; None without formula.
    agrees : whether nothing says that this differs from what the formulas expect.
    """

    strategy: Mapping[str, int] | None
    records: int
    attacks: int
    successes: int
    expected: float | None
    by_chance: int
    by_one_attribute: int | None
    surprise: float | None
    agrees: bool

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95% interval of the share of attacks that succeed; None where there was no attack."""
        return wilson_interval(self.successes, self.attacks) if self.attacks else None

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values."""
        low, high = self.interval or (None, None)
        return {
            "strategy": None if self.strategy is None else dict(self.strategy),
            "records": self.records,
            "attacks": self.attacks,
            "successes": self.successes,
            "success_share": self.successes / self.attacks if self.attacks else None,
            "success_share_low": low,
            "success_share_high": high,
            "expected_successes": self.expected,
            "random_guess_successes": self.by_chance,
            "one_attribute_successes": self.by_one_attribute,
            "surprise": self.surprise,
            "agrees": self.agrees,
        }


@frozen
class RecipientResult:
    """What one recipient did in all worlds.

    Parameters
    ----------
    name : who she is: one of those that can be simulated of any release, or a recipient of the scenario.
    total : her attacks on all records.
    groups : the same by the records' stated strategies.
    gained, paid : dollars for successes, and for attacks, in all worlds.
    otherwise : how many rows she finds with other chances of success than the formulas state.
    """

    name: str
    total: AttackCounts
    groups: Sequence[AttackCounts]
    gained: float
    paid: float
    otherwise: int

    @property
    def agrees(self) -> bool:
        """Whether what happened is what the formulas expect, in all and in every group."""
        return not self.otherwise and all(one.agrees for one in (self.total, *self.groups))

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values."""
        return {
            "recipient": self.name,
            **self.total.as_dict(),
            "dollars_gained": self.gained,
            "dollars_paid": self.paid,
            "rows_seen_otherwise": self.otherwise,
            "agrees": self.agrees,
            "groups": [one.as_dict() for one in self.groups],
        }


@frozen(eq=False)
class AttackSimulation:
    """What came of attacks on a release, simulated in a number of worlds.

    Parameters
    ----------
    folder : of the release, as it was named.
    game : which game or policy made the release.
    people : how many people there are in each world.
    records, released : how many records there are, and how many were released.
    left_out : released records that are not judged, as nobody in the population has their values.
    crowded : released records that are more than the people who have their values.
    repeats : worlds.
    seed : of the random numbers.
    options : what was asked of single recipients.
    recipients : what each of them did.
    notes : what else there is to know, a line each.
    inputs : the files that were read.
    """

    folder: str
    game: str
    people: int
    records: int
    released: int
    left_out: int
    crowded: int
    repeats: int
    seed: int
    options: Mapping[str, float]
    recipients: Sequence[RecipientResult]
    notes: Sequence[str]
    inputs: Inputs = field(repr=False)

    @property
    def agrees(self) -> bool:
        """Whether what happened is what the formulas expect, for all recipients that have a formula."""
        return all(one.agrees for one in self.recipients)

    def __repr__(self) -> str:
        return repr_of(self, recipients=len(self.recipients), repeats=self.repeats, agrees=self.agrees)

    def _repr_html_(self) -> str:
        rows = [
            [one.name, one.total.attacks, one.total.successes, "" if one.total.expected is None else one.total.expected]
            for one in self.recipients
        ]
        names = ["recipient", "attacks", "successes", "expected"]
        return html_table(f"Simulated attacks: {number_of(self.repeats, 'world')}", names, rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the same as plain values: numbers of records and sums, nothing of a single person."""
        return {
            KEY: schema_id("attack"),
            "game": self.game,
            "people": self.people,
            "records": self.records,
            "released": self.released,
            "left_out": self.left_out,
            "more_records_than_people": self.crowded,
            "repeats": self.repeats,
            "seed": self.seed,
            "options": dict(self.options),
            "agrees": self.agrees,
            "recipients": [one.as_dict() for one in self.recipients],
            "notes": list(self.notes),
        }

    write = write_result

    def write_files(self, folder: FolderWriter) -> dict[str, Any]:
        """Write ``attack.json``, ``attacks.csv`` and a manifest, as ``gamedeid attack -o`` does; return it.

        Parameters
        ----------
        folder : empty so far; somebody else shows it.

        Raises
        ------
        InvalidDataError, OutputError : as :meth:`write` does.
        """
        folder.write_text("attack.json", json_text(self.as_dict()))
        with folder.open("attacks.csv") as stream:
            write_table(rows_to_columns(list(self._rows())), stream, "csv")
        asked = {"game": self.game, "repeats": self.repeats, **self.options}
        made = manifest(scenario=asked, inputs=self.inputs, outputs=folder.digests)
        made["seed"] = self.seed
        folder.write_text(MANIFEST, json_text(made))
        return made

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each recipient and group of records, and before them one for all records."""
        for one in self.recipients:
            yield _row(one, one.total, "all")
            for counts in one.groups:
                yield _row(one, counts, "other strategies" if counts.strategy is None else "strategy")


def _row(one: RecipientResult, counts: AttackCounts, of: str) -> dict[str, Any]:
    row = counts.as_dict()
    levels = row.pop("strategy") or {}
    named = " ".join(f"{name}={level}" for name, level in levels.items())
    return {"recipient": one.name, "records_of": of, "strategy": named, **row}


def wilson_interval(successes: int, tries: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share, by its successes.

    Parameters
    ----------
    successes, tries : 0 <= successes <= tries, and one try at least.
    confidence : of both ends together.

    Examples
    --------
    >>> low, high = wilson_interval(10, 100)
    >>> round(low, 4), round(high, 4)
    (0.0552, 0.1744)
    """
    z = float(norm.ppf((1 + confidence) / 2))
    share, square = successes / tries, z * z / tries
    middle = (share + square / 2) / (1 + square)
    half = z * sqrt(share * (1 - share) / tries + square / (4 * tries)) / (1 + square)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == tries else min(1.0, middle + half)
