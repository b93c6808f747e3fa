"""What a folder of results claims: its documents, and whether its files have the digests of the manifest."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedeid.errors import GamedeidError
from gamedeid.reprs import frozen
from gamedeid.results.manifest import MANIFEST, SIGNATURE
from gamedeid.results.stored import CONTENT, SUMMARY, StoredResults, parse_json
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.findings import Notebook


@frozen(eq=False)
class Claims:
    """A folder and its documents.

    Parameters
    ----------
    stored : the folder with its manifest.
    summary : the content of ``summary.json``; empty where it cannot be read.
    report : that of ``report.json``; empty where there is none.
    scenario : the scenario of the manifest; None where that is no valid one.
    """

    stored: StoredResults
    summary: Mapping[str, Any]
    report: Mapping[str, Any]
    scenario: Scenario | None


def read_claims(folder: Path, notes: Notebook) -> Claims:
    """Read what a folder claims, and compare its files with the digests of its manifest.

    Raises
    ------
    OutputError : it is no folder of results.
    """
    stored = StoredResults.read(folder)
    for name, says in stored.changes():
        notes.find(name, says)
    for path in sorted(folder.iterdir()):
        if path.name not in stored.outputs and path.name not in {MANIFEST, SIGNATURE}:
            notes.find(path.name, f"is there, and {MANIFEST} does not name it")
    notes.did(f"the digests of {len(stored.outputs)} output files")
    summary, report = (_document(stored, name, notes) for name in (SUMMARY, CONTENT))
    return Claims(stored=stored, summary=summary, report=report, scenario=_scenario(stored, notes))


def _document(stored: StoredResults, name: str, notes: Notebook) -> Mapping[str, Any]:
    if name not in stored.outputs:
        return {}
    try:
        content = stored.content(name)
    except (OSError, GamedeidError):
        return {}  # one of its changes
    try:
        found = parse_json(content, stored.folder / name)
    except GamedeidError:
        found = None
    if not isinstance(found, dict):
        notes.find(name, "is not JSON as gamedeid writes it")
        return {}
    return found


def _scenario(stored: StoredResults, notes: Notebook) -> Scenario | None:
    """Return the scenario of a manifest; None where it has none, as that of simulated attacks."""
    content = stored.question
    if not stored.is_run:
        content = {key: value for key, value in stored.manifest["scenario"].items() if key in Scenario.model_fields}
        if "payoffs" not in content:
            notes.skip("the inputs", f"{MANIFEST} holds no scenario, which would say where they are")
            return None
    try:
        return Scenario.parse(content, where=f"{MANIFEST}, scenario")
    except GamedeidError as error:
        notes.find(MANIFEST, f"its scenario is none: {error}")
        return None
