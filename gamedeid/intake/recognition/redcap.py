"""Declarations of columns by the data dictionary of a REDCap project."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

from gamedeid.data.files.streams import detect_encoding
from gamedeid.data.files.tables import TableFile
from gamedeid.errors import InvalidDataError
from gamedeid.intake.recognition.observed import Declared, DeclaredColumn

_KEYS = {
    "name": ("Variable / Field Name", "field_name"),
    "form": ("Form Name", "form_name"),
    "type": ("Field Type", "field_type"),
    "label": ("Field Label", "field_label"),
    "choices": ("Choices, Calculations, OR Slider Labels", "select_choices_or_calculations"),
    "validation": ("Text Validation Type OR Show Slider Number", "text_validation_type_or_show_slider_number"),
    "identifier": ("Identifier?", "identifier"),
}
"""Key -> its columns in a dictionary: as downloaded, and as the API of REDCap has it."""

_NEEDED = ("name", "type")
_ANSWERS: Mapping[str, Mapping[str, str]] = {
    "yesno": {"1": "Yes", "0": "No"},
    "truefalse": {"1": "True", "0": "False"},
}
_CHECKED = {"1": "Checked", "0": "Unchecked"}
_KINDS: Mapping[str, Declared] = {
    "radio": "codes",
    "dropdown": "codes",
    "checkbox": "codes",
    "yesno": "codes",
    "truefalse": "codes",
    "notes": "free text",
    "slider": "number",
}
"""Type of a field -> the type of its values; for a text its validation decides."""

_VALIDATED: Mapping[Declared, tuple[str, ...]] = {
    "date": ("date",),
    "number": ("integer", "number"),
    "ZIP code": ("zipcode",),
    "identifier": ("phone", "email", "ssn", "mrn", "vmrn"),
}
"""Type of the values that a validation permits -> start of its name; other validations, such as times, say nothing."""

_TAG = re.compile(r"<[^>]*>")
_SAYS = "its data dictionary"


def redcap_columns(path: str | PathLike[str]) -> dict[str, DeclaredColumn]:
    """Return column of an export -> its entry in the data dictionary.

    Checkboxes have a column for each choice, ``race___1``; forms have a column that says whether they are complete.
    Descriptive texts have none.
    """
    rows = _rows(Path(path))
    declared: dict[str, DeclaredColumn] = {}
    for place, row in enumerate(rows):
        declared.update(_columns(row, is_key=place == 0))
    for form in dict.fromkeys(row["form"] for row in rows if row["form"]):
        declared[f"{form}_complete"] = DeclaredColumn(
            because=f"{_SAYS} has the form", left_out="it says whether a form is complete"
        )
    return declared


def _rows(path: Path) -> list[dict[str, str]]:
    """Return the fields of a dictionary, in order."""
    file = TableFile.open(path, encoding=detect_encoding(path))
    columns = {key: next((name for name in names if name in file.names), None) for key, names in _KEYS.items()}
    if absent := [_KEYS[key][0] for key in _NEEDED if columns[key] is None]:
        raise InvalidDataError(
            f"{path}: is no data dictionary of REDCap: its first row has no column `{absent[0]}`; download it in "
            "REDCap, Project Setup, Data Dictionary"
        )
    rows = file.read([name for name in columns.values() if name is not None]).to_pylist()
    fields = [{key: "" if name is None else row[name].strip() for key, name in columns.items()} for row in rows]
    return [field for field in fields if field["name"]]


def _columns(row: Mapping[str, str], *, is_key: bool) -> Iterator[tuple[str, DeclaredColumn]]:
    """Yield the columns of one field, with their declarations."""
    of_type, label = row["type"].casefold(), " ".join(_TAG.sub(" ", row["label"]).split())
    if of_type == "descriptive":
        return
    marked = row["identifier"].casefold() in {"y", "yes", "1"}
    left_out = f"{_SAYS} marks it as an identifier" if marked else ""
    if of_type == "file":
        left_out = f"{_SAYS} says that it is a file"
    kind: Declared = "key" if is_key else _KINDS.get(of_type, "")
    day_first = None
    if of_type == "text" and not is_key:
        validation = row["validation"].casefold()
        kind = next((kind for kind, begins in _VALIDATED.items() if validation.startswith(begins)), "")
        day_first = next((first for order, first in (("_dmy", True), ("_mdy", False)) if order in validation), None)
    chosen = _choices(row["choices"]) if _KINDS.get(of_type) == "codes" else {}
    labels = _ANSWERS.get(of_type, chosen)
    because = f"{_SAYS} says so"
    column = DeclaredColumn(
        label=label, value_labels=labels, kind=kind, because=because, left_out=left_out, day_first=day_first
    )
    if of_type != "checkbox":
        yield row["name"], column
        return
    for code, choice in labels.items():
        name = f"{row['name']}___{code.casefold().replace('-', '_')}"
        of_choice = f"{label}: {choice}" if label else choice
        yield name, replace(column, label=of_choice, value_labels=_CHECKED, kind="codes")


def _choices(text: str) -> dict[str, str]:
    """Return code -> label of ``1, Male | 2, Female``."""
    pairs = (choice.partition(",") for choice in text.split("|"))
    return {code.strip(): " ".join(_TAG.sub(" ", label).split()) for code, _, label in pairs if code.strip()}
