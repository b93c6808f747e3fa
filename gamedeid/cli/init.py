"""The command ``gamedeid init``: draft a scenario and its hierarchies from a file, and ask about columns in doubt."""

import re
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from gamedeid.amounts import joined, number_of
from gamedeid.catalogue import sentence, sentences
from gamedeid.cli.options import DataFile, Json
from gamedeid.cli.printing import print_json
from gamedeid.errors import InvalidScenarioError, quoted, shown
from gamedeid.report.terminal.console import console, print_lines, print_rows

if TYPE_CHECKING:
    from gamedeid.intake.drafting.draft import Draft, DraftFacts
    from gamedeid.intake.drafting.parts import DraftedColumn, Part


def init(
    data: DataFile,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the scenario; it must be new or empty."),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(metavar="POP", help="The people among whom a recipient would look, a file of the same kinds."),
    ] = None,
    redcap: Annotated[
        Path | None,
        typer.Option(metavar="DICTIONARY", help="The data dictionary (CSV) of the REDCap project of DATA."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", metavar="", help="Ask nothing, and accept every proposal.")
    ] = False,
    attribute: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Make a column an attribute. May be repeated.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Release a column unchanged. May be repeated.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Leave a column out. May be repeated.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column whose equal values are rows of one person.")
    ] = None,
    rare: Annotated[
        int,
        typer.Option(
            metavar="ROWS", min=1, help="Fewest rows of a value that a hierarchy lists; rarer values form one group."
        ),
    ] = 5,
    year: Annotated[
        int | None, typer.Option(metavar="YEAR", min=1900, max=2200, help="Year of the release (default: this year).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Examine a file, and draft a scenario and hierarchies for its release.

    Writes scenario.toml and a file for each hierarchy into -o DIR. On a terminal it first asks about doubtful columns;
    --yes accepts the proposals, which drop them. Without -o nothing is asked or written.
    """
    from gamedeid.cli.next_steps import command_line, run_of_draft
    from gamedeid.generalization.lattice import TABLE_LIMIT
    from gamedeid.intake.drafting.draft import draft_scenario
    from gamedeid.intake.drafting.scenario_text import SAFE_GROUP_SIZE
    from gamedeid.scenario.shipped import scenario_of

    parts = _parts(attribute, keep, drop, [person] if person is not None else [])
    draft = draft_scenario(data, population, year=year or datetime.now(UTC).year, rare=rare, parts=parts, redcap=redcap)
    asked = len(draft.questions)
    if output is not None and not yes:
        draft = ask_questions(draft)
    written = draft.write(output) if output is not None else None
    if as_json:
        print_json(_facts(draft, asked, written))
        return
    to = console()
    if not (to.is_terminal and asked and written is not None and not yes):  # else it was printed above the questions
        print_draft(draft, to)
    if written is None:
        to.print(sentence("commands.not_written", {"asked": asked}))
    else:
        scenario = scenario_of(written, reads_data=False)
        has_population = scenario.population is not None
        to.print(sentence("commands.drafted", {"folder": written.parent, "file": written.name}))
        words = run_of_draft(written, scenario, "RELEASE")
        to.print(
            command_line(*words), soft_wrap=True
        )  # a single line, even on a narrow terminal, so that it can be copied
        few = not has_population and draft.persons < SAFE_GROUP_SIZE
        facts = {"has_population": has_population, "alike": SAFE_GROUP_SIZE, "few": few, "persons": draft.persons}
        facts |= {"uniform": scenario.game == "no-attack"}
        facts |= {"strategies": draft.strategies, "most": TABLE_LIMIT, "many": draft.strategies > TABLE_LIMIT}
        print_lines(sentences("commands.why", facts), to)


def _parts(
    attribute: list[str] | None, keep: list[str] | None, drop: list[str] | None, person: list[str]
) -> "dict[str, Part]":
    """Return column -> its part, for the columns in options."""
    options: tuple[tuple[Part, list[str]], ...] = (
        ("attribute", attribute or []),
        ("keep", keep or []),
        ("drop", drop or []),
        ("person", person),
    )
    parts: dict[str, Part] = {}
    for part, names in options:
        for name in names:
            if parts.setdefault(name, part) != part:
                raise InvalidScenarioError(
                    f"column {quoted(name)} can have one part only, not {parts[name]} and {part}"
                )
    return parts


def _facts(draft: "Draft", asked: int, written: Path | None) -> "DraftFacts":
    from gamedeid.intake.drafting.draft import DraftFacts

    return DraftFacts(
        rows=draft.table.rows,
        encoding=draft.table.encoding,
        delimiter=draft.table.delimiter,
        questions=asked,
        columns=draft.columns,
        scenario=None if written is None else str(written),
    )


_ANSWERS: "dict[str, Part]" = {"a": "attribute", "k": "keep", "d": "drop"}
_SHAPES = 3
"""Most shapes of values that a question shows."""
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def ask_questions(draft: "Draft") -> "Draft":
    """Return a draft with the answers of the user at the terminal; only columns in doubt are asked about."""
    questions = draft.questions
    if not questions:
        return draft
    if not is_terminal():
        raise InvalidScenarioError(
            f"{number_of(len(questions), 'column')} in doubt, and no terminal to ask on; pass --yes to drop "
            f"{'it' if len(questions) == 1 else 'them'}, or decide with --attribute, --keep and --drop"
        )
    to = console(stderr=True)
    count = len(questions)
    print_draft(draft, to)
    to.print(sentence("commands.questions", {"questions": count}))
    parts: dict[str, Part] = {}
    for number, column in enumerate(questions, start=1):
        facts = {"number": number, "questions": count, "column": shown(column.name), "reason": column.reason}
        to.print(sentence("commands.question", {**facts, "shapes": value_shapes(draft, column.name)}))
        part = _ask(draft, column)
        if part is None:
            break
        parts[column.name] = part
    return draft.with_parts(parts)


def value_shapes(draft: "Draft", name: str) -> str:
    """Return the most common shapes of a column's values, letters as a and digits as 9; "" if none is common enough."""
    rows: Counter[str] = Counter()
    for value, count in next(one for one in draft.table.columns if one.name == name).counts.items():
        rows[re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "a", value))] += count
    common = [shape for shape, count in rows.most_common(_SHAPES) if count >= draft.rare]
    return joined([f'"{shown(shape)}"' for shape in common], "or")


