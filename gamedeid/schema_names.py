"""The names and versions of the schemas of JSON outputs, defined here only."""

from typing import Literal, TypeAlias, get_args

SchemaName: TypeAlias = Literal[
    "apply",
    "attack",
    "audit",
    "check",
    "codebook",
    "comparison",
    "demographics",
    "determination",
    "distinct",
    "bins",
    "changes",
    "dataset",
    "draft",
    "frontier",
    "hierarchy",
    "hierarchy-file",
    "hierarchy-files",
    "joint-risk",
    "manifest",
    "page",
    "picture",
    "regions",
    "release-detail",
    "release-risks",
    "report",
    "scenario",
    "scenarios",
    "signature",
    "solvers",
    "suggestions",
    "summary",
    "sweep",
    "table-risks",
    "uniqueness",
    "uniqueness-study",
    "utility",
    "verification",
]
"""Every kind of JSON document that gamedeid writes or prints, and the scenario that it reads."""

NAMES: tuple[SchemaName, ...] = get_args(SchemaName)

VERSIONS: dict[SchemaName, int] = {
    "apply": 8,
    "audit": 5,
    "changes": 2,
    "check": 2,
    "comparison": 6,
    "frontier": 2,
    "manifest": 6,
    "picture": 2,
    "regions": 6,
    "release-risks": 3,
    "report": 6,
    "scenario": 8,
    "solvers": 2,
    "suggestions": 2,
    "summary": 8,
    "table-risks": 2,
}
"""The version of each schema after its first."""

KEY = "schema"
"""The key of a document that names its schema."""


def schema_id(name: SchemaName) -> str:
    """Return the URN of a schema, with its version.

    Examples
    --------
    >>> schema_id("summary")
    'urn:gamedeid:schema:summary:8'
    """
    return f"urn:gamedeid:schema:{name}:{VERSIONS.get(name, 1)}"
