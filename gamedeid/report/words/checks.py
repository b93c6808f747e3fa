"""Findings of simulated attacks, verifications and searches for identifiers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamedeid.amounts import joined
from gamedeid.catalogue import sentence, sentences
from gamedeid.pictures.words import policy_words

if TYPE_CHECKING:
    from gamedeid.attacks.result import AttackSimulation, RecipientResult


def simulation_words(found: "AttackSimulation") -> list[str]:
    """Return the attacks that were simulated, and what the table below them has."""
    facts = {"released": found.released, "repeats": found.repeats, "people": found.people, "seed": found.seed}
    return sentences("checks.simulated", {**facts, "game": policy_words(found.game)})


def attack_sentences(found: "AttackSimulation") -> Iterator[str]:
    """Yield the findings of simulated attacks: notes, findings by recipient, and the result."""
    yield from (f"Note: {note}." for note in found.notes)
    for one in found.recipients:
        yield from sentences("checks.attacker", _attacker_facts(one))
    compared = [one.recipient for one in found.recipients if one.surprise is not None]
    names = joined(compared, "and") if compared else ""
    yield from sentences("checks.attacks", {"agree": found.agrees, "names": names})


def _attacker_facts(one: "RecipientResult") -> dict[str, Any]:
    wrong, expected = [group for group in one.groups if not group.agrees], one.expected_successes
    above = sum(group.successes > (group.expected_successes or 0.0) for group in wrong)
    return {
        "name": one.recipient,
        "quiet": not one.attacks and one.agrees,
        "differs": not one.total_agrees and expected is not None,
        "more": "more" if one.successes > (expected or 0.0) else "fewer",
        "successes": one.successes,
        "attacks": one.attacks,
        "expected": expected or 0.0,
        "wrong": len(wrong),
        "groups": len(one.groups),
        "above": above,
        "below": len(wrong) - above,
        "differing_rows": one.rows_seen_otherwise,
        "compared": one.surprise is not None,
    }


def verified_words(folder: object, findings: int) -> str:
    """Return the result of a verification."""
    return sentence("checks.verified", {"folder": folder, "count": findings})


def unresolved_words(findings: int) -> str:
    """Return how many findings of a search for identifiers are not resolved."""
    return sentence("checks.unresolved", {"count": findings})
