"""The inputs of results: the question, the version, and a digest of every file that went in or came out."""

import json
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from gamedeid._version import __version__
from gamedeid.file_identity import Inputs
from gamedeid.reprs import frozen
from gamedeid.results.result import Count, Digest, FilePath, Result, Text

MANIFEST = "manifest.json"

SIGNATURE = f"{MANIFEST}.sig"
"""The signature of the manifest: the one file of results that it cannot name."""

RUN_KEYS = ("game", "solver", "defuse", "keep_order", "applies")
"""Keys that a run writes beside those of the scenario: what was asked of it."""


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
    "groups-unused",
]
"""The subject of a warning, in the order in which warnings are listed."""


@frozen
class ResultWarning(Result):
    """Something that the reader of results has to judge before trusting them.

    Parameters
    ----------
    kind : what it is about.
    says : one sentence or two; names of released columns may stand in it, and no value.
    """

    kind: WarningKind
    says: Text


@frozen
class InputFile(Result):
    """A file that results were made from: where it is, as the scenario writes it, and its digest."""

    path: FilePath
    sha256: Digest


@frozen
class Signer(Result):
    """The signer of a folder of results, and the date, as the signer states them: the signature shows the key only.

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
    gamedeid : the version.
    scenario : the question as resolved, whatever was asked.
    overridden : keys of the scenario that were changed for this run.
    inputs : the files by name.
    outputs : file name -> SHA-256 in hex.
    warnings : what the reader of the results is warned of.
    seed : of the random numbers; None where there are none.
    signed : who signs the folder, and when; None where no signer is named.
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
    """Return what ``manifest.json`` says; the same inputs give the same bytes, wherever they lie.

    Parameters
    ----------
    inputs : the files. A file is shown as the scenario writes it, and by its bare name where the scenario does not
        speak of it, so that no folder of this computer gets in.
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
    """Return ``content`` as indented JSON that ends in a line break; numbers that are none are refused."""
    return json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def is_document(name: str) -> bool:
    """Return whether an output is a document that people fill in, by its suffix: results have no others of these."""
    return name.lower().endswith((".md", ".docx"))


def foreign_content(folder: Path) -> str | None:
    """Return what tells that a folder is not just one run's results, to follow "it"; None if it is just that.

    It is, when its ``manifest.json`` is one of ours and everything else in it is a file that the manifest names,
    or the manifest's signature. The files need not be all there, nor unchanged. A document that people fill in cannot
    be made again, so a folder that holds one is not just a run's results.
    """
    modes = {path.name: path.lstat().st_mode for path in sorted(folder.iterdir())}
    if not stat.S_ISREG(modes.get(MANIFEST, 0)):
        return f"has no {MANIFEST} of gamedeid"
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
    except (ValueError, RecursionError):
        content = None
    if not (isinstance(content, dict) and "gamedeid" in content and isinstance(content.get("outputs"), dict)):
        return f"has no {MANIFEST} of gamedeid"
    for name, mode in modes.items():
        if name != MANIFEST and not (name in {*content["outputs"], SIGNATURE} and stat.S_ISREG(mode)):
            return f"holds {name}, which its {MANIFEST} does not name"
        if is_document(name):
            return f"holds {name}, a document that people fill in"
    return None


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
