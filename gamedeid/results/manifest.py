"""The inputs of results: the question, the version, and a digest of every input and output file."""

import json
import stat
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from gamedeid._version import __version__
from gamedeid.errors import OutputError
from gamedeid.file_identity import Inputs, digest_path
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Digest, FilePath, Result, Text

MANIFEST = "manifest.json"

SIGNATURE = f"{MANIFEST}.sig"
"""The signature of the manifest: the one file that the manifest cannot name."""

RUN_KEYS = ("game", "solver", "defuse", "keep_order", "applies", "one_person")
"""Keys that a run adds to those of the scenario: its options."""


WarningKind: TypeAlias = Literal[
    "accepted-identifier",
    "identifier",
    "not-searched",
    "kept-column",
    "kept-order",
    "rows-as-people",
    "unmatched",
    "unmatched-by-recipient",
    "estimate",
    "missing-shown",
    "unlisted",
    "groups-unused",
    "telling-choice",
]
"""The subject of a warning, in the order of lists of warnings."""


@frozen
class ResultWarning(Result):
    """A warning that the reader of results must judge before trusting them.

    Parameters
    ----------
    kind : the subject.
    says : one or two sentences, with names of released columns at most, and no value.
    """

    kind: WarningKind
    says: Text


@frozen
class InputFile(Result):
    """An input file of results: its path, as written in the scenario, and its digest."""

    path: FilePath
    sha256: Digest


@frozen
class Signer(Result):
    """The signer of a folder of results, and the date, as stated by the signer: the signature proves the key only.

    Parameters
    ----------
    by : name.
    on : date, year-month-day.
    """

    by: Text
    on: Text


@frozen
class Manifest(Result):
    """The inputs of results: the content of ``manifest.json`` of any folder of results.

    Parameters
    ----------
    gamedeid : the version of gamedeid.
    scenario : the resolved question, of any kind.
    overridden : keys of the scenario that were changed for this run.
    inputs : the files by name.
    outputs : file name -> SHA-256 in hex.
    warnings : the warnings for the reader of the results.
    seed : seed of the random numbers; None if there are none.
    signed : the signer of the folder and the date; None if no signer is named.
    """

    document = "manifest"
    keys: ClassVar = ("gamedeid", "scenario", "overridden", "inputs", "outputs", "warnings", "seed", "signed?")

    gamedeid: Text
    scenario: Mapping[str, Any]
    overridden: tuple[Text, ...]
    inputs: Mapping[str, InputFile]
    outputs: Mapping[str, Digest]
    warnings: tuple[ResultWarning, ...]
    seed: Count | None
    signed: Signer | None = None


def manifest(
    *,
    scenario: Mapping[str, Any],
    inputs: Inputs,
    outputs: Mapping[str, str],
    overridden: Sequence[str] = (),
    warnings: Sequence[ResultWarning] = (),
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the content of ``manifest.json``; the same inputs give the same bytes in any folder.

    Parameters
    ----------
    inputs : the files. A file is listed by its path in the scenario, or by its bare name if the scenario does not
        name it, so that no folder of this computer is included.
    outputs : file name -> SHA-256 in hex; listed by name.
    """
    digests = inputs.digests
    inputs.check()
    return Manifest(
        gamedeid=__version__,
        scenario=scenario,
        overridden=tuple(overridden),
        inputs={
            name: InputFile(path=_as_written(scenario, name) or file.path.name, sha256=digests[name])
            for name, file in inputs.files.items()
        },
        outputs=dict(sorted(outputs.items())),
        warnings=tuple(warnings),
        seed=seed,
    ).as_dict()


def json_text(content: Any) -> str:
    """Return ``content`` as indented JSON that ends in a line break; NaN and infinities are refused."""
    return json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def release_digest(path: Path) -> str:
    """Return the SHA-256, in hex, of a manifest as the run wrote it: without signer and documents that were added.

    Neither changes what was released. Of a file that is no manifest it is the SHA-256 of the file.
    """
    digest, outputs = digest_path(path), _named_outputs(path.parent)
    if outputs is None:
        return digest
    stated = json.loads(path.read_bytes())
    of_run = {name: one for name, one in outputs.items() if not is_document(name)}
    as_first_written = {key: value for key, value in stated.items() if key != "signed"} | {"outputs": of_run}
    try:
        return digest if as_first_written == stated else sha256(json_text(as_first_written).encode()).hexdigest()
    except ValueError:  # not as gamedeid writes it
        return digest


def is_document(name: str) -> bool:
    """Return whether an output is a document for people to fill in, by its suffix, which no other output has."""
    return name.lower().endswith((".md", ".docx"))


def foreign_content(folder: Path) -> str | None:
    """Return why a folder holds more than one run's results, as words after "it"; None if it does not.

    A folder holds one run's results if its ``manifest.json`` is gamedeid's, and every other file is named in the
    manifest or is its signature. Files may be missing or changed. A document that people fill in cannot be made again,
    so a folder with such a document holds more.
    """
    modes = {path.name: path.lstat().st_mode for path in sorted(folder.iterdir())}
    outputs = _named_outputs(folder)
    if outputs is None:
        return f"has no {MANIFEST} of gamedeid"
    for name, mode in modes.items():
        if name != MANIFEST and not (name in {*outputs, SIGNATURE} and stat.S_ISREG(mode)):
            return f"holds {name}, which its {MANIFEST} does not name"
        if is_document(name):
            return f"holds {name}, a document that people fill in"
    return None


def refuse_results_folder(file: Path, shown: Path) -> None:
    """Refuse to write a file into a folder of results, whose manifest does not name it."""
    if _named_outputs(file.parent) is not None:
        raise OutputError(
            f"{shown} is not written into {shown.parent}, because {MANIFEST} does not name it; write it elsewhere"
        )


def _named_outputs(folder: Path) -> Mapping[str, Any] | None:
    """Return the files that the manifest of a folder of results names; None if it has no manifest of gamedeid."""
    try:
        if not stat.S_ISREG((folder / MANIFEST).lstat().st_mode):
            return None
        content = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    named = content.get("outputs") if isinstance(content, dict) and "gamedeid" in content else None
    return named if isinstance(named, dict) else None


def _as_written(scenario: Mapping[str, Any], name: str) -> str | None:
    kind, _, attribute = name.partition(" ")
    keys = {
        "records": ("records", "path"),
        "population": ("population", "path"),
        "hierarchy": ("attributes", attribute, "hierarchy"),
        "zip": ("policy", "safe-harbor", "zip_populations"),
    }.get(kind, ())
    found: Any = scenario
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else None