def is_terminal() -> bool:
    """Return whether standard input is a terminal, for questions."""
    return sys.stdin is not None and sys.stdin.isatty()


def _ask(draft: "Draft", column: "DraftedColumn") -> "Part | None":
    """Return the answer for one column; None to take the proposals for this column and the rest."""
    while True:
        try:
            word = typer.prompt("  a, k, d or r", default=column.part[0], err=True).strip().casefold()[:1]
        except typer.Abort:  # Ctrl-C, or end of input
            raise KeyboardInterrupt from None
        if word == "r":
            return None
        part = _ANSWERS.get(word)
        why = draft.no_attribute(column.name) if part == "attribute" else None
        if part is not None and why is None:
            return part
        console(stderr=True).print("  a, k, d or r?" if why is None else f"  it cannot be an attribute: {why}")


def print_draft(draft: "Draft", to: Console) -> None:
    """Print the proposed part of each column, and its reason."""
    table = draft.table
    form = "" if table.delimiter is None else f", {table.encoding}, {_DELIMITERS[table.delimiter]} between values"
    facts = {"name": table.name, "rows": table.rows, "columns": len(table.columns), "form": form}
    to.print(sentence("commands.table", facts))
    rows = (
        (shown(one.name), one.kind, f"{one.part}?" if one.doubtful else one.part, one.reason) for one in draft.columns
    )
    print_rows(("column", "taken for", "part", "reason"), rows, to, left=4)
