"""The folder of ``gamedeid frontier``: the facts, the uniform policies, the curve, the picture and the manifest."""

from typing import Any

from gamedeid.analysis.risk_utility import RiskUtility
from gamedeid.pictures.risk_utility import frontier_picture
from gamedeid.pictures.saving import contents
from gamedeid.results import FolderWriter
from gamedeid.results.tables import write_table
from gamedeid.study.manifest import write_manifest


def write_risk_utility(result: RiskUtility, folder: FolderWriter) -> dict[str, Any]:
    """Write risk and utility into an open folder, and return the content of its manifest."""
    folder.write_json("frontier.json", result.as_dict())
    for name, columns in (("uniform.csv", result.uniform_rows), ("curve.csv", result.curve_rows)):
        with folder.open(name) as stream:
            write_table(columns, stream, "csv")
    with folder.open("frontier.svg") as stream:
        stream.write(contents(frontier_picture(result), "svg"))
    return write_manifest(result.study, folder, {"risk": result.risk_name})
