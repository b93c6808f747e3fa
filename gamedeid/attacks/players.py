"""Recipients by name, and what those who know the mechanism compute: what the program does with everybody."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.attacks import recipients as kinds
from gamedeid.attacks.candidates import match_labels
from gamedeid.attacks.expected import Mechanism, chances_on_list, matching
from gamedeid.attacks.published import Published
from gamedeid.attacks.recipients import Guesses, Recipient
from gamedeid.attacks.scenario_recipients import scenario_recipient
from gamedeid.capabilities import Operation, check
from gamedeid.choices import PLAN
from gamedeid.errors import InvalidDataError
from gamedeid.progress import Phases
from gamedeid.reprs import frozen
from gamedeid.scenario.built_in import LIMITED_DATA_SET, RAW, SAFE_HARBOR
from gamedeid.scenario.sections import Stakes
from gamedeid.verification.best import TIE, best_strategies, payoffs
from gamedeid.verification.evidence import OriginalRecords
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.people import People, matching_people
from gamedeid.verification.permitted import NO_ATTACK, least_levels, policy_of
from gamedeid.verification.plan import read_plan
from gamedeid.verification.recipients import attacks
from gamedeid.verification.tables import distinct_rows

MOST_TRIED = 2_000_000_000
"""Strategies times distinct people that are tried; more takes more than about a minute."""


def players(
    published: Published, names: Sequence[str], options: Mapping[str, float], phases: Phases
) -> dict[str, Recipient]:
    """Return the recipients by name; where the scenario has a recipient of that name, it is she."""
    found: dict[str, Recipient] = {}
    mechanism: Mechanism | None = None
    for name in names:
        own = name in published.scenario.recipients
        if name in {"aware", "aware-marketer"} and not own and mechanism is None:
            mechanism = _mechanism(published, phases)
        if own:
            found[name] = scenario_recipient(published, name)
        elif name == "naive":
            found[name] = kinds.naive(published)
        elif name == "marketer":
            found[name] = kinds.marketer(published)
        elif name == "in-release":
            found[name] = kinds.in_release(published)
        elif name == "noisy":
            found[name] = noisy(published, **options)
        elif mechanism is not None:
            made = kinds.aware if name == "aware" else kinds.aware_marketer
            found[name] = made(published, mechanism)
    return found


def _mechanism(published: Published, phases: Phases) -> Mechanism:
    """Return what the program does with everybody.

    Raises
    ------
    InvalidScenarioError : that cannot be found by playing a game per profile.
    """
    claims = published.claims
    if claims.stored.is_game:
        check(Operation.SIMULATED_METHOD, published.scenario.features)
    attributes, people = published.attributes, published.people
    tops = np.array([one.top for one in attributes])
    if (reason := _why_not_played(published, int(np.prod(tops + 1, dtype=object)))) is not None:
        if published.scenario.population is not None:
            raise kinds.refusal("aware", reason)
        return _of_records(published)
    if claims.stored.knows_mechanism:
        return _planned(published)
    least = np.where(people.values == np.array([one.missing for one in attributes]), tops, 0)
    policy = policy_of(claims.stored, published.scenario)
    if policy is not None:
        everybody = _as_records(people.values)
        least = np.maximum(least, least_levels(policy, published.evidence, published.at_hand, attributes, everybody))
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
        report_progress=phases("the strategies of everybody"),
    )
    return Mechanism(levels=levels, withheld=best <= -TIE * stakes.benefit)


def _why_not_played(published: Published, strategies: int) -> str | None:
    """Return why strategies of everybody are not found by playing a game per profile, if so."""
    claims = published.claims
    if claims.stored.manifest["scenario"].get("limits") or published.scenario.has_limits:
        return "within [limits] the strategy of a record depends on all other records"
    if claims.stored.knows_mechanism:
        return None
    known = {"basic", "no-attack", "sh-friendly", RAW, SAFE_HARBOR, LIMITED_DATA_SET, *published.scenario.policy}
    if claims.stored.game not in known:
        return f"in {claims.stored.game} the strategy of a record depends on other records"
    if claims.stored.is_game and not claims.stored.is_proved:
        solver = claims.stored.solver
        return f"the solver {solver} does not promise the best strategies, which this recipient computes"
    if strategies * len(published.people.counts) > MOST_TRIED:
        profiles = number_of(len(published.people.counts), "profile")
        return f"{strategies:,} strategies of {profiles} are too many to try all"
    return None


def _of_records(published: Published) -> Mechanism:
    """Return what the folder states of the records, who are everybody."""
    levels = np.zeros(published.people.values.shape, np.int64)
    withheld = np.ones(len(levels), np.bool_)
    levels[published.cell], withheld[published.cell] = published.levels, False
    return Mechanism(levels=levels, withheld=withheld)


def _planned(published: Published) -> Mechanism:
    """Return what the folder's plan does with everybody.

    Raises
    ------
    InvalidScenarioError : the folder has no plan.
    InvalidDataError : it is not of these people and records.
    """
    notes = CheckLog()
    plan = read_plan(published.claims, published.evidence, notes)
    if notes.findings:
        raise InvalidDataError(notes.findings[0].in_words())
    if plan is None:
        raise kinds.refusal("aware", f"the folder has no {PLAN}, which has the strategies of everybody")
    values = published.people.values
    mine = plan.places_of(np.concatenate([values, np.zeros_like(values)], axis=1))  # nobody has several rows
    return Mechanism(levels=plan.levels[mine], withheld=plan.withheld[mine])


def _as_records(values: IntArray) -> OriginalRecords:
    """Return people as records, to ask which levels a policy permits them."""
    floors = np.zeros(values.shape, np.int64)
    return OriginalRecords(names=[], values=values, kept={}, persons=None, standing=values, floors=floors)


@frozen(eq=False)
class Noisy:
    """A recipient whose list lacks people, and has wrong values of others.

    Parameters
    ----------
    published : the release.
    covers : chance that a person is on the list.
    wrong : chance that a value of somebody is that of another person, drawn at random.
    expected, believed, pool, stakes, seeks_people : as :class:`Recipient` has them.
    """

    published: Published
    covers: float
    wrong: float
    expected: FloatArray | None
    believed: FloatArray | None
    pool: int
    stakes: Stakes
    seeks_people: bool = True

    def attack(self, persons: IntArray, random: np.random.Generator) -> Guesses:
        """Draw a list, then do with it what the naive recipient does with the right one."""
        published, people = self.published, self.published.people
        listed = np.flatnonzero(random.random(people.total) < self.covers)
        cell = np.repeat(np.arange(len(people.counts), dtype=np.int32), people.counts)
        values = np.zeros((len(listed), people.values.shape[1]), np.int32)
        for place in range(values.shape[1]):
            own = cell[listed]
            altered = np.flatnonzero(random.random(len(listed)) < self.wrong)
            own[altered] = cell[random.integers(0, people.total, len(altered))]
            values[:, place] = people.values[own, place]
        on_list, order = _sorted_list(values)
        stakes, judged = published.scenario.payoffs, published.judged
        candidates = match_labels(
            published.attributes,
            published.row_levels,
            published.row_labels,
            on_list,
            lambda size: attacks(size, stakes),
        )
        rows = np.flatnonzero(judged & attacks(candidates.size, stakes))
        named = listed[order][candidates.guess(rows, random)]
        return Guesses(rows=rows, guessed=named, truth=persons[rows])


def noisy(published: Published, *, covers: float, wrong: float) -> Noisy:
    """Return who has a list with errors; the arguments are those of :class:`Noisy`."""
    expected = None
    if not wrong:
        expected = chances_on_list(matching(published), covers, published.scenario.payoffs)
    return Noisy(
        published=published,
        covers=covers,
        wrong=wrong,
        expected=expected,
        believed=None,
        pool=published.people.total,
        stakes=published.scenario.payoffs,
    )


def _sorted_list(values: IntArray) -> tuple[People, IntArray]:
    """Return the people of a list, (m, a), and which of its rows, (m,), each of them is, by their numbers."""
    first, place = distinct_rows(values.astype(np.int64))
    kinds = values[first].astype(np.int64)
    people = People(values=kinds, counts=np.bincount(place), known={}, unmatched="error", floors=np.zeros_like(kinds))
    return people, np.argsort(place, kind="stable")
