"""The names of the schemas of JSON documents and their versions, stated here only."""

VERSIONS = {
    "apply": 10,
    "attack": 3,
    "audit": 7,
    "bins": 1,
    "changes": 2,
    "check": 2,
    "codebook": 1,
    "comparison": 8,
    "dataset": 1,
    "demographics": 1,
    "determination": 1,
    "distinct": 3,
    "draft": 1,
    "frontier": 4,
    "hierarchy": 1,
    "hierarchy-file": 1,
    "hierarchy-files": 1,
    "joint-risk": 3,
    "manifest": 8,
    "page": 1,
    "picture": 4,
    "regions": 8,
    "release-detail": 3,
    "release-risks": 4,
    "report": 7,
    "scenario": 8,
    "scenarios": 1,
    "signature": 1,
    "solvers": 4,
    "suggestions": 4,
    "summary": 10,
    "sweep": 1,
    "table-risks": 2,
    "uniqueness": 1,
    "uniqueness-study": 1,
    "utility": 1,
    "verification": 1,
}
"""Every kind of JSON document that gamedeid writes or prints, and the scenario that it reads -> its version."""

KEY = "schema"
"""The key of a document that names its schema."""


def schema_id(name: str) -> str:
    """Return the name of a schema, with its version.

    Examples
    --------
    >>> schema_id("summary")
    'urn:gamedeid:schema:summary:10'
    """
    return f"urn:gamedeid:schema:{name}:{VERSIONS[name]}"
