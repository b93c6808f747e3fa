"""The folder of one study of the estimators of uniqueness: its table, its picture and the manifest."""

from typing import Any

from gamedeid.file_identity import Inputs
from gamedeid.pictures.people import uniqueness_picture
from gamedeid.pictures.saving import contents
from gamedeid.results import FolderWriter
from gamedeid.results.tables import rows_to_columns, write_table
from gamedeid.risk.uniqueness.simulation import UniquenessStudy


def write_study(study: UniquenessStudy, folder: FolderWriter) -> dict[str, Any]:
    """Write a study into an open folder, and return the content of its manifest."""
    plan, table = study.plan, study.plan.population.table
    with folder.open("study.csv") as stream:
        write_table(rows_to_columns(study.rows), stream, "csv")
    with folder.open("study.svg") as stream:
        stream.write(contents(uniqueness_picture(study.rows, plan.truth), "svg"))
    asked: dict[str, Any] = {} if table is None else table.as_dict()
    return folder.write_manifest(
        scenario={**asked, "fractions": list(plan.fractions), "samples": plan.samples},
        inputs=Inputs(files={}) if table is None else table.inputs,
        seed=plan.seed,
    )
