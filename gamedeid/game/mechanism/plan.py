"""The games against a recipient who knows the method: a strategy for each person."""

from typing import ClassVar

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray, IntArray, dot, sealed
from gamedeid.choices import AwareGameName, BoundName, PlannedFor
from gamedeid.data.profiles import PopulationCells
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.groups.problem import NO_RULES, GroupProblem
from gamedeid.game.groups.search import STEPS, GroupSearch, is_optimal
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import PopulationAndRecords, aware_people, released_groups
from gamedeid.game.mechanism.joining import join_open_groups, lacking_and_joined, places_of_profiles
from gamedeid.game.replies import Replies
from gamedeid.game.rules import Game
from gamedeid.game.solvers import Choice, exact
from gamedeid.grouping import sums_by
from gamedeid.kernels.group_rules import KeptTables, keeps_rules
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress, unreported
from gamedeid.reprs import frozen
from gamedeid.results.result import Amount, Count, Flag, Number, Result, Share
from gamedeid.scenario.limits import Groups

_MOST_REPETITIONS = 4
"""Most repetitions of the search after withholding has changed the distribution with which t-closeness compares."""


@frozen
class AppliedGroups(Result):
    """How many records have a group of a finished plan, and how many are withheld for each reason."""

    as_planned: Count
    joined: Count
    withheld_as_planned: Count
    no_group: Count
    group_too_small: Count


@frozen
class PlanFacts(Result):
    """The facts of a plan, as ``mechanism`` of ``summary.json``.

    Parameters
    ----------
    planned_for : "population" or "records", whose mean payoff the search improves.
    applied : for a finished plan that was applied; otherwise, the next six.
    people_needed, smallest_group : least people of a group, required and found.
    attacked, expected_reidentifications : share and number of the records, by a recipient who knows the strategies.
    steps, history : steps of the search, and (step, payoff, bound) at each improvement; a bound may be None.
    publisher_payoff : mean payoff of a record against a recipient who knows the strategies, dollars.
    payoff_bound, bound_by : dollars that the payoff of no strategies exceeds, and the method that proved it.
    """

    keys: ClassVar = (
        *("planned_for", "applied?", "people_needed?", "smallest_group?", "attacked?", "expected_reidentifications?"),
        *("steps?", "history?", "publisher_payoff", "payoff_bound", "bound_by", "optimal"),
    )

    planned_for: PlannedFor
    applied: AppliedGroups | None = None
    people_needed: Count | None = None
    smallest_group: Count | None = None
    attacked: Share | None = None
    expected_reidentifications: Number | None = None
    steps: Count | None = None
    history: list[list[Number | None]] | None = None
    publisher_payoff: Amount
    payoff_bound: Amount
    bound_by: BoundName

    @property
    def gap(self) -> float:
        """Dollars per record by which other strategies may pay more, at most."""
        return max(self.payoff_bound - self.publisher_payoff, 0.0)

    @property
    def optimal(self) -> Flag:
        """Whether no strategies pay the records more by over a ten-thousandth of the bound."""
        return is_optimal(self.publisher_payoff, self.payoff_bound)


@frozen(eq=False)
class Plan:
    """Strategies for all profiles of the population and of the records."""

    population: PopulationAndRecords
    nodes: IntArray  # (p,) int64, the strategy of each; ``WITHHELD`` where there is none
    facts: PlanFacts | None = None  # None where it is read from a folder of results

    @property
    def nodes_of_records(self) -> IntArray:
        """Strategy of each profile of the records, (q,) int64."""
        return self.nodes[self.population.of_record_profile]


def plan_game(
    game: AwareGameName,
    instance: Instance,
    cells: PopulationCells,
    asked: Groups | None = None,
    kept: KeptTables = NO_RULES,
    progress: Progress = unreported,
) -> tuple[Choice, Plan]:
    """Find the strategies of the records and of all people in a game against a recipient who knows the strategies.

    Released groups hold people who share strategy and values. In aware-no-attack each holds so many that an attack does
    not pay; in aware-basic a smaller one costs the publisher one loss, since one of its people will be named.

    Parameters
    ----------
    kept : rules for kept columns in groups; ``counts`` are (q, s), of the profiles of the records.
    progress : called with (steps done, steps in all).
    """
    given = asked or Groups()
    population = PopulationAndRecords.of(instance, cells)
    if game == "aware-basic" and given.planned_for == "records" and not population.is_the_records:
        raise InvalidScenarioError(
            "groups.planned_for: the game aware-basic is planned for the population only; leave it out, or play "
            "aware-no-attack"
        )
    populated = np.flatnonzero(population.people > 0)
    problem = _group_problem(game, population, populated, given, kept)
    nodes, search = _search(problem, given, population, populated, progress)
    attacked, reidentified, found = _measures_against_aware(population, nodes)
    naive = _worth_without_people(instance, population, ruled=bool(len(kept.kinds)))
    naive[populated] = search.person_bounds
    bounds, total = naive[population.of_record_profile], int(population.records.sum())
    bound, by = _proved_bound(game, population, populated, search, naive, found * total)
    share = total if population.is_the_records else max(dot(problem.weights, problem.people), 1.0)  # 0 if none matches
    facts = PlanFacts(
        planned_for=given.planned_for,
        people_needed=problem.least,
        smallest_group=smallest_group(population, nodes),
        attacked=attacked,
        expected_reidentifications=reidentified,
        steps=search.steps,
        history=[
            [step, worth / share, limit / share if limit < np.inf else None] for step, worth, limit in search.history
        ],
        publisher_payoff=found,
        payoff_bound=max(bound / total, found),
        bound_by=by,
    )
    plan = Plan(population=population, nodes=sealed(nodes, np.int64), facts=facts)
    searched = np.full(instance.profiles.count, instance.lattice.size, np.int64)
    return Choice(nodes=plan.nodes_of_records, searched=searched, proved=facts.optimal, bounds=bounds), plan


