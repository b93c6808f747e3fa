"""The text of a drafted scenario, each line with the reason for it, and that of its hierarchy files."""

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from gamedeid.amounts import number_of
from gamedeid.choices import GAME_PROMISES
from gamedeid.data.files.streams import UTF_8
from gamedeid.errors import one_line, shown
from gamedeid.intake.drafting.levels import DraftedHierarchy
from gamedeid.intake.drafting.parts import DraftedColumn, Part
from gamedeid.intake.recognition.observed import ObservedTable
from gamedeid.reprs import frozen
from gamedeid.scenario.sections import CASE_STUDY, UNSOURCED
from gamedeid.scenario.toml import toml_key, toml_value

_NOT_SOURCED = f"{UNSOURCED}: the figure of a published case study (Wan et al., 2015), to be replaced"
_LONGEST_NAME = 40
_WIDTH = 110  # approximate characters of a line of comment

SCENARIO_FILE = "scenario.toml"
"""File name of the scenario of a draft."""

SAFE_GROUP_SIZE = -(-CASE_STUDY["loss"] // CASE_STUDY["cost"])
"""People who must be alike for no attack to pay, with the stakes of a draft."""


@frozen
class DraftedPopulation:
    """The population of a drafted scenario.

    Parameters
    ----------
    count : the column with the number of people of each row; None where each row is one.
    drop : columns that are neither attributes nor the count.
    absent : a sentence on the rows of records with values that it lacks; empty for none.
    """

    table: ObservedTable = field(repr=False)
    count: str | None
    drop: Sequence[str]
    absent: str = ""


@frozen
class DraftedScenario:
    """The content of a drafted scenario.

    Parameters
    ----------
    columns : of the file, in its order, each with its part.
    hierarchies : attribute -> its hierarchy.
    missing_values : values that mean a missing one in some attribute.
    persons : the number of people of the records by a key.
    value_labels : column that is released -> code -> its label.
    people : the population; None where the records are their own.
    """

    table: ObservedTable = field(repr=False)
    columns: Sequence[DraftedColumn]
    hierarchies: Mapping[str, DraftedHierarchy]
    missing_values: Sequence[str] = field(repr=False)
    empty: int
    year: int
    persons: int
    value_labels: Mapping[str, Mapping[str, str]]
    people: DraftedPopulation | None = None

    def of(self, part: Part) -> list[DraftedColumn]:
        """Return the columns of a part; those of ``person`` are none or one."""
        return [column for column in self.columns if column.part == part]


def game_of_draft(*, population: bool, person: bool) -> str:
    """Return the game that no attack pays in if the recipient knows the method; no-attack if that cannot be played.

    Parameters
    ----------
    population, person : whether the scenario names a population, and a key of people with several rows.
    """
    return "no-attack" if population and person else "aware-no-attack"


def hierarchy_files(section: DraftedScenario) -> dict[str, str]:
    """Return the name of each attribute's hierarchy file, of small letters and digits -> its text."""
    files: dict[str, str] = {}
    for line in section.of("attribute"):
        drafted = section.hierarchies[line.name]
        stem = re.sub(r"[^A-Za-z0-9]+", "_", line.name).strip("_").lower()[:_LONGEST_NAME] or "attribute"
        name, number = f"{stem}.toml", 2
        while name in files or name == SCENARIO_FILE:
            name, number = f"{stem}_{number}.toml", number + 1
        about = [f"Hierarchy of the column {shown(line.name)}: {drafted.words}. Check that its levels mean something."]
        files[name] = hierarchy_text(drafted.description, about)
    return files


def scenario_text(section: DraftedScenario, files: Iterable[str], folder: Path) -> str:
    """Return the text of a drafted scenario; the files are the hierarchies of its attributes, in their order."""
    attributes = zip(section.of("attribute"), files, strict=True)
    parts = [
        _head(section),
        _records(section, folder),
        _own_population(section) if section.people is None else _population(section.people, folder),
        *(_attribute(line, file, section.hierarchies[line.name]) for line, file in attributes),
        _policy(section),
        _stakes(),
    ]
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _head(section: DraftedScenario) -> list[str]:
    table = section.table
    columns = number_of(len(table.columns), "column")
    game = game_of_draft(population=section.people is not None, person=bool(section.of("person")))
    return [
        *comment(
            f"Drafted by gamedeid init from {shown(table.name)}: {number_of(table.rows, 'row')}, {columns}. "
            "Read it before you release anything: the draft follows from names and values alone, without "
            "knowledge of the recipient or the people."
        ),
        "",
        f"title = {toml_value(f'Draft for {shown(table.path.stem if table.path else table.name)}')}",
        *comment(" ".join(["Decide on the game.", *(f"{name}: {means}." for name, means in GAME_PROMISES.items())])),
        f"game = {toml_value(game)}",
    ]


def _records(section: DraftedScenario, folder: Path) -> list[str]:
    table = section.table
    lines = ["[records]", *_place(table, folder, "records")]
    for key in section.of("person"):
        about = f"{shown(key.name)}: {key.reason}. Its rows get one strategy; a pseudonym leaves."
        lines += [*comment(about), f"person = {toml_value(key.name)}"]
    lines += _listed("drop", "Columns that must not leave.", section.of("drop"))
    lines += _listed(
        "keep", "Columns that are released as they are; the game does not protect them.", section.of("keep")
    )
    if section.empty or section.missing_values:
        why = f"Attributes have no value in {number_of(section.empty, 'place')}: these are released as *."
        lines += [*comment(why), 'missing = "suppress"']
    if section.missing_values:
        why = "These stand for a missing value in attributes; of columns that are kept they are released as they are."
        lines += [*comment(why), f"missing_values = {toml_value(section.missing_values)}"]
    if section.value_labels:
        why = "Meanings of codes, by the file's own labels or its data dictionary: the release holds the codes."
        lines += ["", *comment(why), "[records.value_labels]"]
        for name, labels in section.value_labels.items():
            pairs = ", ".join(f"{toml_key(code)} = {toml_value(label)}" for code, label in labels.items())
            lines.append(f"{toml_key(name)} = {{ {pairs} }}")
    return lines


def _place(table: ObservedTable, folder: Path, argument: str) -> list[str]:
    """Return the lines with the path of a table; a data frame has none, and is an argument of a call."""
    if table.path is None:
        return list(comment(f"A data frame, for gamedeid.solve(..., {argument}=frame); a file has a path here."))
    lines = [f"path = {toml_value(_path_from(folder, table.path))}"]
    if table.encoding != UTF_8:
        why = "It is not UTF-8" if table.encoding in {"cp1252", "latin-1"} else "Its byte order mark says so"
        lines += [*comment(f"{why}; check that letters with accents are right."), f'encoding = "{table.encoding}"']
    return lines


def _own_population(section: DraftedScenario) -> list[str]:
    """Return the comments for a question without a population, and the warning that few people are never safe."""
    few = f", and here are {section.persons} in all: every record is withheld"
    return list(
        comment(
            "No [population]: the records are their own, as if the recipient knew who is in them. That is careful. "
            f"With the stakes below no attack pays where {SAFE_GROUP_SIZE} people are alike"
            f"{few if section.persons < SAFE_GROUP_SIZE else ''}. A table of the people among whom the recipient would "
            "look (its population) releases more."
        )
    )


def _population(people: DraftedPopulation, folder: Path) -> list[str]:
    lines = ["[population]", *_place(people.table, folder, "population")]
    if people.count is None:
        why = "No column has the number of people of each row: each row is one person. If one does, name it as count."
        lines += [*comment(why)]
    else:
        why = f"{shown(people.count)}: its name is that of a number of people, and its values are whole numbers."
        lines += [*comment(why), f"count = {toml_value(people.count)}"]
    if people.drop:
        lines += [
            *comment("Columns that are no attributes of the records are not looked at."),
            f"drop = {toml_value(people.drop)}",
        ]
    why = (
        'A record that matches no one here counts as one of a kind, which is the careful choice. "error" refuses such '
        f'records; "safe" says that no one can find them. {people.absent}'
    )
    return [*lines, *comment(why.strip()), 'unmatched = "unique"']


def _listed(key: str, about: str, columns: Sequence[DraftedColumn]) -> list[str]:
    if not columns:
        return [f"{key} = []"]
    lines = [*comment(about), f"{key} = ["]
    for line in columns:
        lines += [
            *(f"  {text}" for text in comment(f"{shown(line.name)}: {line.reason}.")),
            f"  {toml_value(line.name)},",
        ]
    return [*lines, "]"]


def _attribute(line: DraftedColumn, file: str, drafted: DraftedHierarchy) -> list[str]:
    return [
        *comment(f"{shown(line.name)}: {line.reason}. Levels: {drafted.words}."),
        f"[attributes.{toml_key(line.name)}]",
        f"hierarchy = {toml_value(file)}",
        *([] if drafted.safe_harbor is None else [f"safe_harbor = {drafted.safe_harbor}"]),
        "# weight = 1.0",
    ]


def _policy(section: DraftedScenario) -> list[str]:
    return [
        *comment("The year of the release: Safe Harbor counts from it which years show an age of 90 or over."),
        "[policy.safe-harbor]",
        f"year = {section.year}",
    ]


def _stakes() -> list[str]:
    return [
        *comment(
            "These stakes are not yours. They are the figures of a published case study (Wan et al., 2015: grant "
            "money per record, fines per record in breaches, the price of a report by a broker), dollars per record, "
            "to begin with. Replace them, say where yours come from, and run with others to see how the answer moves."
        ),
        "[payoffs]",
        *(f"{name} = {value}" for name, value in CASE_STUDY.items()),
        "",
        "[sources]",
        *(f"{name} = {toml_value(_NOT_SOURCED)}" for name in CASE_STUDY),
    ]


def _path_from(folder: Path, path: Path) -> str:
    """Return a path as it is written in a scenario in a folder: relative to it where that is possible."""
    target = os.path.realpath(path)
    try:
        relative = os.path.relpath(target, os.path.realpath(folder))
    except ValueError:  # another drive
        return target
    return Path(relative).as_posix()


def comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment; control characters, which would end it, are spelt out."""
    yield from (f"# {line}" for line in textwrap.wrap(one_line(text), _WIDTH, break_on_hyphens=False))


def hierarchy_text(description: Mapping[str, Any], about: Iterable[str]) -> str:
    """Return the text of a hierarchy file."""
    lines = [line for paragraph in about for line in comment(paragraph)]
    tables: list[str] = []
    for key, value in description.items():
        inside = value if isinstance(value, list) else [value]
        if inside and all(isinstance(one, Mapping) for one in inside):
            head = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
            for one in inside:
                tables += ["", head, *(f"{toml_key(name)} = {toml_value(held)}" for name, held in one.items())]
        elif inside and all(isinstance(one, list) for one in inside):
            lines += [f"{key} = [", *(f"  {toml_value(row)}," for row in value), "]"]
        else:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join([*lines, *tables, ""])
