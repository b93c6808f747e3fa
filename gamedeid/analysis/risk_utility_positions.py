"""Positions of releases of the same records between risk and utility, and the Pareto front."""

import numpy as np

from gamedeid.arrays import ROUNDING, BoolArray, FloatArray, IntArray
from gamedeid.choices import RiskName
from gamedeid.game.instance import Instance
from gamedeid.game.outcomes import Outcomes
from gamedeid.game.replies import Replies
from gamedeid.parallel import run_in_slices
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen

RISK_MEASURES: dict[RiskName, str] = {
    "adversary": "expected_reidentifications",
    "marketer": "marketer_reidentifications",
    "attacked": "attacked",
}
"""Risk -> the measure that it is."""


@frozen(eq=False)
class Positions:
    """The positions of k releases of the same records, (k,) each.

    Parameters
    ----------
    information_kept : mean of 1 - IL over the records, in [0, 1]; 0 for a withheld record.
    expected_reidentifications : sum of pi over the records that the scenario's adversary attacks; of several
        recipients, each times its probability.
    marketer_reidentifications : the same over all released records: the expected number if all are attacked.
    attacked, withheld : shares of the records, in [0, 1].
    publisher_payoff : dollars per record.
    """

    information_kept: FloatArray
    expected_reidentifications: FloatArray
    marketer_reidentifications: FloatArray
    attacked: FloatArray
    withheld: FloatArray
    publisher_payoff: FloatArray

    @classmethod
    def of(cls, sums: FloatArray, records: int, benefit: float) -> "Positions":
        """Return the positions of releases whose sums, (k, 6), are known.

        Parameters
        ----------
        benefit : V, dollars.
        """
        kept, reidentified, success, attacks, withheld, lost = sums.T
        # numbers of records are exact, other sums may leave a trace of rounding where all, or nothing, is kept
        kept = np.where(kept > ROUNDING * records, np.minimum(kept, records), 0.0)
        reidentified = np.where(attacks > 0, reidentified, 0.0)
        return cls(
            information_kept=kept / records,
            expected_reidentifications=reidentified,
            marketer_reidentifications=success.copy(),
            attacked=attacks / records,
            withheld=withheld / records,
            publisher_payoff=(benefit * kept - lost) / records,
        )

    def risk(self, name: RiskName) -> FloatArray:
        """Return one of the risks, (k,)."""
        risk: FloatArray = getattr(self, RISK_MEASURES[name])
        return risk

    def at(self, place: int) -> dict[str, float]:
        """Return one of the positions by the names of its measures."""
        return {name: float(getattr(self, name)[place]) for name in MEASURED}


MEASURED = tuple(Positions.__dataclass_fields__)
"""The measures of a position, in the order of tables. Each follows from a sum over the records, in this order: benefit
shares, chances of success over attacked records and over all, attacked and withheld records, and the dollars that
attacks are expected to cost the publisher."""


def measure_sums(instance: Instance, nodes: IntArray) -> FloatArray:
    """Return the sums, (6,), over the records under a strategy for every profile, (q,); -1 where it is withheld.

    Parameters
    ----------
    nodes : (q,) the strategy of each profile.
    """
    sums = np.zeros(len(MEASURED))
    for start, stop, profiles in instance.blocks():
        outcomes = Outcomes(instance=instance, profiles=profiles, nodes=nodes[start:stop])
        records = instance.profiles.records[start:stop]
        kept = float(((1 - outcomes.information_loss) * records).sum())
        sums += [kept, *_attack_sums(outcomes.replies, records, withheld=int(records[outcomes.withheld].sum()))]
    return sums


def _attack_sums(replies: Replies, records: IntArray, *, withheld: int) -> list[float]:
    """Return the sums that depend on the adversary's replies: all but the first, in their order."""
    found, lost = replies.reidentifications, replies.expected_loss
    risks = [float((column * records).sum()) for column in (found, replies.if_all_attacked)]
    return [*risks, int(records[replies.attacked].sum()), withheld, float((lost * records).sum())]


