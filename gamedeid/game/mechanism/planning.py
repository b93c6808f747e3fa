"""The games against a recipient who knows the method: a strategy for everybody, such that released groups pay best."""

import numpy as np

from gamedeid.arrays import FloatArray, IntArray, dot, sealed
from gamedeid.choices import AwareGameName, BoundName
from gamedeid.data.profiles import PopulationCells
from gamedeid.errors import InvalidScenarioError
from gamedeid.game.groups.problem import NO_RULES, GroupProblem
from gamedeid.game.groups.search import STEPS, GroupSearch
from gamedeid.game.instance import Instance
from gamedeid.game.mechanism.aware_people import PopulationAndRecords, released_groups
from gamedeid.game.mechanism.plan import Plan, join_open_groups
from gamedeid.game.replies import Replies
from gamedeid.kernels.group_rules import KeptTables, keeps_rules
from gamedeid.kernels.tables import WITHHELD
from gamedeid.progress import Progress
from gamedeid.scenario.limits import Groups

_TIGHTENED = 4
"""How often the search is repeated since withholding has changed what t-closeness is measured from."""


def plan_game(
    game: AwareGameName,
    instance: Instance,
    cells: PopulationCells,
    asked: Groups | None = None,
    kept: KeptTables = NO_RULES,
    progress: Progress | None = None,
) -> Plan:
    """Find strategies for everybody in one of the games against a recipient who knows them.

    Released groups hold people who share strategy and values. In aware-no-attack each holds so many that an attack does
    not pay; in aware-basic a smaller one costs the publisher one loss, since one of its people will be named.

    Parameters
    ----------
    kept : what groups must show of kept columns; ``counts`` are (q, s), of the profiles of the records.
    progress : called with (steps done, steps in all).
    """
    given = asked or Groups()
    everybody = PopulationAndRecords.of(instance, cells)
    people, records = everybody.people, everybody.records
    living = np.flatnonzero(people > 0)
    own = bool((people == records).all())
    if game == "aware-basic" and given.planned_for == "records" and not own:
        raise InvalidScenarioError(
            "groups.planned_for: the game aware-basic is planned for the population only; leave it out, or play "
            "aware-no-attack"
        )
    everyone, payoffs = everybody.instance, instance.payoffs
    base = everyone.base[living] if everyone.base.any() else None

    def values(node: int, some: IntArray) -> FloatArray:
        paid = everyone.values(living[some], np.full(len(some), node, np.int64))
        if base is not None:
            open_to = (base[some] <= np.array(everyone.lattice.levels_of(node))).all(axis=1)
            paid[~open_to] = -np.inf
        return paid

    of_records = records[living] / people[living]
    problem = GroupProblem(
        lattice=everyone.lattice,
        tables=everyone.hierarchy_tables,
        codes=everyone.profiles.codes[living],
        people=people[living].astype(np.int64),
        weights=of_records if given.planned_for == "records" else np.ones(len(living)),
        values=values,
        least=payoffs.attack_limit + 1,
        fee=float(payoffs.loss) if game == "aware-basic" else np.inf,
        kept=_of_everybody(kept, everybody, living),
    )
    nodes, search = _search(problem, given, everybody, living, progress)
    attacked, reidentified, found = _against_knowing(everybody, nodes)
    naive = np.zeros(len(people))
    naive[living] = search.alone
    naive[people == 0] = float(payoffs.benefit)
    bounds = naive[everybody.of_record_profile]
    total = int(records.sum())
    bound = dot(instance.profiles.records, bounds) / total
    by: BoundName = "naive game"
    others = float(records[people == 0].sum()) * float(payoffs.benefit)
    if own:
        proved: float | None = search.bound
    elif game == "aware-no-attack":
        proved = search.bound_of(of_records, found * total - others)
    else:
        proved = None
    if proved is not None and (proved + others) / total < bound:
        bound, by = (proved + others) / total, search.bound_by if own else "prices"
    share = total if own else problem.total_weight
    return Plan(
        game=game,
        everybody=everybody,
        nodes=sealed(nodes, np.int64),
        planned_for=given.planned_for,
        found=found,
        bound=max(bound, found),
        bound_by=by,
        bounds=bounds,
        facts={
            "people_needed": problem.least,
            "smallest_group": smallest_group(everybody, nodes),
            "attacked": attacked,
            "expected_reidentifications": reidentified,
            "steps": search.steps,
            "history": [
                [step, worth / share, limit / share if limit < np.inf else None]
                for step, worth, limit in search.history
            ],
        },
    )


