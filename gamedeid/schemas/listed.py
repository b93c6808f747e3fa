"""All schemas by name: what each describes, which commands print it, and which files hold it."""

from collections.abc import Mapping
from typing import Any, get_args

from gamedeid.attacks.result import AttackSimulation
from gamedeid.choices import PictureKind
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.report.html.document_keys import ANY_SUMMARY, CONTENT, FOLDER_MANIFEST
from gamedeid.reprs import frozen
from gamedeid.results.shapes import DIALECT, Shape, json_schema
from gamedeid.risk.joint import JointRisk
from gamedeid.risk.release import ReleaseRisks
from gamedeid.risk.uniqueness.estimates import UniquenessEstimates
from gamedeid.schema_names import SchemaName, schema_id
from gamedeid.schemas import printed
from gamedeid.schemas.scenario import scenario_schema
from gamedeid.verification.findings import Verification


@frozen
class Described:
    """What a schema is of.

    Parameters
    ----------
    title : the document, in words.
    shape : its keys; None of the scenario, which is a model.
    commands : which print it with ``--json``, without ``gamedeid``.
    file : which holds it in a folder of results.
    """

    title: str
    shape: Shape = None
    commands: tuple[str, ...] = ()
    file: str | None = None


SCHEMAS: Mapping[SchemaName, Described] = {
    "scenario": Described(title="A scenario, as its TOML file holds it"),
    "summary": Described(title="What a run found", shape=ANY_SUMMARY, commands=("run",), file="summary.json"),
    "report": Described(title="The figures of a report", shape=CONTENT, file="report.json"),
    "manifest": Described(
        title="What results were made from", shape=FOLDER_MANIFEST, commands=("sweep",), file="manifest.json"
    ),
    "apply": Described(title="What new rows were released as", shape=printed.APPLIED, commands=("apply",)),
    "comparison": Described(
        title="The policy and the games side by side",
        shape=printed.COMPARISON,
        commands=("compare",),
        file="comparison.json",
    ),
    "regions": Described(
        title="The policy and the games side by side, over all regions",
        shape=printed.REGIONS,
        commands=("regions",),
        file="regions.json",
    ),
    "sweep": Described(title="Rows of a sweep", shape=printed.SWEEP, commands=("sweep",)),
    "frontier": Described(
        title="Risk against utility", shape=printed.FRONTIER, commands=("frontier",), file="frontier.json"
    ),
    "solvers": Described(title="Solvers side by side", shape=printed.SOLVERS, commands=("solvers",)),
    "check": Described(title="Columns that may hold identifiers", shape=IdentifierCheck, commands=("check",)),
    "verification": Described(title="Whether results are what they claim", shape=Verification, commands=("verify",)),
    "audit": Described(title="Risk to a recipient who knows the mechanism", shape=printed.AUDIT, commands=("audit",)),
    "joint-risk": Described(title="What several releases give away together", shape=JointRisk, commands=("audit",)),
    "attack": Described(title="Simulated attacks", shape=AttackSimulation, commands=("attack",), file="attack.json"),
    "release-risks": Described(
        title="The risk of a release by every measure", shape=ReleaseRisks, commands=("risk release",)
    ),
    "bins": Described(title="Distinct people of one group", shape=printed.BINS, commands=("risk bins",)),
    "distinct": Described(title="Distinct people under a policy", shape=printed.DISTINCT, commands=("risk distinct",)),
    "uniqueness": Described(title="Estimates of uniqueness", shape=UniquenessEstimates, commands=("risk uniqueness",)),
    "uniqueness-study": Described(
        title="Estimators of uniqueness compared", shape=printed.UNIQUENESS_STUDY, commands=("risk uniqueness-study",)
    ),
    "demographics": Described(
        title="Who is likely unique by place, sex and birth",
        shape=printed.DEMOGRAPHICS,
        commands=("risk demographics",),
        file="demographics.json",
    ),
    "draft": Described(title="A drafted scenario", shape=printed.DRAFT, commands=("init",)),
    "scenarios": Described(title="Scenarios that come with gamedeid", shape=printed.SCENARIOS, commands=("scenarios",)),
    "page": Described(title="A report that was made again", shape=printed.PAGE, commands=("report",)),
    "determination": Described(
        title="A drafted determination", shape=printed.DETERMINATION, commands=("determination",)
    ),
    "signature": Described(title="A signature, or a key", shape=printed.SIGNATURE, commands=("sign",)),
    "dataset": Described(title="A public dataset", shape=printed.DATASET, commands=("fetch",)),
    "picture": Described(
        title="A picture in words and numbers",
        shape=printed.PICTURE,
        commands=tuple(f"plot {kind}" for kind in get_args(PictureKind)),
    ),
    "hierarchy": Described(title="A hierarchy's levels", shape=printed.HIERARCHY, commands=("hierarchy show",)),
    "hierarchy-file": Described(
        title="A hierarchy that was written as CSV", shape=printed.HIERARCHY_FILE, commands=("hierarchy write",)
    ),
    "hierarchy-files": Described(
        title="Faults of hierarchy files", shape=printed.HIERARCHY_FILES, commands=("hierarchy check",)
    ),
}
"""Every schema, in the order of the documentation."""


def schema(name: str) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12).

    Parameters
    ----------
    name : one of :data:`SCHEMAS`.

    Returns
    -------
    the schema as plain values; ``$id`` is its URN with its version.

    Raises
    ------
    InvalidScenarioError : there is none of this name.
    """
    found = next((one for one in SCHEMAS if one == name), None)
    if found is None:
        raise InvalidScenarioError(f"there is no schema {quoted(name)}; known: {', '.join(SCHEMAS)}")
    described = SCHEMAS[found]
    return {
        "$schema": DIALECT,
        "$id": schema_id(found),
        "title": described.title,
        **(scenario_schema() if described.shape is None else json_schema(described.shape, found)),
    }
