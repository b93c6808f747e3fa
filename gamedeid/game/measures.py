"""The measures of an answer: the amounts that each record adds to sums over a dataset, and the ratios of these sums.

The same formulas serve a solution, a block of its profiles, a policy and every point of a sweep.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gamedeid.arrays import BoolArray, FloatArray

Value = TypeVar("Value", bound=float | FloatArray | BoolArray)
"""A number, or an array of them."""


class Features(NamedTuple, Generic[Value]):
    """The amounts that a record adds to the sums by its strategy alone, (k,) for k records.

    Parameters
    ----------
    benefit_share : v(g) / V = 1 - IL, in [0, 1].
    suppressed, unmodified : whether the generalization intensity is 1, and whether it is 0.
    withheld : whether the record is withheld.
    unmatched : whether the record is released and no one in the population matches it.
    generalization_intensity : GI, in [0, 1].
    """

    benefit_share: Value
    suppressed: Value
    unmodified: Value
    withheld: Value
    unmatched: Value
    generalization_intensity: Value


def features_of(
    *, benefit_share: FloatArray, intensity: FloatArray, withheld: BoolArray, unmatched: BoolArray
) -> Features[FloatArray | BoolArray]:
    """Return the features of records, (k,) each: the arguments as :class:`Features` has them, ``intensity`` is GI."""
    return Features(
        benefit_share=benefit_share,
        suppressed=intensity == 1,
        unmodified=intensity == 0,
        withheld=withheld,
        unmatched=unmatched,
        generalization_intensity=intensity,
    )


WITHHELD_RECORD = Features(
    benefit_share=0.0, suppressed=1.0, unmodified=0.0, withheld=1.0, unmatched=0.0, generalization_intensity=1.0
)
"""The features of a withheld record: all information is lost and GI is 1. It pays both players 0."""


class Sums(NamedTuple, Generic[Value]):
    """Sums over records, (k,) each, from which the measures follow at any stakes: the features, then the attacks.

    Parameters
    ----------
    benefit_share, suppressed, unmodified, withheld, unmatched, generalization_intensity : sums of :class:`Features`.
    attacks : number of attacked records.
    reidentified : sum of pi over the attacked records.
    """

    benefit_share: Value
    suppressed: Value
    unmodified: Value
    withheld: Value
    unmatched: Value
    generalization_intensity: Value
    attacks: Value
    reidentified: Value


class Totals(NamedTuple):
    """Sums over records at fixed stakes; those of parts add up to those of the whole.

    Parameters
    ----------
    records : how many there are.
    publisher_payoff, adversary_payoff : dollars.
    suppressed, unmodified, withheld, unmatched, generalization_intensity : sums of :class:`Features`.
    attacks : number of attacked records.
    reidentified : sum of pi over the attacked records.
    success_probability : sum of pi over all released records.
    found : number of released records for which a recipient finds people.
    """

    records: int = 0
    publisher_payoff: float = 0.0
    adversary_payoff: float = 0.0
    suppressed: float = 0.0
    unmodified: float = 0.0
    withheld: float = 0.0
    unmatched: int = 0
    generalization_intensity: float = 0.0
    attacks: int = 0
    reidentified: float = 0.0
    success_probability: float = 0.0
    found: int = 0

    def plus(self, other: "Totals") -> "Totals":
        """Return the totals of both."""
        return Totals._make(one + another for one, another in zip(self, other, strict=True))

    @property
    def measures(self) -> dict[str, float | int]:
        """The measures of the dataset: means and shares over records, and their number, which is at least 1."""
        sums = self._asdict()
        del sums["success_probability"], sums["found"]  # the marketer's risk shows them
        measures = measures_of(**sums)
        return {
            **{name: float(value) for name, value in measures.items()},
            "records": self.records,
            "unmatched_records": self.unmatched,
        }

    @property
    def marketer(self) -> dict[str, float]:
        """The expected successes if all that is released is attacked, whether it pays or not: the marketer's risk.

        ``share`` of the released records for which a recipient finds people, their mean pi; and
        ``reidentifications``, how many.
        """
        return {
            "share": self.success_probability / self.found if self.found else 0.0,
            "reidentifications": self.success_probability,
        }


def measures_at(
    sums: Sums[FloatArray],
    records: int,
    *,
    benefit: FloatArray,
    loss: FloatArray,
    cost: FloatArray,
    gain: FloatArray,
) -> dict[str, FloatArray]:
    """Return the measures, (k,) each by name, from sums, (k,), over so many records, at stakes of (k,) dollars each."""
    others = sums._asdict()
    del others["benefit_share"]  # the publisher's payoff shows it
    return measures_of(
        records=records,
        publisher_payoff=benefit * sums.benefit_share - loss * sums.reidentified,
        adversary_payoff=gain * sums.reidentified - cost * sums.attacks,
        **others,
    )


def measures_of(
    *, records: int, attacks: npt.ArrayLike, reidentified: npt.ArrayLike, **others: npt.ArrayLike
) -> dict[str, FloatArray]:
    """Return the measures, named as ``MEASURES``, from sums as :class:`Totals` has them, which may be arrays."""
    # numbers of records are exact, sums of chances may leave a trace of rounding where no one is attacked
    risk = np.where(np.greater(attacks, 0), reidentified, 0.0)
    over_attacked = np.divide(risk, attacks, out=np.zeros_like(risk), where=np.greater(attacks, 0))
    sums = {**others, "attacked": attacks, "reidentification_probability": risk}
    means = {name: np.asarray(np.divide(total, records), float) for name, total in sums.items()}
    return means | {"reidentification_probability_attacked": over_attacked, "expected_reidentifications": risk}
