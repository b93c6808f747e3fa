"""What checks found, on a terminal: simulated attacks, verifications, and searches for identifiers."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gamedeid.amounts import dollars, number, percent
from gamedeid.catalogue import catalogue, sentence, sentences
from gamedeid.errors import shown
from gamedeid.report.terminal.console import new_table, print_table
from gamedeid.report.words.checks import attack_sentences, simulation_words, unresolved_words, verified_words

if TYPE_CHECKING:
    from gamedeid.attacks.result import AttackCounts, AttackSimulation, RecipientResult
    from gamedeid.verification.findings import Verification

_NAMED = 3
"""Checks that were not made that a summary names."""

_LARGE = 100
"""Means from here on are shown with one decimal."""

_COLUMNS = ("attacked", "successes", "expected", "of attacks", "95% interval", "one attribute")


def print_attacks(found: "AttackSimulation", to: Console, *, groups: bool = False) -> None:
    """Print the successes of each recipient, those expected by the formulas, and whether both agree."""
    for line in simulation_words(found):
        to.print(line)
    table = new_table("recipient", *_COLUMNS, "own payoff")
    for one in found.recipients:
        payoff = dollars((one.dollars_gained - one.dollars_paid) / found.repeats)
        table.add_row(one.recipient, *_cells(one, found.repeats), payoff)
    print_table(table, to)
    if groups:
        for one in found.recipients:
            _print_groups(one, found, to)
    for line in attack_sentences(found):
        to.print(line)


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
    """Return a mean of worlds, with more decimals where it is small."""
    mean = total / repeats
    return number(mean, 1 if mean >= _LARGE else 2)


def _print_groups(one: "RecipientResult", found: "AttackSimulation", to: Console) -> None:
    attributes = next((list(group.strategy) for group in one.groups if group.strategy is not None), [])
    to.print(sentence("checks.attacker_groups", {"recipient": one.recipient}))
    table = new_table(*attributes, "records", *_COLUMNS, left=0)
    for group in one.groups:
        others = ["other"] * len(attributes)
        levels = others if group.strategy is None else [str(level) for level in group.strategy.values()]
        table.add_row(*levels, f"{group.records:,}", *_cells(group, found.repeats))
    print_table(table, to)


def print_verification(found: "Verification", to: Console, *, with_values: bool = False, verbose: bool = False) -> None:
    """Print the findings, then what was not checked and what was: their numbers, or each of them if verbose."""
    for one in found.findings:
        to.print(f"Found: {one.in_words(with_values=with_values)}")
    if verbose:
        for left in found.unchecked:
            to.print(f"Not checked: {left.what}: {left.why}")
        for line in found.checked:
            to.print(f"Checked: {line}")
    else:
        left_out = [one.what for one in found.unchecked]
        facts = {"some": "; ".join(left_out[:_NAMED]), "more": len(left_out[_NAMED:]), "checked": len(found.checked)}
        for words in sentences("checks.counted", facts):
            to.print(words)
    to.print(verified_words(found.folder, len(found.findings)))


_RULES = {
    "safe-harbor": ("the 18 identifiers of Safe Harbor (45 CFR 164.514(b)(2)(i))", "letter", "safe_harbor"),
    "limited-data-set": (
        "the 16 identifiers of the limited data set (45 CFR 164.514(e)(2))",
        "number",
        "limited_data_set",
    ),
}


def print_findings(content: Mapping[str, Any], to: Console) -> None:
    """Print the findings of a check, unresolved ones first."""
    rule, called, place = _RULES[content["rule"]]
    to.print(sentence("checks.searched", {**content, "rule": rule}))
    if content["findings"]:
        table = new_table("column", "kind", called, "share", "evidence", left=5)
        actions: dict[str, list[str]] = {}
        for one in sorted(content["findings"], key=lambda one: (one["handled"] is not None, not one["strong"])):
            share = "" if one["share"] is None else percent(one["share"])
            evidence = one["evidence"] if one["strong"] else f"{one['evidence']} (weak)"
            advice = one["advice"] if one["part"] is None else f"{one['advice']}, or accept it by name in the scenario"
            table.add_row(shown(one["column"]), one["kind"], one[place], share, evidence)
            columns = actions.setdefault(one["handled"] or advice, [])
            columns += [name for name in [shown(one["column"])] if name not in columns]
        print_table(table, to)
        for action, columns in actions.items():
            to.print(sentence("checks.action", {"columns": ", ".join(columns), "action": action}))
    for line in sentences(
        "checks.left_out", {key: ", ".join(map(shown, content[key])) for key in ("sampled", "unread")}
    ):
        to.print(line)
    to.print(catalogue("law")["lines"][content["rule"]])
    to.print(unresolved_words(content["unhandled"]))
