"""What the schemas of JSON documents are called, and the version of each: the one statement of both."""

VERSIONS = {
    "apply": 8,
    "attack": 1,
    "audit": 5,
    "bins": 1,
    "changes": 2,
    "check": 2,
    "codebook": 1,
    "comparison": 6,
    "dataset": 1,
    "demographics": 1,
    "determination": 1,
    "distinct": 1,
    "draft": 1,
    "frontier": 3,
    "hierarchy": 1,
    "hierarchy-file": 1,
    "hierarchy-files": 1,
    "joint-risk": 1,
    "manifest": 6,
    "page": 1,
    "picture": 2,
    "regions": 6,
    "release-detail": 1,
    "release-risks": 3,
    "report": 6,
    "scenario": 8,
    "scenarios": 1,
    "signature": 1,
    "solvers": 2,
    "suggestions": 2,
    "summary": 8,
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
    """Return what a schema is called, with its version.

    Examples
    --------
    >>> schema_id("summary")
    'urn:gamedeid:schema:summary:8'
    """
    return f"urn:gamedeid:schema:{name}:{VERSIONS[name]}"
