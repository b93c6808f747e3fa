"""Recipients by name, and what those who know the mechanism compute: what the program does with everybody."""

from collections.abc import Mapping, Sequence

import numpy as np

from gamedeid.amounts import number_of
from gamedeid.arrays import FloatArray, IntArray
from gamedeid.attacks import recipients as kinds
from gamedeid.attacks.candidates import Cells, match_labels
from gamedeid.attacks.expected import chances_on_list, matching
from gamedeid.attacks.mechanism import MOST_TRIED, Mechanism, play_everybody
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
from gamedeid.verification.evidence import OriginalRecords
from gamedeid.verification.findings import CheckLog
from gamedeid.verification.permitted import least_levels, policy_of
from gamedeid.verification.plan import read_plan
from gamedeid.verification.recipients import attacks
from gamedeid.verification.tables import row_keys


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
    claims, cells, labels = published.claims, published.cells, published.labels
    if claims.stored.is_game:
        check(Operation.SIMULATED_METHOD, published.scenario.features)
    tops = np.array([one.attribute.top for one in labels])
    if (reason := _why_not_played(published, int(np.prod(tops + 1, dtype=object)))) is not None:
        if published.scenario.population is not None:
            raise kinds.refusal("aware", reason)
        return _of_records(published)
    if claims.stored.knows_mechanism:
        return _planned(published)
    missing = np.array([one.attribute.missing for one in labels])
    least = np.where(cells.values == missing, tops, 0)
    policy = policy_of(claims.stored, published.scenario)
    if policy is not None:
        asked = least_levels(
            policy, published.evidence, published.at_hand, published.attributes, _as_records(cells.values)
        )
        least = np.maximum(least, asked)
    if not claims.stored.is_game:
        return Mechanism(levels=least, withheld=np.zeros(len(least), np.bool_))
    return play_everybody(
        labels,
        cells,
        published.scenario.payoffs,
        least=least,
        forbids_attack=claims.stored.game == "no-attack",
        report_progress=phases("the strategies of everybody"),
    )


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
        solver = claims.stored.manifest["scenario"].get("solver")
        return f"the solver {solver} does not promise the best strategies, which this recipient computes"
    if strategies * len(published.cells.counts) > MOST_TRIED:
        profiles = number_of(len(published.cells.counts), "profile")
        return f"{strategies:,} strategies of {profiles} are too many to try all"
    return None


def _of_records(published: Published) -> Mechanism:
    """Return what the folder states of the records, who are everybody."""
    levels = np.zeros(published.cells.values.shape, np.int64)
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
    values = published.cells.values
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
        published, cells = self.published, self.published.cells
        listed = np.flatnonzero(random.random(cells.people) < self.covers)
        cell = np.repeat(np.arange(len(cells.counts), dtype=np.int32), cells.counts)
        values = np.zeros((len(listed), cells.values.shape[1]), np.int32)
        for place in range(values.shape[1]):
            own = cell[listed]
            altered = np.flatnonzero(random.random(len(listed)) < self.wrong)
            own[altered] = cell[random.integers(0, cells.people, len(altered))]
            values[:, place] = cells.values[own, place]
        kinds, first, counts, order = _sorted_list(values)
        on_list = Cells(values=kinds, counts=counts, first=first)
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
        pool=published.cells.people,
        stakes=published.scenario.payoffs,
    )


def _sorted_list(values: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the distinct rows of a list, the place of the first of each, how many there are, and the order of all."""
    keys = row_keys(values.astype(np.int64))
    order = np.argsort(keys, kind="stable")
    _, first, counts = np.unique(keys[order], return_index=True, return_counts=True)
    return values[order[first]].astype(np.int64), first, counts, order