def _search(
    problem: GroupProblem, given: Groups, everybody: PopulationAndRecords, living: IntArray, progress: Progress | None
) -> tuple[IntArray, GroupSearch]:
    """Return strategies of everybody, (p,), and the search that found them.

    t-closeness is measured from what is released. Groups that break it by that are withheld, and the search is repeated
    with the new measure; the best release of all that keep it stays. All searches share the seconds, and the steps
    where the scenario names none.
    """
    first, rules = GroupSearch(problem), len(problem.kept.kinds)
    steps, seconds = given.steps, given.seconds
    if problem.is_measured_from_released:
        seconds = None if seconds is None else seconds / (_TIGHTENED + 1)
        steps = STEPS // (_TIGHTENED + 1) if steps is None and seconds is None else steps
    best: IntArray = np.full(len(everybody.people), WITHHELD, np.int64)
    best[living] = first.run(steps=steps, seconds=seconds, progress=progress)
    if not rules:
        alone = everybody.found_by_nobody
        best[alone] = everybody.instance.lattice.nodes(everybody.instance.base[alone])
        return join_open_groups(everybody, best, np.flatnonzero((everybody.people == 0) & ~alone)), first
    nodes: IntArray = best
    found = -np.inf
    for _ in range(_TIGHTENED):
        kept, problem = _without_faults(problem, everybody, living, nodes)
        worth = _against_knowing(everybody, kept)[2]
        if worth > found:
            best, found = kept, worth
        if (kept == nodes).all():
            break
        nodes = np.full(len(nodes), WITHHELD, np.int64)
        nodes[living] = GroupSearch(problem).run(steps=steps, seconds=seconds)
    return best, first


def _without_faults(
    problem: GroupProblem, everybody: PopulationAndRecords, living: IntArray, nodes: IntArray
) -> tuple[IntArray, GroupProblem]:
    """Return strategies of everybody, (p,), without the groups that break a rule by what is released then.

    Returns
    -------
    the strategies, and the problem with t-closeness measured from what they release.
    """
    nodes = nodes.copy()
    while True:
        groups = released_groups(everybody.instance, nodes)
        of_group, counts = groups.of_profile[living], problem.kept.counts
        placed = of_group >= 0
        problem = problem.measured_from(counts[placed])
        shown = np.zeros((len(groups.people), counts.shape[1]), np.int64)
        np.add.at(shown, of_group[placed], counts[placed])
        faults = np.array([not keeps_rules(one, problem.kept) for one in shown], np.bool_)
        if not faults.any():
            return nodes, problem
        nodes[living[placed & np.append(faults, False)[of_group]]] = WITHHELD


def _of_everybody(kept: KeptTables, everybody: PopulationAndRecords, living: IntArray) -> KeptTables:
    """Return the same rules with kept values of the profiles of everybody, (p, s)."""
    if not len(kept.kinds):
        return kept
    counts = np.zeros((len(everybody.people), kept.counts.shape[1]), np.int64)
    np.add.at(counts, everybody.of_record_profile, kept.counts)
    return kept._replace(counts=np.ascontiguousarray(counts[living]))


def smallest_group(everybody: PopulationAndRecords, nodes: IntArray) -> int:
    """Return how many people the smallest group with a record in it is chosen by; 0 where nothing is released.

    Parameters
    ----------
    nodes : (p,) a strategy of each; ``WITHHELD`` where there is none.
    """
    people = released_groups(everybody.instance, nodes).people_of_profile
    shown = people[(everybody.records > 0) & (everybody.people > 0) & (nodes != WITHHELD)]
    return int(shown.min()) if len(shown) else 0


def _against_knowing(everybody: PopulationAndRecords, nodes: IntArray) -> tuple[float, float, float]:
    """Return what a recipient makes of the records who knows everybody's strategy, (p,).

    Returns
    -------
    the share of records that are attacked, the re-identifications to expect of it, and the publisher's mean payoff.
    """
    instance, records = everybody.instance, everybody.records
    released = np.flatnonzero((nodes != WITHHELD) & (records > 0))
    counts, people = records[released], released_groups(instance, nodes).people_of_profile[released]
    replies, total = Replies(adversaries=instance.adversaries, people=(people,)), int(records.sum())
    paid = instance.publisher_payoffs(released, nodes[released], replies)
    return (
        int(counts[replies.attacked].sum()) / total,
        dot(counts, replies.reidentifications),
        dot(counts, paid) / total,
    )
