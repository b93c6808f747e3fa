"""The changes from one finished folder of results to another, such as since the last signature."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError
from rich.console import Console

from gamedeid.amounts import number
from gamedeid.catalogue import FORMS, catalogue, sentences
from gamedeid.errors import OutputError
from gamedeid.extras import require
from gamedeid.report.html.page import changes_page
from gamedeid.report.html.stored import read_stored_results
from gamedeid.report.terminal.console import print_lines, print_rows
from gamedeid.report.words.determination import judged, threshold_row
from gamedeid.report.words.measures import Grid
from gamedeid.report.words.verdict import verdict_of
from gamedeid.reprs import frozen
from gamedeid.results.file import write_file
from gamedeid.results.result import Flag, Number, Result, Text
from gamedeid.results.stored import CONTENT, SUMMARY, StoredResults, is_signed
from gamedeid.risk.thresholds import JudgedThreshold

Kind: TypeAlias = Literal["same", "changed", "added", "removed"]

_SHOWN = ("title", "sources", "payoffs", "floor", "determination", "limits", "game", "solver")
"""Sections of a scenario with every value shown: none holds a value of the data or a dropped column's name."""

_DEEP = ("attributes", "recipients")
"""Sections whose keys are shown below the name of an attribute or recipient."""

_WORDS = ("hierarchy", "role")
"""Keys of attributes with texts that are shown."""

_RISKS = ("k_anonymity", "k_map")

_DAMAGED = (LookupError, TypeError, ValueError, AttributeError)


@frozen
class ChangedKey(Result):
    """A key of the scenario that differs; values are None if hidden or absent."""

    key: Text
    kind: Kind
    old: Any
    new: Any


@frozen
class FolderFacts(Result):
    """The facts of one of the two folders.

    Parameters
    ----------
    title, game, gamedeid : title and game of the run, and the version of gamedeid.
    signed : whether a signature exists; only a public key proves whose it is.
    signer : name and date stated by the signer; "" if no signer is named.
    expert, valid_from, valid_until : facts of the determination; "" if the scenario lacks them.
    data : counts of the data.
    figures : measures of the release.
    thresholds : the scenario's thresholds, and whether the release meets them.
    verdict : the verdict in sentences; empty if another version made the folder, or it has no report.
    """

    title: Text
    game: Text
    gamedeid: Text
    signed: Flag
    signer: Text
    expert: Text
    valid_from: Text
    valid_until: Text
    data: Mapping[str, Number]
    figures: Mapping[str, Number]
    thresholds: tuple[JudgedThreshold, ...]
    verdict: tuple[Text, ...]


@frozen
class ReleaseChanges(Result):
    """The changes between two runs.

    Parameters
    ----------
    old, new : the facts of the folders.
    scenario : the keys that differ.
    inputs : name of an input file -> whether it is the same, by its digest.
    """

    document = "changes"

    old: FolderFacts
    new: FolderFacts
    scenario: tuple[ChangedKey, ...]
    inputs: Mapping[str, Kind]


def release_changes(old: str | PathLike[str], new: str | PathLike[str]) -> ReleaseChanges:
    """Compare two folders of runs: scenario, data, figures, thresholds and validity.

    Parameters
    ----------
    old, new : folders written by ``gamedeid run``, of this version or another. Of releases and strategies the digests
        are checked if they are there.

    Returns
    -------
    the differences, without digests, names of dropped columns or values of the data.

    Raises
    ------
    OutputError : a folder does not hold the unchanged results of a run.
    """
    one, other = StoredResults.read(old), StoredResults.read(new)
    for stored in (one, other):
        stored.refuse_changed_tables()
    before, after = (dict(_keys(stored.manifest["scenario"])) for stored in (one, other))
    keys = [
        ChangedKey(
            key=key, kind=kind, old=_showable_value(key, before.get(key)), new=_showable_value(key, after.get(key))
        )
        for key, kind in _kinds(before, after).items()
        if kind != "same"
    ]
    return ReleaseChanges(
        old=_folder_facts(one),
        new=_folder_facts(other),
        scenario=tuple(keys),
        inputs=_kinds(one.input_digests, other.input_digests),
    )


def _kinds(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Kind]:
    def kind(key: str) -> Kind:
        if key not in old:
            return "added"
        return "removed" if key not in new else "same" if old[key] == new[key] else "changed"

    return {key: kind(key) for key in {**old, **new}}


