"""What results of a study were made from, as plain values: its scenario, stakes, data and files."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamedeid.results import FolderWriter
from gamedeid.results.manifest import MANIFEST, ResultWarning, manifest
from gamedeid.study.facts import DataFacts
from gamedeid.study.study import Study
from gamedeid.study.warnings import data_warnings


def data_of(study: Study) -> dict[str, Any]:
    """Return what was read, as ``data`` of ``summary.json`` and ``comparison.json``."""
    return DataFacts.of(study).as_dict()


def manifest_of(
    study: Study, folder: FolderWriter, asked: Mapping[str, object], warnings: Sequence[ResultWarning] | None = None
) -> dict[str, Any]:
    """Return the manifest of the results that stand in ``folder`` by now."""
    question = study.scenario
    content = question.resolved()
    for name in ("records", "population"):
        if name not in study.inputs.files and content[name] is not None:
            content[name]["path"] = None  # a data frame came instead
    return manifest(
        scenario={**content, **asked},
        inputs=study.inputs,
        outputs=folder.digests,
        overridden=question.overridden,
        warnings=data_warnings(data_of(study)) if warnings is None else warnings,
    )


def write_manifest(
    study: Study, folder: FolderWriter, asked: Mapping[str, object], warnings: Sequence[ResultWarning] | None = None
) -> dict[str, Any]:
    """Write ``manifest.json``, the last file of a folder of results, and return its content.

    The inputs are looked at once more when it is written, so that whoever calls this need not.
    """
    made = manifest_of(study, folder, asked, warnings)
    folder.write_json(MANIFEST, made)
    study.inputs.check()
    return made
