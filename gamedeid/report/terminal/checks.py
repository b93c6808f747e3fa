"""Results of checks on a terminal: simulated attacks, verifications, and searches for identifiers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import dollars, joined, number, percent
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.errors import shown
from gamedeid.pictures.words import policy_words
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.report.terminal.results import print_warnings

if TYPE_CHECKING:
    from gamedeid.attacks.result import AttackCounts, AttackSimulation, RecipientResult
    from gamedeid.verification.findings import Verification

_NAMED = 3
"""Most omitted checks that a summary names."""

_LARGE = 100
"""Means from this value on are shown with one decimal."""

_COLUMNS = ("attacked", "successes", "expected", "of attacks", "95% interval", "one attribute")


def print_attacks(found: "AttackSimulation", to: Console, *, groups: bool) -> None:
    """Print the successes of each recipient, those expected by the formulas, and their agreement."""
    facts = {"released": found.released, "repeats": found.repeats, "people": found.people, "seed": found.seed}
    print_lines(sentences("checks.simulated", {**facts, "game": policy_words(found.game)}), to)
    rows = (
        (one.recipient, *_cells(one, found.repeats), dollars((one.dollars_gained - one.dollars_paid) / found.repeats))
        for one in found.recipients
    )
    print_rows(("recipient", *_COLUMNS, "own payoff"), rows, to)
    if groups:
        for one in found.recipients:
            _print_groups(one, found, to)
    print_warnings(found.warnings, to)
    print_lines(_attack_sentences(found), to)


def _attack_sentences(found: "AttackSimulation") -> Iterator[str]:
    """Yield the findings of simulated attacks: notes, findings by recipient, and the result."""
    yield from (f"Note: {note}." for note in found.notes)
    for one in found.recipients:
        yield from sentences("checks.attacker", _attacker_facts(one))
    compared = [one.recipient for one in found.recipients if one.surprise is not None]
    yield from sentences("checks.attacks", {"agree": found.agrees, "names": joined(compared, "and")})


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


def _cells(counts: "AttackCounts", repeats: int) -> Iterator[str]:
    """Yield the cells of ``_COLUMNS``."""
    share = counts.attacks / (counts.records * repeats) if counts.records else 0.0
    yield f"{_mean(counts.attacks, repeats)} ({percent(share)})"
    yield _mean(counts.successes, repeats)
    yield "none" if counts.expected_successes is None else _mean(counts.expected_successes, repeats)
    if counts.interval is not None:
        low, high = counts.interval
        yield percent(counts.successes / counts.attacks)
        yield f"{percent(low)} to {percent(high)}"
    else:
        yield from ("", "")
    yield "" if counts.one_attribute_successes is None else _mean(counts.one_attribute_successes, repeats)


def _mean(total: float, repeats: int) -> str:
    """Return the text of a mean over worlds, with more decimals for a small one."""
    mean = total / repeats
    return number(mean, 1 if mean >= _LARGE else 2)


def _print_groups(one: "RecipientResult", found: "AttackSimulation", to: Console) -> None:
    attributes = next((list(group.strategy) for group in one.groups if group.strategy is not None), [])
    to.print(sentence("checks.attacker_groups", {"recipient": one.recipient}))
    others = dict.fromkeys(attributes, "other")
    rows = (
        (*map(str, (group.strategy or others).values()), f"{group.records:,}", *_cells(group, found.repeats))
        for group in one.groups
    )
    print_rows((*attributes, "records", *_COLUMNS), rows, to, left=0)


def print_verification(found: "Verification", to: Console, *, with_values: bool, verbose: bool) -> None:
    """Print the findings, then omitted and passed checks: their numbers, or each of them if verbose."""
    print_lines((f"Found: {one.in_words(with_values=with_values)}" for one in found.findings), to)
    if verbose:
        print_lines((f"Not checked: {left.what}: {left.why}" for left in found.unchecked), to)
        print_lines((f"Checked: {line}" for line in found.checked), to)
    else:
        left_out = [one.what for one in found.unchecked]
        facts = {"some": "; ".join(left_out[:_NAMED]), "more": len(left_out[_NAMED:]), "checked": len(found.checked)}
        print_lines(sentences("checks.counted", facts), to)
    result = {"folder": found.folder, "count": len(found.findings), "unchecked": len(found.unchecked)}
    to.print(sentence("checks.verified", result))


_RULES = {
    "safe-harbor": ("the 18 identifiers of Safe Harbor (45 CFR 164.514(b)(2)(i))", "letter"),
    "limited-data-set": ("the 16 identifiers of the limited data set (45 CFR 164.514(e)(2))", "number"),
}


def print_findings(content: Mapping[str, Any], to: Console) -> None:
    """Print the findings of a check, unresolved ones first."""
    rule, called = _RULES[content["rule"]]
    to.print(sentence("checks.searched", {**content, "rule": rule}))
    if content["findings"]:
        rows = []
        actions: dict[str, dict[str, None]] = {}
        for one in sorted(content["findings"], key=lambda one: (one["handled"] is not None, not one["strong"])):
            share = "" if one["share"] is None else percent(one["share"])
            evidence = one["evidence"] if one["strong"] else f"{one['evidence']} (weak)"
            advice = one["advice"] if one["part"] is None else f"{one['advice']}, or accept it by name in the scenario"
            rows.append((shown(one["column"]), one["kind"], one[content["rule"].replace("-", "_")], share, evidence))
            actions.setdefault(one["handled"] or advice, {})[shown(one["column"])] = None
        print_rows(("column", "kind", called, "share", "evidence"), rows, to, left=5)
        for action, columns in actions.items():
            to.print(sentence("checks.action", {"columns": ", ".join(columns), "action": action}))
    left_out = {key: ", ".join(map(shown, content[key])) for key in ("sampled", "unread")}
    print_lines(sentences("checks.left_out", left_out), to)
    to.print(catalogue("law")["lines"][content["rule"]])
    to.print(sentence("checks.unresolved", {"count": content["unhandled"]}))
