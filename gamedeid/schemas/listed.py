"""All JSON Schemas by name: of results, from their fields, and of scenarios, from their model, for TOML editors."""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple, cast, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import CoreSchema, core_schema

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
from gamedeid.pictures.picture import Picture
from gamedeid.report.changes import ReleaseChanges
from gamedeid.report.html.content import ReportContent
from gamedeid.reprs import brief
from gamedeid.results.manifest import Manifest
from gamedeid.risk.audit import Audit
from gamedeid.risk.bins import BinsFacts
from gamedeid.risk.census.identifiable import Demographics
from gamedeid.risk.detail import ReleaseDetail
from gamedeid.risk.distinct import DistinctFacts
from gamedeid.risk.joint import JointRisk
from gamedeid.risk.release import ReleaseRiskFacts
from gamedeid.risk.table import TableRisks
from gamedeid.risk.uniqueness.estimates import UniquenessEstimates
from gamedeid.risk.uniqueness.simulation import UniquenessStudyFacts
from gamedeid.risk.utility.release_utility import ReleaseUtility
from gamedeid.scenario.scenario import Scenario
from gamedeid.schema_names import schema_id
from gamedeid.schemas import printed
from gamedeid.study.codebook import Codebook
from gamedeid.verification.findings import Verification


@brief
class Described(NamedTuple):
    """The subject of a schema.

    Parameters
    ----------
    kind : the class of the document, or of its rows.
    commands : the commands that print it with ``--json``, without ``gamedeid``.
    """

    title: str
    kind: Any
    commands: tuple[str, ...] = ()
    file: str | None = None


SCHEMAS: Mapping[str, Described] = {
    "scenario": Described("A scenario, as its TOML file holds it", Scenario),
    "summary": Described("Results of a run", Summary, ("run",), file="summary.json"),
    "report": Described("The figures of a report", ReportContent, file="report.json"),
    "manifest": Described("Inputs and files of results", Manifest, ("sweep",), file="manifest.json"),
    "apply": Described("Results of new rows", AppliedSummary, ("apply",)),
    "comparison": Described(
        "The policy and the games side by side", ComparisonFacts, ("compare",), file="comparison.json"
    ),
    "regions": Described(
        "The policy and the games side by side, over all regions", RegionsFacts, ("regions",), file="regions.json"
    ),
    "sweep": Described("Rows of a sweep", tuple[TableRow, ...], ("sweep",)),
    "frontier": Described("Risk against utility", RiskUtilityFacts, ("frontier",), file="frontier.json"),
    "solvers": Described("Solvers side by side", SolversFacts, ("solvers",)),
    "suggestions": Described("Changes that meet the thresholds", Suggestions, ("suggest",)),
    "check": Described("Columns that may hold identifiers", IdentifierCheck, ("check",)),
    "verification": Described("Verification of results", Verification, ("verify",)),
    "audit": Described("Risk to a recipient who knows the mechanism", Audit, ("audit",)),
    "joint-risk": Described("Joint risk of several releases", JointRisk, ("audit",)),
    "attack": Described("Simulated attacks", AttackSimulation, ("attack",), file="attack.json"),
    "release-risks": Described("The risk of a release by every measure", ReleaseRiskFacts, ("risk release",)),
    "release-detail": Described("Losses and risk by column and group", ReleaseDetail, ("risk release",)),
    "utility": Described("A model of the original data and of the release", ReleaseUtility, ("utility",)),
    "codebook": Described("Columns and labels of a release", Codebook, ("codebook",)),
    "table-risks": Described("The risk of any table", TableRisks, ("risk table",)),
    "bins": Described("Distinct people of one group", BinsFacts, ("risk bins",)),
    "distinct": Described("Distinct people under a policy", DistinctFacts, ("risk distinct",)),
    "uniqueness": Described("Estimates of uniqueness", UniquenessEstimates, ("risk uniqueness",)),
    "uniqueness-study": Described(
        "Estimators of uniqueness compared", UniquenessStudyFacts, ("risk uniqueness-study",)
    ),
    "demographics": Described(
        "People likely unique by place, sex and birth", Demographics, ("risk demographics",), file="demographics.json"
    ),
    "draft": Described("A drafted scenario", DraftFacts, ("init",)),
    "scenarios": Described("Scenarios that come with gamedeid", printed.ScenariosFacts, ("scenarios",)),
    "page": Described("A report made again, or a certificate", printed.PageFacts, ("report", "certificate")),
    "changes": Described("Changes between two releases", ReleaseChanges, ("report",)),
    "determination": Described("A drafted determination", printed.DeterminationFacts, ("determination",)),
    "signature": Described("A signature, or a key", printed.SignatureFacts, ("sign",)),
    "dataset": Described("A public dataset", printed.DatasetFacts, ("fetch",)),
    "picture": Described(
        "A picture in words and numbers", Picture, tuple(f"plot {kind}" for kind in get_args(PictureKind))
    ),
    "hierarchy": Described(
        "A hierarchy's levels", printed.HierarchyFacts | printed.ClosedHierarchyFacts, ("hierarchy show",)
    ),
    "hierarchy-file": Described(
        "A hierarchy that was written as CSV", printed.HierarchyFileFacts, ("hierarchy write",)
    ),
    "hierarchy-files": Described("Faults of hierarchy files", printed.HierarchyFilesFacts, ("hierarchy check",)),
}
"""Every schema, in the order of the documentation."""


def schema(name: str) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12) as plain values; ``$id`` is its URN with its version."""
    described = SCHEMAS.get(name)
    if described is None:
        raise InvalidScenarioError(f"there is no schema {quoted(name)}; known: {', '.join(SCHEMAS)}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id(name),
        "title": described.title,
        **_SchemaGenerator().generate(TypeAdapter(described.kind).core_schema),
    }


class _SchemaGenerator(GenerateJsonSchema):
    """A generator of JSON Schemas without titles that only repeat a key, and with bounds by JSON Schema's names.

    Objects with listed keys refuse all others. The description of a scenario's key is the docstring below it in the
    source; checks of several keys, or of the data, are not part of the schema: a command makes them.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  (called by pydantic)
        """Return whether a key gets a title made of its name."""
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """Return the JSON Schema of a section, with its docstring and those of its keys as descriptions."""
        part, model = super().model_schema(schema), schema["cls"]
        part["description"] = (inspect.getdoc(model) or "").splitlines()[0]
        tree = ast.parse(textwrap.dedent(inspect.getsource(model)))
        for before, after in pairwise(cast("ast.ClassDef", tree.body[0]).body):
            match before, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                    if name in part["properties"]:
                        part["properties"][name][_LAST] = inspect.cleandoc(words).replace("``", "`")
        return part

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
        """Return the JSON Schema of a pydantic core schema."""
        return cast("dict[str, Any]", _translated(super().generate(schema, mode)))


_LAST = "~"
"""The temporary name of a description while pydantic sorts the keywords of a schema: it comes last."""

_WORDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum", _LAST: "description"}
"""pydantic's name of a keyword -> that of JSON Schema: pydantic leaves bounds after custom checks untranslated."""


def _translated(part: Any) -> Any:
    """Return a schema with JSON Schema's keywords; objects with listed keys or key patterns refuse all others."""
    if isinstance(part, list):
        return [_translated(inside) for inside in part]
    if not isinstance(part, Mapping):
        return part
    listed = part.get("type") == "object" and ("properties" in part or "patternProperties" in part)
    closed = {"additionalProperties": False} if listed else {}
    return closed | {
        _WORDS.get(key, key) if isinstance(inside, int | float | str) else key: _translated(inside)
        for key, inside in part.items()
    }
