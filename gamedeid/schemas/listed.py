"""All schemas by name: what each describes, which commands print it, and which files hold it."""

from collections.abc import Mapping
from typing import Any, get_args

from gamedeid.analysis.comparison import ComparisonFacts
from gamedeid.analysis.regional_comparison import RegionsFacts
from gamedeid.analysis.risk_utility import RiskUtilityFacts
from gamedeid.analysis.solver_comparison import SolversFacts
from gamedeid.analysis.study_table import TableRow
from gamedeid.analysis.suggestions import Suggestions
from gamedeid.analysis.summary import AppliedSummary, Summary
from gamedeid.attacks.result import AttackSimulation
from gamedeid.choices import PictureKind
from gamedeid.errors import InvalidScenarioError, quoted
from gamedeid.intake.drafting.draft import DraftFacts
from gamedeid.intake.identifiers.findings import IdentifierCheck
from gamedeid.report.html.content import ReportContent
from gamedeid.report.renewal import ReleaseChanges
from gamedeid.report.terminal.distinctness import DistinctFacts
from gamedeid.reprs import frozen
from gamedeid.results.manifest import Manifest
from gamedeid.risk.audit import Audit
from gamedeid.risk.bins import BinsFacts
from gamedeid.risk.census.identifiable import Demographics
from gamedeid.risk.detail import ReleaseDetail
from gamedeid.risk.joint import JointRisk
from gamedeid.risk.release import ReleaseRiskFacts
from gamedeid.risk.table import TableRisks
from gamedeid.risk.uniqueness.estimates import UniquenessEstimates
from gamedeid.risk.uniqueness.simulation import UniquenessStudyFacts
from gamedeid.risk.utility.release_utility import ReleaseUtility
from gamedeid.schema_names import SchemaName, schema_id
from gamedeid.schemas import printed
from gamedeid.schemas.json_schema import DIALECT, json_schema, scenario_schema
from gamedeid.study.codebook import Codebook
from gamedeid.verification.findings import Verification


@frozen
class Described:
    """What a schema is of.

    Parameters
    ----------
    kind : the class of the document, or of its rows; None of the scenario, which is a model.
    commands : which print it with ``--json``, without ``gamedeid``.
    """

    title: str
    kind: Any = None
    commands: tuple[str, ...] = ()
    file: str | None = None


SCHEMAS: Mapping[SchemaName, Described] = {
    "scenario": Described(title="A scenario, as its TOML file holds it"),
    "summary": Described(title="Results of a run", kind=Summary, commands=("run",), file="summary.json"),
    "report": Described(title="The figures of a report", kind=ReportContent, file="report.json"),
    "manifest": Described(
        title="Inputs and files of results", kind=Manifest, commands=("sweep",), file="manifest.json"
    ),
    "apply": Described(title="Results of new rows", kind=AppliedSummary, commands=("apply",)),
    "comparison": Described(
        title="The policy and the games side by side",
        kind=ComparisonFacts,
        commands=("compare",),
        file="comparison.json",
    ),
    "regions": Described(
        title="The policy and the games side by side, over all regions",
        kind=RegionsFacts,
        commands=("regions",),
        file="regions.json",
    ),
    "sweep": Described(title="Rows of a sweep", kind=tuple[TableRow, ...], commands=("sweep",)),
    "frontier": Described(
        title="Risk against utility", kind=RiskUtilityFacts, commands=("frontier",), file="frontier.json"
    ),
    "solvers": Described(title="Solvers side by side", kind=SolversFacts, commands=("solvers",)),
    "suggestions": Described(title="Changes that meet the thresholds", kind=Suggestions, commands=("suggest",)),
    "check": Described(title="Columns that may hold identifiers", kind=IdentifierCheck, commands=("check",)),
    "verification": Described(title="Verification of results", kind=Verification, commands=("verify",)),
    "audit": Described(title="Risk to a recipient who knows the mechanism", kind=Audit, commands=("audit",)),
    "joint-risk": Described(title="Joint risk of several releases", kind=JointRisk, commands=("audit",)),
    "attack": Described(title="Simulated attacks", kind=AttackSimulation, commands=("attack",), file="attack.json"),
    "release-risks": Described(
        title="The risk of a release by every measure", kind=ReleaseRiskFacts, commands=("risk release",)
    ),
    "release-detail": Described(
        title="Losses and risk by column and group", kind=ReleaseDetail, commands=("risk release",)
    ),
    "utility": Described(
        title="A model of the original data and of the release", kind=ReleaseUtility, commands=("utility",)
    ),
    "codebook": Described(title="Columns and labels of a release", kind=Codebook, commands=("codebook",)),
    "table-risks": Described(title="The risk of any table", kind=TableRisks, commands=("risk table",)),
    "bins": Described(title="Distinct people of one group", kind=BinsFacts, commands=("risk bins",)),
    "distinct": Described(title="Distinct people under a policy", kind=DistinctFacts, commands=("risk distinct",)),
    "uniqueness": Described(title="Estimates of uniqueness", kind=UniquenessEstimates, commands=("risk uniqueness",)),
    "uniqueness-study": Described(
        title="Estimators of uniqueness compared", kind=UniquenessStudyFacts, commands=("risk uniqueness-study",)
    ),
    "demographics": Described(
        title="People likely unique by place, sex and birth",
        kind=Demographics,
        commands=("risk demographics",),
        file="demographics.json",
    ),
    "draft": Described(title="A drafted scenario", kind=DraftFacts, commands=("init",)),
    "scenarios": Described(
        title="Scenarios that come with gamedeid", kind=printed.ScenariosFacts, commands=("scenarios",)
    ),
    "page": Described(
        title="A report made again, or a certificate", kind=printed.PageFacts, commands=("report", "certificate")
    ),
    "changes": Described(title="Changes between two releases", kind=ReleaseChanges, commands=("report",)),
    "determination": Described(
        title="A drafted determination", kind=printed.DeterminationFacts, commands=("determination",)
    ),
    "signature": Described(title="A signature, or a key", kind=printed.SignatureFacts, commands=("sign",)),
    "dataset": Described(title="A public dataset", kind=printed.DatasetFacts, commands=("fetch",)),
    "picture": Described(
        title="A picture in words and numbers",
        kind=printed.PictureFacts,
        commands=tuple(f"plot {kind}" for kind in get_args(PictureKind)),
    ),
    "hierarchy": Described(
        title="A hierarchy's levels",
        kind=printed.HierarchyFacts | printed.ClosedHierarchyFacts,
        commands=("hierarchy show",),
    ),
    "hierarchy-file": Described(
        title="A hierarchy that was written as CSV", kind=printed.HierarchyFileFacts, commands=("hierarchy write",)
    ),
    "hierarchy-files": Described(
        title="Faults of hierarchy files", kind=printed.HierarchyFilesFacts, commands=("hierarchy check",)
    ),
}
"""Every schema, in the order of the documentation."""


def schema(name: str) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12).

    Returns
    -------
    the schema as plain values; ``$id`` is its URN with its version.
    """
    found = next((one for one in SCHEMAS if one == name), None)
    if found is None:
        raise InvalidScenarioError(f"there is no schema {quoted(name)}; known: {', '.join(SCHEMAS)}")
    described = SCHEMAS[found]
    return {
        "$schema": DIALECT,
        "$id": schema_id(found),
        "title": described.title,
        **(scenario_schema() if described.kind is None else json_schema(described.kind)),
    }
