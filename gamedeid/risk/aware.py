"""The value of a release to a recipient who knows how it was made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, reduce
from typing import Any

import numpy as np

from gamedeid.arrays import ARRAY_ROWS, BoolArray, FloatArray, IntArray
from gamedeid.data.profiles import PopulationCells
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.instance import Instance
from gamedeid.game.measures import measures_of
from gamedeid.game.mechanism.aware_people import AwareAttacks, released_groups
from gamedeid.game.replies import Replies
from gamedeid.game.spread import Spread, attack_laws, laws_by_recipient, spread_of
from gamedeid.grouping import distinct_rows
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import Shown, frozen
from gamedeid.results.result import Amount, Count, Mean, Number, OneOrMore, Result, Share
from gamedeid.risk.records import GROUP_SIZES
from gamedeid.scenario.payoffs import Adversary, success_probability
from gamedeid.study.facts import RecipientFacts, RecipientMeasures
from gamedeid.study.mechanism import aware_knowledge
from gamedeid.study.solution import Solution

AUDITED = (
    "attacked",
    "expected_reidentifications",
    "reidentification_probability",
    "reidentification_probability_attacked",
    "publisher_payoff",
    "adversary_payoff",
)
"""The measures in which the two adversaries may differ."""

WORST = 10
"""Default number of listed groups."""


@frozen
class AdversaryFacts(Result):
    """The measures of :data:`AUDITED` for one adversary, the spread of successful attacks, and the sizes of groups.

    Parameters
    ----------
    groups : size -> share of the released records in groups of no more people.
    """

    attacked: Share
    expected_reidentifications: Number
    reidentification_probability: Mean
    reidentification_probability_attacked: Mean
    publisher_payoff: Amount
    adversary_payoff: Amount
    spread: Spread
    groups: Mapping[str, Share]


@frozen
class NaiveAndAware(Result):
    """The measures of one recipient if it counts the people who match, and if it knows the mechanism."""

    naive: RecipientFacts
    aware: RecipientMeasures


@frozen
class AwareFacts(Result):
    """The measures for both adversaries, aggregated; none of a single group.

    Parameters
    ----------
    records : how many there are.
    naive, aware : the adversary who counts the people who match; the one who knows the mechanism.
    without_aware_people : records released in a form in which no one in the population would be, n_a = 0.
    recipients : name -> the measures of each recipient, if there are several.
    """

    records: OneOrMore
    naive: AdversaryFacts
    aware: AdversaryFacts
    without_aware_people: Count
    recipients: Mapping[str, NaiveAndAware] = field(default_factory=dict)


@frozen(eq=False, slots=False)
class AwareRisk(Shown):
    """The risk of a solution from an adversary who knows the mechanism. Arrays are per profile, (q,).

    Parameters
    ----------
    solution : the release.
    people : (q,) n_a: people who match the released record and are released in the same form; 0 where the record is
        withheld or matches no one. It is at most n_p.
    without_aware_people : (q,) whether the record is released in a form in which no one in the population would be. It
        counts as an unmatched record, see ``population.unmatched``.
    aware_attacks : the attacks of each recipient who knows the mechanism; empty for the one adversary of the paper.
    """

    shown = ("solution",)
    table_of = "compared"

    solution: Solution
    people: IntArray
    without_aware_people: BoolArray
    aware_attacks: tuple[AwareAttacks, ...] = ()

    @property
    def attacked(self) -> BoolArray:
        """Whether the adversary attacks: gain > cost x n_a; with several recipients, whether any of them attacks."""
        if self.aware_attacks:
            return reduce(np.logical_or, [one.attacks for one in self.aware_attacks])
        return self._replies.attacked

    @property
    def success_probability(self) -> FloatArray:
        """Chance that an attack names the right person, 1 / n_a, in [0, 1]; 0 where n_a is 0.

        With several recipients, the expected number of right names.
        """
        return reduce(np.add, self._chances) if self.aware_attacks else success_probability(self.people)

    @cached_property
    def _chances(self) -> list[FloatArray]:
        """The chance of each recipient to attack and name the right person, (R, q)."""
        if not self.aware_attacks:
            return [self.success_probability * self.attacked]
        pairs = zip(self._instance.adversaries, self.aware_attacks, strict=True)
        return [one.probability * aware_attacks.success_probability for one, aware_attacks in pairs]

    @property
    def publisher_payoff(self) -> FloatArray:
        """Publisher's real payoff, dollars: v(g), less the cost of attacks, L / n_a each; 0 for a withheld record."""
        instance, released = self._instance, np.flatnonzero(~self.solution.withheld)
        payoff = np.zeros(len(self.people))
        lost = self._expected(_publisher_loss) if self.aware_attacks else self._replies.expected_loss
        payoff[released] = instance.values(released, self.solution.choice.nodes[released]) - lost[released]
        return payoff

    @cached_property
    def _replies(self) -> Replies:
        """The replies of the paper's adversary if it knows the mechanism."""
        return Replies(adversaries=self._instance.adversaries, people=(self.people,))

    @property
    def adversary_payoff(self) -> FloatArray:
        """Adversary's expected payoff, dollars: gain / n_a - cost for an attack, else 0; the sum of several."""
        if self.aware_attacks:
            return self._expected(_adversary_payoff)
        return self._replies.adversary_payoff

    @cached_property
    def recipients(self) -> dict[str, dict[str, float]]:
        """The measures of each recipient if it knows the mechanism; ``Solution.recipients`` has them if it does not."""
        instance = self._instance
        if not self.aware_attacks:
            return {}
        weights, records = instance.profiles.records, int(instance.profiles.records.sum())
        found: dict[str, dict[str, float]] = {}
        for of, one, attacks in zip(instance.recipients.types, instance.adversaries, self.aware_attacks, strict=True):
            sums = {
                "attacked": of.chance * float(weights[attacks.attacks].sum()) / records,
                "expected_reidentifications": float((one.probability * attacks.success_probability * weights).sum()),
                "publisher_loss": float((_publisher_loss(one, attacks) * weights).sum()) / records,
                "adversary_payoff": float((_adversary_payoff(one, attacks) * weights).sum()) / records,
            }
            before = found.setdefault(of.name, {"probability": of.recipient.probability})
            before.update({name: before.get(name, 0.0) + amount for name, amount in sums.items()})
        return found

    def _expected(self, amount: Callable[[Adversary, AwareAttacks], FloatArray]) -> FloatArray:
        """Return the sum of an amount over the recipients, (q,)."""
        pairs = zip(self._instance.adversaries, self.aware_attacks, strict=True)
        return reduce(np.add, [amount(one, aware_attacks) for one, aware_attacks in pairs])

    @cached_property
    def measures(self) -> dict[str, float]:
        """The measures of :data:`AUDITED` for this adversary, as ``Solution.measures`` has them for the paper's."""
        weights, attacked = self._instance.profiles.records, self.attacked
        found = measures_of(
            records=int(weights.sum()),
            attacks=int(weights[attacked].sum()),
            reidentified=float((self.success_probability * weights)[attacked].sum()),
            publisher_payoff=float((self.publisher_payoff * weights).sum()),
            adversary_payoff=float((self.adversary_payoff * weights).sum()),
        )
        return {name: float(found[name]) for name in AUDITED}

    @property
    def spread(self) -> Spread:
        """The distribution of the number of successful attacks by this adversary."""
        return spread_of(laws_by_recipient(self._instance, self._chances, self._instance.profiles.records))

    @property
    def naive(self) -> dict[str, float]:
        """These measures for the paper's adversary, who assumes a chance of 1 / n_p."""
        return {name: float(self.solution.measures[name]) for name in AUDITED}

    @property
    def _instance(self) -> Instance:
        return self.solution.study.instance

    def share_up_to(self, size: int, people: IntArray) -> float:
        """Return the share of the released records whose group has ``size`` people or fewer; 0 if none is released.

        Parameters
        ----------
        size : most people of a group.
        people : (q,) n_p or n_a; records with 0, which no one can name, are not in small groups.
        """
        weights = self._instance.profiles.records
        small, released = (people > 0) & (people <= size), ~self.solution.withheld
        return float(weights[small & released].sum() / max(int(weights[released].sum()), 1))

    def worst_groups(self, number: int = WORST, *, with_values: bool = False) -> list[dict[str, Any]]:
        """Return the groups worth attacking that have the fewest people, those with most records first among equals.

        Parameters
        ----------
        number : most groups that are listed.
        with_values : whether to include the released values, which ``release.csv`` holds too.

        Returns
        -------
        for each group ``levels``, ``people`` (n_p), ``aware_people`` (n_a), ``records``, and ``values`` if requested.
        """
        instance, nodes = self._instance, self.solution.choice.nodes
        groups = released_groups(instance, np.where(self.attacked, nodes, -1))
        attacked = np.flatnonzero(groups.of_profile >= 0)
        examples = attacked[np.unique(groups.of_profile[attacked], return_index=True)[1]]
        order = np.lexsort((nodes[examples], -groups.people, self.people[examples]))[:number]
        return [self._group(int(examples[one]), int(groups.people[one]), with_values=with_values) for one in order]

    def _group(self, profile: int, records: int, *, with_values: bool) -> dict[str, Any]:
        hierarchies = self._instance.hierarchies
        levels = dict(zip(hierarchies, self.solution.levels[profile].tolist(), strict=True))
        codes = self._instance.profiles.codes[profile].tolist()
        values = {
            name: hierarchy.label(levels[name], code) if levels[name] < hierarchy.levels - 1 else "*"
            for (name, hierarchy), code in zip(hierarchies.items(), codes, strict=False)
        }
        return {
            "levels": levels,
            "people": int(self.solution.people[profile]),
            "aware_people": int(self.people[profile]),
            "records": records,
            **({"values": values} if with_values else {}),
        }

    def as_dict(self, *, sizes: Sequence[int] = GROUP_SIZES) -> dict[str, Any]:
        """Return the facts of :meth:`facts` as plain values.

        Parameters
        ----------
        sizes : of groups, up to which records are counted.
        """
        return self.facts(sizes=sizes).as_dict()

    def facts(self, *, sizes: Sequence[int] = GROUP_SIZES) -> AwareFacts:
        """Return the measures for both adversaries, aggregated; none of a single group.

        Parameters
        ----------
        sizes : of groups, up to which records are counted.
        """
        weights = self._instance.profiles.records

        def side(measures: Mapping[str, float], spread: Spread, people: IntArray) -> AdversaryFacts:
            groups = {str(size): self.share_up_to(size, people) for size in sizes}
            return AdversaryFacts(**measures, spread=spread, groups=groups)

        naive = RecipientFacts.by_name(self.solution.recipients)
        return AwareFacts(
            records=int(weights.sum()),
            naive=side(
                self.naive, spread_of(attack_laws(self._instance, self.solution.choice.nodes)), self.solution.people
            ),
            aware=side(self.measures, self.spread, self.people),
            without_aware_people=int(weights[self.without_aware_people].sum()),
            recipients={
                name: NaiveAndAware(naive=naive[name], aware=RecipientMeasures(**aware))
                for name, aware in self.recipients.items()
            },
        )

    @property
    def compared(self) -> dict[str, dict[str, float]]:
        """The measures of :data:`AUDITED` for the paper's adversary and for one who knows the mechanism."""
        return {name: {"naive": self.naive[name], "aware": self.measures[name]} for name in AUDITED}