def _group_problem(
    game: AwareGameName, population: PopulationAndRecords, populated: IntArray, given: Groups, kept: KeptTables
) -> GroupProblem:
    """Return the question of how to put the people, those of profiles ``populated``, (g,), into groups."""
    instance, people = population.instance, population.people[populated]
    base = instance.base[populated] if instance.base.any() else None

    def values(node: int, some: IntArray) -> FloatArray:
        paid = instance.values(populated[some], np.full(len(some), node, np.int64))
        if base is not None:
            open_to = (base[some] <= np.array(instance.lattice.levels_of(node))).all(axis=1)
            paid[~open_to] = -np.inf
        return paid

    return GroupProblem(
        lattice=instance.lattice,
        tables=instance.hierarchy_tables,
        codes=instance.profiles.codes[populated],
        people=people.astype(np.int64),
        weights=population.records[populated] / people if given.planned_for == "records" else np.ones(len(populated)),
        values=values,
        least=instance.payoffs.attack_limit + 1,
        fee=float(instance.payoffs.loss) if game == "aware-basic" else np.inf,
        kept=_with_counts_of_population(kept, population, populated),
    )


def _proved_bound(
    game: AwareGameName,
    population: PopulationAndRecords,
    populated: IntArray,
    search: GroupSearch,
    naive: FloatArray,
    found: float,
) -> tuple[float, BoundName]:
    """Return the least bound on the total worth of the records, dollars, and the method that proved it.

    A record of each profile is worth at most ``naive``, (p,) dollars, for any groups of all others; the strategies that
    the search found are worth ``found`` dollars in total.
    """
    people, records = population.people, population.records
    least: float = dot(records, naive)
    by: BoundName = "naive game"
    others, bound, method = dot(records, np.where(people == 0, naive, 0.0)), np.inf, search.bound_by
    if population.is_the_records:
        bound = search.bound
    elif game == "aware-no-attack":
        bound, method = search.bound_with_weights(records[populated] / people[populated], found - others), "prices"
    return (bound + others, method) if bound + others < least else (least, by)


def _worth_without_people(instance: Instance, population: PopulationAndRecords, *, ruled: bool) -> FloatArray:
    """Return the most dollars, (p,), that a record can be worth if no one of the population has its profile.

    No recipient finds a record that matches no one as it is. Other records join groups of matching people on which no
    attack pays. Groups with rules take neither.
    """
    worth = np.zeros(len(population.people))
    if ruled:
        return worth
    alone = population.unmatched
    if ((population.people == 0) & ~alone).any():
        choice = exact(instance, Game.of("no-attack", instance, instance.base))
        released = np.flatnonzero(choice.nodes != WITHHELD)
        worth[population.of_record_profile[released]] = instance.values(released, choice.nodes[released])
    everyone, unmatched = population.instance, np.flatnonzero(alone)
    worth[unmatched] = everyone.values(unmatched, everyone.lattice.nodes(everyone.base[unmatched]))
    return worth


def _search(
    problem: GroupProblem,
    given: Groups,
    population: PopulationAndRecords,
    populated: IntArray,
    progress: Progress,
) -> tuple[IntArray, GroupSearch]:
    """Return the strategies of all people, (p,), and the search that found them.

    t-closeness compares with the released records. Groups that break it are withheld, and the search is repeated with
    the new distribution; the best release that keeps it is returned. All searches share the seconds, and the steps if
    the scenario names none.
    """
    first, rules = GroupSearch(problem), len(problem.kept.kinds)
    steps, seconds = given.steps, given.seconds
    if problem.of_t_closeness.any():
        seconds = None if seconds is None else seconds / (_MOST_REPETITIONS + 1)
        steps = STEPS // (_MOST_REPETITIONS + 1) if steps is None and seconds is None else steps
    best: IntArray = np.full(len(population.people), WITHHELD, np.int64)
    best[populated] = first.run(steps=steps, seconds=seconds, progress=progress)
    if not rules:
        alone = population.unmatched
        best[alone] = population.instance.lattice.nodes(population.instance.base[alone])
        return join_open_groups(population, best, np.flatnonzero((population.people == 0) & ~alone)), first
    nodes: IntArray = best
    found = -np.inf
    for _ in range(_MOST_REPETITIONS):
        kept, problem = _without_faults(problem, population, populated, nodes)
        worth = _measures_against_aware(population, kept)[2]
        if worth > found:
            best, found = kept, worth
        if (kept == nodes).all():
            break
        nodes = np.full(len(nodes), WITHHELD, np.int64)
        nodes[populated] = GroupSearch(problem).run(steps=steps, seconds=seconds)
    return best, first


