"""Findings of simulated attacks, verifications and searches for identifiers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamedeid.amounts import joined, number, number_of
from gamedeid.catalogue import sentence, sentences

if TYPE_CHECKING:
    from gamedeid.attacks.result import AttackSimulation, RecipientResult


def attack_sentences(found: "AttackSimulation") -> Iterator[str]:
    """Yield the findings of simulated attacks: notes, findings by recipient, and the result.

    Parameters
    ----------
    found : the result of the attacks.
    """
    yield from (f"Note: {note}." for note in found.notes)
    for one in found.recipients:
        yield from sentences("checks.attacker", _attacker_facts(one))
    compared = [one.recipient for one in found.recipients if one.surprise is not None]
    names = joined(compared, "and") if compared else ""
    yield from sentences("checks.attacks", {"agree": found.agrees, "names": names})


def _attacker_facts(one: "RecipientResult") -> dict[str, Any]:
    wrong = [group for group in one.groups if not group.agrees]
    above = sum(group.successes > (group.expected_successes or 0.0) for group in wrong)
    return {
        "name": one.recipient,
        "quiet": not one.attacks and one.agrees,
        "differs": not one.total_agrees and one.expected_successes is not None,
        "more": "more" if one.successes > (one.expected_successes or 0.0) else "fewer",
        "successes": f"{one.successes:,}",
        "attacks": number_of(one.attacks, "attack"),
        "expected": number(one.expected_successes or 0.0, 1),
        "wrong": wrong,
        "wrong_groups": f"{len(wrong)} of {number_of(len(one.groups), 'group')}",
        "above": above,
        "below": len(wrong) - above,
        "differing_rows": one.rows_seen_otherwise,
        "otherwise": number_of(one.rows_seen_otherwise, "released row"),
        "compared": one.surprise is not None,
    }


def verified_words(folder: object, findings: int) -> str:
    """Return the result of a verification.

    Parameters
    ----------
    folder : that was verified.
    findings : how many there are.
    """
    facts = {"folder": folder, "count": findings, "findings": number_of(findings, "finding")}
    return sentence("checks.verified", facts)


def unresolved_words(findings: int) -> str:
    """Return how many findings of a search for identifiers are not resolved.

    Parameters
    ----------
    findings : how many there are.
    """
    return sentence("checks.unresolved", {"count": findings, "findings": number_of(findings, "finding")})