def aware_risk(solution: Solution, *, progress: Progress | None = None) -> AwareRisk:
    """Measure a solution against an adversary who has this program, the scenario and the population.

    This adversary can compute the strategy of every person of the population, and counts only those who would be
    released in the form of the record. The paper's adversary counts all people who match.

    Parameters
    ----------
    solution : of a game by any solver, or of a policy.
    progress : called with (profiles of the population solved, all profiles).

    Returns
    -------
    n_a of each record, and the measures that follow from it, with those of the paper's adversary.

    Raises
    ------
    InvalidDataError : a kept column with a rule for groups holds values that cannot be distinguished.
    InvalidScenarioError : the population is estimated; the records are not their own population, and records of a
        person differ, missing values are shown, there are earlier releases, or limits on the whole dataset couple
        strategies (except one strategy for all records); or a recipient has another list, knows kept columns or pays
        to learn.

    Examples
    --------
    >>> import pandas as pd
    >>> from gamedeid import solve
    >>> people = pd.DataFrame({"age": [48, 48, 51, 93], "sex": ["Male", "Male", "Male", "Female"]})
    >>> scenario = {
    ...     "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
    ...     "payoffs": {"benefit": 100, "loss": 90, "cost": 40},
    ... }
    >>> basic = aware_risk(solve(scenario, people, game="basic"))
    >>> basic.people.tolist()
    [2, 1, 1]
    """
    known = aware_knowledge(solution, progress=progress or unreported)
    without_aware_people = ~solution.withheld & (known.people == 0)
    counts_one = without_aware_people & (solution.study.population.unmatched == "unique")
    return AwareRisk(
        solution=solution,
        people=np.where(counts_one, 1, known.people),
        without_aware_people=without_aware_people,
        aware_attacks=known.attacks,
    )


