"""The command ``gamedeid init``: draft a scenario and its hierarchies from a file."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamedeid.cli.options import Json, print_json

if TYPE_CHECKING:
    from gamedeid.intake.drafting.draft import Draft, DraftFacts
    from gamedeid.intake.drafting.parts import Part


def init(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="A file of CSV, Parquet, SAS, SPSS, Stata or Excel, or a folder of Parquet files."
        ),
    ],
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
        bool, typer.Option("--yes", "-y", metavar="", help="Ask nothing, and take every proposal as it is.")
    ] = False,
    attribute: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Make a column an attribute. May be repeated.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Release a column as it is. May be repeated.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Leave a column out. May be repeated.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column whose equal values are rows of one person.")
    ] = None,
    rare: Annotated[
        int, typer.Option(metavar="ROWS", min=1, help="Values of fewer rows than this are written nowhere.")
    ] = 5,
    year: Annotated[
        int | None, typer.Option(metavar="YEAR", min=1900, max=2200, help="Year of the release (default: this year).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Look at a file, and draft the scenario and the hierarchies by which it could be released.

    Asks about columns in doubt, on a terminal; --yes takes the proposals, which is to drop them. Writes scenario.toml
    and a file for each hierarchy into -o DIR; without -o nothing is written.
    """
    from gamedeid.catalogue import sentence
    from gamedeid.cli.draft_questions import answered, print_draft
    from gamedeid.cli.next_steps import command_line, run_of_draft
    from gamedeid.intake.drafting.draft import draft_scenario
    from gamedeid.intake.drafting.scenario_text import ENOUGH_ALIKE
    from gamedeid.report.terminal.console import console

    parts = _parts(attribute, keep, drop, [person] if person is not None else [])
    draft = draft_scenario(data, population, year=year or datetime.now(UTC).year, rare=rare, parts=parts, redcap=redcap)
    asked = len(draft.questions)
    if output is not None and not yes:
        draft = answered(draft)
    written = draft.write(output) if output is not None else None
    if as_json:
        print_json(_facts(draft, asked, written))
        return
    to = console()
    if not (to.is_terminal and asked and written is not None and not yes):  # else it stands above the questions
        print_draft(draft, to)
    if written is None:
        to.print(sentence("commands.not_written", {"asked": asked}))
    else:
        has_population = population is not None
        to.print(sentence("commands.drafted", {"folder": written.parent, "file": written.name}))
        words = run_of_draft(written, "RELEASE", has_population=has_population)
        to.print(
            command_line(*words), soft_wrap=True
        )  # one line, however narrow the terminal, so that it can be copied
        to.print(sentence("commands.why", {"has_population": has_population, "alike": ENOUGH_ALIKE}))


def _parts(
    attribute: list[str] | None, keep: list[str] | None, drop: list[str] | None, person: list[str]
) -> "dict[str, Part]":
    """Return the parts that options decide."""
    from gamedeid.errors import InvalidScenarioError, quoted

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
