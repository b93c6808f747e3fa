"""What a folder of results claims: its manifest, its summary, and whether its files have the digests stated there."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gamedeid.choices import AWARE_GAMES, GAMES
from gamedeid.errors import GamedeidError, OutputError, quoted
from gamedeid.file_identity import digest_file
from gamedeid.reprs import frozen
from gamedeid.results.manifest import ASKED, MANIFEST, SIGNATURE
from gamedeid.results.regular import read_regular, refuse_irregular
from gamedeid.scenario.scenario import Scenario
from gamedeid.verification.findings import Notebook

SUMMARY, CONTENT, REPORT, GRID = "summary.json", "report.json", "report.html", "sensitivity.csv"
RELEASE, STRATEGIES = "release", "strategies"

PROVING = ("exact", "backward-induction")
"""Solvers that promise the best strategies."""


@frozen(eq=False)
class Claims:
    """What a folder says of itself.

    Parameters
    ----------
    folder : where it is.
    manifest : the content of ``manifest.json``.
    summary : that of ``summary.json``; empty where it cannot be read.
    report : that of ``report.json``; empty where there is none.
    scenario : the scenario of the manifest; None where it says nothing that one can say.
    """

    folder: Path
    manifest: Mapping[str, Any]
    summary: Mapping[str, Any]
    report: Mapping[str, Any]
    scenario: Scenario | None

    @property
    def outputs(self) -> Mapping[str, str]:
        """Return file -> digest, as the manifest has them."""
        named: Mapping[str, str] = self.manifest["outputs"]
        return named

    @property
    def inputs(self) -> Mapping[str, Any]:
        """Return name of an input -> its ``path`` and ``sha256``, as the manifest has them."""
        named: Mapping[str, Any] = self.manifest["inputs"]
        return named

    @property
    def game(self) -> str:
        """Return which game or policy it is of."""
        return str(self.manifest["scenario"].get("game"))

    @property
    def is_game(self) -> bool:
        """Return whether it is of a game, and not of a policy as it is."""
        return self.game in GAMES or self.knows_mechanism

    @property
    def knows_mechanism(self) -> bool:
        """Return whether the game is one against an adversary who knows the mechanism."""
        return self.game in AWARE_GAMES

    @property
    def is_proved(self) -> bool:
        """Return whether the strategies are said to be the best, by the solver that found them."""
        return self.is_game and self.manifest["scenario"].get("solver") in PROVING

    @property
    def defused(self) -> bool:
        """Return whether cells that a spreadsheet takes for formulas were written so that it does not."""
        return self.manifest["scenario"].get("defuse") is True

    @property
    def shuffle(self) -> int | None:
        """Return the seed by which the rows of the release were shuffled; None where they were not."""
        seed = self.manifest["scenario"].get("shuffle")
        return seed if isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 else None

    @property
    def is_run(self) -> bool:
        """Return whether the folder is one of a run: it has strategies."""
        return bool(self.parts(STRATEGIES))

    def parts(self, stem: str) -> list[str]:
        """Return the files of a table, in order: one, or the numbered parts of a long one."""
        return _parts(self.outputs, stem)


def read_claims(folder: Path, notes: Notebook) -> Claims:
    """Read what a folder claims, and compare its files with the digests of its manifest.

    Raises
    ------
    OutputError : it is no folder of results.
    """
    manifest = _read_manifest(folder)
    _compare_outputs(folder, manifest["outputs"], notes)
    documents = {name: _document(folder, name, manifest["outputs"], notes) for name in (SUMMARY, CONTENT)}
    return Claims(
        folder=folder,
        manifest=manifest,
        summary=documents[SUMMARY],
        report=documents[CONTENT],
        scenario=_scenario(manifest, notes),
    )


def _read_manifest(folder: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(read_regular(folder / MANIFEST))
    except FileNotFoundError:
        why = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        raise OutputError(f"{folder} holds no results of gamedeid: {why}") from None
    except (ValueError, RecursionError):
        found = None
    sections = {"scenario": dict, "inputs": dict, "outputs": dict, "overridden": list, "gamedeid": str}
    if not isinstance(found, dict) or any(not isinstance(found.get(key), kind) for key, kind in sections.items()):
        raise OutputError(f"{folder} holds no results of gamedeid: its {MANIFEST} is not as gamedeid writes it")
    if not all(isinstance(one, str) for one in found["outputs"].values()) or not all(
        isinstance(one, dict) and isinstance(one.get("sha256"), str) and isinstance(one.get("path"), str)
        for one in found["inputs"].values()
    ):
        raise OutputError(f"{folder} holds no results of gamedeid: its {MANIFEST} is not as gamedeid writes it")
    return found


def _compare_outputs(folder: Path, outputs: Mapping[str, str], notes: Notebook) -> None:
    for name, digest in outputs.items():
        if Path(name).name != name:
            notes.find(MANIFEST, f"names {quoted(name)}, which is no file of this folder")
            continue
        try:
            found = digest_file(folder / name) if refuse_irregular(folder / name) else None
        except GamedeidError:
            notes.find(name, "is no regular file that can be read")
            continue
        if found is None:
            notes.find(name, f"is named in {MANIFEST}, and is not there")
        elif found != digest:
            notes.find(name, f"has another digest than {MANIFEST} states: expected {digest}, found {found}")
    for path in sorted(folder.iterdir()):
        if path.name not in outputs and path.name not in {MANIFEST, SIGNATURE}:
            notes.find(path.name, f"is there, and {MANIFEST} does not name it")
    notes.did(f"the digests of {len(outputs)} output files")


def _document(folder: Path, name: str, outputs: Mapping[str, str], notes: Notebook) -> Mapping[str, Any]:
    if name not in outputs:
        return {}
    try:
        found = json.loads(read_regular(folder / name))
    except (OSError, GamedeidError):
        return {}  # said already
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        notes.find(name, "is not JSON as gamedeid writes it")
        return {}
    return found


def _scenario(manifest: Mapping[str, Any], notes: Notebook) -> Scenario | None:
    """Return the scenario of a manifest; None where it has none, as that of simulated attacks."""
    asked, is_run = manifest["scenario"], bool(_parts(manifest["outputs"], STRATEGIES))
    content = {
        key: value for key, value in asked.items() if (key not in ASKED if is_run else key in Scenario.model_fields)
    }
    if not is_run and "payoffs" not in content:
        notes.skip("the inputs", f"{MANIFEST} holds no scenario, which would say where they are")
        return None
    try:
        return Scenario.parse(content, where=f"{MANIFEST}, scenario")
    except GamedeidError as error:
        notes.find(MANIFEST, f"its scenario is none: {error}")
        return None


def _parts(outputs: Iterable[str], stem: str) -> list[str]:
    return sorted(
        name for name in outputs if name.startswith((f"{stem}.", f"{stem}-")) and name.endswith((".csv", ".parquet"))
    )