def _without_faults(
    problem: GroupProblem, population: PopulationAndRecords, populated: IntArray, nodes: IntArray
) -> tuple[IntArray, GroupProblem]:
    """Withhold the groups whose released values break a rule; return the strategies, (p,), and the problem then."""
    nodes = nodes.copy()
    while True:
        groups = released_groups(population.instance, nodes)
        of_group, counts = groups.of_profile[populated], problem.kept.counts
        placed = of_group >= 0
        problem = problem.measured_from(counts[placed])
        shown = sums_by(of_group[placed], counts[placed], len(groups.people))
        faults = np.array([not keeps_rules(one, problem.kept) for one in shown], np.bool_)
        if not faults.any():
            return nodes, problem
        nodes[populated[placed & np.append(faults, False)[of_group]]] = WITHHELD


def _with_counts_of_population(kept: KeptTables, population: PopulationAndRecords, populated: IntArray) -> KeptTables:
    """Return the same rules with the kept values of all profiles of the population, (p, s)."""
    if not len(kept.kinds):
        return kept
    counts = sums_by(population.of_record_profile, kept.counts, len(population.people))
    return kept._replace(counts=np.ascontiguousarray(counts[populated]))


def smallest_group(population: PopulationAndRecords, nodes: IntArray) -> int:
    """Return the people of the smallest group that has a record, at the strategy of each profile, (p,); 0 if none."""
    people = released_groups(population.instance, nodes).people_of_profile
    shown = people[(population.records > 0) & (people > 0)]
    return int(shown.min()) if len(shown) else 0


def _measures_against_aware(population: PopulationAndRecords, nodes: IntArray) -> tuple[float, float, float]:
    """Return (share of attacked records, re-identifications, mean payoff) against the aware recipient."""
    instance, records = population.instance, population.records
    released = np.flatnonzero((nodes != WITHHELD) & (records > 0))
    counts, people = records[released], released_groups(instance, nodes).people_of_profile[released]
    replies, total = Replies(adversaries=instance.adversaries, people=(people,)), int(records.sum())
    paid = instance.publisher_payoffs(released, nodes[released], replies)
    return (
        int(counts[replies.attacked].sum()) / total,
        dot(counts, replies.reidentifications),
        dot(counts, paid) / total,
    )


@frozen(eq=False)
class JoinedStrategies:
    """The strategies of all people of a new table, none of which opens a group; arrays are per profile, (p,)."""

    nodes: IntArray  # int64, the strategy of each, or ``WITHHELD``
    planned: BoolArray  # whether the finished game has a strategy for the profile, or withholds it
    group_too_small: BoolArray  # whether it is withheld as its group has fewer people than in the finished game


def join_groups(plan: Plan, now: PopulationAndRecords) -> JoinedStrategies:
    """Return strategies that keep to the groups of a finished game.

    A profile of the finished game keeps its strategy. Another one joins the released group of the greatest v(g) among
    those that match it and are worth no attack with it in them, the first in walk order of equals. No one who joins
    makes a group smaller. A group that has fewer people than in the finished game's ``plan`` is released only if it is
    worth no attack.
    """
    instance, places = now.instance, places_of_profiles(plan.population, now)
    planned = places >= 0
    placed = np.where(planned, plan.nodes[places], WITHHELD)
    nodes = join_open_groups(now, placed, np.flatnonzero(~planned))
    people = released_groups(instance, nodes).people_of_profile
    before = aware_people(plan.population.instance, plan.nodes, instance, nodes)
    too_small = instance.payoffs.attacked(people) & (people < before)
    return JoinedStrategies(nodes=np.where(too_small, WITHHELD, nodes), planned=planned, group_too_small=too_small)


def people_of_plan(plan: Plan) -> IntArray:
    """Return n_a of each profile, (p,) int64: people who are in its group, or would be if they lacked its values."""
    population, nodes = plan.population, plan.nodes
    people = aware_people(population.instance, nodes, population.instance, nodes)
    for here, joining in lacking_and_joined(population, np.where(population.people > 0, nodes, WITHHELD), nodes):
        people[here] = joining
    return people
