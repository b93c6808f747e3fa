"""Simulated attacks, as tables and sentences on a terminal."""

from collections.abc import Iterator

from rich.console import Console

from gamedeid.amounts import dollars, joined, number, number_of, percent
from gamedeid.attacks.result import AttackCounts, AttackSimulation, RecipientResult
from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.report.terminal.console import new_table, print_table

_LARGE = 100
"""Means from here on are shown with one decimal."""

_COLUMNS = ("attacked", "successes", "expected", "of attacks", "95% interval", "one attribute")


def print_attacks(found: AttackSimulation, to: Console, *, groups: bool = False) -> None:
    """Print what each recipient achieved beside what the formulas expect, and whether both agree.

    Parameters
    ----------
    found : what came of the attacks.
    to : where it is printed.
    groups : whether attacks are printed by the records' strategies too.
    """
    to.print(
        f"Simulated attacks on {number_of(found.released, 'released record')} "
        f"({f'the {found.game} game' if found.game in (*GAMES, *AWARE_GAMES) else f'policy {found.game}'}): "
        f"{number_of(found.repeats, 'world')} of {number_of(found.people, 'person')} each, seed {found.seed}."
    )
    to.print(f"Mean of {'one world' if found.repeats == 1 else f'{found.repeats:,} worlds'}:")
    table = new_table("recipient", *_COLUMNS, "her payoff")
    for one in found.recipients:
        payoff = dollars((one.gained - one.paid) / found.repeats)
        table.add_row(one.name, *_cells(one.total, found.repeats), payoff)
    print_table(table, to)
    if groups:
        for one in found.recipients:
            _print_groups(one, found, to)
    for line in attack_sentences(found):
        to.print(line)


def _cells(counts: AttackCounts, repeats: int) -> Iterator[str]:
    """Yield the cells of ``_COLUMNS``."""
    share = counts.attacks / (counts.records * repeats) if counts.records else 0.0
    yield f"{_mean(counts.attacks, repeats)} ({percent(share)})"
    yield _mean(counts.successes, repeats)
    yield "none" if counts.expected is None else _mean(counts.expected, repeats)
    if counts.interval is not None:
        low, high = counts.interval
        yield percent(counts.successes / counts.attacks)
        yield f"{percent(low)} to {percent(high)}"
    else:
        yield from ("", "")
    yield "" if counts.by_one_attribute is None else _mean(counts.by_one_attribute, repeats)


def _mean(total: float, repeats: int) -> str:
    """Return a mean of worlds, with more decimals where it is small."""
    mean = total / repeats
    return number(mean, 1 if mean >= _LARGE else 2)


def _print_groups(one: RecipientResult, found: AttackSimulation, to: Console) -> None:
    attributes = next((list(group.strategy) for group in one.groups if group.strategy is not None), [])
    to.print(f"Recipient {one.name}, by the records' strategies (levels):")
    table = new_table(*attributes, "records", *_COLUMNS, left=0)
    for group in one.groups:
        others = ["other"] * len(attributes)
        levels = others if group.strategy is None else [str(level) for level in group.strategy.values()]
        table.add_row(*levels, f"{group.records:,}", *_cells(group, found.repeats))
    print_table(table, to)


def attack_sentences(found: AttackSimulation) -> Iterator[str]:
    """Yield what is to be said of simulated attacks: what they show, where they disagree, and what to know of them.

    Parameters
    ----------
    found : what came of the attacks.
    """
    for note in found.notes:
        yield f"Note: {note}."
    quiet = [one.name for one in found.recipients if not one.total.attacks and one.agrees]
    for name in quiet:
        yield f"{name}: no record is worth an attack to her."
    compared = [one for one in found.recipients if one.total.surprise is not None]
    for one in found.recipients:
        yield from (f"{one.name}: {line}." for line in _disagreements(one))
        if one.total.surprise is None:
            yield f"{one.name}: there is no formula for a list with errors; her successes are compared with nothing."
    if compared and found.agrees:
        names = joined((one.name for one in compared), "and")
        yield f"What happened is what the formulas expect: {names}."
    elif not found.agrees:
        yield "The release is not what its strategies say, or the formulas do not hold for it: see gamedeid verify."


def _disagreements(one: RecipientResult) -> Iterator[str]:
    total = one.total
    if not total.agrees and total.expected is not None:
        more = "more" if total.successes > total.expected else "fewer"
        yield (
            f"{more} successes than the formulas expect: {total.successes:,} of {number_of(total.attacks, 'attack')} "
            f"in all worlds, expected {number(total.expected, 1)}"
        )
    wrong = [group for group in one.groups if not group.agrees]
    if wrong:
        above = sum(group.successes > (group.expected or 0.0) for group in wrong)
        yield (
            f"in {len(wrong)} of {number_of(len(one.groups), 'group')} of records the successes are not those expected "
            f"({above} with more, {len(wrong) - above} with fewer)"
        )
    if one.otherwise:
        yield (
            f"her chance is another than the strategies state in {number_of(one.otherwise, 'released row')}: other "
            "numbers of candidates match"
        )
