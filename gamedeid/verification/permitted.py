"""Whether each record's strategy is one that its game permits, and the same for all records that are alike."""

import numpy as np

from gamedeid.arrays import IntArray
from gamedeid.errors import GamedeidError
from gamedeid.results.stored import STRATEGIES
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.claims import Claims
from gamedeid.verification.evidence import Evidence
from gamedeid.verification.findings import Notebook
from gamedeid.verification.least_levels import least_levels
from gamedeid.verification.outcomes import EQUAL, Recomputed
from gamedeid.verification.row_keys import distinct_rows
from gamedeid.verification.tables import Strategies

SH_FRIENDLY, NO_ATTACK = "sh-friendly", "no-attack"
AWARE_BASIC, AWARE_NO_ATTACK = "aware-basic", "aware-no-attack"


def compare_with_game(
    claims: Claims,
    at_hand: Scenario,
    strategies: Strategies,
    found: Recomputed,
    evidence: Evidence,
    notes: Notebook,
) -> IntArray | None:
    """Note strategies that the game does not permit, and records alike of which one is treated otherwise.

    Parameters
    ----------
    claims : the folder.
    at_hand : the scenario whose files can be found.
    strategies : as stated.
    found : the outcomes as recomputed.
    evidence : records and hierarchies.
    notes : takes what is wrong.

    Returns
    -------
    (n, a) the least levels that the game permits; None where they are not known.
    """
    withheld, file = strategies.withheld, claims.stored.parts(STRATEGIES)[0]
    if not claims.stored.is_game:
        notes.find_rows(file, "withheld", withheld, "says that a policy withholds a record, and policies never do")
    elif claims.stored.game != AWARE_BASIC:  # where one record may lose so that others gain more
        low = ~withheld & (found.outcomes["publisher_payoff"] < -_dollars(claims))
        notes.find_rows(file, "publisher_payoff", low, "is below 0, and withholding the record, which pays 0, is open")
    if claims.stored.game in (NO_ATTACK, AWARE_NO_ATTACK):
        attacked = found.outcomes.get("deterrable", found.outcomes["attacked"])
        notes.find_rows(
            file, "attacked", attacked, f"the {claims.stored.game} game permits no strategy that is attacked"
        )
    if claims.stored.knows_mechanism:
        if claims.stored.game == AWARE_NO_ATTACK:
            notes.did("that nobody is attacked by whoever counts the people who match")
    else:
        permits = f"that the {claims.stored.game} game permits every strategy"
        notes.did(permits if claims.stored.is_game else "that nothing is withheld")
    if evidence.records is None or evidence.attributes is None:
        notes.skip(
            "the least levels of the game, and that records alike are treated alike", "the records are not there"
        )
        return None
    _compare_alike(strategies, evidence.records.profiles, file, notes)
    return _compare_least(claims, at_hand, strategies, evidence, notes)


def _dollars(claims: Claims) -> float:
    return 0.0 if claims.scenario is None else EQUAL * claims.scenario.payoffs.benefit


def _compare_alike(strategies: Strategies, profiles: IntArray, file: str, notes: Notebook) -> None:
    """Note records whose strategy is another than that of the first record with the same values."""
    first, of_record = distinct_rows(profiles)
    like = first[of_record]
    differs = (strategies.levels != strategies.levels[like]).any(axis=1)
    differs |= strategies.withheld != strategies.withheld[like]
    says = "the strategy is another than that of the first record with the same values"
    notes.find_rows(file, "record", differs, says)
    notes.did(f"that records with the same values have the same strategy ({len(first):,} profiles)")


def _compare_least(
    claims: Claims, at_hand: Scenario, strategies: Strategies, evidence: Evidence, notes: Notebook
) -> IntArray | None:
    attributes, records, file = evidence.attributes, evidence.records, claims.stored.parts(STRATEGIES)[0]
    if attributes is None or records is None:
        return None
    tops = np.array([one.top for one in attributes])
    missing = np.array([one.missing for one in attributes])
    least = np.maximum(np.where(records.standing == missing, tops, 0), records.floors)
    stored = claims.stored
    policy = evidence.scenario.floor if stored.game == SH_FRIENDLY else None if stored.is_game else stored.game
    if policy is not None:
        try:
            asked = least_levels(policy, evidence, at_hand, attributes, records)
        except GamedeidError as error:
            notes.skip(f"the levels that the policy {policy} asks for", str(error))
            return None
        least = np.maximum(least, asked)
    released = ~strategies.withheld
    for place, one in enumerate(attributes):
        stated = strategies.levels[:, place]
        wrong = stated < least[:, place] if claims.stored.is_game else stated != least[:, place]
        says = "is below the least level of the game" if claims.stored.is_game else "is not the level of the policy"
        notes.find_rows(file, one.name, wrong & released, says, numbers=(least[:, place], stated))
    notes.did(
        f"every level with those of the policy {policy}" if policy else "that missing values are at the top level"
    )
    return least