def aware_risk_or_reason(solution: Solution) -> AwareRisk | str:
    """Return the risk from an aware adversary, or the reason why it is not defined or would take long."""
    study = solution.study
    lattice, own = study.instance.lattice, study.is_own_population
    people = len(study.population.cells.people)
    if not own and (people > ARRAY_ROWS or lattice.is_large):  # rows of a table, some of which may be equal
        people = study.instance.data.memoized("profiles of people", lambda: _count_profiles(study.population.cells))
    if people > ARRAY_ROWS or (lattice.is_large and not own):
        return (
            f"the strategies of all people, {people:,} profiles with {lattice.size:,} strategies each, would take "
            "long; gamedeid audit computes them"
        )
    try:
        return aware_risk(solution)
    except InvalidScenarioError as refusal:
        return str(refusal)


def _count_profiles(cells: PopulationCells) -> int:
    """Return how many distinct profiles people have."""
    return len(distinct_rows(cells.codes[cells.people > 0])[0])


def _publisher_loss(recipient: Adversary, attacks: AwareAttacks) -> FloatArray:
    """Return the expected cost to the publisher of a recipient's attacks, (q,) dollars."""
    return recipient.expected_loss * attacks.success_probability


def _adversary_payoff(recipient: Adversary, attacks: AwareAttacks) -> FloatArray:
    """Return the recipient's expected payoff, (q,) dollars, times its probability."""
    return recipient.probability * (
        recipient.gain * attacks.success_probability - recipient.cost * attacks.attack_probability
    )