def _keys(content: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the dotted keys of a scenario with their values, only so deep that no key contains a name from the data."""
    for name, value in content.items():
        path = (*above, str(name))
        most = len(path) + 1 if path[0] in _SHOWN else 3 if path[0] in _DEEP else 2
        if isinstance(value, Mapping) and value and len(path) < most:
            yield from _keys(value, path)
        elif value not in (None, "", [], {}):
            yield ".".join(path), value


def _showable_value(key: str, value: Any) -> Any:
    """Return a value if it may be shown: a number, or a value of a section without hidden values; else None."""
    parts = key.split(".")
    may = parts[0] in _SHOWN or (parts[0] == "attributes" and parts[-1] in _WORDS)
    return value if may or isinstance(value, bool | int | float) else None


def _folder_facts(stored: StoredResults) -> FolderFacts:
    manifest, content, verdict = stored.manifest, {}, []
    if SUMMARY not in stored.outputs:
        raise OutputError(f"{stored.folder} holds no results of a run: its manifest names no {SUMMARY}")
    try:
        if stored.is_of_this_version and CONTENT in stored.outputs and stored.is_game:
            results = read_stored_results(stored)
            summary, content, verdict = results.summary, results.content, verdict_of(results.summary)
        else:
            summary = stored.document(SUMMARY)
            content = stored.document(CONTENT) if CONTENT in stored.outputs else {}
        risks = content["risks"]["release"] if content else {}
        highest = {f"{one}_highest": risks[one]["highest"] or None for one in ("prosecutor", "journalist") if risks}
        figures = {**summary["measures"], **{key: risks.get(key) for key in _RISKS}, **highest}
        asked = manifest["scenario"].get("determination") or {}
        thresholds: tuple[JudgedThreshold, ...] = ()
        with suppress(ValidationError):  # thresholds that another version wrote
            thresholds = judged(summary, content, manifest) if content else ()
        return FolderFacts(
            title=str(manifest["scenario"].get("title", "")),
            game=stored.game,
            gamedeid=manifest["gamedeid"],
            signed=is_signed(stored.folder),
            signer=", ".join(stored.signer.values()),
            expert=str(asked.get("expert") or ""),
            valid_from=str(asked.get("valid_from") or ""),
            valid_until=str(asked.get("valid_until") or ""),
            data=_numbers({**summary["data"], "people": (summary["data"].get("persons") or {}).get("count")}),
            figures=_numbers(figures),
            thresholds=thresholds,
            verdict=tuple(verdict),
        )
    except OutputError:
        raise
    except _DAMAGED:
        raise OutputError(f"{stored.folder}: its files are not as gamedeid wrote them") from None


def _numbers(content: Mapping[str, Any]) -> dict[str, float]:
    return {
        key: value
        for key, value in content.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    }


def change_tables(changes: ReleaseChanges) -> dict[str, Grid]:
    """Return title -> table of the changes: the item, the earlier value and that of now."""
    words, old, new = catalogue("changes"), changes.old, changes.new
    measures, sides = catalogue("measures"), (old, new)

    def texts(name: str, label: str, values: Sequence[Any]) -> tuple[str, ...]:
        form = FORMS[measures[name]["form"]] if name in measures else _text
        return (label, *("none" if value in (None, "") else form(value) for value in values))

    keys = ("title", "game", "expert", "valid_from", "valid_until", "signed", "signer", "gamedeid")
    folders = [texts("", words["folder"][key], [getattr(one, key) for one in sides]) for key in keys]
    scenario = [
        (one.key, *(_value(value, one.kind, side) for side, value in (("old", one.old), ("new", one.new))))
        for one in changes.scenario
    ]
    data = [
        texts("", label, [one.data.get(key) for one in sides])
        for key, label in words["data"].items()
        if key in {**old.data, **new.data}
    ]
    data += [(f"file: {name}", words["kinds"]["file"], words["kinds"][kind]) for name, kind in changes.inputs.items()]
    labels = {**{key: one["name"] for key, one in measures.items()}, **words["risks"]}
    figures = [
        texts(key, label, [one.figures.get(key) for one in sides])
        for key, label in labels.items()
        if key in {**old.figures, **new.figures}
    ]
    sides_by_key = [{(one.name, one.measure): threshold_row(one) for one in side.thresholds} for side in sides]
    thresholds = []
    for key in {**sides_by_key[0], **sides_by_key[1]}:
        rows = [side.get(key) for side in sides_by_key]
        name = next(f"{row[1]} ({row[0]})" for row in rows if row is not None)
        thresholds.append((name, *("not set" if row is None else f"{row[2]}: {row[3]}, {row[4]}" for row in rows)))
    found = {"folder": folders, "thresholds": thresholds, "figures": figures, "data": data, "scenario": scenario}
    return {words["tables"][key]: Grid(tuple(words["columns"]), rows) for key, rows in found.items() if rows}


def change_words(changes: ReleaseChanges) -> list[str]:
    """Return sentences with the numbers of changed keys, files and verdicts on thresholds."""
    before, now = (
        {(one.name, one.measure): one.verdict for one in side.thresholds} for side in (changes.old, changes.new)
    )
    facts = {
        "keys": len(changes.scenario),
        "files": sum(kind != "same" for kind in changes.inputs.values()),
        "persons_then": "people" in changes.old.data,
        "persons_now": "people" in changes.new.data,
        "thresholds": len(now),
        "met": sum(one == "met" for one in now.values()),
        "lost": sum(one == "met" and now.get(key) != "met" for key, one in before.items()),
    }
    return sentences("changes.summary", facts)


def print_changes(changes: ReleaseChanges, to: Console) -> None:
    """Print the changes: sentences, tables, and the first sentence of both verdicts."""
    print_lines(change_words(changes), to)
    for title, table in change_tables(changes).items():
        to.print(title)
        print_rows(*table, to)
    for name, side in zip(catalogue("changes")["columns"][1:], (changes.old, changes.new), strict=True):
        print_lines((f"{name}: {said}" for said in side.verdict[:1]), to)


def write_changes(changes: ReleaseChanges, output: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write the changes as one self-contained page, and return its path.

    Parameters
    ----------
    changes : the changes between two folders.
    output : path of the page.
    overwrite : replace an existing file.

    Raises
    ------
    OutputError : the page cannot be written.
    MissingExtraError : jinja2 is not installed.
    """
    require("report", "a report")
    verdicts = (changes.old.verdict, changes.new.verdict)
    page = changes_page(change_words(changes), change_tables(changes), verdicts, changes.new.title)
    write_file(Path(output), page, overwrite=overwrite)
    return Path(output)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value != round(value):
        return number(value, 4)
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)


def _value(value: Any, kind: Kind, side: str) -> str:
    """Return the text of a value of the scenario; for a hidden value, whether it is set."""
    if kind == {"old": "added", "new": "removed"}[side]:
        return "not set"
    hidden: str = catalogue("changes")["kinds"]["hidden"]
    return hidden if value is None else f"{value:g}" if isinstance(value, float) else str(value)
