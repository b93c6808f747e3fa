"""What results were made from: the question, the version, and a digest of every file that went in or came out."""

import json
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gamedeid._version import __version__
from gamedeid.file_identity import Inputs
from gamedeid.schema_names import KEY, schema_id

MANIFEST = "manifest.json"

SIGNATURE = f"{MANIFEST}.sig"
"""The signature of the manifest: the one file of results that it cannot name."""

ASKED = ("game", "solver", "defuse", "shuffle", "applies")
"""Keys that a run writes beside those of the scenario: what was asked of it."""


def manifest(
    *,
    scenario: Mapping[str, Any],
    inputs: Inputs,
    outputs: Mapping[str, str],
    overridden: Sequence[str] = (),
    warnings: Sequence[Mapping[str, str]] = (),
    seed: int | None = None,
) -> dict[str, Any]:
    """Return what ``manifest.json`` says; the same inputs give the same bytes, wherever they lie.

    Parameters
    ----------
    scenario : the scenario as resolved, in plain values. Its own order is kept: it is the order of the levels.
    inputs : the files. A file is shown as the scenario writes it, and by its bare name where the scenario does not
        speak of it, so that no folder of this computer gets in.
    outputs : file name -> SHA-256 in hex; listed by name.
    overridden : keys of the scenario that were changed for this run.
    warnings : what the reader of the results is warned of: ``kind`` and ``says`` of each.
    seed : of the random numbers; None where there are none.

    Raises
    ------
    InvalidDataError : an input cannot be read, or is not what it was when it was first looked at.
    """
    digests = inputs.digests
    inputs.check()
    return {
        KEY: schema_id("manifest"),
        "gamedeid": __version__,
        "scenario": dict(scenario),
        "overridden": list(overridden),
        "inputs": {
            name: {"path": _as_written(scenario, name) or file.path.name, "sha256": digests[name]}
            for name, file in inputs.files.items()
        },
        "outputs": dict(sorted(outputs.items())),
        "warnings": [dict(one) for one in warnings],
        "seed": seed,
    }


def json_text(content: Any) -> str:
    """Return ``content`` as indented JSON that ends in a line break; numbers that are none are refused."""
    return json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def not_ours(folder: Path) -> str | None:
    """Return what tells that a folder is not just one run's results, to follow "it"; None if it is just that.

    It is, when its ``manifest.json`` is one of ours and everything else in it is a file that the manifest names,
    or the manifest's signature. The files need not be all there, nor unchanged.

    Raises
    ------
    OSError : the folder cannot be looked into.
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
