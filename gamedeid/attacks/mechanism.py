"""The mechanism of a release: the strategy of each person of the population."""

from collections.abc import Sequence

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import BoolArray, FloatArray, IntArray
from gamedeid.attacks.published import Published
from gamedeid.capabilities import Feature, Operation, refuse_unsupported
from gamedeid.choices import PLAN
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.progress import Phases
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import LIMITED_DATA_SET, RAW, SAFE_HARBOR
from gamedeid.verification.best import TIE, best_strategies, payoffs
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.people import matching_people
from gamedeid.verification.permitted import NO_ATTACK, floor_policy, least_levels
from gamedeid.verification.plan import read_plan

MOST_TRIALS = 2_000_000_000
"""Most strategies times distinct people that are tried; more takes over about a minute."""


@frozen(eq=False)
class Mechanism:
    """The levels, (k, a), of each row of the people as a record, and whether it would be withheld, (k,)."""

    levels: IntArray
    withheld: BoolArray


def read_mechanism(published: Published, phases: Phases) -> Mechanism:
    """Return the strategy of each person of the population."""
    claims = published.claims
    if claims.stored.is_game:
        proved = claims.stored.is_proved or claims.stored.knows_mechanism
        searched = {} if proved else {Feature.SEARCHED: f"the solver {claims.stored.solver}"}
        refuse_unsupported(Operation.SIMULATED_METHOD, {**published.scenario.features, **searched})
    attributes, people = published.attributes, published.people
    tops = np.array([one.top for one in attributes])
    if (reason := _why_not_played(published, int(np.prod(tops + 1, dtype=object)))) is not None:
        if published.scenario.population is not None:
            raise _refusal(reason)
        return _record_strategies(published)
    if claims.stored.knows_mechanism:
        return _plan_strategies(published)
    least = np.where(people.values == np.array([one.missing for one in attributes]), tops, 0)
    policy = floor_policy(claims.stored, published.scenario)
    if policy is not None:
        asked = least_levels(policy, published.evidence, published.current_scenario, people.values)
        least = np.maximum(least, asked)
    if not claims.stored.is_game:
        return Mechanism(levels=least, withheld=np.zeros(len(least), np.bool_))
    stakes, forbids_attack = published.scenario.payoffs, claims.stored.game == NO_ATTACK

    def pay(worth: FloatArray, levels: Sequence[int], labels: IntArray) -> FloatArray:
        return payoffs(worth, matching_people(people, attributes, levels, labels), people, stakes, forbids_attack)

    best, levels = best_strategies(
        attributes,
        people.values,
        least,
        stakes.benefit,
        pay,
        best=np.full(len(least), -np.inf),
        report_progress=phases("the strategies of all people"),
    )
    return Mechanism(levels=levels, withheld=best <= -TIE * stakes.benefit)


def _why_not_played(published: Published, strategies: int) -> str | None:
    """Return why the strategies of all people are not found by one game for each profile; None if they are."""
    claims = published.claims
    if claims.stored.manifest["scenario"].get("limits") or published.scenario.has_limits:
        return "within [limits] the strategy of a record depends on all other records"
    if claims.stored.knows_mechanism:
        return None
    known = {"basic", "no-attack", "sh-friendly", RAW, SAFE_HARBOR, LIMITED_DATA_SET, *published.scenario.policy}
    if claims.stored.game not in known:
        return f"in {claims.stored.game} the strategy of a record depends on other records"
    if strategies * len(published.people.counts) > MOST_TRIALS:
        profiles = number_of(len(published.people.counts), "profile")
        return f"{strategies:,} strategies of {profiles} are too many to try all"
    return None


def _record_strategies(published: Published) -> Mechanism:
    """Return the strategies that the folder states for the records, where they are the population."""
    levels = np.zeros(published.people.values.shape, np.int64)
    withheld = np.ones(len(levels), np.bool_)
    levels[published.cell], withheld[published.cell] = published.levels, False
    return Mechanism(levels=levels, withheld=withheld)


def _plan_strategies(published: Published) -> Mechanism:
    """Return the strategies of all people that the folder's plan states."""
    log = CheckLog()
    plan = read_plan(published.claims, published.evidence, log)
    if log.findings:
        raise InvalidDataError(log.findings[0].in_words())
    if plan is None:
        raise _refusal(f"the folder has no {PLAN}, which has the strategies of all people")
    values = published.people.values
    places = plan.places_of(np.concatenate([values, np.zeros_like(values)], axis=1))  # no one has several rows
    return Mechanism(levels=plan.levels[places], withheld=plan.withheld[places])


def _refusal(why: str) -> InvalidScenarioError:
    another = "recipients=['naive']"
    return InvalidScenarioError(
        f"the recipient `aware` cannot be simulated: {why}; simulate another one with {another}", arguments=[another]
    )