def uniform_sums(instance: Instance, progress: Progress = unreported) -> FloatArray:
    """Return the sums, (r, 6), of every uniform policy: all records at the same strategy, by its node number.

    It is applied as it is, as policies are: nothing is withheld. A missing value is released as ``*`` whatever the
    level, and where the rows of a person differ, at the least level at which they agree.
    """
    lattice, base, total = instance.lattice, instance.base, int(instance.profiles.records.sum())
    lost = _lost_by_level(instance)
    sums = np.zeros((lattice.size, len(MEASURED)))

    def fill(start: int, stop: int) -> None:
        for node in range(start, stop):
            levels = lattice.levels_of(node)
            for first, last, profiles in instance.blocks():
                nodes = lattice.nodes(np.maximum(base[first:last], levels))
                replies = instance.replies(profiles, nodes)
                sums[node, 1:] += _attack_sums(replies, instance.profiles.records[first:last], withheld=0)
            sums[node, 0] = total - sum(lost[place][level] for place, level in enumerate(levels))

    run_in_slices(fill, lattice.size, least=1, report_progress=progress)
    return sums


def _lost_by_level(instance: Instance) -> list[list[float]]:
    """Return for each attribute the sums of information lost over the records, by the level of a uniform policy."""
    tables, profiles = instance.hierarchy_tables, instance.profiles
    return [
        [
            float(
                (tables.raw_losses[place, np.maximum(instance.base[:, place], level), codes] * profiles.records).sum()
            )
            / tables.total_loss
            for level in range(height)
        ]
        for place, (height, codes) in enumerate(zip(instance.lattice.heights, profiles.codes.T, strict=True))
    ]


def uniform_strategy(instance: Instance, levels: IntArray) -> tuple[int, ...] | None:
    """Return the uniform policy that releases every profile as ``levels``, (q, a), do; None if none does."""
    least = np.where(levels > instance.base, levels, -1).max(axis=0)
    uniform = np.where(least < 0, levels.min(axis=0), least)
    return tuple(uniform.tolist()) if (np.maximum(instance.base, uniform) == levels).all() else None


@frozen(eq=False)
class Dominance:
    """The releases that dominate one, (k,) each: by the definitions of the page on risk and utility.

    Parameters
    ----------
    better : no more risk and no less information, and one of them strictly: the release *beats* the one.
    """

    better: BoolArray
    better_on_both: BoolArray
    equal: BoolArray


def find_dominating(risk: FloatArray, kept: FloatArray, than: tuple[float, float], scale: float) -> Dominance:
    """Return which releases beat one; numbers that differ by rounding alone are equal.

    Parameters
    ----------
    risk, kept : (k,) a risk of each release, and the information kept, in [0, 1].
    """
    slack = ROUNDING * scale
    less, no_more = risk < than[0] - slack, risk <= than[0] + slack
    more, no_less = kept > than[1] + ROUNDING, kept >= than[1] - ROUNDING
    return Dominance(
        better=(no_more & more) | (less & no_less), better_on_both=less & more, equal=no_more & no_less & ~less & ~more
    )


def on_pareto_front(risk: FloatArray, kept: FloatArray) -> BoolArray:
    """Return which releases, (k,), are on the Pareto front: no other one beats them (:func:`find_dominating`).

    Parameters
    ----------
    risk, kept : (k,) a risk of each release, and the information kept, in [0, 1]; at least one.
    """
    order = np.argsort(risk, kind="stable")
    rising, most_kept = risk[order], np.maximum.accumulate(kept[order])
    slack = ROUNDING * rising[-1]

    def most(below: IntArray) -> FloatArray:
        """Return the most information kept by the ``below`` releases of the least risk, (k,)."""
        return np.where(below > 0, most_kept[np.maximum(below - 1, 0)], -np.inf)

    less = most(np.searchsorted(rising, risk - slack, side="left"))
    no_more = most(np.searchsorted(rising, risk + slack, side="right"))
    free: BoolArray = ~((less >= kept - ROUNDING) | (no_more > kept + ROUNDING))
    return free
